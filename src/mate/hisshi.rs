//! Brinkmate (hisshi, 必至): a move without check that threatens mate, where no reply parries the threat.

use super::solver::{Finding, Limits, Solver};
use crate::shogi::generate;
use crate::shogi::moves::Move;
use crate::shogi::position::Position;

/// The brinkmates of a position.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Brinkmates {
    /// Moves that threaten mate and after which every reply is mated.
    pub moves: Vec<Move>,
    /// Whether every other move was shown to be none. Otherwise some proof would have taken too long.
    pub complete: bool,
}

/// Nodes for the question whether there is a mate after one reply.
const EACH: u64 = 50_000;

impl Solver {
    /// The moves of the side to move that bring the opponent to the brink of mate.
    ///
    /// The opponent passes first: where that is not mated there is no threat, and no reply has to be looked at. The
    /// reply that helped against the last move is tried first against the next.
    pub fn brinkmates(&mut self, position: &mut Position, limits: &mut Limits) -> Brinkmates {
        self.set_game(position);
        let mut found = Brinkmates { moves: Vec::new(), complete: true };
        let end = self.nodes().saturating_add(limits.nodes);
        let mut refutation = None;
        for mv in generate::all_legal(position) {
            if position.gives_check(mv) {
                continue;
            }
            position.play(mv, &mut ());
            match self.is_on_the_brink(position, end, limits, &mut refutation) {
                Some(true) => found.moves.push(mv),
                Some(false) => {}
                None => found.complete = false,
            }
            position.undo(mv, &mut ());
        }
        found
    }

    /// Whether the side to move, which is not in check, is mated whatever it plays.
    fn is_on_the_brink(
        &mut self,
        position: &mut Position,
        end: u64,
        limits: &mut Limits,
        refutation: &mut Option<Move>,
    ) -> Option<bool> {
        position.play_null_move();
        let threatens = self.ask(position, end, limits);
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
            let mated = self.ask(position, end, limits);
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

    fn ask(&mut self, position: &mut Position, end: u64, limits: &mut Limits) -> Option<bool> {
        let nodes = end.saturating_sub(self.nodes()).min(EACH);
        if nodes == 0 || (limits.stops)(0) {
            return None;
        }
        match self.prove(position, None, &mut Limits { nodes, spare: 0, stops: &mut *limits.stops }) {
            Finding::Mates(_) => Some(true),
            Finding::DoesNot => Some(false),
            Finding::Unknown => None,
        }
    }
}
