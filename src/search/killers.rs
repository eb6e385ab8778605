//! Moves that take nothing and refuted a sibling.

use crate::shogi::moves::Move;

/// Two of a ply, the latest first.
#[derive(Clone, Copy, Default, Debug)]
pub struct Killers([Option<Move>; 2]);

impl Killers {
    /// Puts `mv` first.
    pub fn add(&mut self, mv: Move) {
        if self.0[0] != Some(mv) {
            self.0 = [Some(mv), self.0[0]];
        }
    }

    /// Whether `mv` is one of them.
    pub fn contain(&self, mv: Move) -> bool {
        self.0.contains(&Some(mv))
    }
}
