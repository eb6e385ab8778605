//! What the moves of a node cost by what they are, before the search has its say.

use arrayvec::ArrayVec;

use super::candidates::{Candidate, List};
use super::thread::SearchThread;
use crate::exchange::one_square::Exchange;
use crate::policy::budget::Budget;
use crate::policy::category::{CategorySet, View};
use crate::policy::transition;
use crate::policy::usual_cost::UsualCost;
use crate::shogi::generate::{MAX_MOVES, MoveList};
use crate::shogi::moves::Move;

/// Sums of features' weights.
type Scores = ArrayVec<i32, MAX_MOVES>;

impl SearchThread<'_> {
    /// Fills `list` with the moves of a node with `left` to spend and what each costs.
    pub fn price(&mut self, ply: usize, moves: &MoveList, list: &mut List) {
        if ply == 0 {
            // Nothing is kept: a user may have chosen the moves.
            self.price_by_probability(ply, moves, list);
        } else {
            let (key, previous_to) = (self.position.key(), self.previous_to(ply));
            if let Some(known) = self.memory.costs.of(key, previous_to, moves.len()) {
                list.extend(moves.iter().zip(known).map(|(&mv, &usual)| Candidate::known(mv, usual)));
                #[cfg(debug_assertions)]
                self.check_known(ply, moves, list);
            } else {
                self.price_by_probability(ply, moves, list);
                let usual =
                    |candidate: &Candidate| UsualCost::new(candidate.cost, candidate.is_quiet_or_loses);
                self.memory.costs.keep(key, previous_to, list.iter().map(usual));
            }
        }
        #[cfg(debug_assertions)]
        self.check_quiet_or_loses(list);
    }

    /// The same for the `wanted` moves alone: learned probabilities are shared out among these. Categories have to be found
    /// out for every move here, so that there is nothing to gain by looking at plain features first.
    pub fn price_wanted(
        &self,
        ply: usize,
        moves: &MoveList,
        wanted: impl Fn(Move, CategorySet) -> bool,
        list: &mut List,
    ) {
        let view = View::new(&self.position, self.previous_to(ply));
        for &mv in moves {
            let scored = self.transitions.score_if(&view, mv, |categories| wanted(mv, categories));
            if let Some((score, categories)) = scored {
                list.push(Candidate::usual(mv, Budget::new(-score), categories.is_quiet_or_loses()));
            }
        }
        let total = transition::total(list.iter().map(|candidate| -candidate.cost.units()));
        for Candidate { cost, .. } in list {
            *cost = self.learned_cost(total + *cost);
        }
    }

    /// Compares what was known of all moves with what they cost.
    #[cfg(debug_assertions)]
    fn check_known(&self, ply: usize, moves: &MoveList, known: &List) {
        let mut list = List::new();
        self.price_by_probability(ply, moves, &mut list);
        let told = |candidate: &Candidate| (candidate.mv, candidate.cost, candidate.is_quiet_or_loses);
        assert!(
            list.iter().map(told).eq(known.iter().map(told)),
            "{known:?} but {list:?} in {:?}",
            self.position
        );
    }

    /// Compares what is told of all moves with what they do.
    #[cfg(debug_assertions)]
    fn check_quiet_or_loses(&self, list: &List) {
        if self.position.in_check() {
            // Nobody asks.
            return;
        }
        for candidate in list {
            let mv = candidate.mv;
            assert_eq!(
                candidate.is_quiet_or_loses,
                self.is_quiet(mv) || !Exchange::PLAIN.gains_at_least(&self.position, mv, 0),
                "{mv} in {:?}",
                self.position
            );
        }
    }

    /// Fills `list` with all moves and what each costs by its learned probability. Plain features tell of all moves;
    /// what they give to the likely ones together is divided among these by all features, which take longer than
    /// anything else in a node. The others are most of them.
    fn price_by_probability(&self, ply: usize, moves: &MoveList, list: &mut List) {
        let position = &self.position;
        let view = View::new(position, self.previous_to(ply));
        let checks = position.check_squares();
        self.plain_transitions.plain_scores(view.glance(), moves, |mv, kind, score| {
            let is_quiet = self.leaves_material(mv) && !checks.meet(mv, kind);
            list.push(Candidate::usual(mv, Budget::new(-score), is_quiet));
        });
        let total = transition::total(list.iter().map(|candidate| -candidate.cost.units()));

        let likely_until = Budget::new(self.params.likely_until);
        let (mut plain, mut full) = (Scores::new(), Scores::new());
        for Candidate { mv, cost, is_quiet_or_loses, .. } in list.iter_mut() {
            *cost = total + *cost;
            if *cost <= likely_until {
                let (score, categories) = self.transitions.score(&view, *mv);
                plain.push(-cost.units());
                full.push(score);
                *is_quiet_or_loses = categories.is_quiet_or_loses();
            } else if !*is_quiet_or_loses && !position.in_check() {
                // Where a check is answered, nobody asks.
                *is_quiet_or_loses = !Exchange::PLAIN.gains_at_least(position, *mv, 0);
            }
        }

        let divided = transition::total(full.iter().copied()) - transition::total(plain.iter().copied());
        let mut full = full.iter();
        for Candidate { cost, .. } in list {
            if *cost <= likely_until
                && let Some(&score) = full.next()
            {
                *cost = divided - Budget::new(score);
            }
            *cost = self.learned_cost(*cost);
        }
    }

    /// What the search takes for a learned probability.
    fn learned_cost(&self, cost: Budget) -> Budget {
        // As it may be kept.
        Budget::new(cost.units() * self.params.learned_scale / 256).clamp(Budget::ZERO, UsualCost::MOST)
    }
}

#[cfg(test)]
mod tests {
    use super::super::params::Params;
    use super::super::testing::searcher_at;
    use super::*;
    use crate::shogi::generate;
    use crate::shogi::position::Position;

    /// What the moves of `position` cost with this limit, and what they cost by all features alone.
    fn costs(position: &Position, likely_until: i32) -> [Vec<i32>; 2] {
        let params = Params { likely_until, learned_scale: 256, ..Params::DEFAULT };
        let moves = generate::all_legal(position);
        let mut lists = [List::new(), List::new()];
        searcher_at(position, params, |thread| {
            thread.price_by_probability(0, &moves, &mut lists[0]);
            thread.price_wanted(0, &moves, |_, _| true, &mut lists[1]);
        });
        let flags = |list: &List| list.iter().map(|one| (one.mv, one.is_quiet_or_loses)).collect::<Vec<_>>();
        if !position.in_check() {
            assert_eq!(flags(&lists[0]), flags(&lists[1]), "{position:?}");
        }
        lists.map(|list| list.iter().map(|candidate| candidate.cost.units()).collect())
    }

    #[test]
    fn likely_moves_share_what_they_have_together() {
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
