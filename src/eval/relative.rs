//! Pieces by their place relative to a king, alone and in pairs.

use super::index::{BOARD_KINDS, Index, IndexedPiece, Place};
use crate::shogi::square::Square;

/// A piece by its place relative to a king: kind, owner, and the distance in files and ranks; or a piece in hand.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Relative(u16);

/// Distances go from -8 to 8.
const SPAN: usize = 17;
/// The number of the first entry for hands: those for the board come before.
const RELATIVE_HANDS: usize = BOARD_KINDS.len() * 2 * SPAN * SPAN;

impl Relative {
    /// How many there are: 18 pieces at 17 × 17 distances, and 90 entries for hands.
    pub const COUNT: usize = RELATIVE_HANDS + Index::HANDS;

    /// `piece` relative to `king`, both as the king's side sees them.
    pub fn of(king: Square, piece: Index) -> Relative {
        let IndexedPiece { place: Place::Board(_, square), .. } = piece.piece() else {
            return Relative((RELATIVE_HANDS + piece.get()) as u16);
        };
        let away = |to: u8, from: u8| usize::from(to + 8 - from);
        let kind = (piece.get() - Index::HANDS) / Square::COUNT;
        let files = away(square.file(), king.file());
        let ranks = away(square.rank(), king.rank());
        Relative(((kind * SPAN + files) * SPAN + ranks) as u16)
    }

    /// The piece that this is for a king on `king`; `None` where it would be off the board.
    pub fn index(self, king: Square) -> Option<Index> {
        let number = usize::from(self.0);
        if let Some(hand) = number.checked_sub(RELATIVE_HANDS) {
            return Index::new(hand);
        }
        let (files, ranks) = (number / SPAN % SPAN, number % SPAN);
        let square = king.offset(files as i8 - 8, ranks as i8 - 8)?;
        Index::new(Index::HANDS + number / (SPAN * SPAN) * Square::COUNT + square.index())
    }

    /// 0..[`COUNT`](Relative::COUNT).
    pub const fn number(self) -> u32 {
        self.0 as u32
    }

    /// The same with the board mirrored left to right.
    pub const fn mirrored(self) -> Relative {
        let number = self.0 as usize;
        if number >= RELATIVE_HANDS {
            return self;
        }
        let files = number / SPAN % SPAN;
        Relative((number + (SPAN - 1) * SPAN - 2 * files * SPAN) as u16)
    }
}

/// The key of two pieces relative to a king, in either order.
pub fn pair_key(one: Relative, other: Relative) -> u32 {
    u32::from(one.0.max(other.0)) * Relative::COUNT as u32 + u32::from(one.0.min(other.0))
}

/// The pieces of a [`pair_key`]; `None` for a number that is no key.
pub fn pair_of(key: u32) -> Option<[Relative; 2]> {
    let (one, other) = (key as usize / Relative::COUNT, key as usize % Relative::COUNT);
    (other <= one && one < Relative::COUNT).then_some([Relative(one as u16), Relative(other as u16)])
}
