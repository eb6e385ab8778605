//! Which book is open.

use std::path::{Path, PathBuf};

use super::{Book, Suggestion};
use crate::engine::settings::BookSettings;
use crate::shogi::position::Position;

/// The book that searches use: opened once, kept while the options do not name another.
#[derive(Debug, Default)]
pub struct Shelf {
    asked: Option<PathBuf>,
    book: Option<Book>,
}

impl Shelf {
    /// Has the book of `settings` open, where there is one.
    ///
    /// # Errors
    /// A message for people when it cannot be used: then there is no book.
    pub fn prepare(&mut self, settings: &BookSettings) -> Result<(), String> {
        let wanted = settings.own && !settings.file.is_empty() && settings.file != "no_book";
        let path = wanted.then(|| Path::new(&settings.folder).join(&settings.file));
        if path == self.asked {
            return Ok(());
        }
        self.asked = path;
        self.book = None;
        let Some(path) = &self.asked else { return Ok(()) };
        match Book::open(&beside_program(path)) {
            Ok(book) => self.book = Some(book),
            Err(error) => return Err(format!("BookFile: {error}; playing without a book")),
        }
        Ok(())
    }

    /// A move for the position.
    ///
    /// # Errors
    /// A message for people when the book turns out to be broken there: it is put away.
    pub fn suggest(&mut self, position: &Position) -> Result<Option<Suggestion>, String> {
        let Some(book) = &self.book else { return Ok(None) };
        book.suggest(position).map_err(|error| {
            self.book = None;
            format!("BookFile: {error}; playing on without a book")
        })
    }
}

/// The path as it is given if there is such a file, or else beside the program: not every client starts us there.
fn beside_program(path: &Path) -> PathBuf {
    let beside = || Some(std::env::current_exe().ok()?.parent()?.join(path));
    match beside() {
        Some(beside) if path.is_relative() && !path.exists() && beside.exists() => beside,
        _ => path.to_path_buf(),
    }
}
