//! A training position, and its 40 bytes.

use std::fmt;

use super::error::PackedError;
use super::{moves, position};
use crate::shogi::color::Color;
use crate::shogi::moves::Move;
use crate::shogi::position::Position;

/// The bytes of one record.
pub const BYTES: usize = 40;

const SCORE: usize = 32;
const MOVE: usize = 34;
const PLY: usize = 36;
const RESULT: usize = 38;

/// A record as in a file, unchecked.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Packed(pub [u8; BYTES]);

/// The checked content of a record.
#[derive(Clone, Debug)]
pub struct TrainingPosition {
    /// The position, without history. Its move number is that of the record.
    pub position: Position,
    /// The score of a search for the side to move, in units (a pawn is 90). Mate scores depend on the program that
    /// wrote the file.
    pub score: i16,
    /// The best move, or the move played. If there is one, it is legal.
    pub best: Option<Move>,
    /// The result of the game for the side to move.
    pub result: Outcome,
}

/// The result of a game for one side.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Outcome {
    /// Lost.
    Loss,
    /// Drawn.
    Draw,
    /// Won.
    Win,
}

impl Outcome {
    /// Every outcome, the worst first.
    pub const ALL: [Outcome; 3] = [Outcome::Loss, Outcome::Draw, Outcome::Win];

    /// The outcome for `side` of a game that `winner` won; a draw without a winner.
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
    /// The record. A move number over 65,535 is written as 65,535.
    ///
    /// # Errors
    /// [`PackedError::NoKing`]: the format cannot express a missing king.
    pub fn pack(&self) -> Result<Packed, PackedError> {
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
    /// The content of the record. It checks that the rules allow the position and that the move is legal.
    ///
    /// # Errors
    /// See [`PackedError`].
    pub fn unpack(&self) -> Result<TrainingPosition, PackedError> {
        let mut setup = position::unpack(self.position())?;
        setup.move_number = u32::from(self.ply()).max(1);
        let position = Position::new(&setup).map_err(PackedError::Invalid)?;
        let best = moves::unpack(self.word(MOVE))?;
        if let Some(mv) = best.filter(|&mv| !position.is_legal(mv)) {
            return Err(PackedError::IllegalMove(mv));
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

    /// The number of the next move.
    pub const fn ply(&self) -> u16 {
        self.word(PLY)
    }

    /// The result of the game for the side to move.
    ///
    /// # Errors
    /// [`PackedError::Result`].
    pub fn result(&self) -> Result<Outcome, PackedError> {
        let sign = self.0[RESULT] as i8;
        Outcome::of_sign(sign).ok_or(PackedError::Result(sign))
    }

    /// The same record with this result.
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
