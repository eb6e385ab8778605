//! What moves cost by what the search has found out about them, and which of them to look at next.

use super::candidates::{Candidate, Candidates};
use super::history::LIMIT;
use super::thread::SearchThread;
use crate::policy::budget::Budget;
use crate::policy::category::{CategorySet, MAX_COST};
use crate::shogi::generate::MoveList;
use crate::shogi::moves::Move;

impl SearchThread<'_> {
    /// What a move of this cost costs where it was the best one before.
    pub fn as_suggested(&self, cost: Budget) -> Budget {
        cost.min(Budget::new(self.params.hash_move_cost)).max(Budget::new(self.params.least_cost))
    }

    /// The moves of a node with `left` to spend, with their costs: the suggested one first, then the more probable before
    /// the less.
    ///
    /// They are put into `candidates`, which are empty: to return so many takes time.
    pub fn gather(
        &mut self,
        ply: usize,
        moves: &MoveList,
        suggested: Option<Move>,
        candidates: &mut Candidates,
    ) {
        self.price(ply, moves, candidates.list());
        self.rank(ply, suggested, moves.len() == 1, candidates);
    }

    /// The same of the suggested move and of those whose categories are `wanted`.
    pub fn gather_plausible(
        &self,
        ply: usize,
        moves: &MoveList,
        suggested: Option<Move>,
        wanted: impl Fn(CategorySet) -> bool,
        candidates: &mut Candidates,
    ) {
        let wanted = |mv, categories| Some(mv) == suggested || wanted(categories);
        self.price_wanted(ply, moves, wanted, candidates.list());
        self.rank(ply, suggested, moves.len() == 1, candidates);
    }

    /// Adds what the search has found out about the moves to what they cost, and gives each its rank. A sole legal move is
    /// certain to be played (§2.2).
    fn rank(&self, ply: usize, suggested: Option<Move>, is_sole: bool, candidates: &mut Candidates) {
        let side = self.position.side();
        for Candidate { mv, cost, rank, .. } in candidates.list() {
            let mv = *mv;
            // What a move has done elsewhere counts for it or against it.
            let history = self.memory.history.score(side, mv);
            let by_history = |most: i32| Budget::new(history * most / LIMIT);
            let usual = cost.spend(by_history(self.params.history_cost));
            *cost = usual.clamp(Budget::new(self.params.least_cost), MAX_COST);
            let merit = by_history(self.params.history_order);
            *rank = cost.spend(merit);
            if self.killers[ply].contain(mv) && self.position.piece_on(mv.to()).is_none() {
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
        let params = Params { least_cost: 200, hash_move_cost: 16, learned_scale: 16, ..Params::DEFAULT };
        let moves = generate::all_legal(&root);
        let [likely, suggested] = ["7g7f", "2g2f"].map(|text| text.parse().unwrap());
        let gathered = |moves: &MoveList, suggested| {
            searcher_at(&root, params, |thread| {
                let mut candidates = Candidates::default();
                thread.gather(0, moves, suggested, &mut candidates);
                std::mem::take(candidates.list())
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
}
