//! The mate solver beside the search: it finds mates by checks alone, however long they are.
//!
//! It is asked about the root before each iteration, and about nodes that are worth it in slices of a few nodes. Its
//! nodes count as the search's own. A proof holds whatever the search would spend on the position; finding nothing means
//! nothing.

use super::mate_state::RootMate;
use super::thread::{SearchThread, Stopped};
use super::tt::{Bound, TtEntry};
use super::value::{MAX_PLY, Value};
use super::window::Window;
use crate::mate::solver::{Finding, MateLimits, Solver};
use crate::policy::budget::Budget;
use crate::shogi::generate;
use crate::shogi::moves::Move;
use crate::shogi::position::Position;

/// `part` 256ths of `nodes`.
fn share(nodes: u64, part: i32) -> u64 {
    (u128::from(nodes) * u128::from(part.unsigned_abs()) / 256) as u64
}

/// The root.
impl SearchThread<'_> {
    /// Looks for a mate from the root, for as many nodes as the search has earned so far, and returns its first move.
    pub fn find_root_mate(&mut self) -> Result<Option<Move>, Stopped> {
        let params = self.params;
        if self.mates.root_is_solved || !self.request.root_mates || !self.request.only.is_empty() {
            return Ok(None);
        }
        let first = u64::from(params.mate_root_nodes.unsigned_abs())
            .min(share(self.request.nodes, params.mate_root_first_share));
        let allowed = first + share(self.nodes, params.mate_root_share);
        let (begun, most) = (self.nodes, self.longest_mate(0));
        let finding = match params.mate_root_nodes {
            0 => Finding::NoMate,
            _ => self.prove_mate(most, allowed.saturating_sub(self.mates.root_nodes))?,
        };
        self.mates.root_nodes += self.nodes - begun;
        self.mates.root_is_solved = finding != Finding::Unknown;
        let Finding::Mates(mut plies) = finding else { return Ok(None) };
        // As many nodes again for a shorter one.
        let mut spare = self.nodes - begun;
        while spare > 0 && plies > 2 {
            let before = self.nodes;
            let Finding::Mates(shorter) = self.prove_mate(plies - 2, spare)? else { break };
            spare = spare.saturating_sub(self.nodes - before);
            plies = shorter;
        }
        let moves = self.mating_line(plies)?;
        let moves = moves.filter(|moves| self.end_in_mate(moves));
        // The line may be shorter than the proof.
        self.mates.root_mate = moves.map(|moves| RootMate { value: Value::mate_in(moves.len()), moves });
        Ok(self.mates.root_mate.as_ref().map(|mate| mate.moves[0]))
    }

    /// Whether a mate from the root was found and nothing else is wanted.
    pub fn has_one_line_to_mate(&self) -> bool {
        self.request.multi_pv <= 1 && self.mates.root_mate.is_some()
    }
}

/// Nodes within the tree.
impl SearchThread<'_> {
    /// The value of the node at `ply` with `left` to spend, where a slice of a mate search finds a mate that is better
    /// than alpha. Only an open window is worth a slice: such a node may become part of the best line.
    pub fn mate_by_slice(
        &mut self,
        ply: usize,
        left: Budget,
        window: Window,
        static_eval: Value,
    ) -> Result<Option<Value>, Stopped> {
        let nodes = self.nodes_of_slice(left);
        let allowed = share(self.nodes, self.params.mate_slice_share);
        if window.is_null() || nodes == 0 || self.mates.slice_nodes >= allowed {
            return Ok(None);
        }
        let begun = self.nodes;
        let value = self.mate_within(ply, left, window.alpha, nodes, static_eval);
        self.mates.slice_nodes += self.nodes - begun;
        value
    }

    /// The nodes that a node with `left` to spend gets for a slice.
    fn nodes_of_slice(&self, left: Budget) -> u64 {
        let beyond = left.units() - self.params.mate_slice_from;
        if beyond < 0 {
            return 0;
        }
        let bits = u64::from(beyond.unsigned_abs()) / u64::from(Budget::HALF.units().unsigned_abs()) + 1;
        bits * u64::from(self.params.mate_slice_nodes.unsigned_abs())
    }

    /// The value of the node at `ply`, where `nodes` nodes find a mate that is better than `alpha`. The mate is then its
    /// best line.
    fn mate_within(
        &mut self,
        ply: usize,
        left: Budget,
        alpha: Value,
        nodes: u64,
        static_eval: Value,
    ) -> Result<Option<Value>, Stopped> {
        let most = self.longest_mate(ply);
        let Finding::Mates(plies) = self.prove_mate(most, nodes)? else { return Ok(None) };
        // A mate ends at most `MAX_PLY` plies from the root, so that its value is still one of a mate where the table returns
        // it at another ply.
        let end = ply + plies as usize;
        if end > MAX_PLY || Value::mate_in(end) <= alpha {
            return Ok(None);
        }
        let line = self.mating_line(plies)?;
        let Some(moves) = line.filter(|moves| self.end_in_mate(moves)) else { return Ok(None) };
        let value = Value::mate_in(ply + moves.len());
        self.request.table.store(self.position.key(), moves[0]);
        self.pv.set(ply, &moves);
        let entry = TtEntry { value, left, bound: Bound::Lower, static_eval, was_pv: true };
        self.memory.tt.store(self.position.key(), ply, entry);
        Ok(Some(value))
    }
}

/// The solver.
impl SearchThread<'_> {
    /// The most plies that a mate from the position at `ply` may take: as many as the game may last, and as a value can
    /// express.
    fn longest_mate(&self, ply: usize) -> u32 {
        // Within the tree no mate is longer than the longest line.
        let by_value = if ply == 0 { 2 * MAX_PLY as u32 } else { MAX_PLY as u32 };
        let number = self.position.move_number();
        self.request.rules.max_moves.map_or(by_value, |max| (max + 1).saturating_sub(number).min(by_value))
    }

    /// Asks the solver for a mate of at most `most` plies from the position.
    fn prove_mate(&mut self, most: u32, nodes: u64) -> Result<Finding, Stopped> {
        if most == 0 {
            return Ok(Finding::NoMate);
        }
        // What it finds out without a limit of plies helps other positions more.
        let plies = (most < MAX_PLY as u32).then_some(most);
        let finding =
            self.ask_solver(nodes, |solver, position, limits| solver.prove(position, plies, limits))?;
        Ok(match finding {
            Some(Finding::Mates(plies)) if plies > most => Finding::Unknown,
            Some(finding) => finding,
            None => Finding::Unknown,
        })
    }

    /// The moves of a mate that was just proven.
    fn mating_line(&mut self, plies: u32) -> Result<Option<Vec<Move>>, Stopped> {
        let nodes = u64::from(plies) * u64::from(self.params.mate_ply_nodes.unsigned_abs());
        let line = self.ask_solver(nodes, |solver, position, limits| solver.line(position, plies, limits))?;
        Ok(line.flatten())
    }

    /// Lets the solver search for `nodes` nodes at most, which count as the search's. `None` where it may not.
    fn ask_solver<T>(
        &mut self,
        nodes: u64,
        question: impl FnOnce(&mut Solver, &mut Position, &mut MateLimits) -> T,
    ) -> Result<Option<T>, Stopped> {
        let nodes = nodes.min(self.request.nodes.saturating_sub(self.nodes));
        let Some(solver) = self.memory.solver.as_mut().filter(|_| nodes > 0 && self.mates.is_allowed) else {
            return Ok(None);
        };
        let (before, begun) = (solver.nodes(), self.nodes);
        let mut stopped = false;
        let mut stops = |searched| {
            stopped |= self.control.stops(begun + searched);
            stopped
        };
        let answer =
            question(solver, &mut self.position, &mut MateLimits { nodes, spare: 0, stops: &mut stops });
        self.nodes += solver.nodes() - before;
        if stopped { Err(Stopped) } else { Ok(Some(answer)) }
    }

    /// Whether `moves` lead from the position to mate by the rules of the game: no position on the way ends it earlier.
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
