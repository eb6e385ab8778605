//! The format of a book: its header, and how it writes positions and moves.

use std::fmt;

use crate::shogi::moves::Move;
use crate::shogi::position::Position;
use crate::shogi::sfen;

/// The first line of every book begins with this.
pub const HEADER: &str = "#YANEURAOU-DB2016";

/// Books up to this size, in bytes, are read into memory.
pub const MAX_IN_MEMORY: u64 = 32 << 20;

/// The position as a book writes it: SFEN without the move number.
pub(super) fn key(position: &Position) -> String {
    let mut text = sfen::write(position);
    text.truncate(text.rfind(' ').unwrap_or(text.len()));
    text
}

/// A move of a book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookMove {
    /// The move.
    pub mv: Move,
    /// The expected reply.
    pub reply: Option<Move>,
    /// The value for the side to move, in hundredths of a pawn.
    pub value: i32,
    /// The depth of the search behind the value; 0 if there was none.
    pub depth: u32,
    /// How often the move was played.
    pub count: u64,
}

impl BookMove {
    /// The weight of the move when one is chosen at random.
    pub(super) fn weight(&self) -> u64 {
        self.count.clamp(1, u64::from(u32::MAX))
    }
}

/// As in a line of a book.
impl fmt::Display for BookMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ", self.mv)?;
        match self.reply {
            Some(reply) => write!(f, "{reply}")?,
            None => f.write_str("none")?,
        }
        write!(f, " {} {} {}", self.value, self.depth, self.count)
    }
}
