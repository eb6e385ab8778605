//! How long to think. Arithmetic only: the time now is always passed in.

use std::time::Duration;

use super::limits::{Limits, TimeControl};
use crate::shogi::color::Color;

/// What a move may take, counted from when its clock began to run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plan {
    /// What the move should take as long as nothing speaks for more or less.
    pub ideal: Duration,
    /// What the move takes at least where there is something to choose.
    pub least: Duration,
    /// The search stops here, wherever it is.
    pub stop: Duration,
    /// Whether time that is left over is lost: then nothing speaks for less.
    pub use_all: bool,
    /// Time lost on the way, where the clock counts whole seconds: a second that has begun may be used up.
    pub full_seconds: Option<Duration>,
}

impl Plan {
    /// The latest end that costs no more than ending at `elapsed`.
    pub fn rounded(&self, elapsed: Duration) -> Duration {
        self.full_seconds.map_or(elapsed, |lost| used_up(elapsed, lost)).min(self.stop)
    }

    /// The plan of a move that was thought about for so long before its clock ran.
    pub fn after(self, thought: Duration) -> Plan {
        if self.use_all {
            return self;
        }
        Plan { ideal: self.ideal.saturating_sub(thought).max(self.least), ..self }
    }
}

/// The end of the second that has begun at `elapsed`, where the clock counts whole seconds and `lost` of it is lost on the
/// way. A server that rounds down takes nothing for a second that is not full; one that rounds up has taken it already.
fn used_up(elapsed: Duration, lost: Duration) -> Duration {
    let seconds = (elapsed + lost).as_secs() + 1;
    Duration::from_secs(seconds).saturating_sub(lost).max(elapsed)
}

/// The options about time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimePolicy {
    /// Lost with a move on average; shortens what a move is given.
    pub average_delay: Duration,
    /// Lost at worst; kept back where a limit must not be passed.
    pub worst_delay: Duration,
    /// What a move takes at least, as far as the clock has it.
    pub min_time: Duration,
    /// What a move is given, in percent of what the engine would give it.
    pub percent: u32,
    /// Whether the clock counts whole seconds.
    pub full_seconds: bool,
    /// Whether the engine thinks on the opponent's time as well.
    pub ponders: bool,
}

impl Default for TimePolicy {
    /// For a client on the same machine: a busy system wakes a process within 40 ms nearly always.
    fn default() -> Self {
        TimePolicy {
            average_delay: Duration::from_millis(10),
            worst_delay: Duration::from_millis(40),
            min_time: Duration::from_millis(20),
            percent: 100,
            full_seconds: false,
            ponders: false,
        }
    }
}

/// A search without time still looks at a few positions.
const MIN_TIME: Duration = Duration::from_millis(1);

/// The time of a hasty move.
const HASTY: Duration = Duration::from_millis(5);

/// A clock that has less is about to run out.
const SHORT: Duration = Duration::from_secs(10);

/// How much longer than planned a move may take where it gets worse, as long as the clock allows.
const STRETCH: u32 = 3;

/// The plan for a move of `side`, the `move_number`th of the game; `None` where time does not limit it. `reaction` is
/// what it takes from the end of a plan until the answer is out.
pub fn plan(
    limits: &Limits,
    side: Color,
    move_number: u32,
    policy: TimePolicy,
    reaction: Duration,
) -> Option<Plan> {
    if limits.infinite {
        return None;
    }
    let fixed = limits.move_time.map(|time| all_of(usable(time, policy, reaction)));
    let shared = limits.clock.map(|clock| share_of_clock(&clock, side, move_number, policy, reaction));
    match (fixed, shared) {
        (Some(a), Some(b)) => {
            Some(Plan { ideal: a.ideal.min(b.ideal), stop: a.stop.min(b.stop), use_all: false, ..b })
        }
        (fixed, shared) => fixed.or(shared),
    }
}

/// A time for a move that should take about `time`, so that games that begin alike go different ways: up to half as much
/// again, for a `chance` from 0 to 1, and less from the 20th move on.
pub fn varied(time: Duration, move_number: u32, chance: f64) -> Duration {
    let most = (time / 2).min((time / move_number.max(1)).saturating_mul(10));
    time.saturating_add(most.mul_f64(chance.clamp(0.0, 1.0)))
}

/// The part of `time` that may be used, so that the answer is out before it ends.
fn usable(time: Duration, policy: TimePolicy, reaction: Duration) -> Duration {
    // Of a very short time a half is thought, less what is lost on the way at worst.
    time.saturating_sub(policy.worst_delay + reaction)
        .max((time / 2).saturating_sub(policy.worst_delay))
        .max(MIN_TIME)
}

/// Uses up `time`, where what is left of it is lost.
fn all_of(time: Duration) -> Plan {
    Plan { ideal: time, least: Duration::ZERO, stop: time, use_all: true, full_seconds: None }
}

/// A share of the game's clock, with what is added to it for each move.
fn share_of_clock(
    clock: &TimeControl,
    side: Color,
    move_number: u32,
    policy: TimePolicy,
    reaction: Duration,
) -> Plan {
    let (time, increment) = (clock.time[side], clock.increment[side]);
    // Some clients add the coming increment to the time they state, others do not (ShogiHome). The larger of both is
    // there either way.
    let available = time.max(increment) + clock.byoyomi;
    let limit = usable(available, policy, reaction);
    if time <= clock.byoyomi / 4 && increment.is_zero() {
        // Byoyomi comes again with each move: nothing is gained by leaving some of it.
        return all_of(limit);
    }
    // A game lasts some 110 to 130 moves; late ones are followed by fewer.
    let own_moves_to_come = 45u32.saturating_sub(move_number / 4).max(22);
    let comes_again = increment * 3 / 4 + clock.byoyomi;
    let reserved = if comes_again.is_zero() { reserve(time, move_number) } else { Duration::ZERO };
    let each = (time - reserved) / own_moves_to_come + comes_again;
    // Moves that were expected will take less than this.
    let percent = if policy.ponders { policy.percent * 5 / 4 } else { policy.percent };
    let each = each.saturating_sub(policy.average_delay) * percent / 100;
    // The least time that a user wants must not use up the clock before the game is over: a short clock gives less than
    // in proportion, and it is not stretched.
    let share = time.div_duration_f64(SHORT).min(1.0) / 8.0;
    let least = policy.min_time.min(time.mul_f64(share) + comes_again);
    let ideal = each.max(least).max(MIN_TIME).min(limit);
    let full_seconds = policy.full_seconds.then_some(policy.average_delay);
    let longest = each * STRETCH;
    let longest = full_seconds.map_or(longest, |lost| used_up(longest, lost));
    Plan { ideal, least: least.min(ideal), stop: longest.max(ideal).min(limit), use_all: false, full_seconds }
}

/// What a clock without increment keeps for a game that lasts longer than others: the time of a hasty move for each own
/// move up to the 320th of the game, and for 40 at least.
fn reserve(time: Duration, move_number: u32) -> Duration {
    let moves = 320u32.saturating_sub(move_number).max(80) / 2;
    (HASTY * moves).min(time / 4 * 3)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shogi::color::PerColor;

    const fn ms(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    const REACTION: Duration = ms(5);

    fn clock(time: u64, increment: u64, byoyomi: u64) -> Limits {
        Limits {
            clock: Some(TimeControl {
                time: PerColor([ms(time); 2]),
                increment: PerColor([ms(increment); 2]),
                byoyomi: ms(byoyomi),
            }),
            ..Limits::default()
        }
    }

    #[test]
    fn every_clock_has_a_plan_within_it() {
        let rushed = TimePolicy { min_time: ms(2_000), percent: 1_000, ..TimePolicy::default() };
        let slow =
            TimePolicy { average_delay: ms(120), worst_delay: ms(1_120), full_seconds: true, ..rushed };
        for policy in [TimePolicy::default(), rushed, slow] {
            for time in [0, 1, 50, 100, 1_000, 10_000, 60_000, 600_000, 36_000_000] {
                for increment in [0, 100, 2_000, 10_000] {
                    for byoyomi in [0, 100, 1_000, 30_000] {
                        for move_number in [1, 40, 120, 300] {
                            let limits = clock(time, increment, byoyomi);
                            let plan = plan(&limits, Color::White, move_number, policy, REACTION).unwrap();
                            assert!(plan.ideal <= plan.stop, "{limits:?}");
                            let usable = ms(time.max(increment) + byoyomi);
                            assert!(
                                plan.stop <= usable.saturating_sub(policy.worst_delay).max(MIN_TIME),
                                "{limits:?}"
                            );
                            assert!(plan.rounded(plan.ideal) <= plan.stop, "{limits:?}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn usual_clocks_have_the_expected_plans() {
        let policy = TimePolicy::default();
        let of = |limits: &Limits| plan(limits, Color::Black, 1, policy, REACTION).map(|p| (p.ideal, p.stop));
        for (limits, expected) in [
            // Byoyomi alone is used up to the margin; so is a fixed time.
            (clock(0, 0, 200), Some((ms(155), ms(155)))),
            (Limits { move_time: Some(ms(200)), ..Limits::default() }, Some((ms(155), ms(155)))),
            // An increment that is not in the time yet is there all the same.
            (clock(0, 2_000, 0), Some((ms(1_490), ms(1_955)))),
            (clock(45_795, 0, 0), Some((ms(990), ms(2_970)))),
            (Limits { infinite: true, ..clock(1_000, 0, 0) }, None),
            (Limits { nodes: Some(100), ..Limits::default() }, None),
        ] {
            assert_eq!(of(&limits), expected, "{limits:?}");
        }
    }

    #[test]
    fn a_clock_lasts_for_a_long_game() {
        // Every move takes all that its plan lets it take, and 3 ms more.
        let mut left = 10_000;
        for move_number in (37..=400).step_by(2) {
            let plan =
                plan(&clock(left, 0, 0), Color::Black, move_number, TimePolicy::default(), REACTION).unwrap();
            left = left.saturating_sub(plan.stop.as_millis() as u64 + 3);
        }
        assert!(left > 0, "the clock has run out");
    }

    #[test]
    fn options_change_the_plan() {
        let of = |limits: &Limits, policy| plan(limits, Color::Black, 1, policy, REACTION).unwrap();
        let usual = TimePolicy::default();
        let long = clock(45_795, 0, 0);
        assert_eq!(of(&long, TimePolicy { percent: 50, ..usual }).ideal, ms(495));
        assert_eq!(of(&long, TimePolicy { min_time: ms(2_000), ..usual }).ideal, ms(2_000));
        assert_eq!(of(&long, TimePolicy { average_delay: ms(100), ..usual }).ideal, ms(900));
        // Of a clock that is nearly empty, hardly anything.
        assert_eq!(
            of(&clock(5_000, 0, 0), TimePolicy { min_time: ms(2_000), ..usual }).ideal,
            Duration::from_micros(312_500)
        );
        assert_eq!(of(&clock(400, 0, 0), TimePolicy { min_time: ms(2_000), ..usual }).ideal, ms(2));
        // With pondering a move has a quarter more, less the time that was pondered.
        let ponders = of(&long, TimePolicy { ponders: true, ..usual });
        assert_eq!(ponders.ideal, Duration::from_micros(1_237_500));
        assert_eq!(ponders.after(ms(1_000)).ideal, Duration::from_micros(237_500));
        assert_eq!(ponders.after(ms(5_000)), Plan { ideal: ponders.least, ..ponders });
        let byoyomi = of(&clock(0, 0, 1_000), TimePolicy { ponders: true, ..usual });
        assert_eq!(byoyomi.after(ms(5_000)), of(&clock(0, 0, 1_000), usual));
        let late = TimePolicy { worst_delay: ms(1_120), ..usual };
        assert_eq!(of(&clock(0, 0, 3_000), late).stop, ms(1_875));
        // Nothing is left of it, but something is always thought.
        assert_eq!(of(&clock(0, 0, 100), late).stop, MIN_TIME);
    }

    #[test]
    fn a_varied_time_stays_within_its_limits() {
        for (move_number, chance, expected) in
            [(0, 0.0, 1_000), (1, 1.0, 1_500), (20, 1.0, 1_500), (40, 0.5, 1_125), (100, 1.0, 1_100)]
        {
            assert_eq!(varied(ms(1_000), move_number, chance), ms(expected), "{move_number}");
        }
        assert_eq!(varied(Duration::ZERO, 1, 1.0), Duration::ZERO);
        assert_eq!(varied(Duration::MAX, 1, 1.0), Duration::MAX);
    }

    #[test]
    fn whole_seconds_are_used_up() {
        let policy = TimePolicy { average_delay: ms(120), full_seconds: true, ..TimePolicy::default() };
        let plan = plan(&clock(60_000, 0, 0), Color::Black, 1, policy, REACTION).unwrap();
        for (elapsed, end) in [(0, 880), (300, 880), (880, 1_880), (900, 1_880), (1_200, 1_880)] {
            assert_eq!(plan.rounded(ms(elapsed)), ms(end), "{elapsed}");
        }
        assert_eq!(plan.rounded(ms(60_000)), plan.stop);
        // Also where little is to be spent: what the clock has left is the only limit.
        let stop = |time| super::plan(&clock(time, 0, 0), Color::Black, 61, policy, REACTION).unwrap().stop;
        for (time, end) in [(10_000, 880), (30_000, 2_880), (900, 855)] {
            assert_eq!(stop(time), ms(end), "{time}");
        }
        let exact = Plan { full_seconds: None, ..plan };
        assert_eq!(exact.rounded(ms(1_200)), ms(1_200));
    }
}
