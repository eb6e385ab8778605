//! What every kind of search node shares: the position with its sum, the counters, the lines.

use std::sync::Arc;

use arrayvec::ArrayVec;

use super::bounds::{Bound, Side};
use super::budget::Budget;
use super::category::Costs;
use super::killers::Killers;
use super::mates::{self, RootLook};
use super::params::Params;
use super::transition::Transitions;
use super::value::Value;
use super::{Control, MAX_PLY, Memory, POLL_INTERVAL, Task};
use crate::eval::sum::Sum;
use crate::eval::weights::Weights;
use crate::mate::one_move::mate_in_one;
use crate::shogi::moves::Move;
use crate::shogi::position::Position;
use crate::shogi::square::Square;

/// The search was told to end; values on the way are unfinished and must not be used.
pub struct Stopped;

/// Plies before the move with which the game is drawn, from which on it counts that values that were found earlier do
/// not see that end. Longer lines do without, which hardly any search has (docs/experiments.md, *Where leaves lie*).
const NEAR_LAST_MOVE: u32 = 64;

/// What is known of an inner node at its beginning.
pub enum Opened {
    /// Its value.
    Settled(Value),
    /// Nothing that settles it.
    Open {
        /// What the position is worth if nobody takes anything, for the side to move.
        stand_pat: Value,
    },
}

/// The first moves of a node that have not ended it.
pub type Tried = ArrayVec<Move, 32>;

/// One thread's search.
pub struct Searcher<'a> {
    pub task: &'a Task<'a>,
    pub memory: &'a mut Memory,
    pub control: &'a mut dyn Control,
    pub params: &'a Params,
    pub costs: &'static Costs,
    pub transitions: &'static Transitions,
    pub plain_transitions: &'static Transitions,
    pub position: Position,
    sum: Sum<Arc<Weights>>,
    pub nodes: u64,
    /// Nodes at which the control is asked next.
    next_poll: u64,
    /// Whether the mate solver may be asked.
    pub mates: bool,
    pub root_look: RootLook,
    /// Nodes of the mate solver in slices.
    pub spent_in_slices: u64,
    /// Whether lines reach the move with which the game is drawn.
    near_last_move: bool,
    /// The number of the running iteration.
    pub iteration: u32,
    pub seldepth: usize,
    pub killers: [Killers; MAX_PLY + 2],
    /// Where the move that led to each ply arrived; that of the root is the last move of the game.
    arrivals: [Option<Square>; MAX_PLY + 2],
    /// The best line from each ply on.
    lines: Vec<Vec<Move>>,
}

impl<'a> Searcher<'a> {
    pub fn new(task: &'a Task<'a>, memory: &'a mut Memory, control: &'a mut dyn Control) -> Self {
        memory.begin(task);
        let mut arrivals = [None; MAX_PLY + 2];
        arrivals[0] = task.root.last_move().map(Move::to);
        Searcher {
            task,
            near_last_move: task
                .rules
                .max_moves
                .is_some_and(|max| task.root.move_number().saturating_add(NEAR_LAST_MOVE) >= max),
            memory,
            control,
            params: &task.params,
            costs: Costs::built_in(),
            transitions: Transitions::built_in(),
            plain_transitions: Transitions::built_in_plain(),
            position: task.root.clone(),
            sum: Sum::new(Arc::clone(task.weights), task.root),
            nodes: 0,
            next_poll: 0,
            mates: mates::are_told_by_checks(&task.rules),
            root_look: RootLook::default(),
            spent_in_slices: 0,
            iteration: 0,
            seldepth: 0,
            killers: [Killers::default(); MAX_PLY + 2],
            arrivals,
            lines: (0..MAX_PLY + 2).map(|_| Vec::with_capacity(MAX_PLY + 2)).collect(),
        }
    }

    /// Begins again at another position.
    pub fn begin(&mut self, position: &Position) {
        self.position = position.clone();
        self.sum.reset(position);
        self.arrivals[0] = position.last_move().map(Move::to);
        (self.nodes, self.next_poll, self.spent_in_slices) = (0, 0, 0);
    }

    /// Counts a node at `ply` and begins an empty line there.
    pub fn enter(&mut self, ply: usize) -> Result<(), Stopped> {
        if self.nodes >= self.task.nodes {
            return Err(Stopped);
        }
        if self.nodes >= self.next_poll {
            self.next_poll = self.nodes + POLL_INTERVAL;
            if self.control.stops(self.nodes) {
                return Err(Stopped);
            }
        }
        self.nodes += 1;
        if cfg!(debug_assertions) {
            // Compares the incremental sum with the full one.
            self.evaluate();
        }
        self.seldepth = self.seldepth.max(ply);
        self.lines[ply].clear();
        Ok(())
    }

    /// Plays a move that leads to an inner node or a leaf.
    pub fn play(&mut self, mv: Move, ply: usize) {
        // What is known of the position is wanted soon after the move is made.
        let key = self.position.key_after(mv);
        self.memory.bounds.prefetch(key);
        self.make(mv, ply);
        debug_assert_eq!(self.position.key(), key, "{mv}");
    }

    /// Plays a move on from a leaf: of what comes there nothing is kept.
    pub fn make(&mut self, mv: Move, ply: usize) {
        self.sum.play(&mut self.position, mv);
        self.arrivals[ply + 1] = Some(mv.to());
    }

    pub fn undo(&mut self, mv: Move) {
        self.sum.undo(&mut self.position, mv);
    }

    pub fn pass(&mut self, ply: usize) {
        self.position.pass();
        self.arrivals[ply + 1] = None;
    }

    pub fn undo_pass(&mut self) {
        self.position.undo_pass();
    }

    /// Where the move that led to `ply` arrived.
    pub fn arrival(&self, ply: usize) -> Option<Square> {
        self.arrivals[ply]
    }

    /// The static value for the side to move.
    pub fn evaluate(&mut self) -> Value {
        Value::new(self.sum.value(&self.position))
    }

    /// The best line from `ply` is now `mv` and the line after it.
    pub fn extend_line(&mut self, ply: usize, mv: Move) {
        let (before, after) = self.lines.split_at_mut(ply + 1);
        let line = &mut before[ply];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&after[0]);
    }

    /// The best line from `ply` is `mv` alone.
    pub fn end_line(&mut self, ply: usize, mv: Move) {
        self.lines[ply].clear();
        self.lines[ply].push(mv);
    }

    /// The best line from `ply` is `moves`.
    pub fn set_line(&mut self, ply: usize, moves: &[Move]) {
        self.lines[ply].clear();
        self.lines[ply].extend_from_slice(moves);
    }

    /// The best line from `ply` on.
    pub fn line(&self, ply: usize) -> &[Move] {
        &self.lines[ply]
    }

    /// Begins an inner node with `left` to spend: its value where the game is over, where it is too deep, where no mate
    /// is near enough to matter, where it is known, or where the next move mates. The window loses what a mate cannot
    /// reach any more.
    pub fn settle(
        &mut self,
        ply: usize,
        left: Budget,
        alpha: &mut Value,
        beta: &mut Value,
    ) -> Result<Opened, Stopped> {
        self.enter(ply)?;
        // Only inner nodes ask these two, and later than the bounds.
        self.task.table.prefetch(self.position.key());
        self.memory.costs.prefetch(self.position.key(), self.arrival(ply));
        if let Some(value) = self.ended(ply) {
            return Ok(Opened::Settled(value));
        }
        if ply >= MAX_PLY {
            return Ok(Opened::Settled(self.evaluate()));
        }
        *alpha = (*alpha).max(Value::mated_at(ply));
        *beta = (*beta).min(Value::mates_at(ply + 1));
        if *alpha >= *beta {
            return Ok(Opened::Settled(*alpha));
        }
        let known = self.known(ply);
        if let Some(bound) = known {
            // With an open window the line is wanted, too.
            if *alpha + 1 >= *beta && bound.answers(left, *alpha, *beta) {
                return Ok(Opened::Settled(bound.value));
            }
        } else if let Some(mv) = mate_in_one(&self.position) {
            self.end_line(ply, mv);
            return Ok(Opened::Settled(Value::mates_at(ply + 1)));
        }
        let stand_pat = known.map_or_else(|| self.evaluate(), |bound| bound.stand_pat);
        Ok(Opened::Open { stand_pat })
    }

    /// What this thread remembers of the node at `ply`. It is not asked for near the move with which the game is drawn:
    /// what was found earlier in the game did not see the end.
    pub fn known(&self, ply: usize) -> Option<Bound> {
        if self.near_last_move { None } else { self.memory.bounds.probe(self.position.key(), ply) }
    }

    /// Remembers that a search of the node at `ply` with `left` to spend and the window from `alpha` to `beta` found
    /// `value`.
    pub fn remember(
        &mut self,
        ply: usize,
        left: Budget,
        window: (Value, Value),
        value: Value,
        stand_pat: Value,
    ) {
        let (alpha, beta) = window;
        let side = if value >= beta {
            Side::Lower
        } else if value <= alpha {
            Side::Upper
        } else {
            Side::Exact
        };
        self.memory.bounds.store(self.position.key(), ply, Bound { value, left, side, stand_pat });
    }

    /// The move that was best when the position was last searched.
    pub fn suggested(&self) -> Option<Move> {
        self.task.table.probe(self.position.key()).filter(|&mv| self.position.is_legal(mv))
    }

    /// The first move of the line that a shallower search has left at `ply`, which is emptied.
    pub fn take_suggestion(&mut self, ply: usize) -> Option<Move> {
        let first = self.lines[ply].first().copied();
        self.lines[ply].clear();
        first
    }

    /// `mv` is the best move of the node at `ply` so far.
    pub fn improve(&mut self, ply: usize, mv: Move) {
        self.task.table.store(self.position.key(), mv);
        self.extend_line(ply, mv);
    }

    /// `mv` has ended the node at `ply`, which had `left` to spend; `tried` have not.
    pub fn refute(&mut self, ply: usize, left: Budget, mv: Move, tried: &Tried) {
        if self.position.piece_on(mv.to()).is_some() {
            return;
        }
        self.killers[ply].add(mv);
        let (side, bonus) = (self.position.side(), left.units().min(self.params.history_bonus));
        self.memory.history.add(side, mv, bonus);
        for &mv in tried.iter().filter(|mv| self.position.piece_on(mv.to()).is_none()) {
            self.memory.history.add(side, mv, -bonus);
        }
    }
}
