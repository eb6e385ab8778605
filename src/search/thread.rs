//! One thread's search: the position with its evaluation, the counters, and what it has found out.
//!
//! The searches themselves are methods of [`SearchThread`] in files of their own: `iterative`, `node`, `qsearch`, `mates`
//! and `rivals`.

use super::continuation_history::PieceTo;
use super::control::{Control, POLL_INTERVAL};
use super::history::Killers;
use super::mate_state::MateState;
use super::memory::Memory;
use super::params::Params;
use super::pv::PvTable;
use super::request::SearchRequest;
use super::tt::{Bound, TtEntry};
use super::value::{MAX_PLY, Value};
use super::window::Window;
use crate::eval::accumulator::Accumulator;
use crate::eval::evaluator::Evaluator;
use crate::policy::budget::Budget;
use crate::policy::plain_transitions::PlainTransitions;
use crate::policy::transition::Transitions;
use crate::shogi::generate;
use crate::shogi::moves::{Move, Origin};
use crate::shogi::piece::PieceKind;
use crate::shogi::position::Position;
use crate::shogi::position::declaration::{Declaration, EnteringKingRule};
use crate::shogi::position::repetition::{HandChange, Repetition, Sennichite};
use crate::shogi::square::Square;

/// The search has to end. Values on the way are unfinished and must not be used.
pub struct Stopped;

/// A search whose root is at most so many plies before the move that draws the game neither probes nor stores values of
/// positions, except mates: they depend on how many moves are still to come, and the key of a position does not contain
/// that. Longer lines that reach that move all the same are too rare to matter (docs/experiments/032-where-leaves-lie.md).
const NEAR_LAST_MOVE: u32 = 64;

/// One thread's search.
pub struct SearchThread<'a> {
    pub request: &'a SearchRequest,
    pub memory: &'a mut Memory,
    pub control: &'a mut dyn Control,
    pub params: &'a Params,
    /// Weights of all features of moves.
    pub transitions: &'static Transitions,
    /// Weights of the features that are cheap to find.
    pub plain_transitions: &'static PlainTransitions,
    pub position: Position,
    accumulator: Accumulator<Evaluator>,
    pub nodes: u64,
    /// Nodes at which the control is asked next.
    next_poll: u64,
    /// What the mate solver has done and found.
    pub mates: MateState,
    /// Whether lines reach the move with which the game is drawn.
    near_last_move: bool,
    /// The number of the running iteration.
    pub iteration: u32,
    pub seldepth: usize,
    pub killers: [Killers; MAX_PLY + 2],
    /// The destination of the move that led to each ply; that of the root is from the game.
    previous_tos: [Option<Square>; MAX_PLY + 2],
    /// The move that led to each ply, as continuation histories know it; `None` at the root and after a null move.
    led_to: [Option<PieceTo>; MAX_PLY + 2],
    pub pv: PvTable,
}

impl<'a> SearchThread<'a> {
    pub fn new(request: &'a SearchRequest, memory: &'a mut Memory, control: &'a mut dyn Control) -> Self {
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
            plain_transitions: PlainTransitions::built_in(),
            position: request.root.clone(),
            accumulator: Accumulator::new(request.evaluator.clone(), &request.root),
            nodes: 0,
            next_poll: 0,
            mates: MateState::new(&request.rules),
            iteration: 0,
            seldepth: 0,
            killers: [Killers::default(); MAX_PLY + 2],
            previous_tos,
            led_to: [None; MAX_PLY + 2],
            pv: PvTable::default(),
        }
    }

    /// Begins again at another position.
    pub fn begin(&mut self, position: &Position) {
        self.position = position.clone();
        self.accumulator.reset(position);
        self.previous_tos[0] = position.last_move().map(Move::to);
        (self.nodes, self.next_poll, self.mates.slice_nodes) = (0, 0, 0);
    }

    /// Counts a node at `ply`, unless the search has to end, and begins an empty line there.
    pub fn enter_node(&mut self, ply: usize) -> Result<(), Stopped> {
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
            // Compares the incremental evaluation with the full one.
            self.evaluate();
        }
        self.seldepth = self.seldepth.max(ply);
        self.pv.clear(ply);
        Ok(())
    }

    /// The static evaluation for the side to move.
    pub fn evaluate(&mut self) -> Value {
        Value::new(self.accumulator.value(&self.position))
    }

    /// The destination of the move that led to `ply`; `None` after a null move.
    pub fn previous_to(&self, ply: usize) -> Option<Square> {
        self.previous_tos[ply]
    }

    /// The last two moves before `ply`, the opponent's first: what continuation histories go by.
    pub fn moves_before(&self, ply: usize) -> [Option<PieceTo>; 2] {
        [self.led_to[ply], ply.checked_sub(1).and_then(|ply| self.led_to[ply])]
    }

    /// The piece and the destination of `mv`, a move of the position before it is played.
    pub fn piece_to(&self, mv: Move) -> PieceTo {
        let kind = match mv.origin() {
            Origin::Hand(kind) => kind.piece_kind(),
            Origin::Board(from) => self.position.piece_on(from).map_or(PieceKind::King, |piece| piece.kind),
        };
        PieceTo::new(self.position.side(), kind, mv.to())
    }

    /// Whether a null move led to `ply`.
    pub fn follows_null_move(&self, ply: usize) -> bool {
        self.previous_to(ply).is_none()
    }
}

/// Moves.
impl SearchThread<'_> {
    /// Plays a move that leads to an inner node or a leaf.
    pub fn play(&mut self, mv: Move, ply: usize) {
        // The transposition table is probed soon after the move is made.
        let key = self.position.key_after(mv);
        self.memory.tt.prefetch(key);
        self.led_to[ply + 1] = Some(self.piece_to(mv));
        self.play_beyond_leaf(mv, ply);
        debug_assert_eq!(self.position.key(), key, "{mv}");
    }

    /// Plays a move on from a leaf: the transposition table is not probed there.
    pub fn play_beyond_leaf(&mut self, mv: Move, ply: usize) {
        self.accumulator.play(&mut self.position, mv);
        self.previous_tos[ply + 1] = Some(mv.to());
    }

    pub fn undo(&mut self, mv: Move) {
        self.accumulator.undo(&mut self.position, mv);
    }

    pub fn play_null_move(&mut self, ply: usize) {
        self.position.play_null_move();
        (self.previous_tos[ply + 1], self.led_to[ply + 1]) = (None, None);
    }

    pub fn undo_null_move(&mut self) {
        self.position.undo_null_move();
    }
}

/// Tables.
impl SearchThread<'_> {
    /// Fetches what inner nodes ask after the transposition table.
    pub fn prefetch_node(&self, ply: usize) {
        self.request.table.prefetch(self.position.key());
        self.memory.cost_cache.prefetch(self.position.key(), self.previous_to(ply));
    }

    /// Fetches the continuation histories of the moves at `ply`.
    pub fn prefetch_histories(&self, ply: usize) {
        for before in self.moves_before(ply) {
            self.memory.continuation_history.after(before).prefetch();
        }
    }

    /// This thread's entry for the node at `ply`. Near the move that draws the game there is none: what was found earlier
    /// in the game did not see the end.
    pub fn probe_tt(&self, ply: usize) -> Option<TtEntry> {
        if self.near_last_move { None } else { self.memory.tt.probe(self.position.key(), ply) }
    }

    /// Stores that a search of `window` with `left` to spend found `value` at the node at `ply`.
    pub fn store_tt(&mut self, ply: usize, left: Budget, window: Window, value: Value, static_eval: Value) {
        // The value may rest on the draw: it would be wrong where the position is met with more moves to come.
        if self.near_last_move {
            return;
        }
        let entry = TtEntry { value, left, bound: Bound::of(value, window), static_eval };
        self.memory.tt.store(self.position.key(), ply, entry);
    }

    /// The move that was best when any thread last searched the position. Another position may share the slot, so the
    /// move is checked.
    pub fn hash_move(&self) -> Option<Move> {
        self.request.table.probe(self.position.key()).filter(|&mv| self.position.is_legal(mv))
    }
}

/// The end of the game.
impl SearchThread<'_> {
    /// The value of a position in which the game is over, or as good as over.
    pub fn game_over(&self, ply: usize) -> Option<Value> {
        let rules = &self.request.rules;
        if rules.entering_king == EnteringKingRule::Try && self.position.has_tried(!self.position.side()) {
            return Some(Value::mated_in(ply));
        }
        if let Some(repetition) = self.position.repetition()
            && let Some(value) = self.repetition_value(repetition, ply)
        {
            return Some(value);
        }
        let is_last = rules.max_moves.is_some_and(|max| self.position.move_number() > max);
        // Mate with the last move still counts.
        if is_last && (!self.position.in_check() || generate::any_legal(&self.position)) {
            return Some(self.draw_value());
        }
        match self.position.declaration(rules.entering_king)? {
            // Declaring takes the place of a move.
            Declaration::Win => Some(Value::mate_in(ply + 1)),
            Declaration::Draw => None,
        }
    }

    /// The value of a board that comes again: exact at the fourth occurrence, before it an estimate of what the repetition
    /// would come to (YSS §4.4). `None` where the rule is near: after checks, from the third occurrence on, the search finds
    /// out who loses by it.
    fn repetition_value(&self, Repetition { hand, checking, .. }: Repetition, ply: usize) -> Option<Value> {
        let us = self.position.side();
        match self.position.sennichite() {
            Some(Sennichite::Draw) => return Some(self.draw_value()),
            Some(Sennichite::PerpetualCheck { loser }) if loser == us => return Some(Value::mated_in(ply)),
            Some(Sennichite::PerpetualCheck { .. }) => return Some(Value::mate_in(ply + 1)),
            None => {}
        }
        let [ours, theirs] = [us, !us].map(|side| checking[side.index()]);
        let units = match hand {
            HandChange::Better => self.params.repetition_with_less,
            HandChange::Worse => -self.params.repetition_with_less,
            HandChange::Same if ours == theirs => return Some(self.draw_value()),
            HandChange::Same if self.position.has_occurred_twice_before() => return None,
            HandChange::Same if ours => -self.params.repetition_by_checks,
            HandChange::Same => self.params.repetition_by_checks,
        };
        Some(Value::new(units))
    }

    /// The value of a draw for the side to move. The request has it for the side to move at the root.
    fn draw_value(&self) -> Value {
        if self.position.side() == self.request.root.side() {
            self.request.draw_value
        } else {
            -self.request.draw_value
        }
    }
}

/// What `ask` finds out from a new thread at `root` that evaluates by material alone and has the parameters `params`.
#[cfg(test)]
pub fn with_thread<T>(root: &Position, params: Params, ask: impl FnOnce(&mut SearchThread) -> T) -> T {
    use std::sync::{Arc, LazyLock};

    use super::control::NoLimit;
    use super::hash_moves::HashMoveTable;
    use crate::eval::weights::{Blank, Weights};

    static MATERIAL: LazyLock<Arc<Weights>> =
        LazyLock::new(|| Arc::new(Blank::new().and_then(Blank::finish).expect("there is memory")));
    let table = Arc::new(HashMoveTable::new(1));
    let request = SearchRequest { params, ..SearchRequest::new(root, &MATERIAL, &table) };
    let (mut memory, mut control) = (Memory::new(0), NoLimit);
    ask(&mut SearchThread::new(&request, &mut memory, &mut control))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stored_move_that_is_not_legal_is_no_hash_move() {
        with_thread(&Position::start(), Params::DEFAULT, |thread| {
            let key = thread.position.key();
            assert_eq!(thread.hash_move(), None);
            // White's, one of an empty square, one through other pieces, a drop without a piece in hand.
            for wrong in ["3c3d", "5e5d", "8h3c+", "P*5e"] {
                thread.request.table.store(key, wrong.parse().unwrap());
                assert_eq!(thread.hash_move(), None, "{wrong}");
            }
            let legal: Move = "7g7f".parse().unwrap();
            thread.request.table.store(key, legal);
            assert_eq!(thread.hash_move(), Some(legal));
        });
    }
}
