//! One thread's searches in games that it plays with itself.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::adjudication::Bounds;
use crate::eval::weights::Weights;
use crate::search::hash_moves::HashMoveTable;
use crate::search::params::Params;
use crate::search::{Control, Line, Memory, Policy, SearchRequest, think};
use crate::shogi::moves::Move;
use crate::shogi::position::Position;
use crate::shogi::position::declaration::{EnteringKingRule, Rules};

/// Searches, and remembers from one to the next.
pub struct Thinker<'a> {
    weights: &'a Arc<Weights>,
    policy: Policy,
    params: Params,
    rules: Rules,
    stop: &'a AtomicBool,
    table: Arc<HashMoveTable>,
    memory: Memory,
}

/// The rules of a game with these bounds.
pub fn rules(bounds: Bounds) -> Rules {
    Rules { entering_king: EnteringKingRule::Points27, max_moves: Some(bounds.max_moves) }
}

impl<'a> Thinker<'a> {
    /// Remembers nothing; its searches of about `nodes` nodes end when `stop` is set.
    pub fn new(weights: &'a Arc<Weights>, bounds: Bounds, nodes: u64, stop: &'a AtomicBool) -> Thinker<'a> {
        // A slot for each node of some thirty searches: later ones hardly ever meet what is older.
        let mebibytes = (nodes / 4096).clamp(1, 64) as usize;
        let (table, memory) = (Arc::new(HashMoveTable::new(mebibytes)), Memory::new((2 * mebibytes) << 20));
        Thinker {
            weights,
            policy: Policy::default(),
            params: Params::DEFAULT,
            rules: rules(bounds),
            stop,
            table,
            memory,
        }
    }

    /// Begins a game: what it is must not depend on the one that this thread played before.
    pub fn begin(&mut self, policy: Policy, params: Params) {
        (self.policy, self.params) = (policy, params);
        Arc::get_mut(&mut self.table).expect("no search runs").clear();
        self.memory.clear();
    }

    /// What a search of `nodes` nodes finds, among the moves `only` if there are any; `None` when it was stopped. There is
    /// a legal move.
    pub fn search(&mut self, position: &Position, only: &[Move], nodes: u64) -> Option<Line> {
        let mut nodes = nodes.max(1);
        loop {
            let request = SearchRequest {
                only: only.to_vec(),
                nodes,
                rules: self.rules,
                policy: self.policy,
                params: self.params,
                ..SearchRequest::new(position, self.weights, &self.table)
            };
            let line =
                think(&request, &mut self.memory, &mut Watch(self.stop)).expect("there is a legal move");
            if self.stop.load(Relaxed) {
                return None;
            }
            if line.depth > 0 {
                return Some(line);
            }
            // Not one move was looked at to its end: its value would be nobody's.
            nodes *= 2;
        }
    }
}

/// Lets a search run until all are told to stop.
struct Watch<'a>(&'a AtomicBool);

impl Control for Watch<'_> {
    fn stops(&mut self, _nodes: u64) -> bool {
        self.0.load(Relaxed)
    }

    fn found(&mut self, _line: &Line) {}

    fn starts(&mut self, _depth: u32) -> bool {
        true
    }
}
