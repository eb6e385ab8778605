//! Brinkmate (hisshi, 必至): a move without check that threatens mate, where no reply parries the threat.

use super::solver::{Finding, Solver, SolverLimits};
use crate::shogi::generate;
use crate::shogi::moves::Move;
use crate::shogi::position::Position;

/// The brinkmates of a position.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Brinkmates {
    /// Moves that threaten mate and after which every reply is mated.
    pub moves: Vec<Move>,
    /// Whether every other move was refuted. Otherwise the limits came first for some of them.
    pub complete: bool,
}

/// The most nodes spent on one reply.
const NODES_PER_REPLY: u64 = 50_000;

impl Solver {
    /// The brinkmates of the side to move.
    ///
    /// After each move the opponent first passes: if that does not lose to a mate, the move threatens none, and no
    /// reply has to be searched. The reply that refuted the last move is tried first against the next.
    pub fn brinkmates(&mut self, position: &mut Position, limits: &mut SolverLimits) -> Brinkmates {
        self.set_game(position);
        let mut found = Brinkmates { moves: Vec::new(), complete: true };
        let end = self.nodes().saturating_add(limits.nodes);
        let mut refutation = None;
        for mv in generate::all_legal(position) {
            if position.gives_check(mv) {
                continue;
            }
            position.play(mv, &mut ());
            match self.is_brinkmate(position, end, limits, &mut refutation) {
                Some(true) => found.moves.push(mv),
                Some(false) => {}
                None => found.complete = false,
            }
            position.undo(mv, &mut ());
        }
        found
    }

    /// Whether the side to move, which is not in check, is mated after every move, a pass included. `None` where the
    /// limits came first.
    fn is_brinkmate(
        &mut self,
        position: &mut Position,
        end: u64,
        limits: &mut SolverLimits,
        refutation: &mut Option<Move>,
    ) -> Option<bool> {
        position.play_null_move();
        let threatens = self.mates(position, end, limits);
        position.undo_null_move();
        if threatens != Some(true) {
            return threatens;
        }
        let mut replies = generate::all_legal(position);
        if let Some(at) = replies.iter().position(|reply| Some(*reply) == *refutation) {
            replies.swap(0, at);
        }
        let mut brink = Some(!replies.is_empty());
        for reply in replies {
            position.play(reply, &mut ());
            let mated = self.mates(position, end, limits);
            position.undo(reply, &mut ());
            match mated {
                Some(true) => {}
                Some(false) => {
                    *refutation = Some(reply);
                    return Some(false);
                }
                None => brink = None,
            }
        }
        brink
    }

    /// Whether the side to move mates. `None` where the limits came first.
    fn mates(&mut self, position: &mut Position, end: u64, limits: &mut SolverLimits) -> Option<bool> {
        let nodes = end.saturating_sub(self.nodes()).min(NODES_PER_REPLY);
        if nodes == 0 || (limits.stops)(0) {
            return None;
        }
        match self.prove(position, None, &mut SolverLimits { nodes, spare: 0, stops: &mut *limits.stops }) {
            Finding::Mates(_) => Some(true),
            Finding::NoMate => Some(false),
            Finding::Unknown => None,
        }
    }
}
