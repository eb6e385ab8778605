//! Mates with checks alone, however long: the mate solver looks for them beside the search.
//!
//! At the root it looks again before each iteration, and at nodes that are worth it in slices. Its nodes are counted as the
//! search's own. What it says of a position holds whatever the search would spend there; what it does not find means
//! nothing.

use super::MAX_PLY;
use super::bounds::{Bound, Side};
use super::budget::Budget;
use super::searcher::{Searcher, Stopped};
use super::value::Value;
use crate::mate::solver::{Finding, Limits, Solver};
use crate::shogi::generate;
use crate::shogi::moves::Move;
use crate::shogi::position::Position;
use crate::shogi::position::declaration::{EnteringKingRule, Rules};

/// The first look takes one in so many of a search's nodes at most: a small search would have none left for its moves.
const FIRST_LOOK_DIVISOR: u64 = 8;

/// Nodes for each ply of a line, where a part of the proof was forgotten in the meantime.
const NODES_FOR_A_PLY: u64 = 64;

/// How far the root was looked at.
#[derive(Default)]
pub struct RootLook {
    spent: u64,
    /// Nothing is to be found any more.
    over: bool,
    mate: Option<RootMate>,
}

/// A mate from the root.
pub struct RootMate {
    pub value: Value,
    pub moves: Vec<Move>,
}

impl RootLook {
    /// The mate, if it begins with `mv`.
    pub fn mate_by(&self, mv: Move) -> Option<&RootMate> {
        self.mate.as_ref().filter(|mate| mate.moves[0] == mv)
    }
}

/// Whether mates can be told by checks and replies alone: under the try rule a king that answers a check may win.
pub fn are_told_by_checks(rules: &Rules) -> bool {
    rules.entering_king != EnteringKingRule::Try
}

impl Searcher<'_> {
    /// Looks for a mate at the root, as far as the nodes of the search until now allow, and gives its first move.
    pub fn mate_at_root(&mut self) -> Result<Option<Move>, Stopped> {
        let params = self.params;
        if self.root_look.over || !self.task.mates || !self.task.only.is_empty() {
            return Ok(None);
        }
        let share = self.nodes * u64::from(params.mate_root_share.unsigned_abs()) / 256;
        let first =
            u64::from(params.mate_root_nodes.unsigned_abs()).min(self.task.nodes / FIRST_LOOK_DIVISOR);
        let allowed = first + share;
        let (begun, most) = (self.nodes, self.longest_mate(0));
        let finding = match params.mate_root_nodes {
            0 => Finding::DoesNot,
            _ => self.ask(most, allowed.saturating_sub(self.root_look.spent))?,
        };
        self.root_look.spent += self.nodes - begun;
        self.root_look.over = finding != Finding::Unknown;
        let Finding::Mates(mut plies) = finding else { return Ok(None) };
        // As much again for shorter ones.
        let mut spare = self.nodes - begun;
        while spare > 0 && plies > 2 {
            let before = self.nodes;
            let Finding::Mates(shorter) = self.ask(plies - 2, spare)? else { break };
            spare = spare.saturating_sub(self.nodes - before);
            plies = shorter;
        }
        let moves = self.mating_line(plies)?;
        let moves = moves.filter(|moves| self.end_in_mate(moves));
        let value = Value::mates_at(plies as usize);
        self.root_look.mate = moves.map(|moves| RootMate { value, moves });
        Ok(self.root_look.mate.as_ref().map(|mate| mate.moves[0]))
    }

    /// Whether a mate was found at the root and nothing else is wanted.
    pub fn has_one_line_to_mate(&self) -> bool {
        self.task.lines <= 1 && self.root_look.mate.is_some()
    }

    /// The value of the node at `ply` with `left` to spend, if the window is open, so that it may be on what becomes the
    /// best line, and a slice of a search for mate finds one that is better than `alpha`.
    pub fn mate_by_slice(
        &mut self,
        ply: usize,
        left: Budget,
        (alpha, beta): (Value, Value),
        stand_pat: Value,
    ) -> Result<Option<Value>, Stopped> {
        let nodes = self.slice(left);
        let allowed = self.nodes * u64::from(self.params.mate_slice_share.unsigned_abs()) / 256;
        if alpha + 1 >= beta || nodes == 0 || self.spent_in_slices >= allowed {
            return Ok(None);
        }
        let begun = self.nodes;
        let value = self.mate_within(ply, left, alpha, nodes, stand_pat);
        self.spent_in_slices += self.nodes - begun;
        value
    }

    /// Nodes for a slice at a node with `left` to spend.
    fn slice(&self, left: Budget) -> u64 {
        let beyond = left.units() - self.params.mate_slice_from;
        if beyond < 0 {
            return 0;
        }
        let bits = u64::from(beyond.unsigned_abs()) / u64::from(Budget::HALF.units().unsigned_abs()) + 1;
        bits * u64::from(self.params.mate_line_nodes.unsigned_abs())
    }

    /// The value of the node at `ply` if `nodes` nodes find a mate that is better than `alpha`: the best line, then.
    fn mate_within(
        &mut self,
        ply: usize,
        left: Budget,
        alpha: Value,
        nodes: u64,
        stand_pat: Value,
    ) -> Result<Option<Value>, Stopped> {
        let most = self.longest_mate(ply);
        let Finding::Mates(plies) = self.ask(most, nodes)? else { return Ok(None) };
        let value = Value::mates_at(ply + plies as usize);
        if value <= alpha {
            return Ok(None);
        }
        let line = self.mating_line(plies)?;
        let Some(moves) = line.filter(|moves| self.end_in_mate(moves)) else { return Ok(None) };
        self.task.table.store(self.position.key(), moves[0]);
        self.set_line(ply, &moves);
        let bound = Bound { value, left, side: Side::Lower, stand_pat };
        self.memory.bounds.store(self.position.key(), ply, bound);
        Ok(Some(value))
    }

    /// How many plies a mate from the position at `ply` may take: as many as the game may last, and a score can tell.
    fn longest_mate(&self, ply: usize) -> u32 {
        let by_score = (2 * MAX_PLY - ply) as u32;
        let number = self.position.move_number();
        self.task.rules.max_moves.map_or(by_score, |max| (max + 1).saturating_sub(number).min(by_score))
    }

    /// Asks the solver for a mate of at most `most` plies from the position.
    fn ask(&mut self, most: u32, nodes: u64) -> Result<Finding, Stopped> {
        if most == 0 {
            return Ok(Finding::DoesNot);
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
        let nodes = u64::from(plies) * NODES_FOR_A_PLY;
        Ok(self.consult(nodes, |solver, position, limits| solver.line(position, plies, limits))?.flatten())
    }

    /// Lets the solver search for `nodes` nodes at most, which count as the search's.
    fn consult<T>(
        &mut self,
        nodes: u64,
        with: impl FnOnce(&mut Solver, &mut Position, &mut Limits) -> T,
    ) -> Result<Option<T>, Stopped> {
        let nodes = nodes.min(self.task.nodes.saturating_sub(self.nodes));
        let Some(solver) = self.memory.solver.as_mut().filter(|_| nodes > 0 && self.mates) else {
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
        let is_late = self.task.rules.max_moves.is_some_and(|max| position.move_number() > max);
        if is_late || !position.is_legal(mv) {
            return false;
        }
        position.play(mv, &mut ());
        let ends = self.position.sennichite().is_none() && self.end_in_mate(rest);
        self.position.undo(mv, &mut ());
        ends
    }
}
