//! The search by realization probability (Tsuruoka, Yokoyama and Chikayama 2002).
//!
//! A line is followed while the product of its moves' probabilities stays above a threshold; in logarithms, while a
//! budget lasts. What a move costs is its category's to say. A move that does not look likely but turns out better
//! than what was known is searched again as if it had the probability ½.

use super::budget::Budget;
use super::order::Candidate;
use super::searcher::{Opened, Searcher, Stopped, Tried};
use super::value::Value;
use crate::shogi::generate::{self, MoveList};

impl Searcher<'_> {
    /// The value of a node that may still spend `left`, for the side to move. Fail-soft: outside the window it is a
    /// bound.
    pub fn by_probability(
        &mut self,
        ply: usize,
        left: Budget,
        mut alpha: Value,
        mut beta: Value,
    ) -> Result<Value, Stopped> {
        // Step 1. A leaf is a node less probable than the threshold, strictly (§2.1).
        if left < Budget::ZERO {
            self.control.leaf(ply);
            return self.quiescence(ply, 0, alpha, beta);
        }

        // Step 2. What every inner node asks first.
        let quiet = match self.settle(ply, left, &mut alpha, &mut beta)? {
            Opened::Settled(value) => return Ok(value),
            Opened::Open { quiet } => quiet,
        };

        // Step 3. Good enough without a move.
        if alpha + 1 >= beta {
            if self.is_far_above(left, beta, quiet) {
                return Ok(quiet);
            }
            if self.holds_when_passing(ply, left, beta, quiet)? {
                return Ok(beta);
            }
        }
        // Step 4. A mate that takes longer than what is left.
        if let Some(value) = self.mate_by_slice(ply, left, (alpha, beta), quiet)? {
            return Ok(value);
        }
        self.inner_by_probability(ply, left, alpha, beta, quiet)
    }

    /// What comes after the first look at an inner node.
    fn inner_by_probability(
        &mut self,
        ply: usize,
        left: Budget,
        mut alpha: Value,
        beta: Value,
        quiet: Value,
    ) -> Result<Value, Stopped> {
        // Step 5. The move that was best before; without one, a search with less finds one (internal iterative
        // deepening).
        let mut suggested = self.suggested();
        if suggested.is_none() && left >= Budget::new(self.params.deepening_from) {
            let less = left.spend(Budget::new(self.params.deepening_cost));
            self.inner_by_probability(ply, less, alpha, beta, quiet)?;
            suggested = self.take_suggestion(ply);
        }

        // Step 6. All moves, with what each costs.
        let mut moves = MoveList::new();
        generate::legal(&self.position, self.task.non_promotions, &mut moves);
        if moves.is_empty() {
            return Ok(Value::mated_at(ply));
        }
        let mut candidates = self.candidates(ply, left, &moves, suggested);

        // Step 7. What is too improbable is set aside, for where all else loses.
        let some_are_aside = self.is_selective(alpha)
            && candidates.set_aside(|candidate| !self.is_too_improbable(candidate, left));

        let window = (alpha, beta);
        let mut best = -Value::INFINITE;
        let mut tried = Tried::new();
        let hopeless = self.hopeless(alpha, quiet);
        while let Some(Candidate { mv, cost, .. }) =
            if best > -Value::WON { candidates.next() } else { candidates.next_of_all() }
        {
            // Step 8. What leads to a leaf and changes too little.
            if let Some(value) = hopeless
                && cost > left
                && best > -Value::WON
                && self.is_quiet(mv)
            {
                best = best.max(value);
                continue;
            }

            // Step 9. The value of the move.
            self.play(mv, ply);
            let value = self.child_by_probability(ply, left, cost, alpha, beta);
            self.undo(mv);
            let value = value?;

            // Step 10. Better than what is known, or good enough to end the node.
            best = best.max(value);
            if value > alpha {
                alpha = value;
                self.improve(ply, mv);
            }
            if value >= beta {
                self.refute(ply, left, mv, &tried);
                break;
            }
            // More have hardly been thought of.
            let _ = tried.try_push(mv);
        }
        if some_are_aside {
            // As far as that is not better than what is known, such a move is worth as much as doing nothing.
            best = best.max(quiet.min(window.0));
        }
        self.remember(ply, left, window, best, quiet);
        Ok(best)
    }

    /// The value of a move that was just played at `ply`, for the side that played it.
    ///
    /// This is §2.4 as its text means it, where the printed listing goes wrong: a move less probable than ½ is first
    /// searched with its own probability and a null window; only where it is better than what is known it is searched
    /// again, with ½. Any other move is searched once, with its own probability.
    pub fn child_by_probability(
        &mut self,
        ply: usize,
        left: Budget,
        cost: Budget,
        alpha: Value,
        beta: Value,
    ) -> Result<Value, Stopped> {
        if cost <= Budget::HALF {
            return Ok(-self.by_probability(ply + 1, left.spend(cost), -beta, -alpha)?);
        }
        // Where only being mated here would be worse, everything is better.
        if alpha > Value::mated_at(ply) {
            let value = -self.by_probability(ply + 1, left.spend(cost), -(alpha + 1), -alpha)?;
            if value <= alpha {
                return Ok(value);
            }
        }
        let again = Budget::new(self.params.research_cost);
        Ok(-self.by_probability(ply + 1, left.spend(again), -beta, -alpha)?)
    }
}
