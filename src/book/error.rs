//! What can be wrong with a book.

use std::fmt;
use std::path::PathBuf;

use super::format::{HEADER, MAX_IN_MEMORY};

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
            Problem::Unreadable(error) => f.write_str(error),
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
        }
    }
}

impl std::error::Error for BookError {}
