//! The memory that searches use: how much of it there is, and when it is cleared.

use std::sync::Arc;

use super::hash_budget::{self, HashBudget, affordable, shortfall};
use super::main_thread::{Allocation, MainThread};
use super::observer::Observer;
use crate::search::hash_moves::HashMoveTable;

/// The table of hash moves, and what is known of the memory that the threads have of their own.
pub struct SearchMemory {
    /// Empty until it is first needed, at `isready` or `go`.
    table: Arc<HashMoveTable>,
    /// The threads and the memory that there are; `None` until they are needed.
    budget: Option<HashBudget>,
    /// MiB and threads of the last request: what there is may be less.
    requested: (usize, usize),
    /// MiB that the system has given for all of this memory.
    held: usize,
    /// How many MiB more the system has, beside what so many threads and so many bytes of mapped files take.
    available: fn(usize, usize) -> Option<usize>,
    /// Whether to clear the memory before the next search.
    is_stale: bool,
    /// Whether nothing was searched since the memory was cleared.
    is_clear: bool,
    /// Whether the game is over: its memory is of no use to the next one.
    is_over: bool,
}

impl Default for SearchMemory {
    fn default() -> SearchMemory {
        SearchMemory {
            table: Arc::new(HashMoveTable::empty()),
            budget: None,
            requested: (0, 0),
            held: 0,
            available: hash_budget::available,
            is_stale: false,
            is_clear: false,
            is_over: false,
        }
    }
}

impl SearchMemory {
    /// The table of hash moves.
    pub fn table(&self) -> &Arc<HashMoveTable> {
        &self.table
    }

    /// MiB that there are, once they are needed.
    pub fn mebibytes(&self) -> Option<usize> {
        self.budget.map(|budget| budget.mebibytes)
    }

    /// Has `hash` MiB and as many `threads` ready for a search, or as much of both as the machine has beside `mapped` bytes of
    /// the evaluation's files.
    pub fn prepare(
        &mut self,
        hash: usize,
        threads: usize,
        mapped: usize,
        main_thread: &MainThread,
        observer: &dyn Observer,
    ) {
        if self.budget.is_some() && self.requested == (hash, threads) {
            if self.is_stale {
                self.clear(main_thread, observer);
            }
            return;
        }
        self.requested = (hash, threads);
        let (mebibytes, message) = affordable(hash, self.held, (self.available)(threads, mapped));
        if let Some(message) = message {
            observer.note(&message);
        }
        self.allocate(HashBudget::new(mebibytes, threads), main_thread, observer);
    }

    /// Makes the threads and the memory of `requested`, all clear.
    fn allocate(&mut self, requested: HashBudget, main_thread: &MainThread, observer: &dyn Observer) {
        let old = std::mem::replace(&mut self.table, Arc::new(HashMoveTable::empty()));
        let Some(allocation) = main_thread.allocate(requested, old, || observer.still_there()) else {
            observer.note("threads and memory could not be had: the next search tries again");
            (self.budget, self.held) = (None, 0);
            return;
        };
        let Allocation { budget, table, bytes } = allocation;
        if budget.threads != requested.threads {
            let (requested, threads) = (requested.threads, budget.threads);
            observer.note(&format!("the system has not started {requested} threads: {threads} search"));
        }
        let is_known = self.budget == Some(requested) && bytes >> 20 == self.held;
        if let Some(message) = shortfall(requested.mebibytes, bytes).filter(|_| !is_known) {
            observer.note(&message);
        }
        self.table = Arc::new(table);
        (self.is_stale, self.is_clear) = (false, true);
        (self.budget, self.held) = (Some(budget), bytes >> 20);
    }

    /// Gives nearly all of it back to the system; false where there is nothing. It is made again when it is next prepared. No
    /// search may run.
    pub fn give_back(&mut self, main_thread: &MainThread, observer: &dyn Observer) -> bool {
        let Some(HashBudget { mebibytes: 2.., threads, .. }) = self.budget else { return false };
        self.allocate(HashBudget::new(1, threads), main_thread, observer);
        self.requested = (0, 0);
        true
    }

    /// Clears the memory now. No search may run.
    pub fn clear(&mut self, main_thread: &MainThread, observer: &dyn Observer) {
        if let Some(budget) = self.budget
            && !self.is_clear
        {
            self.allocate(budget, main_thread, observer);
        }
        self.is_stale = false;
    }

    /// Has the memory cleared when it is next prepared.
    pub fn clear_later(&mut self) {
        self.is_stale = true;
    }

    /// The game is over: see [`clear_after_game`](SearchMemory::clear_after_game).
    pub fn game_over(&mut self) {
        self.is_over = true;
    }

    /// Has the memory cleared when it is next prepared, if the game is over.
    pub fn clear_after_game(&mut self) {
        self.is_stale |= std::mem::take(&mut self.is_over);
    }

    /// A game begins.
    pub fn new_game(&mut self, main_thread: &MainThread, observer: &dyn Observer) {
        self.is_over = false;
        self.clear(main_thread, observer);
    }

    /// A search begins, and fills the memory.
    pub fn begin_search(&mut self) {
        self.is_clear = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::testing::CountingObserver;

    /// Memory on a machine that has 40 MiB more than what is held, with the main thread that serves it.
    fn with_forty_mebibytes() -> (SearchMemory, MainThread, CountingObserver) {
        let memory = SearchMemory { available: |_, _| Some(40), ..SearchMemory::default() };
        let main_thread = MainThread::new(Arc::default(), Arc::<CountingObserver>::default()).unwrap();
        (memory, main_thread, CountingObserver::default())
    }

    #[test]
    fn a_hash_is_cut_to_what_the_machine_has() {
        let (mut memory, main_thread, observer) = with_forty_mebibytes();
        for (requested, given, notes) in [(1 << 20, 38, 1), (16, 16, 1), (1 << 20, 53, 2)] {
            memory.prepare(requested, 1, 0, &main_thread, &observer);
            assert_eq!((memory.mebibytes(), observer.notes()), (Some(given), notes));
        }
    }

    #[test]
    fn what_is_given_back_is_made_again_when_it_is_needed() {
        let (mut memory, main_thread, observer) = with_forty_mebibytes();
        assert!(!memory.give_back(&main_thread, &observer));
        memory.prepare(16, 1, 0, &main_thread, &observer);
        assert!(memory.give_back(&main_thread, &observer));
        assert_eq!((memory.mebibytes(), memory.held), (Some(1), 1));
        memory.prepare(16, 1, 0, &main_thread, &observer);
        assert_eq!((memory.mebibytes(), observer.notes()), (Some(16), 0));
    }

    #[test]
    fn asking_for_the_same_size_again_keeps_the_memory() {
        let (mut memory, main_thread, observer) = with_forty_mebibytes();
        memory.prepare(1 << 10, 1, 0, &main_thread, &observer);
        memory.begin_search();
        memory.prepare(1 << 10, 1, 0, &main_thread, &observer);
        assert!(!memory.is_clear, "what was found is still there");
        assert_eq!(observer.notes(), 1, "the shortage is reported once");
    }
}
