//! An observer for the tests of several modules.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use super::observer::{Answer, Info, Observer};
use crate::search::value::Mate;

/// Counts the notes, and hears nothing else.
#[derive(Default)]
pub struct Ear {
    notes: AtomicUsize,
}

impl Ear {
    /// How often something was noted.
    pub fn notes(&self) -> usize {
        self.notes.load(Relaxed)
    }
}

impl Observer for Ear {
    fn info(&self, _: &Info) {}
    fn settled(&self, _: Mate) {}
    fn note(&self, _: &str) {
        self.notes.fetch_add(1, Relaxed);
    }
    fn still_there(&self) {}
    fn answer(&self, _: Answer) {}
}
