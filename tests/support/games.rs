//! Games played at random.

use fastrand::Rng;
#[cfg(feature = "learn")]
use jitsugen::learn::sources::{Content, SourceGame};
use jitsugen::shogi::generate;
use jitsugen::shogi::moves::Move;
use jitsugen::shogi::position::Position;
use proptest::prelude::*;

/// Plays from `start` for up to `plies` moves and calls `visit` with each position and its legal moves. Of two random
/// moves the one that captures is played, so that hands fill.
pub fn play_at_random(
    start: &Position,
    plies: usize,
    random: &mut Rng,
    mut visit: impl FnMut(&mut Position, &[Move]),
) {
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

/// The positions of a random game of up to `plies` moves, with hands and promoted pieces.
#[cfg(feature = "learn")]
pub fn positions(seed: u64, plies: usize) -> Vec<Position> {
    let mut list = Vec::new();
    play_at_random(&Position::start(), plies, &mut Rng::with_seed(seed), |position, _| {
        list.push(position.clone())
    });
    list
}

/// A random game to learn from, or to be held back.
#[cfg(feature = "learn")]
pub fn source_game(seed: u64, held_back: bool, result: Option<f64>) -> SourceGame {
    let moves: Vec<Move> = positions(seed, 60).iter().filter_map(Position::last_move).collect();
    SourceGame { file: 0, held_back, content: Content::Moves(Box::new(Position::start()), moves, result) }
}

/// For properties: up to `plies` random moves from the start, and the position after them.
pub fn random_game(plies: usize) -> impl Strategy<Value = (Vec<Move>, Position)> {
    proptest::collection::vec(any::<usize>(), 0..plies).prop_map(|choices| {
        let mut position = Position::start();
        let mut moves = Vec::new();
        for choice in choices {
            let legal = generate::all_legal(&position);
            let Some(&mv) = legal.get(choice % legal.len().max(1)) else { break };
            moves.push(mv);
            position.play(mv, &mut ());
        }
        (moves, position)
    })
}
