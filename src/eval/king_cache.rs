//! A king's sum over all pairs of pieces, kept for every square that it has stood on: kings come back, and find most
//! pieces where they were.

use arrayvec::ArrayVec;

use super::list::MAX_PIECES;
use super::rows::RowStart;
use super::table::{Pair, Table, add, subtract};
use crate::shogi::color::{Color, PerColor};
use crate::shogi::square::Square;

/// With more pieces elsewhere, summing anew is cheaper than correcting.
const MAX_MOVED: usize = 8;

/// By king and square, the pieces that a sum was taken of, by slot, and the sum.
#[derive(Clone)]
pub struct KingCache(PerColor<Vec<Option<Kept>>>);

#[derive(Clone)]
struct Kept {
    pieces: ArrayVec<RowStart, MAX_PIECES>,
    sum: Pair<i32>,
}

impl KingCache {
    /// None yet.
    pub fn new() -> KingCache {
        KingCache(PerColor(Color::ALL.map(|_| vec![None; Square::COUNT])))
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.0.0.iter_mut().for_each(|sums| sums.fill(None));
    }

    /// The sum over all pairs of `pieces`, which `view` sees, with its own king on `king`.
    pub fn sum(&mut self, table: &impl Table, view: Color, king: Square, pieces: &[RowStart]) -> Pair<i32> {
        let kept = &mut self.0[view][king.index()];
        if let Some(sum) = kept.as_mut().and_then(|kept| kept.corrected(table, king, pieces)) {
            return sum;
        }
        let sum = from_nothing(table, king, pieces);
        *kept = Some(Kept { pieces: pieces.iter().copied().collect(), sum });
        sum
    }
}

impl Kept {
    /// The sum of `pieces`, which replace those that were; `None` where too many are elsewhere.
    fn corrected(&mut self, table: &impl Table, king: Square, pieces: &[RowStart]) -> Option<Pair<i32>> {
        let mut moved = ArrayVec::<usize, MAX_MOVED>::new();
        for (slot, (before, now)) in self.pieces.iter().zip(pieces).enumerate() {
            if before != now {
                moved.try_push(slot).ok()?;
            }
        }
        for slot in moved {
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
        let piece = self.pieces[slot].piece();
        let mut sum = table.row(king, piece, &self.pieces[..slot]);
        add(&mut sum, table.row(king, piece, &self.pieces[slot + 1..]));
        sum
    }
}

/// Each pair once.
fn from_nothing(table: &impl Table, king: Square, pieces: &[RowStart]) -> Pair<i32> {
    let mut sum = [0; 2];
    for (slot, piece) in pieces.iter().enumerate() {
        add(&mut sum, table.row(king, piece.piece(), &pieces[..slot]));
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
    fn what_is_corrected_is_what_is_summed() {
        let all: Vec<Index> = Index::all().collect();
        let mut random = fastrand::Rng::with_seed(1);
        let mut any = || RowStart::of(all[random.usize(..all.len())]);
        let mut pieces: Vec<RowStart> = (0..MAX_PIECES).map(|_| any()).collect();
        let mut sums = KingCache::new();
        for moved in [0, 1, 2, 0, MAX_MOVED, MAX_MOVED + 1, 1, MAX_PIECES, 3] {
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
