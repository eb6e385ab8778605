//! The games whose positions are searched.

use std::fs;
use std::path::Path;

use fastrand::Rng;
use jitsugen::exchange::see::see;
use jitsugen::record::{self, Format};
use jitsugen::shogi::generate;
use jitsugen::shogi::moves::Move;
use jitsugen::shogi::position::Position;

/// The mean length of the paper's games.
const PLIES: usize = 97;

/// Games that the bench plays with itself: each move is the best by the exchange on its square, with so much noise that no two
/// games are alike. They need no file, and are the same on every machine. Drops are rarer than in random games, as they
/// are in real ones.
pub fn played(count: usize) -> Vec<Vec<Position>> {
    const NOISE: i32 = 100;
    const DROP: i32 = 60;
    let mut rng = Rng::with_seed(1);
    let game = |_| {
        let mut position = Position::start();
        let mut positions = Vec::new();
        for _ in 0..PLIES {
            let moves = generate::all_legal(&position);
            let worth = |mv: Move| see(&position, mv) - if mv.is_drop() { DROP } else { 0 };
            let best = moves.iter().max_by_key(|&&mv| worth(mv) + rng.i32(0..NOISE));
            let Some(&mv) = best else { break };
            positions.push(position.clone());
            position.play(mv, &mut ());
        }
        positions
    };
    (0..count).map(game).collect()
}

/// The first games of a file of records, as far as they are right.
///
/// # Errors
/// When the file cannot be read or has no game.
pub fn of_file(path: &Path, count: usize) -> Result<Vec<Vec<Position>>, String> {
    let bytes = fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let games = record::read_each(&bytes, Format::of_path(path));
    let games: Vec<Vec<Position>> = games
        .into_iter()
        .flatten()
        .take(count)
        .map(|game| {
            let mut position = game.start_position();
            let mut positions = Vec::new();
            for mv in game.moves() {
                positions.push(position.clone());
                position.play(mv, &mut ());
            }
            positions
        })
        .collect();
    if games.is_empty() { Err(format!("{}: expected games", path.display())) } else { Ok(games) }
}
