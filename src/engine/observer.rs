//! What the engine reports while it thinks.
//!
//! Signs of life for clients that wait: some give up an engine that is silent for half a minute.

use std::thread::Builder;
use std::time::Duration;

use crossbeam::channel::{RecvTimeoutError, bounded};

use crate::search::Line;
use crate::search::tt::Bound;
use crate::search::value::Mate;
use crate::shogi::moves::Move;
use crate::util::memory;

/// The state of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Info<'a> {
    /// The best line so far.
    pub line: &'a Line,
    /// Nodes of all threads since the search began.
    pub nodes: u64,
    /// Whether the value is exact, or all that is known so far is that it is at least or at most this.
    pub bound: Bound,
    /// Since the search began.
    pub elapsed: Duration,
    /// How many of a thousand slots of the table are in use.
    pub hashfull: u32,
}

/// What is played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// A move, and the reply to ponder on if one is expected.
    Move {
        /// The move to play.
        best: Move,
        /// The expected reply, legal after `best`.
        ponder: Option<Move>,
    },
    /// The game is given up.
    Resign,
    /// The entering-king declaration.
    Declare,
    /// To `go mate`: these moves of both sides lead to mate.
    Checkmate(Vec<Move>),
    /// To `go mate`: there is no mate.
    NoMate,
    /// To `go mate`: the limits came before a result.
    MateUnknown,
}

/// Receives what the engine reports: from the main thread, and before a search from the player's thread.
pub trait Observer: Send + Sync {
    /// A better line, or a deeper one.
    fn info(&self, info: &Info);

    /// There is nothing to search: the side to move is mated, or wins by declaring.
    fn nothing_to_search(&self, result: Mate);

    /// Something a person should know, in one line.
    fn note(&self, text: &str);

    /// A sign of life: something takes its time, and a client may give up an engine that is silent for long.
    fn still_there(&self);

    /// The answer, exactly once for each `go`.
    fn answer(&self, answer: Answer);
}

/// The time between two signs of life while something is loaded.
pub const KEEP_ALIVE: Duration = Duration::from_secs(3);

/// Does `work`, and gives `observer` a sign of life whenever the time `every` has passed.
pub fn kept_alive<T>(observer: &dyn Observer, every: Duration, work: impl FnOnce() -> T) -> T {
    let (working, wait) = bounded::<()>(0);
    std::thread::scope(|scope| {
        // A thread of its own: on a busy machine any step of the work can take long. Where the system has none left,
        // the work is done without.
        if memory::has_addresses(memory::USUAL_STACK) {
            let _ = Builder::new().spawn_scoped(scope, move || {
                while wait.recv_timeout(every) == Err(RecvTimeoutError::Timeout) {
                    observer.still_there();
                }
            });
        }
        let done = work();
        drop(working);
        done
    })
}

#[cfg(test)]
mod tests {
    use crossbeam::channel::{Sender, unbounded};

    use super::*;
    use crate::search::value::Mate;

    struct Signs(Sender<()>);

    impl Observer for Signs {
        fn info(&self, _: &Info) {}
        fn nothing_to_search(&self, _: Mate) {}
        fn note(&self, _: &str) {}
        fn still_there(&self) {
            self.0.send(()).expect("the test listens");
        }
        fn answer(&self, _: Answer) {}
    }

    #[test]
    fn long_work_gives_signs_of_life() {
        let (signs, seen) = unbounded();
        let signs = Signs(signs);
        assert_eq!(kept_alive(&signs, Duration::from_secs(60), || 7), 7);
        assert!(seen.is_empty());
        let two_signs = || (0..2).filter(|_| seen.recv().is_ok()).count();
        assert_eq!(kept_alive(&signs, Duration::from_millis(1), two_signs), 2);
        // The strictest client waits for five seconds.
        assert!(KEEP_ALIVE < Duration::from_secs(5));
    }
}
