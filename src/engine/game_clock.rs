//! The clocks of a game, from one search to the next.

use std::time::{Duration, Instant};

use super::clock::{self, TimePolicy};
use super::deadline::{Deadline, Timer};
use super::limits::{Limits, TimeControl};
use crate::shogi::color::Color;
use crate::shogi::position::Position;

/// What is known of the game's clocks, and the deadline of the running or last search. The time now is always passed in.
#[derive(Default)]
pub struct GameClock {
    /// The limits of the running or last search, for `ponderhit`.
    limits: Limits,
    /// How its time is spent: an option that is set during a search counts from the next one on.
    policy: TimePolicy,
    /// The side to move at its root, and the number of the move: the client may have sent another position since.
    root: Option<(Color, u32)>,
    deadline: Deadline,
    /// The clocks as last stated: some clients leave them out when they ponder.
    stated: Option<TimeControl>,
    /// When these clocks began to run for a move of ours.
    runs_since: Option<Instant>,
    /// When the search began to ponder on the position that it will have to answer.
    ponders_since: Option<Instant>,
}

/// The time of a move whose client states none at `ponderhit`.
const WITHOUT_CLOCK: Duration = Duration::from_secs(1);

impl GameClock {
    /// A game begins: the clocks of the last one count no longer.
    pub fn new_game(&mut self) {
        self.stated = None;
    }

    /// A search of `root` begins whose clock runs since `since`. Returns its deadline, which is started unless the search
    /// has to wait for `ponderhit` or `stop`. `reaction` is what it takes from the end of a plan until the answer is out;
    /// `ponders_on_root` says whether the search ponders on the position that it will have to answer.
    pub fn begin(
        &mut self,
        limits: Limits,
        root: Option<&Position>,
        policy: TimePolicy,
        since: Instant,
        reaction: Duration,
        ponders_on_root: bool,
    ) -> Deadline {
        if let Some(clock) = limits.clock {
            self.stated = Some(clock);
            self.runs_since = if limits.ponder { None } else { Some(since) };
        }
        self.root = root.map(|root| (root.side(), root.move_number()));
        self.ponders_since = ponders_on_root.then_some(since);
        (self.policy, self.limits, self.deadline) = (policy, limits, Deadline::default());
        if !self.limits.holds_answer()
            && let Some(timer) = self.timer(since, reaction)
        {
            self.deadline.start(timer);
        }
        self.deadline.clone()
    }

    /// The pondered move was played at `now`; `clock` replaces the clocks of `go`. Starts the deadline, and returns
    /// whether the answer may go now: not where no search ponders, nor where one without end goes on, as it does where
    /// no clocks are stated. `last_answer` is when the last answer went out.
    pub fn ponderhit(
        &mut self,
        clock: Option<TimeControl>,
        now: Instant,
        last_answer: Option<Instant>,
        reaction: Duration,
    ) -> bool {
        if !self.limits.ponder {
            return false;
        }
        self.limits.ponder = false;
        self.limits.infinite &= clock.is_none();
        if self.limits.infinite {
            return false;
        }
        self.limits.clock = clock.or(self.limits.clock);
        if self.limits.is_open() {
            self.limits.clock = self.clock_after_last_move(last_answer);
        }
        if self.limits.is_open() {
            self.limits.move_time = Some(WITHOUT_CLOCK);
        }
        self.stated = self.limits.clock.or(self.stated);
        self.runs_since = Some(now);
        let pondered = self.ponders_since.take().filter(|_| self.policy.ponders);
        if let Some(Timer { since, plan }) = self.timer(now, reaction) {
            let plan = match pondered {
                Some(begin) => plan.after(now.saturating_duration_since(begin)),
                None => plan,
            };
            self.deadline.start(Timer { since, plan });
        }
        true
    }

    /// The search was stopped: a `ponderhit` that comes later changes nothing.
    pub fn stop(&mut self) {
        self.limits.ponder = false;
    }

    /// The clocks last stated, less the time of our own last move. An increment that may have come since is left out.
    fn clock_after_last_move(&self, last_answer: Option<Instant>) -> Option<TimeControl> {
        let mut clock = self.stated?;
        if let (Some(since), Some(answered), Some((side, _))) = (self.runs_since, last_answer, self.root) {
            let time = &mut clock.time[side];
            *time = time.saturating_sub(answered.saturating_duration_since(since));
        }
        Some(clock)
    }

    fn timer(&self, since: Instant, reaction: Duration) -> Option<Timer> {
        let (side, move_number) = self.root?;
        let plan = clock::plan(&self.limits, side, move_number, self.policy, reaction)?;
        Some(Timer { since, plan })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shogi::color::PerColor;

    const REACTION: Duration = Duration::from_millis(5);

    fn seconds(n: u64) -> Duration {
        Duration::from_secs(n)
    }

    fn clocks(time: u64) -> Option<TimeControl> {
        Some(TimeControl { time: PerColor([seconds(time); 2]), ..TimeControl::default() })
    }

    /// The clock of a search with these limits that began at `since`, and its deadline.
    fn begun(limits: Limits, policy: TimePolicy, since: Instant) -> (GameClock, Deadline) {
        let mut clock = GameClock::default();
        let ponders = limits.ponder;
        let deadline = clock.begin(limits, Some(&Position::start()), policy, since, REACTION, ponders);
        (clock, deadline)
    }

    fn stop_of(deadline: &Deadline) -> Option<Duration> {
        deadline.timer().map(|timer| timer.plan.stop)
    }

    #[test]
    fn a_search_without_ponder_has_its_deadline_at_once() {
        let now = Instant::now();
        let policy = TimePolicy::default();
        let limits = Limits { move_time: Some(seconds(2)), ..Limits::default() };
        let (mut clock, deadline) = begun(limits, policy, now);
        assert_eq!(stop_of(&deadline), Some(seconds(2) - policy.worst_delay - REACTION));
        assert!(!clock.ponderhit(clocks(60), now, None, REACTION), "no search ponders");
        let (_, deadline) = begun(Limits::default(), policy, now);
        assert!(deadline.timer().is_none(), "nothing limits `go` alone");
    }

    #[test]
    fn the_clock_runs_from_ponderhit_on() {
        let (begin, policy) = (Instant::now(), TimePolicy { ponders: true, ..TimePolicy::default() });
        let limits = Limits { clock: clocks(60), ponder: true, ..Limits::default() };
        let (mut clock, deadline) = begun(limits.clone(), policy, begin);
        assert!(deadline.timer().is_none());
        assert!(clock.ponderhit(None, begin + seconds(9), None, REACTION));
        let timer = deadline.timer().expect("the clock runs");
        assert_eq!(timer.since, begin + seconds(9));
        assert_eq!(
            timer.plan.ideal, timer.plan.least,
            "the move was thought about for longer than its share"
        );
        let (mut stopped, deadline) = begun(limits, policy, begin);
        stopped.stop();
        assert!(!stopped.ponderhit(None, begin, None, REACTION) && deadline.timer().is_none());
    }

    #[test]
    fn a_ponderhit_without_clocks_goes_by_those_last_stated() {
        let begin = Instant::now();
        let policy = TimePolicy::default();
        let limits = Limits { clock: clocks(60), ..Limits::default() };
        let (mut clock, first) = begun(limits, policy, begin);
        let ponder = Limits { ponder: true, ..Limits::default() };
        let root = Position::start();
        let mut ponderhit = |last_answer| {
            let deadline = clock.begin(ponder.clone(), Some(&root), policy, begin, REACTION, true);
            assert!(clock.ponderhit(None, begin + seconds(50), last_answer, REACTION));
            stop_of(&deadline)
        };
        // Our last move took 40 of the 60 seconds.
        let short = ponderhit(Some(begin + seconds(40)));
        assert!(short.is_some() && short < stop_of(&first), "{short:?}");
        clock.new_game();
        let deadline = clock.begin(ponder, Some(&root), policy, begin, REACTION, true);
        assert!(clock.ponderhit(None, begin, None, REACTION));
        assert_eq!(stop_of(&deadline), Some(WITHOUT_CLOCK - policy.worst_delay - REACTION));
    }

    #[test]
    fn a_search_without_end_goes_on_unless_clocks_are_stated() {
        let now = Instant::now();
        let limits = Limits { ponder: true, infinite: true, ..Limits::default() };
        for (stated, goes) in [(None, false), (clocks(60), true)] {
            let (mut clock, deadline) = begun(limits.clone(), TimePolicy::default(), now);
            assert_eq!(clock.ponderhit(stated, now, None, REACTION), goes);
            assert_eq!(deadline.timer().is_some(), goes);
        }
    }
}
