//! Moves that take a piece.

use super::{NonPromotions, Pieces, Sink};
use crate::shogi::position::Position;

/// Every legal capture; in check, those that answer it.
pub fn captures<S: Sink>(position: &Position, wanted: NonPromotions, sink: &mut S) {
    let enemies = position.of_color(!position.side());
    let pieces = Pieces::new(position, wanted);
    let targets = enemies & position.answers_check();
    if !targets.is_empty() {
        pieces.moves(targets, sink);
    }
    pieces.king_moves(enemies, sink);
}
