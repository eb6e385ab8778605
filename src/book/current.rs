//! The book that the engine plays from.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::{Book, BookMove};
use crate::shogi::position::Position;

/// The user's choice of a book.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BookOptions {
    /// Whether a book is used.
    pub own: bool,
    /// The name of the file; empty or `no_book` for none.
    pub file: String,
    /// The folder of the file.
    pub folder: String,
    /// The number of the last move that may come from the book.
    pub moves: u32,
}

impl Default for BookOptions {
    fn default() -> Self {
        BookOptions { own: true, file: String::new(), folder: "book".into(), moves: 16 }
    }
}

/// The book that is open: opened once, and kept until the options or the file change.
#[derive(Debug, Default)]
pub struct CurrentBook {
    /// The file that the options name.
    requested: Option<PathBuf>,
    book: Option<Book>,
    /// Length and time of the file when it was opened.
    state: Option<(u64, SystemTime)>,
    /// The last error on opening it.
    last_error: Option<String>,
}

impl CurrentBook {
    /// Opens the book that `options` name, unless it is open already.
    ///
    /// # Errors
    /// A message for the user if the book cannot be used; the engine then plays without one. The same message is given
    /// only once in a row.
    pub fn prepare(&mut self, options: &BookOptions) -> Result<(), String> {
        let wanted = options.own && !options.file.is_empty() && options.file != "no_book";
        let path = wanted.then(|| Path::new(&options.folder).join(&options.file));
        if path == self.requested {
            return Ok(());
        }
        self.requested = path;
        self.book = None;
        let Some(path) = &self.requested else { return Ok(()) };
        let path = beside_program(path);
        self.state = state(&path);
        match Book::open(&path) {
            Ok(book) => {
                self.book = Some(book);
                self.last_error = None;
                Ok(())
            }
            Err(error) => {
                let message = format!("BookFile: {error}; playing without a book");
                let is_known = self.last_error.replace(message.clone()).is_some_and(|last| last == message);
                if is_known { Ok(()) } else { Err(message) }
            }
        }
    }

    /// Makes the next [`prepare`](CurrentBook::prepare) open the book again if it could not be used or its file has changed.
    pub fn close_if_changed(&mut self) {
        let now = self.requested.as_deref().and_then(|path| state(&beside_program(path)));
        if self.book.is_none() || now != self.state {
            self.requested = None;
            self.book = None;
        }
    }

    /// A move for the position; see [`Book::choose`].
    ///
    /// # Errors
    /// A message for the user if the book is broken there; it is then closed.
    pub fn choose(&mut self, position: &Position) -> Result<Option<BookMove>, String> {
        let Some(book) = &self.book else { return Ok(None) };
        book.choose(position).map_err(|error| {
            self.book = None;
            format!("BookFile: {error}; playing on without a book")
        })
    }
}

/// The length of a file and the time of its last change.
fn state(path: &Path) -> Option<(u64, SystemTime)> {
    let data = fs::metadata(path).ok()?;
    Some((data.len(), data.modified().ok()?))
}

/// The path as given if the file exists, else beside the program: not every client starts the engine in its own folder.
fn beside_program(path: &Path) -> PathBuf {
    let beside = || Some(std::env::current_exe().ok()?.parent()?.join(path));
    match beside() {
        Some(beside) if path.is_relative() && !path.exists() && beside.exists() => beside,
        _ => path.to_path_buf(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::HEADER;
    use crate::shogi::sfen;

    #[test]
    fn a_new_or_changed_book_is_opened_again() {
        let folder = std::env::temp_dir().join(format!("jitsugen book {}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let (file, name) = (folder.join("late.db"), folder.to_str().unwrap().to_string());
        let options = BookOptions { own: true, file: "late.db".into(), folder: name, moves: 16 };
        let place = |moves: &str| fs::write(&file, format!("{HEADER} 1.00\nsfen {}\n{moves}\n", sfen::START));
        let first = |book: &mut CurrentBook| Some(book.choose(&Position::start()).ok()??.mv.to_string());

        let mut book = CurrentBook::default();
        assert!(book.prepare(&options).is_err());
        place("7g7f none 0 0 1").unwrap();
        assert_eq!(book.prepare(&options), Ok(()));
        assert_eq!(first(&mut book), None);
        book.close_if_changed();
        assert_eq!(book.prepare(&options), Ok(()));
        assert_eq!(first(&mut book).as_deref(), Some("7g7f"));
        place("2g2f 8c8d 0 0 1").unwrap();
        book.close_if_changed();
        assert_eq!(book.prepare(&options), Ok(()));
        assert_eq!(first(&mut book).as_deref(), Some("2g2f"));

        fs::remove_file(&file).unwrap();
        book.close_if_changed();
        assert!(book.prepare(&options).is_err());
        book.close_if_changed();
        assert_eq!(book.prepare(&options), Ok(()), "it is reported once");
        assert_eq!(first(&mut book), None);
        fs::remove_dir(&folder).unwrap();
    }
}
