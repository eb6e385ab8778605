//! The search by realization probability (Tsuruoka, Yokoyama and Chikayama 2002).
//!
//! A line is followed while the product of its moves' probabilities stays above a threshold; in logarithms, while a
//! budget lasts. A move costs what its learned probability says. A move that does not look likely but turns out better
//! than what was known is searched again as if it were more probable: in the paper as if it had the probability ½, here
//! about ¼ (`research_cost`).

use arrayvec::ArrayVec;

use super::move_picker::{CostedMove, MovePicker};
use super::params::Params;
use super::thread::{SearchThread, Stopped};
use super::value::{MAX_PLY, Value};
use super::window::Window;
use crate::mate::one_move::mate_in_one;
use crate::policy::budget::Budget;
use crate::shogi::generate::{self, MoveList};
use crate::shogi::moves::Move;

/// Reverse futility: how far the static evaluation of a node with `left` to spend has to be above beta.
fn rfp_margin(params: &Params, left: Budget) -> i32 {
    params.rfp_margin * (left.units() / Budget::HALF.units() + 1)
}

/// What a null move costs at a node with `left` to spend whose static evaluation is so many units above beta. The more
/// there is to spend and the better the node looks, the less its search has to find out.
fn null_move_cost(params: &Params, left: Budget, above_beta: i32) -> Budget {
    let by_margin = (above_beta * params.null_move_margin_cost / 256).min(params.null_move_margin_max);
    Budget::new(params.null_move_cost + left.units() * params.null_move_share / 256 + by_margin)
}

/// Internal iterative reduction: what a node without a hash move may spend of `left`.
fn iir_budget(params: &Params, left: Budget) -> Budget {
    if left >= Budget::new(params.iir_from) {
        left.spend(Budget::new(params.iir_cost)).max(Budget::ZERO)
    } else {
        left
    }
}

/// Probability pruning: how much more than the budget that is left a quiet or losing move may cost before it is pruned.
fn prune_margin(params: &Params) -> Budget {
    Budget::new(params.prune_margin)
}

/// How much dearer than by itself a quiet or losing move is at this place in the order of its node, the first being 1.
fn late_move_cost(params: &Params, place: u32) -> Budget {
    // The logarithm between two powers of two is taken from the line that joins them.
    let power = place.ilog2();
    let beyond = ((place - (1 << power)) << 8) >> power;
    Budget::new(params.late_move_cost * (power << 8 | beyond) as i32 / 256)
}

/// Futility: the most that a quiet move which leads to a leaf can be worth.
fn futility_value(params: &Params, static_eval: Value) -> Value {
    static_eval + params.futility_margin
}

/// The cost with which a move is searched again: its own, but `research_cost` at most.
fn research_cost(params: &Params, cost: Budget) -> Budget {
    cost.min(Budget::new(params.research_cost))
}

impl SearchThread<'_> {
    /// The value of a node that may still spend `left`, for the side to move. Fail-soft: outside the window it is a
    /// bound.
    pub fn search_node(&mut self, ply: usize, mut left: Budget, window: Window) -> Result<Value, Stopped> {
        // Step 1. Leaf: a node below the threshold, not at it (§2.1).
        if left < Budget::ZERO {
            self.control.leaf(ply);
            return self.qsearch(ply, 0, window);
        }

        // Step 2. Abort, or count the node.
        self.enter_node(ply)?;
        self.prefetch_node(ply);

        // Step 3. Draw, repetition and whatever else ends the game.
        if let Some(value) = self.game_over(ply) {
            return Ok(value);
        }

        // Step 4. Max ply.
        if ply >= MAX_PLY {
            return Ok(self.evaluate());
        }

        // Step 5. Mate distance pruning: no mate is near enough to matter.
        let window = window.within_mates(ply);
        if window.is_empty() {
            return Ok(window.alpha);
        }

        // Step 6. Transposition table. No cutoff in an open window: the table does not have the line.
        let tt_entry = self.probe_tt(ply);
        if let Some(entry) = tt_entry
            && window.is_null()
            && entry.causes_cutoff(left, window)
        {
            return Ok(entry.value);
        }

        // Step 7. Mate in one. A position in the table was asked already, except leaves in check: there the loop over the
        // moves finds the mate.
        if !tt_entry.is_some_and(|entry| entry.knows_mate_in_one())
            && let Some(mv) = mate_in_one(&self.position)
        {
            self.pv.set(ply, &[mv]);
            return Ok(Value::mate_in(ply + 1));
        }

        // Step 8. Static evaluation.
        let static_eval = tt_entry.map_or_else(|| self.evaluate(), |entry| entry.static_eval);
        let in_check = self.position.in_check();
        let may_end_early = window.is_null() && window.beta.mate_distance().is_none() && !in_check;

        // Step 9. Reverse futility pruning: a node near the leaves that is far above beta stays above it.
        if may_end_early
            && left < Budget::new(self.params.rfp_below)
            && static_eval - rfp_margin(self.params, left) >= window.beta
        {
            return Ok(static_eval);
        }

        // Step 10. Null move (Donninger 1993): if even a pass is good enough, a move is. Never two in a row.
        if may_end_early
            && left >= Budget::new(self.params.null_move_from)
            && static_eval >= window.beta
            && !self.follows_null_move(ply)
        {
            let above_beta = static_eval.units() - window.beta.units();
            let left_after_pass = left.spend(null_move_cost(self.params, left, above_beta));
            self.play_null_move(ply);
            let value = self.search_node(ply + 1, left_after_pass, -window.null_at_beta());
            self.undo_null_move();
            let value = -value?;
            if value >= window.beta {
                // Not the value: a mate that is found after a pass proves none.
                return Ok(window.beta);
            }
        }

        // Step 11. Where the window is open, a slice of mate search: it sees mates that are farther away than the leaves.
        if let Some(value) = self.mate_by_slice(ply, left, window, static_eval)? {
            return Ok(value);
        }

        // Step 12. Hash move, and internal iterative reduction: a node without one is searched with less budget, also in
        // what follows. Its best move is the hash move of the next visit.
        let hash_move = self.hash_move();
        if hash_move.is_none() {
            left = iir_budget(self.params, left);
        }

        // Step 13. Search the hash move before any other is generated: most nodes that have one end with it.
        let mut picker = MovePicker::default();
        // The value is "lost" until a move was searched that does not lose.
        let mut result = NodeResult::new(window);
        if let Some(CostedMove { mv, cost, .. }) = self.hash_move_first(hash_move, &mut picker) {
            let value = self.search_move(ply, left, mv, cost, result.window)?;
            if self.update_best(ply, left, mv, value, &mut result) {
                self.store_tt(ply, left, result.asked, result.best, static_eval);
                return Ok(result.best);
            }
        }

        // Step 14. Generate the moves, with what each costs; probability pruning. Pruned moves are searched all the same where
        // all others lose. Nothing is pruned in check, nor where a mate is known already and only a shorter one would be
        // better.
        self.prefetch_histories(ply);
        let mut moves = MoveList::new();
        generate::legal(&self.position, self.request.non_promotions, &mut moves);
        if moves.is_empty() {
            return Ok(Value::mated_in(ply));
        }
        let may_prune = window.alpha <= Value::WON && !in_check;
        let max_cost = may_prune.then(|| left + prune_margin(self.params));
        self.fill_picker(ply, &moves, hash_move, max_cost, &mut picker);

        let futility_value = futility_value(self.params, static_eval);
        let is_futile = may_prune && futility_value <= window.alpha;
        let mut place = u32::from(!result.is_first());
        let mut late_moves_are_pruned = false;
        while let Some(CostedMove { mv, mut cost, is_quiet_or_loses }) =
            if result.best.is_lost() { picker.next_even_pruned() } else { picker.next() }
        {
            // Step 15. Late moves: a quiet or losing move is dearer the later it comes, as a better move is rarer there. It is
            // pruned where that makes it too dear.
            place += 1;
            if is_quiet_or_loses && !in_check {
                cost = cost + late_move_cost(self.params, place);
                if !result.best.is_lost() && max_cost.is_some_and(|max_cost| cost > max_cost) {
                    late_moves_are_pruned = true;
                    continue;
                }
            }

            // Step 16. Futility pruning: a quiet move right before a leaf cannot bring the value above alpha.
            if is_futile && left.spend(cost) < Budget::ZERO && !result.best.is_lost() && self.is_quiet(mv) {
                result.best = result.best.max(futility_value);
                continue;
            }

            // Step 17. Search the move.
            let value = self.search_move(ply, left, mv, cost, result.window)?;

            // Step 18. Update the best move, and end the node where the move is good enough.
            if self.update_best(ply, left, mv, value, &mut result) {
                break;
            }
        }

        // Step 19. Count pruned moves in the value, and update the transposition table.
        if picker.some_are_pruned() || late_moves_are_pruned {
            result.include_pruned(static_eval);
        }
        if result.asked.alpha < result.best && result.best < result.asked.beta {
            self.control.exact(&self.position, left, result.best);
        }
        self.store_tt(ply, left, result.asked, result.best, static_eval);
        Ok(result.best)
    }

    /// Plays `mv` at `ply`, which has `left` to spend, and returns its value for the side that plays it.
    ///
    /// This is §2.4. A move at least as probable as ½ is searched once. Any other move is first searched with its own
    /// probability and a null window; where it is better than what is known it is searched again as if it were more
    /// probable, unless that would be the same search.
    pub fn search_move(
        &mut self,
        ply: usize,
        left: Budget,
        mv: Move,
        cost: Budget,
        window: Window,
    ) -> Result<Value, Stopped> {
        self.play(mv, ply);
        let value = self.search_child(ply, left, cost, window);
        self.undo(mv);
        value
    }

    fn search_child(
        &mut self,
        ply: usize,
        left: Budget,
        cost: Budget,
        window: Window,
    ) -> Result<Value, Stopped> {
        if cost <= Budget::HALF {
            return Ok(-self.search_node(ply + 1, left.spend(cost), -window)?);
        }
        let again = research_cost(self.params, cost);
        // Any move beats an alpha of being mated at this node: a null window would say nothing.
        if window.alpha > Value::mated_in(ply) {
            let value = -self.search_node(ply + 1, left.spend(cost), -window.null())?;
            // With the same budget a second search helps only where the value lies inside an open window.
            let is_final = again == cost && (window.is_null() || value >= window.beta);
            if value <= window.alpha || is_final {
                return Ok(value);
            }
        }
        Ok(-self.search_node(ply + 1, left.spend(again), -window)?)
    }

    /// Updates `result` with the value of `mv`, a move of the node at `ply` that had `left` to spend. Returns whether the
    /// move cuts off the node.
    pub fn update_best(
        &mut self,
        ply: usize,
        left: Budget,
        mv: Move,
        value: Value,
        result: &mut NodeResult,
    ) -> bool {
        result.best = result.best.max(value);
        if value > result.window.alpha {
            result.window.alpha = value;
            self.request.table.store(self.position.key(), mv);
            self.pv.extend(ply, mv);
        }
        let cuts_off = value >= result.window.beta;
        if cuts_off {
            self.update_histories(ply, left, mv, &result.tried);
        } else {
            // More moves than there is room for are rare before a cutoff: the rest are not punished.
            let _ = result.tried.try_push(mv);
        }
        cuts_off
    }

    /// Rewards `mv`, which has cut off the node at `ply` that had `left` to spend, and punishes the moves that were `tried`
    /// before it.
    fn update_histories(&mut self, ply: usize, left: Budget, mv: Move, tried: &[Move]) {
        if self.position.piece_on(mv.to()).is_none() {
            self.killers[ply].add(mv);
        }
        let bonus = left.units().min(self.params.history_bonus);
        self.add_to_histories(ply, mv, bonus);
        let malus = bonus * self.params.history_malus / 256;
        for &mv in tried {
            self.add_to_histories(ply, mv, -malus);
        }
    }

    /// Adds `bonus` to all scores of `mv`, a move of the node at `ply`.
    pub fn add_to_histories(&mut self, ply: usize, mv: Move, bonus: i32) {
        self.memory.history.add(self.position.side(), mv, bonus);
        let piece_to = self.piece_to(mv);
        for before in self.moves_before(ply) {
            self.memory.continuation_history.add(before, piece_to, bonus);
        }
    }
}

/// What the moves of a node have found out so far.
pub struct NodeResult {
    /// The window that the node was asked about.
    pub asked: Window,
    /// The window for the next move: its alpha is what a move has to be better than.
    pub window: Window,
    /// The best value so far; outside the window that was asked about it is a bound.
    pub best: Value,
    /// The first moves that have not cut off the node.
    tried: ArrayVec<Move, 32>,
}

impl NodeResult {
    /// Nothing is known of a node that is asked about `window`.
    pub fn new(window: Window) -> NodeResult {
        NodeResult { asked: window, window, best: -Value::INFINITE, tried: ArrayVec::new() }
    }

    /// Whether no move has been searched yet.
    pub fn is_first(&self) -> bool {
        self.tried.is_empty()
    }

    /// Raises the value, as pruned moves may be worth as much as the static evaluation; to the alpha that was asked about at
    /// most, so that an upper bound stays one.
    fn include_pruned(&mut self, static_eval: Value) {
        if !self.best.is_lost() {
            self.best = self.best.max(static_eval.min(self.asked.alpha));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::thread::with_thread;
    use super::*;
    use crate::shogi::position::Position;
    use crate::shogi::sfen;

    fn null_window(alpha: i32) -> Window {
        Window::new(Value::new(alpha), Value::new(alpha + 1))
    }

    #[test]
    fn a_node_at_the_threshold_is_no_leaf() {
        let nodes = |left: i32| {
            with_thread(&Position::start(), Params::DEFAULT, |thread| {
                let value = thread.search_node(0, Budget::new(left), Window::new(-Value::WON, Value::WON));
                assert!(value.is_ok());
                thread.nodes
            })
        };
        assert_eq!(nodes(-1), 1);
        assert!(nodes(0) > 1);
    }

    #[test]
    fn late_moves_are_dearer_by_the_logarithm_of_their_place() {
        let params = Params { late_move_cost: 100, ..Params::DEFAULT };
        for (place, cost) in [(1, 0), (2, 100), (3, 150), (4, 200), (6, 250), (8, 300), (593, 915)] {
            assert_eq!(late_move_cost(&params, place), Budget::new(cost), "{place}");
        }
    }

    #[test]
    fn late_moves_are_pruned_where_they_get_too_dear_but_not_in_check() {
        let nodes = |position: &Position, late_move_cost: i32| {
            // Each move costs one bit by itself, and what costs more is pruned.
            let params = Params {
                learned_scale: 16,
                least_cost: 256,
                late_move_cost,
                prune_margin: 256,
                ..Params::DEFAULT
            };
            with_thread(position, params, |thread| {
                let value = thread.search_node(0, Budget::ZERO, null_window(300));
                assert!(value.is_ok_and(|value| value <= Value::new(300)));
                thread.nodes
            })
        };
        let start = Position::start();
        assert!(nodes(&start, 0) > 30);
        // Only the first move is not dearer.
        assert_eq!(nodes(&start, 1), 2);
        let checked = sfen::parse("4k4/9/9/9/9/9/9/9/4K3r b - 1").unwrap();
        assert_eq!(nodes(&checked, 0), nodes(&checked, 1024));
    }

    #[test]
    fn a_null_move_costs_more_with_more_to_spend_and_far_above_beta() {
        let params = Params {
            null_move_cost: 500,
            null_move_share: 128,
            null_move_margin_cost: 256,
            null_move_margin_max: 300,
            ..Params::DEFAULT
        };
        for (left, above, cost) in [(0, 0, 500), (1000, 0, 1000), (1000, 100, 1100), (1000, 5000, 1300)] {
            assert_eq!(
                null_move_cost(&params, Budget::new(left), above),
                Budget::new(cost),
                "{left} {above}"
            );
        }
    }

    #[test]
    fn futility_prunes_quiet_moves_that_lead_to_leaves() {
        // Each move costs one bit.
        let params = Params {
            learned_scale: 16,
            least_cost: 256,
            late_move_cost: 0,
            prune_margin: 65_536,
            ..Params::DEFAULT
        };
        let nodes = |left: i32| {
            with_thread(&Position::start(), params, |thread| {
                let window = null_window(5000);
                let value = thread.search_node(0, Budget::new(left), window);
                assert!(value.is_ok_and(|value| value <= window.alpha));
                thread.nodes
            })
        };
        // With 255 left all moves lead to leaves, and only the first is searched. With 256 none does.
        assert_eq!([255, 256].map(nodes), [2, 31]);
    }

    #[test]
    fn futility_prunes_neither_in_check_nor_above_alpha_nor_where_a_mate_is_known() {
        let params = Params {
            learned_scale: 16,
            least_cost: 256,
            late_move_cost: 0,
            prune_margin: 65_536,
            futility_margin: 300,
            ..Params::DEFAULT
        };
        let nodes = |position: &Position, alpha: Value| {
            with_thread(position, params, |thread| {
                let value = thread.search_node(0, Budget::new(255), Window { alpha, beta: alpha + 1 });
                assert!(value.is_ok());
                thread.nodes
            })
        };
        let free = Position::start();
        let checked = sfen::parse("4k4/9/9/9/9/9/9/9/4K3r b - 1").unwrap();
        // The static evaluation is 0 at the start.
        assert_eq!(nodes(&free, Value::new(300)), 2);
        assert!(nodes(&free, Value::new(299)) > 20);
        assert!(nodes(&free, Value::mate_in(9)) > 20);
        // All three evasions.
        assert_eq!(nodes(&checked, Value::new(5000)), 4);
    }

    /// Nodes of a move that costs `cost` and turns out better than a null window, with 300 left before it.
    fn nodes(research_cost: i32, cost: i32) -> u64 {
        let params = Params { research_cost, ..Params::DEFAULT };
        with_thread(&Position::start(), params, |thread| {
            let mv = "7g7f".parse().unwrap();
            let window = null_window(-3000);
            let value = thread.search_move(0, Budget::new(300), mv, Budget::new(cost), window);
            assert!(value.is_ok_and(|value| value > window.alpha));
            thread.nodes
        })
    }

    #[test]
    fn a_better_move_is_searched_again_where_that_goes_further() {
        // Not cheaper when searched again: no second search.
        let leaf = nodes(512, 400);
        assert_eq!(leaf, nodes(400, 400));
        // The second search has an inner node.
        let again = nodes(256, 400);
        assert!(again > leaf, "{again} nodes, {leaf} of a leaf");
        // What looked less likely still gets no less.
        assert_eq!(again, nodes(256, 2560));
    }
}
