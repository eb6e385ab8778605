//! Hash keys (Zobrist 1970). Each piece on each square has a random word, and so has the side to move; they are combined
//! by exclusive or. Each kind of piece in hand has one too, added as often as the piece is held.

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
    /// By colour and kind, for each piece in hand.
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

/// The key of `piece` on `square`.
pub fn board(piece: Piece, square: Square) -> Key {
    TABLES.board[piece.index()][square.index()]
}

/// The key of one piece of `kind` in `color`'s hand. The key of a hand is a sum, not an exclusive or, because a hand may
/// hold several pieces of a kind.
pub fn hand(color: Color, kind: HandKind) -> Key {
    TABLES.hand[color.index()][kind.index()]
}

/// The key of White being the side to move; every move toggles it.
pub fn side() -> Key {
    TABLES.white_to_move
}
