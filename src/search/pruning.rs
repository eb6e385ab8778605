//! What need not be searched, or only with less, because it can hardly matter: one function a margin, and what is quiet.

use super::candidates::Candidate;
use super::thread::{SearchThread, Stopped};
use super::value::Value;
use crate::policy::budget::Budget;
use crate::shogi::moves::Move;

impl SearchThread<'_> {
    /// Whether a node with this window may be good enough without a move: a null window, no mates at stake, no check.
    pub fn may_end_early(&self, alpha: Value, beta: Value) -> bool {
        alpha + 1 >= beta && beta.mate_distance().is_none() && !self.position.in_check()
    }

    /// Whether a node with `left` to spend, which may end early, is so far above `beta` that so little budget will not
    /// bring it back below (reverse futility).
    pub fn is_far_above(&self, left: Budget, beta: Value, stand_pat: Value) -> bool {
        left < Budget::new(self.params.rfp_below) && stand_pat - self.rfp_margin(left) >= beta
    }

    /// How far above `beta` that is.
    fn rfp_margin(&self, left: Budget) -> i32 {
        self.params.rfp_margin * (left.units() / Budget::HALF.units() + 1)
    }

    /// Whether the side to move of a node that may end early is above `beta` even if it passes (null move, Donninger
    /// 1993). The pass has a price like a move, which is higher where there is more to spend and where the node is farther
    /// above; two passes do not follow each other.
    pub fn holds_when_passing(
        &mut self,
        ply: usize,
        left: Budget,
        beta: Value,
        stand_pat: Value,
    ) -> Result<bool, Stopped> {
        let worth_it = left >= Budget::new(self.params.null_move_from)
            && stand_pat >= beta
            && self.previous_to(ply).is_some();
        if !worth_it {
            return Ok(false);
        }
        let price = self.price_of_pass(left, stand_pat.centipawns() - beta.centipawns());
        self.pass(ply);
        let value = self.by_probability(ply + 1, left.spend(price), -beta, -(beta - 1));
        self.undo_pass();
        Ok(-value? >= beta)
    }

    /// The price of a pass at a node with `left` to spend that is above the bound by `margin`.
    fn price_of_pass(&self, left: Budget, margin: i32) -> Budget {
        let by_margin =
            (margin * self.params.null_move_margin_cost / 256).min(self.params.null_move_margin_max);
        Budget::new(self.params.null_move_cost + left.units() * self.params.null_move_share / 256 + by_margin)
    }

    /// What a node with `left` to spend spends if no move is suggested there: its search finds one for the next time
    /// (internal iterative reduction).
    pub fn without_suggestion(&self, left: Budget) -> Budget {
        if left >= Budget::new(self.params.iir_from) {
            left.spend(Budget::new(self.params.iir_cost)).max(Budget::ZERO)
        } else {
            left
        }
    }

    /// Whether, out of check, not even the leaf is looked at that the move leads to where `left` is left: it is much less
    /// probable than the threshold, and quiet or a loss of material.
    pub fn is_too_improbable(&self, candidate: &Candidate, left: Budget) -> bool {
        candidate.is_quiet_or_loses && candidate.cost > left + Budget::new(self.params.prune_margin)
    }

    /// Whether moves may be left out, as long as not all others lose: not where a check is answered, and not where a mate
    /// is known already and only a shorter one would be better.
    pub fn is_selective(&self, alpha: Value) -> bool {
        alpha <= Value::WON && !self.position.in_check()
    }

    /// What quiet moves that lead to leaves can be worth at best, where they may be left out as that is not above `alpha`
    /// (futility).
    pub fn hopeless(&self, alpha: Value, stand_pat: Value) -> Option<Value> {
        let best = stand_pat + self.params.futility_margin;
        (best <= alpha && self.is_selective(alpha)).then_some(best)
    }

    /// Whether `mv` takes nothing, does not promote and does not check.
    pub fn is_quiet(&self, mv: Move) -> bool {
        self.leaves_material(mv) && !self.position.gives_check(mv)
    }

    /// Whether `mv` takes nothing and does not promote.
    pub fn leaves_material(&self, mv: Move) -> bool {
        !mv.is_promotion() && self.position.piece_on(mv.to()).is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::super::params::Params;
    use super::super::testing::searcher_at;
    use super::*;
    use crate::shogi::position::Position;
    use crate::shogi::sfen;

    #[test]
    fn a_pass_costs_more_with_more_to_spend_and_far_above_the_bound() {
        let params = Params {
            null_move_cost: 500,
            null_move_share: 128,
            null_move_margin_cost: 256,
            null_move_margin_max: 300,
            ..Params::DEFAULT
        };
        searcher_at(&Position::start(), params, |thread| {
            for (left, margin, price) in [(0, 0, 500), (1000, 0, 1000), (1000, 100, 1100), (1000, 5000, 1300)]
            {
                let found = thread.price_of_pass(Budget::new(left), margin);
                assert_eq!(found, Budget::new(price), "{left} {margin}");
            }
        });
    }

    #[test]
    fn a_quiet_move_to_a_leaf_changes_little() {
        let free = Position::start();
        let checked = sfen::parse("4k4/9/9/9/9/9/9/9/4K3r b - 1").unwrap();
        let params = Params { futility_margin: 300, ..Params::DEFAULT };
        let hopeless = |position: &Position, alpha: Value| {
            searcher_at(position, params, |thread| thread.hopeless(alpha, Value::new(50)))
        };
        let best = Value::new(350);
        assert_eq!(hopeless(&free, best), Some(best));
        assert_eq!(hopeless(&free, best - 1), None);
        assert_eq!(hopeless(&free, Value::mates_at(9)), None);
        assert_eq!(hopeless(&checked, best), None);
    }
}
