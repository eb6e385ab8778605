//! What the tests of several modules have in common.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use super::observer::{Answer, Info, Observer};
use crate::eval::weights::Blank;
use crate::search::SearchRequest;
use crate::search::hash_moves::HashMoveTable;
use crate::search::value::Mate;
use crate::shogi::position::Position;

/// All moves from the start, on material alone.
pub fn request() -> SearchRequest {
    let weights = Arc::new(Blank::new().and_then(Blank::finish).expect("there is memory"));
    SearchRequest::new(&Position::start(), &weights, &Arc::new(HashMoveTable::new(1)))
}

/// Counts notes and lines.
#[derive(Default)]
pub struct CountingObserver {
    notes: AtomicUsize,
    lines: AtomicUsize,
}

impl CountingObserver {
    /// How many notes it had.
    pub fn notes(&self) -> usize {
        self.notes.load(Relaxed)
    }

    /// How many lines it had.
    pub fn lines(&self) -> usize {
        self.lines.load(Relaxed)
    }
}

impl Observer for CountingObserver {
    fn info(&self, _: &Info) {
        self.lines.fetch_add(1, Relaxed);
    }
    fn nothing_to_search(&self, _: Mate) {}
    fn note(&self, _: &str) {
        self.notes.fetch_add(1, Relaxed);
    }
    fn still_there(&self) {}
    fn answer(&self, _: Answer) {}
}
