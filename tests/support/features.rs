//! The features of the moves of random games.

use fastrand::Rng;
use jitsugen::policy::move_context::MoveContext;
use jitsugen::policy::plain_context::PlainContext;
use jitsugen::shogi::moves::Move;
use jitsugen::shogi::position::Position;
use jitsugen::shogi::square::Square;

use super::games;

/// Calls `visit` with each position of a random game, the square that the last move went to, and the legal moves.
pub fn on_positions(seed: u64, mut visit: impl FnMut(&Position, Option<Square>, &[Move])) {
    games::play_at_random(&Position::start(), 120, &mut Rng::with_seed(seed), |position, moves| {
        let last = position.last_move().map(Move::to);
        visit(position, last, moves);
    });
}

/// The features of a move, with what needs the exchange and the categories.
pub fn features(position: &Position, last: Option<Square>, mv: Move) -> Vec<usize> {
    let mut list = Vec::new();
    MoveContext::new(position, last).features(mv, |feature| list.push(feature));
    list
}

/// Those that need neither.
pub fn plain_features(position: &Position, last: Option<Square>, mv: Move) -> Vec<usize> {
    let mut list = Vec::new();
    PlainContext::new(position, last).features(mv, |feature| list.push(feature));
    list
}
