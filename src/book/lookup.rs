//! Binary search in a large, sorted book.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};

use parking_lot::Mutex;

use super::format::{self, BookLine, NumberedMove, Place, Problem};

/// The longest line that is read, in bytes; lines of books are much shorter.
const LONGEST_LINE: u64 = 4096;

/// How many places are checked when a book is opened.
const SAMPLES: u64 = 256;

/// The most bytes from one position to the next. A search looks at some thirty places, reads to the next position in each,
/// and runs on the clock. The 593 moves that a position can have at most take half as much, with a remark each.
const MOST_BETWEEN: u64 = 128 << 10;

/// The most bytes of one position with all its move numbers.
const MOST_OF_A_POSITION: u64 = 8 * MOST_BETWEEN;

/// A large book that stays in its file.
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
    number: Option<u32>,
}

impl Lookup {
    /// Checks the header, and in [`SAMPLES`] places that the positions are sorted and near each other.
    pub fn open(file: File, length: u64) -> Result<Lookup, Problem> {
        let lookup = Lookup { reader: Mutex::new(BufReader::new(file)), length };
        {
            let mut reader = lookup.reader.lock();
            let mut line = Vec::new();
            lines_from(&mut reader, 0)?.next_line(&mut line)?;
            format::check_header(&line)?;
        }
        let mut last = String::new();
        for sample in 0..SAMPLES {
            let offset = (u128::from(length) * u128::from(sample) / u128::from(SAMPLES)) as u64;
            let Some(found) = lookup.position_from(offset)? else { break };
            if found.key < last {
                return Err(Problem::Unsorted { offset: found.start });
            }
            last = found.key;
        }
        Ok(lookup)
    }

    /// The moves of the position with this key.
    pub fn find(&self, key: &str) -> Result<Vec<NumberedMove>, Problem> {
        // Keys before `low` are smaller; keys from `high` on are greater or equal.
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
                            first = Some((found.end, found.number));
                        }
                    }
                }
                _ => high = middle,
            }
        }
        match first {
            Some((offset, number)) => self.moves_from(offset, key, number),
            None => Ok(Vec::new()),
        }
    }

    /// The first position whose line begins at `offset` or after it.
    fn position_from(&self, offset: u64) -> Result<Option<Found>, Problem> {
        let mut reader = self.reader.lock();
        let mut line = Vec::new();
        // A line begins at `offset` only if the byte before it ends one.
        let mut lines = lines_from(&mut reader, offset.saturating_sub(1))?;
        if offset > 0 {
            lines.next_line(&mut line)?;
        }
        loop {
            let start = lines.offset;
            if start > offset + LONGEST_LINE + MOST_BETWEEN {
                return Err(Problem::Sparse { offset, most: MOST_BETWEEN });
            }
            if !lines.next_line(&mut line)? {
                return Ok(None);
            }
            if let BookLine::Position(key, number) = format::parse(&line, Place::Byte(start))? {
                return Ok(Some(Found { start, end: lines.offset, key: key.to_string(), number }));
            }
        }
    }

    /// The moves of the position `key`, whose line ends at `offset`. The position may follow again with another move
    /// number.
    fn moves_from(
        &self,
        offset: u64,
        key: &str,
        mut number: Option<u32>,
    ) -> Result<Vec<NumberedMove>, Problem> {
        let mut reader = self.reader.lock();
        let mut lines = lines_from(&mut reader, offset)?;
        let mut moves: Vec<NumberedMove> = Vec::new();
        let mut line = Vec::new();
        loop {
            let start = lines.offset;
            if start > offset + MOST_OF_A_POSITION {
                return Err(Problem::Sparse { offset, most: MOST_OF_A_POSITION });
            }
            if !lines.next_line(&mut line)? {
                return Ok(moves);
            }
            match format::parse(&line, Place::Byte(start))? {
                BookLine::Move(mv) => moves.push((number, mv)),
                BookLine::Position(next, stated) if next == key => number = stated,
                BookLine::Position(..) => return Ok(moves),
                BookLine::Results(results) => {
                    if let Some((_, entry)) = moves.last_mut() {
                        entry.results = results;
                    }
                }
                BookLine::Empty => {}
            }
        }
    }
}

/// Reads lines and keeps track of their place in the file.
struct LineReader<'a> {
    reader: &'a mut BufReader<File>,
    offset: u64,
}

fn lines_from(reader: &mut BufReader<File>, offset: u64) -> Result<LineReader<'_>, Problem> {
    reader.seek(SeekFrom::Start(offset)).map_err(|error| Problem::Unreadable(error.to_string()))?;
    Ok(LineReader { reader, offset })
}

impl LineReader<'_> {
    /// Reads the next line; false at the end of the file.
    fn next_line(&mut self, line: &mut Vec<u8>) -> Result<bool, Problem> {
        line.clear();
        let mut bounded = self.reader.by_ref().take(LONGEST_LINE);
        let read =
            bounded.read_until(b'\n', line).map_err(|error| Problem::Unreadable(error.to_string()))? as u64;
        if read == LONGEST_LINE && line.last() != Some(&b'\n') {
            return Err(Problem::Line {
                place: Place::Byte(self.offset),
                found: format!("{LONGEST_LINE} bytes without a line end"),
                expected: "a shorter line".to_string(),
            });
        }
        self.offset += read;
        Ok(read > 0)
    }
}
