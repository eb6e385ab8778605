//! What every KPPT evaluation offers, however its values are kept.

use std::sync::Arc;

use super::index::Index;
use super::rows::RowStart;
use crate::shogi::square::Square;

/// A value and what is added for the side to move, in 1/32 of a centipawn-like unit.
pub type Pair<T> = [T; 2];

/// How many parts the unit of a score has inside the tables (the field's `FV_SCALE`).
pub const SCALE: i32 = 32;

/// The three tables of a KPPT evaluation: king–king, king–king–piece, king–piece–piece, each with a second component
/// for the turn.
///
/// Full files, a formula in a test and a compact file's terms are all of them tables. Nothing may be assumed of the
/// values, except that a pair of pieces has one value: `kpp(k, i, j) == kpp(k, j, i)`.
pub trait Table {
    /// By Black's and White's king.
    fn kk(&self, black: Square, white: Square) -> Pair<i32>;

    /// By Black's and White's king and a piece as Black sees it.
    fn kkp(&self, black: Square, white: Square, piece: Index) -> Pair<i32>;

    /// By a king and two different pieces, all as the king's side sees them.
    fn kpp(&self, king: Square, one: Index, other: Index) -> Pair<i16>;

    /// The sum of `kpp(king, piece, other)` over `others`.
    fn row(&self, king: Square, piece: Index, others: &[RowStart]) -> Pair<i32> {
        let mut sum = [0; 2];
        for &other in others {
            add(&mut sum, self.kpp(king, piece, other.piece()).map(i32::from));
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

    fn kpp(&self, king: Square, one: Index, other: Index) -> Pair<i16> {
        (**self).kpp(king, one, other)
    }

    fn row(&self, king: Square, piece: Index, others: &[RowStart]) -> Pair<i32> {
        (**self).row(king, piece, others)
    }
}

/// Adds in place. A file may hold anything, so sums wrap instead of overflowing; with the values that any trained
/// evaluation has they are far from it.
pub fn add(sum: &mut Pair<i32>, more: Pair<i32>) {
    sum[0] = sum[0].wrapping_add(more[0]);
    sum[1] = sum[1].wrapping_add(more[1]);
}

/// Subtracts in place, wrapping like [`add`].
pub fn subtract(sum: &mut Pair<i32>, less: Pair<i32>) {
    sum[0] = sum[0].wrapping_sub(less[0]);
    sum[1] = sum[1].wrapping_sub(less[1]);
}
