//! From where a piece would give check.

use super::Position;
use crate::shogi::attacks;
use crate::shogi::bitboard::Bitboard;
use crate::shogi::moves::Move;
use crate::shogi::piece::{Piece, PieceKind};
use crate::shogi::square::Square;

/// Which moves of the side to move give check: asked of many moves of one position, this is faster than
/// [`Position::gives_check`].
#[derive(Clone, Debug)]
pub struct CheckSquares {
    king: Option<Square>,
    /// By kind, where a piece attacks the opponent's king as the pieces stand.
    by_kind: [Bitboard; PieceKind::ALL.len()],
    discoverers: Bitboard,
}

impl Position {
    /// Where the side to move gives check.
    pub fn check_squares(&self) -> CheckSquares {
        let (us, king) = (self.side(), self.king(!self.side()));
        let mut by_kind = [Bitboard::EMPTY; PieceKind::ALL.len()];
        if let Some(king) = king {
            // A piece of ours attacks the king from where the same piece of theirs would be attacked by it.
            for kind in PieceKind::ALL {
                by_kind[kind.index()] = attacks::of(Piece::new(!us, kind), king, self.occupied());
            }
        }
        CheckSquares { king, by_kind, discoverers: self.discoverers(us) }
    }
}

impl CheckSquares {
    /// Whether the legal move `mv` of a piece of the kind `before` gives check.
    pub fn meet(&self, mv: Move, before: PieceKind) -> bool {
        let after = if mv.is_promotion() { before.promoted().unwrap_or(before) } else { before };
        // No piece that moves stands between its new place and the king: it would have to be attacking the king already.
        self.of(after).contains(mv.to())
            || mv.from().is_some_and(|from| self.uncovering(from).contains(mv.to()))
    }

    /// Where a piece of this kind attacks the opponent's king as the pieces stand.
    pub fn of(&self, kind: PieceKind) -> Bitboard {
        self.by_kind[kind.index()]
    }

    /// The squares that uncover a check when the piece on `from` goes there.
    pub fn uncovering(&self, from: Square) -> Bitboard {
        match self.king {
            Some(king) if self.discoverers.contains(from) => !attacks::line_through(king, from),
            _ => Bitboard::EMPTY,
        }
    }

    /// Pieces that give check from behind when they leave the line through the opponent's king.
    pub fn discoverers(&self) -> Bitboard {
        self.discoverers
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shogi::generate;
    use crate::shogi::moves::Origin;

    #[test]
    fn agree_with_each_move_by_itself() {
        let (mut checks, mut discovered) = (0, 0);
        for seed in 0..60 {
            let mut random = fastrand::Rng::with_seed(seed);
            let mut position = Position::start();
            for _ in 0..200 {
                let moves = generate::all_legal(&position);
                let squares = position.check_squares();
                for &mv in &moves {
                    let before = match mv.origin() {
                        Origin::Hand(kind) => kind.piece_kind(),
                        Origin::Board(from) => {
                            position.piece_on(from).expect("a legal move moves something").kind
                        }
                    };
                    let expected = position.gives_check(mv);
                    assert_eq!(squares.meet(mv, before), expected, "{mv} in {position:?}");
                    checks += usize::from(expected);
                    let direct = squares.by_kind[before.index()].contains(mv.to());
                    discovered += usize::from(expected && !direct && !mv.is_promotion());
                }
                let Some(&mv) = random.choice(&moves) else { break };
                position.play(mv, &mut ());
            }
        }
        assert!(checks > 1000 && discovered > 10, "{checks} checks, {discovered} of them discovered");
    }
}
