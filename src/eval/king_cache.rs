//! A cache of each king's sum over all pairs of pieces, by the king's square: kings come back to a square, and find
//! most pieces where they were.

use arrayvec::ArrayVec;

use super::index::{MAX_PIECES, RowStart};
use super::table::{Pair, Table, add, subtract};
use crate::shogi::color::{Color, PerColor};
use crate::shogi::square::Square;

/// With more pieces changed than this, summing anew is cheaper than correcting.
const MAX_MOVED: u32 = 8;

/// The last sum for each king and square, with the pieces that it was taken of.
#[derive(Clone)]
pub struct KingCache(PerColor<Vec<Option<CachedSum>>>);

#[derive(Clone)]
struct CachedSum {
    pieces: ArrayVec<RowStart, MAX_PIECES>,
    sum: Pair<i32>,
}

impl KingCache {
    /// An empty cache.
    pub fn new() -> KingCache {
        KingCache(PerColor(Color::ALL.map(|_| vec![None; Square::COUNT])))
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.0.0.iter_mut().for_each(|sums| sums.fill(None));
    }

    /// The sum over all pairs of `pieces`, as `view` sees them, with its own king on `king`.
    pub fn sum(&mut self, table: &impl Table, view: Color, king: Square, pieces: &[RowStart]) -> Pair<i32> {
        let cached = &mut self.0[view][king.index()];
        if let Some(sum) = cached.as_mut().and_then(|cached| cached.corrected(table, king, pieces)) {
            return sum;
        }
        let sum = from_nothing(table, king, pieces);
        *cached = Some(CachedSum { pieces: pieces.iter().copied().collect(), sum });
        sum
    }
}

impl CachedSum {
    /// Corrects the sum for `pieces`; `None` where too many have changed.
    fn corrected(&mut self, table: &impl Table, king: Square, pieces: &[RowStart]) -> Option<Pair<i32>> {
        // A bit a slot, without a branch: compilers compare several pieces at once.
        let mut moved = 0u64;
        for (slot, (before, now)) in self.pieces.iter().zip(pieces).enumerate() {
            moved |= u64::from(before != now) << slot;
        }
        if moved.count_ones() > MAX_MOVED {
            return None;
        }
        while moved != 0 {
            let slot = moved.trailing_zeros() as usize;
            moved &= moved - 1;
            let before = self.row(table, king, slot);
            self.pieces[slot] = pieces[slot];
            let now = self.row(table, king, slot);
            subtract(&mut self.sum, before);
            add(&mut self.sum, now);
        }
        Some(self.sum)
    }

    /// The pairs of the piece in `slot` with all others.
    fn row(&self, table: &impl Table, king: Square, slot: usize) -> Pair<i32> {
        let piece = self.pieces[slot].index();
        let mut sum = table.row(king, piece, &self.pieces[..slot]);
        add(&mut sum, table.row(king, piece, &self.pieces[slot + 1..]));
        sum
    }
}

/// The sum over all pairs, each once.
fn from_nothing(table: &impl Table, king: Square, pieces: &[RowStart]) -> Pair<i32> {
    let mut sum = [0; 2];
    for (slot, piece) in pieces.iter().enumerate() {
        add(&mut sum, table.row(king, piece.index(), &pieces[..slot]));
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::index::Index;

    /// Every pair has a value of its own, the same from both sides.
    struct Numbers;

    impl Table for Numbers {
        fn kk(&self, _: Square, _: Square) -> Pair<i32> {
            [0; 2]
        }

        fn kkp(&self, _: Square, _: Square, _: Index) -> Pair<i32> {
            [0; 2]
        }

        fn kpp(&self, king: Square, one: Index, other: Index) -> Pair<i16> {
            let (low, high) = (one.get().min(other.get()), one.get().max(other.get()));
            let number = (low * Index::COUNT + high) * Square::COUNT + king.index();
            [(number % 30_011) as i16, (number % 29_989) as i16]
        }
    }

    #[test]
    fn a_corrected_sum_equals_a_new_one() {
        let all: Vec<Index> = Index::all().collect();
        let mut random = fastrand::Rng::with_seed(1);
        let mut any = || RowStart::of(all[random.usize(..all.len())]);
        let mut pieces: Vec<RowStart> = (0..MAX_PIECES).map(|_| any()).collect();
        let mut sums = KingCache::new();
        let most = MAX_MOVED as usize;
        for moved in [0, 1, 2, 0, most, most + 1, 1, MAX_PIECES, 3] {
            for slot in 0..moved {
                pieces[5 * slot % MAX_PIECES] = any();
            }
            for (view, king) in [(Color::Black, 3), (Color::Black, 80), (Color::White, 3)] {
                let king = Square::all().nth(king).expect("a square");
                let sum = sums.sum(&Numbers, view, king, &pieces);
                assert_eq!(sum, from_nothing(&Numbers, king, &pieces), "{moved} moved");
            }
        }
        let many = sums.0[Color::Black].iter().flatten().count();
        assert_eq!(many, 2);
    }
}
