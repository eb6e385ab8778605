//! The main thread: it takes messages one after the other and answers each `go`.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Instant;

use crossbeam::channel::{Receiver, RecvTimeoutError, Sender, bounded, unbounded};

use super::deadline::Deadline;
use super::decision::{Go, decide};
use super::hash_budget::HashBudget;
use super::mate_search::{MateRequest, MateSearch};
use super::observer::{Answer, KEEP_ALIVE, Observer};
use super::signals::Signals;
use super::thread_pool::ThreadPool;
use crate::search::STACK;
use crate::search::hash_moves::HashMoveTable;

/// The part of a move's planned time that an answer is kept back for at most, only to seem natural.
const LONGEST_DELAY: f64 = 0.75;

/// What the main thread is to do.
enum Message {
    /// Have the threads and the memory of this budget, all clear, and send back what there is then, or nothing after a
    /// panic. The table is used again if its size is right and nothing else has it.
    Allocate(HashBudget, Arc<HashMoveTable>, Sender<Allocation>),
    /// Answer a `go`.
    Search(Box<Go>),
    /// Answer a `go mate`.
    Mate(Box<MateRequest>),
}

/// What there is to search with.
pub struct Allocation {
    /// With fewer threads than requested where the system does not start them.
    pub budget: HashBudget,
    /// The table of hash moves, smaller than requested where the memory is missing.
    pub table: HashMoveTable,
    /// Bytes of all the memory, fewer than requested likewise.
    pub bytes: usize,
}

/// The main thread, and through it the helper threads.
pub struct MainThread {
    /// `None` once the thread is to end.
    messages: Option<Sender<Message>>,
    thread: Option<JoinHandle<()>>,
}

impl MainThread {
    /// # Errors
    /// When the system cannot start a thread.
    pub fn new(signals: Arc<Signals>, observer: Arc<dyn Observer>) -> io::Result<MainThread> {
        let (messages, queue) = unbounded();
        let thread = std::thread::Builder::new()
            .name("search".into())
            .stack_size(STACK)
            .spawn(move || work(&queue, &signals, &observer))
            .map_err(|error| io::Error::new(error.kind(), format!("a thread cannot be started: {error}")))?;
        Ok(MainThread { messages: Some(messages), thread: Some(thread) })
    }

    /// Makes the threads and the memory of `budget`, all clear; `table` is the one that was used before. No search may run.
    /// Much memory takes its time: `waiting` is called every few seconds. `None` after a panic: then searches go on with
    /// what there is.
    pub fn allocate(
        &self,
        budget: HashBudget,
        table: Arc<HashMoveTable>,
        mut waiting: impl FnMut(),
    ) -> Option<Allocation> {
        let (done, allocation) = bounded(1);
        self.send(Message::Allocate(budget, table, done));
        loop {
            match allocation.recv_timeout(KEEP_ALIVE) {
                Ok(allocation) => return Some(allocation),
                Err(RecvTimeoutError::Timeout) => waiting(),
                Err(RecvTimeoutError::Disconnected) => return None,
            }
        }
    }

    /// Begins a search. [`Signals::begin`] comes first.
    pub fn search(&self, go: Go) {
        self.send(Message::Search(Box::new(go)));
    }

    /// Begins a search for mate. [`Signals::begin`] comes first.
    pub fn search_mate(&self, request: MateRequest) {
        self.send(Message::Mate(Box::new(request)));
    }

    fn send(&self, message: Message) {
        if let Some(messages) = &self.messages {
            // The thread outlives the sender.
            let _ = messages.send(message);
        }
    }
}

impl Drop for MainThread {
    fn drop(&mut self) {
        self.messages = None;
        if let Some(thread) = self.thread.take() {
            // A panic in it was reported when it happened.
            let _ = thread.join();
        }
    }
}

fn allocate(requested: &HashBudget, table: Arc<HashMoveTable>, threads: &mut ThreadPool) -> Allocation {
    // An old table of another size goes first: both together may be more than there is.
    let table = Arc::try_unwrap(table).ok().filter(|table| table.mebibytes() == requested.hash_moves);
    let (budget, per_threads) = threads.resize(requested);
    let table = match table {
        Some(mut table) => {
            table.clear();
            table
        }
        None => HashMoveTable::new(requested.hash_moves),
    };
    Allocation { budget, bytes: per_threads + (table.mebibytes() << 20), table }
}

fn work(queue: &Receiver<Message>, signals: &Arc<Signals>, observer: &Arc<dyn Observer>) {
    let mut threads = ThreadPool::new(Arc::clone(observer));
    let observer = &**observer;
    let mut mate_search = MateSearch::default();
    for message in queue {
        match message {
            Message::Allocate(budget, table, done) => {
                mate_search.forget(budget.mebibytes);
                let allocation = catch_unwind(AssertUnwindSafe(|| allocate(&budget, table, &mut threads)));
                if let Ok(allocation) = allocation {
                    // The player waits for it.
                    let _ = done.send(allocation);
                }
            }
            Message::Search(go) => {
                let (deadline, mut fallback) = (go.deadline.clone(), Answer::Resign);
                let not_before = go.limited.map(|limited| go.since + limited.delay);
                let answer = catch_unwind(AssertUnwindSafe(|| {
                    decide(*go, &mut threads, signals, observer, &mut fallback)
                }));
                give(answer.ok(), fallback, &deadline, not_before, signals, observer);
                // The next message may need the table for itself.
                threads.wait();
            }
            Message::Mate(request) => {
                let deadline = request.deadline.clone();
                let answer =
                    catch_unwind(AssertUnwindSafe(|| mate_search.answer(&request, signals, observer)));
                give(answer.ok(), Answer::MateUnknown, &deadline, None, signals, observer);
            }
        }
    }
}

/// Gives the answer once it may go: the `fallback` after a panic. An answer that is not to come before `not_before` comes
/// earlier where the clock has less, or where the search is stopped.
fn give(
    answer: Option<Answer>,
    fallback: Answer,
    deadline: &Deadline,
    not_before: Option<Instant>,
    signals: &Signals,
    observer: &dyn Observer,
) {
    let answer = answer.unwrap_or_else(|| {
        observer.note("the engine broke down on this position: the answer is the best that it had found");
        fallback
    });
    signals.wait_for_release();
    if let Some(not_before) = not_before {
        let of_clock = deadline.timer().map(|timer| timer.since + timer.plan.ideal.mul_f64(LONGEST_DELAY));
        signals.wait_until(of_clock.map_or(not_before, |latest| latest.min(not_before)));
    }
    // A client may ask for anything once it has read the answer, and must not find the engine busy then. The next answer
    // still comes after this one: this thread gives both.
    signals.finish();
    observer.answer(answer);
    signals.answered(deadline.timer());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::testing::CountingObserver;

    #[test]
    #[cfg_attr(not(debug_assertions), ignore = "nothing overflows")]
    fn the_main_thread_survives_a_panic_between_searches() {
        let main_thread = MainThread::new(Arc::default(), Arc::<CountingObserver>::default()).unwrap();
        let allocate = |budget| main_thread.allocate(budget, Arc::new(HashMoveTable::empty()), || ());
        // The number of helper threads would be negative.
        assert!(allocate(HashBudget { threads: 0, ..HashBudget::new(4, 1) }).is_none());
        let allocation = allocate(HashBudget::new(4, 2));
        assert!(allocation.is_some_and(|allocation| allocation.budget == HashBudget::new(4, 2)));
    }
}
