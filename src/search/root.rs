//! Iterations, each with two bits more than the one before (the threshold divided by four), or one ply deeper.

use super::budget::Budget;
use super::order::Candidate;
use super::searcher::{Searcher, Stopped};
use super::value::Value;
use super::{Control, Line, MAX_PLY, Memory, Policy, Task};
use crate::shogi::generate::{self, MoveList};

/// Searches deeper and deeper and returns the best line found, or `None` where there is no move to choose from.
///
/// An iteration that is broken off counts if it has found a better move than the one before; every line reported has
/// at least one move.
pub fn think(task: &Task, memory: &mut Memory, control: &mut dyn Control) -> Option<Line> {
    let moves = root_moves(task);
    let mut searcher = Searcher::new(task, memory, control);
    let mut roots = searcher.roots(&moves);
    let first = roots.first()?.mv;
    let mut best = Line { depth: 0, seldepth: 0, value: Value::DRAW, nodes: 0, moves: vec![first] };
    for iteration in 1..=task.depth.min(MAX_PLY as u32) {
        if !searcher.control.starts(iteration) {
            break;
        }
        let finished = searcher.iterate(iteration, &mut roots, &mut best);
        best.nodes = searcher.nodes;
        if best.depth > 0 {
            searcher.control.found(&best);
        }
        if finished.is_err() {
            break;
        }
    }
    Some(best)
}

fn root_moves(task: &Task) -> MoveList {
    if task.only.is_empty() {
        let mut moves = MoveList::new();
        generate::legal(task.root, task.non_promotions, &mut moves);
        return moves;
    }
    // A move that was asked for is looked at even where it is a pointless non-promotion.
    let legal = generate::all_legal(task.root);
    legal.into_iter().filter(|mv| task.only.contains(mv)).collect()
}

impl Searcher<'_> {
    /// The moves of the root with their costs, the suggested one first, then the more probable before the less.
    fn roots(&self, moves: &MoveList) -> Vec<Candidate> {
        let mut candidates = self.candidates(0, moves, self.suggested(), |_| true);
        std::iter::from_fn(|| candidates.next()).collect()
    }

    /// One iteration at the root. `best` changes as soon as a better line is known, so that it is good whenever the
    /// iteration is broken off; `roots` keep the order that it finds.
    fn iterate(&mut self, iteration: u32, roots: &mut [Candidate], best: &mut Line) -> Result<(), Stopped> {
        let mut alpha = -Value::INFINITE;
        self.seldepth = 0;
        self.iteration = iteration;
        for index in 0..roots.len() {
            let root = roots[index];
            let extension = self.extension(0, root.mv);
            self.play(root.mv, 0);
            let value = match self.task.policy {
                Policy::RealizationProbability => self.child_by_probability(
                    0,
                    Budget::of_iteration(iteration) + self.task.head_start,
                    root.cost,
                    alpha,
                    Value::INFINITE,
                ),
                Policy::Depth => {
                    let ahead = i32::from(self.task.head_start >= Budget::HALF);
                    let depth = iteration as i32 - 1 + ahead + extension;
                    self.child_by_depth(0, depth, alpha, Value::INFINITE)
                }
            };
            self.undo(root.mv);
            let value = value?;
            if value > alpha {
                alpha = value;
                roots[..=index].rotate_right(1);
                best.depth = iteration;
                best.seldepth = self.seldepth as u32;
                best.value = value;
                best.moves.clear();
                best.moves.push(root.mv);
                best.moves.extend_from_slice(self.line(1));
            }
        }
        self.task.table.store(self.position.key(), roots[0].mv);
        Ok(())
    }
}
