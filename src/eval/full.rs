//! The evaluation as the direct sum over all its terms: the slow twin of the accumulator.

use arrayvec::ArrayVec;

use super::index::{Index, MAX_PIECES};
use super::material;
use super::table::{Pair, SCALE, Table, add};
use crate::shogi::color::{Color, PerColor};
use crate::shogi::piece::HandKind;
use crate::shogi::position::Position;
use crate::shogi::square::Square;

/// The parts of a position's evaluation.
///
/// All but `material` are sums of table entries, in 1/32 of a unit, with the component for the turn second.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Parts {
    /// Black's pieces less White's, in units.
    pub material: i32,
    /// The two kings, as Black sees them.
    pub kk: Pair<i32>,
    /// Both kings with each piece, as Black sees them.
    pub kkp: Pair<i32>,
    /// Each king with each pair of pieces, as its side sees them.
    pub kpp: PerColor<Pair<i32>>,
}

impl Parts {
    /// The advantage of Black that does not depend on the turn, in 1/32 of a unit.
    pub fn board(&self) -> i32 {
        (self.material * SCALE)
            .wrapping_add(self.kk[0])
            .wrapping_add(self.kkp[0])
            .wrapping_add(self.kpp.0[0][0])
            .wrapping_sub(self.kpp.0[1][0])
    }

    /// The advantage of the side to move, in 1/32 of a unit: the sum of all second components.
    pub fn turn(&self) -> i32 {
        self.kk[1].wrapping_add(self.kkp[1]).wrapping_add(self.kpp.0[0][1]).wrapping_add(self.kpp.0[1][1])
    }

    /// The score for `side`, which is to move: one division, toward zero.
    pub fn value(&self, side: Color) -> i32 {
        let board = match side {
            Color::Black => self.board(),
            Color::White => self.board().wrapping_neg(),
        };
        board.wrapping_add(self.turn()) / SCALE
    }
}

/// The pieces other than kings as `view` sees them: those on the board by square, then the hands.
pub fn pieces(position: &Position, view: Color) -> ArrayVec<Index, MAX_PIECES> {
    let mut list = ArrayVec::new();
    for square in Square::all() {
        let piece = position.piece_on(square);
        list.extend(piece.and_then(|piece| Index::board(view, piece, square)));
    }
    for holder in Color::ALL {
        for kind in HandKind::ALL {
            let count = position.hand(holder).count(kind);
            list.extend((1..=count).map(|nth| Index::hand(view, holder, kind, nth)));
        }
    }
    list
}

/// Sums everything. Without one of the kings only the material counts.
///
/// The pair of kings, each piece with both kings and each pair of pieces with each king count once. White's king sees
/// the board rotated, with colours exchanged.
pub fn parts<T: Table + ?Sized>(table: &T, position: &Position) -> Parts {
    let mut parts = Parts { material: material::balance(position), ..Parts::default() };
    let (Some(black), Some(white)) = (position.king(Color::Black), position.king(Color::White)) else {
        return parts;
    };
    parts.kk = table.kk(black, white);
    for (view, king) in [(Color::Black, black), (Color::White, white.rotated())] {
        let list = pieces(position, view);
        for (place, &one) in list.iter().enumerate() {
            if view == Color::Black {
                add(&mut parts.kkp, table.kkp(black, white, one));
            }
            for &other in &list[..place] {
                add(&mut parts.kpp[view], table.kpp(king, one, other).map(i32::from));
            }
        }
    }
    parts
}

/// The score for the side to move, by the direct sum.
pub fn value<T: Table + ?Sized>(table: &T, position: &Position) -> i32 {
    parts(table, position).value(position.side())
}
