//! The 1,548 indices of KPPT tables: each is a piece in hand or a piece on a square.

use std::fmt;

use crate::shogi::color::Color;
use crate::shogi::piece::{HandKind, Piece, PieceKind};
use crate::shogi::square::Square;

/// A piece other than a king, its place and its owner, as one of the two sides sees it.
///
/// The order is that of the field's KPPT files: hands first, kind by kind (own then the opponent's, entries 0 to the
/// number of such pieces, entry 0 never used), then the board, kind by kind (own then the opponent's, 81 squares each).
/// Squares are as the viewing side sees them: White's board is rotated. The promoted pawn, lance, knight and silver
/// share gold's entries.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Index(u16);

/// The piece that an [`Index`] stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IndexedPiece {
    /// Whether it belongs to the viewing side.
    pub own: bool,
    /// Where it is.
    pub place: Place,
}

/// The place of an [`IndexedPiece`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// The nth piece of the kind in hand, counted from 1 (0 for the unused entry).
    Hand(HandKind, u8),
    /// On a square as the viewing side sees it; [`PieceKind::Gold`] stands for every kind that moves like one.
    Board(PieceKind, Square),
}

/// The kinds with entries of their own on the board, in the order of their entries.
pub const BOARD_KINDS: [PieceKind; 9] = [
    PieceKind::Pawn,
    PieceKind::Lance,
    PieceKind::Knight,
    PieceKind::Silver,
    PieceKind::Gold,
    PieceKind::Bishop,
    PieceKind::Horse,
    PieceKind::Rook,
    PieceKind::Dragon,
];

/// The first entry for the board: all below are for hands.
const BOARD: u16 = Index::HANDS as u16;
const SQUARES: u16 = Square::COUNT as u16;

/// How many entries a kind has in one side's hand: none to all of them.
const fn hand_entries(kind: HandKind) -> u16 {
    kind.in_set() as u16 + 1
}

/// Where the entries of a kind in the viewing side's own hand begin.
const fn hand_start(kind: HandKind) -> u16 {
    let mut start = 0;
    let mut before = 0;
    while before < kind.index() {
        start += 2 * hand_entries(HandKind::ALL[before]);
        before += 1;
    }
    start
}

const HAND_START: [u16; HandKind::COUNT] = {
    let mut starts = [0; HandKind::COUNT];
    let mut kind = 0;
    while kind < HandKind::COUNT {
        starts[kind] = hand_start(HandKind::ALL[kind]);
        kind += 1;
    }
    starts
};

/// Where the entries of the viewing side's own pieces begin, by piece kind; 0 for the king, which has none.
const BOARD_START: [u16; PieceKind::COUNT] = {
    let mut starts = [0; PieceKind::COUNT];
    let mut kind = 0;
    while kind < PieceKind::COUNT {
        let mut place = 0;
        while place < BOARD_KINDS.len() {
            let same = BOARD_KINDS[place] as u8 == PieceKind::ALL[kind] as u8;
            let gold = BOARD_KINDS[place] as u8 == PieceKind::Gold as u8;
            if same || gold && PieceKind::ALL[kind].moves_as_gold() {
                starts[kind] = BOARD + place as u16 * 2 * SQUARES;
            }
            place += 1;
        }
        kind += 1;
    }
    starts
};

impl Index {
    /// How many there are.
    pub const COUNT: usize = 1548;

    /// How many of them, from the first on, are for hands; all others are for the board.
    pub const HANDS: usize = 90;

    /// Number 0, which no piece ever has.
    pub const FIRST: Index = Index(0);

    /// The index with this number, if it is under 1,548.
    pub const fn new(number: usize) -> Option<Index> {
        if number < Self::COUNT { Some(Index(number as u16)) } else { None }
    }

    /// 0..1548.
    pub const fn get(self) -> usize {
        self.0 as usize
    }

    /// `piece` on `square` as `view` sees it; `None` for a king.
    pub const fn board(view: Color, piece: Piece, square: Square) -> Option<Index> {
        let start = BOARD_START[piece.kind.index()];
        if start == 0 {
            return None;
        }
        let own = piece.color as u8 == view as u8;
        Some(Index(start + if own { 0 } else { SQUARES } + square.seen_by(view).index() as u16))
    }

    /// The `nth` (1 to the number in a set) piece of `kind` in `holder`'s hand as `view` sees it.
    pub const fn hand(view: Color, holder: Color, kind: HandKind, nth: u8) -> Index {
        debug_assert!(nth <= kind.in_set());
        let own = holder as u8 == view as u8;
        let start = HAND_START[kind.index()] + if own { 0 } else { hand_entries(kind) };
        Index(start + nth as u16)
    }

    /// The piece that the index stands for.
    pub const fn piece(self) -> IndexedPiece {
        if self.0 < BOARD {
            let mut kind = HandKind::COUNT - 1;
            while HAND_START[kind] > self.0 {
                kind -= 1;
            }
            let kind = HandKind::ALL[kind];
            let within = self.0 - HAND_START[kind.index()];
            let own = within < hand_entries(kind);
            let nth = if own { within } else { within - hand_entries(kind) };
            return IndexedPiece { own, place: Place::Hand(kind, nth as u8) };
        }
        let within = self.0 - BOARD;
        let kind = BOARD_KINDS[(within / (2 * SQUARES)) as usize];
        let own = (within / SQUARES).is_multiple_of(2);
        let square = Square::new((within % SQUARES / 9) as u8, (within % 9) as u8);
        IndexedPiece { own, place: Place::Board(kind, square) }
    }

    /// The same piece as the other side sees it.
    pub const fn inverted(self) -> Index {
        INVERTED[self.get()]
    }

    /// The piece with the board mirrored left to right; in hand, the same piece.
    pub const fn mirrored(self) -> Index {
        MIRRORED[self.get()]
    }

    /// Every index, in order.
    pub fn all() -> impl DoubleEndedIterator<Item = Index> + ExactSizeIterator {
        (0..Self::COUNT as u16).map(Index)
    }
}

/// The most pieces a position has beside the kings.
pub const MAX_PIECES: usize = 38;

/// Where the row of a piece begins among the entries of a king: the piece's number times 1,548.
///
/// Lists of pieces hold this in place of the [`Index`], because one multiplication for each entry took a third of the
/// evaluation's time.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct RowStart(u32);

impl RowStart {
    /// The row of `piece`.
    pub const fn of(piece: Index) -> RowStart {
        RowStart((piece.get() * Index::COUNT) as u32)
    }

    /// The piece whose row it is.
    pub const fn index(self) -> Index {
        match Index::new(self.0 as usize / Index::COUNT) {
            Some(piece) => piece,
            None => unreachable!(),
        }
    }

    /// The number of the row's first entry: a multiple of 1,548 under 1,548 × 1,548.
    pub const fn get(self) -> usize {
        self.0 as usize
    }
}

/// The square with the board mirrored left to right.
pub const fn mirrored(square: Square) -> Square {
    Square::new(8 - square.file(), square.rank())
}

const MIRRORED: [Index; Index::COUNT] = {
    let mut all = [Index(0); Index::COUNT];
    let mut number = 0;
    while number < Index::COUNT {
        let index = Index(number as u16);
        all[number] = match index.piece().place {
            Place::Hand(..) => index,
            Place::Board(_, square) => Index((number - square.index() + mirrored(square).index()) as u16),
        };
        number += 1;
    }
    all
};

const INVERTED: [Index; Index::COUNT] = {
    let mut inverted = [Index(0); Index::COUNT];
    let mut number = 0;
    while number < Index::COUNT {
        let piece = Index(number as u16).piece();
        let other = match piece.place {
            Place::Hand(kind, nth) => {
                let owner = if piece.own { Color::White } else { Color::Black };
                Index::hand(Color::Black, owner, kind, nth)
            }
            Place::Board(_, square) => {
                let start = if piece.own { number + Square::COUNT } else { number - Square::COUNT };
                Index((start - square.index() + square.rotated().index()) as u16)
            }
        };
        inverted[number] = other;
        number += 1;
    }
    inverted
};

/// `own P 7g`, `opponent's hand R 1`: the kind by its letter, the square as the viewing side sees it.
impl fmt::Display for Index {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let IndexedPiece { own, place } = self.piece();
        let owner = if own { "own" } else { "opponent's" };
        match place {
            Place::Hand(kind, nth) => write!(f, "{owner} hand {} {nth}", letter(kind.piece_kind())),
            Place::Board(kind, square) => write!(f, "{owner} {} {square}", letter(kind)),
        }
    }
}

impl fmt::Debug for Index {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({self})", self.0)
    }
}

/// The kind as SFEN writes it for Black: `P`, `+R`.
pub const fn letter(kind: PieceKind) -> &'static str {
    const LETTERS: [&str; PieceKind::COUNT] =
        ["P", "L", "N", "S", "G", "B", "R", "K", "+P", "+L", "+N", "+S", "+B", "+R"];
    LETTERS[kind.index()]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first entry of each kind, from the table of the tenuki 2019 paper.
    #[test]
    fn entries_begin_where_the_tenuki_paper_says() {
        let hand = |own: bool, kind| {
            let holder = if own { Color::Black } else { Color::White };
            Index::hand(Color::Black, holder, kind, 0).get()
        };
        let mut hands = Vec::new();
        for kind in HandKind::ALL {
            hands.extend([hand(true, kind), hand(false, kind)]);
        }
        assert_eq!(hands, [0, 19, 38, 43, 48, 53, 58, 63, 68, 73, 78, 81, 84, 87]);
        let mut board = Vec::new();
        for kind in BOARD_KINDS {
            for color in Color::ALL {
                let first = Index::board(Color::Black, Piece::new(color, kind), Square::new(0, 0));
                board.push(first.unwrap().get());
            }
        }
        let paper =
            [90, 171, 252, 333, 414, 495, 576, 657, 738, 819, 900, 981, 1062, 1143, 1224, 1305, 1386, 1467];
        assert_eq!(board, paper);
    }

    #[test]
    fn inverting_and_mirroring_are_their_own_inverses() {
        for index in Index::all() {
            let IndexedPiece { own, place } = index.piece();
            let owner = if own { Color::Black } else { Color::White };
            let again = match place {
                Place::Hand(kind, nth) => Some(Index::hand(Color::Black, owner, kind, nth)),
                Place::Board(kind, square) => Index::board(Color::Black, Piece::new(owner, kind), square),
            };
            assert_eq!(again, Some(index));
            assert_eq!(index.inverted().inverted(), index);
            assert_eq!(index.mirrored().mirrored(), index);
            assert_eq!(index.inverted().mirrored(), index.mirrored().inverted());
            assert_ne!(index.inverted(), index);
        }
        for kind in PieceKind::ALL {
            for color in Color::ALL {
                for square in Square::all() {
                    let piece = Piece::new(color, kind);
                    let black = Index::board(Color::Black, piece, square);
                    let white = Index::board(Color::White, piece, square);
                    assert_eq!(black.map(Index::inverted), white);
                    assert_eq!(black.is_none(), kind == PieceKind::King);
                }
            }
        }
    }

    #[test]
    fn an_index_is_named_by_owner_kind_and_place() {
        let pawn = Piece::new(Color::White, PieceKind::ProPawn);
        let index = Index::board(Color::Black, pawn, "3g".parse().unwrap()).unwrap();
        assert_eq!(index.to_string(), "opponent's G 3g");
        assert_eq!(Index::hand(Color::White, Color::White, HandKind::Rook, 2).to_string(), "own hand R 2");
    }
}
