//! Which move to look at next.

use arrayvec::ArrayVec;

use super::budget::Budget;
use super::category::{CategorySet, MAX_COST};
use super::history::LIMIT;
use super::known_costs::UsualCost;
use super::searcher::Searcher;
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
    /// A move before the search has its say.
    pub const fn usual(mv: Move, cost: Budget, is_quiet_or_loses: bool) -> Candidate {
        Candidate { mv, cost, is_quiet_or_loses, rank: Budget::ZERO }
    }

    /// A move of which it is known what it usually costs.
    pub fn known(mv: Move, usual: UsualCost) -> Candidate {
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
    /// What a move of this cost costs where it was the best one before.
    pub fn as_suggested(&self, cost: Budget) -> Budget {
        cost.min(Budget::new(self.params.suggested_cost)).max(Budget::new(self.params.least_cost))
    }

    /// The moves of a node with `left` to spend, with their costs: the suggested one first, then the more probable before
    /// the less.
    ///
    /// They are put into `candidates`, which are empty: to return so many takes time.
    pub fn gather(
        &mut self,
        ply: usize,
        left: Budget,
        moves: &MoveList,
        suggested: Option<Move>,
        candidates: &mut Candidates,
    ) {
        self.price(ply, left, moves, &mut candidates.list);
        self.rank(ply, suggested, moves.len() == 1, candidates);
    }

    /// The same of the suggested move and of those whose categories are `wanted`.
    pub fn gather_plausible(
        &self,
        ply: usize,
        left: Budget,
        moves: &MoveList,
        suggested: Option<Move>,
        wanted: impl Fn(CategorySet) -> bool,
        candidates: &mut Candidates,
    ) {
        let wanted = |mv, categories| Some(mv) == suggested || wanted(categories);
        self.price_wanted(ply, left, moves, wanted, &mut candidates.list);
        self.rank(ply, suggested, moves.len() == 1, candidates);
    }

    /// Adds what the search has found out about the moves, and gives each its rank; none is set aside. A sole legal move
    /// is certain to be played (§2.2).
    fn rank(&self, ply: usize, suggested: Option<Move>, is_sole: bool, candidates: &mut Candidates) {
        let side = self.position.side();
        candidates.wanted = candidates.list.len();
        for Candidate { mv, cost, rank, .. } in &mut candidates.list {
            let mv = *mv;
            let takes = self.position.piece_on(mv.to()).is_some();
            // What a move that takes nothing has done elsewhere counts for it or against it.
            let history = if takes { 0 } else { self.memory.history.score(side, mv) };
            let by_history = |most: i32| Budget::new(history * most / LIMIT);
            let usual = cost.spend(by_history(self.params.history_cost));
            *cost = usual.clamp(Budget::new(self.params.least_cost), MAX_COST);
            let merit = by_history(self.params.history_order);
            *rank = cost.spend(merit);
            if !takes && self.killers[ply].contain(mv) {
                *rank = rank.spend(Budget::new(self.params.killer_bonus));
            }
            if Some(mv) == suggested {
                (*cost, *rank) = (self.as_suggested(*cost), Budget::new(i32::MIN));
            }
            if is_sole {
                *cost = Budget::ZERO;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::params::Params;
    use super::super::testing::searcher_at;
    use super::*;
    use crate::shogi::generate;
    use crate::shogi::position::Position;

    #[test]
    fn a_move_with_alternatives_has_its_least_cost() {
        let root = Position::start();
        let params = Params { least_cost: 200, suggested_cost: 16, learned_scale: 16, ..Params::DEFAULT };
        let moves = generate::all_legal(&root);
        let [likely, suggested] = ["7g7f", "2g2f"].map(|text| text.parse().unwrap());
        let gathered = |moves: &MoveList, suggested| {
            searcher_at(&root, params, |searcher| {
                let mut candidates = Candidates::default();
                searcher.gather(0, Budget::HALF, moves, suggested, &mut candidates);
                candidates.list
            })
        };
        let list = gathered(&moves, Some(suggested));
        let cost = |mv| list.iter().find(|candidate| candidate.mv == mv).map(|candidate| candidate.cost);
        assert_eq!([cost(likely), cost(suggested)], [Some(Budget::new(200)); 2]);
        assert!(list.iter().all(|candidate| candidate.cost >= Budget::new(200)));
        // A sole legal move has no alternatives.
        let mut sole = MoveList::new();
        sole.push(likely);
        assert_eq!(gathered(&sole, None)[0].cost, Budget::ZERO);
    }

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
