//! A search by material alone, with a listener that keeps what it reports.

use std::sync::Arc;

use jitsugen::search::hash_moves::HashMoveTable;
use jitsugen::search::params::Params;
use jitsugen::search::value::Value;
use jitsugen::search::{Control, Line, Memory, SearchPolicy, SearchRequest, think};
use jitsugen::shogi::moves::Move;
use jitsugen::shogi::position::Position;
use jitsugen::shogi::position::declaration::Rules;

use super::evaluation::material_only;

pub const POLICIES: [SearchPolicy; 2] = [SearchPolicy::RealizationProbability, SearchPolicy::Depth];

/// Lets the search run and keeps what it reports.
#[derive(Default)]
pub struct Listener {
    pub lines: Vec<Line>,
    /// What failed high.
    pub better: Vec<Line>,
}

impl Control for Listener {
    fn stops(&mut self, _: u64) -> bool {
        false
    }

    fn found(&mut self, line: &Line) {
        self.lines.push(line.clone());
    }

    fn fails_high(&mut self, line: &Line) {
        self.better.push(line.clone());
    }

    fn starts(&mut self, _: u32) -> bool {
        true
    }
}

/// What is searched. The tables are empty at the beginning.
#[derive(Clone, Copy)]
pub struct TestSearch<'a> {
    pub root: &'a Position,
    pub policy: SearchPolicy,
    pub only: &'a [Move],
    pub lines: usize,
    pub depth: u32,
    pub nodes: u64,
    pub rules: Rules,
    pub draw: Value,
    pub bounds: bool,
    pub params: Params,
}

impl<'a> TestSearch<'a> {
    /// A search of `root` with `nodes` nodes.
    pub fn of(root: &'a Position, nodes: u64) -> TestSearch<'a> {
        TestSearch {
            root,
            policy: SearchPolicy::default(),
            only: &[],
            lines: 1,
            depth: 127,
            nodes,
            rules: Rules::default(),
            draw: Value::DRAW,
            bounds: false,
            params: Params::DEFAULT,
        }
    }

    /// The best line, where there is a legal move, and all reported lines.
    pub fn run(&self) -> (Option<Line>, Vec<Line>) {
        let (best, listener) = self.listen(&Arc::new(HashMoveTable::new(1)), &mut Memory::new(4 << 20));
        (best, listener.lines)
    }

    /// The best line of a position that has a legal move.
    pub fn best(&self) -> Line {
        self.run().0.expect("there are moves")
    }

    /// As [`run`](TestSearch::run), with the tables of the caller.
    pub fn listen(&self, table: &Arc<HashMoveTable>, memory: &mut Memory) -> (Option<Line>, Listener) {
        let request = SearchRequest {
            only: self.only.to_vec(),
            multi_pv: self.lines,
            depth: self.depth,
            nodes: self.nodes,
            policy: self.policy,
            rules: self.rules,
            draw_value: self.draw,
            report_bounds: self.bounds,
            params: self.params,
            ..SearchRequest::new(self.root, material_only(), table)
        };
        let mut listener = Listener::default();
        (think(&request, memory, &mut listener), listener)
    }
}
