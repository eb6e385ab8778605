//! What the tests of several modules have in common.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use super::observer::{Answer, Info, Observer};
use super::settings::Settings;
use super::shared_search::Question;
use crate::eval::weights::Blank;
use crate::search::hash_moves::HashMoveTable;
use crate::search::value::{Mate, Value};
use crate::shogi::position::Position;

/// All moves from the start, on material alone.
pub fn question() -> Question {
    Question {
        root: Position::start(),
        only: Vec::new(),
        weights: Arc::new(Blank::new().and_then(Blank::finish).expect("there is memory")),
        table: Arc::new(HashMoveTable::new(1)),
        depth: None,
        nodes: None,
        draw: Value::DRAW,
        settings: Settings::default(),
    }
}

/// Counts the notes and the lines, and hears nothing else.
#[derive(Default)]
pub struct Ear {
    notes: AtomicUsize,
    lines: AtomicUsize,
}

impl Ear {
    /// How often something was noted.
    pub fn notes(&self) -> usize {
        self.notes.load(Relaxed)
    }

    /// How many lines it was told.
    pub fn lines(&self) -> usize {
        self.lines.load(Relaxed)
    }
}

impl Observer for Ear {
    fn info(&self, _: &Info) {
        self.lines.fetch_add(1, Relaxed);
    }
    fn settled(&self, _: Mate) {}
    fn note(&self, _: &str) {
        self.notes.fetch_add(1, Relaxed);
    }
    fn still_there(&self) {}
    fn answer(&self, _: Answer) {}
}
