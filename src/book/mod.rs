//! The opening book, in the field's common format (YANEURAOU-DB2016, `.db`).
//!
//! A text file: a first line `#YANEURAOU-DB2016 1.00`, then for each position a line `sfen ...` and below it a line for
//! each move, `7g7f 3c3d 25 12 100`: the move, the reply that is expected (or `none`), its value for the side to move in
//! hundredths of a pawn, how deep it was searched, and how often it was played.
//!
//! A book of up to [`WHOLE`] bytes is read whole, in any order, and every line is checked. In a larger one positions are
//! looked up in the file; that needs them in the order of their bytes, as the field's tools sort them.

mod entry;
mod error;
mod lookup;
mod shelf;
mod write;

use std::collections::HashMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::search::Line;
use crate::search::value::Value;
use crate::shogi::position::Position;
use crate::shogi::sfen;
pub use entry::BookMove;
pub use error::{BookError, Flaw};
use lookup::Lookup;
pub use shelf::Shelf;
pub use write::Builder;

/// The first line of every book.
pub const HEADER: &str = "#YANEURAOU-DB2016";

/// Books up to this size are read whole.
pub const WHOLE: u64 = 32 << 20;

/// A move that is worth less than the best one by more is not chosen, in hundredths of a pawn.
const TOLERANCE: i32 = 30;

/// An opened book.
#[derive(Debug)]
pub struct Book {
    path: PathBuf,
    source: Source,
}

#[derive(Debug)]
enum Source {
    Whole(HashMap<String, Vec<BookMove>>),
    InFile(Lookup),
}

/// The position as a book names it: SFEN without the move number.
fn key(position: &Position) -> String {
    let mut text = sfen::write(position);
    text.truncate(text.rfind(' ').unwrap_or(text.len()));
    text
}

impl Book {
    /// Opens a book and checks it, as a whole or, if it is large, in places.
    ///
    /// # Errors
    /// When it cannot be read, is no book, has a line that is wrong, or is large and not sorted.
    pub fn open(path: &Path) -> Result<Book, BookError> {
        Book::open_with(path, WHOLE)
    }

    /// As [`open`](Book::open), with another bound on the size of books that are read whole.
    ///
    /// # Errors
    /// See [`open`](Book::open).
    pub fn open_with(path: &Path, whole: u64) -> Result<Book, BookError> {
        let failed = |flaw| BookError { path: path.to_path_buf(), flaw };
        let unreadable = |error: std::io::Error| failed(Flaw::Unreadable(error.to_string()));
        let mut file = File::open(path).map_err(unreadable)?;
        let length = file.metadata().map_err(unreadable)?.len();
        let source = if length <= whole {
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes).map_err(unreadable)?;
            Source::Whole(entry::read(&bytes).map_err(failed)?)
        } else {
            Source::InFile(Lookup::open(file, length).map_err(failed)?)
        };
        Ok(Book { path: path.to_path_buf(), source })
    }

    /// The moves that the book has for a position, as far as they are legal.
    ///
    /// # Errors
    /// When the place in the file cannot be read or is wrong.
    pub fn find(&self, position: &Position) -> Result<Vec<BookMove>, BookError> {
        let key = key(position);
        let mut moves = match &self.source {
            Source::Whole(positions) => positions.get(&key).cloned().unwrap_or_default(),
            Source::InFile(lookup) => {
                lookup.find(&key).map_err(|flaw| BookError { path: self.path.clone(), flaw })?
            }
        };
        moves.retain(|entry| position.is_legal(entry.mv));
        Ok(moves)
    }

    /// How many positions it has, where it was read whole.
    pub fn positions(&self) -> Option<usize> {
        match &self.source {
            Source::Whole(positions) => Some(positions.len()),
            Source::InFile(_) => None,
        }
    }

    /// A move to play, with the expected reply, as a search would tell it: one of the best, the more likely the more often
    /// it was played.
    ///
    /// # Errors
    /// See [`find`](Book::find).
    pub fn suggest(&self, position: &Position) -> Result<Option<Line>, BookError> {
        let moves = self.find(position)?;
        let Some(best) = moves.iter().map(|entry| entry.value).max() else { return Ok(None) };
        let good: Vec<&BookMove> =
            moves.iter().filter(|entry| entry.value >= best.saturating_sub(TOLERANCE)).collect();
        let total: u64 = good.iter().map(|entry| entry.weight()).sum();
        let mut chosen = fastrand::u64(..total);
        let entry = good.iter().find(|entry| match chosen.checked_sub(entry.weight()) {
            Some(left) => {
                chosen = left;
                false
            }
            None => true,
        });
        Ok(entry.map(|entry| {
            let mut moves = vec![entry.mv];
            let mut after = position.clone();
            after.play(entry.mv, &mut ());
            moves.extend(entry.reply.filter(|&reply| after.is_legal(reply)));
            let depth = entry.depth;
            let value = Value::new(entry.value);
            Line { multipv_index: 1, depth, seldepth: depth, value, nodes: 0, moves }
        }))
    }
}
