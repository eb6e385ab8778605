//! The move picker: what the moves of a node are worth a look, and in which order they are searched.
//!
//! A move's price is what its learned probability says, changed by what the search has found out about it. The hash move
//! comes first, before any other is generated; then the moves by their price.

use arrayvec::ArrayVec;

use super::history::{MAX_HISTORY, PieceTo};
use super::thread::SearchThread;
use crate::policy::budget::{Budget, MAX_COST};
use crate::policy::category::CategorySet;
use crate::policy::cost_cache::CachedCost;
use crate::policy::move_context::MoveContext;
use crate::policy::transition;
use crate::shogi::generate::{self, MAX_MOVES, MoveList};
use crate::shogi::moves::Move;

/// A move with its price.
#[derive(Clone, Copy, Debug)]
pub struct CostedMove {
    pub mv: Move,
    /// How improbable it is, by what kind of move it is and by what the search has found out about it.
    pub price: Budget,
    /// Whether it captures or promotes.
    pub is_tactical: bool,
}

impl CostedMove {
    /// A move that is certain to be played.
    pub const fn certain(mv: Move) -> CostedMove {
        CostedMove { mv, price: Budget::ZERO, is_tactical: true }
    }
}

/// The moves of a node in any order.
type List = ArrayVec<CostedMove, MAX_MOVES>;

/// Sums of features' weights.
type Scores = ArrayVec<i32, MAX_MOVES>;

/// Gives out the moves of a node, best first: the hash move before any other is generated, then by price. It sorts only as
/// far as it is asked: most nodes end early.
pub struct MovePicker {
    hash_move: Option<Move>,
    has_given_hash_move: bool,
    /// Whether the other moves were generated.
    is_filled: bool,
    list: List,
    picked: usize,
}

impl MovePicker {
    /// The moves of a node with this hash move.
    pub fn new(hash_move: Option<Move>) -> MovePicker {
        MovePicker { hash_move, has_given_hash_move: false, is_filled: false, list: List::new(), picked: 0 }
    }

    /// The next move.
    pub fn next(&mut self) -> Option<CostedMove> {
        let rest = self.list.get_mut(self.picked..)?;
        let (best, _) = rest.iter().enumerate().min_by_key(|(_, costed)| costed.price)?;
        rest.swap(0, best);
        self.picked += 1;
        Some(rest[0])
    }

    /// Leaves out the quiet moves that have not been picked yet.
    pub fn leave_out_quiets(&mut self) {
        let mut kept = self.picked;
        for index in self.picked..self.list.len() {
            if self.list[index].is_tactical {
                self.list.swap(kept, index);
                kept += 1;
            }
        }
        self.list.truncate(kept);
    }
}

impl SearchThread<'_> {
    /// The next move of the node at `ply`. No other is generated before the hash move has been given out.
    pub fn next_move(&mut self, ply: usize, picker: &mut MovePicker) -> Option<CostedMove> {
        if !picker.is_filled {
            if let Some(mv) = picker.hash_move
                && !picker.has_given_hash_move
            {
                picker.has_given_hash_move = true;
                return Some(CostedMove { mv, price: Budget::ZERO, is_tactical: self.is_tactical(mv) });
            }
            let mut moves = MoveList::new();
            generate::legal(&self.position, self.request.non_promotions, &mut moves);
            self.fill_picker(ply, &moves, picker);
        }
        picker.next()
    }

    /// Fills the empty `picker` with the moves of a node. It is filled in place, as returning so many moves takes time.
    pub fn fill_picker(&mut self, ply: usize, moves: &MoveList, picker: &mut MovePicker) {
        picker.is_filled = true;
        self.find_costs(ply, moves, &mut picker.list);
        self.add_history(ply, &mut picker.list);
        if let Some(hash_move) = picker.hash_move
            && let Some(place) = picker.list.iter().position(|costed| costed.mv == hash_move)
        {
            picker.list.swap_remove(place);
        }
    }

    /// Like [`fill_picker`](SearchThread::fill_picker), but only with the moves of `wanted` categories, and the hash move
    /// among them.
    pub fn fill_picker_with_some(
        &self,
        ply: usize,
        moves: &MoveList,
        wanted: impl Fn(CategorySet) -> bool,
        picker: &mut MovePicker,
    ) {
        picker.is_filled = true;
        let hash_move = picker.hash_move;
        let wanted = |mv, categories| Some(mv) == hash_move || wanted(categories);
        self.compute_costs_of_some(ply, moves, wanted, &mut picker.list);
        self.add_history(ply, &mut picker.list);
        if let Some(hash) = picker.list.iter_mut().find(|costed| Some(costed.mv) == hash_move) {
            hash.price = Budget::ZERO.spend(MAX_COST);
        }
    }

    /// Changes the prices of the moves by what the search has found out about them.
    fn add_history(&self, ply: usize, list: &mut List) {
        let side = self.position.side();
        let memory = &*self.memory;
        let after = [1, 2, 4].map(|plies| memory.continuations.after(self.earlier(ply, plies - 1).last));
        for CostedMove { mv, price, is_tactical } in &mut *list {
            let now = PieceTo::of(&self.position, *mv);
            let by_history = if *is_tactical {
                let taken = self.position.piece_on(mv.to()).map(|piece| piece.kind);
                memory.captures.score(now, taken) * self.params.capture_history_cost
            } else {
                let [one, two, four] = after.map(|scores| i32::from(scores[now.index()]));
                memory.history.score(side, *mv) * self.params.history_cost
                    + (one + two + four / 2) * self.params.continuation_cost
            };
            *price = price.spend(Budget::new(by_history / MAX_HISTORY));
        }
        // Probabilities again: they add up to one.
        let total = transition::log_sum(list.iter().map(|costed| -costed.price.units()));
        for CostedMove { price, .. } in list {
            *price = (*price + total).clamp(Budget::ZERO, MAX_COST);
        }
    }

    /// Fills `list` with the moves of a node and what each costs by its probability.
    fn find_costs(&mut self, ply: usize, moves: &MoveList, list: &mut List) {
        if ply == 0 {
            // The cache does not know the root: a user may have chosen its moves.
            self.compute_costs(ply, moves, list);
        } else {
            let (key, previous_to) = (self.position.key(), self.previous_to(ply));
            if let Some(cached) = self.memory.cost_cache.get(key, previous_to, moves.len()) {
                let costed = |(&mv, cached): (&Move, &CachedCost)| CostedMove {
                    mv,
                    price: cached.cost(),
                    is_tactical: self.is_tactical(mv),
                };
                list.extend(moves.iter().zip(cached).map(costed));
                #[cfg(debug_assertions)]
                self.check_cached_costs(ply, moves, list);
            } else {
                self.compute_costs(ply, moves, list);
                let cached = |costed: &CostedMove| CachedCost::new(costed.price);
                self.memory.cost_cache.insert(key, previous_to, list.iter().map(cached));
            }
        }
    }

    /// Fills `list` with all moves and what each costs by its probability.
    ///
    /// Plain features, which are cheap to find, are summed for all moves. Finding all features takes longer than anything
    /// else in a node, so it is done for the likely moves alone, and most moves are unlikely. The likely moves share the
    /// probability that plain features give them together.
    fn compute_costs(&self, ply: usize, moves: &MoveList, list: &mut List) {
        let context = MoveContext::new(&self.position, self.previous_to(ply));
        self.plain_transitions.plain_scores(context.plain(), moves, |mv, _, score| {
            // A cost is the negated score until the sum of all is known.
            list.push(CostedMove { mv, price: Budget::new(-score), is_tactical: self.is_tactical(mv) });
        });
        let total = transition::log_sum(list.iter().map(|costed| -costed.price.units()));

        let likely_until = Budget::new(self.params.likely_until);
        let (mut plain, mut full) = (Scores::new(), Scores::new());
        for CostedMove { mv, price, .. } in list.iter_mut() {
            *price = total + *price;
            if *price <= likely_until {
                let (score, _) = self.transitions.score(&context, *mv);
                plain.push(-price.units());
                full.push(score);
            }
        }

        let shared = transition::log_sum(full.iter().copied()) - transition::log_sum(plain.iter().copied());
        let mut full = full.iter();
        for CostedMove { price, .. } in list {
            if *price <= likely_until
                && let Some(&score) = full.next()
            {
                *price = shared - Budget::new(score);
            }
            *price = self.scaled_cost(*price);
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
            if let Some((score, _)) = scored {
                list.push(CostedMove { mv, price: Budget::new(-score), is_tactical: self.is_tactical(mv) });
            }
        }
        let total = transition::log_sum(list.iter().map(|costed| -costed.price.units()));
        for CostedMove { price, .. } in list {
            *price = self.scaled_cost(total + *price);
        }
    }

    /// The cost of a learned probability, scaled by `learned_scale` and cut to what the cache can store.
    fn scaled_cost(&self, cost: Budget) -> Budget {
        Budget::new(cost.units() * self.params.learned_scale / 256).clamp(Budget::ZERO, CachedCost::MAX)
    }

    /// Compares cached costs with computed ones.
    #[cfg(debug_assertions)]
    fn check_cached_costs(&self, ply: usize, moves: &MoveList, cached: &List) {
        let mut list = List::new();
        self.compute_costs(ply, moves, &mut list);
        let key = |costed: &CostedMove| (costed.mv, costed.price);
        assert!(
            list.iter().map(key).eq(cached.iter().map(key)),
            "{cached:?} but {list:?} in {:?}",
            self.position
        );
    }
}

#[cfg(test)]
mod tests {
    use super::super::params::Params;
    use super::super::thread::with_thread;
    use super::*;
    use crate::shogi::generate;
    use crate::shogi::position::Position;

    #[test]
    fn quiet_moves_that_were_not_picked_yet_are_left_out() {
        let mut picker = MovePicker::new(None);
        let prices = [("7g7f", 300), ("2g2f", 100), ("8h2b+", 500), ("9g9f", 200), ("8h3c+", 400)];
        picker.list.extend(prices.map(|(mv, price)| CostedMove {
            mv: mv.parse().unwrap(),
            price: Budget::new(price),
            is_tactical: mv.ends_with('+'),
        }));
        let mut next = || picker.next().map(|costed| costed.mv.to_string());
        assert_eq!([next(), next()], ["2g2f", "9g9f"].map(|mv| Some(mv.to_owned())));
        picker.leave_out_quiets();
        let mut next = || picker.next().map(|costed| costed.mv.to_string());
        assert_eq!([next(), next()], ["8h3c+", "8h2b+"].map(|mv| Some(mv.to_owned())));
        assert_eq!(next(), None);
    }

    #[test]
    fn every_move_is_given_out_once_and_the_hash_move_first() {
        let root = Position::start();
        let moves = generate::all_legal(&root);
        for hash_move in [None, Some(moves[7])] {
            with_thread(&root, Params::DEFAULT, |thread| {
                let mut picker = MovePicker::new(hash_move);
                let given: Vec<CostedMove> =
                    std::iter::from_fn(|| thread.next_move(0, &mut picker)).collect();
                let rest = &given[usize::from(hash_move.is_some())..];
                assert!(rest.is_sorted_by_key(|costed| costed.price));
                assert!(hash_move.is_none_or(|mv| given[0].mv == mv));
                let mut found: Vec<Move> = given.iter().map(|costed| costed.mv).collect();
                let mut expected = moves.to_vec();
                found.sort_unstable();
                expected.sort_unstable();
                assert_eq!(found, expected);
            });
        }
    }

    #[test]
    fn what_has_cut_off_before_is_cheaper() {
        let root = Position::start();
        let moves = generate::all_legal(&root);
        let rewarded: Move = "9i9h".parse().unwrap();
        with_thread(&root, Params::DEFAULT, |thread| {
            let mut price = || {
                let mut picker = MovePicker::new(None);
                thread.fill_picker(0, &moves, &mut picker);
                thread.memory.history.add(root.side(), rewarded, MAX_HISTORY / 2);
                picker.list.iter().find(|costed| costed.mv == rewarded).map(|costed| costed.price)
            };
            let before = price();
            assert!(price() < before);
        });
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
        lists.map(|list| list.iter().map(|costed| costed.price.units()).collect())
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
