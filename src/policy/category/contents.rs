//! What is on the squares around each one.

use crate::shogi::piece::PieceKind;
use crate::shogi::position::Position;
use crate::shogi::square::Square;

/// What is on each square as the side to move sees it, under [`COUNT`](Contents::COUNT), by file and rank, with a margin of
/// squares that do not exist.
#[derive(Clone, Debug)]
pub(super) struct Contents([u8; Contents::WIDTH * Contents::WIDTH]);

impl Contents {
    /// A piece of ours or theirs, nothing, or no such square.
    pub const COUNT: usize = Self::NO_SQUARE + 1;

    const NOTHING: usize = 2 * PieceKind::ALL.len();
    const NO_SQUARE: usize = Self::NOTHING + 1;

    /// A board and one square more on each side.
    const WIDTH: usize = 11;

    /// The eight squares around one, file by file, counted from the first of them.
    const AROUND: [usize; 8] =
        [0, 1, 2, Self::WIDTH, Self::WIDTH + 2, 2 * Self::WIDTH, 2 * Self::WIDTH + 1, 2 * Self::WIDTH + 2];

    pub fn of(position: &Position) -> Contents {
        let us = position.side();
        let mut contents = [Self::NO_SQUARE as u8; Self::WIDTH * Self::WIDTH];
        for square in Square::all() {
            let content = position.piece_on(square).map_or(Self::NOTHING, |piece| {
                usize::from(piece.color != us) * PieceKind::ALL.len() + piece.kind.index()
            });
            contents[Self::place(square.seen_by(us))] = content as u8;
        }
        Contents(contents)
    }

    /// What is on the eight squares around one that is seen by the side to move.
    pub fn around(&self, square: Square) -> [usize; 8] {
        let first = Self::place(square) - Self::WIDTH - 1;
        Self::AROUND.map(|ahead| usize::from(self.0[first + ahead]))
    }

    const fn place(square: Square) -> usize {
        (square.file() as usize + 1) * Self::WIDTH + square.rank() as usize + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn around_a_square() {
        const STEPS: [(i8, i8); 8] = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];
        let mut position = Position::start();
        for mv in ["7g7f", "3c3d", "8h2b+"] {
            let us = position.side();
            let contents = Contents::of(&position);
            for seen in Square::all() {
                let expected = STEPS.map(|(files, ranks)| match seen.offset(files, ranks) {
                    None => Contents::NO_SQUARE,
                    Some(square) => match position.piece_on(square.seen_by(us)) {
                        None => Contents::NOTHING,
                        Some(piece) if piece.color == us => piece.kind.index(),
                        Some(piece) => PieceKind::ALL.len() + piece.kind.index(),
                    },
                });
                assert_eq!(contents.around(seen), expected, "{seen}");
            }
            position.play(mv.parse().unwrap(), &mut ());
        }
    }
}
