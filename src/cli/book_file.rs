//! Books as files that commands read and write: as text, or packed where the name says so.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use jitsugen::book::{self, Book, packed};
use jitsugen::util::atomic_file::write_atomically;

use super::failure::Failure;
use super::files::replaceable;

fn is_packed(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == packed::EXTENSION)
}

/// Checks before the work that a book can be written.
///
/// # Errors
/// Why it cannot, or what else is there.
pub fn check_output(path: &Path) -> Result<(), Failure> {
    let magic = if is_packed(path) { &packed::KIND.magic } else { book::HEADER.as_bytes() };
    Ok(replaceable("--output", path, "book", magic)?)
}

/// Writes the text of a book.
///
/// # Errors
/// When it cannot be written.
pub fn write(path: &Path, text: &[u8]) -> Result<(), Failure> {
    let packed = if is_packed(path) { Some(packed::pack(text)?) } else { None };
    Ok(write_atomically(path, |file| file.write_all(packed.as_deref().unwrap_or(text)))?)
}

/// Opens a book, or the built-in one by its name.
///
/// # Errors
/// What is wrong with it.
pub fn open(path: &Path) -> Result<Arc<Book>, Failure> {
    let book = if path.to_str().is_some_and(book::is_built_in) {
        Book::built_in()
    } else {
        Book::open(path).map(Arc::new)
    };
    Ok(book.map_err(|error| error.to_string())?)
}
