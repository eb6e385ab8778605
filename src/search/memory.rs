//! What a thread keeps from one search to the next.

use super::continuation_history::ContinuationHistory;
use super::history::History;
use super::params::Params;
use super::request::{SearchPolicy, SearchRequest};
use super::tt::TranspositionTable;
use super::value::Value;
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
    pub tt: TranspositionTable,
    /// What the moves of positions cost.
    pub cost_cache: CostCache,
    /// Which moves have cut off nodes.
    pub history: History,
    /// Which moves have cut off nodes after which others.
    pub continuation_history: ContinuationHistory,
    /// Finds mates; `None` where there is too little memory for that.
    pub solver: Option<Solver>,
    /// What the values rest on; `None` before the first search.
    basis: Option<Basis>,
}

/// How the hash memory of one thread is divided, in bytes. What each thread gets of `USI_Hash` is in
/// `engine/hash_budget.rs`.
struct HashShares {
    solver: usize,
    cost_cache: usize,
    tt: usize,
}

impl HashShares {
    /// The mate solver has a sixteenth, within this range.
    const SOLVER: std::ops::RangeInclusive<usize> = Solver::LEAST_BYTES..=16 << 20;
    /// With less than this there is no solver: its least would be more than a quarter.
    const LEAST_WITH_SOLVER: usize = 4 * Solver::LEAST_BYTES;
    /// The cost cache has a sixteenth, and at most this: one four times as large finds four nodes in a hundred more.
    const COST_CACHE: usize = 4 << 20;

    fn of(bytes: usize) -> HashShares {
        let part = bytes / 16;
        let solver = match bytes {
            0..Self::LEAST_WITH_SOLVER => 0,
            _ => part.clamp(*Self::SOLVER.start(), *Self::SOLVER.end()),
        };
        let cost_cache = part.min(Self::COST_CACHE);
        HashShares { solver, cost_cache, tt: bytes - solver - cost_cache }
    }
}

/// What the values of positions rest on, beside the evaluation.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Basis {
    policy: SearchPolicy,
    params: Params,
    non_promotions: NonPromotions,
    rules: Rules,
    draw_for_black: Value,
    /// Positions that end the game when they come again.
    occurred_thrice: Vec<Key>,
}

impl Memory {
    /// A memory of at most `bytes` bytes beside both histories, which take three megabytes.
    pub fn new(bytes: usize) -> Memory {
        let mut memory = Memory {
            tt: TranspositionTable::new(0),
            cost_cache: CostCache::new(0),
            history: History::default(),
            continuation_history: ContinuationHistory::new(),
            solver: None,
            basis: None,
        };
        memory.allocate(bytes);
        memory
    }

    /// Takes at most `bytes` bytes from now on, and forgets everything.
    pub fn resize(&mut self, bytes: usize) {
        let shares = HashShares::of(bytes);
        // The system may have refused a solver before, and have more memory now.
        let has_all = self.solver.is_some() == (shares.solver > 0);
        if has_all && self.tt.bytes() == TranspositionTable::rounded(shares.tt) {
            self.clear();
        } else {
            // The old tables go first: both together may be more than there is.
            (self.tt, self.cost_cache, self.solver) = (TranspositionTable::new(0), CostCache::new(0), None);
            self.allocate(bytes);
        }
    }

    fn allocate(&mut self, bytes: usize) {
        let shares = HashShares::of(bytes);
        self.tt = TranspositionTable::new(shares.tt);
        self.cost_cache = CostCache::new(shares.cost_cache);
        // Without a solver the search finds fewer mates, which is no reason not to play.
        self.solver = if shares.solver > 0 { Solver::new(shares.solver).ok() } else { None };
        // Writing to all of it makes the system find the memory now and not in the middle of a search.
        self.clear();
    }

    /// Bytes of the transposition table, the cost cache and the mate solver.
    pub fn bytes(&self) -> usize {
        self.tt.bytes() + self.cost_cache.bytes() + self.solver.as_ref().map_or(0, Solver::bytes)
    }

    /// Another search begins. Values that rest on something else are forgotten; the caller sees to it that the evaluation is
    /// the same.
    pub fn begin(&mut self, request: &SearchRequest) {
        let basis = Basis {
            policy: request.policy,
            params: request.params,
            non_promotions: request.non_promotions,
            rules: request.rules,
            draw_for_black: match request.root.side() {
                Color::Black => request.draw_value,
                Color::White => -request.draw_value,
            },
            // A mate that leads through one of these is none.
            occurred_thrice: request.root.occurred_thrice(),
        };
        if self.basis.as_ref().is_some_and(|before| *before != basis) {
            // At once, as the clock may run: it is enough that a position has come for the third time.
            self.forget();
        }
        self.basis = Some(basis);
        if let Some(solver) = &mut self.solver {
            solver.set_game(&request.root);
        }
        self.tt.new_search();
        self.history.fade(request.params.history_keep);
    }

    /// Empties everything, so that it is as new, for a new game. Takes the longer the larger the memory is.
    pub fn clear(&mut self) {
        self.tt.clear();
        self.cost_cache.clear();
        self.history.clear();
        self.continuation_history.clear();
        // With a basis the next search might forget what is empty already. Forgetting changes the keys under which tables
        // store positions, and so their places: the memory would not behave as a new one does.
        self.basis = None;
        if let Some(solver) = &mut self.solver {
            solver.clear();
        }
    }

    /// Forgets everything at once, however large the memory.
    pub fn forget(&mut self) {
        self.tt.forget();
        self.cost_cache.forget();
        self.history.clear();
        self.continuation_history.clear();
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
    use crate::search::control::NoLimit;
    use crate::search::hash_moves::HashMoveTable;
    use crate::search::think;
    use crate::shogi::generate;
    use crate::shogi::moves::Move;
    use crate::shogi::position::Position;
    use crate::shogi::sfen;

    fn weights() -> Arc<Weights> {
        Arc::new(Blank::new().and_then(Blank::finish).expect("there is memory"))
    }

    #[test]
    fn the_shares_add_up_to_the_whole() {
        for bytes in [0, 1, 15, 1 << 16, 1 << 20, 3 << 20, 12 << 20, 100 << 20, 1 << 40] {
            let HashShares { solver, cost_cache, tt } = HashShares::of(bytes);
            assert_eq!(solver + cost_cache + tt, bytes);
            assert!(tt >= bytes / 16 * 11, "{tt} of {bytes} bytes are for the transposition table");
            if bytes <= 100 << 20 {
                // Entries are whole, and the solver's parts have sizes of their own.
                let had = Memory::new(bytes).bytes();
                let least = bytes.saturating_sub(bytes / 32 + 64);
                assert!((least..=bytes).contains(&had), "{had} of {bytes} bytes");
            }
        }
    }

    #[test]
    fn values_that_rest_on_something_else_are_not_used() {
        let (root, table, weights) = (Position::start(), Arc::new(HashMoveTable::empty()), weights());
        let request = SearchRequest { depth: 4, ..SearchRequest::new(&root, &weights, &table) };
        let other = SearchRequest { draw_value: Value::new(80), ..request.clone() };
        let requests = [&request, &other];
        let fresh = requests.map(|request| think(request, &mut Memory::new(16 << 20), &mut NoLimit));
        let mut memory = Memory::new(16 << 20);
        for _ in 0..3 {
            assert_eq!(requests.map(|request| think(request, &mut memory, &mut NoLimit)), fresh);
        }
        // Those that rest on the same are used.
        assert_ne!(think(&other, &mut memory, &mut NoLimit), fresh[1]);
    }

    #[test]
    fn a_cleared_memory_is_as_new() {
        let (root, table, weights) = (Position::start(), Arc::new(HashMoveTable::empty()), weights());
        // So small that entries replace each other: then it matters where they lie.
        let bytes = 1 << 14;
        let request = SearchRequest { depth: 7, ..SearchRequest::new(&root, &weights, &table) };
        let fresh = think(&request, &mut Memory::new(bytes), &mut NoLimit);
        let mut memory = Memory::new(bytes);
        think(&SearchRequest { draw_value: Value::new(80), ..request.clone() }, &mut memory, &mut NoLimit);
        memory.clear();
        assert_eq!(think(&request, &mut memory, &mut NoLimit), fresh);
    }

    #[test]
    fn values_near_the_last_move_are_not_stored() {
        let (table, weights) = (Arc::new(HashMoveTable::empty()), weights());
        let root = sfen::parse("4k4/9/9/9/9/9/9/R8/4K4 b - 98").expect("a position");
        let stored = |max_moves| {
            let rules = Rules { max_moves: Some(max_moves), ..Rules::default() };
            let mut memory = Memory::new(1 << 20);
            think(
                &SearchRequest { depth: 3, rules, ..SearchRequest::new(&root, &weights, &table) },
                &mut memory,
                &mut NoLimit,
            );
            let mut position = root.clone();
            let moves = generate::all_legal(&root);
            let is_stored = |&&mv: &&Move| {
                position.play(mv, &mut ());
                let key = position.key();
                position.undo(mv, &mut ());
                memory.tt.probe(key, 1).is_some()
            };
            moves.iter().filter(is_stored).count()
        };
        assert_eq!(stored(100), 0);
        assert!(stored(1000) > 0);
    }

    #[test]
    fn even_a_large_memory_forgets_at_once() {
        let (root, table, weights) = (Position::start(), Arc::new(HashMoveTable::empty()), weights());
        let mut memory = Memory::new(256 << 20);
        let begin = Instant::now();
        (0..10).for_each(|_| memory.clear());
        let cleared = begin.elapsed();
        let begin = Instant::now();
        for draw in 0..100 {
            memory.begin(&SearchRequest {
                draw_value: Value::new(draw),
                ..SearchRequest::new(&root, &weights, &table)
            });
        }
        let begun = begin.elapsed();
        assert!(begun < cleared, "a hundred times in {begun:?}, cleared ten times in {cleared:?}");
    }
}
