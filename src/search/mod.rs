//! The search: from a position and limits to a best line.
//!
//! It never prints and knows no clock: it asks a [`Control`] whether to go on and tells it what it has found.
//!
//! Nodes are searched by realization probability or, as its rival, by depth; all else is shared:
//! iterations at the root, quiescence, ordering, evaluation, table.

mod aspiration;
mod candidates;
mod ending;
pub mod hash_moves;
pub mod history;
mod iterative;
mod killers;
pub mod leaves;
mod mates;
mod memory;
mod multi_pv;
mod node;
mod order;
pub mod params;
mod pricing;
mod pruning;
mod pv;
mod qsearch;
mod realization;
mod rivals;
#[cfg(test)]
mod testing;
mod thread;
pub mod tt;
pub mod value;

use std::sync::Arc;

use crate::eval::weights::Weights;
use crate::policy::budget::Budget;
use crate::shogi::generate::NonPromotions;
use crate::shogi::moves::Move;
use crate::shogi::position::Position;
use crate::shogi::position::declaration::Rules;
use hash_moves::HashMoveTable;
pub use iterative::think;
pub use memory::Memory;
use params::Params;
use value::Value;

/// The deepest line that is looked at, in plies from the root.
pub const MAX_PLY: usize = 127;

/// Bytes of stack for a thread that searches: frames hold lists of up to 593 moves, and a line is [`MAX_PLY`] plies deep
/// at most.
pub const STACK: usize = 16 << 20;

/// What decides how far a line is followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Policy {
    /// Until the probability that it is played is under a threshold.
    #[default]
    RealizationProbability,
    /// Until a number of plies is reached, near the leaves with plausible moves only: the paper's rival.
    Depth,
}

impl Policy {
    /// What users call each.
    pub const NAMES: &[&str] = &["RealizationProbability", "Depth"];

    /// The policy of this name, if there is one.
    pub fn named(name: &str) -> Option<Policy> {
        let all = [Policy::RealizationProbability, Policy::Depth];
        all.into_iter().zip(Self::NAMES).find_map(|(policy, &known)| (known == name).then_some(policy))
    }
}

/// What is asked of one search.
#[derive(Clone, Copy)]
pub struct SearchRequest<'a> {
    /// Where to start, with the game before it.
    pub root: &'a Position,
    /// What positions are worth.
    pub weights: &'a Arc<Weights>,
    /// The moves to choose from; empty for all.
    pub only: &'a [Move],
    /// How many of the best moves get a line of their own (MultiPV); at least one has.
    pub lines: usize,
    /// The last iteration.
    pub depth: u32,
    /// Nodes after which the search ends; exact, so that one thread is deterministic.
    pub nodes: u64,
    /// What every iteration spends beyond the budget of its number: threads that search together differ in it.
    pub head_start: Budget,
    /// Which moves without promotion are looked at.
    pub non_promotions: NonPromotions,
    /// What decides how far lines are followed.
    pub policy: Policy,
    /// The numbers that it goes by.
    pub params: Params,
    /// How the game ends beside mate.
    pub rules: Rules,
    /// What a drawn game is worth to the side to move at the root.
    pub draw: Value,
    /// Whether to tell of a move that is better before it is known by how much. Costs some nodes.
    pub bounds: bool,
    /// Whether to look for a mate at the root: one of several threads is enough.
    pub root_mates: bool,
    /// Moves that were best before, shared by all threads.
    pub table: &'a HashMoveTable,
}

impl<'a> SearchRequest<'a> {
    /// Searches all moves of `root` for one line, by realization probability, without limits and without rules of
    /// declarations or of a last move other than the usual ones.
    pub fn new(root: &'a Position, weights: &'a Arc<Weights>, table: &'a HashMoveTable) -> SearchRequest<'a> {
        SearchRequest {
            root,
            weights,
            only: &[],
            lines: 1,
            depth: MAX_PLY as u32,
            nodes: u64::MAX,
            head_start: Budget::ZERO,
            non_promotions: NonPromotions::Useful,
            policy: Policy::default(),
            params: Params::DEFAULT,
            rules: Rules::default(),
            draw: Value::DRAW,
            bounds: false,
            root_mates: true,
            table,
        }
    }
}

/// What the search asks and tells while it runs.
pub trait Control {
    /// Whether to end the search now. Asked every [`POLL_INTERVAL`] nodes at least.
    fn stops(&mut self, nodes: u64) -> bool;

    /// An iteration has ended, or was broken off; then the lines are the best so far, which may have been told before.
    /// Called for each line, the best first.
    fn found(&mut self, line: &Line);

    /// The budget has ended at a node `ply` plies from the root.
    fn leaf(&mut self, _ply: usize) {}

    /// Within an iteration one of the lines has become better; these are the best so far.
    fn improved(&mut self, _lines: &[Line]) {}

    /// The line's move is better than what is known, and worth the line's value at least: the search now finds out how
    /// much. Told only where [`SearchRequest::bounds`] asks for it.
    fn fails_high(&mut self, _line: &Line) {}

    /// Whether another iteration is worth its start.
    fn starts(&mut self, depth: u32) -> bool;
}

/// Nodes between two looks at the [`Control`]; less than a millisecond also where other processes slow the search down.
pub const POLL_INTERVAL: u64 = 32;

/// One of the best lines of an iteration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// Its place among the lines, 1 for the best.
    pub rank: u32,
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
