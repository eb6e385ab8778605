//! The search by realization probability (Tsuruoka, Yokoyama and Chikayama 2002).
//!
//! A line is followed while the product of its moves' probabilities stays above a threshold; in logarithms, while a
//! budget lasts. In the paper a move costs what its learned probability says. Here every move costs one iteration's budget
//! at least, a *ply*, and beyond that the more the less probable it is and the more there is to spend: see `late_cost`. A
//! move that does not look likely but turns out better than what was known is searched again as if it cost one ply.

use arrayvec::ArrayVec;

use super::history::PieceTo;
use super::move_picker::{CostedMove, MovePicker};
use super::params::Params;
use super::thread::{SearchThread, Stopped};
use super::tt::{Bound, TtEntry};
use super::value::{MAX_PLY, Value};
use super::window::Window;
use crate::exchange::see;
use crate::mate::one_move::mate_in_one;
use crate::policy::budget::Budget;
use crate::shogi::generate::{self, MoveList};
use crate::shogi::moves::Move;

/// What a move costs that is followed in full.
pub const PLY: Budget = Budget::ITERATION;

/// What a node is expected to be in the tree of an alpha-beta search (Knuth and Moore 1975; Marsland and Popowich 1985).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NodeKind {
    /// Searched with an open window: part of the best line, perhaps.
    Pv,
    /// One of its moves is expected to be good enough.
    Cut,
    /// None of its moves is expected to be good enough.
    All,
}

/// What a move costs when it is first searched, and in full.
#[derive(Clone, Copy)]
pub struct Costs {
    pub first: Budget,
    pub full: Budget,
}

impl NodeKind {
    /// What a node is that is reached by a move of this one with a null window.
    pub fn child(self) -> NodeKind {
        if self == NodeKind::Cut { NodeKind::All } else { NodeKind::Cut }
    }
}

/// Internal iterative reduction: what a node without a hash move may spend of `left`.
fn iir_budget(params: &Params, left: Budget) -> Budget {
    if left >= Budget::new(params.iir_from) {
        left.spend(Budget::new(params.iir_cost)).max(Budget::ZERO)
    } else {
        left
    }
}

/// The most that the history changes for what a move did to the static evaluation.
const MAX_EVAL_BONUS: i32 = 1200;

/// `per_ply` for each ply of `left`, where a node whose moves lead to leaves has one.
fn for_plies(per_ply: i32, left: Budget) -> i32 {
    per_ply * (left + PLY).units() / PLY.units()
}

/// Reverse futility: how far the evaluation of a node with `left` to spend has to be above beta.
fn rfp_margin(params: &Params, left: Budget, is_improving: bool) -> i32 {
    for_plies(params.rfp_margin, left) - if is_improving { params.rfp_improving } else { 0 }
}

/// Razoring: how far the evaluation of a node with `left` to spend has to be below alpha.
fn razor_margin(params: &Params, left: Budget) -> i32 {
    params.razor_margin + for_plies(for_plies(params.razor_step, left), left)
}

/// How far above beta the static evaluation of a node with `left` to spend has to be for a null move: near the leaves the
/// opponent has no time to show what it threatens, and far from them a search has to find out in any case.
fn null_move_margin(params: &Params, left: Budget) -> i32 {
    params.null_move_margin - for_plies(params.null_move_slack, left)
}

/// What a null move costs at a node with `left` to spend whose evaluation is so many centipawns above beta. The more
/// there is to spend and the better the node looks, the less its search has to find out.
fn null_move_cost(params: &Params, left: Budget, above_beta: i32) -> Budget {
    let by_margin = (above_beta * params.null_move_margin_cost / 256).min(params.null_move_margin_max);
    let cost = params.null_move_cost + left.units() * params.null_move_share / 256 + by_margin;
    Budget::new(cost / params.cost_grain * params.cost_grain)
}

/// Rank pruning: how many moves of a node are looked at before quiet ones are left out.
fn prune_count(params: &Params, left: Budget, is_improving: bool) -> u32 {
    let by_plies = for_plies(for_plies(params.prune_count_step, left), left);
    let count = params.prune_count + by_plies / if is_improving { 256 } else { 512 };
    count.unsigned_abs()
}

/// Futility: the most that a quiet move can be worth after which `after` is left.
fn futility_value(params: &Params, static_eval: Value, after: Budget) -> Value {
    static_eval + params.futility_margin + for_plies(params.futility_step, after)
}

/// What is known of a node before its moves are searched.
#[derive(Clone, Copy)]
struct NodeFacts {
    kind: NodeKind,
    /// Whether the node was ever searched with an open window.
    was_pv: bool,
    hash_move: Option<Move>,
    hash_is_tactical: bool,
    /// `None` in check.
    static_eval: Option<Value>,
    /// The best guess at the value that costs no search: the table's value where it says more than the static evaluation.
    eval: Value,
    /// Whether the static evaluation is better than it was at the side's move before.
    is_improving: bool,
}

/// What the search of a node without its hash move says about that move.
enum Singular {
    /// So much is added to what the hash move may spend; a negative number is taken away.
    Extension(Budget),
    /// The node is good enough without it: its value.
    MultiCut(Value),
}

impl SearchThread<'_> {
    /// The value of a node that may still spend `left`, for the side to move. Fail-soft: outside the window it is a
    /// bound.
    pub fn search_node(
        &mut self,
        ply: usize,
        mut left: Budget,
        window: Window,
        kind: NodeKind,
    ) -> Result<Value, Stopped> {
        // Step 1. Leaf: a node below the threshold, not at it (§2.1).
        if left < Budget::ZERO {
            self.control.leaf(ply);
            return self.qsearch(ply, 0, window);
        }
        let is_pv = kind == NodeKind::Pv;
        let excluded = self.frame(ply).excluded;

        // Step 2. Abort, or count the node.
        if excluded.is_none() {
            self.enter_node(ply)?;
            self.prefetch_node(ply);
        }

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
        self.frame_mut(ply + 2).cutoffs = 0;

        // Step 6. Transposition table. No cutoff in an open window: the table does not have the line.
        let tt_entry = self.probe_tt(ply);
        let hash_move = self.hash_move();
        if let Some(entry) = tt_entry
            && !is_pv
            && excluded.is_none()
            && entry.causes_cutoff(left, window)
        {
            if let Some(mv) = hash_move
                && entry.value >= window.beta
                && !self.is_tactical(mv)
            {
                self.reward_quiet(ply, mv, self.bonus(left));
            }
            return Ok(entry.value);
        }

        // Step 7. Mate in one. A position in the table was asked already, except leaves in check: there the loop over the
        // moves finds the mate.
        if tt_entry.is_none()
            && excluded.is_none()
            && let Some(mv) = mate_in_one(&self.position)
        {
            self.pv.set(ply, &[mv]);
            return Ok(Value::mate_in(ply + 1));
        }

        // Step 8. Static evaluation.
        let static_eval = tt_entry.map_or_else(|| self.evaluate(), |entry| entry.static_eval);
        let facts = self.node_facts(ply, kind, hash_move, tt_entry, static_eval);
        if excluded.is_none() && ply > 0 {
            left = self.hindsight(ply, left, &facts);
        }

        // Steps 9 to 11. Nodes that need no move: razoring, reverse futility pruning, null move.
        let may_end_early = !is_pv
            && !self.position.in_check()
            && window.alpha.mate_distance().is_none()
            && window.beta.mate_distance().is_none()
            && excluded.is_none();
        if may_end_early && let Some(value) = self.value_without_moves(ply, left, window, &facts)? {
            return Ok(value);
        }

        // Step 12. Where the window is open, a slice of mate search: it sees mates that are farther away than the leaves.
        if is_pv && let Some(value) = self.mate_by_slice(ply, left, window, static_eval)? {
            return Ok(value);
        }

        // Step 13. Internal iterative reduction: a node without a hash move is searched with less budget. Its best move is
        // the hash move of the next visit.
        if hash_move.is_none() && kind != NodeKind::All {
            left = iir_budget(self.params, left);
        }

        // Step 14. ProbCut (Buro 1995): a capture that is far above beta after a shallow search stays above it after a deep
        // one.
        if may_end_early
            && left >= Budget::new(self.params.probcut_from)
            && let Some(value) = self.probcut(ply, left, window, &facts, static_eval)?
        {
            return Ok(value);
        }

        // Step 15. Singular move: where the hash move is much better than all others, it is searched deeper.
        let extension = match self.singular(ply, left, window, &facts, tt_entry)? {
            Singular::MultiCut(value) => return Ok(value),
            Singular::Extension(extension) => extension,
        };

        // Steps 16 to 20. The moves.
        let mut result = NodeResult::new(window);
        self.search_moves(ply, left, extension, &facts, &mut result)?;

        // Step 21. Update the histories and the transposition table.
        if result.searched == 0 {
            // Without any move it is mate; with the excluded one alone, nothing else is worth anything.
            return Ok(if excluded.is_some() { window.alpha } else { Value::mated_in(ply) });
        }
        self.learn_from(ply, left, &result);
        if excluded.is_none() {
            self.store_tt(ply, left, result.asked, result.best, static_eval, facts.was_pv);
        }
        Ok(result.best)
    }

    /// What is known of the node at `ply`, whose static evaluation is `static_eval`, which goes into its frame.
    fn node_facts(
        &mut self,
        ply: usize,
        kind: NodeKind,
        hash_move: Option<Move>,
        tt_entry: Option<TtEntry>,
        static_eval: Value,
    ) -> NodeFacts {
        let known = (!self.position.in_check()).then_some(static_eval);
        self.frame_mut(ply).static_eval = known;
        let before = self.earlier(ply, 2).static_eval.or(self.earlier(ply, 4).static_eval);
        let eval = match tt_entry {
            Some(entry) if entry.is_tighter_than(static_eval) => entry.value,
            _ => static_eval,
        };
        NodeFacts {
            kind,
            was_pv: kind == NodeKind::Pv || tt_entry.is_some_and(|entry| entry.was_pv),
            hash_move,
            hash_is_tactical: hash_move.is_some_and(|mv| self.is_tactical(mv)),
            static_eval: known,
            eval,
            is_improving: known.is_some_and(|now| before.is_none_or(|before| now > before)),
        }
    }

    /// What a node may spend, in view of what the move that led to it did to the static evaluation. The move is judged by
    /// that in the history as well.
    fn hindsight(&mut self, ply: usize, left: Budget, facts: &NodeFacts) -> Budget {
        let frame = *self.frame(ply);
        let (Some(now), Some(then)) = (facts.static_eval, self.earlier(ply, 1).static_eval) else {
            return left;
        };
        // What the side to move has gained by the opponent's move.
        let gain = now.centipawns() + then.centipawns();
        if let Some(mv) = frame.last_move
            && !frame.last_is_tactical
        {
            let bonus = (-gain * self.params.eval_bonus / 16).clamp(-MAX_EVAL_BONUS, MAX_EVAL_BONUS);
            self.memory.history.add(!self.position.side(), mv, bonus);
        }
        if frame.reduction >= Budget::new(self.params.hindsight_from) && gain <= 0 {
            // Reduced a lot, but a good move.
            left + PLY
        } else if frame.reduction >= Budget::of_plies(2) && left >= PLY && gain > self.params.hindsight_margin
        {
            // Reduced, and rightly so.
            left.spend(PLY)
        } else {
            left
        }
    }

    /// The value of a node with a null window, where that is known without trying a move.
    fn value_without_moves(
        &mut self,
        ply: usize,
        left: Budget,
        window: Window,
        facts: &NodeFacts,
    ) -> Result<Option<Value>, Stopped> {
        let params = self.params;
        // Step 9. Razoring: a node that is far below alpha is left to the quiescence search.
        if left < Budget::of_plies(params.razor_plies)
            && facts.eval + razor_margin(params, left) <= window.alpha
        {
            let value = self.qsearch(ply, 0, window)?;
            if value <= window.alpha {
                return Ok(Some(value));
            }
        }

        // Step 10. Reverse futility pruning: a node near the leaves that is far above beta stays above it.
        if left < Budget::of_plies(params.rfp_plies)
            && facts.eval - rfp_margin(params, left, facts.is_improving) >= window.beta
            && !facts.was_pv
        {
            return Ok(Some(Value::new((2 * window.beta.centipawns() + facts.eval.centipawns()) / 3)));
        }

        // Step 11. Null move (Donninger 1993): if even a pass is good enough, a move is. Never two in a row.
        let needed = window.beta + null_move_margin(params, left);
        if left >= Budget::new(params.null_move_from)
            && facts.kind == NodeKind::Cut
            && facts.eval >= window.beta
            && facts.static_eval.is_some_and(|static_eval| static_eval >= needed)
            && !self.follows_null_move(ply)
        {
            let above_beta = facts.eval.centipawns() - window.beta.centipawns();
            let left_after_pass = left.spend(null_move_cost(params, left, above_beta));
            self.play_null_move(ply);
            let value = self.search_node(ply + 1, left_after_pass, -window.null_at_beta(), NodeKind::All);
            self.undo_null_move();
            let value = -value?;
            if value >= window.beta {
                // Not a mate: one that is found after a pass proves none.
                return Ok(Some(if value.mate_distance().is_some() { window.beta } else { value }));
            }
        }
        Ok(None)
    }

    /// Searches the node at `ply` without its hash move, where the table says that the move is good: is any other nearly as
    /// good?
    fn singular(
        &mut self,
        ply: usize,
        left: Budget,
        window: Window,
        facts: &NodeFacts,
        tt_entry: Option<TtEntry>,
    ) -> Result<Singular, Stopped> {
        let none = Singular::Extension(Budget::ZERO);
        let (Some(entry), Some(mv)) = (tt_entry, facts.hash_move) else { return Ok(none) };
        let is_asked = ply > 0
            && self.frame(ply).excluded.is_none()
            && left >= Budget::new(self.params.singular_from)
            && entry.bound != Bound::Upper
            && entry.value.mate_distance().is_none()
            && entry.left + Budget::of_plies(3) >= left
            // Extensions end at twice the depth of the iteration.
            && ply < 2 * self.iteration as usize + 10;
        if !is_asked {
            return Ok(none);
        }
        let below = entry.value - for_plies(self.params.singular_margin, left) / 4;
        let half = Budget::new(left.units() / PLY.units() / 2 * PLY.units());
        let kind = if facts.kind == NodeKind::Pv { NodeKind::Cut } else { facts.kind };
        self.frame_mut(ply).excluded = Some(mv);
        let value = self.search_node(ply, half, Window::new(below - 1, below), kind);
        self.frame_mut(ply).excluded = None;
        let value = value?;
        if value < below {
            let is_doubly = facts.kind != NodeKind::Pv && value < below - self.params.singular_double;
            return Ok(Singular::Extension(if is_doubly { PLY + PLY } else { PLY }));
        }
        if value >= window.beta && value.mate_distance().is_none() {
            return Ok(Singular::MultiCut(value));
        }
        Ok(Singular::Extension(if entry.value >= window.beta {
            Budget::of_plies(-2)
        } else if facts.kind == NodeKind::Cut {
            Budget::of_plies(-1)
        } else {
            Budget::ZERO
        }))
    }

    /// Searches the moves of a node one after the other, as far as one cuts off.
    fn search_moves(
        &mut self,
        ply: usize,
        left: Budget,
        extension: Budget,
        facts: &NodeFacts,
        result: &mut NodeResult,
    ) -> Result<(), Stopped> {
        let params = self.params;
        let excluded = self.frame(ply).excluded;
        let mut picker = MovePicker::new(facts.hash_move.filter(|&mv| Some(mv) != excluded));
        // Nothing is pruned in check, nor where a mate is known already and only a shorter one would be better.
        let prunable = facts.static_eval.filter(|_| result.asked.alpha <= Value::WON);
        let prune_count = prune_count(params, left, facts.is_improving);
        while let Some(costed @ CostedMove { mv, is_tactical, .. }) = self.next_move(ply, &mut picker) {
            if Some(mv) == excluded {
                continue;
            }
            // Pruned moves are searched all the same where all others lose.
            let prunable = prunable.filter(|_| !result.best.is_lost());

            // Step 16. Rank pruning: quiet moves that so many others come before.
            if prunable.is_some() && !is_tactical && result.searched >= prune_count {
                picker.leave_out_quiets();
                result.some_are_pruned = true;
                continue;
            }
            result.searched += 1;
            let is_first = result.searched == 1;
            let cost = self.late_cost(ply, left, result.searched, costed, facts);

            // Step 17. Futility pruning, and pruning by exchanges.
            if let Some(static_eval) = prunable {
                let after = left.spend(cost).max(Budget::of_plies(-1));
                if !is_tactical
                    && after < Budget::of_plies(params.futility_plies)
                    && futility_value(params, static_eval, after) <= result.window.alpha
                    && !self.position.gives_check(mv)
                {
                    result.best = result.best.max(futility_value(params, static_eval, after));
                    continue;
                }
                if Some(mv) != facts.hash_move && self.loses_too_much(mv, is_tactical, left, after) {
                    continue;
                }
            }

            // Step 18. Search the move.
            let full = PLY.spend(if is_first { extension } else { Budget::ZERO });
            let costs = Costs { first: if is_first { full } else { cost }, full };
            let value = self.search_move(ply, left, mv, costs, result.window, facts.kind, is_first)?;

            // Step 19. Update the best move, and end the node where the move is good enough.
            if self.update_best(ply, mv, value, result) {
                break;
            }
        }

        // Step 20. Count pruned moves in the value.
        if result.some_are_pruned
            && let Some(static_eval) = facts.static_eval
        {
            result.include_pruned(static_eval);
        }
        Ok(())
    }

    /// Whether a move loses too much by exchange to be searched: `left` is left before it and `after` after it.
    fn loses_too_much(&self, mv: Move, is_tactical: bool, left: Budget, after: Budget) -> bool {
        let params = self.params;
        let (plies, most) = if is_tactical {
            (params.see_capture_plies, for_plies(params.see_capture_step, left))
        } else {
            (params.see_quiet_plies, for_plies(for_plies(params.see_quiet_step, after), after))
        };
        let spent = if is_tactical { left } else { after };
        spent < Budget::of_plies(plies) && !see::see_ge(&self.position, mv, -most)
    }

    /// What a move costs that is not searched in full at once, the `rank`th of its node, 1 being the first. An order that is
    /// mostly right makes a move the less probable the more come before it: at rank r about 1/r, log2 r bits. What a bit
    /// costs grows with the logarithm of the plies that are left. A move that is dearer than others of its rank costs more.
    fn late_cost(
        &self,
        ply: usize,
        left: Budget,
        rank: u32,
        CostedMove { price, is_tactical, .. }: CostedMove,
        facts: &NodeFacts,
    ) -> Budget {
        let params = self.params;
        let bits = Budget::of_plies(rank.cast_signed() - 1).log2_plies();
        let mut more = bits * left.log2_plies() / 256 * params.late_slope / 256;
        let beyond = price.units() - bits - params.late_price_expected;
        more += beyond.clamp(-params.late_price_most, params.late_price_most) * params.late_price / 256;
        if facts.kind == NodeKind::Cut {
            more += params.late_cut;
        }
        if facts.kind == NodeKind::Pv {
            more -= params.late_pv;
        }
        if facts.was_pv {
            more -= params.late_was_pv;
        }
        if !facts.is_improving {
            more += params.late_not_improving;
        }
        if facts.hash_is_tactical && !is_tactical {
            more += params.late_hash_tactical;
        }
        if self.frame(ply + 1).cutoffs > 3 {
            more += params.late_cutoffs;
        }
        // Budgets that differ little are made equal: the transposition table answers for them alike.
        let grain = params.cost_grain;
        Budget::new(((PLY.units() + more).max(params.least_cost) + grain / 2) / grain * grain)
    }

    /// What the root's move number `index` costs before it is known to be good.
    pub fn root_costs(&self, left: Budget, index: usize, costed: CostedMove) -> Costs {
        let facts = NodeFacts {
            kind: NodeKind::Pv,
            was_pv: true,
            hash_move: None,
            hash_is_tactical: false,
            static_eval: None,
            eval: Value::DRAW,
            is_improving: true,
        };
        Costs { first: self.late_cost(0, left, index as u32 + 1, costed, &facts), full: PLY }
    }

    /// Plays `mv` at `ply`, which has `left` to spend, and returns its value for the side that plays it.
    ///
    /// This is §2.4. The first move of a node is searched in full. Any other is first searched with a null window and what
    /// it costs by its rank; where it is better than what is known it is searched again in full, and with the open window
    /// where it may be the best.
    #[expect(clippy::too_many_arguments, reason = "all of them change from move to move")]
    pub fn search_move(
        &mut self,
        ply: usize,
        left: Budget,
        mv: Move,
        costs: Costs,
        window: Window,
        kind: NodeKind,
        is_first: bool,
    ) -> Result<Value, Stopped> {
        self.play(mv, ply);
        let value = self.search_child(ply, left, costs, window, kind, is_first);
        self.undo(mv);
        value
    }

    fn search_child(
        &mut self,
        ply: usize,
        left: Budget,
        costs: Costs,
        window: Window,
        kind: NodeKind,
        is_first: bool,
    ) -> Result<Value, Stopped> {
        let after = left.spend(costs.full);
        let is_pv = kind == NodeKind::Pv;
        let mut value = window.alpha;
        // Any move beats an alpha of being mated at this node: a null window would say nothing.
        let asks_null = !(is_first && is_pv) && window.alpha > Value::mated_in(ply);
        if asks_null {
            let null = -window.null();
            let is_reduced = costs.first > costs.full;
            if is_reduced {
                self.frame_mut(ply + 1).reduction = costs.first.spend(costs.full);
                let reduced = self.search_node(ply + 1, left.spend(costs.first), null, NodeKind::Cut);
                self.frame_mut(ply + 1).reduction = Budget::ZERO;
                value = -reduced?;
            }
            if !is_reduced {
                value = -self.search_node(ply + 1, left.spend(costs.first), null, kind.child())?;
            } else if value > window.alpha && after >= Budget::ZERO {
                value = -self.search_node(ply + 1, after, null, kind.child())?;
            }
        }
        if is_pv && (!asks_null || value > window.alpha) {
            value = -self.search_node(ply + 1, after, -window, NodeKind::Pv)?;
        }
        Ok(value)
    }

    /// Tries captures and promotions at the node at `ply`, which has `left` to spend: whether one stays far above beta.
    fn probcut(
        &mut self,
        ply: usize,
        left: Budget,
        window: Window,
        facts: &NodeFacts,
        static_eval: Value,
    ) -> Result<Option<Value>, Stopped> {
        let beta = window.beta + self.params.probcut_margin;
        if beta.mate_distance().is_some() {
            return Ok(None);
        }
        let needed = beta.centipawns() - facts.eval.centipawns();
        let mut moves = MoveList::new();
        generate::captures(&self.position, self.request.non_promotions, &mut moves);
        generate::promotions(&self.position, &mut moves);
        let position = &self.position;
        moves.retain(|&mut mv| {
            see::immediate_gain(position, mv) >= needed && see::see_ge(position, mv, needed.max(0))
        });
        moves.sort_unstable_by_key(|&mv| std::cmp::Reverse(see::immediate_gain(position, mv)));
        let shallow = left.spend(Budget::new(self.params.probcut_cost));
        let asked = Window::new(beta - 1, beta);
        for &mv in &moves {
            self.play(mv, ply);
            let mut value = self.qsearch(ply + 1, 0, -asked).map(|value| -value);
            if matches!(value, Ok(value) if value >= beta) && shallow >= Budget::ZERO {
                value = self.search_node(ply + 1, shallow, -asked, facts.kind.child()).map(|value| -value);
            }
            self.undo(mv);
            let value = value?;
            if value >= beta {
                self.request.table.store(self.position.key(), mv);
                if value.mate_distance().is_some() {
                    return Ok(Some(value));
                }
                let left = shallow + PLY;
                self.store_entry(
                    ply,
                    TtEntry { value, left, bound: Bound::Lower, static_eval, was_pv: false },
                );
                return Ok(Some(value - self.params.probcut_margin));
            }
        }
        Ok(None)
    }

    /// Updates `result` with the value of `mv`, a move of the node at `ply`. Returns whether the move cuts off the node.
    pub fn update_best(&mut self, ply: usize, mv: Move, value: Value, result: &mut NodeResult) -> bool {
        result.best = result.best.max(value);
        if value > result.window.alpha {
            result.window.alpha = value;
            result.best_move = Some(mv);
            if self.frame(ply).excluded.is_none() {
                self.request.table.store(self.position.key(), mv);
            }
            self.pv.extend(ply, mv);
        }
        if value >= result.window.beta {
            self.frame_mut(ply).cutoffs += 1;
            return true;
        }
        if result.best_move != Some(mv) {
            // More moves than there is room for are rare before a cutoff: the rest are not punished.
            let _ = result.tried.try_push(mv);
        }
        false
    }

    /// What a move gains in the history that is best at a node with `left` to spend.
    fn bonus(&self, left: Budget) -> i32 {
        for_plies(self.params.history_bonus, left).min(self.params.history_bonus_max)
    }

    /// Rewards the best move of the node at `ply` that had `left` to spend, and punishes the moves that were tried beside
    /// it. Where none was good enough, the move that led here is rewarded.
    pub fn learn_from(&mut self, ply: usize, left: Budget, result: &NodeResult) {
        let bonus = self.bonus(left);
        let Some(best) = result.best_move else {
            let frame = *self.frame(ply);
            if let Some(mv) = frame.last_move
                && !frame.last_is_tactical
                && ply > 0
            {
                let bonus = bonus * self.params.history_fail_low / 256;
                self.memory.history.add(!self.position.side(), mv, bonus);
                for plies in [1, 2] {
                    let earlier = self.earlier(ply, plies).last;
                    self.memory.continuations.add(earlier, frame.last, bonus);
                }
            }
            return;
        };
        let malus = -bonus * self.params.history_malus / 256;
        if self.is_tactical(best) {
            self.reward_tactical(best, bonus);
        } else {
            self.reward_quiet(ply, best, bonus);
        }
        for &mv in &result.tried {
            if self.is_tactical(mv) {
                self.reward_tactical(mv, malus);
            } else if !self.is_tactical(best) {
                self.reward_quiet(ply, mv, malus);
            }
        }
    }

    fn reward_quiet(&mut self, ply: usize, mv: Move, bonus: i32) {
        self.memory.history.add(self.position.side(), mv, bonus);
        let now = PieceTo::of(&self.position, mv);
        for plies in [1, 2, 4] {
            let earlier = self.earlier(ply, plies - 1).last;
            self.memory.continuations.add(earlier, now, bonus * self.params.continuation_bonus / 256);
        }
    }

    fn reward_tactical(&mut self, mv: Move, bonus: i32) {
        let taken = self.position.piece_on(mv.to()).map(|piece| piece.kind);
        self.memory.captures.add(PieceTo::of(&self.position, mv), taken, bonus);
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
    /// The last move that was better than alpha.
    pub best_move: Option<Move>,
    /// How many moves were looked at.
    pub searched: u32,
    /// Whether quiet moves were left out.
    some_are_pruned: bool,
    /// The first moves that have not cut off the node.
    tried: ArrayVec<Move, 32>,
}

impl NodeResult {
    /// Nothing is known of a node that is asked about `window`.
    pub fn new(window: Window) -> NodeResult {
        NodeResult {
            asked: window,
            window,
            best: -Value::INFINITE,
            best_move: None,
            searched: 0,
            some_are_pruned: false,
            tried: ArrayVec::new(),
        }
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

    /// Nodes of a search of `position` with `left` to spend and a null window at `alpha`, which must fail low.
    fn nodes_failing_low(position: &Position, params: Params, left: i32, alpha: Value) -> u64 {
        with_thread(position, params, |thread| {
            let window = Window { alpha, beta: alpha + 1 };
            let value = thread.search_node(0, Budget::new(left), window, NodeKind::All);
            assert!(value.is_ok_and(|value| value <= alpha));
            thread.nodes
        })
    }

    /// Nothing is pruned but by futility.
    const FUTILITY_ALONE: Params = Params {
        razor_plies: 0,
        prune_count: 1000,
        see_quiet_plies: -1,
        see_capture_plies: -1,
        futility_margin: 300,
        futility_step: 0,
        ..Params::DEFAULT
    };

    #[test]
    fn a_node_at_the_threshold_is_no_leaf() {
        let nodes = |left: i32| {
            with_thread(&Position::start(), Params::DEFAULT, |thread| {
                let window = Window::new(-Value::WON, Value::WON);
                assert!(thread.search_node(0, Budget::new(left), window, NodeKind::Pv).is_ok());
                thread.nodes
            })
        };
        assert_eq!(nodes(-1), 1);
        assert!(nodes(0) > 1);
    }

    #[test]
    fn a_null_move_costs_more_with_more_to_spend_and_far_above_beta() {
        let params = Params {
            null_move_cost: 512,
            null_move_share: 128,
            null_move_margin_cost: 256,
            null_move_margin_max: 256,
            ..Params::DEFAULT
        };
        for (left, above, cost) in [(0, 0, 512), (1024, 0, 1024), (1024, 128, 1152), (1024, 5000, 1280)] {
            assert_eq!(
                null_move_cost(&params, Budget::new(left), above),
                Budget::new(cost),
                "{left} {above}"
            );
        }
    }

    #[test]
    fn futility_prunes_quiet_moves_far_below_alpha() {
        let free = Position::start();
        let nodes = |alpha: i32| nodes_failing_low(&free, FUTILITY_ALONE, 0, Value::new(alpha));
        // The static evaluation is 0 at the start. The first move is always searched.
        assert_eq!(nodes(300), 2);
        assert!(nodes(299) > 20);
    }

    #[test]
    fn futility_prunes_neither_in_check_nor_where_a_mate_is_known() {
        let checked = sfen::parse("4k4/9/9/9/9/9/9/9/4K3r b - 1").unwrap();
        // All three evasions.
        assert_eq!(nodes_failing_low(&checked, FUTILITY_ALONE, 0, Value::new(5000)), 4);
        assert!(nodes_failing_low(&Position::start(), FUTILITY_ALONE, 0, Value::mate_in(9)) > 20);
    }

    #[test]
    fn later_moves_cost_more_and_more_so_with_more_to_spend() {
        with_thread(&Position::start(), Params::DEFAULT, |thread| {
            let costed = CostedMove { mv: "7g7f".parse().unwrap(), price: Budget::ZERO, is_tactical: false };
            let mut cost = |plies: i32, index: usize| {
                thread.root_costs(Budget::of_plies(plies), index, costed).first.units()
            };
            assert!(cost(8, 20) > cost(8, 4) && cost(8, 4) > cost(8, 1));
            assert!(cost(16, 20) - cost(16, 1) > cost(4, 20) - cost(4, 1));
            assert_eq!(cost(0, 1), cost(0, 100));
        });
    }

    /// Nodes of a move that costs `first` and turns out better than a null window, with two plies left before it.
    fn nodes(first: i32, full: i32) -> u64 {
        with_thread(&Position::start(), Params::DEFAULT, |thread| {
            let mv = "7g7f".parse().unwrap();
            let costs = Costs { first: Budget::new(first), full: Budget::new(full) };
            let left = Budget::of_plies(2);
            let window = null_window(-3000);
            let value = thread.search_move(0, left, mv, costs, window, NodeKind::Cut, false);
            assert!(value.is_ok_and(|value| value > window.alpha));
            thread.nodes
        })
    }

    #[test]
    fn a_better_move_is_searched_again_where_that_goes_further() {
        // A leaf both times: no second search.
        let leaf = nodes(1100, 1100);
        assert_eq!(leaf, nodes(1536, 1100));
        // The second search has an inner node.
        assert!(nodes(1536, 512) > leaf);
        assert!(nodes(1536, 512) > nodes(512, 512));
    }
}
