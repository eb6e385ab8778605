//! Moves that take nothing, drops included.

use super::{NonPromotions, Pieces, Sink, drops};
use crate::shogi::position::Position;

/// Every legal move to an empty square, promotions and drops included; in check, those that answer it. Together with
/// [`captures`](super::captures()) these are all legal moves.
pub fn quiets<S: Sink>(position: &Position, wanted: NonPromotions, sink: &mut S) {
    let empty = !position.occupied();
    let pieces = Pieces::new(position, wanted);
    let targets = empty & position.answers_check();
    if !targets.is_empty() {
        pieces.moves(targets, sink);
        drops(position, targets, sink);
    }
    pieces.king_moves(empty, sink);
}
