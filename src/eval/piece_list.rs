//! The pieces of a position as table indices, each in a slot of its own.

use super::full;
use super::index::{Index, MAX_PIECES, RowStart};
use crate::shogi::color::{Color, PerColor};
use crate::shogi::position::Position;

/// Every piece other than the kings, as both sides see it.
///
/// A capture moves a piece to a hand, so the number of pieces never changes in a game, and each keeps its slot.
#[derive(Clone)]
pub struct PieceList {
    views: PerColor<[RowStart; MAX_PIECES]>,
    length: usize,
    /// The slot of each piece that is present, by its index as Black sees it; of other indices, anything.
    slots: [u8; Index::COUNT],
}

impl PieceList {
    /// The pieces of `position`.
    pub fn new(position: &Position) -> PieceList {
        let pieces = full::pieces(position, Color::Black);
        let mut list = PieceList {
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

    /// The same, for a caller that reorders them for a while and then restores the order.
    pub fn pieces_mut(&mut self, view: Color) -> &mut [RowStart] {
        &mut self.views[view][..self.length]
    }

    /// The slot of `piece` (as Black sees it), which has to be present.
    pub fn slot(&self, piece: Index) -> usize {
        usize::from(self.slots[piece.get()])
    }

    /// Puts `piece` (as Black sees it) into `slot`, in place of the one that was there.
    pub fn set(&mut self, slot: usize, piece: Index) {
        self.views.0[0][slot] = RowStart::of(piece);
        self.views.0[1][slot] = RowStart::of(piece.inverted());
        self.slots[piece.get()] = slot as u8;
    }
}
