//! Positions of games played at random.

use fastrand::Rng;
use jitsugen::shogi::generate;
use jitsugen::shogi::moves::Move;
use jitsugen::shogi::position::Position;

/// Plays from `start` for up to `plies` moves, showing `visit` each position with its legal moves. Of two random moves
/// the one that captures is played, so that hands fill.
pub fn play(start: &Position, plies: usize, random: &mut Rng, mut visit: impl FnMut(&mut Position, &[Move])) {
    let mut position = start.clone();
    for _ in 0..plies {
        let moves = generate::all_legal(&position);
        if moves.is_empty() {
            return;
        }
        visit(&mut position, &moves);
        let (one, other) = (moves[random.usize(..moves.len())], moves[random.usize(..moves.len())]);
        let captures = position.piece_on(one.to()).is_some();
        position.play(if captures { one } else { other }, &mut ());
    }
}
