//! The listener that is told what a move changes.

use super::color::Color;
use super::piece::{HandKind, Piece};
use super::square::Square;

/// Told of each change to the pieces while a move is made or taken back.
pub trait Changes {
    /// `piece` was put on `square` (`on`) or lifted from it.
    fn board(&mut self, piece: Piece, square: Square, on: bool);

    /// `color` now holds `count` pieces of `kind`, one more or one less than before.
    fn hand(&mut self, color: Color, kind: HandKind, count: u8);
}

/// Listens to nothing: perft, the mate solver and the book do not evaluate.
impl Changes for () {
    fn board(&mut self, _: Piece, _: Square, _: bool) {}
    fn hand(&mut self, _: Color, _: HandKind, _: u8) {}
}
