//! The book that the engine plays from.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use super::choice::ChoiceOptions;
use super::{BUILT_IN, Book, BookMove, is_built_in};
use crate::shogi::color::Color;
use crate::shogi::moves::Move;
use crate::shogi::position::Position;

/// What stands for no book, where a file could be named, in whatever case.
const NO_BOOK: &str = "no_book";

/// The user's choice of a book.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BookOptions {
    /// Whether a book is used.
    pub own: bool,
    /// The name of the file, or [`BUILT_IN`]; empty or `no_book` for none.
    pub file: String,
    /// The folder of the file.
    pub folder: String,
    /// The number of the last move that may come from the book.
    pub moves: u32,
    /// Which of its moves.
    pub choice: ChoiceOptions,
}

impl Default for BookOptions {
    fn default() -> Self {
        BookOptions {
            own: true,
            file: BUILT_IN.into(),
            folder: "book".into(),
            moves: 16,
            choice: ChoiceOptions::default(),
        }
    }
}

/// What the options ask for.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Request {
    BuiltIn,
    File(PathBuf),
}

impl BookOptions {
    /// Whether the built-in book is asked for.
    pub fn is_built_in(&self) -> bool {
        is_built_in(&self.file)
    }

    /// How moves are chosen from the book that is asked for. Those of the built-in one have been chosen already, when it was
    /// made: limits on values hold for it where the user has set them.
    fn effective_choice(&self) -> ChoiceOptions {
        let (mut choice, default) = (self.choice.clone(), ChoiceOptions::default());
        if self.is_built_in() {
            if choice.eval_diff == default.eval_diff {
                choice.eval_diff = i32::MAX;
            }
            for color in Color::ALL {
                if choice.least_value[color] == default.least_value[color] {
                    choice.least_value[color] = i32::MIN;
                }
            }
        }
        choice
    }

    fn request(&self) -> Option<Request> {
        let is_none = self.file.is_empty() || self.file.eq_ignore_ascii_case(NO_BOOK);
        if !self.own || is_none {
            None
        } else if self.is_built_in() {
            Some(Request::BuiltIn)
        } else {
            Some(Request::File(Path::new(&self.folder).join(&self.file)))
        }
    }
}

/// The book that is open: opened once, and kept until the options or the file change.
#[derive(Debug, Default)]
pub struct CurrentBook {
    /// What the options ask for.
    requested: Option<Request>,
    book: Option<Arc<Book>>,
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
        let request = options.request();
        if request == self.requested {
            return Ok(());
        }
        self.requested = request;
        self.book = None;
        let opened = match &self.requested {
            None => return Ok(()),
            Some(Request::BuiltIn) => Book::built_in(),
            Some(Request::File(path)) => {
                let path = beside_program(path);
                self.state = state(&path);
                Book::open(&path).map(Arc::new)
            }
        };
        match opened {
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
        let Some(Request::File(path)) = &self.requested else { return };
        let now = state(&beside_program(path));
        if self.book.is_none() || now != self.state {
            self.requested = None;
            self.book = None;
        }
    }

    /// A move for the position, as `options` say, and the line that it begins; see [`Book::choose_with`] and
    /// [`Book::line`].
    ///
    /// # Errors
    /// A message for the user if the book is broken there; it is then closed.
    pub fn choose(
        &mut self,
        position: &Position,
        options: &BookOptions,
    ) -> Result<Option<(BookMove, Vec<Move>)>, String> {
        let Some(book) = &self.book else { return Ok(None) };
        let options = &options.effective_choice();
        let found = book.choose_with(position, options).and_then(|choice| match choice {
            None => Ok(None),
            Some(choice) => Ok(Some((choice, book.line(position, &choice, options)?))),
        });
        found.map_err(|error| {
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
    fn the_built_in_book_is_the_default_and_names_that_guis_store_mean_none() {
        let mut book = CurrentBook::default();
        let mut options = BookOptions::default();
        for (file, is_there) in [
            ("built-in", true),
            ("", false),
            ("Built-In", true),
            ("no_book", false),
            ("BUILT-IN", true),
            ("NO_BOOK", false),
        ] {
            options.file = file.into();
            assert_eq!(book.prepare(&options), Ok(()));
            assert_eq!(book.book.is_some(), is_there, "'{file}'");
            book.close_if_changed();
        }
        options = BookOptions { own: false, ..BookOptions::default() };
        assert_eq!(book.prepare(&options), Ok(()));
        assert!(book.book.is_none());
    }

    #[test]
    fn a_new_or_changed_book_is_opened_again() {
        let folder = std::env::temp_dir().join(format!("jitsugen book {}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let (file, name) = (folder.join("late.db"), folder.to_str().unwrap().to_string());
        let options =
            BookOptions { own: true, file: "late.db".into(), folder: name, ..BookOptions::default() };
        let place = |moves: &str| fs::write(&file, format!("{HEADER} 1.00\nsfen {}\n{moves}\n", sfen::START));
        let first = |book: &mut CurrentBook| {
            let choice = book.choose(&Position::start(), &BookOptions::default());
            Some(choice.ok()??.0.mv.to_string())
        };

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
