//! The board with a margin (a mailbox), for features that ask what stands around a square.

use crate::shogi::piece::PieceKind;
use crate::shogi::position::Position;
use crate::shogi::square::Square;

/// What stands on each square, as numbers under [`COUNT`](Mailbox::COUNT): the board as the side to move sees it, file
/// by file, with a margin of squares that do not exist.
#[derive(Clone, Debug)]
pub(super) struct Mailbox([u8; Mailbox::WIDTH * Mailbox::WIDTH]);

impl Mailbox {
    /// How many contents a square can have: a piece of ours or theirs, none, or no such square.
    pub const COUNT: usize = Self::NO_SQUARE + 1;

    /// [`COUNT`](Self::COUNT) rounded up to a power of two: in tables of this size no bounds need to be checked.
    pub const ROOM: usize = Self::COUNT.next_power_of_two();

    pub const EMPTY: usize = 2 * PieceKind::ALL.len();
    const NO_SQUARE: usize = Self::EMPTY + 1;

    /// A board and one square more on each side.
    const WIDTH: usize = 11;

    /// The eight neighbours of a square, file by file, counted from the first of them.
    const NEIGHBOURS: [usize; 8] =
        [0, 1, 2, Self::WIDTH, Self::WIDTH + 2, 2 * Self::WIDTH, 2 * Self::WIDTH + 1, 2 * Self::WIDTH + 2];

    pub fn of(position: &Position) -> Mailbox {
        let us = position.side();
        let mut contents = [Self::NO_SQUARE as u8; Self::WIDTH * Self::WIDTH];
        for square in Square::all() {
            let content = position.piece_on(square).map_or(Self::EMPTY, |piece| {
                usize::from(piece.color != us) * PieceKind::ALL.len() + piece.kind.index()
            });
            contents[Self::place(square.seen_by(us))] = content as u8;
        }
        Mailbox(contents)
    }

    /// What stands on `square`, which is given as the side to move sees it.
    pub fn content(&self, square: Square) -> usize {
        usize::from(self.0[Self::place(square)])
    }

    /// The content of a square on which a piece of theirs stands.
    pub const fn theirs(kind: PieceKind) -> usize {
        PieceKind::ALL.len() + kind.index()
    }

    /// What stands on the eight neighbours of `square`, which is given as the side to move sees it.
    pub fn neighbours(&self, square: Square) -> [usize; 8] {
        let first = Self::place(square) - Self::WIDTH - 1;
        Self::NEIGHBOURS.map(|ahead| usize::from(self.0[first + ahead]))
    }

    fn place(square: Square) -> usize {
        /// The place of each square, by its index.
        const PLACES: [u8; Square::COUNT] = {
            let mut places = [0; Square::COUNT];
            let mut index = 0;
            while index < Square::COUNT {
                places[index] = ((index / 9 + 1) * Mailbox::WIDTH + index % 9 + 1) as u8;
                index += 1;
            }
            places
        };
        usize::from(PLACES[square.index()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_read_in_order_with_the_margin() {
        const STEPS: [(i8, i8); 8] = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];
        let mut position = Position::start();
        for mv in ["7g7f", "3c3d", "8h2b+"] {
            let us = position.side();
            let mailbox = Mailbox::of(&position);
            for seen in Square::all() {
                let expected = STEPS.map(|(files, ranks)| match seen.offset(files, ranks) {
                    None => Mailbox::NO_SQUARE,
                    Some(square) => match position.piece_on(square.seen_by(us)) {
                        None => Mailbox::EMPTY,
                        Some(piece) if piece.color == us => piece.kind.index(),
                        Some(piece) => PieceKind::ALL.len() + piece.kind.index(),
                    },
                });
                assert_eq!(mailbox.neighbours(seen), expected, "{seen}");
            }
            position.play(mv.parse().unwrap(), &mut ());
        }
    }
}
