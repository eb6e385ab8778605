//! The interface of a KPPT evaluation, however its values are kept.

use std::sync::Arc;

use super::index::{Index, RowStart};
use crate::shogi::square::Square;

/// The two components of an entry, in 1/32 of a unit: what counts for the side that sees it, and what is
/// added for the side to move.
pub type Pair<T> = [T; 2];

/// Table entries per unit of the score (the field's `FV_SCALE`).
pub const SCALE: i32 = 32;

/// The three tables of a KPPT evaluation: king–king, king–king–piece, king–piece–piece, each with a second component
/// for the turn.
///
/// Full weights, the terms of a compact file and a formula in a test implement it. The values may be anything, except
/// that a pair of pieces has one value: `kpp(k, i, j) == kpp(k, j, i)`.
pub trait Table {
    /// The value of Black's and White's king.
    fn kk(&self, black: Square, white: Square) -> Pair<i32>;

    /// The value of Black's and White's king and a piece as Black sees it.
    fn kkp(&self, black: Square, white: Square, piece: Index) -> Pair<i32>;

    /// The sum of `kkp(black, white, piece)` over `pieces`.
    fn kkp_sum(&self, black: Square, white: Square, pieces: &[RowStart]) -> Pair<i32> {
        let mut sum = [0; 2];
        for &piece in pieces {
            add(&mut sum, self.kkp(black, white, piece.index()));
        }
        sum
    }

    /// The value of a king and two different pieces, all as the king's side sees them.
    fn kpp(&self, king: Square, one: Index, other: Index) -> Pair<i16>;

    /// The sum of `kpp(king, piece, other)` over `others`.
    fn row(&self, king: Square, piece: Index, others: &[RowStart]) -> Pair<i32> {
        let mut sum = [0; 2];
        for &other in others {
            add(&mut sum, self.kpp(king, piece, other.index()).map(i32::from));
        }
        sum
    }
}

impl<T: Table + ?Sized> Table for Arc<T> {
    fn kk(&self, black: Square, white: Square) -> Pair<i32> {
        (**self).kk(black, white)
    }

    fn kkp(&self, black: Square, white: Square, piece: Index) -> Pair<i32> {
        (**self).kkp(black, white, piece)
    }

    fn kkp_sum(&self, black: Square, white: Square, pieces: &[RowStart]) -> Pair<i32> {
        (**self).kkp_sum(black, white, pieces)
    }

    fn kpp(&self, king: Square, one: Index, other: Index) -> Pair<i16> {
        (**self).kpp(king, one, other)
    }

    fn row(&self, king: Square, piece: Index, others: &[RowStart]) -> Pair<i32> {
        (**self).row(king, piece, others)
    }
}

/// Adds in place. Sums wrap, because a file may hold anything; with trained values they stay far from overflow.
pub fn add(sum: &mut Pair<i32>, more: Pair<i32>) {
    sum[0] = sum[0].wrapping_add(more[0]);
    sum[1] = sum[1].wrapping_add(more[1]);
}

/// Subtracts in place, wrapping like [`add`].
pub fn subtract(sum: &mut Pair<i32>, less: Pair<i32>) {
    sum[0] = sum[0].wrapping_sub(less[0]);
    sum[1] = sum[1].wrapping_sub(less[1]);
}
