//! The lines of a book, as text and as values.

use std::collections::HashMap;
use std::fmt;

use super::error::{Flaw, Place};
use crate::shogi::moves::Move;
use crate::shogi::sfen;
use crate::util::text::excerpt;

/// A move of a book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookMove {
    /// The move.
    pub mv: Move,
    /// The reply that is expected.
    pub reply: Option<Move>,
    /// For the side to move, in hundredths of a pawn.
    pub value: i32,
    /// How deep it was searched; 0 where it was not.
    pub depth: u32,
    /// How often it was played.
    pub count: u64,
}

impl BookMove {
    /// How likely it is chosen, compared with others.
    pub(super) fn weight(&self) -> u64 {
        self.count.clamp(1, u64::from(u32::MAX))
    }
}

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

/// A line of a book.
pub(super) enum Entry<'a> {
    /// A position, without its move number.
    Position(&'a str),
    Move(BookMove),
    /// Blank, or a remark.
    Nothing,
}

/// A line without the byte order mark that some editors put before the first one, and without blanks around it.
fn bare(line: &str) -> &str {
    line.trim_start_matches('\u{FEFF}').trim()
}

/// Checks the first line.
pub(super) fn check_header(line: &[u8]) -> Result<(), Flaw> {
    let text = String::from_utf8_lossy(line);
    let text = bare(&text);
    if text.starts_with(super::HEADER) { Ok(()) } else { Err(Flaw::Header(excerpt(text))) }
}

/// Reads a line.
pub(super) fn parse(line: &[u8], place: Place) -> Result<Entry<'_>, Flaw> {
    let wrong = |found: &str, expected: &str| Flaw::Line {
        place,
        found: excerpt(found),
        expected: expected.to_string(),
    };
    let Ok(text) = std::str::from_utf8(line) else {
        return Err(wrong(&String::from_utf8_lossy(line), "text"));
    };
    let text = bare(text);
    if text.is_empty() || text.starts_with('#') || text.starts_with("//") {
        return Ok(Entry::Nothing);
    }
    if let Some(position) = text.strip_prefix("sfen ") {
        let position = position.trim();
        let without_number = match position.rsplit_once(' ') {
            Some((before, number)) if number.bytes().all(|b| b.is_ascii_digit()) => before.trim_end(),
            _ => position,
        };
        if without_number.split(' ').count() != 3 {
            return Err(wrong(position, "board, side to move, hands and move number"));
        }
        return Ok(Entry::Position(without_number));
    }
    let mut words = text.split_whitespace();
    let mv = words.next().unwrap_or_default();
    let Ok(mv) = mv.parse::<Move>() else { return Err(wrong(mv, "'sfen', or a move as 7g7f or P*5e")) };
    // A reply that is no move (none, resign, win) is no reply.
    let reply = words.next().and_then(|word| word.parse().ok());
    let mut number = |name: &str, missing: i64| match words.next() {
        None => Ok(missing),
        Some(word) => word.parse().map_err(|_| wrong(word, &format!("a whole number, the {name}"))),
    };
    let value = number("value", 0)?.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32;
    let depth = number("depth", 0)?.clamp(0, i64::from(u32::MAX)) as u32;
    let count = number("count", 1)?.max(0).unsigned_abs();
    Ok(Entry::Move(BookMove { mv, reply, value, depth, count }))
}

/// Takes in a move of a position. Positions that differ in their move number only are one: a move of both counts for
/// both.
pub(super) fn merge(moves: &mut Vec<BookMove>, entry: BookMove) {
    match moves.iter_mut().find(|known| known.mv == entry.mv) {
        Some(known) => known.count = known.count.saturating_add(entry.count),
        None => moves.push(entry),
    }
}

/// Reads a whole book.
pub(super) fn read(bytes: &[u8]) -> Result<HashMap<String, Vec<BookMove>>, Flaw> {
    let mut lines = bytes.split(|&b| b == b'\n');
    check_header(lines.next().unwrap_or_default())?;
    let mut positions: HashMap<String, Vec<BookMove>> = HashMap::new();
    let mut current: Option<&mut Vec<BookMove>> = None;
    for (number, line) in (2..).zip(lines) {
        let place = Place::Line(number);
        match parse(line, place)? {
            Entry::Nothing => {}
            Entry::Position(text) => {
                let position = sfen::parse(text).map_err(|error| Flaw::Line {
                    place,
                    found: error.to_string(),
                    expected: "a position".to_string(),
                })?;
                current = Some(positions.entry(super::key(&position)).or_default());
            }
            Entry::Move(entry) => match &mut current {
                Some(moves) => merge(moves, entry),
                None => {
                    return Err(Flaw::Line {
                        place,
                        found: excerpt(&entry.to_string()),
                        expected: "a position before its moves".to_string(),
                    });
                }
            },
        }
    }
    Ok(positions)
}
