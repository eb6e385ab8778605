//! Which move to look at first.

use super::material::VALUES;
use crate::shogi::generate::MoveList;
use crate::shogi::moves::Move;
use crate::shogi::position::Position;

/// Two quiet moves of each ply that refuted a sibling.
#[derive(Clone, Copy, Default, Debug)]
pub struct Killers([Option<Move>; 2]);

impl Killers {
    /// Puts `mv` first.
    pub fn add(&mut self, mv: Move) {
        if self.0[0] != Some(mv) {
            self.0 = [Some(mv), self.0[0]];
        }
    }
}

/// Sorts `moves`: the suggestion of the table, gains of material (victim and promotion, less a tenth of the mover),
/// killers, then the rest as generated.
pub fn sort(position: &Position, moves: &mut MoveList, suggested: Option<Move>, killers: Killers) {
    moves.sort_by_cached_key(|&mv| {
        let rank = if Some(mv) == suggested {
            i32::MAX
        } else if killers.0.contains(&Some(mv)) {
            1
        } else {
            gain(position, mv)
        };
        std::cmp::Reverse(rank)
    });
}

/// What `mv` takes and promotes to, less a tenth of what moves; 0 for a quiet move.
fn gain(position: &Position, mv: Move) -> i32 {
    let Some(piece) = mv.from().and_then(|from| position.piece_on(from)) else { return 0 };
    let promoted = if mv.is_promotion() { VALUES.promotion(piece.kind) } else { 0 };
    let taken = match position.piece_on(mv.to()) {
        Some(victim) => VALUES.captured(victim.kind) - VALUES.piece(piece.kind) / 10,
        None => 0,
    };
    taken + promoted
}
