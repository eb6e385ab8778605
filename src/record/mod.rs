//! Reading and writing game records.
//!
//! A [`Record`] is read from and written to every format: CSA 2.2 and 3, KIF, KI2 and USI game lines. Every move is
//! checked against the rules while it is read, so a record holds legal moves only. An error in a file is reported with
//! its line.
//!
//! Writing leaves out what a format cannot express. CSA and USI have no variations; KI2 and USI have no thinking times;
//! CSA 2.2 and KIF have whole seconds only; CSA does not have the number of the first move; USI has no headers, names
//! and comments, and of the ending only the winner.
//!
//! [`packed`] is a binary format for positions to train on.
//!
//! Japanese terms: *kifu* (棋譜) is a game record, *teai* (手合割) the handicap, *henka* (変化) a variation. KIF and KI2
//! are the formats of the program Kakinoki Shogi; BOD is their form of a board diagram.

pub mod builder;
mod codec;
mod csa;
mod detect;
mod diagram;
pub mod encoding;
pub mod ending;
mod ending_words;
pub mod error;
pub mod format;
pub mod game;
mod game_reader;
pub mod handicap;
mod japanese;
mod kakinoki;
mod ki2;
mod kif;
pub mod packed;
mod usi_line;

pub use builder::{IllegalMove, NoSuchMove, RecordBuilder};
pub use csa::moves::{csa_move, parse_csa_move};
pub use csa::value_comment::{value_comment, value_of_comment};
pub use diagram::board_diagram;
pub use encoding::Encoding;
pub use ending::{End, Ending};
pub use error::{Problem, ReadError, WriteError};
pub use format::{Format, UnknownFormat};
pub use game::{Header, MoveSequence, PlayedMove, Record, Variation};
pub use handicap::Handicap;

use crate::shogi::moves::Move;
use crate::shogi::position::Position;
use crate::shogi::square::Square;

/// Reads every game of a file. The format is detected from the text; `hint` (see [`Format::of_path`]) decides if that
/// fails.
///
/// # Errors
/// When the format does not allow a line, or a move is not legal.
pub fn read(bytes: &[u8], hint: Option<Format>) -> Result<Vec<Record>, ReadError> {
    let (text, _) = codec::decode(bytes)?;
    read_text(&text, hint)
}

/// Like [`read`], for text.
///
/// # Errors
/// When the format does not allow a line, or a move is not legal.
pub fn read_text(text: &str, hint: Option<Format>) -> Result<Vec<Record>, ReadError> {
    match detect::format(text).or(hint) {
        Some(Format::Csa | Format::Csa3) => csa::read::read(text),
        Some(Format::Kif) => kif::read(text).map(|record| vec![record]),
        Some(Format::Ki2) => ki2::read(text).map(|record| vec![record]),
        Some(Format::Usi) => usi_line::read(text),
        None if text.trim().is_empty() => Err(ReadError { line: 1, problem: Problem::Empty }),
        None => Err(ReadError { line: 1, problem: Problem::UnknownFormat }),
    }
}

/// Like [`read`], but an error in one USI line does not stop the others from being read. In the other formats an error
/// still concerns the whole file.
pub fn read_each(bytes: &[u8], hint: Option<Format>) -> Vec<Result<Record, ReadError>> {
    let whole = |games: Result<Vec<Record>, ReadError>| match games {
        Ok(games) => games.into_iter().map(Ok).collect(),
        Err(error) => vec![Err(error)],
    };
    let (text, undecoded) = match codec::decode(bytes) {
        Ok((text, _)) => (text, None),
        // Replacement characters make their line invalid, unless it is a comment.
        Err(error) => (encoding::decode_lossy(bytes), Some(error)),
    };
    if detect::format(&text).or(hint) == Some(Format::Usi) {
        return usi_line::read_each(&text).collect();
    }
    whole(undecoded.map_or_else(|| read_text(&text, hint), Err))
}

/// The position of a mate problem: where the first game of a CSA, KIF or KI2 file begins, or the diagram of a BOD file, which
/// is what these files have before their moves. Two pawns of a side may stand on one file. The moves are not read.
///
/// `None` where the bytes are of no such form.
///
/// # Errors
/// When the form does not allow a line before the moves, or the rules do not allow the position.
pub fn read_problem(bytes: &[u8], hint: Option<Format>) -> Option<Result<Position, ReadError>> {
    let (text, _) = match codec::decode(bytes) {
        Ok(decoded) => decoded,
        Err(error) => return Some(Err(error)),
    };
    let start = match detect::format(&text).or(hint)? {
        Format::Csa | Format::Csa3 => csa::read::read_start(&text),
        Format::Kif | Format::Ki2 => kakinoki::read_start(&text),
        Format::Usi => return None,
    };
    Some(start.and_then(|(line, setup)| {
        Position::of_problem(&setup)
            .map_err(|invalid| ReadError { line, problem: Problem::Position(invalid) })
    }))
}

/// A legal move in the words of KI2, with the mark of the side: `▲７六歩`. `last_to` is where the move before it went.
pub fn words(position: &Position, mv: Move, last_to: Option<Square>) -> String {
    ki2::words::write(position, mv, last_to)
}

/// Writes the games as one file.
///
/// Lines end with a line feed; in Shift_JIS with carriage return and line feed, as the programs that use it expect.
///
/// # Errors
/// When the format holds exactly one game and there are more or none, or when the encoding lacks a character.
pub fn write(records: &[Record], format: Format, encoding: Encoding) -> Result<Vec<u8>, WriteError> {
    codec::encode(&write_text(records, format, encoding)?, encoding)
}

fn write_text(records: &[Record], format: Format, encoding: Encoding) -> Result<String, WriteError> {
    let single = || match records {
        [record] => Ok(record),
        _ => Err(WriteError::GamesInFile { format, games: records.len() }),
    };
    Ok(match format {
        Format::Csa => csa::write::write(records, csa::write::Version::V2_2, encoding),
        Format::Csa3 => csa::write::write(records, csa::write::Version::V3, encoding),
        Format::Kif => kif::write(single()?),
        Format::Ki2 => ki2::write(single()?),
        Format::Usi => usi_line::write(records),
    })
}
