//! A static look for mates by a check from the next square or by a knight: flights and guards as sets of squares.
//!
//! Such a check cannot be parried by a piece in between, so three questions decide: can the king step away, can it take
//! the piece, and which other pieces could. Checks from afar are left to the search.

use super::board::Board;
use crate::shogi::attacks;
use crate::shogi::bitboard::Bitboard;
use crate::shogi::color::Color;
use crate::shogi::moves::Move;
use crate::shogi::piece::{HandKind, Piece, PieceKind};
use crate::shogi::square::Square;

/// A check that the king itself cannot answer.
#[derive(Clone, Copy, Debug)]
pub struct Mating {
    /// The check.
    pub mv: Move,
    /// The pieces that could take the checking piece. The check mates where there are none.
    pub guards: Bitboard,
}

/// Calls `found` with each check by `color` that the other king can answer neither by a step nor by a capture.
pub fn each_mating_move(board: &Board, color: Color, mut found: impl FnMut(Mating)) {
    let Some(king) = board.king(!color) else { return };
    let ring = attacks::king(king);
    let look = Look { board, color, king, flights: ring.without(board.of_color(!color)) };
    let hand = board.hand(color);
    for kind in HandKind::ALL.into_iter().filter(|&kind| kind != HandKind::Pawn && hand.has(kind)) {
        let piece = Piece::new(color, kind.piece_kind());
        let near = if kind == HandKind::Knight { Bitboard::FULL } else { ring };
        let seen = attacks::on_empty_board(Piece::new(!color, piece.kind), king);
        (seen & near).without(board.occupied() | piece.immobile_squares()).for_each(|to| {
            if let Some(guards) = look.guards_of_mate(piece, None, to) {
                found(Mating { mv: Move::drop(kind, to), guards });
            }
        });
    }
    let knight_squares = attacks::on_empty_board(Piece::new(!color, PieceKind::Knight), king);
    (ring | knight_squares).without(board.of_color(color)).for_each(|to| {
        let movers = board.attackers(to, color, board.occupied()) & board.without_king(color);
        movers.for_each(|from| {
            let Some(piece) = board.piece_on(from) else { return };
            let zone = from.in_promotion_zone(color) || to.in_promotion_zone(color);
            let promoted = piece.kind.promoted().filter(|_| zone).map(|kind| Piece::new(color, kind));
            let plain = (!piece.immobile_squares().contains(to)).then_some(piece);
            for (after, mv) in [(promoted, Move::promoting(from, to)), (plain, Move::board(from, to))] {
                if let Some(after) = after
                    && attacks::on_empty_board(after, to).contains(king)
                    && board.king_is_safe_after(color, Some(from), to)
                    && let Some(guards) = look.guards_of_mate(after, Some(from), to)
                {
                    found(Mating { mv, guards });
                    break;
                }
            }
        });
    });
}

struct Look<'a> {
    board: &'a Board,
    /// The side that mates.
    color: Color,
    king: Square,
    /// The squares around the king without pieces of its own.
    flights: Bitboard,
}

impl Look<'_> {
    /// The pieces other than the king that could take `piece` on `to`, where it has come from `from` and gives check;
    /// `None` where the king has a flight or takes it.
    fn guards_of_mate(&self, piece: Piece, from: Option<Square>, to: Square) -> Option<Bitboard> {
        let gone = from.map_or(Bitboard::EMPTY, Bitboard::of);
        let occupied = self.board.occupied().without(gone) | Bitboard::of(to);
        let behind_king = occupied.without(Bitboard::of(self.king));
        let covered = attacks::of(piece, to, behind_king);
        let supported = |square| {
            !self.board.attackers(square, self.color, behind_king).without(gone | Bitboard::of(to)).is_empty()
        };
        let confined = (self.flights | Bitboard::of(to) & attacks::king(self.king))
            .into_iter()
            .all(|square| square != to && covered.contains(square) || supported(square));
        confined.then(|| {
            self.board
                .attackers(to, !self.color, occupied)
                .without(Bitboard::of(self.king) | Bitboard::of(to))
        })
    }
}
