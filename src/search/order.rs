//! Which move to look at next.

use arrayvec::ArrayVec;

use super::budget::Budget;
use super::category::{CategorySet, MAX_COST, View};
use super::history::LIMIT;
use super::searcher::Searcher;
use super::transition;
use crate::shogi::generate::{MAX_MOVES, MoveList};
use crate::shogi::moves::Move;

/// A move to look at.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    pub mv: Move,
    /// What it takes from the budget.
    pub cost: Budget,
    /// Out of check: whether it is quiet or loses material.
    pub is_quiet_or_loses: bool,
    /// Lower comes first.
    rank: Budget,
}

impl Candidate {
    /// A move that is played if it can be.
    pub const fn certain(mv: Move) -> Candidate {
        Candidate { mv, cost: Budget::ZERO, is_quiet_or_loses: false, rank: Budget::new(i32::MIN) }
    }
}

/// Moves, given out best first. Only as far as they are asked for are they sorted: most nodes end early.
#[derive(Default)]
pub struct Candidates {
    list: ArrayVec<Candidate, MAX_MOVES>,
    given: usize,
    /// How many are not set aside; they come first.
    wanted: usize,
}

impl Candidates {
    /// The next of the moves that are not set aside.
    pub fn next(&mut self) -> Option<Candidate> {
        self.best_until(self.wanted)
    }

    /// The next of all moves, those that were set aside last.
    pub fn next_of_all(&mut self) -> Option<Candidate> {
        self.next().or_else(|| self.best_until(self.list.len()))
    }

    fn best_until(&mut self, end: usize) -> Option<Candidate> {
        let rest = self.list.get_mut(self.given..end)?;
        let (best, _) = rest.iter().enumerate().min_by_key(|(_, candidate)| candidate.rank)?;
        rest.swap(0, best);
        self.given += 1;
        Some(rest[0])
    }

    /// Sets aside what is not `wanted`, before any move is given out. Whether there was something.
    pub fn set_aside(&mut self, wanted: impl Fn(&Candidate) -> bool) -> bool {
        debug_assert_eq!(self.given, 0);
        let mut index = 0;
        while index < self.wanted {
            if wanted(&self.list[index]) {
                index += 1;
            } else {
                self.wanted -= 1;
                self.list.swap(index, self.wanted);
            }
        }
        self.wanted < self.list.len()
    }
}

impl Searcher<'_> {
    /// What a move costs that usually costs this. A sole legal move is certain to be played (§2.2).
    fn cost(&self, mv: Move, usual: Budget, is_suggested: bool, is_sole: bool) -> Budget {
        if is_sole {
            return Budget::ZERO;
        }
        let usual = usual.spend(self.by_history(mv, self.params.history_cost));
        let usual = usual.clamp(Budget::new(self.params.least_cost), MAX_COST);
        if is_suggested { self.as_suggested(usual) } else { usual }
    }

    /// What a move of this cost costs where it was the best one before.
    pub fn as_suggested(&self, cost: Budget) -> Budget {
        cost.min(Budget::new(self.params.suggested_cost))
    }

    /// What a quiet move has done elsewhere, up to `most` for or against it; nothing for a capture.
    fn by_history(&self, mv: Move, most: i32) -> Budget {
        if self.position.piece_on(mv.to()).is_some() {
            return Budget::ZERO;
        }
        Budget::new(self.memory.history.score(self.position.side(), mv) * most / LIMIT)
    }

    /// What a move is ahead of other moves of its cost when they are ordered.
    fn merit(&self, ply: usize, mv: Move) -> Budget {
        let history = self.by_history(mv, self.params.history_order);
        if self.killers[ply].contain(mv) && self.position.piece_on(mv.to()).is_none() {
            history + Budget::new(self.params.killer_bonus)
        } else {
            history
        }
    }

    /// The moves of a node with `left` to spend, with their costs: the suggested one first, then the more probable before
    /// the less. Of the others, only those whose categories are `wanted`.
    pub fn candidates(
        &self,
        ply: usize,
        left: Budget,
        moves: &MoveList,
        suggested: Option<Move>,
        wanted: impl Fn(CategorySet) -> bool,
    ) -> Candidates {
        let mut candidates = Candidates::default();
        let list = &mut candidates.list;
        let mut take = |mv: Move, cost: Budget, categories: CategorySet| {
            if Some(mv) == suggested || wanted(categories) {
                let is_quiet_or_loses = categories.is_quiet_or_loses();
                list.push(Candidate { mv, cost, is_quiet_or_loses, rank: Budget::ZERO });
            }
        };
        // First what each move costs by what it is: by the learned probability where there is much to spend, by its most
        // probable category elsewhere.
        let view = View::new(&self.position, self.arrival(ply));
        if left < Budget::new(self.params.learned_from) {
            for &mv in moves {
                let categories = view.categories(mv);
                take(mv, self.costs.of(categories), categories);
            }
        } else {
            let mut scores = ArrayVec::<i32, MAX_MOVES>::new();
            for &mv in moves {
                let (score, categories) = self.transitions.score(&view, mv);
                scores.push(score);
                take(mv, Budget::new(-score), categories);
            }
            let total = transition::total(scores.iter().copied());
            for Candidate { cost, .. } in list.iter_mut() {
                *cost = Budget::new((total + *cost).units() * self.params.learned_scale / 256);
            }
        }
        // Then what the search has found out about it.
        let sole = moves.len() == 1;
        for Candidate { mv, cost, rank, .. } in list.iter_mut() {
            let is_suggested = Some(*mv) == suggested;
            *cost = self.cost(*mv, *cost, is_suggested, sole);
            *rank = if is_suggested { Budget::new(i32::MIN) } else { cost.spend(self.merit(ply, *mv)) };
        }
        candidates.wanted = list.len();
        candidates
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_set_aside_comes_last() {
        let moves = ["7g7f", "2g2f", "5g5f", "9g9f", "1g1f"];
        let ranks = [300, 100, 500, 200, 400];
        let list = moves.iter().zip(ranks).map(|(mv, rank)| Candidate {
            mv: mv.parse().unwrap(),
            cost: Budget::new(rank),
            is_quiet_or_loses: true,
            rank: Budget::new(rank),
        });
        let mut candidates = Candidates { list: list.collect(), given: 0, wanted: moves.len() };
        assert!(!candidates.set_aside(|_| true));
        assert!(candidates.set_aside(|candidate| candidate.cost.units() % 200 != 0));
        let names = |given: Option<Candidate>| given.map(|candidate| candidate.mv.to_string());
        assert_eq!(names(candidates.next()).as_deref(), Some("2g2f"));
        assert_eq!(names(candidates.next_of_all()).as_deref(), Some("7g7f"));
        assert_eq!(names(candidates.next_of_all()).as_deref(), Some("5g5f"));
        assert_eq!(names(candidates.next()), None);
        assert_eq!(names(candidates.next_of_all()).as_deref(), Some("9g9f"));
        assert_eq!(names(candidates.next()), None);
        assert_eq!(names(candidates.next_of_all()).as_deref(), Some("1g1f"));
        assert_eq!(names(candidates.next_of_all()), None);
    }
}
