//! Mates with checks alone, however long: the mate solver looks for them beside the search.
//!
//! At the root it looks again before each iteration (`root`), and at nodes that are worth it in slices (`slices`). Its
//! nodes are counted as the search's own. What it says of a position holds whatever the search would spend there; what it
//! does not find means nothing.

pub mod root;
mod slices;

use super::MAX_PLY;
use super::thread::{SearchThread, Stopped};
use crate::mate::solver::{Finding, Limits, Solver};
use crate::shogi::generate;
use crate::shogi::moves::Move;
use crate::shogi::position::Position;
use crate::shogi::position::declaration::{EnteringKingRule, Rules};

/// Whether mates can be told by checks and replies alone: under the try rule a king that answers a check may win.
pub fn are_told_by_checks(rules: &Rules) -> bool {
    rules.entering_king != EnteringKingRule::Try
}

/// So many 256ths of `nodes`.
fn share(nodes: u64, part: i32) -> u64 {
    (u128::from(nodes) * u128::from(part.unsigned_abs()) / 256) as u64
}

impl SearchThread<'_> {
    /// How many plies a mate from the position at `ply` may take: as many as the game may last, and a score can tell.
    fn longest_mate(&self, ply: usize) -> u32 {
        // A node within the tree is no farther from the end of the longest line.
        let by_score = if ply == 0 { 2 * MAX_PLY as u32 } else { MAX_PLY as u32 };
        let number = self.position.move_number();
        self.request.rules.max_moves.map_or(by_score, |max| (max + 1).saturating_sub(number).min(by_score))
    }

    /// Asks the solver for a mate of at most `most` plies from the position.
    fn ask(&mut self, most: u32, nodes: u64) -> Result<Finding, Stopped> {
        if most == 0 {
            return Ok(Finding::NoMate);
        }
        // What it finds out without a bound helps other positions more.
        let plies = (most < MAX_PLY as u32).then_some(most);
        let finding =
            self.consult(nodes, |solver, position, limits| solver.prove(position, plies, limits))?;
        Ok(match finding {
            Some(Finding::Mates(plies)) if plies > most => Finding::Unknown,
            Some(finding) => finding,
            None => Finding::Unknown,
        })
    }

    /// The moves of a mate that was just found.
    fn mating_line(&mut self, plies: u32) -> Result<Option<Vec<Move>>, Stopped> {
        let nodes = u64::from(plies) * u64::from(self.params.mate_ply_nodes.unsigned_abs());
        Ok(self.consult(nodes, |solver, position, limits| solver.line(position, plies, limits))?.flatten())
    }

    /// Lets the solver search for `nodes` nodes at most, which count as the search's.
    fn consult<T>(
        &mut self,
        nodes: u64,
        with: impl FnOnce(&mut Solver, &mut Position, &mut Limits) -> T,
    ) -> Result<Option<T>, Stopped> {
        let nodes = nodes.min(self.request.nodes.saturating_sub(self.nodes));
        let Some(solver) = self.memory.solver.as_mut().filter(|_| nodes > 0 && self.may_ask_solver) else {
            return Ok(None);
        };
        let (before, begun) = (solver.nodes(), self.nodes);
        let mut stopped = false;
        let mut stops = |searched| {
            stopped |= self.control.stops(begun + searched);
            stopped
        };
        let answer = with(solver, &mut self.position, &mut Limits { nodes, spare: 0, stops: &mut stops });
        self.nodes += solver.nodes() - before;
        if stopped { Err(Stopped) } else { Ok(Some(answer)) }
    }

    /// Whether `moves` lead from the position to mate by the rules of the game: without a position that ends it earlier.
    fn end_in_mate(&mut self, moves: &[Move]) -> bool {
        let position = &mut self.position;
        let Some((&mv, rest)) = moves.split_first() else {
            return position.in_check() && !generate::any_legal(position);
        };
        let is_late = self.request.rules.max_moves.is_some_and(|max| position.move_number() > max);
        if is_late || !position.is_legal(mv) {
            return false;
        }
        position.play(mv, &mut ());
        let ends = self.position.sennichite().is_none() && self.end_in_mate(rest);
        self.position.undo(mv, &mut ());
        ends
    }
}
