//! The pieces of a position as the tables know them, each in a slot of its own.

use super::full;
use super::index::Index;
use super::rows::RowStart;
use crate::shogi::color::{Color, PerColor};
use crate::shogi::position::Position;

/// Room for every piece but the kings.
pub const MAX_PIECES: usize = 38;

/// Every piece other than the kings, seen from both sides.
///
/// A capture moves a piece to a hand, so that the number of pieces never changes in a game and each keeps a slot.
#[derive(Clone)]
pub struct List {
    views: PerColor<[RowStart; MAX_PIECES]>,
    length: usize,
    /// The slot of each piece that is present, by its index as Black sees it; anything for the others.
    slots: [u8; Index::COUNT],
}

impl List {
    /// The pieces of `position`.
    pub fn new(position: &Position) -> List {
        let pieces = full::pieces(position, Color::Black);
        let mut list = List {
            views: PerColor([[RowStart::of(Index::FIRST); MAX_PIECES]; 2]),
            length: pieces.len(),
            slots: [0; _],
        };
        for (slot, &piece) in pieces.iter().enumerate() {
            list.set(slot, piece);
        }
        list
    }

    /// The pieces as `view` sees them, by slot.
    pub fn pieces(&self, view: Color) -> &[RowStart] {
        &self.views[view][..self.length]
    }

    /// The same, for whoever puts them back as they were.
    pub fn pieces_mut(&mut self, view: Color) -> &mut [RowStart] {
        &mut self.views[view][..self.length]
    }

    /// Where `piece` (as Black sees it) is, if it is present.
    pub fn slot(&self, piece: Index) -> usize {
        usize::from(self.slots[piece.get()])
    }

    /// Puts `piece` (as Black sees it) into `slot` in place of what was there.
    pub fn set(&mut self, slot: usize, piece: Index) {
        self.views.0[0][slot] = RowStart::of(piece);
        self.views.0[1][slot] = RowStart::of(piece.inverted());
        self.slots[piece.get()] = slot as u8;
    }
}
