//! What a drawn game is worth, which the two sides need not agree on in advance.

use super::searcher::Searcher;
use super::value::Value;

impl Searcher<'_> {
    /// The value of a draw for the side to move: what the root's side asked for, negated for its opponent.
    pub fn draw(&self) -> Value {
        if self.position.side() == self.task.root.side() { self.task.draw } else { -self.task.draw }
    }
}
