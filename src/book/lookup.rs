//! Positions looked up in a sorted book, which is not read as a whole.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};

use parking_lot::Mutex;

use super::entry::{self, BookMove, Entry};
use super::error::{Flaw, Place};

/// No line of a book is nearly as long.
const LONGEST_LINE: u64 = 4096;

/// Places that are looked at when a book is opened.
const SAMPLES: u64 = 256;

/// A large book.
#[derive(Debug)]
pub struct Lookup {
    reader: Mutex<BufReader<File>>,
    length: u64,
}

/// The first position at or after a place.
struct Found {
    start: u64,
    /// Where the line after it begins.
    end: u64,
    key: String,
}

impl Lookup {
    /// Checks the header, and in some places whether positions are sorted.
    pub fn open(file: File, length: u64) -> Result<Lookup, Flaw> {
        let lookup = Lookup { reader: Mutex::new(BufReader::new(file)), length };
        {
            let mut reader = lookup.reader.lock();
            let mut line = Vec::new();
            lines(&mut reader, 0)?.next_line(&mut line)?;
            entry::check_header(&line)?;
        }
        let mut last = String::new();
        for sample in 0..SAMPLES {
            let offset = (u128::from(length) * u128::from(sample) / u128::from(SAMPLES)) as u64;
            let Some(found) = lookup.position_from(offset)? else { break };
            if found.key < last {
                return Err(Flaw::Unsorted { offset: found.start });
            }
            last = found.key;
        }
        Ok(lookup)
    }

    /// The moves of the position that the book calls `key`.
    pub fn find(&self, key: &str) -> Result<Vec<BookMove>, Flaw> {
        // Everything before `low` is smaller, everything from `high` on is greater or equal.
        let (mut low, mut high) = (0, self.length);
        let mut first = None;
        while low < high {
            let middle = low + (high - low) / 2;
            match self.position_from(middle)? {
                Some(found) if found.start < high => {
                    if found.key.as_str() < key {
                        low = found.end;
                    } else {
                        high = middle;
                        if found.key == key {
                            first = Some(found.end);
                        }
                    }
                }
                _ => high = middle,
            }
        }
        match first {
            Some(offset) => self.moves_from(offset, key),
            None => Ok(Vec::new()),
        }
    }

    /// The first position whose line begins at `offset` or after it.
    fn position_from(&self, offset: u64) -> Result<Option<Found>, Flaw> {
        let mut reader = self.reader.lock();
        let mut line = Vec::new();
        // A line begins here only if the byte before ends one.
        let mut lines = lines(&mut reader, offset.saturating_sub(1))?;
        if offset > 0 {
            lines.next_line(&mut line)?;
        }
        loop {
            let start = lines.offset;
            if !lines.next_line(&mut line)? {
                return Ok(None);
            }
            if let Entry::Position(key) = entry::parse(&line, Place::Byte(start))? {
                return Ok(Some(Found { start, end: lines.offset, key: key.to_string() }));
            }
        }
    }

    /// The moves of the position `key` whose line ends at `offset`. It may follow again with another move number.
    fn moves_from(&self, offset: u64, key: &str) -> Result<Vec<BookMove>, Flaw> {
        let mut reader = self.reader.lock();
        let mut lines = lines(&mut reader, offset)?;
        let mut moves = Vec::new();
        let mut line = Vec::new();
        loop {
            let start = lines.offset;
            if !lines.next_line(&mut line)? {
                return Ok(moves);
            }
            match entry::parse(&line, Place::Byte(start))? {
                Entry::Move(entry) => entry::merge(&mut moves, entry),
                Entry::Position(next) if next == key => {}
                Entry::Position(_) => return Ok(moves),
                Entry::Nothing => {}
            }
        }
    }
}

/// Reads lines and knows where they begin.
struct Lines<'a> {
    reader: &'a mut BufReader<File>,
    offset: u64,
}

fn lines(reader: &mut BufReader<File>, offset: u64) -> Result<Lines<'_>, Flaw> {
    reader.seek(SeekFrom::Start(offset)).map_err(|error| Flaw::Unreadable(error.to_string()))?;
    Ok(Lines { reader, offset })
}

impl Lines<'_> {
    /// Whether there was another line.
    fn next_line(&mut self, line: &mut Vec<u8>) -> Result<bool, Flaw> {
        line.clear();
        let mut bounded = self.reader.by_ref().take(LONGEST_LINE);
        let read =
            bounded.read_until(b'\n', line).map_err(|error| Flaw::Unreadable(error.to_string()))? as u64;
        if read == LONGEST_LINE && line.last() != Some(&b'\n') {
            return Err(Flaw::Line {
                place: Place::Byte(self.offset),
                found: format!("{LONGEST_LINE} bytes without a line end"),
                expected: "a shorter line".to_string(),
            });
        }
        self.offset += read;
        Ok(read > 0)
    }
}
