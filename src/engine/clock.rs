//! How long to think. Arithmetic only: the time now is always passed in.

use std::time::Duration;

use super::limits::{Limits, TimeControl};
use crate::shogi::color::Color;

/// When to begin no further iteration, and when to stop, counted from when the move's clock began to run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plan {
    /// No iteration begins after this.
    pub last_start: Duration,
    /// The search stops here, wherever it is.
    pub stop: Duration,
}

/// Time that is lost between the engine and whoever runs the clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Margins {
    /// Lost with a move on average; shortens what a move is given.
    pub average: Duration,
    /// Lost at worst; kept back where a limit must not be passed.
    pub worst: Duration,
}

impl Default for Margins {
    /// For a client on the same machine: a busy system wakes a process within 30 ms nearly always.
    fn default() -> Self {
        Margins { average: Duration::from_millis(10), worst: Duration::from_millis(30) }
    }
}

/// A search that may take no time at all still looks at a few positions.
const LEAST: Duration = Duration::from_millis(1);

/// The plan for a move of `side`, the `move_number`th of the game; `None` where time does not limit it.
pub fn plan(limits: &Limits, side: Color, move_number: u32, margins: Margins) -> Option<Plan> {
    if limits.infinite {
        return None;
    }
    let fixed = limits.move_time.map(|time| exactly(time, margins));
    let shared = limits.clock.map(|clock| share(&clock, side, move_number, margins));
    match (fixed, shared) {
        (Some(a), Some(b)) => {
            Some(Plan { last_start: a.last_start.min(b.last_start), stop: a.stop.min(b.stop) })
        }
        (fixed, shared) => fixed.or(shared),
    }
}

fn exactly(time: Duration, margins: Margins) -> Plan {
    let stop = time.saturating_sub(margins.worst).max(LEAST);
    Plan { last_start: stop, stop }
}

fn share(clock: &TimeControl, side: Color, move_number: u32, margins: Margins) -> Plan {
    let (time, increment) = (clock.time[side], clock.increment[side]);
    // Some clients add the coming increment to the time they state, others do not (ShogiHome). The larger of both is
    // there either way.
    let available = time.max(increment) + clock.byoyomi;
    let limit = exactly(available, margins);
    if time <= clock.byoyomi / 4 && increment.is_zero() {
        // Byoyomi comes again with each move: nothing is gained by leaving some of it.
        return limit;
    }
    // A game lasts some 110 to 130 moves; late ones are followed by fewer.
    let own_moves_to_come = 45u32.saturating_sub(move_number / 4).max(18);
    let each = time / own_moves_to_come + increment * 3 / 4 + clock.byoyomi;
    let each = each.saturating_sub(margins.average).max(LEAST).min(limit.stop);
    // An iteration takes a few times as long as the one before: one that begins after half the share ends beyond it.
    Plan { last_start: each / 2, stop: (each * 3).min(limit.stop) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shogi::color::PerColor;

    const fn ms(n: u64) -> Duration {
        Duration::from_millis(n)
    }

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
        let margins = Margins::default();
        for time in [0, 1, 50, 100, 1_000, 10_000, 60_000, 600_000, 36_000_000] {
            for increment in [0, 100, 2_000, 10_000] {
                for byoyomi in [0, 100, 1_000, 30_000] {
                    for move_number in [1, 40, 120, 300] {
                        let limits = clock(time, increment, byoyomi);
                        let plan = plan(&limits, Color::White, move_number, margins).unwrap();
                        assert!(plan.last_start <= plan.stop, "{limits:?}");
                        let usable = ms(time.max(increment) + byoyomi);
                        assert!(plan.stop <= usable.saturating_sub(margins.worst).max(LEAST), "{limits:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn figures() {
        let margins = Margins::default();
        let of = |limits: &Limits| plan(limits, Color::Black, 1, margins).map(|p| (p.last_start, p.stop));
        for (limits, expected) in [
            // Byoyomi alone is used up to the margin; so is a fixed time.
            (clock(0, 0, 200), Some((ms(170), ms(170)))),
            (Limits { move_time: Some(ms(200)), ..Limits::default() }, Some((ms(170), ms(170)))),
            // An increment that is not in the time yet is there all the same.
            (clock(0, 2_000, 0), Some((ms(745), ms(1_970)))),
            (clock(45_000, 0, 0), Some((ms(495), ms(2_970)))),
            (Limits { infinite: true, ..clock(1_000, 0, 0) }, None),
            (Limits { nodes: Some(100), ..Limits::default() }, None),
        ] {
            assert_eq!(of(&limits), expected, "{limits:?}");
        }
    }
}
