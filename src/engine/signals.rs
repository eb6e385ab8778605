//! What the front end tells a running search, and whether one runs.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};

use super::clock::Plan;

/// Shared by the front end and the thread that searches.
pub struct Signals {
    /// Once set, the search returns as soon as it can.
    stop: AtomicBool,
    made: Instant,
    /// When the plan's time ends, in microseconds since these signals were made; [`NEVER`] without a plan.
    deadline: AtomicU64,
    state: Mutex<State>,
    changed: Condvar,
}

/// No time limits the search.
const NEVER: u64 = u64::MAX;

impl Default for Signals {
    fn default() -> Signals {
        Signals {
            stop: AtomicBool::new(false),
            made: Instant::now(),
            deadline: AtomicU64::new(NEVER),
            state: Mutex::default(),
            changed: Condvar::default(),
        }
    }
}

#[derive(Default)]
struct State {
    searching: bool,
    /// Whether the answer is still to come, or on its way out.
    unanswered: bool,
    /// While set (`go ponder`, `go infinite`), a finished answer is kept back.
    hold: bool,
    timer: Option<Timer>,
    last_answer: Option<Instant>,
    /// What it took from the end of a plan until the answer was out; falls slowly.
    reaction: Duration,
}

/// What is kept back for an answer to go out while other processes want the processor now and then; on a busy machine it
/// can take longer. (With 3 ms, 401 of 3,137 moves of 100 ms were up to 6 ms later than they should have been; with
/// 10 ms, 9 of 17,969 up to 5 ms.)
const LEAST_REACTION: Duration = Duration::from_millis(16);

/// A machine that stood still once must not make every later move a hasty one.
const LONGEST_REACTION: Duration = Duration::from_millis(50);

/// A plan whose time runs.
#[derive(Clone, Copy)]
pub struct Timer {
    /// When the move's clock began to run.
    pub since: Instant,
    /// What it may take.
    pub plan: Plan,
}

impl Timer {
    /// How long the clock has run.
    pub fn elapsed(&self) -> Duration {
        self.since.elapsed()
    }
}

impl Signals {
    /// A search begins. None may run.
    pub fn begin(&self, hold: bool, timer: Option<Timer>) {
        let mut state = self.state.lock();
        debug_assert!(!state.searching);
        *state = State { searching: true, unanswered: true, hold, timer, ..*state };
        self.limit(timer);
        self.stop.store(false, Relaxed);
    }

    /// Ends the search, and lets its answer go.
    pub fn stop(&self) {
        let mut state = self.state.lock();
        self.stop.store(true, Relaxed);
        state.hold = false;
        self.changed.notify_all();
    }

    /// The answer may go once it is there, and has to be there by `timer`.
    pub fn release(&self, timer: Option<Timer>) {
        let mut state = self.state.lock();
        state.hold = false;
        state.timer = timer;
        self.limit(timer);
        self.changed.notify_all();
    }

    fn limit(&self, timer: Option<Timer>) {
        let deadline = timer.and_then(|timer| {
            let end = timer.since.checked_add(timer.plan.stop)?;
            u64::try_from(end.saturating_duration_since(self.made).as_micros()).ok()
        });
        self.deadline.store(deadline.unwrap_or(NEVER), Relaxed);
    }

    /// Whether the plan's time has ended. Every thread may ask often: unlike [`timer`](Signals::timer) it takes no lock.
    pub fn is_out_of_time(&self) -> bool {
        let deadline = self.deadline.load(Relaxed);
        deadline != NEVER && self.made.elapsed().as_micros() >= u128::from(deadline)
    }

    /// Whether the search was told to stop.
    pub fn stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// The running plan, if time limits the search.
    pub fn timer(&self) -> Option<Timer> {
        self.state.lock().timer
    }

    /// Returns once the answer may go.
    pub fn wait_for_release(&self) {
        let mut state = self.state.lock();
        self.changed.wait_while(&mut state, |state| state.hold);
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

    /// The answer to the search that had `timer` is out: how late it was counts for the next plans.
    pub fn answered(&self, timer: Option<Timer>) {
        let late = timer.map(|timer| timer.elapsed().saturating_sub(timer.plan.stop).min(LONGEST_REACTION));
        let mut state = self.state.lock();
        if let Some(late) = late {
            state.reaction = (state.reaction * 15 / 16).max(late);
        }
        // Another search may have begun since.
        state.unanswered = state.searching;
        self.changed.notify_all();
    }

    /// What it takes from the end of a plan until the answer is out: the worst of late, or a usual one.
    pub fn reaction(&self) -> Duration {
        self.state.lock().reaction.max(LEAST_REACTION)
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

    /// A front end and a thread that searches, many times: whoever waits hears of what it waits for, in the order in
    /// which it happened.
    #[test]
    fn whoever_waits_is_told() {
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
                signals.begin(true, None);
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
