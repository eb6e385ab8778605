//! How a server counts time, and what the clocks of a game show. Arithmetic only: times are passed in.

use std::time::Duration;

use crate::engine::clock::TimePolicy;
use crate::engine::limits::TimeControl;
use crate::shogi::color::{Color, PerColor};

/// The time of one side, as a summary of a game states it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeRule {
    /// What the server counts in: a millisecond, a second or a minute.
    pub unit: Duration,
    /// Whether a unit that has begun counts (`Time_Roundup`); otherwise only full ones do.
    pub rounds_up: bool,
    /// What each move costs at least.
    pub least: Duration,
    /// The time for all moves; `None` where it has no limit.
    pub total: Option<Duration>,
    /// What each move may take once that is used up.
    pub byoyomi: Duration,
    /// What each move may take before the clock runs.
    pub delay: Duration,
    /// What is added at the beginning of each own turn (Fischer).
    pub increment: Duration,
}

impl Default for TimeRule {
    /// What the protocol says where a summary says nothing.
    fn default() -> Self {
        TimeRule {
            unit: Duration::from_secs(1),
            rounds_up: false,
            least: Duration::ZERO,
            total: None,
            byoyomi: Duration::ZERO,
            delay: Duration::ZERO,
            increment: Duration::ZERO,
        }
    }
}

impl TimeRule {
    /// Whether nothing limits a move.
    pub fn is_unlimited(&self) -> bool {
        self.total.is_none() && self.byoyomi.is_zero() && self.increment.is_zero()
    }

    /// What the server counts for a move that took `used`.
    pub fn charged(&self, used: Duration) -> Duration {
        let used = used.saturating_sub(self.delay);
        let unit = self.unit.as_nanos().max(1);
        let units = if self.rounds_up { used.as_nanos().div_ceil(unit) } else { used.as_nanos() / unit };
        let units = u32::try_from(units).unwrap_or(u32::MAX);
        self.unit.saturating_mul(units).max(self.least)
    }

    /// `units` of the server's clock as a time.
    pub fn time(&self, units: u64) -> Duration {
        self.unit.saturating_mul(u32::try_from(units).unwrap_or(u32::MAX))
    }

    /// How the engine is to spend its time, where moves lose `average` on the way, and `worst` at worst. `policy` is what
    /// the user sets: it is kept where it is more careful.
    pub fn policy(&self, policy: TimePolicy, average: Duration, worst: Duration) -> TimePolicy {
        let has_whole_units = self.unit >= Duration::from_secs(1);
        let average_delay = policy.average_delay.max(average);
        // Where a unit that has begun counts, the last one must not begin.
        let last_unit = if self.rounds_up { self.unit } else { Duration::ZERO };
        // What a move costs at least, and a unit that is cut, may be used up for nothing.
        let cut = if has_whole_units && !self.rounds_up { self.unit } else { Duration::ZERO };
        let free = (self.delay + self.least + cut).saturating_sub(average_delay);
        TimePolicy {
            average_delay,
            worst_delay: policy.worst_delay.max(worst) + last_unit,
            min_time: policy.min_time.max(free),
            full_seconds: policy.full_seconds || has_whole_units,
            ..policy
        }
    }
}

/// The clocks of a game, by what the server says of each move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ServerClock {
    rules: PerColor<TimeRule>,
    /// Without the increment of the turn that runs or comes next.
    left: PerColor<Duration>,
}

impl ServerClock {
    /// Before the first move.
    pub fn new(rules: PerColor<TimeRule>) -> ServerClock {
        let left = PerColor(rules.0.map(|rule| rule.total.unwrap_or_default()));
        ServerClock { rules, left }
    }

    /// How the time of `color` is counted.
    pub fn rule(&self, color: Color) -> &TimeRule {
        &self.rules[color]
    }

    /// A move of `color` took `time`, as the server counts. Returns whether that adds up: whether there was so much time.
    /// Where there was not, nothing is left.
    pub fn charge(&mut self, color: Color, time: Duration) -> bool {
        let rule = &self.rules[color];
        let available = self.left[color].saturating_add(rule.increment);
        self.left[color] = available.saturating_sub(time);
        rule.is_unlimited() || time <= available.saturating_add(rule.byoyomi)
    }

    /// What `color` may take for a move at most; `None` where nothing limits it.
    pub fn available(&self, color: Color) -> Option<Duration> {
        let TimeRule { byoyomi, increment, delay, .. } = self.rules[color];
        let parts = [byoyomi, increment, delay];
        (!self.rules[color].is_unlimited())
            .then(|| parts.iter().fold(self.left[color], |sum, part| sum.saturating_add(*part)))
    }

    /// What `color` has left, without byoyomi.
    pub fn left(&self, color: Color) -> Duration {
        self.left[color]
    }

    /// The clocks as the engine gets them; `None` where nothing limits `color`.
    ///
    /// A server that adds the increment after a move has one less before the first: the engine gets the time without
    /// the increment of its turn, and the increment beside it. Time before the clock runs is there for each move, so it counts
    /// as an increment that is there already.
    pub fn control(&self, color: Color) -> Option<TimeControl> {
        if self.rules[color].is_unlimited() {
            return None;
        }
        let of = |part: fn(&TimeRule) -> Duration| PerColor(Color::ALL.map(|color| part(&self.rules[color])));
        let delay = of(|rule| rule.delay);
        let mut control = TimeControl {
            time: self.left,
            increment: of(|rule| rule.increment),
            byoyomi: self.rules[color].byoyomi,
        };
        for color in Color::ALL {
            control.time[color] = control.time[color].saturating_add(delay[color]);
            control.increment[color] = control.increment[color].saturating_add(delay[color]);
        }
        Some(control)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const fn ms(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    const fn s(n: u64) -> Duration {
        Duration::from_secs(n)
    }

    fn rule() -> TimeRule {
        TimeRule { total: Some(s(60)), ..TimeRule::default() }
    }

    #[test]
    fn a_move_is_charged_as_the_server_counts() {
        let up = TimeRule { rounds_up: true, ..rule() };
        let least = TimeRule { least: s(1), ..rule() };
        let delay = TimeRule { delay: s(3), ..rule() };
        let minutes = TimeRule { unit: s(60), ..rule() };
        let exact = TimeRule { unit: ms(1), ..rule() };
        for (rule, used, charged) in [
            (rule(), 999, 0),
            (rule(), 1_000, 1_000),
            (rule(), 12_999, 12_000),
            (up, 1, 1_000),
            (up, 1_000, 1_000),
            (up, 1_001, 2_000),
            (least, 10, 1_000),
            (least, 2_500, 2_000),
            (delay, 3_900, 0),
            (delay, 5_100, 2_000),
            (minutes, 59_999, 0),
            (minutes, 60_000, 60_000),
            (exact, 1_234, 1_234),
        ] {
            assert_eq!(rule.charged(ms(used)), ms(charged), "{rule:?} {used}");
        }
    }

    #[test]
    fn clocks_follow_what_the_server_says() {
        let fischer = TimeRule { increment: s(10), ..rule() };
        let byoyomi = TimeRule { byoyomi: s(5), ..rule() };
        let mut clock = ServerClock::new(PerColor([fischer, byoyomi]));
        assert!(clock.charge(Color::Black, s(30)) && clock.charge(Color::White, s(30)));
        assert_eq!((clock.left(Color::Black), clock.left(Color::White)), (s(40), s(30)));
        assert_eq!(clock.available(Color::Black), Some(s(50)));
        assert_eq!(clock.available(Color::White), Some(s(35)));
        assert!(clock.charge(Color::White, s(35)), "the rest and the byoyomi");
        assert_eq!(clock.left(Color::White), Duration::ZERO);
        assert!(!clock.charge(Color::White, s(6)), "more than the byoyomi");
        assert!(!clock.charge(Color::Black, s(51)));
        assert_eq!(clock.left(Color::Black), Duration::ZERO);
        let unlimited = ServerClock::new(PerColor([TimeRule::default(); 2]));
        assert!(unlimited.control(Color::Black).is_none() && unlimited.available(Color::White).is_none());
    }

    #[test]
    fn the_engine_gets_the_clocks_and_what_comes_again() {
        let black = TimeRule { increment: s(10), ..rule() };
        let white = TimeRule { delay: s(3), byoyomi: s(5), ..rule() };
        let clock = ServerClock::new(PerColor([black, white]));
        let control = clock.control(Color::Black).expect("there is a limit");
        assert_eq!(control.time, PerColor([s(60), s(63)]));
        assert_eq!(control.increment, PerColor([s(10), s(3)]));
        assert_eq!(control.byoyomi, Duration::ZERO);
        assert_eq!(clock.control(Color::White).map(|control| control.byoyomi), Some(s(5)));
    }

    #[test]
    fn what_is_lost_on_the_way_and_what_is_cut_count() {
        let user = TimePolicy::default();
        let of = |rule: TimeRule| rule.policy(user, ms(100), ms(300));
        let seconds = of(rule());
        assert_eq!((seconds.average_delay, seconds.worst_delay), (ms(100), ms(300)));
        assert_eq!((seconds.full_seconds, seconds.min_time), (true, ms(900)));
        let up = of(TimeRule { rounds_up: true, ..rule() });
        assert_eq!((up.worst_delay, up.min_time), (ms(1_300), user.min_time));
        assert_eq!(of(TimeRule { least: s(1), ..rule() }).min_time, ms(1_900));
        let exact = of(TimeRule { unit: ms(1), ..rule() });
        assert_eq!((exact.full_seconds, exact.min_time), (false, user.min_time));
        let careful = TimePolicy { worst_delay: s(2), average_delay: s(1), ..user };
        let policy = rule().policy(careful, ms(100), ms(300));
        assert_eq!((policy.average_delay, policy.worst_delay), (s(1), s(2)));
    }

    proptest! {
        #[test]
        fn a_charge_is_within_a_unit_of_what_was_used(
            used in 0u64..10_000_000,
            unit in prop::sample::select(vec![1u64, 1_000, 60_000]),
            rounds_up: bool,
            least in 0u64..3_000,
            delay in 0u64..3_000,
        ) {
            let rule = TimeRule { unit: ms(unit), rounds_up, least: ms(least), delay: ms(delay), ..rule() };
            let (charged, counted) = (rule.charged(ms(used)), ms(used.saturating_sub(delay)));
            prop_assert!(charged >= ms(least));
            prop_assert!(charged <= (counted + ms(unit)).max(ms(least)));
            prop_assert!(charged + ms(unit) >= counted);
        }

        #[test]
        fn no_clock_is_broken_by_what_a_server_says(times in prop::collection::vec(any::<u64>(), 0..20)) {
            let mut clock = ServerClock::new(PerColor([TimeRule { increment: s(1), ..rule() }; 2]));
            for (ply, units) in times.into_iter().enumerate() {
                let color = Color::ALL[ply % 2];
                let time = clock.rule(color).time(units);
                clock.charge(color, time);
                prop_assert!(clock.control(color).is_some());
            }
        }
    }
}
