//! The search by realization probability (Tsuruoka, Yokoyama and Chikayama 2002).
//!
//! A line is followed while the product of its moves' probabilities stays above a threshold; in logarithms, while a
//! budget lasts. What a move costs is said by its learned probability. A move that does not look likely but turns out
//! better than what was known is searched again as if it were more probable: in the paper as if it had the probability
//! ½, here about ¼ (`research_cost`).

use super::candidates::{Candidate, Candidates};
use super::node::{Findings, Opened};
use super::thread::{SearchThread, Stopped};
use super::value::Value;
use crate::policy::budget::Budget;
use crate::shogi::generate::{self, MoveList};

impl SearchThread<'_> {
    /// The value of a node that may still spend `left`, for the side to move. Fail-soft: outside the window it is a
    /// bound.
    pub fn by_probability(
        &mut self,
        ply: usize,
        mut left: Budget,
        mut alpha: Value,
        mut beta: Value,
    ) -> Result<Value, Stopped> {
        // Step 1. A leaf is a node less probable than the threshold, strictly (§2.1).
        if left < Budget::ZERO {
            self.control.leaf(ply);
            return self.quiescence(ply, 0, alpha, beta);
        }

        // Step 2. What every inner node asks first.
        let stand_pat = match self.settle(ply, left, &mut alpha, &mut beta)? {
            Opened::Settled(value) => return Ok(value),
            Opened::Open { stand_pat } => stand_pat,
        };

        // Step 3. Good enough without a move.
        if self.may_end_early(alpha, beta) {
            if self.is_far_above(left, beta, stand_pat) {
                return Ok(stand_pat);
            }
            if self.holds_when_passing(ply, left, beta, stand_pat)? {
                return Ok(beta);
            }
        }
        // Step 4. A mate that takes longer than what is left.
        if let Some(value) = self.mate_by_slice(ply, left, (alpha, beta), stand_pat)? {
            return Ok(value);
        }

        // Step 5. The move that was best before; a node without one is searched with less.
        let suggested = self.suggested();
        if suggested.is_none() {
            left = self.without_suggestion(left);
        }

        // Step 6. All moves, with what each costs.
        let mut moves = MoveList::new();
        generate::legal(&self.position, self.request.non_promotions, &mut moves);
        if moves.is_empty() {
            return Ok(Value::mated_at(ply));
        }
        let mut candidates = Candidates::default();
        self.gather(ply, &moves, suggested, &mut candidates);

        // Step 7. What is too improbable is set aside, for where all else loses.
        let some_are_aside = self.is_selective(alpha)
            && candidates.set_aside(|candidate| self.is_too_improbable(candidate, left));

        let hopeless = self.hopeless(alpha, stand_pat);
        let mut findings = Findings::new(alpha, beta);
        while let Some(Candidate { mv, cost, .. }) =
            if findings.best.is_lost() { candidates.next_of_all() } else { candidates.next() }
        {
            // Step 8. What changes too little right before a leaf.
            if let Some(value) = hopeless
                && left.spend(cost) < Budget::ZERO
                && !findings.best.is_lost()
                && self.is_quiet(mv)
            {
                findings.best = findings.best.max(value);
                continue;
            }

            // Step 9. The value of the move.
            self.play(mv, ply);
            let value = self.child_by_probability(ply, left, cost, findings.alpha, beta);
            self.undo(mv);

            // Step 10. Better than what is known, or good enough to end the node.
            if self.take_in(ply, left, mv, value?, &mut findings) {
                break;
            }
        }

        // Step 11. What was set aside, where it was not looked at.
        if some_are_aside {
            findings.leave_out(stand_pat);
        }
        self.remember(ply, left, findings.window, findings.best, stand_pat);
        Ok(findings.best)
    }

    /// The value of a move that was just played at `ply`, for the side that played it.
    ///
    /// This is §2.4 as its text means it, where the printed listing goes wrong: a move less probable than ½ is first
    /// searched with its own probability and a null window; only where it is better than what is known it is searched
    /// again, as if it were more probable, if that is another search. Any other move is searched once, with its own
    /// probability.
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
        let again = self.cost_of_second_search(cost);
        // Where only being mated here would be worse, everything is better.
        if alpha > Value::mated_at(ply) {
            let value = -self.by_probability(ply + 1, left.spend(cost), -(alpha + 1), -alpha)?;
            // A second search with the same budget can only tell where in an open window the value lies: with a null
            // window, or from `beta` on, there is nothing to add.
            let is_known = again == cost && (alpha + 1 >= beta || value >= beta);
            if value <= alpha || is_known {
                return Ok(value);
            }
        }
        Ok(-self.by_probability(ply + 1, left.spend(again), -beta, -alpha)?)
    }

    /// What a move of this cost costs that has turned out better.
    fn cost_of_second_search(&self, cost: Budget) -> Budget {
        cost.min(Budget::new(self.params.research_cost))
    }
}

#[cfg(test)]
mod tests {
    use super::super::params::Params;
    use super::super::testing::searcher_at;
    use super::*;
    use crate::shogi::position::Position;

    /// Nodes of a move that costs `cost` and turns out better than a null window, with 300 left before it.
    fn nodes(research_cost: i32, cost: i32) -> u64 {
        let params = Params { research_cost, ..Params::DEFAULT };
        searcher_at(&Position::start(), params, |thread| {
            let mv = "7g7f".parse().unwrap();
            let alpha = Value::new(-3000);
            thread.play(mv, 0);
            let value = thread.child_by_probability(0, Budget::new(300), Budget::new(cost), alpha, alpha + 1);
            thread.undo(mv);
            assert!(value.is_ok_and(|value| value > alpha));
            thread.nodes
        })
    }

    #[test]
    fn a_node_at_the_threshold_is_no_leaf() {
        let nodes = |left: i32| {
            searcher_at(&Position::start(), Params::DEFAULT, |thread| {
                let value = thread.by_probability(0, Budget::new(left), -Value::WON, Value::WON);
                assert!(value.is_ok());
                thread.nodes
            })
        };
        assert_eq!(nodes(-1), 1);
        assert!(nodes(0) > 1);
    }

    #[test]
    fn quiet_moves_are_hopeless_where_they_lead_to_leaves() {
        // Each move costs one bit.
        let params = Params { learned_scale: 16, least_cost: 256, prune_margin: 65_536, ..Params::DEFAULT };
        let nodes = |left: i32| {
            searcher_at(&Position::start(), params, |thread| {
                let alpha = Value::new(5000);
                let value = thread.by_probability(0, Budget::new(left), alpha, alpha + 1);
                assert!(value.is_ok_and(|value| value <= alpha));
                thread.nodes
            })
        };
        // The node and its first move, after which something is known; the node and all thirty moves.
        assert_eq!([255, 256].map(nodes), [2, 31]);
    }

    #[test]
    fn what_turned_out_better_is_searched_again_where_that_goes_further() {
        // A leaf, and a leaf of the same move.
        let leaf = nodes(512, 400);
        assert_eq!(leaf, nodes(400, 400));
        // The second search has an inner node.
        let again = nodes(256, 400);
        assert!(again > leaf, "{again} nodes, {leaf} of a leaf");
        // It asks no more of what looked less likely still.
        assert_eq!(again, nodes(256, 2560));
    }
}
