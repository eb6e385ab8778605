//! The balance of material, the first games' evaluation.

use super::value::Value;
use crate::shogi::changes::Changes;
use crate::shogi::color::Color;
use crate::shogi::piece::{HandKind, Piece, PieceKind};
use crate::shogi::position::Position;
use crate::shogi::square::Square;

/// What a piece on the board is worth, in hundredths of about a pawn: the field's customary values.
pub const fn piece_value(kind: PieceKind) -> i32 {
    match kind {
        PieceKind::Pawn => 90,
        PieceKind::Lance => 315,
        PieceKind::Knight => 405,
        PieceKind::Silver => 495,
        PieceKind::Gold
        | PieceKind::ProPawn
        | PieceKind::ProLance
        | PieceKind::ProKnight
        | PieceKind::ProSilver => 540,
        PieceKind::Bishop => 855,
        PieceKind::Rook => 990,
        PieceKind::Horse => 945,
        PieceKind::Dragon => 1395,
        PieceKind::King => 0,
    }
}

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
        let value = signed(piece.color, piece_value(piece.kind));
        self.balance += if on { value } else { -value };
    }

    fn hand(&mut self, color: Color, kind: HandKind, count: u8) {
        let held = &mut self.hands[color.index()][kind.index()];
        let more = i32::from(count) - i32::from(*held);
        *held = count;
        self.balance += signed(color, more * piece_value(kind.piece_kind()));
    }
}

const fn signed(color: Color, value: i32) -> i32 {
    match color {
        Color::Black => value,
        Color::White => -value,
    }
}
