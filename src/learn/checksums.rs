//! Checksums of the search and the evaluation, so that a run is only continued with those that it was begun with.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::selfplay::adjudication::AdjudicationRules;
use super::selfplay::thinker::Thinker;
use crate::eval::weights::Weights;
use crate::search::SearchPolicy;
use crate::search::params::Params;
use crate::shogi::generate;
use crate::shogi::position::Position;

/// The moves of the game that the checksum of a search is taken from, and the nodes of each.
const PROBES: (usize, u64) = (12, 300);

/// A checksum of what this program's search by `policy` finds in a short game from the start position. Another search
/// finds something else.
pub fn search_checksum(weights: &Arc<Weights>, policy: SearchPolicy) -> u32 {
    game_checksum(weights, policy, Position::start())
}

fn game_checksum(weights: &Arc<Weights>, policy: SearchPolicy, mut position: Position) -> u32 {
    let adjudication = AdjudicationRules { resign_at: i32::MAX, resign_plies: 1, max_moves: 1000 };
    let stop = AtomicBool::new(false);
    let mut thinker = Thinker::new(weights, adjudication, PROBES.1, &stop);
    thinker.begin(policy, Params::DEFAULT);
    let mut hasher = crc32fast::Hasher::new();
    for _ in 0..PROBES.0 {
        if !generate::any_legal(&position) {
            break;
        }
        let Some(line) = thinker.search(&position, &[], PROBES.1) else { break };
        hasher.update(format!("{} {} {}", line.nodes, line.value.units(), line.moves[0]).as_bytes());
        position.play(line.moves[0], &mut ());
    }
    hasher.finalize()
}

/// A checksum of all values of an evaluation.
pub fn evaluation_checksum(weights: &Weights) -> u32 {
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
    fn different_searches_have_different_checksums() {
        let weights = Arc::new(Blank::new().and_then(Blank::finish).unwrap());
        // In the start position all moves are equal by material, and small searches may find the same.
        let sfen = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 94";
        let position = sfen::parse(sfen).unwrap();
        let policies = [SearchPolicy::RealizationProbability, SearchPolicy::Depth];
        let checksums = || policies.map(|policy| game_checksum(&weights, policy, position.clone()));
        let [one, other] = checksums();
        assert_eq!([one, other], checksums());
        assert_ne!(one, other);
    }

    /// A bad evaluation may be mated before the last probe.
    #[test]
    fn a_game_that_ends_early_has_a_checksum() {
        let weights = Arc::new(Blank::new().and_then(Blank::finish).unwrap());
        let position = sfen::parse("4k4/9/4P4/9/9/9/9/9/4K4 b G 1").unwrap();
        let found = game_checksum(&weights, SearchPolicy::default(), position.clone());
        assert_eq!(found, game_checksum(&weights, SearchPolicy::default(), position));
    }
}
