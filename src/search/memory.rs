//! What a thread keeps from one search to the next.

use super::history::History;
use super::params::Params;
use super::tt::Bounds;
use super::value::Value;
use super::{Policy, SearchRequest};
use crate::mate::solver::Solver;
use crate::policy::cost_cache::CostCache;
use crate::shogi::color::Color;
use crate::shogi::generate::NonPromotions;
use crate::shogi::key::Key;
use crate::shogi::position::declaration::Rules;

/// What a thread keeps from one search to the next.
#[derive(Debug)]
pub struct Memory {
    /// Values of positions.
    pub bounds: Bounds,
    /// What the moves of positions cost.
    pub costs: CostCache,
    /// Which moves have been good.
    pub history: History,
    /// Finds mates; `None` where there is too little memory for that.
    pub solver: Option<Solver>,
    basis: Option<Basis>,
}

/// How a thread's memory is divided, in bytes.
struct Shares {
    solver: usize,
    costs: usize,
    bounds: usize,
}

impl Shares {
    /// The mate solver has a sixteenth, within these bounds,
    const SOLVER: std::ops::RangeInclusive<usize> = Solver::LEAST_BYTES..=16 << 20;
    /// and nothing where its least would be more than a quarter.
    const LEAST_WITH_SOLVER: usize = 4 * Solver::LEAST_BYTES;
    /// Known costs have a sixteenth, and at most this: a table four times as large finds four nodes in a hundred more.
    const COSTS: usize = 4 << 20;

    fn of(bytes: usize) -> Shares {
        let part = bytes / 16;
        let solver = match bytes {
            0..Self::LEAST_WITH_SOLVER => 0,
            _ => part.clamp(*Self::SOLVER.start(), *Self::SOLVER.end()),
        };
        let costs = part.min(Self::COSTS);
        Shares { solver, costs, bounds: bytes - solver - costs }
    }
}

/// What values rest on, beside the evaluation.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Basis {
    policy: Policy,
    params: Params,
    non_promotions: NonPromotions,
    rules: Rules,
    draw_for_black: Value,
    last_time: Vec<Key>,
}

impl Memory {
    /// A memory of at most `bytes` bytes beside the history, which is small.
    pub fn new(bytes: usize) -> Memory {
        let mut memory = Memory {
            bounds: Bounds::new(0),
            costs: CostCache::new(0),
            history: History::default(),
            solver: None,
            basis: None,
        };
        memory.allocate(bytes);
        memory
    }

    /// Has at most `bytes` bytes from now on, and forgets everything.
    pub fn resize(&mut self, bytes: usize) {
        let shares = Shares::of(bytes);
        // One without a solver may have been refused it: the system may have more memory now.
        let has_all = self.solver.is_some() == (shares.solver > 0);
        if has_all && self.bounds.bytes() == Bounds::rounded(shares.bounds) {
            self.clear();
        } else {
            // The old ones go first: both together may be more than there is.
            (self.bounds, self.costs, self.solver) = (Bounds::new(0), CostCache::new(0), None);
            self.allocate(bytes);
        }
    }

    fn allocate(&mut self, bytes: usize) {
        let shares = Shares::of(bytes);
        self.bounds = Bounds::new(shares.bounds);
        self.costs = CostCache::new(shares.costs);
        // Without a solver the search finds fewer mates, which is no reason not to play.
        self.solver = if shares.solver > 0 { Solver::new(shares.solver).ok() } else { None };
        // So that the system finds the memory now and not in the middle of a search.
        self.clear();
    }

    /// Bytes of the bounds, the known costs and the mate solver.
    pub fn bytes(&self) -> usize {
        self.bounds.bytes() + self.costs.bytes() + self.solver.as_ref().map_or(0, Solver::bytes)
    }

    /// Another search begins. Values that rested on something else are forgotten; that the evaluation is the same is the
    /// caller's to see to.
    pub fn begin(&mut self, request: &SearchRequest) {
        let basis = Basis {
            policy: request.policy,
            params: request.params,
            non_promotions: request.non_promotions,
            rules: request.rules,
            draw_for_black: match request.root.side() {
                Color::Black => request.draw,
                Color::White => -request.draw,
            },
            // Mates that lead through these are none.
            last_time: request.root.occurred_thrice(),
        };
        if self.basis.as_ref().is_some_and(|before| *before != basis) {
            // At once and not by emptying, for the clock may run: a position that has come for the third time is enough.
            self.forget();
        }
        self.basis = Some(basis);
        if let Some(solver) = &mut self.solver {
            solver.set_game(request.root);
        }
        self.bounds.age();
        self.history.fade(request.params.history_keep);
    }

    /// Forgets everything and is as new, as before a new game. Takes as long as the memory is large.
    pub fn clear(&mut self) {
        self.bounds.clear();
        self.costs.clear();
        self.history.clear();
        // Or the next search might forget what is empty already. That changes the keys under which tables keep positions,
        // and with them the places: the memory would not behave as a new one does.
        self.basis = None;
        if let Some(solver) = &mut self.solver {
            solver.clear();
        }
    }

    /// Forgets everything at once, however large the memory.
    pub fn forget(&mut self) {
        self.bounds.forget();
        self.costs.forget();
        self.history.clear();
        if let Some(solver) = &mut self.solver {
            solver.forget();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Instant;

    use super::*;
    use crate::eval::weights::{Blank, Weights};
    use crate::search::hash_moves::HashMoveTable;
    use crate::search::leaves::NoLimit;
    use crate::search::think;
    use crate::shogi::generate;
    use crate::shogi::moves::Move;
    use crate::shogi::position::Position;
    use crate::shogi::sfen;

    fn weights() -> Arc<Weights> {
        Arc::new(Blank::new().and_then(Blank::finish).expect("there is memory"))
    }

    #[test]
    fn nothing_is_lost_or_granted_twice() {
        for bytes in [0, 1, 15, 1 << 16, 1 << 20, 3 << 20, 12 << 20, 100 << 20, 1 << 40] {
            let Shares { solver, costs, bounds } = Shares::of(bytes);
            assert_eq!(solver + costs + bounds, bytes);
            assert!(bounds >= bytes / 16 * 11, "{bounds} of {bytes} bytes are for bounds");
            if bytes <= 100 << 20 {
                // Entries are whole, and the solver's parts have sizes of their own.
                let had = Memory::new(bytes).bytes();
                let least = bytes.saturating_sub(bytes / 32 + 64);
                assert!((least..=bytes).contains(&had), "{had} of {bytes} bytes");
            }
        }
    }

    #[test]
    fn what_rests_on_something_else_is_as_good_as_not_there() {
        let (root, table, weights) = (Position::start(), HashMoveTable::empty(), weights());
        let request = SearchRequest { depth: 4, ..SearchRequest::new(&root, &weights, &table) };
        let other = SearchRequest { draw: Value::new(80), ..request };
        let fresh = [request, other].map(|request| think(&request, &mut Memory::new(16 << 20), &mut NoLimit));
        let mut memory = Memory::new(16 << 20);
        for _ in 0..3 {
            assert_eq!([request, other].map(|request| think(&request, &mut memory, &mut NoLimit)), fresh);
        }
        // On the same basis it is there.
        assert_ne!(think(&other, &mut memory, &mut NoLimit), fresh[1]);
    }

    #[test]
    fn an_emptied_memory_is_as_new() {
        let (root, table, weights) = (Position::start(), HashMoveTable::empty(), weights());
        // So small that what is kept pushes other things out: then it matters where things lie.
        let bytes = 1 << 14;
        let request = SearchRequest { depth: 7, ..SearchRequest::new(&root, &weights, &table) };
        let fresh = think(&request, &mut Memory::new(bytes), &mut NoLimit);
        let mut memory = Memory::new(bytes);
        think(&SearchRequest { draw: Value::new(80), ..request }, &mut memory, &mut NoLimit);
        memory.clear();
        assert_eq!(think(&request, &mut memory, &mut NoLimit), fresh);
    }

    #[test]
    fn what_the_last_move_decides_is_not_kept() {
        let (table, weights) = (HashMoveTable::empty(), weights());
        let root = sfen::parse("4k4/9/9/9/9/9/9/R8/4K4 b - 98").expect("a position");
        let kept = |max_moves| {
            let rules = Rules { max_moves: Some(max_moves), ..Rules::default() };
            let mut memory = Memory::new(1 << 20);
            think(
                &SearchRequest { depth: 3, rules, ..SearchRequest::new(&root, &weights, &table) },
                &mut memory,
                &mut NoLimit,
            );
            let mut position = root.clone();
            let moves = generate::all_legal(&root);
            let is_kept = |&&mv: &&Move| {
                position.play(mv, &mut ());
                let key = position.key();
                position.undo(mv, &mut ());
                memory.bounds.probe(key, 1).is_some()
            };
            moves.iter().filter(is_kept).count()
        };
        assert_eq!(kept(100), 0);
        assert!(kept(1000) > 0);
    }

    #[test]
    fn a_large_memory_forgets_at_once() {
        let (root, table, weights) = (Position::start(), HashMoveTable::empty(), weights());
        let mut memory = Memory::new(256 << 20);
        let begin = Instant::now();
        (0..10).for_each(|_| memory.clear());
        let emptied = begin.elapsed();
        let begin = Instant::now();
        for draw in 0..100 {
            memory.begin(&SearchRequest {
                draw: Value::new(draw),
                ..SearchRequest::new(&root, &weights, &table)
            });
        }
        let begun = begin.elapsed();
        assert!(begun < emptied, "a hundred times in {begun:?}, emptied ten times in {emptied:?}");
    }
}
