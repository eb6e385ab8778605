//! Sums of a piece's pairs with others for one king: the inner loop of the evaluation.
//!
//! A pair has the same value whichever piece comes first. So the sum for a piece that has moved can be read from its
//! own row, or from its column in the rows of the other pieces. This reads the column: most pieces stay where they are
//! for many moves, and the few hundred kilobytes of their rows stay in the cache, wherever the moving piece goes.
//!
//! Gather instructions (AVX2 and AVX-512) were measured and are slower than single loads:
//! docs/experiments/003-the-kppt-evaluation.md.

use super::index::{Index, RowStart};
use super::table::{Pair, add};

/// The values of a king with one piece, by the other piece.
pub type Row = [Pair<i16>; Index::COUNT];

/// All rows of one king, by piece.
pub type King = [Row; Index::COUNT];

/// The sum of the pairs of `piece` with each of `others`.
#[inline]
pub fn sum(king: &King, piece: Index, others: &[RowStart]) -> Pair<i32> {
    #[cfg(target_arch = "x86_64")]
    if piece.get() + 1 < Index::COUNT && is_x86_feature_detected!("sse4.1") {
        // SAFETY: the processor has SSE4.1, and the piece is not the last one, as was just checked.
        return unsafe { x86::sum(king, piece, others) };
    }
    portable_sum(king, piece, others)
}

/// The same as [`sum`], with instructions that every machine has.
pub fn portable_sum(king: &King, piece: Index, others: &[RowStart]) -> Pair<i32> {
    let entries = king.as_flattened();
    let mut sum = [0; 2];
    for other in others {
        add(&mut sum, entries[other.get() + piece.get()].map(i32::from));
    }
    sum
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::{
        __m128i, _mm_add_epi32, _mm_cvtepi16_epi32, _mm_cvtsi128_si32, _mm_extract_epi32, _mm_loadl_epi64,
        _mm_setzero_si128,
    };

    use super::{Index, King, RowStart};
    use crate::eval::table::Pair;

    /// One load that widens both components of an entry, in four independent chains.
    ///
    /// # Safety
    /// `piece` must not be the last one.
    #[target_feature(enable = "sse4.1")]
    pub unsafe fn sum(king: &King, piece: Index, others: &[RowStart]) -> Pair<i32> {
        debug_assert!(piece.get() + 1 < Index::COUNT);
        // SAFETY: `piece` is not the last one.
        let entry = |other| unsafe { entry(king, other, piece) };
        let mut chains = [_mm_setzero_si128(); 4];
        let (fours, rest) = others.as_chunks::<4>();
        for four in fours {
            for (chain, &other) in chains.iter_mut().zip(four) {
                *chain = _mm_add_epi32(*chain, entry(other));
            }
        }
        for (chain, &other) in chains.iter_mut().zip(rest) {
            *chain = _mm_add_epi32(*chain, entry(other));
        }
        let pairs = [_mm_add_epi32(chains[0], chains[1]), _mm_add_epi32(chains[2], chains[3])];
        let sum = _mm_add_epi32(pairs[0], pairs[1]);
        [_mm_cvtsi128_si32(sum), _mm_extract_epi32::<1>(sum)]
    }

    /// The pair's two components as 32-bit lanes; the upper two are those of the next entry.
    ///
    /// # Safety
    /// `other` must not be the last one.
    #[target_feature(enable = "sse4.1")]
    unsafe fn entry(king: &King, one: RowStart, other: Index) -> __m128i {
        let place = one.get() + other.get();
        // SAFETY: an `Index` is always under 1,548 and a `RowStart` is always 1,548 times such an index: their fields
        // are private, and their constructors see to that. So the place is under 1,548 × 1,548, the number of a king's
        // entries, and so is the next one, as `other` is not the last piece. Loads need not be aligned.
        let two = unsafe { _mm_loadl_epi64(king.as_ptr().cast::<Pair<i16>>().add(place).cast()) };
        _mm_cvtepi16_epi32(two)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sum_equals_the_portable_sum() {
        let mut random = fastrand::Rng::with_seed(1);
        let extremes = [[i16::MIN, i16::MAX], [i16::MAX, i16::MIN]];
        let pairs: Vec<Pair<i16>> = (0..Index::COUNT * Index::COUNT)
            .map(|_| match random.usize(..8) {
                kind @ 0..2 => extremes[kind],
                _ => [random.i16(..), random.i16(..)],
            })
            .collect();
        let rows = pairs.as_chunks::<{ Index::COUNT }>().0;
        let king: &King = rows.try_into().unwrap();
        let mut any = || Index::new(random.usize(..Index::COUNT)).unwrap();
        for length in (0..=40).cycle().take(2000) {
            let others: Vec<RowStart> = (0..length).map(|_| RowStart::of(any())).collect();
            // The last piece is summed in another way.
            let piece = if length == 40 { Index::new(Index::COUNT - 1).unwrap() } else { any() };
            let found = sum(king, piece, &others);
            assert_eq!(found, portable_sum(king, piece, &others));
            let one_by_one = others.iter().fold([0i32; 2], |[board, turn], one| {
                let entry = king.as_flattened()[one.get() + piece.get()];
                [board + i32::from(entry[0]), turn + i32::from(entry[1])]
            });
            assert_eq!(found, one_by_one);
        }
    }
}
