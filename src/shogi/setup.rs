//! Pieces as a notation describes them, before they are checked, and what the rules demand of them.

use std::fmt;

use super::bitboard::Bitboard;
use super::color::{Color, PerColor};
use super::piece::{HandKind, Piece, PieceKind};
use super::square::Square;

/// Pieces, hands and side to move, unchecked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// By square index.
    pub board: [Option<Piece>; Square::COUNT],
    /// What each side holds, by [`HandKind`] index.
    pub hands: PerColor<[u8; HandKind::COUNT]>,
    /// The side to move.
    pub side: Color,
    /// Number of the next move, 1 at the start of a game.
    pub move_number: u32,
}

impl Setup {
    /// No pieces, Black to make move 1.
    pub const EMPTY: Setup = Setup {
        board: [None; Square::COUNT],
        hands: PerColor([[0; HandKind::COUNT]; 2]),
        side: Color::Black,
        move_number: 1,
    };

    /// The start of an even game.
    pub fn start() -> Setup {
        use PieceKind::{Bishop, Gold, King, Knight, Lance, Pawn, Rook, Silver};
        let mut setup = Setup::EMPTY;
        let mut put = |color, kind, file, rank| {
            let square = Square::new(file, rank).seen_by(color);
            setup.board[square.index()] = Some(Piece::new(color, kind));
        };
        for color in Color::ALL {
            // As each side sees the board: file 1 on its right, rank i at its edge.
            let last_rank = [Lance, Knight, Silver, Gold, King, Gold, Silver, Knight, Lance];
            for (file, kind) in (0..).zip(last_rank) {
                put(color, kind, file, 8);
                put(color, Pawn, file, 6);
            }
            put(color, Rook, 1, 7);
            put(color, Bishop, 7, 7);
        }
        setup
    }

    /// The same pieces as the other side sees them: the board turned by half, and the sides exchanged.
    pub fn rotated(&self) -> Setup {
        let mut setup = Setup::EMPTY;
        for (index, piece) in self.board.iter().enumerate() {
            setup.board[Square::COUNT - 1 - index] =
                piece.map(|piece| Piece { color: !piece.color, ..piece });
        }
        setup.hands = PerColor([self.hands[Color::White], self.hands[Color::Black]]);
        setup.side = !self.side;
        setup.move_number = self.move_number;
        setup
    }

    /// Checks the number of pieces and that each of them has a square to move to.
    pub(super) fn check_pieces(&self) -> Result<(), InvalidPosition> {
        let pieces = || self.board.iter().flatten();
        for color in Color::ALL {
            let kings = pieces().filter(|&&p| p == Piece::new(color, PieceKind::King)).count();
            if kings > 1 {
                return Err(InvalidPosition::Kings(color, kings));
            }
        }
        for kind in HandKind::ALL {
            let on_board = pieces().filter(|p| p.kind.hand_kind() == Some(kind)).count();
            let in_hand = Color::ALL.map(|color| usize::from(self.hands[color][kind.index()]));
            let count = on_board + in_hand[0] + in_hand[1];
            if count > usize::from(kind.in_set()) {
                return Err(InvalidPosition::TooMany(kind, count));
            }
        }
        for color in Color::ALL {
            for kind in [PieceKind::Pawn, PieceKind::Lance, PieceKind::Knight] {
                let piece = Piece::new(color, kind);
                if let Some(square) = (self.squares_of(piece) & piece.immobile_squares()).first() {
                    return Err(InvalidPosition::Immobile(piece, square));
                }
            }
        }
        Ok(())
    }

    /// Checks that no side has two pawns on a file.
    pub(super) fn check_nifu(&self) -> Result<(), InvalidPosition> {
        for color in Color::ALL {
            let pawns = self.squares_of(Piece::new(color, PieceKind::Pawn));
            if let Some(file) = (0..9).find(|&file| (pawns & Bitboard::file(file)).has_several()) {
                return Err(InvalidPosition::TwoPawns(color, file + 1));
            }
        }
        Ok(())
    }

    fn squares_of(&self, piece: Piece) -> Bitboard {
        Square::all().filter(|square| self.board[square.index()] == Some(piece)).collect()
    }
}

/// Why the rules do not allow a setup.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InvalidPosition {
    /// A side has more than one king.
    Kings(Color, usize),
    /// There are more pieces of a kind, board and hands together, than in a full set.
    TooMany(HandKind, usize),
    /// A pawn, lance or knight that could never move again.
    Immobile(Piece, Square),
    /// Two pawns of a side on one file, counted from 1 (nifu).
    TwoPawns(Color, u8),
    /// The side that just moved has left its king in check.
    CanTakeKing(Color),
}

impl fmt::Display for InvalidPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            InvalidPosition::Kings(color, count) => {
                write!(f, "{color:?} has {count} kings: expected one at most")
            }
            InvalidPosition::TooMany(kind, count) => {
                let max = kind.in_set();
                write!(f, "{count} pieces of kind {kind:?} on the board and in hand: expected {max} at most")
            }
            InvalidPosition::Immobile(Piece { color, kind }, square) => {
                write!(f, "{color:?}'s {kind:?} on {square} can never move")
            }
            InvalidPosition::TwoPawns(color, file) => {
                write!(f, "{color:?} has two pawns on file {file}")
            }
            InvalidPosition::CanTakeKing(color) => {
                write!(f, "{color:?} is to move and could take the king")
            }
        }
    }
}

impl std::error::Error for InvalidPosition {}
