//! Attackers of a square, checkers, pinned pieces, discovered checks, and the squares from which pieces give check.

use super::Position;
use crate::shogi::attacks;
use crate::shogi::bitboard::Bitboard;
use crate::shogi::color::Color;
use crate::shogi::moves::{Move, Origin};
use crate::shogi::piece::{Piece, PieceKind};
use crate::shogi::square::Square;

impl Position {
    /// `color`'s lances, bishops, rooks, horses and dragons that would slide to `square` on an empty board.
    pub fn aimed_sliders(&self, square: Square, color: Color) -> Bitboard {
        let seen = |kind| attacks::on_empty_board(Piece::new(!color, kind), square);
        let lances = self.of_kind(PieceKind::Lance) & seen(PieceKind::Lance);
        let bishops =
            (self.of_kind(PieceKind::Bishop) | self.of_kind(PieceKind::Horse)) & seen(PieceKind::Bishop);
        let rooks = (self.of_kind(PieceKind::Rook) | self.of_kind(PieceKind::Dragon)) & seen(PieceKind::Rook);
        (lances | bishops | rooks) & self.of_color(color)
    }

    /// `color`'s pieces that attack `square` by a step, horses and dragons included.
    fn stepping_attackers(&self, square: Square, color: Color) -> Bitboard {
        let seen = |kind| attacks::on_empty_board(Piece::new(!color, kind), square);
        let royal =
            self.of_kind(PieceKind::King) | self.of_kind(PieceKind::Horse) | self.of_kind(PieceKind::Dragon);
        (self.of_kind(PieceKind::Pawn) & seen(PieceKind::Pawn)
            | self.of_kind(PieceKind::Knight) & seen(PieceKind::Knight)
            | self.of_kind(PieceKind::Silver) & seen(PieceKind::Silver)
            | self.gold_movers & seen(PieceKind::Gold)
            | royal & attacks::king(square))
            & self.of_color(color)
    }

    /// `color`'s pieces that attack `square`, or would if nothing stood between.
    pub fn aimed(&self, square: Square, color: Color) -> Bitboard {
        self.stepping_attackers(square, color) | self.aimed_sliders(square, color)
    }

    /// `color`'s pieces that attack `square`, with the squares of `occupied` as blockers.
    pub fn attackers(&self, square: Square, color: Color, occupied: Bitboard) -> Bitboard {
        let mut attackers = self.stepping_attackers(square, color);
        self.aimed_sliders(square, color).for_each(|slider| {
            if !attacks::between(square, slider).meets(occupied) {
                attackers |= Bitboard::of(slider);
            }
        });
        attackers
    }

    /// Whether a piece of `color` attacks `square`, with the squares of `occupied` as blockers.
    pub fn is_attacked(&self, square: Square, color: Color, occupied: Bitboard) -> bool {
        !self.stepping_attackers(square, color).is_empty()
            || self
                .aimed_sliders(square, color)
                .into_iter()
                .any(|slider| !attacks::between(square, slider).meets(occupied))
    }

    /// Every square that a piece of `color` attacks, squares of its own pieces included.
    pub fn attacked_by(&self, color: Color) -> Bitboard {
        let side = self.of_color(color);
        let occupied = self.occupied();
        let mut attacked = (self.of_kind(PieceKind::Pawn) & side).forward(color);
        let mut add = |pieces: Bitboard, attacks: &dyn Fn(Square) -> Bitboard| {
            (pieces & side).for_each(|from| attacked |= attacks(from));
        };
        let stepping = |kind| move |from| attacks::on_empty_board(Piece::new(color, kind), from);
        let (horses, dragons) = (self.of_kind(PieceKind::Horse), self.of_kind(PieceKind::Dragon));
        add(self.of_kind(PieceKind::Knight), &stepping(PieceKind::Knight));
        add(self.of_kind(PieceKind::Silver), &stepping(PieceKind::Silver));
        add(self.gold_movers, &stepping(PieceKind::Gold));
        add(self.of_kind(PieceKind::King) | horses | dragons, &attacks::king);
        add(self.of_kind(PieceKind::Lance), &|from| attacks::lance(color, from, occupied));
        add(self.of_kind(PieceKind::Bishop) | horses, &|from| attacks::bishop(from, occupied));
        add(self.of_kind(PieceKind::Rook) | dragons, &|from| attacks::rook(from, occupied));
        attacked
    }

    /// The pieces that attack `color`'s king, computed from the whole board; none if the king is missing.
    pub fn checkers_of(&self, color: Color) -> Bitboard {
        self.king(color).map_or(Bitboard::EMPTY, |king| self.attackers(king, !color, self.occupied()))
    }

    /// The pieces of either colour that are the only one between `square` and a slider of `color` aimed at it.
    fn blockers(&self, square: Square, color: Color) -> Bitboard {
        let occupied = self.occupied();
        let mut blockers = Bitboard::EMPTY;
        self.aimed_sliders(square, color).for_each(|slider| {
            let between = attacks::between(square, slider) & occupied;
            if !between.has_several() {
                blockers |= between;
            }
        });
        blockers
    }

    /// `color`'s pinned pieces: they may move only along the line through their king.
    pub fn pinned(&self, color: Color) -> Bitboard {
        self.king(color).map_or(Bitboard::EMPTY, |king| self.blockers(king, !color) & self.of_color(color))
    }

    /// `color`'s pieces that give a discovered check when they leave their line to the opponent's king.
    pub fn discoverers(&self, color: Color) -> Bitboard {
        self.king(!color).map_or(Bitboard::EMPTY, |king| self.blockers(king, color) & self.of_color(color))
    }

    /// The checkers after `piece` has moved from `origin` to `to`. The board must already be that after the move.
    #[inline(always)]
    pub(super) fn checkers_after(&self, piece: Piece, origin: Origin, to: Square) -> Bitboard {
        let Some(king) = self.king(!piece.color) else { return Bitboard::EMPTY };
        let occupied = self.occupied();
        let mut checkers = Bitboard::EMPTY;
        if attacks::on_empty_board(piece, to).contains(king) && !attacks::between(to, king).meets(occupied) {
            checkers |= Bitboard::of(to);
        }
        if let Origin::Board(from) = origin {
            let opened = attacks::line_through(king, from);
            if !opened.is_empty() {
                (self.aimed_sliders(king, piece.color) & opened).for_each(|slider| {
                    if !attacks::between(king, slider).meets(occupied) {
                        checkers |= Bitboard::of(slider);
                    }
                });
            }
        }
        checkers
    }

    /// Whether the legal move `mv` gives check.
    pub fn gives_check(&self, mv: Move) -> bool {
        let us = self.side;
        let Some(king) = self.king(!us) else { return false };
        let to = mv.to();
        let (kind, vacated) = match mv.origin() {
            Origin::Hand(kind) => (kind.piece_kind(), Bitboard::EMPTY),
            Origin::Board(from) => {
                let Some(piece) = self.piece_on(from) else { return false };
                let kind = if mv.is_promotion() { piece.kind.promoted() } else { Some(piece.kind) };
                (kind.unwrap_or(piece.kind), Bitboard::of(from))
            }
        };
        let occupied = self.occupied().without(vacated) | Bitboard::of(to);
        if attacks::on_empty_board(Piece::new(us, kind), to).contains(king)
            && !attacks::between(to, king).meets(occupied)
        {
            return true;
        }
        let opened = mv.from().map_or(Bitboard::EMPTY, |from| attacks::line_through(king, from));
        !opened.contains(to)
            && (self.aimed_sliders(king, us) & opened)
                .without(vacated)
                .into_iter()
                .any(|slider| !attacks::between(king, slider).meets(occupied))
    }
}

/// Finds the moves of the side to move that give check. For many moves of one position this is faster than
/// [`Position::gives_check`].
#[derive(Clone, Debug)]
pub struct CheckSquares {
    king: Option<Square>,
    /// By kind, the squares from which a piece attacks the opponent's king on the present board.
    by_kind: [Bitboard; PieceKind::COUNT],
    discoverers: Bitboard,
}

impl Position {
    /// The squares from which the side to move gives check.
    pub fn check_squares(&self) -> CheckSquares {
        let (us, king) = (self.side(), self.king(!self.side()));
        let by_kind = king
            .map_or([Bitboard::EMPTY; PieceKind::COUNT], |king| squares_attacking(king, us, self.occupied()));
        CheckSquares { king, by_kind, discoverers: self.discoverers(us) }
    }
}

/// By kind, the squares from which a piece of `color` attacks `king`, with the squares of `occupied` as blockers.
fn squares_attacking(king: Square, color: Color, occupied: Bitboard) -> [Bitboard; PieceKind::COUNT] {
    use PieceKind::{Bishop, Dragon, Gold, Horse, King, Knight, Lance, Pawn, Rook, Silver};
    // A piece attacks the king from the squares that the same piece of the other side would attack from there.
    let steps = |kind| attacks::on_empty_board(Piece::new(!color, kind), king);
    let (bishop, rook, around) =
        (attacks::bishop(king, occupied), attacks::rook(king, occupied), steps(King));
    // All other kinds move like golds.
    let mut squares = [steps(Gold); PieceKind::COUNT];
    for (kind, from) in [
        (Pawn, steps(Pawn)),
        (Lance, rook & steps(Lance)),
        (Knight, steps(Knight)),
        (Silver, steps(Silver)),
        (Bishop, bishop),
        (Rook, rook),
        (King, around),
        (Horse, bishop | around),
        (Dragon, rook | around),
    ] {
        squares[kind.index()] = from;
    }
    squares
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
