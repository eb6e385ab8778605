//! Which move to look at next.

use arrayvec::ArrayVec;

use super::budget::Budget;
use super::category::{CategorySet, MAX_COST, View};
use super::history::LIMIT;
use super::searcher::Searcher;
use crate::shogi::generate::{MAX_MOVES, MoveList};
use crate::shogi::moves::Move;

/// A move to look at.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    pub mv: Move,
    /// What it takes from the budget.
    pub cost: Budget,
    /// Lower comes first.
    rank: Budget,
}

impl Candidate {
    /// A move that is played if it can be.
    pub const fn certain(mv: Move) -> Candidate {
        Candidate { mv, cost: Budget::ZERO, rank: Budget::new(i32::MIN) }
    }
}

/// Moves, given out best first. Only as far as they are asked for are they sorted: most nodes end early.
pub struct Candidates {
    list: ArrayVec<Candidate, MAX_MOVES>,
    given: usize,
}

impl Candidates {
    pub fn next(&mut self) -> Option<Candidate> {
        let rest = &mut self.list[self.given..];
        let (best, _) = rest.iter().enumerate().min_by_key(|(_, candidate)| candidate.rank)?;
        rest.swap(0, best);
        self.given += 1;
        Some(rest[0])
    }
}

impl Searcher<'_> {
    /// What a move of these categories costs. A sole legal move is certain to be played (§2.2).
    fn cost(&self, mv: Move, categories: CategorySet, is_suggested: bool, is_sole: bool) -> Budget {
        if is_sole {
            return Budget::ZERO;
        }
        let usual = self.costs.of(categories).spend(self.by_history(mv, self.params.history_cost));
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

    /// The moves with their costs: the suggested one first, then the more probable before the less. Of the others,
    /// only those whose categories are `wanted`.
    pub fn candidates(
        &self,
        ply: usize,
        moves: &MoveList,
        suggested: Option<Move>,
        wanted: impl Fn(CategorySet) -> bool,
    ) -> Candidates {
        let view = View::new(&self.position, self.arrival(ply));
        let sole = moves.len() == 1;
        let candidate = |&mv: &Move| {
            let categories = view.categories(mv);
            let is_suggested = Some(mv) == suggested;
            if !is_suggested && !wanted(categories) {
                return None;
            }
            let cost = self.cost(mv, categories, is_suggested, sole);
            let rank = if is_suggested { Budget::new(i32::MIN) } else { cost.spend(self.merit(ply, mv)) };
            Some(Candidate { mv, cost, rank })
        };
        Candidates { list: moves.iter().filter_map(candidate).collect(), given: 0 }
    }
}
