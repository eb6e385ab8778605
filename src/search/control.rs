//! What a search asks and reports while it runs.

use super::value::Value;
use crate::policy::budget::Budget;
use crate::shogi::moves::Move;
use crate::shogi::position::Position;

/// Nodes between two looks at the [`Control`]. They take less than a millisecond even on a busy machine.
pub const POLL_INTERVAL: u64 = 32;

/// What the search asks and reports while it runs.
pub trait Control {
    /// Whether to end the search now. Asked every [`POLL_INTERVAL`] nodes at least.
    fn stops(&mut self, nodes: u64) -> bool;

    /// Reports a line after an iteration, or after one that was broken off; that line is then the best so far and may
    /// have been reported before. Called for each line, the best first.
    fn found(&mut self, line: &Line);

    /// The budget has ended at a node `ply` plies from the root.
    fn leaf(&mut self, _ply: usize) {}

    /// The prices of all moves were wanted at an inner node `ply` plies from the root, and computed unless they were cached.
    fn prices(&mut self, _ply: usize, _position: &Position, _cached: bool) {}

    /// An inner node with an open window and `left` to spend is worth exactly `value` to the side to move.
    fn exact(&mut self, _position: &Position, _left: Budget, _value: Value) {}

    /// Within an iteration one of the lines has become better; these are the best so far.
    fn improved(&mut self, _lines: &[Line]) {}

    /// The line's move is better than all before it, and worth the line's value at least; its exact value is searched
    /// next. Reported only where the request asks for it
    /// ([`SearchRequest::report_bounds`](super::request::SearchRequest::report_bounds)).
    fn fails_high(&mut self, _line: &Line) {}

    /// The best move so far is worth the line's value at most; its exact value is searched next. Reported likewise.
    fn fails_low(&mut self, _line: &Line) {}

    /// Whether another iteration is worth its start.
    fn starts(&mut self, iteration: u32) -> bool;
}

/// One of the best lines of an iteration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// Its place among the lines, 1 for the best.
    pub multipv_index: u32,
    /// The number of the iteration, from 1; 0 where not even the first has found anything.
    pub depth: u32,
    /// Plies of the deepest node.
    pub seldepth: u32,
    /// For the side to move at the root.
    pub value: Value,
    /// Nodes since the search began.
    pub nodes: u64,
    /// The best moves of both sides, at least one.
    pub moves: Vec<Move>,
}

/// Never stops the search and reports nothing.
pub struct NoLimit;

impl Control for NoLimit {
    fn stops(&mut self, _: u64) -> bool {
        false
    }

    fn found(&mut self, _: &Line) {}

    fn starts(&mut self, _: u32) -> bool {
        true
    }
}
