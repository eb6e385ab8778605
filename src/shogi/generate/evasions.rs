//! Answers to a check.

use super::{NonPromotions, Pieces, Sink, drops};
use crate::shogi::position::Position;

/// Every legal move of a side that is in check. Out of check it gives every legal move just as well.
pub fn evasions<S: Sink>(position: &Position, wanted: NonPromotions, sink: &mut S) {
    let others = !position.of_color(position.side());
    let pieces = Pieces::new(position, wanted);
    pieces.king_moves(others, sink);
    // With two checkers only the king can move.
    let answers = position.answers_check();
    if !answers.is_empty() {
        pieces.moves(others & answers, sink);
        drops(position, answers, sink);
    }
}
