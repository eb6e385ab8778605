//! Moves that promote and take nothing.

use super::{NonPromotions, Pieces, Sink};
use crate::shogi::bitboard::Bitboard;
use crate::shogi::color::Color;
use crate::shogi::piece::HandKind;
use crate::shogi::position::Position;
use crate::shogi::square::Square;

/// Every legal promotion on an empty square; in check, those that answer it.
pub fn promotions<S: Sink>(position: &Position, sink: &mut S) {
    let targets = !position.occupied() & position.answers_check();
    if !targets.is_empty() {
        Pieces::new(position, NonPromotions::Useful).moves(targets, &mut PromotionsOf(sink));
    }
}

/// Passes on promotions only.
struct PromotionsOf<'a, S>(&'a mut S);

impl<S: Sink> Sink for PromotionsOf<'_, S> {
    fn piece(&mut self, from: Square, _: Bitboard, promoting: Bitboard) {
        self.0.piece(from, Bitboard::EMPTY, promoting);
    }

    fn pawns(&mut self, color: Color, _: Bitboard, promoting: Bitboard) {
        self.0.pawns(color, Bitboard::EMPTY, promoting);
    }

    fn drops(&mut self, _: HandKind, _: Bitboard) {}
}
