//! The second rival: full width by depth, late moves reduced, in the manner of today's engines.
//!
//! Every legal move costs one ply. Nodes far above or below the window are cut off near the leaves, a pass is tried
//! first, and a quiet move that comes late is searched with fewer plies until it turns out better than what is known.
//! The techniques that the search by realization probability has, this one has as well, but for a second search with less
//! than all; what a move's probability says is used for the order alone. Its numbers are the parameters that begin with
//! `late_`.

use std::sync::LazyLock;

use super::candidates::{Candidate, Candidates};
use super::node::{Findings, Opened};
use super::thread::{SearchThread, Stopped};
use super::value::Value;
use crate::policy::budget::Budget;
use crate::shogi::generate::{self, MoveList};
use crate::shogi::moves::Move;

/// What one is in [`NATURAL_LOGARITHMS`].
const UNIT: i64 = 1024;

/// Natural logarithms of the numbers from 1 on.
static NATURAL_LOGARITHMS: LazyLock<[i64; 64]> =
    LazyLock::new(|| std::array::from_fn(|n| ((n.max(1) as f64).ln() * UNIT as f64).round() as i64));

/// Of a number from 0 on, which counts as 63 where it is larger.
fn natural_logarithm(n: usize) -> i64 {
    NATURAL_LOGARITHMS[n.min(NATURAL_LOGARITHMS.len() - 1)]
}

impl SearchThread<'_> {
    /// The value of a node with `depth` plies left, for the side to move. Fail-soft: outside the window it is a bound.
    /// `may_pass` is false after a pass.
    pub fn by_reductions(
        &mut self,
        ply: usize,
        mut depth: i32,
        mut alpha: Value,
        mut beta: Value,
        may_pass: bool,
    ) -> Result<Value, Stopped> {
        // Step 1. A leaf.
        if depth <= 0 {
            self.control.leaf(ply);
            return self.quiescence(ply, 0, alpha, beta);
        }

        // Step 2. What every inner node asks first.
        let stand_pat = match self.settle(ply, Budget::of_plies(depth), &mut alpha, &mut beta)? {
            Opened::Settled(value) => return Ok(value),
            Opened::Open { stand_pat } => stand_pat,
        };

        // Step 3. Good enough without a move.
        if self.may_end_early(alpha, beta) {
            if depth <= self.params.late_calm_until && stand_pat - self.late_calm_margin(depth) >= beta {
                return Ok(stand_pat);
            }
            let may_pass = may_pass && depth >= self.params.late_pass_from && stand_pat >= beta;
            if may_pass && self.late_pass_holds(ply, depth, beta, stand_pat)? {
                return Ok(beta);
            }
        }
        // Step 4. A mate that takes longer than what is left.
        if let Some(value) = self.mate_by_slice(ply, Budget::of_plies(depth), (alpha, beta), stand_pat)? {
            return Ok(value);
        }

        // Step 5. The move that was best before; a node without one is searched with less, which finds one for the next
        // time.
        let suggested = self.suggested();
        if suggested.is_none() && depth >= self.params.late_unsuggested_from {
            depth -= 1;
        }

        // Step 6. All moves, the more probable ones first.
        let mut moves = MoveList::new();
        generate::legal(&self.position, self.request.non_promotions, &mut moves);
        if moves.is_empty() {
            return Ok(Value::mated_at(ply));
        }
        let mut candidates = Candidates::default();
        self.gather(ply, &moves, suggested, &mut candidates);
        let mut findings = Findings::new(alpha, beta);
        let has_null_window = alpha + 1 >= beta;
        let is_selective = depth <= self.params.late_selective_until && self.is_selective(alpha);
        let ceiling = stand_pat + self.late_futility_margin(depth);
        let (mut nth, mut some_are_left_out) = (0, false);
        while let Some(Candidate { mv, is_quiet_or_loses, .. }) = candidates.next() {
            nth += 1;

            // Step 7. What changes too little near the leaves, or comes late there.
            if is_selective && !findings.best.is_lost() {
                if (has_null_window || depth == 1) && ceiling <= findings.alpha && self.is_quiet(mv) {
                    findings.best = findings.best.max(ceiling);
                    continue;
                }
                if has_null_window && nth > self.late_enough(depth) && is_quiet_or_loses {
                    some_are_left_out = true;
                    continue;
                }
            }

            // Step 8. The value of the move, first with fewer plies where it comes late.
            let extension = self.extension(ply, mv);
            let reduced = self.reduction(mv, depth, nth);
            self.play(mv, ply);
            let left = depth - 1 + extension;
            let value = self.child_by_reductions(ply, left, (nth, reduced), findings.alpha, beta);
            self.undo(mv);

            // Step 9. Better than what is known, or good enough to end the node.
            if self.take_in(ply, Budget::of_plies(depth), mv, value?, &mut findings) {
                break;
            }
        }

        // Step 10. What was left out.
        if some_are_left_out {
            findings.leave_out(stand_pat);
        }
        self.remember(ply, Budget::of_plies(depth), findings.window, findings.best, stand_pat);
        Ok(findings.best)
    }

    /// By how many plies `mv`, the `nth` of a node with `depth` plies left, is reduced: nothing for a move that is not
    /// quiet, for the first one, and where a check is answered.
    pub fn reduction(&self, mv: Move, depth: i32, nth: usize) -> i32 {
        let params = self.params;
        if nth < 2 || depth < params.late_reduced_from || self.position.in_check() || !self.is_quiet(mv) {
            return 0;
        }
        let grown = 10_000 * natural_logarithm(depth as usize) * natural_logarithm(nth) / (UNIT * UNIT);
        let hundredths = i64::from(params.late_reduction) + grown / i64::from(params.late_reduction_divisor);
        (hundredths / 100).max(0) as i32
    }

    /// Whether the side to move is above `beta` even if it passes.
    fn late_pass_holds(
        &mut self,
        ply: usize,
        depth: i32,
        beta: Value,
        stand_pat: Value,
    ) -> Result<bool, Stopped> {
        let price = self.late_price_of_pass(depth, stand_pat.centipawns() - beta.centipawns());
        self.pass(ply);
        let value = self.by_reductions(ply + 1, depth - price, -beta, -(beta - 1), false);
        self.undo_pass();
        Ok(-value? >= beta)
    }

    /// The plies that a pass costs at a node with `depth` left that is above the bound by `margin`.
    fn late_price_of_pass(&self, depth: i32, margin: i32) -> i32 {
        let params = self.params;
        let by_margin = (margin / params.late_pass_margin).min(params.late_pass_margin_most);
        1 + params.late_pass_plies + depth / params.late_pass_share + by_margin
    }

    /// By how much a node has to be above the window to be left.
    fn late_calm_margin(&self, depth: i32) -> i32 {
        self.params.late_calm_margin * depth
    }

    /// How far below the window a node may be for its quiet moves to be looked at.
    fn late_futility_margin(&self, depth: i32) -> i32 {
        self.params.late_futility_margin + self.params.late_futility_ply_margin * depth
    }

    /// Moves after which those are left out that are quiet or lose material.
    fn late_enough(&self, depth: i32) -> usize {
        (self.params.late_enough + depth * depth) as usize
    }

    /// The value of a move that was just played at `ply`, for the side that played it, with `depth` plies left after
    /// it: the `nth` of its node, from 1. The first one is searched once. Another is searched with `reduced` plies less,
    /// with all, and with the open window, each where the one before finds it better than what is known.
    pub fn child_by_reductions(
        &mut self,
        ply: usize,
        depth: i32,
        (nth, reduced): (usize, i32),
        alpha: Value,
        beta: Value,
    ) -> Result<Value, Stopped> {
        if nth > 1 && alpha > -Value::INFINITE {
            if reduced > 0 {
                let value = -self.by_reductions(ply + 1, depth - reduced, -(alpha + 1), -alpha, true)?;
                if value <= alpha {
                    return Ok(value);
                }
            }
            let value = -self.by_reductions(ply + 1, depth, -(alpha + 1), -alpha, true)?;
            if value <= alpha || value >= beta {
                return Ok(value);
            }
        }
        Ok(-self.by_reductions(ply + 1, depth, -beta, -alpha, true)?)
    }
}

#[cfg(test)]
mod tests {
    use super::super::params::Params;
    use super::super::testing::searcher_at;
    use crate::shogi::position::Position;

    #[test]
    fn a_pass_costs_more_with_more_left_and_far_above_the_bound() {
        let params = Params {
            late_pass_plies: 2,
            late_pass_share: 4,
            late_pass_margin: 200,
            late_pass_margin_most: 3,
            ..Params::DEFAULT
        };
        searcher_at(&Position::start(), params, |thread| {
            for (depth, margin, price) in [(2, 0, 3), (8, 0, 5), (8, 199, 5), (8, 400, 7), (8, 9000, 8)] {
                assert_eq!(thread.late_price_of_pass(depth, margin), price, "{depth} {margin}");
            }
        });
    }
}
