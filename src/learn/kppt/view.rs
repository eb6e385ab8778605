//! A position as the tables of pairs see it from one side: mirrored so that the king is on the files 1 to 5, and the
//! pieces in rising order, so that each pair is one place.

use std::sync::LazyLock;

use super::snapshot::Snapshot;
use crate::eval::index::{Index, MAX_PIECES, mirrored};
use crate::shogi::color::Color;
use crate::shogi::square::Square;

/// How many squares a king is on once the position is mirrored.
pub const VIEW_KINGS: usize = 45;

/// The pieces as one side sees them.
pub struct View {
    length: usize,
    pieces: [u16; MAX_PIECES],
}

/// What each piece becomes, by whether the board is rotated (the opponent's view) and by whether it is mirrored.
static SEEN: LazyLock<[[Box<[u16]>; 2]; 2]> = LazyLock::new(|| {
    let all = |seen: fn(Index) -> Index| Index::all().map(|piece| seen(piece).get() as u16).collect();
    [
        [all(|piece| piece), all(Index::mirrored)],
        [all(Index::inverted), all(|piece| piece.inverted().mirrored())],
    ]
});

impl View {
    /// Of `side`.
    pub fn new(position: &Snapshot, side: Color) -> View {
        let (_, mirror) = king(position, side);
        let seen = &SEEN[usize::from(side == Color::White)][usize::from(mirror)];
        let mut view = View { length: position.pieces().len(), pieces: [0; MAX_PIECES] };
        for (place, &piece) in view.pieces.iter_mut().zip(position.pieces()) {
            *place = seen[usize::from(piece)];
        }
        view.pieces[..view.length].sort_unstable();
        view
    }

    /// The pieces, in rising order.
    pub fn pieces(&self) -> &[u16] {
        &self.pieces[..self.length]
    }
}

/// The king of a [`View`], 0..[`VIEW_KINGS`], as [`Square::index`].
pub fn view_king(position: &Snapshot, side: Color) -> usize {
    king(position, side).0
}

/// A side's king, and whether the board is mirrored.
fn king(position: &Snapshot, side: Color) -> (usize, bool) {
    let (black, white) = position.kings();
    let square: Square = if side == Color::Black { black } else { white.rotated() };
    let other = mirrored(square);
    if other.index() < square.index() { (other.index(), true) } else { (square.index(), false) }
}
