//! The second rival: full width by depth, late moves reduced, in the manner of today's engines.
//!
//! Every legal move costs one ply. Nodes far above or below the window are cut off near the leaves, a pass is tried
//! first, and a quiet move that comes late is searched with fewer plies until it turns out better than what is known.
//! The techniques that the search by realization probability has, this one has as well, but for a second search with less
//! than all; what a move's category says is used for the order alone.

use std::sync::LazyLock;

use super::budget::Budget;
use super::order::Candidate;
use super::searcher::{Opened, Searcher, Stopped, Tried};
use super::value::Value;
use crate::shogi::generate::{self, MoveList};
use crate::shogi::moves::Move;

/// Up to this depth a node can be far enough above the window to be left.
const CALM_UNTIL: i32 = 4;

/// From this depth on, a pass is tried.
const PASS_FROM: i32 = 2;

/// Up to this depth quiet moves that come late, or that cannot reach the window, are left out.
const SELECTIVE_UNTIL: i32 = 6;

/// From this depth on, late moves are reduced.
const REDUCED_FROM: i32 = 2;

/// From this depth on, a node without a suggested move is searched with a ply less.
const UNSUGGESTED_FROM: i32 = 4;

/// By how much a node has to be above the window to be left.
fn calm_margin(depth: i32) -> i32 {
    150 * depth
}

/// How far below the window a node may be for its quiet moves to be looked at.
fn futility_margin(depth: i32) -> i32 {
    150 + 150 * depth
}

/// Quiet moves that are looked at before the others are left out.
fn enough_moves(depth: i32) -> usize {
    3 + (depth * depth) as usize
}

/// What a pass costs beyond its ply.
fn pass_reduction(depth: i32) -> i32 {
    2 + depth / 4
}

/// Plies by which a late move is searched less, by depth and by its number among the moves of its node.
static REDUCTIONS: LazyLock<[[i8; 64]; 64]> = LazyLock::new(|| {
    let plies = |depth: usize, nth: usize| 0.4 + (depth as f64).ln() * (nth as f64).ln() / 2.2;
    std::array::from_fn(|depth| std::array::from_fn(|nth| plies(depth.max(1), nth.max(1)) as i8))
});

impl Searcher<'_> {
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
        let quiet = match self.settle(ply, Budget::of_plies(depth), &mut alpha, &mut beta)? {
            Opened::Settled(value) => return Ok(value),
            Opened::Open { quiet } => quiet,
        };

        // Step 3. Good enough without a move.
        if alpha + 1 >= beta && beta.mate_distance().is_none() && !self.position.in_check() {
            if depth <= CALM_UNTIL && quiet - calm_margin(depth) >= beta {
                return Ok(quiet);
            }
            if may_pass && depth >= PASS_FROM && quiet >= beta {
                self.pass(ply);
                let less = depth - 1 - pass_reduction(depth);
                let value = self.by_reductions(ply + 1, less, -beta, -(beta - 1), false);
                self.undo_pass();
                if -value? >= beta {
                    return Ok(beta);
                }
            }
        }
        // Step 4. A mate that takes longer than what is left.
        if let Some(value) = self.mate_by_slice(ply, Budget::of_plies(depth), (alpha, beta), quiet)? {
            return Ok(value);
        }

        // Step 5. The move that was best before; a node without one is searched with less, which finds one for the next
        // time.
        let suggested = self.suggested();
        if suggested.is_none() && depth >= UNSUGGESTED_FROM {
            depth -= 1;
        }

        // Step 6. All moves, the more probable ones first.
        let mut moves = MoveList::new();
        generate::legal(&self.position, self.task.non_promotions, &mut moves);
        if moves.is_empty() {
            return Ok(Value::mated_at(ply));
        }
        let mut candidates = self.candidates(ply, Budget::of_plies(depth), &moves, suggested);
        let window = (alpha, beta);
        let mut best = -Value::INFINITE;
        let mut tried = Tried::new();
        let selective = depth <= SELECTIVE_UNTIL && alpha + 1 >= beta && self.is_selective(alpha);
        let ceiling = quiet + futility_margin(depth);
        let mut nth = 0;
        while let Some(Candidate { mv, .. }) = candidates.next() {
            nth += 1;
            let is_quiet = self.is_quiet(mv);

            // Step 7. What comes late near the leaves, or changes too little there.
            if selective && is_quiet && best > -Value::WON {
                if ceiling <= alpha {
                    best = best.max(ceiling);
                    continue;
                }
                if nth > enough_moves(depth) {
                    continue;
                }
            }

            // Step 8. The value of the move, first with fewer plies where it comes late.
            let extension = self.extension(ply, mv);
            let reduced = self.reduction(mv, depth, nth);
            self.play(mv, ply);
            let value = self.child_by_reductions(ply, depth - 1 + extension, reduced, alpha, beta);
            self.undo(mv);
            let value = value?;

            // Step 9. Better than what is known, or good enough to end the node.
            best = best.max(value);
            if value > alpha {
                alpha = value;
                self.improve(ply, mv);
            }
            if value >= beta {
                self.refute(ply, Budget::of_plies(depth), mv, &tried);
                break;
            }
            let _ = tried.try_push(mv);
        }
        self.remember(ply, Budget::of_plies(depth), window, best, quiet);
        Ok(best)
    }

    /// By how many plies `mv`, the `nth` of a node with `depth` plies left, is reduced: nothing for a move that is not
    /// quiet, for the first one, and where a check is answered.
    pub fn reduction(&self, mv: Move, depth: i32, nth: usize) -> i32 {
        if nth < 2 || depth < REDUCED_FROM || self.position.in_check() || !self.is_quiet(mv) {
            return 0;
        }
        i32::from(REDUCTIONS[depth.min(63) as usize][nth.min(63)])
    }

    /// The value of a move that was just played at `ply`, for the side that played it, with `depth` plies left after
    /// it. It is searched with `reduced` plies less, with all, and with the open window, each where the one before
    /// finds it better than what is known.
    pub fn child_by_reductions(
        &mut self,
        ply: usize,
        depth: i32,
        reduced: i32,
        alpha: Value,
        beta: Value,
    ) -> Result<Value, Stopped> {
        if alpha > -Value::INFINITE {
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
