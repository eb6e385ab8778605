//! Which move to look at next.

use arrayvec::ArrayVec;

use super::budget::Budget;
use super::category::View;
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

/// What a killer is ahead of other moves of its cost, in 1/256 bit.
const KILLER_BONUS: i32 = 400;

impl Searcher<'_> {
    /// The moves with their costs: the suggested one first, then the more probable before the less.
    pub fn candidates(&self, ply: usize, moves: &MoveList, suggested: Option<Move>) -> Candidates {
        let view = View::new(&self.position, self.arrival(ply));
        let sole = moves.len() == 1;
        let candidate = |&mv: &Move| {
            // A sole legal move is certain to be played (§2.2).
            let cost = if sole {
                Budget::ZERO
            } else {
                self.costs.of(view.categories(mv)).max(Budget::new(self.params.least_cost))
            };
            let rank = if Some(mv) == suggested {
                i32::MIN
            } else if self.killers[ply].contain(mv) {
                cost.units() - KILLER_BONUS
            } else {
                cost.units()
            };
            Candidate { mv, cost, rank }
        };
        Candidates { list: moves.iter().map(candidate).collect(), given: 0 }
    }
}
