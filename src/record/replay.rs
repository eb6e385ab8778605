//! A position that follows a line of moves and its variations.

use super::NoSuchMove;
use crate::shogi::moves::Move;
use crate::shogi::position::Position;

/// The position after the last move of a line, and how it came about.
#[derive(Clone, Debug)]
pub(super) struct Replay {
    pub position: Position,
    pub path: Vec<Move>,
}

impl Replay {
    pub fn new(start: Position) -> Replay {
        Replay { position: start, path: Vec::new() }
    }

    /// Plays a legal move.
    pub fn play(&mut self, mv: Move) {
        self.position.play(mv, &mut ());
        self.path.push(mv);
    }

    /// Goes back to where move number `ply` (1 for the first) is to be played.
    ///
    /// Moves are only ever taken back that were played before, so a file takes time in proportion to its length
    /// however its variations are ordered.
    pub fn branch(&mut self, ply: usize) -> Result<(), NoSuchMove> {
        if ply == 0 || ply > self.path.len() + 1 {
            return Err(NoSuchMove { ply, longest: self.path.len() + 1 });
        }
        for mv in self.path.drain(ply - 1..).rev() {
            self.position.undo(mv, &mut ());
        }
        Ok(())
    }
}
