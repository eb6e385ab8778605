//! The move picker: what the moves of a node cost, and in which order they are searched.
//!
//! A move costs what its learned probability says, changed by what the search has found out about it. The hash move comes
//! first, then the moves by their cost. History counts in the cost and once more in the order; killers come a little earlier.

use arrayvec::ArrayVec;

use super::history::MAX_HISTORY;
use super::thread::SearchThread;
use crate::exchange::see;
use crate::policy::budget::{Budget, MAX_COST};
use crate::policy::category::CategorySet;
use crate::policy::cost_cache::CachedCost;
use crate::policy::move_context::MoveContext;
use crate::policy::transition;
use crate::shogi::generate::{MAX_MOVES, MoveList};
use crate::shogi::moves::Move;

/// A move with what it costs.
#[derive(Clone, Copy, Debug)]
pub struct CostedMove {
    pub mv: Move,
    /// What it takes from the budget.
    pub cost: Budget,
    /// Whether it is quiet or loses material. Means nothing in check.
    pub is_quiet_or_loses: bool,
    /// The move with the lowest key is searched first.
    order_key: Budget,
}

impl CostedMove {
    /// The order key of the hash move: nothing comes before it.
    const FIRST: Budget = Budget::new(i32::MIN);

    const fn new(mv: Move, cost: Budget, is_quiet_or_loses: bool) -> CostedMove {
        CostedMove { mv, cost, is_quiet_or_loses, order_key: Budget::ZERO }
    }

    /// A move that is certain to be played.
    pub const fn certain(mv: Move) -> CostedMove {
        CostedMove { mv, cost: Budget::ZERO, is_quiet_or_loses: false, order_key: Self::FIRST }
    }
}

/// The moves of a node in any order.
type List = ArrayVec<CostedMove, MAX_MOVES>;

/// Sums of features' weights.
type Scores = ArrayVec<i32, MAX_MOVES>;

/// Gives out the moves of a node, best first. It sorts only as far as it is asked: most nodes end early.
#[derive(Default)]
pub struct MovePicker {
    /// A move that was searched before the list is filled, and does not come again.
    searched: Option<Move>,
    list: List,
    picked: usize,
    /// How many are pruned; they are at the end.
    pruned: usize,
}

impl MovePicker {
    /// The next move that is not pruned; `None` also once pruned moves have been given out.
    pub fn next(&mut self) -> Option<CostedMove> {
        self.best_before(self.list.len() - self.pruned)
    }

    /// The next of all moves; the pruned ones come last.
    pub fn next_even_pruned(&mut self) -> Option<CostedMove> {
        self.next().or_else(|| self.best_before(self.list.len()))
    }

    fn best_before(&mut self, end: usize) -> Option<CostedMove> {
        let rest = self.list.get_mut(self.picked..end)?;
        let (best, _) = rest.iter().enumerate().min_by_key(|(_, costed)| costed.order_key)?;
        rest.swap(0, best);
        self.picked += 1;
        Some(rest[0])
    }

    /// Sets aside the moves that meet `is_pruned`, before any move is picked. Returns whether one does.
    pub fn prune(&mut self, is_pruned: impl Fn(&CostedMove) -> bool) -> bool {
        debug_assert_eq!((self.picked, self.pruned), (0, 0));
        let (mut index, mut end) = (0, self.list.len());
        while index < end {
            if is_pruned(&self.list[index]) {
                end -= 1;
                self.list.swap(index, end);
            } else {
                index += 1;
            }
        }
        self.pruned = self.list.len() - end;
        self.pruned > 0
    }
}

impl SearchThread<'_> {
    /// The hash move, where it is to be searched before `picker` is filled; the picker then leaves it out. `None` in check:
    /// there the other moves are few, and a sole one costs nothing.
    pub fn hash_move_first(&self, hash_move: Option<Move>, picker: &mut MovePicker) -> Option<CostedMove> {
        let mv = hash_move.filter(|_| !self.position.in_check())?;
        picker.searched = Some(mv);
        let cost = Budget::new(self.params.hash_move_cost.max(self.params.least_cost));
        Some(CostedMove { cost, ..CostedMove::certain(mv) })
    }

    /// Fills the empty `picker` with the moves of a node. It is filled in place, as returning so many moves takes time.
    pub fn fill_picker(
        &mut self,
        ply: usize,
        moves: &MoveList,
        hash_move: Option<Move>,
        picker: &mut MovePicker,
    ) {
        self.find_costs(ply, moves, &mut picker.list);
        if let Some(searched) = picker.searched
            && let Some(place) = picker.list.iter().position(|costed| costed.mv == searched)
        {
            picker.list.swap_remove(place);
        }
        self.order_moves(ply, hash_move, moves.len() == 1, picker);
    }

    /// Like [`fill_picker`](SearchThread::fill_picker), but only with the hash move and the moves of `wanted` categories.
    pub fn fill_picker_with_some(
        &self,
        ply: usize,
        moves: &MoveList,
        hash_move: Option<Move>,
        wanted: impl Fn(CategorySet) -> bool,
        picker: &mut MovePicker,
    ) {
        let wanted = |mv, categories| Some(mv) == hash_move || wanted(categories);
        self.compute_costs_of_some(ply, moves, wanted, &mut picker.list);
        self.order_moves(ply, hash_move, moves.len() == 1, picker);
    }

    /// The cost of a move as the hash move: its own, but `hash_move_cost` at most and `least_cost` at least.
    pub fn hash_move_cost(&self, cost: Budget) -> Budget {
        cost.min(Budget::new(self.params.hash_move_cost)).max(Budget::new(self.params.least_cost))
    }

    /// Changes the costs of the moves by what the search has found out about them, and sets their order. A sole legal move
    /// is certain to be played (Tsuruoka, Yokoyama and Chikayama 2002, §2.2).
    fn order_moves(&self, ply: usize, hash_move: Option<Move>, is_sole: bool, picker: &mut MovePicker) {
        let side = self.position.side();
        for CostedMove { mv, cost, order_key, .. } in &mut picker.list {
            let mv = *mv;
            let history = self.memory.history.score(side, mv);
            let by_history = |most: i32| Budget::new(history * most / MAX_HISTORY);
            let changed = cost.spend(by_history(self.params.history_cost));
            *cost = changed.clamp(Budget::new(self.params.least_cost), MAX_COST);
            *order_key = cost.spend(by_history(self.params.history_order));
            if self.killers[ply].contain(mv) && self.position.piece_on(mv.to()).is_none() {
                *order_key = order_key.spend(Budget::new(self.params.killer_bonus));
            }
            if Some(mv) == hash_move {
                (*cost, *order_key) = (self.hash_move_cost(*cost), CostedMove::FIRST);
            }
            if is_sole {
                *cost = Budget::ZERO;
            }
        }
    }

    /// Fills `list` with the moves of a node and what each costs by its probability.
    fn find_costs(&mut self, ply: usize, moves: &MoveList, list: &mut List) {
        if ply == 0 {
            // The cache does not know the root: a user may have chosen its moves.
            self.compute_costs(ply, moves, list);
        } else {
            let (key, previous_to) = (self.position.key(), self.previous_to(ply));
            let cached = self.memory.cost_cache.get(key, previous_to, moves.len());
            self.control.prices(ply, &self.position, cached.is_some());
            if let Some(cached) = cached {
                let costed = |(&mv, cached): (&Move, &CachedCost)| {
                    CostedMove::new(mv, cached.cost(), cached.is_quiet_or_loses())
                };
                list.extend(moves.iter().zip(cached).map(costed));
                #[cfg(debug_assertions)]
                self.check_cached_costs(ply, moves, list);
            } else {
                self.compute_costs(ply, moves, list);
                let cached = |costed: &CostedMove| CachedCost::new(costed.cost, costed.is_quiet_or_loses);
                self.memory.cost_cache.insert(key, previous_to, list.iter().map(cached));
            }
        }
        #[cfg(debug_assertions)]
        self.check_quiet_or_loses(list);
    }

    /// Fills `list` with all moves and what each costs by its probability.
    ///
    /// Plain features, which are cheap to find, are summed for all moves. Finding all features takes longer than anything
    /// else in a node, so it is done for the likely moves alone, and most moves are unlikely. The likely moves share the
    /// probability that plain features give them together.
    fn compute_costs(&self, ply: usize, moves: &MoveList, list: &mut List) {
        let position = &self.position;
        let context = MoveContext::new(position, self.previous_to(ply));
        let (checks, in_check) = (position.check_squares(), position.in_check());
        let mut highest = i32::MIN;
        self.plain_transitions.scores(context.plain(), moves, |mv, kind, score| {
            // Losing moves are marked below, and a cost is the negated score until the sum of all is known.
            let is_quiet = !self.is_capture_or_promotion(mv) && !checks.gives_check(mv, kind);
            list.push(CostedMove::new(mv, Budget::new(-score), is_quiet));
            highest = highest.max(score);
        });
        let total = transition::log_sum_up_to(highest, list.iter().map(|costed| -costed.cost.units()));

        let likely_until = Budget::new(self.params.likely_until);
        let mut likely = ArrayVec::<usize, MAX_MOVES>::new();
        let (mut plain, mut full) = (Scores::new(), Scores::new());
        for (index, CostedMove { mv, cost, is_quiet_or_loses, .. }) in list.iter_mut().enumerate() {
            let plain_cost = total + *cost;
            if plain_cost <= likely_until {
                let (score, categories) = self.transitions.score(&context, *mv);
                likely.push(index);
                plain.push(-plain_cost.units());
                full.push(score);
                *is_quiet_or_loses = categories.is_quiet_or_loses();
            } else {
                *cost = self.scaled_cost(plain_cost);
                if !*is_quiet_or_loses && !in_check {
                    *is_quiet_or_loses = !see::see_ge(position, *mv, 0);
                }
            }
        }

        let shared = transition::log_sum(full.iter().copied()) - transition::log_sum(plain.iter().copied());
        for (&index, &score) in likely.iter().zip(&full) {
            list[index].cost = self.scaled_cost(shared - Budget::new(score));
        }
    }

    /// Fills `list` with the `wanted` moves and their costs; their probabilities add up to one. The categories of every move
    /// have to be found here, so plain features would save nothing.
    fn compute_costs_of_some(
        &self,
        ply: usize,
        moves: &MoveList,
        wanted: impl Fn(Move, CategorySet) -> bool,
        list: &mut List,
    ) {
        let context = MoveContext::new(&self.position, self.previous_to(ply));
        for &mv in moves {
            let scored = self.transitions.score_if(&context, mv, |categories| wanted(mv, categories));
            if let Some((score, categories)) = scored {
                list.push(CostedMove::new(mv, Budget::new(-score), categories.is_quiet_or_loses()));
            }
        }
        let total = transition::log_sum(list.iter().map(|costed| -costed.cost.units()));
        for CostedMove { cost, .. } in list {
            *cost = self.scaled_cost(total + *cost);
        }
    }

    /// The cost of a learned probability, scaled by `learned_scale` and cut to what the cache can store.
    fn scaled_cost(&self, cost: Budget) -> Budget {
        Budget::new(cost.units() * self.params.learned_scale / 256).clamp(Budget::ZERO, CachedCost::MAX)
    }

    /// Whether `mv` neither captures, nor promotes, nor checks.
    pub fn is_quiet(&self, mv: Move) -> bool {
        !self.is_capture_or_promotion(mv) && !self.position.gives_check(mv)
    }

    fn is_capture_or_promotion(&self, mv: Move) -> bool {
        mv.is_promotion() || self.position.piece_on(mv.to()).is_some()
    }

    /// Compares cached costs with computed ones.
    #[cfg(debug_assertions)]
    fn check_cached_costs(&self, ply: usize, moves: &MoveList, cached: &List) {
        let mut list = List::new();
        self.compute_costs(ply, moves, &mut list);
        let key = |costed: &CostedMove| (costed.mv, costed.cost, costed.is_quiet_or_loses);
        assert!(
            list.iter().map(key).eq(cached.iter().map(key)),
            "{cached:?} but {list:?} in {:?}",
            self.position
        );
    }

    /// Compares the mark of quiet and losing moves with what the moves do.
    #[cfg(debug_assertions)]
    fn check_quiet_or_loses(&self, list: &List) {
        if self.position.in_check() {
            return;
        }
        for &CostedMove { mv, is_quiet_or_loses, .. } in list {
            assert_eq!(
                is_quiet_or_loses,
                self.is_quiet(mv) || !see::see_ge(&self.position, mv, 0),
                "{mv} in {:?}",
                self.position
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::params::Params;
    use super::super::thread::with_thread;
    use super::*;
    use crate::shogi::generate;
    use crate::shogi::position::Position;
    use crate::shogi::sfen;

    #[test]
    fn pruned_moves_come_last() {
        let moves = ["7g7f", "2g2f", "5g5f", "9g9f", "1g1f"];
        let keys = [300, 100, 500, 200, 400].map(Budget::new);
        let list = moves.iter().zip(keys).map(|(mv, key)| CostedMove {
            order_key: key,
            ..CostedMove::new(mv.parse().unwrap(), key, true)
        });
        let mut picker = MovePicker { list: list.collect(), ..MovePicker::default() };
        assert!(!picker.prune(|_| false));
        assert!(picker.prune(|costed| costed.cost.units() % 200 == 0));
        let name = |picked: Option<CostedMove>| picked.map(|costed| costed.mv.to_string());
        assert_eq!(name(picker.next()).as_deref(), Some("2g2f"));
        assert_eq!(name(picker.next_even_pruned()).as_deref(), Some("7g7f"));
        assert_eq!(name(picker.next_even_pruned()).as_deref(), Some("5g5f"));
        assert_eq!(name(picker.next()), None);
        assert_eq!(name(picker.next_even_pruned()).as_deref(), Some("9g9f"));
        assert_eq!(name(picker.next()), None);
        assert_eq!(name(picker.next_even_pruned()).as_deref(), Some("1g1f"));
        assert_eq!(name(picker.next_even_pruned()), None);
    }

    #[test]
    fn a_hash_move_that_was_searched_first_does_not_come_again() {
        let start = Position::start();
        let checked = sfen::parse("4k4/9/9/9/9/9/9/9/4K3r b - 1").unwrap();
        for (position, comes_first) in [(start, true), (checked, false)] {
            let moves = generate::all_legal(&position);
            let hash_move = Some(moves[1]);
            with_thread(&position, Params::DEFAULT, |thread| {
                let mut picker = MovePicker::default();
                let first = thread.hash_move_first(hash_move, &mut picker);
                assert_eq!(first.map(|costed| costed.mv), hash_move.filter(|_| comes_first));
                thread.fill_picker(0, &moves, hash_move, &mut picker);
                let rest = std::iter::from_fn(|| picker.next());
                let mut all: Vec<Move> = first.into_iter().chain(rest).map(|costed| costed.mv).collect();
                assert_eq!(all[0], moves[1]);
                let mut expected = moves.to_vec();
                all.sort_unstable();
                expected.sort_unstable();
                assert_eq!(all, expected);
            });
        }
    }

    #[test]
    fn a_move_with_alternatives_has_its_least_cost() {
        let root = Position::start();
        let params = Params { least_cost: 200, hash_move_cost: 16, learned_scale: 16, ..Params::DEFAULT };
        let moves = generate::all_legal(&root);
        let [likely, hash_move] = ["7g7f", "2g2f"].map(|text| text.parse().unwrap());
        let costed = |moves: &MoveList, hash_move| {
            with_thread(&root, params, |thread| {
                let mut picker = MovePicker::default();
                thread.fill_picker(0, moves, hash_move, &mut picker);
                picker.list
            })
        };
        let list = costed(&moves, Some(hash_move));
        let cost = |mv| list.iter().find(|costed| costed.mv == mv).map(|costed| costed.cost);
        assert_eq!([cost(likely), cost(hash_move)], [Some(Budget::new(200)); 2]);
        assert!(list.iter().all(|costed| costed.cost >= Budget::new(200)));
        // A sole legal move has no alternatives.
        let mut sole = MoveList::new();
        sole.push(likely);
        assert_eq!(costed(&sole, None)[0].cost, Budget::ZERO);
    }

    /// What the moves of `position` cost with this limit, and what they cost by all features alone.
    fn costs(position: &Position, likely_until: i32) -> [Vec<i32>; 2] {
        let params = Params { likely_until, learned_scale: 256, ..Params::DEFAULT };
        let moves = generate::all_legal(position);
        let mut lists = [List::new(), List::new()];
        with_thread(position, params, |thread| {
            thread.compute_costs(0, &moves, &mut lists[0]);
            thread.compute_costs_of_some(0, &moves, |_, _| true, &mut lists[1]);
        });
        let flags = |list: &List| list.iter().map(|one| (one.mv, one.is_quiet_or_loses)).collect::<Vec<_>>();
        if !position.in_check() {
            assert_eq!(flags(&lists[0]), flags(&lists[1]), "{position:?}");
        }
        lists.map(|list| list.iter().map(|costed| costed.cost.units()).collect())
    }

    #[test]
    fn the_probabilities_of_all_moves_add_up_to_one() {
        let mut random = fastrand::Rng::with_seed(3);
        let (mut position, mut differ) = (Position::start(), 0);
        for _ in 0..40 {
            for likely_until in [0, 768, 65_536] {
                let [found, full] = costs(&position, likely_until);
                let sum: f64 = found.iter().map(|&cost| (-f64::from(cost) / 256.0).exp2()).sum();
                assert!((0.98..1.02).contains(&sum), "{sum} with {likely_until} in {position:?}");
                if likely_until == 65_536 {
                    let same = found.iter().zip(&full).all(|(one, other)| one.abs_diff(*other) <= 3);
                    assert!(same, "{found:?} but {full:?} in {position:?}");
                } else {
                    differ += usize::from(found != full);
                }
            }
            let moves = generate::all_legal(&position);
            let Some(&mv) = moves.get(random.usize(..moves.len().max(1))) else { break };
            position.play(mv, &mut ());
        }
        assert!(differ > 20, "{differ}");
    }
}
