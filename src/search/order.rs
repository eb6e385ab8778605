//! Which move to look at next.

use arrayvec::ArrayVec;

use super::budget::Budget;
use super::category::{CategorySet, View};
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
    rank: i32,
}

impl Candidate {
    /// A move that is played if it can be.
    pub const fn certain(mv: Move) -> Candidate {
        Candidate { mv, cost: Budget::ZERO, rank: i32::MIN }
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
    /// What a quiet move is ahead of other moves of its cost for what it has done elsewhere.
    fn merit(&self, ply: usize, mv: Move) -> i32 {
        if self.position.piece_on(mv.to()).is_some() {
            return 0;
        }
        let history = self.memory.history.score(self.position.side(), mv) * self.params.history_order / LIMIT;
        if self.killers[ply].contain(mv) { history + self.params.killer_bonus } else { history }
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
        let least = Budget::new(self.params.least_cost);
        let candidate = |&mv: &Move| {
            let categories = view.categories(mv);
            let is_suggested = Some(mv) == suggested;
            if !is_suggested && !wanted(categories) {
                return None;
            }
            // A sole legal move is certain to be played (§2.2).
            let cost = if sole { Budget::ZERO } else { self.costs.of(categories).max(least) };
            let rank = if is_suggested { i32::MIN } else { cost.units() - self.merit(ply, mv) };
            Some(Candidate { mv, cost, rank })
        };
        Candidates { list: moves.iter().filter_map(candidate).collect(), given: 0 }
    }
}
