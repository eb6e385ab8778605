//! Hash keys (Zobrist 1970): one random word for each thing that can be so or not, combined by exclusive or;
//! and one for each kind of piece in hand, added as often as it is held.

use super::color::Color;
use super::piece::{HandKind, Piece};
use super::square::Square;

/// A 64-bit hash of a position or of a part of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Key(pub u64);

impl std::ops::BitXor for Key {
    type Output = Key;

    fn bitxor(self, other: Key) -> Key {
        Key(self.0 ^ other.0)
    }
}

impl std::ops::BitXorAssign for Key {
    fn bitxor_assign(&mut self, other: Key) {
        self.0 ^= other.0;
    }
}

impl std::ops::AddAssign for Key {
    fn add_assign(&mut self, other: Key) {
        self.0 = self.0.wrapping_add(other.0);
    }
}

impl std::ops::SubAssign for Key {
    fn sub_assign(&mut self, other: Key) {
        self.0 = self.0.wrapping_sub(other.0);
    }
}

/// SplitMix64 (Steele, Lea and Flood 2014).
const fn next(state: u64) -> (u64, Key) {
    let state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    (state, Key(z ^ (z >> 31)))
}

struct Tables {
    board: [[Key; Square::COUNT]; Piece::COUNT],
    /// By colour and kind, for each piece held.
    hand: [[Key; HandKind::COUNT]; 2],
    white_to_move: Key,
}

static TABLES: Tables = {
    let mut tables = Tables {
        board: [[Key(0); Square::COUNT]; Piece::COUNT],
        hand: [[Key(0); HandKind::COUNT]; 2],
        white_to_move: Key(0),
    };
    let mut state = 0x5368_6F67_6900_0000;
    let mut piece = 0;
    while piece < Piece::COUNT {
        let mut square = 0;
        while square < Square::COUNT {
            (state, tables.board[piece][square]) = next(state);
            square += 1;
        }
        piece += 1;
    }
    let mut field = 0;
    while field < 2 * HandKind::COUNT {
        (state, tables.hand[field / HandKind::COUNT][field % HandKind::COUNT]) = next(state);
        field += 1;
    }
    (_, tables.white_to_move) = next(state);
    tables
};

/// Changes whenever `piece` is put on `square` or lifted from it.
pub fn board(piece: Piece, square: Square) -> Key {
    TABLES.board[piece.index()][square.index()]
}

/// Added for each piece of `kind` that `color` holds, and taken away again: a hand's key is a sum, not an exclusive or,
/// because the same thing can be there several times.
pub fn hand(color: Color, kind: HandKind) -> Key {
    TABLES.hand[color.index()][kind.index()]
}

/// Changes with every move.
pub fn side() -> Key {
    TABLES.white_to_move
}
