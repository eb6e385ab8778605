//! A position as training keeps it: compact, without its history.

use crate::eval::full;
use crate::eval::index::{Index, MAX_PIECES};
use crate::shogi::color::Color;
use crate::shogi::position::Position;
use crate::shogi::square::Square;

/// What the evaluation sees of a position with both kings.
#[derive(Clone, PartialEq, Debug)]
pub struct Snapshot {
    /// The part of the value for Black that is not learned, in units.
    pub base: f32,
    /// The side to move.
    pub side: Color,
    black_king: Square,
    white_king: Square,
    length: u8,
    pieces: [u16; MAX_PIECES],
}

impl Snapshot {
    /// Of a position, with a base of 0; `None` where a king is missing.
    pub fn new(position: &Position) -> Option<Snapshot> {
        let mut snapshot = Snapshot {
            base: 0.0,
            side: position.side(),
            black_king: position.king(Color::Black)?,
            white_king: position.king(Color::White)?,
            length: 0,
            pieces: [0; MAX_PIECES],
        };
        for piece in full::pieces(position, Color::Black) {
            snapshot.pieces[usize::from(snapshot.length)] = piece.get() as u16;
            snapshot.length += 1;
        }
        Some(snapshot)
    }

    /// Of what [`kings`](Snapshot::kings) and [`pieces`](Snapshot::pieces) return, the kings by their squares' indices; `None`
    /// where a number is too large.
    pub fn from_parts(base: f32, side: Color, kings: [usize; 2], pieces: &[u16]) -> Option<Snapshot> {
        let [black_king, white_king] = kings.map(Square::from_index);
        let mut all = [0; MAX_PIECES];
        all.get_mut(..pieces.len())?.copy_from_slice(pieces);
        let known = pieces.iter().all(|&piece| usize::from(piece) < Index::COUNT);
        let (black_king, white_king) = (black_king?, white_king?);
        known.then_some(Snapshot {
            base,
            side,
            black_king,
            white_king,
            length: pieces.len() as u8,
            pieces: all,
        })
    }

    /// Black's and White's king.
    pub fn kings(&self) -> (Square, Square) {
        (self.black_king, self.white_king)
    }

    /// The numbers of the pieces as Black sees them.
    pub fn pieces(&self) -> &[u16] {
        &self.pieces[..usize::from(self.length)]
    }

    /// The same as White sees them.
    pub fn inverted(&self) -> [u16; MAX_PIECES] {
        self.pieces
            .map(|piece| Index::new(usize::from(piece)).map_or(0, |piece| piece.inverted().get() as u16))
    }

    /// 1 where Black is to move, -1 where White is.
    pub fn turn(&self) -> f64 {
        if self.side == Color::Black { 1.0 } else { -1.0 }
    }
}
