//! The rival: a search by depth, as the paper's GEKISASHI-D (Tsuruoka, Yokoyama and Chikayama 2002, §3.2).
//!
//! A move costs one ply. Near the leaves only plausible moves are searched; null move, check and recapture extensions are
//! the paper's. Everything else is shared with the search by realization probability.

use super::plausible::Plausible;
use crate::exchange::see;
use crate::mate::one_move::mate_in_one;
use crate::policy::budget::Budget;
use crate::search::move_picker::{CostedMove, MovePicker};
use crate::search::node::NodeResult;
use crate::search::thread::{SearchThread, Stopped};
use crate::search::value::{MAX_PLY, Value};
use crate::search::window::Window;
use crate::shogi::generate::{self, MoveList};
use crate::shogi::moves::Move;

/// Plies that a null move's search is shallower by, beyond the null move itself (Donninger 1993).
const NULL_MOVE_REDUCTION: i32 = 2;

/// From this depth on, a null move is tried.
const NULL_MOVE_FROM: i32 = 2;

/// Internal iterative deepening: from this depth on, a node without a hash move is first searched with less.
const IID_FROM: i32 = 4;

/// Plies that this first search is shallower by.
const IID_REDUCTION: i32 = 2;

impl SearchThread<'_> {
    /// The value of a node with `depth` plies left, for the side to move. Fail-soft: outside the window it is a bound.
    /// `may_pass` is false after a null move.
    pub fn search_node_by_depth(
        &mut self,
        ply: usize,
        depth: i32,
        window: Window,
        may_pass: bool,
    ) -> Result<Value, Stopped> {
        // Step 1. Leaf.
        if depth <= 0 {
            self.control.leaf(ply);
            return self.qsearch(ply, 0, window);
        }

        // Step 2. The same exits as in the search by realization probability (steps 2 to 8 there).
        self.enter_node(ply)?;
        self.prefetch_node(ply);
        if let Some(value) = self.game_over(ply) {
            return Ok(value);
        }
        if ply >= MAX_PLY {
            return Ok(self.evaluate());
        }
        let window = window.within_mates(ply);
        if window.is_empty() {
            return Ok(window.alpha);
        }
        let left = Budget::of_plies(depth);
        let tt_entry = self.probe_tt(ply);
        if let Some(entry) = tt_entry
            && window.is_null()
            && entry.causes_cutoff(left, window)
        {
            return Ok(entry.value);
        }
        if !tt_entry.is_some_and(|entry| entry.knows_mate_in_one())
            && let Some(mv) = mate_in_one(&self.position)
        {
            self.pv.set(ply, &[mv]);
            return Ok(Value::mate_in(ply + 1));
        }
        let static_eval = tt_entry.map_or_else(|| self.evaluate(), |entry| entry.static_eval);

        // Step 3. Null move: if even a pass is good enough, a move is.
        let mut floor = static_eval;
        if may_pass && !self.position.in_check() && depth >= NULL_MOVE_FROM && static_eval >= window.beta {
            let left = depth - 1 - NULL_MOVE_REDUCTION;
            self.play_null_move(ply);
            let value = self.search_node_by_depth(ply + 1, left, -window.null_at_beta(), false);
            self.undo_null_move();
            let value = -value?;
            if value >= window.beta {
                return Ok(window.beta);
            }
            // There is a threat: doing nothing is worth less than it seems.
            floor = floor.min(value);
        }

        // Step 4. A slice of mate search, for mates that are longer than what is left.
        if let Some(value) = self.mate_by_slice(ply, left, window, static_eval)? {
            return Ok(value);
        }
        self.search_moves_by_depth(ply, depth, window, static_eval, floor)
    }

    /// The value of an inner node by its moves. Doing nothing is worth `floor` there.
    fn search_moves_by_depth(
        &mut self,
        ply: usize,
        depth: i32,
        window: Window,
        static_eval: Value,
        floor: Value,
    ) -> Result<Value, Stopped> {
        // Step 5. Hash move; without one, a shallower search finds one (internal iterative deepening).
        let mut hash_move = self.hash_move();
        if hash_move.is_none() && depth >= IID_FROM {
            self.search_moves_by_depth(ply, depth - IID_REDUCTION, window, static_eval, floor)?;
            hash_move = self.pv.from(ply).first().copied();
            self.pv.clear(ply);
        }

        // Step 6. The moves that are plausible here; in check, all.
        let mut moves = MoveList::new();
        generate::legal(&self.position, self.request.non_promotions, &mut moves);
        if moves.is_empty() {
            return Ok(Value::mated_in(ply));
        }
        let mut result = NodeResult::new(window);
        let is_selective = !self.position.in_check() && !Plausible::takes_all(depth);
        // Moves that are not plausible are worth as much as doing nothing, but for what is then lost.
        if is_selective {
            let lost = if floor > window.alpha { self.second_threat() } else { 0 };
            // A mate that the null move has found counts where it is against us. One of ours does not: passing is not
            // allowed.
            result.best = Value::new(floor.units() - lost).min(floor);
        }
        if result.best >= window.beta {
            return Ok(result.best);
        }
        result.window.alpha = window.alpha.max(result.best);
        let mut picker = MovePicker::default();
        if is_selective {
            let rules = Plausible::rules();
            let is_plausible = |categories| rules.takes(depth, categories);
            self.fill_picker_with_some(ply, &moves, hash_move, is_plausible, &mut picker);
        } else {
            self.fill_picker(ply, &moves, hash_move, None, &mut picker);
        }
        let left = Budget::of_plies(depth);
        while let Some(CostedMove { mv, .. }) = picker.next() {
            // Step 7. Search the move.
            let value = self.search_move_by_depth(ply, depth, mv, result.is_first(), result.window)?;

            // Step 8. Update the best move, and end the node where the move is good enough.
            if self.update_best(ply, left, mv, value, &mut result) {
                break;
            }
        }
        self.store_tt(ply, left, result.asked, result.best, static_eval);
        Ok(result.best)
    }

    /// Plays `mv` at `ply`, which has `depth` plies left, and returns its value for the side that plays it. The window is
    /// opened only for the first move and for one that is better than what is known.
    pub fn search_move_by_depth(
        &mut self,
        ply: usize,
        depth: i32,
        mv: Move,
        is_first: bool,
        window: Window,
    ) -> Result<Value, Stopped> {
        let left = depth - 1 + self.extension(ply, mv);
        self.play(mv, ply);
        let value = self.search_child_by_depth(ply, left, is_first, window);
        self.undo(mv);
        value
    }

    fn search_child_by_depth(
        &mut self,
        ply: usize,
        left: i32,
        is_first: bool,
        window: Window,
    ) -> Result<Value, Stopped> {
        if !is_first && window.alpha > -Value::INFINITE {
            let value = -self.search_node_by_depth(ply + 1, left, -window.null(), true)?;
            if value <= window.alpha || value >= window.beta {
                return Ok(value);
            }
        }
        Ok(-self.search_node_by_depth(ply + 1, left, -window, true)?)
    }

    /// Plies that a move is given back: one for a check or a recapture that loses nothing. Extensions end at twice the
    /// depth of the iteration.
    fn extension(&self, ply: usize, mv: Move) -> i32 {
        if ply >= 2 * self.iteration as usize {
            return 0;
        }
        let recaptures = self.position.last_captured().is_some() && self.previous_to(ply) == Some(mv.to());
        let forces = recaptures || self.position.gives_check(mv);
        i32::from(forces && see::see_ge(&self.position, mv, 0))
    }
}
