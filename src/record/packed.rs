//! Training positions in the field's packed form, 40 bytes each (PackedSfenValue, `.psv` or `.bin` files).
//!
//! | bytes | what |
//! |---|---|
//! | 0–31 | the position, Huffman coded: see [`position`] |
//! | 32–33 | the score of a search, for the side to move, signed |
//! | 34–35 | the move that was best or played: see [`moves`]; 0 for none |
//! | 36–37 | the number of the move to come, as in SFEN |
//! | 38 | how the game ended for the side to move: 1 won, 0 drawn, −1 lost |
//! | 39 | nothing |
//!
//! Numbers are little endian. A file is such records and nothing else: no header, no checksum, no end.

mod bits;
mod file;
pub mod moves;
pub mod position;
pub mod runs;

use std::fmt;

use crate::shogi::color::Color;
use crate::shogi::moves::Move;
use crate::shogi::piece::HandKind;
use crate::shogi::position::{Invalid, Position};
use crate::shogi::square::Square;
pub use file::{FileError, Reader, Summary, Writer, read_file};

/// The bytes of one record.
pub const BYTES: usize = 40;

const SCORE: usize = 32;
const MOVE: usize = 34;
const PLY: usize = 36;
const RESULT: usize = 38;

/// A record as it lies in a file, not looked at yet.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Packed(pub [u8; BYTES]);

/// What a record says.
#[derive(Clone, Debug)]
pub struct TrainingPosition {
    /// The position, with no game before it. Its move number is the record's.
    pub position: Position,
    /// What a search gave for the side to move, about hundredths of a pawn; mates as the writer has them.
    pub score: i16,
    /// The best move, or the one played; legal where there is one.
    pub best: Option<Move>,
    /// How the game ended for the side to move.
    pub result: Outcome,
}

/// How a game ended for one side.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Outcome {
    /// Lost.
    Loss,
    /// Neither.
    Draw,
    /// Won.
    Win,
}

impl Outcome {
    /// Every outcome, the worst first.
    pub const ALL: [Outcome; 3] = [Outcome::Loss, Outcome::Draw, Outcome::Win];

    /// The outcome for `side` of a game that `winner` won, or nobody.
    pub fn of(side: Color, winner: Option<Color>) -> Outcome {
        match winner {
            None => Outcome::Draw,
            Some(winner) if winner == side => Outcome::Win,
            Some(_) => Outcome::Loss,
        }
    }

    /// −1, 0 or 1.
    pub const fn sign(self) -> i8 {
        self as i8 - 1
    }

    const fn of_sign(sign: i8) -> Option<Outcome> {
        Some(match sign {
            -1 => Outcome::Loss,
            0 => Outcome::Draw,
            1 => Outcome::Win,
            _ => return None,
        })
    }
}

impl TrainingPosition {
    /// The record. A move number beyond 65,535 becomes that.
    ///
    /// # Errors
    /// [`Fault::NoKing`] where a king is missing: the form has no room for one square more.
    pub fn pack(&self) -> Result<Packed, Fault> {
        let mut bytes = [0; BYTES];
        bytes[..SCORE].copy_from_slice(&position::pack(&self.position)?);
        let ply = u16::try_from(self.position.move_number()).unwrap_or(u16::MAX);
        for (at, word) in [(SCORE, self.score as u16), (MOVE, moves::pack(self.best)), (PLY, ply)] {
            bytes[at..at + 2].copy_from_slice(&word.to_le_bytes());
        }
        bytes[RESULT] = self.result.sign() as u8;
        Ok(Packed(bytes))
    }
}

impl Packed {
    /// What the record says, checked: the rules allow the position, and the move in it.
    ///
    /// # Errors
    /// See [`Fault`].
    pub fn unpack(&self) -> Result<TrainingPosition, Fault> {
        let mut setup = position::unpack(self.position())?;
        setup.move_number = u32::from(self.ply()).max(1);
        let position = Position::new(&setup).map_err(Fault::Invalid)?;
        let best = moves::unpack(self.word(MOVE))?;
        if let Some(mv) = best.filter(|&mv| !position.is_legal(mv)) {
            return Err(Fault::IllegalMove(mv));
        }
        Ok(TrainingPosition { position, score: self.score(), best, result: self.result()? })
    }

    /// The coded position.
    pub fn position(&self) -> &[u8; position::BYTES] {
        self.0.first_chunk().expect("a record begins with the position")
    }

    /// The score for the side to move.
    pub const fn score(&self) -> i16 {
        self.word(SCORE) as i16
    }

    /// The number of the move to come, as it is written.
    pub const fn ply(&self) -> u16 {
        self.word(PLY)
    }

    /// How the game ended for the side to move.
    ///
    /// # Errors
    /// [`Fault::Result`].
    pub fn result(&self) -> Result<Outcome, Fault> {
        let sign = self.0[RESULT] as i8;
        Outcome::of_sign(sign).ok_or(Fault::Result(sign))
    }

    /// The same with this result.
    #[must_use]
    pub const fn with_result(mut self, result: Outcome) -> Packed {
        self.0[RESULT] = result.sign() as u8;
        self
    }

    const fn word(&self, at: usize) -> u16 {
        u16::from_le_bytes([self.0[at], self.0[at + 1]])
    }
}

impl fmt::Debug for Packed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// Why a record is none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
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
    Invalid(Invalid),
    /// No form of a move.
    Move(u16),
    /// A move that cannot be played.
    IllegalMove(Move),
    /// Not 1, 0 or −1.
    Result(i8),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Kings([black, white]) => {
                let last = Square::COUNT - 1;
                write!(f, "kings on squares {black} and {white}: expected two of 0 to {last}")
            }
            Fault::NoKing(color) => write!(f, "{color:?} has no king: expected both"),
            Fault::Unfinished => f.write_str("a piece's code goes on: expected its end within 256 bits"),
            Fault::Code(kind) => write!(f, "a {kind:?} of White's that takes no part: expected none"),
            Fault::Incomplete(kind, found) => {
                write!(f, "{found} pieces of kind {kind:?}: expected {}", kind.in_set())
            }
            Fault::Invalid(invalid) => invalid.fmt(f),
            Fault::Move(word) => write!(f, "move {word:#06x}: expected squares under 81 or a drop"),
            Fault::IllegalMove(mv) => write!(f, "move {mv}: expected a legal one"),
            Fault::Result(sign) => write!(f, "result {sign}: expected 1, 0 or -1"),
        }
    }
}

impl std::error::Error for Fault {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Fault::Invalid(invalid) => Some(invalid),
            _ => None,
        }
    }
}
