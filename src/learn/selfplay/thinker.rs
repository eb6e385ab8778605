//! The searches of one thread in self-play games.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::adjudication::AdjudicationRules;
use super::inner_nodes::InnerNodes;
use crate::eval::weights::Weights;
use crate::policy::budget::Budget;
use crate::record::packed::Packed;
use crate::search::hash_moves::HashMoveTable;
use crate::search::params::Params;
use crate::search::value::Value;
use crate::search::{Control, Line, Memory, SearchPolicy, SearchRequest, think};
use crate::shogi::color::Color;
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
    /// The inner nodes of the last search, where they are wanted.
    inner_nodes: Option<InnerNodes>,
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
            inner_nodes: None,
        }
    }

    /// Keeps the inner nodes of each search in `inner_nodes`, which forgets those of the search before.
    pub fn keeping(self, inner_nodes: Option<InnerNodes>) -> Thinker<'a> {
        Thinker { inner_nodes, ..self }
    }

    /// The inner nodes of the last search with the side to move of each; none where they are not kept.
    pub fn take_inner_nodes(&mut self) -> impl Iterator<Item = (Color, Packed)> {
        self.inner_nodes.as_mut().map(InnerNodes::take).into_iter().flatten()
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
        if let Some(inner_nodes) = &mut self.inner_nodes {
            inner_nodes.clear();
        }
        loop {
            let request = SearchRequest {
                only: only.to_vec(),
                nodes,
                rules: self.rules,
                policy: self.policy,
                params: self.params,
                ..SearchRequest::new(position, self.weights, &self.table)
            };
            let mut watch = Watch { stop: self.stop, inner_nodes: self.inner_nodes.as_mut() };
            let line = think(&request, &mut self.memory, &mut watch).expect("there is a legal move");
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

/// Stops a search when the flag is set, and keeps its inner nodes where they are wanted.
struct Watch<'a> {
    stop: &'a AtomicBool,
    inner_nodes: Option<&'a mut InnerNodes>,
}

impl Control for Watch<'_> {
    fn stops(&mut self, _nodes: u64) -> bool {
        self.stop.load(Relaxed)
    }

    fn exact(&mut self, position: &Position, left: Budget, value: Value) {
        if let Some(inner_nodes) = &mut self.inner_nodes {
            inner_nodes.add(position, left, value);
        }
    }

    fn found(&mut self, _line: &Line) {}

    fn starts(&mut self, _depth: u32) -> bool {
        true
    }
}
