//! Packed books: the text of a book in compressed form, as the built-in one is. `docs/internals/book-format.md` describes
//! every byte.

use std::io;

use crate::util::checked_file::{self, CheckedFileError, Kind};

/// How a packed book is recognised.
pub const KIND: Kind = Kind { name: "packed book", magic: *b"JITSUBOK", versions: [1, 1] };

/// The extension of packed books.
pub const EXTENSION: &str = "jgb";

/// The built-in book.
pub(super) static BUILT_IN: &[u8] = include_bytes!("../../eval_files/opening.jgb");

/// Packs the text of a book.
///
/// # Errors
/// When the compression fails.
pub fn pack(text: &[u8]) -> io::Result<Vec<u8>> {
    checked_file::encode(KIND, KIND.versions[1], text)
}

/// The text of a packed book; `None` where `bytes` do not begin as one.
pub(super) fn unpack(bytes: &[u8]) -> Option<Result<Vec<u8>, CheckedFileError>> {
    bytes.starts_with(&KIND.magic).then(|| checked_file::decode(KIND, bytes).map(|(_, text)| text))
}
