//! What can be wrong with a packed training position.

use std::fmt;

use crate::shogi::color::Color;
use crate::shogi::moves::Move;
use crate::shogi::piece::HandKind;
use crate::shogi::setup::InvalidPosition;
use crate::shogi::square::Square;

/// What is wrong with a packed training position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PackedError {
    /// The square of a king is out of range, or both kings have the same square.
    Kings([u8; 2]),
    /// The position to be written lacks a king.
    NoKing(Color),
    /// The code of a piece is cut off by the end of the bits.
    Unfinished,
    /// An invalid code: an unused piece of this kind that belongs to White.
    Code(HandKind),
    /// The pieces of a kind, unused ones included, are not a full set but so many.
    Incomplete(HandKind, usize),
    /// The rules do not allow the position.
    Invalid(InvalidPosition),
    /// The word does not have the form of a move.
    Move(u16),
    /// The move is illegal.
    IllegalMove(Move),
    /// The result is not 1, 0 or −1.
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
                f.write_str("the code of a piece is cut off: expected its end within 256 bits")
            }
            PackedError::Code(kind) => {
                write!(f, "White has an unused {kind:?}: expected unused pieces to be Black's")
            }
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
