//! What can be wrong with a packed training position.

use std::fmt;

use crate::shogi::color::Color;
use crate::shogi::moves::Move;
use crate::shogi::piece::HandKind;
use crate::shogi::setup::InvalidPosition;
use crate::shogi::square::Square;

/// Why a record is none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PackedError {
    /// A king's square is no square, or both kings have the same.
    Kings([u8; 2]),
    /// A king is missing in a position that was to be written.
    NoKing(Color),
    /// The code of a piece goes on beyond the last bit.
    Unfinished,
    /// A code that stands for nothing: a piece of this kind that takes no part in the game, but belongs to White.
    Code(HandKind),
    /// So many pieces of a kind, those that take no part included: not a full set.
    Incomplete(HandKind, usize),
    /// No position of a game.
    Invalid(InvalidPosition),
    /// No form of a move.
    Move(u16),
    /// A move that cannot be played.
    IllegalMove(Move),
    /// Not 1, 0 or −1.
    Result(i8),
}

impl fmt::Display for PackedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PackedError::Kings([black, white]) => {
                let last = Square::COUNT - 1;
                write!(f, "kings on squares {black} and {white}: expected two of 0 to {last}")
            }
            PackedError::NoKing(color) => write!(f, "{color:?} has no king: expected both"),
            PackedError::Unfinished => {
                f.write_str("a piece's code goes on: expected its end within 256 bits")
            }
            PackedError::Code(kind) => write!(f, "a {kind:?} of White's that takes no part: expected none"),
            PackedError::Incomplete(kind, found) => {
                write!(f, "{found} pieces of kind {kind:?}: expected {}", kind.in_set())
            }
            PackedError::Invalid(invalid) => invalid.fmt(f),
            PackedError::Move(word) => write!(f, "move {word:#06x}: expected squares under 81 or a drop"),
            PackedError::IllegalMove(mv) => write!(f, "move {mv}: expected a legal one"),
            PackedError::Result(sign) => write!(f, "result {sign}: expected 1, 0 or -1"),
        }
    }
}

impl std::error::Error for PackedError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            PackedError::Invalid(invalid) => Some(invalid),
            _ => None,
        }
    }
}
