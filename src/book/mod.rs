//! The opening book, in the field's common format (YANEURAOU-DB2016, `.db`).
//!
//! A text file. Its first line is `#YANEURAOU-DB2016 1.00`. Then follows for each position a line `sfen ...`, and below
//! it a line for each move, such as `7g7f 3c3d 25 12 100`: the move, the expected reply (or `none`), the value for the
//! side to move in hundredths of a pawn, the depth of the search behind it, and how often the move was played.
//!
//! A book of up to [`MAX_IN_MEMORY`] bytes is read into memory; its positions may be in any order, and every line is
//! checked. In a larger one positions are looked up in the file by binary search, so they must be sorted by their bytes, as other
//! tools sort them.

mod builder;
pub mod current;
mod format;
mod lookup;

use std::collections::HashMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::shogi::position::Position;
pub use builder::BookBuilder;
pub use format::{BookError, Problem};
pub use format::{BookMove, HEADER, MAX_IN_MEMORY};
use lookup::Lookup;

/// How much less than the best move a move may be worth to be chosen, in hundredths of a pawn.
const TOLERANCE: i32 = 30;

/// An opened book.
#[derive(Debug)]
pub struct Book {
    path: PathBuf,
    source: Source,
}

#[derive(Debug)]
enum Source {
    InMemory(HashMap<String, Vec<BookMove>>),
    InFile(Lookup),
}

impl Book {
    /// Opens a book and checks it: every line, or, if it is large, some places.
    ///
    /// # Errors
    /// When the file cannot be read or is no book, when a line is wrong, or when a large book is not sorted.
    pub fn open(path: &Path) -> Result<Book, BookError> {
        Book::open_with(path, MAX_IN_MEMORY)
    }

    /// Like [`open`](Book::open), with another limit on the size of books that are read into memory.
    ///
    /// # Errors
    /// See [`open`](Book::open).
    pub fn open_with(path: &Path, max_in_memory: u64) -> Result<Book, BookError> {
        let failed = |problem| BookError { path: path.to_path_buf(), problem };
        let unreadable = |error: std::io::Error| failed(Problem::Unreadable(error.to_string()));
        let mut file = File::open(path).map_err(unreadable)?;
        let length = file.metadata().map_err(unreadable)?.len();
        let source = if length <= max_in_memory {
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes).map_err(unreadable)?;
            Source::InMemory(format::read(&bytes).map_err(failed)?)
        } else {
            Source::InFile(Lookup::open(file, length).map_err(failed)?)
        };
        Ok(Book { path: path.to_path_buf(), source })
    }

    /// The legal moves that the book has for a position.
    ///
    /// # Errors
    /// When the place in the file cannot be read or a line there is wrong.
    pub fn find(&self, position: &Position) -> Result<Vec<BookMove>, BookError> {
        let key = format::key(position);
        let mut moves = match &self.source {
            Source::InMemory(positions) => positions.get(&key).cloned().unwrap_or_default(),
            Source::InFile(lookup) => {
                lookup.find(&key).map_err(|problem| BookError { path: self.path.clone(), problem })?
            }
        };
        moves.retain(|entry| position.is_legal(entry.mv));
        Ok(moves)
    }

    /// How many positions it has, if it was read into memory.
    pub fn positions(&self) -> Option<usize> {
        match &self.source {
            Source::InMemory(positions) => Some(positions.len()),
            Source::InFile(_) => None,
        }
    }

    /// A move to play: one of the best, chosen at random by how often each was played. Its reply is legal, if it has one.
    ///
    /// # Errors
    /// See [`find`](Book::find).
    pub fn choose(&self, position: &Position) -> Result<Option<BookMove>, BookError> {
        let moves = self.find(position)?;
        let Some(best) = moves.iter().map(|entry| entry.value).max() else { return Ok(None) };
        let good: Vec<&BookMove> =
            moves.iter().filter(|entry| entry.value >= best.saturating_sub(TOLERANCE)).collect();
        let total: u64 = good.iter().map(|entry| entry.weight()).sum();
        let mut chosen = fastrand::u64(..total);
        let choice = good.into_iter().find(|entry| match chosen.checked_sub(entry.weight()) {
            Some(left) => {
                chosen = left;
                false
            }
            None => true,
        });
        Ok(choice.map(|&choice| {
            let mut after = position.clone();
            after.play(choice.mv, &mut ());
            BookMove { reply: choice.reply.filter(|&reply| after.is_legal(reply)), ..choice }
        }))
    }
}
