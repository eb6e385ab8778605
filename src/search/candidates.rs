//! The moves of a node, given out one after the other.

use arrayvec::ArrayVec;

use crate::policy::budget::Budget;
use crate::policy::cost_cache::CachedCost;
use crate::shogi::generate::MAX_MOVES;
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
    pub rank: Budget,
}

impl Candidate {
    /// A move before the search has its say.
    pub const fn usual(mv: Move, cost: Budget, is_quiet_or_loses: bool) -> Candidate {
        Candidate { mv, cost, is_quiet_or_loses, rank: Budget::ZERO }
    }

    /// A move of which it is known what it usually costs.
    pub fn known(mv: Move, usual: CachedCost) -> Candidate {
        Candidate::usual(mv, usual.cost(), usual.is_quiet_or_loses())
    }

    /// A move that is played if it can be.
    pub const fn certain(mv: Move) -> Candidate {
        Candidate { mv, cost: Budget::ZERO, is_quiet_or_loses: false, rank: Budget::new(i32::MIN) }
    }
}

/// The moves of a node.
pub type List = ArrayVec<Candidate, MAX_MOVES>;

/// Moves, given out best first. Only as far as they are asked for are they sorted: most nodes end early.
#[derive(Default)]
pub struct Candidates {
    list: List,
    given: usize,
    /// How many are set aside; they come last.
    aside: usize,
}

impl Candidates {
    /// The moves, to be filled in and ranked before the first is given out.
    pub fn list(&mut self) -> &mut List {
        &mut self.list
    }

    /// The next of the moves that are not set aside.
    pub fn next(&mut self) -> Option<Candidate> {
        self.best_until(self.list.len() - self.aside)
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

    /// Sets aside what is `unwanted`, before any move is given out. Whether there was something.
    pub fn set_aside(&mut self, unwanted: impl Fn(&Candidate) -> bool) -> bool {
        debug_assert_eq!((self.given, self.aside), (0, 0));
        let (mut index, mut end) = (0, self.list.len());
        while index < end {
            if unwanted(&self.list[index]) {
                end -= 1;
                self.list.swap(index, end);
            } else {
                index += 1;
            }
        }
        self.aside = self.list.len() - end;
        self.aside > 0
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
        let mut candidates = Candidates { list: list.collect(), ..Candidates::default() };
        assert!(!candidates.set_aside(|_| false));
        assert!(candidates.set_aside(|candidate| candidate.cost.units() % 200 == 0));
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
