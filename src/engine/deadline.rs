//! When a search has to end.

use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use super::clock::Plan;

/// A plan whose time runs.
#[derive(Clone, Copy, Debug)]
pub struct Timer {
    /// When the move's clock began to run.
    pub since: Instant,
    /// What the move may take.
    pub plan: Plan,
}

impl Timer {
    /// How long the clock has run.
    pub fn elapsed(&self) -> Duration {
        self.since.elapsed()
    }

    /// Whether the plan's time has ended.
    pub fn has_ended(&self) -> bool {
        self.elapsed() >= self.plan.stop
    }
}

/// The timer of one search. The player starts it when the clock begins to run: with `go`, or with `ponderhit`. All threads
/// of the search read it, as often as they like: reading takes no lock.
#[derive(Clone, Default, Debug)]
pub struct Deadline(Arc<OnceLock<Timer>>);

impl Deadline {
    /// The clock runs. A search has one timer: a second one changes nothing.
    pub fn start(&self, timer: Timer) {
        let _ = self.0.set(timer);
    }

    /// The timer; `None` as long as no time limits the search.
    pub fn timer(&self) -> Option<&Timer> {
        self.0.get()
    }

    /// Whether time limits the search, and has ended.
    pub fn has_passed(&self) -> bool {
        self.timer().is_some_and(Timer::has_ended)
    }
}
