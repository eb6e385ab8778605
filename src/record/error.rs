//! Errors of reading and writing records.

use std::fmt;

use super::encoding::Encoding;
use super::format::Format;
use crate::shogi::moves::Move;
use crate::shogi::piece::Piece;
use crate::shogi::setup::InvalidPosition;
use crate::shogi::sfen::SfenError;
use crate::shogi::square::Square;
use crate::util::text::excerpt;

/// Why a record could not be read, and on which line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadError {
    /// The line, 1 for the first.
    pub line: usize,
    /// What is wrong with it.
    pub problem: Problem,
}

/// What is wrong with a line of a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Problem {
    /// The format does not allow this text.
    Unexpected {
        /// The text, cut to a readable length.
        found: String,
        /// What the format expects there.
        expected: &'static str,
    },
    /// An illegal move.
    IllegalMove {
        /// The move as written in the file.
        found: String,
        /// The move as it was read.
        mv: Move,
        /// The position before the move, as SFEN.
        sfen: String,
    },
    /// A move that names another piece than the one on its origin.
    WrongPiece {
        /// The move as written in the file.
        found: String,
        /// The origin.
        from: Square,
        /// The piece on it.
        piece: Option<Piece>,
    },
    /// The words of a move fit several moves.
    Ambiguous {
        /// The move as written in the file.
        found: String,
        /// Every move that fits.
        moves: Vec<Move>,
    },
    /// The rules do not allow the start position.
    Position(InvalidPosition),
    /// The start position is no valid SFEN.
    Sfen(SfenError),
    /// The bytes are not in the encoding that the file names, or in no known encoding.
    Encoding(Option<Encoding>),
    /// The format could not be detected.
    UnknownFormat,
    /// There is no text.
    Empty,
}

impl ReadError {
    pub(super) fn unexpected(line: usize, found: &str, expected: &'static str) -> ReadError {
        ReadError { line, problem: Problem::Unexpected { found: excerpt(found), expected } }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.problem)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Unexpected { found, expected } => write!(f, "'{found}': expected {expected}"),
            Problem::IllegalMove { found, mv, sfen } => {
                write!(f, "'{found}' ({mv}): expected a legal move in {sfen}")
            }
            Problem::WrongPiece { found, from, piece: Some(Piece { color, kind }) } => {
                write!(f, "'{found}': expected a move of {color:?}'s {kind:?}, which is on {from}")
            }
            Problem::WrongPiece { found, from, piece: None } => {
                write!(f, "'{found}': expected a piece on {from}")
            }
            Problem::Ambiguous { found, moves } => {
                write!(f, "'{found}' may be any of {moves:?}: expected one move")
            }
            Problem::Position(invalid) => write!(f, "start position: {invalid}"),
            Problem::Sfen(error) => write!(f, "start position: {error}"),
            Problem::Encoding(Some(encoding)) => {
                write!(f, "invalid bytes for {encoding}, the encoding that the file names")
            }
            Problem::Encoding(None) => f.write_str("invalid bytes: expected UTF-8 or Shift_JIS"),
            Problem::Empty => f.write_str("the file is empty: expected CSA, KIF, KI2 or USI game lines"),
            Problem::UnknownFormat => f.write_str("unknown format: expected CSA, KIF, KI2 or USI game lines"),
        }
    }
}

impl std::error::Error for ReadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.problem {
            Problem::Position(invalid) => Some(invalid),
            Problem::Sfen(error) => Some(error),
            _ => None,
        }
    }
}

/// Why games could not be written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WriteError {
    /// A file of this format holds exactly one game, but there are more or none.
    GamesInFile {
        /// The format.
        format: Format,
        /// The number of games.
        games: usize,
    },
    /// The encoding lacks a character.
    Unmappable {
        /// The character.
        character: char,
        /// Its line, 1 for the first.
        line: usize,
        /// The encoding.
        encoding: Encoding,
    },
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WriteError::GamesInFile { format, games } => {
                write!(f, "{games} games: expected one, as a {} file holds no more", format.name())
            }
            WriteError::Unmappable { character, line, encoding } => {
                write!(
                    f,
                    "line {line}: {encoding} has no character '{character}' (U+{:04X}): choose UTF-8",
                    *character as u32
                )
            }
        }
    }
}

impl std::error::Error for WriteError {}
