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
mod csa;
mod detect;
mod diagram;
pub mod encoding;
pub mod ending;
pub mod error;
pub mod handicap;
mod headers;
mod japanese;
mod ki2;
mod kif;
mod lines;
pub mod packed;
mod preamble;
mod replay;
mod summary;
mod usi_line;

use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

use crate::shogi::color::{Color, PerColor};
use crate::shogi::moves::Move;
use crate::shogi::position::{Position, Setup};
use crate::util::text::excerpt;
pub use builder::{Builder, IllegalMove, NoSuchMove};
pub use encoding::Encoding;
pub use ending::{End, Ending};
pub use error::{Problem, ReadError, WriteError};
pub use handicap::Handicap;

/// A game: where it started, who played, which moves, how it ended.
///
/// The moves are legal, one after the other, from a start that the rules allow: a [`Builder`] saw to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    start: Setup,
    players: PerColor<Option<String>>,
    headers: Vec<Header>,
    main: Line,
    variations: Vec<Variation>,
}

/// A piece of information about the game, such as the event.
///
/// Those that both CSA and KIF know have CSA's name here (`EVENT`, `SITE`, `START_TIME`), whichever file they came
/// from; any other keeps its own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    /// What is told.
    pub name: String,
    /// What it is.
    pub value: String,
}

/// Moves in succession, with the end they came to.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Line {
    /// Comments before the first move, one for each line of text.
    pub comments: Vec<String>,
    /// The moves.
    pub moves: Vec<Played>,
    /// How it ended, if the record says so.
    pub end: Option<End>,
}

/// A move of a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Played {
    /// The move.
    pub mv: Move,
    /// How long the player thought about it.
    pub time: Option<Duration>,
    /// Comments on it, one for each line of text.
    pub comments: Vec<String>,
}

/// Other moves than those played (henka), as KIF and KI2 files hold them.
///
/// The list is flat, in the order of the file, and each variation departs from the line before it: it replaces that
/// line's move number `ply` and all that follow, where a line is a variation together with the moves it left standing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variation {
    /// Which move it replaces, 1 for the first of the game.
    pub ply: usize,
    /// Its own moves.
    pub line: Line,
}

impl Record {
    /// The pieces at the start. Move numbers count from [`Setup::move_number`].
    pub const fn start(&self) -> &Setup {
        &self.start
    }

    /// The position at the start.
    pub fn start_position(&self) -> Position {
        Position::new(&self.start).expect("a builder accepted this start")
    }

    /// The position after the last move of the game, with the game before it.
    pub fn final_position(&self) -> Position {
        let mut position = self.start_position();
        for played in &self.main.moves {
            position.play(played.mv, &mut ());
        }
        position
    }

    /// The players' names.
    pub const fn players(&self) -> &PerColor<Option<String>> {
        &self.players
    }

    /// What else is told about the game, in the order of the file.
    pub fn headers(&self) -> &[Header] {
        &self.headers
    }

    /// The first header of this name.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|header| header.name == name).map(|header| header.value.as_str())
    }

    /// The game itself.
    pub const fn main(&self) -> &Line {
        &self.main
    }

    /// The moves of the game.
    pub fn moves(&self) -> impl ExactSizeIterator<Item = Move> + '_ {
        self.main.moves.iter().map(|played| played.mv)
    }

    /// The moves that might have been played instead.
    pub fn variations(&self) -> &[Variation] {
        &self.variations
    }

    /// How the game ended, if the record says so.
    pub fn ending(&self) -> Option<&Ending> {
        self.main.end.as_ref().map(|end| &end.ending)
    }

    /// Who won; `None` for a draw, a game without a result, and where the record does not say.
    pub fn winner(&self) -> Option<Color> {
        self.ending()?.winner(self.side_after(self.main.moves.len()))
    }

    /// Who moves after this many moves.
    fn side_after(&self, plies: usize) -> Color {
        if plies.is_multiple_of(2) { self.start.side } else { !self.start.side }
    }
}

/// A notation of whole games.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Format {
    /// CSA 2.2. Reading takes either version.
    Csa,
    /// CSA 3, which names its encoding and has times with a fraction.
    Csa3,
    /// KIF: a numbered move on each line, with the square it comes from.
    Kif,
    /// KI2: moves as people write them.
    Ki2,
    /// One game a line: `startpos moves 7g7f ...`, after the result (`b`, `w`, `d`, `?`) and a tab where there is one.
    Usi,
}

impl Format {
    /// Every format.
    pub const ALL: [Format; 5] = [Format::Csa, Format::Csa3, Format::Kif, Format::Ki2, Format::Usi];

    /// The name by which the command line knows it.
    pub const fn name(self) -> &'static str {
        match self {
            Format::Csa => "csa",
            Format::Csa3 => "csa3",
            Format::Kif => "kif",
            Format::Ki2 => "ki2",
            Format::Usi => "usi",
        }
    }

    /// Whether it can say what else might have been played.
    pub const fn has_variations(self) -> bool {
        matches!(self, Format::Kif | Format::Ki2)
    }

    /// The format that a file of this name should have.
    pub fn of_path(path: &Path) -> Option<Format> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        Some(match extension.as_str() {
            "csa" => Format::Csa,
            "kif" | "kifu" => Format::Kif,
            "ki2" | "ki2u" => Format::Ki2,
            "usi" | "sfen" => Format::Usi,
            _ => return None,
        })
    }
}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(text: &str) -> Result<Format, UnknownFormat> {
        let found = Format::ALL.into_iter().find(|format| format.name().eq_ignore_ascii_case(text));
        found.ok_or_else(|| UnknownFormat(excerpt(text)))
    }
}

/// No format has this name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownFormat(String);

impl std::fmt::Display for UnknownFormat {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "record format '{}': expected csa, csa3, kif, ki2 or usi", self.0)
    }
}

impl std::error::Error for UnknownFormat {}

/// Reads every game of a file. The text itself decides which format it has; `hint` (see [`Format::of_path`]) counts
/// where it does not tell.
///
/// # Errors
/// When a line says what the format does not allow, or a move is not legal.
pub fn read(bytes: &[u8], hint: Option<Format>) -> Result<Vec<Record>, ReadError> {
    let (text, _) = encoding::decode(bytes)?;
    read_text(&text, hint)
}

/// Reads every game of a text, as [`read`] does with a file.
///
/// # Errors
/// When a line says what the format does not allow, or a move is not legal.
pub fn read_text(text: &str, hint: Option<Format>) -> Result<Vec<Record>, ReadError> {
    match detect::format(text).or(hint) {
        Some(Format::Csa | Format::Csa3) => csa::read(text),
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
    let (text, undecoded) = match encoding::decode(bytes) {
        Ok((text, _)) => (text, None),
        // What is wrong has marks in its place, so that its line is refused where it is no remark.
        Err(error) => {
            (encoding::legible(bytes.strip_prefix(encoding::BYTE_ORDER_MARK).unwrap_or(bytes)), Some(error))
        }
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
    encoding.encode(&write_text(records, format, encoding)?)
}

fn write_text(records: &[Record], format: Format, encoding: Encoding) -> Result<String, WriteError> {
    let single = || match records {
        [record] => Ok(record),
        _ => Err(WriteError::GamesInFile { format, games: records.len() }),
    };
    Ok(match format {
        Format::Csa => csa::write(records, csa::Version::V2_2, encoding),
        Format::Csa3 => csa::write(records, csa::Version::V3, encoding),
        Format::Kif => kif::write(single()?),
        Format::Ki2 => ki2::write(single()?),
        Format::Usi => usi_line::write(records),
    })
}
