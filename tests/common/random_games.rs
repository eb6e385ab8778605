//! Positions of games played at random.

use jitsugen::shogi::generate;
use jitsugen::shogi::moves::Move;
use jitsugen::shogi::position::Position;

/// Random numbers that are the same in every run.
pub struct Random(pub u64);

impl Random {
    /// Under `bound`, which is small.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}

/// Plays from `start` for up to `plies` moves, showing `visit` each position with its legal moves. Of two random moves
/// the one that captures is played, so that hands fill.
pub fn play(
    start: &Position,
    plies: usize,
    random: &mut Random,
    mut visit: impl FnMut(&mut Position, &[Move]),
) {
    let mut position = start.clone();
    for _ in 0..plies {
        let moves = generate::all_legal(&position);
        if moves.is_empty() {
            return;
        }
        visit(&mut position, &moves);
        let (one, other) = (moves[random.below(moves.len())], moves[random.below(moves.len())]);
        let captures = position.piece_on(one.to()).is_some();
        position.play(if captures { one } else { other }, &mut ());
    }
}
