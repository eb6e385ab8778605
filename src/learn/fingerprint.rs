//! Checksums by which a run that is taken up again knows the search and the evaluation that it was begun with.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::selfplay::adjudication::Bounds;
use super::selfplay::thinker::Thinker;
use crate::eval::weights::Weights;
use crate::search::Policy;
use crate::search::params::Params;
use crate::shogi::generate;
use crate::shogi::position::Position;

/// Moves of the game by which searches are told apart, and the nodes of each.
const PROBES: (usize, u64) = (12, 300);

/// A checksum of what this program's search by `policy` finds in a short game from the start, to tell it from another's.
pub fn of_search(weights: &Arc<Weights>, policy: Policy) -> u32 {
    of_game(weights, policy, Position::start())
}

fn of_game(weights: &Arc<Weights>, policy: Policy, mut position: Position) -> u32 {
    let bounds = Bounds { resign_at: i32::MAX, resign_plies: 1, max_moves: 1000 };
    let stop = AtomicBool::new(false);
    let mut thinker = Thinker::new(weights, bounds, PROBES.1, &stop);
    thinker.begin(policy, Params::DEFAULT);
    let mut hasher = crc32fast::Hasher::new();
    for _ in 0..PROBES.0 {
        if !generate::any_legal(&position) {
            break;
        }
        let Some(line) = thinker.search(&position, &[], PROBES.1) else { break };
        hasher.update(format!("{} {} {}", line.nodes, line.value.centipawns(), line.moves[0]).as_bytes());
        position.play(line.moves[0], &mut ());
    }
    hasher.finalize()
}

/// A checksum of all values of an evaluation.
pub fn of_evaluation(weights: &Weights) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(bytemuck::cast_slice(weights.all_kk()));
    hasher.update(bytemuck::cast_slice(weights.all_kkp()));
    hasher.update(bytemuck::cast_slice(weights.all_kpp().as_flattened().as_flattened()));
    hasher.finalize()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::weights::Blank;
    use crate::shogi::sfen;

    #[test]
    fn searches_are_told_apart() {
        let weights = Arc::new(Blank::new().and_then(Blank::finish).unwrap());
        let policies = [Policy::RealizationProbability, Policy::Depth];
        assert_eq!(of_search(&weights, policies[0]), of_search(&weights, policies[0]));
        // At the start all is even on material alone, and so small searches find the same.
        let sharp =
            sfen::parse("l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1").unwrap();
        let found = policies.map(|policy| of_game(&weights, policy, sharp.clone()));
        assert_ne!(found[0], found[1]);
    }

    /// With an evaluation that lets itself be mated, mate may come before the last probe.
    #[test]
    fn the_game_may_end() {
        let weights = Arc::new(Blank::new().and_then(Blank::finish).unwrap());
        let position = sfen::parse("4k4/9/4P4/9/9/9/9/9/4K4 b G 1").unwrap();
        let found = of_game(&weights, Policy::default(), position.clone());
        assert_eq!(found, of_game(&weights, Policy::default(), position));
    }
}
