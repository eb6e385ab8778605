//! The search: from a position and limits to a best line.
//!
//! It never prints and knows no clock: it asks a [`Control`] whether to go on and tells it what it has found.
//!
//! Nodes are searched by realization probability or, as its rivals, by depth in two manners; all else is shared:
//! iterations at the root, quiescence, ordering, evaluation, table.

pub mod bounds;
pub mod budget;
pub mod category;
mod depth;
mod draw;
pub mod history;
mod killers;
mod known_costs;
pub mod leaves;
mod lines;
mod mates;
pub mod moves_table;
mod order;
pub mod params;
mod plausible;
mod powers;
mod prefetch;
mod pricing;
mod pruning;
mod quiescence;
mod realization;
mod reductions;
mod root;
mod searcher;
#[cfg(test)]
mod testing;
pub mod transition;
pub mod value;

use std::sync::Arc;

use crate::eval::weights::Weights;
use crate::mate::solver::Solver;
use crate::shogi::color::Color;
use crate::shogi::generate::NonPromotions;
use crate::shogi::key::Key;
use crate::shogi::moves::Move;
use crate::shogi::position::Position;
use crate::shogi::position::declaration::Rules;
use bounds::Bounds;
use budget::Budget;
use history::History;
use known_costs::KnownCosts;
use moves_table::MovesTable;
use params::Params;
pub use root::think;
use value::Value;

/// The deepest line that is looked at, in plies from the root.
pub const MAX_PLY: usize = 127;

/// What decides how far a line is followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Policy {
    /// Until the probability that it is played is under a threshold.
    #[default]
    RealizationProbability,
    /// Until a number of plies is reached, near the leaves with plausible moves only: the paper's rival.
    Depth,
    /// Until a number of plies is reached, less for moves that come late: today's manner.
    Reductions,
}

/// What is asked of one search.
#[derive(Clone, Copy)]
pub struct Task<'a> {
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
    pub mates: bool,
    /// Moves that were best before, shared by all threads.
    pub table: &'a MovesTable,
}

impl<'a> Task<'a> {
    /// Searches all moves of `root` for one line, by realization probability, without limits and without rules of
    /// declarations or of a last move other than the usual ones.
    pub fn new(root: &'a Position, weights: &'a Arc<Weights>, table: &'a MovesTable) -> Task<'a> {
        Task {
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
            mates: true,
            table,
        }
    }
}

/// What a thread keeps from one search to the next.
#[derive(Debug)]
pub struct Memory {
    /// Values of positions.
    pub bounds: Bounds,
    /// What the moves of positions cost.
    pub costs: KnownCosts,
    /// Which moves that take nothing have been good.
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
            costs: KnownCosts::new(0),
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
            (self.bounds, self.costs, self.solver) = (Bounds::new(0), KnownCosts::new(0), None);
            self.allocate(bytes);
        }
    }

    fn allocate(&mut self, bytes: usize) {
        let shares = Shares::of(bytes);
        self.bounds = Bounds::new(shares.bounds);
        self.costs = KnownCosts::new(shares.costs);
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
    pub fn begin(&mut self, task: &Task) {
        let basis = Basis {
            policy: task.policy,
            params: task.params,
            non_promotions: task.non_promotions,
            rules: task.rules,
            draw_for_black: match task.root.side() {
                Color::Black => task.draw,
                Color::White => -task.draw,
            },
            // Mates that lead through these are none.
            last_time: task.root.occurred_thrice(),
        };
        if self.basis.as_ref().is_some_and(|before| *before != basis) {
            // The clock runs: a position may have come for the third time.
            self.forget();
        }
        self.basis = Some(basis);
        if let Some(solver) = &mut self.solver {
            solver.set_game(task.root);
        }
        self.bounds.age();
        self.history.fade();
    }

    /// Forgets everything and is as new, as before a new game. Takes as long as the memory is large.
    pub fn clear(&mut self) {
        self.bounds.clear();
        self.costs.clear();
        self.history.clear();
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

/// What the search asks and tells while it runs.
pub trait Control {
    /// Whether to end the search now. Asked every [`POLL_INTERVAL`] nodes.
    fn stops(&mut self, nodes: u64) -> bool;

    /// An iteration has ended, or was broken off; then the lines are the best so far, which may have been told before.
    /// Called for each line, the best first.
    fn found(&mut self, line: &Line);

    /// The budget has ended at a node `ply` plies from the root.
    fn leaf(&mut self, _ply: usize) {}

    /// Within an iteration one of the lines has become better; these are the best so far.
    fn improved(&mut self, _lines: &[Line]) {}

    /// The line's move is better than what is known, and worth the line's value at least: the search now finds out how
    /// much. Told only where [`Task::bounds`] asks for it.
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

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::leaves::NoLimit;
    use super::*;
    use crate::eval::weights::Blank;

    fn weights() -> Arc<Weights> {
        Arc::new(Blank::new().and_then(Blank::finish).expect("there is memory"))
    }

    #[test]
    fn what_rests_on_something_else_is_as_good_as_not_there() {
        let (root, table, weights) = (Position::start(), MovesTable::empty(), weights());
        let task = Task { depth: 4, ..Task::new(&root, &weights, &table) };
        let other = Task { draw: Value::new(80), ..task };
        let fresh = [task, other].map(|task| think(&task, &mut Memory::new(16 << 20), &mut NoLimit));
        let mut memory = Memory::new(16 << 20);
        for _ in 0..3 {
            assert_eq!([task, other].map(|task| think(&task, &mut memory, &mut NoLimit)), fresh);
        }
        // On the same basis it is there.
        assert_ne!(think(&other, &mut memory, &mut NoLimit), fresh[1]);
    }

    #[test]
    fn a_large_memory_forgets_at_once() {
        let (root, table, weights) = (Position::start(), MovesTable::empty(), weights());
        let mut memory = Memory::new(256 << 20);
        let begin = Instant::now();
        (0..10).for_each(|_| memory.clear());
        let emptied = begin.elapsed();
        let begin = Instant::now();
        for draw in 0..100 {
            memory.begin(&Task { draw: Value::new(draw), ..Task::new(&root, &weights, &table) });
        }
        let begun = begin.elapsed();
        assert!(begun < emptied, "a hundred times in {begun:?}, emptied ten times in {emptied:?}");
    }
}
