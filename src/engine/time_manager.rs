//! What the course of a search says about the time it should get. Arithmetic only, as in [`clock`](super::clock).

use std::time::Duration;

use super::clock::Plan;
use crate::search::value::{Mate, Value};
use crate::shogi::moves::Move;

/// Iterations that a sole legal move gets, for a reply to ponder on.
const SOLE_MOVE_DEPTH: u32 = 3;

/// An iteration takes a few times as long as the one before: one that begins after this part of the share would end
/// far beyond it.
const LAST_START: f64 = 0.6;

/// An iteration under way is broken off after this many shares.
const BREAK_OFF: f64 = 1.5;

/// A value that falls by this much gets twice the time, in hundredths of a pawn.
const GREAT_FALL: f64 = 150.0;

/// A value that falls by less is as good as steady.
const SLIGHT_FALL: i32 = 30;

/// Follows a search.
#[derive(Clone, Debug, Default)]
pub struct TimeManager {
    /// Whether there is nothing to choose.
    sole_move: bool,
    /// Whether more lines than the best one are wanted, which a mate on that one does not settle.
    several_lines: bool,
    best: Option<(Move, Value)>,
    /// How often the best move has changed; an older change counts half with each iteration.
    changes: f64,
    /// How far the value of the running or last iteration is below that of the one before.
    fall: i32,
    /// Whether the running iteration has a best move yet.
    known: bool,
    /// Whether it was begun by the plan, and not while the opponent's clock ran.
    is_planned: bool,
    /// How many have ended.
    iterations: u32,
    /// The end that was decided on.
    end: Option<Duration>,
}

impl TimeManager {
    /// Follows a search from a position where there is only one move to play, or more, for the best line or several.
    pub fn new(sole_move: bool, several_lines: bool) -> TimeManager {
        TimeManager { sole_move, several_lines, ..TimeManager::default() }
    }

    /// The running iteration has found a best line, or a better one.
    pub fn improved(&mut self, value: Value) {
        self.known = true;
        if let Some((_, before)) = self.best {
            self.fall = (before.centipawns() - value.centipawns()).max(0);
        }
    }

    /// An iteration has ended with this best move.
    pub fn finished(&mut self, mv: Move, value: Value) {
        self.improved(value);
        self.changes /= 2.0;
        if self.best.is_some_and(|(before, _)| before != mv) {
            self.changes += 1.0;
        }
        self.best = Some((mv, value));
        (self.known, self.is_planned) = (false, false);
        self.iterations += 1;
    }

    /// How much of the plan's ideal the move should get: six tenths where all iterations agree, three times as much or
    /// more where the best move changes and falls.
    pub fn factor(&self) -> f64 {
        let fall = f64::from(if self.fall < SLIGHT_FALL { 0 } else { self.fall });
        (0.6 + 0.6 * self.changes).min(1.5) * (1.0 + fall / GREAT_FALL).min(2.0)
    }

    /// Whether iteration `depth` is worth its start.
    pub fn may_start(&mut self, plan: &Plan, elapsed: Duration, depth: u32) -> bool {
        self.is_planned = true;
        if depth == 1 {
            return true;
        }
        if elapsed >= plan.stop || self.sole_move && depth > SOLE_MOVE_DEPTH || self.has_won() {
            return false;
        }
        if plan.use_all || elapsed < plan.ideal.mul_f64(self.factor() * LAST_START).max(plan.least) {
            return true;
        }
        let end = plan.rounded(elapsed);
        self.end = Some(end);
        end > elapsed
    }

    /// Whether to break off the running iteration.
    pub fn must_stop(&self, plan: &Plan, elapsed: Duration) -> bool {
        // No plan lets such an iteration begin, but while the opponent's clock ran there was none to ask.
        let has_nothing_to_choose = self.sole_move && self.iterations >= SOLE_MOVE_DEPTH || self.has_won();
        if elapsed >= plan.stop || self.end.is_some_and(|end| elapsed >= end) || has_nothing_to_choose {
            return true;
        }
        // Not before the iteration has said whether the best move still holds. One that began on the opponent's time may
        // be far longer than the plan: that does not wait for it.
        let calm = if self.known { self.fall < SLIGHT_FALL } else { !self.is_planned && self.iterations > 0 };
        !plan.use_all
            && calm
            && elapsed >= plan.rounded(plan.ideal.mul_f64(self.factor() * BREAK_OFF).max(plan.least))
    }

    fn has_won(&self) -> bool {
        !self.several_lines
            && self.best.is_some_and(|(_, value)| matches!(value.mate_distance(), Some(Mate::Gives(_))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    const PLAN: Plan =
        Plan { ideal: ms(1_000), least: ms(20), stop: ms(3_000), use_all: false, full_seconds: None };

    /// After iterations with these best moves and values.
    fn after(iterations: &[(&str, i32)]) -> TimeManager {
        let mut time_manager = TimeManager::new(false, false);
        for (mv, value) in iterations {
            time_manager.finished(mv.parse().unwrap(), Value::new(*value));
        }
        time_manager
    }

    /// When the last iteration may start, in milliseconds.
    fn last_start(time_manager: &TimeManager, plan: &Plan) -> u64 {
        (0..4_000).take_while(|&t| time_manager.clone().may_start(plan, ms(t), 9)).count() as u64
    }

    #[test]
    fn doubt_gets_more_time_and_agreement_less() {
        let plain = after(&[("7g7f", 10), ("7g7f", 12), ("7g7f", 11)]);
        let changing = after(&[("7g7f", 10), ("2g2f", 12), ("7g7f", 14)]);
        let falling = after(&[("7g7f", 10), ("7g7f", 12), ("7g7f", -100)]);
        let both = after(&[("7g7f", 10), ("2g2f", 12), ("7g7f", -300)]);
        let starts = [&plain, &changing, &falling, &both].map(|time_manager| last_start(time_manager, &PLAN));
        assert_eq!(starts, [360, 900, 629, 1_800]);
        // Byoyomi is not saved.
        assert_eq!(last_start(&plain, &Plan { use_all: true, ..PLAN }), 3_000);
        // A user wants this much of every move.
        assert_eq!(last_start(&plain, &Plan { least: ms(700), ..PLAN }), 700);
    }

    #[test]
    fn an_iteration_is_broken_off_once_its_best_move_holds() {
        let mut time_manager = after(&[("7g7f", 10), ("7g7f", 12)]);
        assert!(time_manager.may_start(&PLAN, ms(300), 3));
        assert!(!time_manager.must_stop(&PLAN, ms(2_900)));
        time_manager.improved(Value::new(-200));
        assert!(!time_manager.must_stop(&PLAN, ms(2_900)));
        time_manager.improved(Value::new(15));
        assert!(time_manager.must_stop(&PLAN, ms(900)) && !time_manager.must_stop(&PLAN, ms(800)));
        assert!(after(&[]).must_stop(&PLAN, ms(3_000)));
    }

    #[test]
    fn nothing_to_choose_needs_no_time() {
        let mut sole = TimeManager::new(true, false);
        assert!(sole.may_start(&PLAN, ms(0), 3) && !sole.may_start(&PLAN, ms(0), 4));
        let mut won = TimeManager::new(false, false);
        won.finished("7g7f".parse().unwrap(), Value::mate_in(5));
        assert!(!won.may_start(&PLAN, ms(0), 4));
        assert!(won.may_start(&PLAN, ms(0), 1));
        let mut several = TimeManager::new(false, true);
        several.finished("7g7f".parse().unwrap(), Value::mate_in(5));
        assert!(several.may_start(&PLAN, ms(0), 4));
    }

    #[test]
    fn an_iteration_begun_on_the_opponents_time_does_not_use_up_ours() {
        let hit = Plan { ideal: PLAN.least, ..PLAN };
        let mut time_manager = after(&[("7g7f", 10), ("7g7f", 12)]);
        assert!(time_manager.must_stop(&hit, ms(20)) && !time_manager.must_stop(&hit, ms(19)));
        // Where it has found that the best move is bad, it may say what is better.
        time_manager.improved(Value::new(-200));
        assert!(!time_manager.must_stop(&hit, ms(2_900)));
        assert!(!after(&[]).must_stop(&hit, ms(2_900)), "there is nothing to answer yet");
        let mut won = TimeManager::new(false, false);
        won.finished("7g7f".parse().unwrap(), Value::mate_in(5));
        assert!(won.must_stop(&PLAN, ms(1)));
        let mut sole = TimeManager::new(true, false);
        for finished in [false, false, false, true] {
            assert_eq!(sole.must_stop(&PLAN, ms(1)), finished);
            sole.finished("7g7f".parse().unwrap(), Value::new(0));
        }
    }

    #[test]
    fn a_second_that_has_begun_is_used_up() {
        let plan = Plan { full_seconds: Some(ms(100)), ..PLAN };
        let mut time_manager = after(&[("7g7f", 10), ("7g7f", 12), ("7g7f", 11)]);
        assert!(time_manager.may_start(&plan, ms(500), 9));
        assert!(!time_manager.must_stop(&plan, ms(899)) && time_manager.must_stop(&plan, ms(900)));
    }
}
