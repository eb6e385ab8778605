//! Moves that give check.

use super::{NonPromotions, Sink, legal};
use crate::shogi::attacks;
use crate::shogi::bitboard::Bitboard;
use crate::shogi::color::Color;
use crate::shogi::piece::{HandKind, Piece, PieceKind};
use crate::shogi::position::Position;
use crate::shogi::square::Square;

/// Every legal move that gives check, captures and drops included; none where the opponent has no king.
pub fn checks<S: Sink>(position: &Position, wanted: NonPromotions, sink: &mut S) {
    if let Some(king) = position.king(!position.side()) {
        legal(position, wanted, &mut ChecksOnly::new(position, king, sink));
    }
}

/// Lets those moves through that give check to `king`.
struct ChecksOnly<'a, S> {
    position: &'a Position,
    king: Square,
    /// Own pieces that uncover a check when they leave their line.
    discoverers: Bitboard,
    /// From where each kind attacks the king.
    reach: [Bitboard; PieceKind::COUNT],
    sink: &'a mut S,
}

impl<'a, S: Sink> ChecksOnly<'a, S> {
    fn new(position: &'a Position, king: Square, sink: &'a mut S) -> Self {
        let (us, occupied) = (position.side(), position.occupied());
        // A piece attacks the king from where the opponent's same piece on the king's square would attack.
        let reach = PieceKind::ALL.map(|kind| match kind {
            PieceKind::King => Bitboard::EMPTY,
            _ => attacks::of(Piece::new(!us, kind), king, occupied),
        });
        ChecksOnly { position, king, discoverers: position.discoverers(us), reach, sink }
    }

    /// The squares that uncover a check when the piece on `from` goes there.
    fn discovering(&self, from: Square) -> Bitboard {
        if self.discoverers.contains(from) {
            !attacks::line_through(self.king, from)
        } else {
            Bitboard::EMPTY
        }
    }
}

impl<S: Sink> Sink for ChecksOnly<'_, S> {
    fn piece(&mut self, from: Square, plain: Bitboard, promoting: Bitboard) {
        let Some(piece) = self.position.piece_on(from) else { return };
        let discovering = self.discovering(from);
        let plain = plain & (discovering | self.reach[piece.kind.index()]);
        let promoted = piece.kind.promoted().unwrap_or(piece.kind);
        let promoting = promoting & (discovering | self.reach[promoted.index()]);
        if !(plain | promoting).is_empty() {
            self.sink.piece(from, plain, promoting);
        }
    }

    fn pawns(&mut self, color: Color, plain: Bitboard, promoting: Bitboard) {
        let pawns = self.position.of_piece(Piece::new(color, PieceKind::Pawn));
        // A pawn on the king's file stays on its line.
        let discovering = (self.discoverers & pawns).without(Bitboard::file(self.king.file())).forward(color);
        let plain = plain & (discovering | self.reach[PieceKind::Pawn.index()]);
        let promoting = promoting & (discovering | self.reach[PieceKind::ProPawn.index()]);
        self.sink.pawns(color, plain, promoting);
    }

    fn drops(&mut self, kind: HandKind, to: Bitboard) {
        self.sink.drops(kind, to & self.reach[kind.piece_kind().index()]);
    }
}
