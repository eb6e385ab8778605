//! What binds a piece to its place.

use crate::shogi::attacks;
use crate::shogi::bitboard::Bitboard;
use crate::shogi::piece::Piece;
use crate::shogi::square::Square;

/// Why a piece may not leave its square.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum TieKind {
    /// It stands alone between a slider and a piece behind it.
    Pin,
    /// It defends a piece.
    Material,
    /// It keeps a piece from promoting.
    Promotion,
    /// It keeps the opponent from mating.
    Mate,
}

/// A piece that is bound to its square: once it leaves, the opponent gains something elsewhere (the paper's §6).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tie {
    /// Why.
    pub kind: TieKind,
    /// The piece that is bound.
    pub holder: Square,
    /// The opponent's pieces that would gain; empty for a drop.
    pub attackers: Bitboard,
    /// Where they would gain: a piece of the holder's side, or an empty square.
    pub target: Square,
    /// How much more they would gain than now.
    pub value: i32,
}

impl Tie {
    /// Whether the holder, once it stands on `to` as `piece` with the squares of `occupied` as blockers, still does its
    /// duty there, or the duty is no more: the attackers or the piece it defends have gone, or are on `to` themselves.
    pub fn is_kept(&self, piece: Piece, to: Square, occupied: Bitboard) -> bool {
        if to == self.target {
            return true;
        }
        let others = self.attackers.without(Bitboard::of(to));
        if !self.attackers.is_empty() && !others.meets(occupied) {
            return true;
        }
        let defends_material = matches!(self.kind, TieKind::Material | TieKind::Pin);
        if defends_material && !occupied.contains(self.target) {
            return true;
        }
        match self.kind {
            TieKind::Pin => others.into_iter().all(|from| attacks::between(from, self.target).contains(to)),
            _ => attacks::of(piece, to, occupied).contains(self.target),
        }
    }
}
