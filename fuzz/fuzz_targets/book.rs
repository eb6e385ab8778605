//! Any file as a book, read whole and looked up: no panic, and only legal moves come from it.
#![no_main]

use jitsugen::book::{Book, MAX_IN_MEMORY};
use jitsugen::shogi::position::Position;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let path = std::env::temp_dir().join(format!("jitsugen fuzz {}.db", std::process::id()));
    if std::fs::write(&path, bytes).is_err() {
        return;
    }
    let position = Position::start();
    for whole in [0, MAX_IN_MEMORY] {
        if let Ok(book) = Book::open_with(&path, whole)
            && let Ok(Some(chosen)) = book.choose(&position)
        {
            assert!(position.is_legal(chosen.mv));
        }
    }
});
