//! What the course of a search says about the time it should get. Arithmetic only, as in [`clock`](super::clock).

use std::time::Duration;

use super::clock::Plan;
use crate::search::value::{Mate, Value};
use crate::shogi::moves::Move;

/// Iterations that a sole legal move gets, for a reply to ponder on.
const SOLE_MOVE_DEPTH: u32 = 3;

/// No iteration starts after this part of the move's share: it takes a few times as long as the one before, and would end
/// far beyond the share.
const LAST_START: f64 = 0.6;

/// An iteration under way is broken off after this many shares.
const BREAK_OFF: f64 = 1.5;

/// A value that falls by this much gets twice the time, in units.
const LARGE_DROP: f64 = 150.0;

/// A value that falls by less is as good as steady.
const SMALL_DROP: i32 = 30;

/// Follows the iterations of a search.
#[derive(Clone, Debug, Default)]
pub struct TimeManager {
    /// Whether there is one move to choose from.
    sole_move: bool,
    /// Whether several lines are searched: then a mate on the best one does not end the search.
    multi_pv: bool,
    best: Option<(Move, Value)>,
    /// How often the best move has changed; each iteration halves the weight of older changes.
    best_move_changes: f64,
    /// How far the value of the running or last iteration is below that of the one before.
    value_drop: i32,
    /// Whether the running iteration has a best move yet.
    has_best_move: bool,
    /// Whether the running iteration began by the plan, and not while the opponent's clock ran.
    is_planned: bool,
    /// How many iterations have ended.
    iterations: u32,
    /// The end of the search, once it is decided.
    end: Option<Duration>,
}

impl TimeManager {
    /// Follows a search with one move to choose from, or more, and for one line, or several.
    pub fn new(sole_move: bool, multi_pv: bool) -> TimeManager {
        TimeManager { sole_move, multi_pv, ..TimeManager::default() }
    }

    /// The running iteration has found a best line, or a better one.
    pub fn improved(&mut self, value: Value) {
        self.has_best_move = true;
        if let Some((_, before)) = self.best {
            self.value_drop = (before.units() - value.units()).max(0);
        }
    }

    /// An iteration has ended with this best move.
    pub fn finished(&mut self, mv: Move, value: Value) {
        self.improved(value);
        self.best_move_changes /= 2.0;
        if self.best.is_some_and(|(before, _)| before != mv) {
            self.best_move_changes += 1.0;
        }
        self.best = Some((mv, value));
        (self.has_best_move, self.is_planned) = (false, false);
        self.iterations += 1;
    }

    /// The share of the plan's ideal time that the move should get: six tenths where all iterations agree, up to three times
    /// the ideal where the best move changes and its value falls.
    pub fn factor(&self) -> f64 {
        let drop = f64::from(if self.value_drop < SMALL_DROP { 0 } else { self.value_drop });
        (0.6 + 0.6 * self.best_move_changes).min(1.5) * (1.0 + drop / LARGE_DROP).min(2.0)
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
        // A plan does not let such an iteration begin, but there is none while the opponent's clock runs.
        let has_nothing_to_choose = self.sole_move && self.iterations >= SOLE_MOVE_DEPTH || self.has_won();
        if elapsed >= plan.stop || self.end.is_some_and(|end| elapsed >= end) || has_nothing_to_choose {
            return true;
        }
        // An iteration is not broken off before it knows whether the best move still holds. One that began on the opponent's
        // time may be far longer than the plan, so it is not waited for.
        let may_break_off = if self.has_best_move {
            self.value_drop < SMALL_DROP
        } else {
            !self.is_planned && self.iterations > 0
        };
        !plan.use_all
            && may_break_off
            && elapsed >= plan.rounded(plan.ideal.mul_f64(self.factor() * BREAK_OFF).max(plan.least))
    }

    fn has_won(&self) -> bool {
        !self.multi_pv
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
    fn changing_best_moves_and_falling_values_get_more_time() {
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
    fn a_sole_move_and_a_won_game_need_no_time() {
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
