//! The legality of a single move.

use super::Position;
use crate::shogi::attacks;
use crate::shogi::bitboard::Bitboard;
use crate::shogi::moves::{Move, Origin};
use crate::shogi::piece::{HandKind, Piece, PieceKind};
use crate::shogi::square::Square;

impl Position {
    /// Whether `mv` is legal. It may be any move, such as one from a hash table or from a client.
    pub fn is_legal(&self, mv: Move) -> bool {
        match mv.origin() {
            Origin::Hand(kind) => self.is_legal_drop(kind, mv.to()),
            Origin::Board(from) => self.is_legal_on_board(from, mv.to(), mv.is_promotion()),
        }
    }

    /// The squares to which a piece other than the king may move without leaving its king in check, pins aside: every
    /// square when there is no check, none in double check.
    pub(in crate::shogi) fn evasion_targets(&self) -> Bitboard {
        match (self.checkers.first(), self.king(self.side)) {
            (Some(checker), Some(king)) if !self.checkers.has_several() => {
                attacks::between(king, checker) | self.checkers
            }
            (Some(_), _) => Bitboard::EMPTY,
            (None, _) => Bitboard::FULL,
        }
    }

    fn is_legal_drop(&self, kind: HandKind, to: Square) -> bool {
        let us = self.side;
        let piece = Piece::new(us, kind.piece_kind());
        if !self.hand(us).has(kind)
            || self.piece_on(to).is_some()
            || piece.immobile_squares().contains(to)
            || !self.evasion_targets().contains(to)
        {
            return false;
        }
        kind != HandKind::Pawn
            || !(self.of_piece(piece) & Bitboard::file(to.file())).meets(Bitboard::FULL)
                && !self.pawn_drop_mates(to)
    }

    fn is_legal_on_board(&self, from: Square, to: Square, promotes: bool) -> bool {
        let us = self.side;
        let Some(piece) = self.piece_on(from).filter(|piece| piece.color == us) else { return false };
        if self.of_color(us).contains(to) {
            return false;
        }
        if promotes {
            let in_zone = from.in_promotion_zone(us) || to.in_promotion_zone(us);
            if !in_zone || piece.kind.promoted().is_none() {
                return false;
            }
        } else if piece.immobile_squares().contains(to) {
            return false;
        }
        let occupied = self.occupied();
        if !attacks::of(piece, from, occupied).contains(to) {
            return false;
        }
        if piece.kind == PieceKind::King {
            return !self.is_attacked(to, !us, occupied.without(Bitboard::of(from)));
        }
        self.evasion_targets().contains(to)
            && (!self.pinned(us).contains(from)
                || self.king(us).is_some_and(|king| attacks::line_through(king, from).contains(to)))
    }

    /// Whether a pawn dropped on the empty square `to` by the side to move gives mate (uchifuzume), which is
    /// forbidden.
    pub(in crate::shogi) fn pawn_drop_mates(&self, to: Square) -> bool {
        let (us, them) = (self.side, !self.side);
        let Some(king) = self.king(them) else { return false };
        if Bitboard::of(to).forward(us) != Bitboard::of(king) {
            return false;
        }
        // The pawn gives mate unless a piece that is not pinned off the square captures it, or the king escapes.
        let pinned = self.pinned(them);
        let occupied = self.occupied();
        let capturers = self.attackers(to, them, occupied).without(Bitboard::of(king));
        let can_be_captured = capturers
            .into_iter()
            .any(|from| !pinned.contains(from) || attacks::line_through(king, from).contains(to));
        if can_be_captured {
            return false;
        }
        let after = occupied.without(Bitboard::of(king)) | Bitboard::of(to);
        attacks::king(king)
            .without(self.of_color(them))
            .into_iter()
            .all(|escape| self.is_attacked(escape, us, after))
    }
}
