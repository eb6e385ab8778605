//! What can be wrong with a record file.

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
    /// What is wrong there.
    pub problem: Problem,
}

/// What is wrong with a line of a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Problem {
    /// Text that the format does not allow here.
    Unexpected {
        /// The text, cut to a readable length.
        found: String,
        /// What may stand there.
        expected: &'static str,
    },
    /// A move that the rules forbid.
    IllegalMove {
        /// The move as the file has it.
        found: String,
        /// How it was understood.
        mv: Move,
        /// The position it was to be played in, as SFEN.
        sfen: String,
    },
    /// A move that names another piece than the one it moves.
    WrongPiece {
        /// The move as the file has it.
        found: String,
        /// Where the piece should be.
        from: Square,
        /// What is there.
        piece: Option<Piece>,
    },
    /// A move in words that fit several.
    Ambiguous {
        /// The move as the file has it.
        found: String,
        /// Every move that fits.
        moves: Vec<Move>,
    },
    /// The start is no position of a game.
    Position(InvalidPosition),
    /// The start is no SFEN.
    Sfen(SfenError),
    /// The bytes are not in the encoding that the file names, or in none that we know.
    Encoding(Option<Encoding>),
    /// Nothing tells which format this is.
    UnknownFormat,
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
                write!(f, "not in {encoding}, the encoding that the file names: expected what it says")
            }
            Problem::Encoding(None) => f.write_str("neither UTF-8 nor Shift_JIS: expected one of them"),
            Problem::UnknownFormat => {
                f.write_str("not a game record that we know: expected CSA, KIF, KI2 or USI game lines")
            }
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
    /// A file of this format holds exactly one game.
    GamesInFile {
        /// The format.
        format: Format,
        /// How many games there were to write.
        games: usize,
    },
    /// The encoding lacks a character.
    Unmappable {
        /// The character.
        character: char,
        /// The line it would have been on, 1 for the first.
        line: usize,
        /// The encoding.
        encoding: Encoding,
    },
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WriteError::GamesInFile { format, games } => {
                write!(f, "{games} games for one file: expected one, as {} holds no more", format.name())
            }
            WriteError::Unmappable { character, line, encoding } => {
                write!(
                    f,
                    "line {line}: '{character}' (U+{:04X}) is not in {encoding}: expected UTF-8 to be chosen",
                    *character as u32
                )
            }
        }
    }
}

impl std::error::Error for WriteError {}
