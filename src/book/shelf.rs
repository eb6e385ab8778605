//! Which book is open.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::Book;
use crate::engine::settings::BookSettings;
use crate::search::Line;
use crate::shogi::position::Position;

/// The book that searches use: opened once, kept while nothing changes.
#[derive(Debug, Default)]
pub struct Shelf {
    asked: Option<PathBuf>,
    book: Option<Book>,
    /// The file's length and time when it was opened.
    state: Option<(u64, SystemTime)>,
    /// What was wrong when it was last to be opened.
    refusal: Option<String>,
}

impl Shelf {
    /// Has the book of `settings` open, where there is one.
    ///
    /// # Errors
    /// A message for people when it cannot be used, once for each reason: then there is no book.
    pub fn prepare(&mut self, settings: &BookSettings) -> Result<(), String> {
        let wanted = settings.own && !settings.file.is_empty() && settings.file != "no_book";
        let path = wanted.then(|| Path::new(&settings.folder).join(&settings.file));
        if path == self.asked {
            return Ok(());
        }
        self.asked = path;
        self.book = None;
        let Some(path) = &self.asked else { return Ok(()) };
        let path = beside_program(path);
        self.state = state(&path);
        match Book::open(&path) {
            Ok(book) => {
                self.book = Some(book);
                self.refusal = None;
                Ok(())
            }
            Err(error) => {
                let refusal = format!("BookFile: {error}; playing without a book");
                let known = self.refusal.replace(refusal.clone()).is_some_and(|last| last == refusal);
                if known { Ok(()) } else { Err(refusal) }
            }
        }
    }

    /// Has [`prepare`](Shelf::prepare) open the book anew, where it could not be used or its file has changed.
    pub fn look_again(&mut self) {
        let now = self.asked.as_deref().and_then(|path| state(&beside_program(path)));
        if self.book.is_none() || now != self.state {
            self.asked = None;
            self.book = None;
        }
    }

    /// A move for the position.
    ///
    /// # Errors
    /// A message for people when the book turns out to be broken there: it is put away.
    pub fn suggest(&mut self, position: &Position) -> Result<Option<Line>, String> {
        let Some(book) = &self.book else { return Ok(None) };
        book.suggest(position).map_err(|error| {
            self.book = None;
            format!("BookFile: {error}; playing on without a book")
        })
    }
}

/// A file's length, and when it was last changed.
fn state(path: &Path) -> Option<(u64, SystemTime)> {
    let data = fs::metadata(path).ok()?;
    Some((data.len(), data.modified().ok()?))
}

/// The path as it is given if there is such a file, or else beside the program: not every client starts us there.
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
    fn a_book_that_came_or_changed_is_opened_when_looked_for_again() {
        let folder = std::env::temp_dir().join(format!("jitsugen shelf {}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let (file, name) = (folder.join("late.db"), folder.to_str().unwrap().to_string());
        let settings = BookSettings { own: true, file: "late.db".into(), folder: name, moves: 16 };
        let place = |moves: &str| fs::write(&file, format!("{HEADER} 1.00\nsfen {}\n{moves}\n", sfen::START));
        let first = |shelf: &mut Shelf| Some(shelf.suggest(&Position::start()).ok()??.moves[0].to_string());

        let mut shelf = Shelf::default();
        assert!(shelf.prepare(&settings).is_err());
        place("7g7f none 0 0 1").unwrap();
        assert_eq!(shelf.prepare(&settings), Ok(()));
        assert_eq!(first(&mut shelf), None);
        shelf.look_again();
        assert_eq!(shelf.prepare(&settings), Ok(()));
        assert_eq!(first(&mut shelf).as_deref(), Some("7g7f"));
        place("2g2f 8c8d 0 0 1").unwrap();
        shelf.look_again();
        assert_eq!(shelf.prepare(&settings), Ok(()));
        assert_eq!(first(&mut shelf).as_deref(), Some("2g2f"));

        fs::remove_file(&file).unwrap();
        shelf.look_again();
        assert!(shelf.prepare(&settings).is_err());
        shelf.look_again();
        assert_eq!(shelf.prepare(&settings), Ok(()), "it is told once");
        assert_eq!(first(&mut shelf), None);
        fs::remove_dir(&folder).unwrap();
    }
}
