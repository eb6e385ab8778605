//! The searches of one thread in self-play games.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::adjudication::AdjudicationRules;
use crate::eval::weights::Weights;
use crate::search::hash_moves::HashMoveTable;
use crate::search::params::Params;
use crate::search::{Control, Line, Memory, SearchPolicy, SearchRequest, think};
use crate::shogi::moves::Move;
use crate::shogi::position::Position;
use crate::shogi::position::declaration::{EnteringKingRule, Rules};

/// Searches, with tables that last from one search to the next.
pub struct Thinker<'a> {
    weights: &'a Arc<Weights>,
    policy: SearchPolicy,
    params: Params,
    rules: Rules,
    stop: &'a AtomicBool,
    table: Arc<HashMoveTable>,
    memory: Memory,
}

/// The rules of a game that is adjudicated so.
pub fn rules(adjudication: AdjudicationRules) -> Rules {
    Rules { entering_king: EnteringKingRule::Points27, max_moves: Some(adjudication.max_moves) }
}

impl<'a> Thinker<'a> {
    /// Begins with empty tables, of a size for searches of about `nodes` nodes, which end when `stop` is set.
    pub fn new(
        weights: &'a Arc<Weights>,
        adjudication: AdjudicationRules,
        nodes: u64,
        stop: &'a AtomicBool,
    ) -> Thinker<'a> {
        // A slot for each node of some thirty searches: later searches hardly ever use older entries.
        let mebibytes = (nodes / 4096).clamp(1, 64) as usize;
        let (table, memory) = (Arc::new(HashMoveTable::new(mebibytes)), Memory::new((2 * mebibytes) << 20));
        Thinker {
            weights,
            policy: SearchPolicy::default(),
            params: Params::DEFAULT,
            rules: rules(adjudication),
            stop,
            table,
            memory,
        }
    }

    /// Begins a game with empty tables: it must not depend on the game that this thread played before.
    pub fn begin(&mut self, policy: SearchPolicy, params: Params) {
        (self.policy, self.params) = (policy, params);
        Arc::get_mut(&mut self.table).expect("no search runs").clear();
        self.memory.clear();
    }

    /// The result of a search of `nodes` nodes, among the moves `only` if there are any; `None` when it was stopped. The
    /// position must have a legal move.
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
                think(&request, &mut self.memory, &mut StopFlag(self.stop)).expect("there is a legal move");
            if self.stop.load(Relaxed) {
                return None;
            }
            if line.depth > 0 {
                return Some(line);
            }
            // Not even the first iteration was finished: there is no value yet.
            nodes *= 2;
        }
    }
}

/// Stops a search when the flag is set.
struct StopFlag<'a>(&'a AtomicBool);

impl Control for StopFlag<'_> {
    fn stops(&mut self, _nodes: u64) -> bool {
        self.0.load(Relaxed)
    }

    fn found(&mut self, _line: &Line) {}

    fn starts(&mut self, _depth: u32) -> bool {
        true
    }
}
