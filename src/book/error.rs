//! What can be wrong with a book.

use std::fmt;
use std::path::PathBuf;

/// Why a book cannot be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BookError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub flaw: Flaw,
}

/// What is wrong with a book's content.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Flaw {
    /// The system's word for it.
    Unreadable(String),
    /// The file begins with something else than a book does.
    Header(String),
    /// A line says something else than the format allows.
    Line {
        /// Where it is: its number from 1, or in a large file the byte at which it begins.
        place: Place,
        /// What is there, cut to a readable length.
        found: String,
        /// What should be.
        expected: String,
    },
    /// The positions of a large book are not in order, so that none could be found.
    Unsorted {
        /// The byte at which one begins that should come earlier.
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
        match &self.flaw {
            Flaw::Unreadable(error) => f.write_str(error),
            Flaw::Header(found) => {
                write!(f, "'{found}' in the first line: expected {}", super::HEADER)
            }
            Flaw::Line { place, found, expected } => {
                write!(f, "{place}: '{found}': expected {expected}")
            }
            Flaw::Unsorted { offset } => write!(
                f,
                "the position at byte {offset} is out of order: a book of more than {} MiB has to be sorted",
                super::WHOLE >> 20
            ),
        }
    }
}

impl std::error::Error for BookError {}
