//! Moves that give check.

use super::{NonPromotions, Sink, legal};
use crate::shogi::bitboard::Bitboard;
use crate::shogi::color::Color;
use crate::shogi::piece::{HandKind, Piece, PieceKind};
use crate::shogi::position::Position;
use crate::shogi::position::check_squares::CheckSquares;
use crate::shogi::square::Square;

/// Every legal move that gives check, captures and drops included; none where the opponent has no king.
pub fn checks<S: Sink>(position: &Position, wanted: NonPromotions, sink: &mut S) {
    if let Some(king) = position.king(!position.side()) {
        legal(position, wanted, &mut ChecksOnly { position, king, squares: position.check_squares(), sink });
    }
}

/// Lets those moves through that give check to `king`.
struct ChecksOnly<'a, S> {
    position: &'a Position,
    king: Square,
    squares: CheckSquares,
    sink: &'a mut S,
}

impl<S: Sink> Sink for ChecksOnly<'_, S> {
    fn piece(&mut self, from: Square, plain: Bitboard, promoting: Bitboard) {
        let Some(piece) = self.position.piece_on(from) else { return };
        let discovering = self.squares.uncovering(from);
        let plain = plain & (discovering | self.squares.of(piece.kind));
        let promoted = piece.kind.promoted().unwrap_or(piece.kind);
        let promoting = promoting & (discovering | self.squares.of(promoted));
        if !(plain | promoting).is_empty() {
            self.sink.piece(from, plain, promoting);
        }
    }

    fn pawns(&mut self, color: Color, plain: Bitboard, promoting: Bitboard) {
        let pawns = self.position.of_piece(Piece::new(color, PieceKind::Pawn));
        // A pawn on the king's file stays on its line.
        let discoverers = self.squares.discoverers() & pawns;
        let discovering = discoverers.without(Bitboard::file(self.king.file())).forward(color);
        let plain = plain & (discovering | self.squares.of(PieceKind::Pawn));
        let promoting = promoting & (discovering | self.squares.of(PieceKind::ProPawn));
        self.sink.pawns(color, plain, promoting);
    }

    fn drops(&mut self, kind: HandKind, to: Bitboard) {
        self.sink.drops(kind, to & self.squares.of(kind.piece_kind()));
    }
}
