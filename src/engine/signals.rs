//! What the front end signals to a running search, and whether one runs.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};

use super::deadline::Timer;

/// Shared by the front end and the threads that search.
#[derive(Default)]
pub struct Signals {
    /// Once set, the search returns as soon as it can.
    stop: AtomicBool,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    searching: bool,
    /// Whether the answer is still to come, or on its way out.
    unanswered: bool,
    /// While set (`go ponder`, `go infinite`), a finished answer is kept back.
    hold: bool,
    last_answer: Option<Instant>,
    /// The time from the end of a plan until the answer was out; falls slowly.
    reaction: Duration,
}

/// What is kept back at least for an answer to go out, beside the delay that the user expects at worst
/// ([`TimePolicy::worst_delay`](super::clock::TimePolicy)). Late answers raise it for a while. (With 3 ms, 401 of 3,137 moves of
/// 100 ms were up to 6 ms late.)
const MIN_REACTION: Duration = Duration::from_millis(6);

/// Longer delays count as this: one stall of the machine must not make every later move hasty.
const MAX_REACTION: Duration = Duration::from_millis(50);

impl Signals {
    /// A search begins. None may run.
    pub fn begin(&self, hold: bool) {
        let mut state = self.state.lock();
        debug_assert!(!state.searching);
        *state = State { searching: true, unanswered: true, hold, ..*state };
        self.stop.store(false, Relaxed);
    }

    /// Ends the search, and lets its answer go.
    pub fn stop(&self) {
        let mut state = self.state.lock();
        self.stop.store(true, Relaxed);
        state.hold = false;
        self.changed.notify_all();
    }

    /// The answer may go once it is there.
    pub fn release(&self) {
        let mut state = self.state.lock();
        state.hold = false;
        self.changed.notify_all();
    }

    /// Whether the search is to stop.
    pub fn stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// Returns once the answer may go.
    pub fn wait_for_release(&self) {
        let mut state = self.state.lock();
        self.changed.wait_while(&mut state, |state| state.hold);
    }

    /// Returns at `time`, or once the search is to stop.
    pub fn wait_until(&self, time: Instant) {
        let mut state = self.state.lock();
        while !self.stopped() && !self.changed.wait_until(&mut state, time).timed_out() {}
    }

    /// The answer is about to go out.
    pub fn finish(&self) {
        let mut state = self.state.lock();
        state.searching = false;
        state.last_answer = Some(Instant::now());
        self.changed.notify_all();
    }

    /// Whether a finished answer is kept back.
    pub fn holds(&self) -> bool {
        self.state.lock().hold
    }

    /// The answer to the search that had `timer` is out. How late it was counts for the next plans.
    pub fn answered(&self, timer: Option<&Timer>) {
        let late = timer.map(|timer| timer.elapsed().saturating_sub(timer.plan.stop).min(MAX_REACTION));
        let mut state = self.state.lock();
        if let Some(late) = late {
            state.reaction = (state.reaction * 15 / 16).max(late);
        }
        // Another search may have begun since.
        state.unanswered = state.searching;
        self.changed.notify_all();
    }

    /// The time from the end of a plan until the answer is out: the worst of recent ones, or a usual one.
    pub fn reaction(&self) -> Duration {
        self.state.lock().reaction.max(MIN_REACTION)
    }

    /// When the last answer went out.
    pub fn last_answer(&self) -> Option<Instant> {
        self.state.lock().last_answer
    }

    /// Whether a search runs, or has an answer that is kept back.
    pub fn searching(&self) -> bool {
        self.state.lock().searching
    }

    /// Returns once no search runs.
    pub fn wait_until_idle(&self) {
        let mut state = self.state.lock();
        self.changed.wait_while(&mut state, |state| state.searching);
    }

    /// Returns once the last search has been answered.
    pub fn wait_until_answered(&self) {
        let mut state = self.state.lock();
        self.changed.wait_while(&mut state, |state| state.unanswered);
    }

    /// Returns once no search runs, and true; or after `time`, and false.
    pub fn wait_until_idle_for(&self, time: Duration) -> bool {
        let mut state = self.state.lock();
        !self.changed.wait_while_for(&mut state, |state| state.searching, time).timed_out()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU64;

    use super::*;

    /// A front end and a thread that searches, many times over.
    #[test]
    fn waiting_threads_are_woken_in_the_order_of_events() {
        const SEARCHES: u64 = 5;
        let signals = Signals::default();
        let (begun, answers) = (AtomicU64::new(0), AtomicU64::new(0));
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for search in 1..=SEARCHES {
                    while begun.load(Relaxed) < search {
                        std::thread::yield_now();
                    }
                    while !signals.stopped() {
                        std::hint::spin_loop();
                        std::thread::yield_now();
                    }
                    // What was stopped is not kept back.
                    signals.wait_for_release();
                    signals.finish();
                    answers.fetch_add(1, Relaxed);
                    signals.answered(None);
                }
            });
            for search in 1..=SEARCHES {
                signals.begin(true);
                begun.store(search, Relaxed);
                assert!(signals.searching() && !signals.stopped() && signals.holds());
                assert!(!signals.wait_until_idle_for(Duration::from_millis(1)));
                signals.stop();
                signals.wait_until_answered();
                assert!(!signals.searching() && !signals.holds());
                assert_eq!(answers.load(Relaxed), search);
                signals.wait_until_idle();
            }
        });
    }
}
