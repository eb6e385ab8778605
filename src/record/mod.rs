//! Game records, in and out.
//!
//! One [`Record`] is read from and written to every format: CSA 2.2 and 3, KIF, KI2 and USI game lines. Every move is
//! checked against the rules while it is read, so a record that exists holds legal moves only; what a file has wrong
//! is reported with its line.
//!
//! What a format cannot say is left out when it is written: CSA and USI have no variations, KI2 and USI no thinking
//! times, CSA 2.2 and KIF no fractions of a second, CSA not the number of the first move, USI no headers, names or
//! comments and of the ending only who won.
//!
//! Positions to train an evaluation with have a binary form of their own, [`packed`].
//!
//! Japanese terms: *kifu* (棋譜) is a game record, *teai* (手合割) the handicap, *henka* (変化) a variation. A
//! position diagram inside a KIF or KI2 file is in the form known as BOD.

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
pub use encoding::Encoding;
pub use ending::{End, Ending};
pub use error::{Problem, ReadError, WriteError};
pub use format::{Format, UnknownFormat};
pub use game::{Header, MoveSequence, PlayedMove, Record, Variation};
pub use handicap::Handicap;

/// Reads every game of a file. The text itself decides which format it has; `hint` (see [`Format::of_path`]) counts
/// where it does not tell.
///
/// # Errors
/// When a line says what the format does not allow, or a move is not legal.
pub fn read(bytes: &[u8], hint: Option<Format>) -> Result<Vec<Record>, ReadError> {
    let (text, _) = codec::decode(bytes)?;
    read_text(&text, hint)
}

/// Reads every game of a text, as [`read`] does with a file.
///
/// # Errors
/// When a line says what the format does not allow, or a move is not legal.
pub fn read_text(text: &str, hint: Option<Format>) -> Result<Vec<Record>, ReadError> {
    match detect::format(text).or(hint) {
        Some(Format::Csa | Format::Csa3) => csa::read::read(text),
        Some(Format::Kif) => kif::read(text).map(|record| vec![record]),
        Some(Format::Ki2) => ki2::read(text).map(|record| vec![record]),
        Some(Format::Usi) => usi_line::read(text),
        None => Err(ReadError { line: 1, problem: Problem::UnknownFormat }),
    }
}

/// Reads what can be read of a file of many games: a USI line that is wrong does not keep the others from being read.
/// In other formats an error is the file's.
pub fn read_each(bytes: &[u8], hint: Option<Format>) -> Vec<Result<Record, ReadError>> {
    let whole = |games: Result<Vec<Record>, ReadError>| match games {
        Ok(games) => games.into_iter().map(Ok).collect(),
        Err(error) => vec![Err(error)],
    };
    let (text, undecoded) = match codec::decode(bytes) {
        Ok((text, _)) => (text, None),
        // What is wrong has marks in its place, so that its line is refused where it is no remark.
        Err(error) => (encoding::decode_lossy(bytes), Some(error)),
    };
    if detect::format(&text).or(hint) == Some(Format::Usi) {
        return usi_line::each(&text).collect();
    }
    whole(undecoded.map_or_else(|| read_text(&text, hint), Err))
}

/// Writes the games as one file.
///
/// Lines end with a line feed, in Shift_JIS with carriage return and line feed as the programs that want it do.
///
/// # Errors
/// When the format holds one game only and there are more or none, or the encoding lacks a character.
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
