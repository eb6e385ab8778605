//! The squares from which pieces give check.

use super::Position;
use crate::shogi::attacks;
use crate::shogi::bitboard::Bitboard;
use crate::shogi::moves::Move;
use crate::shogi::piece::{Piece, PieceKind};
use crate::shogi::square::Square;

/// Finds the moves of the side to move that give check. For many moves of one position this is faster than
/// [`Position::gives_check`].
#[derive(Clone, Debug)]
pub struct CheckSquares {
    king: Option<Square>,
    /// By kind, the squares from which a piece attacks the opponent's king on the present board.
    by_kind: [Bitboard; PieceKind::ALL.len()],
    discoverers: Bitboard,
}

impl Position {
    /// The squares from which the side to move gives check.
    pub fn check_squares(&self) -> CheckSquares {
        let (us, king) = (self.side(), self.king(!self.side()));
        let mut by_kind = [Bitboard::EMPTY; PieceKind::ALL.len()];
        if let Some(king) = king {
            // Our piece attacks their king from the squares that the same piece of theirs would attack from the king.
            for kind in PieceKind::ALL {
                by_kind[kind.index()] = attacks::of(Piece::new(!us, kind), king, self.occupied());
            }
        }
        CheckSquares { king, by_kind, discoverers: self.discoverers(us) }
    }
}

impl CheckSquares {
    /// Whether the legal move `mv` of a piece that is of kind `before` until it moves gives check.
    pub fn gives_check(&self, mv: Move, before: PieceKind) -> bool {
        let after = if mv.is_promotion() { before.promoted().unwrap_or(before) } else { before };
        // The board before the move serves: a piece that stood between its new square and the king would already
        // have attacked the king.
        self.of(after).contains(mv.to())
            || mv.from().is_some_and(|from| self.discovering(from).contains(mv.to()))
    }

    /// The squares from which a piece of this kind attacks the opponent's king on the present board.
    pub fn of(&self, kind: PieceKind) -> Bitboard {
        self.by_kind[kind.index()]
    }

    /// The squares to which the piece on `from` moves with a discovered check.
    pub fn discovering(&self, from: Square) -> Bitboard {
        match self.king {
            Some(king) if self.discoverers.contains(from) => !attacks::line_through(king, from),
            _ => Bitboard::EMPTY,
        }
    }

    /// The pieces that give a discovered check when they leave their line to the opponent's king.
    pub fn discoverers(&self) -> Bitboard {
        self.discoverers
    }
}
