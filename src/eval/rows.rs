//! Sums over one row of the king–piece–piece table: the inner loop of the evaluation.
//!
//! A row is too long to be read as a whole and its wanted entries lie scattered, so that the cost is in fetching them.
//! Gather instructions (AVX2 and AVX-512) were measured and lose to single loads: docs/experiments.md.

use super::index::Index;
use super::table::{Pair, add};

/// A king with one piece, by the other piece.
pub type Row = [Pair<i16>; Index::COUNT];

/// The sum of the entries of `row` at `places`.
#[inline]
pub fn sum(row: &Row, places: &[Index]) -> Pair<i32> {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("sse4.1") {
        // SAFETY: the processor has just been asked for SSE4.1.
        return unsafe { x86::sum(row, places) };
    }
    portable_sum(row, places)
}

/// As [`sum`], without instructions that not every machine has.
pub fn portable_sum(row: &Row, places: &[Index]) -> Pair<i32> {
    let mut sum = [0; 2];
    for place in places {
        add(&mut sum, row[place.get()].map(i32::from));
    }
    sum
}

/// Asks for the entries of `row` at `places` to be brought into the cache.
#[inline]
pub fn prefetch(row: &Row, places: &[Index]) {
    #[cfg(target_arch = "x86_64")]
    x86::prefetch(row, places);
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (row, places);
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::{
        __m128i, _MM_HINT_T0, _mm_add_epi32, _mm_cvtepi16_epi32, _mm_cvtsi32_si128, _mm_cvtsi128_si32,
        _mm_extract_epi32, _mm_prefetch, _mm_setzero_si128,
    };

    use super::{Index, Row};
    use crate::eval::table::Pair;

    /// One load and one widening for both components of an entry, in four chains that do not wait for each other.
    #[target_feature(enable = "sse4.1")]
    pub fn sum(row: &Row, places: &[Index]) -> Pair<i32> {
        let mut chains = [_mm_setzero_si128(); 4];
        let (fours, rest) = places.as_chunks::<4>();
        for four in fours {
            for (chain, &place) in chains.iter_mut().zip(four) {
                *chain = _mm_add_epi32(*chain, entry(row, place));
            }
        }
        for (chain, &place) in chains.iter_mut().zip(rest) {
            *chain = _mm_add_epi32(*chain, entry(row, place));
        }
        let pairs = [_mm_add_epi32(chains[0], chains[1]), _mm_add_epi32(chains[2], chains[3])];
        let sum = _mm_add_epi32(pairs[0], pairs[1]);
        [_mm_cvtsi128_si32(sum), _mm_extract_epi32::<1>(sum)]
    }

    /// The entry at `place` as two 32-bit lanes, the upper two zero.
    #[target_feature(enable = "sse4.1")]
    fn entry(row: &Row, place: Index) -> __m128i {
        // SAFETY: an `Index` is always under `Index::COUNT`, the length of a row; its constructors see to that.
        let [board, turn] = unsafe { *row.get_unchecked(place.get()) };
        let both = u32::from(board as u16) | u32::from(turn as u16) << 16;
        _mm_cvtepi16_epi32(_mm_cvtsi32_si128(both as i32))
    }

    pub fn prefetch(row: &Row, places: &[Index]) {
        for place in places {
            if let Some(entry) = row.get(place.get()) {
                // SAFETY: a prefetch reads nothing; every x86-64 processor has the instruction.
                unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(entry).cast()) };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equals_the_portable_sum() {
        let mut state = 1u64;
        let mut random = move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as usize
        };
        for _ in 0..200 {
            let mut row = [[0i16; 2]; Index::COUNT];
            for pair in &mut row {
                *pair = match random() % 8 {
                    0 => [i16::MIN, i16::MAX],
                    1 => [i16::MAX, i16::MIN],
                    _ => [random() as i16, random() as i16],
                };
            }
            let length = random() % 41;
            let places: Vec<Index> =
                (0..length).filter_map(|_| Index::new(random() % Index::COUNT)).collect();
            assert_eq!(sum(&row, &places), portable_sum(&row, &places));
        }
    }
}
