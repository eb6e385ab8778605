//! The format of a book: its header, how positions and moves are written and read, and what can be wrong with them.

use std::collections::HashMap;
use std::fmt;
use std::io::{self, Write};
use std::path::PathBuf;

use super::book_move::{BookMove, Results};
use crate::shogi::moves::Move;
use crate::shogi::position::Position;
use crate::shogi::sfen;
use crate::util::text::{excerpt, strip_bom};

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

/// A line of a book.
pub(super) enum BookLine<'a> {
    /// A position without its move number, and that number, if it is stated.
    Position(&'a str, Option<u32>),
    Move(BookMove),
    /// The results of the last move's games: where another program has written a remark into a line of its own.
    Results(Results),
    /// A blank line, or a comment.
    Empty,
}

/// A move, and the move number of the position that it was found below.
pub(super) type NumberedMove = (Option<u32>, BookMove);

/// Checks the first line.
pub(super) fn check_header(line: &[u8]) -> Result<(), Problem> {
    let text = String::from_utf8_lossy(strip_bom(line).unwrap_or(line));
    let text = text.trim();
    if text.starts_with(HEADER) { Ok(()) } else { Err(Problem::Header(excerpt(text))) }
}

/// Reads a line.
pub(super) fn parse(line: &[u8], place: Place) -> Result<BookLine<'_>, Problem> {
    let wrong = |found: &str, expected: &str| Problem::Line {
        place,
        found: excerpt(found),
        expected: expected.to_string(),
    };
    let line = strip_bom(line).unwrap_or(line);
    let Ok(text) = std::str::from_utf8(line) else {
        return Err(wrong(&String::from_utf8_lossy(line), "text"));
    };
    let text = text.trim();
    if let Some(remark) = text.strip_prefix('#') {
        return Ok(Results::parse(remark).map_or(BookLine::Empty, BookLine::Results));
    }
    if text.is_empty() || text.starts_with("//") {
        return Ok(BookLine::Empty);
    }
    if let Some(position) = text.strip_prefix("sfen ") {
        let position = position.trim();
        let (without_number, number) = match position.rsplit_once(' ') {
            Some((before, number)) if number.bytes().all(|b| b.is_ascii_digit()) => {
                // Some programs write 0 where they do not know it.
                (before.trim_end(), number.parse().ok().filter(|&number| number > 0))
            }
            _ => (position, None),
        };
        if without_number.split(' ').count() != 3 {
            return Err(wrong(position, "board, side to move, hands and move number"));
        }
        return Ok(BookLine::Position(without_number, number));
    }
    let (text, remark) = text.split_once('#').unwrap_or((text, ""));
    let mut words = text.split_whitespace();
    let mv = words.next().unwrap_or_default();
    let Ok(mv) = mv.parse::<Move>() else { return Err(wrong(mv, "'sfen', or a move as 7g7f or P*5e")) };
    // Other words than moves (none, resign, win) mean that there is no reply.
    let reply = words.next().and_then(|word| word.parse().ok());
    let mut number = |name: &str, missing: i64| match words.next() {
        // ShogiHome writes `none` for what it does not know.
        None | Some("none") => Ok(missing),
        Some(word) => word.parse().map_err(|_| wrong(word, &format!("a whole number, the {name}"))),
    };
    let value = number("value", 0)?.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32;
    let depth = number("depth", 0)?.clamp(0, i64::from(u32::MAX)) as u32;
    let count = number("count", 1)?.max(0).unsigned_abs();
    let results = Results::parse(remark).unwrap_or_default();
    Ok(BookLine::Move(BookMove { mv, reply, value, depth, count, results }))
}

/// The moves of a position, of all its numbers or of the one that is asked for. The same position may be there with
/// several move numbers; the counts of its moves are added up.
pub(super) fn merged(found: &[NumberedMove], number: Option<u32>) -> Vec<BookMove> {
    let mut moves: Vec<BookMove> = Vec::new();
    for &(stated, entry) in found {
        if number.is_some() && stated.is_some() && stated != number {
            continue;
        }
        match moves.iter_mut().find(|known| known.mv == entry.mv) {
            Some(known) => {
                known.count = known.count.saturating_add(entry.count);
                known.results.add(entry.results);
            }
            None => moves.push(entry),
        }
    }
    moves
}

/// Reads a whole book: the moves of each position in the order of the file.
pub(super) fn read(bytes: &[u8]) -> Result<HashMap<String, Vec<NumberedMove>>, Problem> {
    let mut lines = bytes.split(|&b| b == b'\n');
    check_header(lines.next().unwrap_or_default())?;
    let mut positions: HashMap<String, Vec<NumberedMove>> = HashMap::new();
    let mut current: Option<(Option<u32>, &mut Vec<NumberedMove>)> = None;
    for (number, line) in (2..).zip(lines) {
        let place = Place::Line(number);
        match parse(line, place)? {
            BookLine::Empty => {}
            BookLine::Position(text, number) => {
                let position = sfen::parse(text).map_err(|error| Problem::Line {
                    place,
                    found: error.to_string(),
                    expected: "a position".to_string(),
                })?;
                current = Some((number, positions.entry(key(&position)).or_default()));
            }
            BookLine::Move(mv) => match &mut current {
                Some((number, moves)) => moves.push((*number, mv)),
                None => {
                    return Err(Problem::Line {
                        place,
                        found: excerpt(&mv.to_string()),
                        expected: "a position before its moves".to_string(),
                    });
                }
            },
            BookLine::Results(results) => {
                if let Some((_, entry)) = current.as_mut().and_then(|(_, moves)| moves.last_mut()) {
                    entry.results = results;
                }
            }
        }
    }
    Ok(positions)
}

/// Writes a book: positions with the numbers of their moves, sorted by their keys, each with its moves.
///
/// # Errors
/// Those of `out`.
pub(super) fn write<'a>(
    positions: impl IntoIterator<Item = (&'a str, u32, Vec<BookMove>)>,
    out: &mut dyn Write,
) -> io::Result<usize> {
    writeln!(out, "{HEADER} 1.00")?;
    let mut written = 0;
    for (key, number, moves) in positions {
        if moves.is_empty() {
            continue;
        }
        writeln!(out, "sfen {key} {number}")?;
        for entry in moves {
            writeln!(out, "{entry}")?;
        }
        written += 1;
    }
    Ok(written)
}

/// Why a book cannot be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BookError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub problem: Problem,
}

/// What is wrong with a book.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Problem {
    /// The system cannot read it; its message.
    Unreadable(String),
    /// It is a packed book that cannot be unpacked; the reason.
    Packed(String),
    /// The first line is not that of a book.
    Header(String),
    /// A line that the format does not allow.
    Line {
        /// The line.
        place: Place,
        /// Its text, cut to a readable length.
        found: String,
        /// What the format expects there.
        expected: String,
    },
    /// The positions of a large book are not sorted, so a binary search cannot find them.
    Unsorted {
        /// The byte at which a position begins that should come earlier.
        offset: u64,
    },
    /// A large book has too much between two positions to be searched while the clock runs.
    Sparse {
        /// The byte after which the next position is too far away.
        offset: u64,
        /// How many bytes there may be.
        most: u64,
    },
}

/// A place in a book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// The number of a line, from 1.
    Line(usize),
    /// The byte at which a line begins.
    Byte(u64),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Line(number) => write!(f, "line {number}"),
            Place::Byte(offset) => write!(f, "byte {offset}"),
        }
    }
}

impl fmt::Display for BookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.path.display())?;
        match &self.problem {
            Problem::Unreadable(error) | Problem::Packed(error) => f.write_str(error),
            Problem::Header(found) => {
                write!(f, "'{found}' in the first line: expected {}", HEADER)
            }
            Problem::Line { place, found, expected } => {
                write!(f, "{place}: '{found}': expected {expected}")
            }
            Problem::Unsorted { offset } => write!(
                f,
                "the position at byte {offset} is out of order: a book of more than {} MiB has to be sorted",
                MAX_IN_MEMORY >> 20
            ),
            Problem::Sparse { offset, most } => write!(
                f,
                "no other position in the {} KiB after byte {offset}: a book of more than {} MiB is searched in its file, and \
                 needs a line 'sfen' for the moves of each position",
                most >> 10,
                MAX_IN_MEMORY >> 20
            ),
        }
    }
}

impl std::error::Error for BookError {}
