//! The balance of material, the first games' evaluation.

use super::value::Value;
use crate::exchange::values::Values;
use crate::shogi::changes::Changes;
use crate::shogi::color::Color;
use crate::shogi::piece::{HandKind, Piece};
use crate::shogi::position::Position;
use crate::shogi::square::Square;

/// What the pieces count.
pub const VALUES: Values = Values::CUSTOMARY;

/// Black's material less White's, kept up to date by listening.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Material {
    balance: i32,
    /// What each side holds: a listener is told the new count only.
    hands: [[u8; HandKind::COUNT]; 2],
}

impl Material {
    /// The sum over the whole position.
    pub fn of(position: &Position) -> Material {
        let mut material = Material { balance: 0, hands: [[0; HandKind::COUNT]; 2] };
        for square in Square::all() {
            if let Some(piece) = position.piece_on(square) {
                material.board(piece, square, true);
            }
        }
        for color in Color::ALL {
            for kind in HandKind::ALL {
                material.hand(color, kind, position.hand(color).count(kind));
            }
        }
        material
    }

    /// For `side`.
    pub fn value(&self, side: Color) -> Value {
        Value::new(signed(side, self.balance))
    }
}

impl Changes for Material {
    fn board(&mut self, piece: Piece, _: Square, on: bool) {
        let value = signed(piece.color, VALUES.piece(piece.kind));
        self.balance += if on { value } else { -value };
    }

    fn hand(&mut self, color: Color, kind: HandKind, count: u8) {
        let held = &mut self.hands[color.index()][kind.index()];
        let more = i32::from(count) - i32::from(*held);
        *held = count;
        self.balance += signed(color, more * VALUES.piece(kind.piece_kind()));
    }
}

const fn signed(color: Color, value: i32) -> i32 {
    match color {
        Color::Black => value,
        Color::White => -value,
    }
}
