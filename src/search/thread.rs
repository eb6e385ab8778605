//! One thread's search: the position with its sum, the counters, and what it has found out.

use std::sync::Arc;

use super::killers::Killers;
use super::mates;
use super::mates::root::RootLook;
use super::params::Params;
use super::pv::PvTable;
use super::value::Value;
use super::{Control, MAX_PLY, Memory, POLL_INTERVAL, SearchRequest};
use crate::eval::accumulator::Accumulator;
use crate::eval::weights::Weights;
use crate::policy::transition::Transitions;
use crate::shogi::moves::Move;
use crate::shogi::position::Position;
use crate::shogi::square::Square;

/// The search was told to end; values on the way are unfinished and must not be used.
pub struct Stopped;

/// A search whose root is at most so many plies before the move with which the game is drawn neither uses values of
/// positions nor keeps any but mates: they depend on how many moves are still to come, which a position's key does not
/// tell. Longer lines that reach that move all the same are too rare to matter (docs/experiments.md, *Where leaves lie*).
const NEAR_LAST_MOVE: u32 = 64;

/// One thread's search.
pub struct SearchThread<'a> {
    pub request: &'a SearchRequest<'a>,
    pub memory: &'a mut Memory,
    pub control: &'a mut dyn Control,
    pub params: &'a Params,
    pub transitions: &'static Transitions,
    pub plain_transitions: &'static Transitions,
    pub position: Position,
    sum: Accumulator<Arc<Weights>>,
    pub nodes: u64,
    /// Nodes at which the control is asked next.
    next_poll: u64,
    /// Whether the mate solver may be asked: the rules decide.
    pub may_ask_solver: bool,
    pub root_look: RootLook,
    /// Nodes of the mate solver in slices.
    pub spent_in_slices: u64,
    /// Whether lines reach the move with which the game is drawn.
    pub near_last_move: bool,
    /// The number of the running iteration.
    pub iteration: u32,
    pub seldepth: usize,
    pub killers: [Killers; MAX_PLY + 2],
    /// Where the move that led to each ply arrived; that of the root is the last move of the game.
    previous_tos: [Option<Square>; MAX_PLY + 2],
    pub pv: PvTable,
}

impl<'a> SearchThread<'a> {
    pub fn new(request: &'a SearchRequest<'a>, memory: &'a mut Memory, control: &'a mut dyn Control) -> Self {
        memory.begin(request);
        let mut previous_tos = [None; MAX_PLY + 2];
        previous_tos[0] = request.root.last_move().map(Move::to);
        SearchThread {
            request,
            near_last_move: request
                .rules
                .max_moves
                .is_some_and(|max| request.root.move_number().saturating_add(NEAR_LAST_MOVE) >= max),
            memory,
            control,
            params: &request.params,
            transitions: Transitions::built_in(),
            plain_transitions: Transitions::built_in_plain(),
            position: request.root.clone(),
            sum: Accumulator::new(Arc::clone(request.weights), request.root),
            nodes: 0,
            next_poll: 0,
            may_ask_solver: mates::are_told_by_checks(&request.rules),
            root_look: RootLook::default(),
            spent_in_slices: 0,
            iteration: 0,
            seldepth: 0,
            killers: [Killers::default(); MAX_PLY + 2],
            previous_tos,
            pv: PvTable::default(),
        }
    }

    /// Begins again at another position.
    pub fn begin(&mut self, position: &Position) {
        self.position = position.clone();
        self.sum.reset(position);
        self.previous_tos[0] = position.last_move().map(Move::to);
        (self.nodes, self.next_poll, self.spent_in_slices) = (0, 0, 0);
    }

    /// Counts a node at `ply` and begins an empty line there.
    pub fn enter(&mut self, ply: usize) -> Result<(), Stopped> {
        if self.nodes >= self.request.nodes {
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
        self.pv.clear(ply);
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
        self.previous_tos[ply + 1] = Some(mv.to());
    }

    pub fn undo(&mut self, mv: Move) {
        self.sum.undo(&mut self.position, mv);
    }

    pub fn pass(&mut self, ply: usize) {
        self.position.pass();
        self.previous_tos[ply + 1] = None;
    }

    pub fn undo_pass(&mut self) {
        self.position.undo_pass();
    }

    /// Where the move that led to `ply` arrived.
    pub fn previous_to(&self, ply: usize) -> Option<Square> {
        self.previous_tos[ply]
    }

    /// The static value for the side to move.
    pub fn evaluate(&mut self) -> Value {
        Value::new(self.sum.value(&self.position))
    }
}
