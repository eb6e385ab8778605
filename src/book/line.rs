//! Reading the lines of a book.

use std::collections::HashMap;

use super::error::{Place, Problem};
use super::format::{self, BookMove, HEADER};
use crate::shogi::moves::Move;
use crate::shogi::sfen;
use crate::util::text::{excerpt, strip_bom};

/// A line of a book.
pub(super) enum BookLine<'a> {
    /// A position, without its move number.
    Position(&'a str),
    Move(BookMove),
    /// A blank line, or a comment.
    Empty,
}

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
    if text.is_empty() || text.starts_with('#') || text.starts_with("//") {
        return Ok(BookLine::Empty);
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
        return Ok(BookLine::Position(without_number));
    }
    let mut words = text.split_whitespace();
    let mv = words.next().unwrap_or_default();
    let Ok(mv) = mv.parse::<Move>() else { return Err(wrong(mv, "'sfen', or a move as 7g7f or P*5e")) };
    // Other words than moves (none, resign, win) mean that there is no reply.
    let reply = words.next().and_then(|word| word.parse().ok());
    let mut number = |name: &str, missing: i64| match words.next() {
        None => Ok(missing),
        Some(word) => word.parse().map_err(|_| wrong(word, &format!("a whole number, the {name}"))),
    };
    let value = number("value", 0)?.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32;
    let depth = number("depth", 0)?.clamp(0, i64::from(u32::MAX)) as u32;
    let count = number("count", 1)?.max(0).unsigned_abs();
    Ok(BookLine::Move(BookMove { mv, reply, value, depth, count }))
}

/// Adds a move of a position. The same position may follow with another move number; the counts of its moves are then
/// added up.
pub(super) fn merge(moves: &mut Vec<BookMove>, added: BookMove) {
    match moves.iter_mut().find(|known| known.mv == added.mv) {
        Some(known) => known.count = known.count.saturating_add(added.count),
        None => moves.push(added),
    }
}

/// Reads a whole book.
pub(super) fn read(bytes: &[u8]) -> Result<HashMap<String, Vec<BookMove>>, Problem> {
    let mut lines = bytes.split(|&b| b == b'\n');
    check_header(lines.next().unwrap_or_default())?;
    let mut positions: HashMap<String, Vec<BookMove>> = HashMap::new();
    let mut current: Option<&mut Vec<BookMove>> = None;
    for (number, line) in (2..).zip(lines) {
        let place = Place::Line(number);
        match parse(line, place)? {
            BookLine::Empty => {}
            BookLine::Position(text) => {
                let position = sfen::parse(text).map_err(|error| Problem::Line {
                    place,
                    found: error.to_string(),
                    expected: "a position".to_string(),
                })?;
                current = Some(positions.entry(format::key(&position)).or_default());
            }
            BookLine::Move(mv) => match &mut current {
                Some(moves) => merge(moves, mv),
                None => {
                    return Err(Problem::Line {
                        place,
                        found: excerpt(&mv.to_string()),
                        expected: "a position before its moves".to_string(),
                    });
                }
            },
        }
    }
    Ok(positions)
}
