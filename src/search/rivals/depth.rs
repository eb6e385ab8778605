//! The rival: a search by depth, as the paper's GEKISASHI-D (Tsuruoka, Yokoyama and Chikayama 2002, §3.2).
//!
//! A move costs one ply. Near the leaves only plausible moves are looked at; null-move pruning, check and recapture
//! extensions are the paper's. Everything else is shared with the search by realization probability.

use super::plausible::Plausible;
use crate::exchange::one_square::Exchange;
use crate::policy::budget::Budget;
use crate::search::candidates::{Candidate, Candidates};
use crate::search::node::{Findings, Opened};
use crate::search::thread::{SearchThread, Stopped};
use crate::search::value::Value;
use crate::shogi::generate::{self, MoveList};
use crate::shogi::moves::Move;

/// Plies that a null move's search is shallower by, beyond the null move itself (Donninger 1993).
const NULL_MOVE_REDUCTION: i32 = 2;

/// From this depth on, a null move is tried.
const NULL_MOVE_FROM: i32 = 2;

/// From this depth on, a node without a suggested move is first searched with less.
const DEEPENING_FROM: i32 = 4;

/// Plies that this search is shallower by.
const DEEPENING_REDUCTION: i32 = 2;

impl SearchThread<'_> {
    /// The value of a node with `depth` plies left, for the side to move. Fail-soft: outside the window it is a bound.
    /// `may_pass` is false after a null move.
    pub fn by_depth(
        &mut self,
        ply: usize,
        depth: i32,
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

        // Step 3. If passing is good enough, a move is.
        let in_check = self.position.in_check();
        let mut floor = stand_pat;
        if may_pass && !in_check && depth >= NULL_MOVE_FROM && stand_pat >= beta {
            self.pass(ply);
            let value = self.by_depth(ply + 1, depth - 1 - NULL_MOVE_REDUCTION, -beta, -(beta - 1), false);
            self.undo_pass();
            let value = -value?;
            if value >= beta {
                return Ok(beta);
            }
            // There is a threat: doing nothing is worth less than it seems.
            floor = floor.min(value);
        }

        // Step 4. A mate that takes longer than what is left.
        if let Some(value) = self.mate_by_slice(ply, Budget::of_plies(depth), (alpha, beta), stand_pat)? {
            return Ok(value);
        }
        self.inner_by_depth(ply, depth, alpha, beta, stand_pat, floor)
    }

    /// What comes after the first look at an inner node, in which doing nothing is worth `floor`.
    fn inner_by_depth(
        &mut self,
        ply: usize,
        depth: i32,
        alpha: Value,
        beta: Value,
        stand_pat: Value,
        floor: Value,
    ) -> Result<Value, Stopped> {
        // Step 5. The move that was best before; without one, a shallower search finds one.
        let mut suggested = self.suggested();
        if suggested.is_none() && depth >= DEEPENING_FROM {
            self.inner_by_depth(ply, depth - DEEPENING_REDUCTION, alpha, beta, stand_pat, floor)?;
            suggested = self.take_suggestion(ply);
        }

        // Step 6. The moves that are plausible here; in check, all.
        let mut moves = MoveList::new();
        generate::legal(&self.position, self.request.non_promotions, &mut moves);
        if moves.is_empty() {
            return Ok(Value::mated_at(ply));
        }
        let mut findings = Findings::new(alpha, beta);
        let selective = !self.position.in_check() && !Plausible::takes_all(depth);
        // Moves that are left out are taken to be worth as much as doing nothing, but for what is then lost.
        if selective {
            let lost = if floor > alpha { self.lost_in_any_case() } else { 0 };
            // After a pass it may be a mate: one against us stays, and one of ours is none, as nobody may pass.
            findings.best = Value::new(floor.centipawns() - lost).min(floor);
        }
        if findings.best >= beta {
            return Ok(findings.best);
        }
        findings.alpha = alpha.max(findings.best);
        let rules = Plausible::rules();
        let wanted = |categories| rules.takes(depth, categories);
        let mut candidates = Candidates::default();
        if selective {
            self.gather_plausible(ply, &moves, suggested, wanted, &mut candidates);
        } else {
            self.gather(ply, &moves, suggested, &mut candidates);
        }
        while let Some(Candidate { mv, .. }) = candidates.next() {
            // Step 7. The value of the move.
            let extension = self.extension(ply, mv);
            self.play(mv, ply);
            let left = depth - 1 + extension;
            let value = self.child_by_depth(ply, left, findings.is_first(), findings.alpha, beta);
            self.undo(mv);

            // Step 8. Better than what is known, or good enough to end the node.
            if self.take_in(ply, Budget::of_plies(depth), mv, value?, &mut findings) {
                break;
            }
        }
        self.remember(ply, Budget::of_plies(depth), findings.window, findings.best, stand_pat);
        Ok(findings.best)
    }

    /// The value of a move that was just played at `ply`, for the side that played it, with `depth` plies left after
    /// it: the window is opened only for the first move and for one that is better than what is known.
    pub fn child_by_depth(
        &mut self,
        ply: usize,
        depth: i32,
        is_first: bool,
        alpha: Value,
        beta: Value,
    ) -> Result<Value, Stopped> {
        if !is_first && alpha > -Value::INFINITE {
            let value = -self.by_depth(ply + 1, depth, -(alpha + 1), -alpha, true)?;
            if value <= alpha || value >= beta {
                return Ok(value);
            }
        }
        Ok(-self.by_depth(ply + 1, depth, -beta, -alpha, true)?)
    }

    /// The first move of the line that a shallower search has left at `ply`, which is emptied.
    fn take_suggestion(&mut self, ply: usize) -> Option<Move> {
        let first = self.pv.from(ply).first().copied();
        self.pv.clear(ply);
        first
    }

    /// Plies that a move is given back: one for a check or a recapture that loses nothing. MultiPv are not followed
    /// beyond twice the depth of the iteration by this.
    pub fn extension(&self, ply: usize, mv: Move) -> i32 {
        if ply >= 2 * self.iteration as usize {
            return 0;
        }
        let recaptures = self.position.last_taken().is_some() && self.previous_to(ply) == Some(mv.to());
        let forces = recaptures || self.position.gives_check(mv);
        i32::from(forces && Exchange::PLAIN.gains_at_least(&self.position, mv, 0))
    }
}
