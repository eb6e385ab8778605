//! The slow twin of the rules: an array of squares and the shortest code that is obviously right.
//!
//! It shares nothing with the library but the plain values: colours, pieces, squares and moves.

use jitsugen::shogi::color::Color;
use jitsugen::shogi::moves::{Move, Origin};
use jitsugen::shogi::piece::{HandKind, Piece, PieceKind};
use jitsugen::shogi::setup::Setup;
use jitsugen::shogi::square::Square;

/// A position as [`Setup`] describes it. Moves are made on copies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Twin {
    pub board: [Option<Piece>; 81],
    pub hands: [[u8; 7]; 2],
    pub side: Color,
}

const KING: [(i8, i8); 8] = [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];
const GOLD: [(i8, i8); 6] = [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (0, 1)];
const SILVER: [(i8, i8); 5] = [(-1, -1), (0, -1), (1, -1), (-1, 1), (1, 1)];
const ROOK: [(i8, i8); 4] = [(0, -1), (-1, 0), (1, 0), (0, 1)];
const BISHOP: [(i8, i8); 4] = [(-1, -1), (1, -1), (-1, 1), (1, 1)];

/// One step or a slide in the direction (files to the left, ranks down), as Black sees it.
fn steps(kind: PieceKind) -> Vec<((i8, i8), bool)> {
    let step = |list: &[(i8, i8)]| list.iter().map(|&d| (d, false)).collect::<Vec<_>>();
    let slide = |list: &[(i8, i8)]| list.iter().map(|&d| (d, true)).collect::<Vec<_>>();
    match kind {
        PieceKind::Pawn => step(&[(0, -1)]),
        PieceKind::Lance => slide(&[(0, -1)]),
        PieceKind::Knight => step(&[(-1, -2), (1, -2)]),
        PieceKind::Silver => step(&SILVER),
        PieceKind::Bishop => slide(&BISHOP),
        PieceKind::Rook => slide(&ROOK),
        PieceKind::King => step(&KING),
        PieceKind::Horse => [slide(&BISHOP), step(&ROOK)].concat(),
        PieceKind::Dragon => [slide(&ROOK), step(&BISHOP)].concat(),
        _ => step(&GOLD),
    }
}

impl Twin {
    pub fn new(setup: &Setup) -> Twin {
        Twin { board: setup.board, hands: setup.hands.0, side: setup.side }
    }

    /// Every legal move, in the order of their words.
    pub fn legal(&self) -> Vec<Move> {
        let mut moves: Vec<Move> = Vec::new();
        for from in Square::all() {
            let own = self.board[from.index()].is_some_and(|piece| piece.color == self.side);
            for to in Square::all() {
                if own && from != to {
                    moves.extend([Move::board(from, to), Move::promoting(from, to)]);
                }
            }
        }
        for kind in HandKind::ALL {
            moves.extend(Square::all().map(|to| Move::drop(kind, to)));
        }
        moves.retain(|&mv| self.is_possible(mv) && self.is_allowed(mv));
        moves.sort();
        moves
    }

    /// The position after a move that is possible.
    pub fn after(&self, mv: Move) -> Twin {
        let mut twin = self.clone();
        let us = self.side.index();
        let piece = match mv.origin() {
            Origin::Hand(kind) => {
                twin.hands[us][kind.index()] -= 1;
                Piece::new(self.side, kind.piece_kind())
            }
            Origin::Board(from) => {
                let piece = twin.board[from.index()].take().expect("a piece moves");
                let kind = if mv.is_promotion() { piece.kind.promoted().unwrap() } else { piece.kind };
                Piece::new(self.side, kind)
            }
        };
        if let Some(taken) = twin.board[mv.to().index()].replace(piece)
            && let Some(kind) = taken.kind.hand_kind()
        {
            twin.hands[us][kind.index()] += 1;
        }
        twin.side = !self.side;
        twin
    }

    /// The squares of the pieces that attack `color`'s king.
    pub fn attackers_of_king(&self, color: Color) -> Vec<Square> {
        let king = Some(Piece::new(color, PieceKind::King));
        let Some(king) = Square::all().find(|square| self.board[square.index()] == king) else {
            return Vec::new();
        };
        let enemy = |from: &Square| self.board[from.index()].is_some_and(|piece| piece.color != color);
        Square::all().filter(enemy).filter(|&from| self.reaches(from, king)).collect()
    }

    /// Whether the piece on `from` gets to `to` by its way of moving, whatever stands on `to`.
    fn reaches(&self, from: Square, to: Square) -> bool {
        let Some(piece) = self.board[from.index()] else { return false };
        let turn = if piece.color == Color::Black { 1 } else { -1 };
        steps(piece.kind).into_iter().any(|((files, ranks), slides)| {
            let mut at = from.offset(turn * files, turn * ranks);
            while let Some(square) = at {
                if square == to {
                    return true;
                }
                let goes_on = slides && self.board[square.index()].is_none();
                at = if goes_on { square.offset(turn * files, turn * ranks) } else { None };
            }
            false
        })
    }

    /// Whether the pieces can make the move, checks and the ban on mate by a dropped pawn left aside.
    fn is_possible(&self, mv: Move) -> bool {
        let (us, to) = (self.side, mv.to());
        let there = self.board[to.index()];
        let rank = |square: Square| match us {
            Color::Black => square.rank(),
            Color::White => 8 - square.rank(),
        };
        let kind = match mv.origin() {
            Origin::Hand(kind) => {
                let pawn = Some(Piece::new(us, PieceKind::Pawn));
                let second_pawn = (0..9).any(|r| self.board[Square::new(to.file(), r).index()] == pawn);
                if self.hands[us.index()][kind.index()] == 0
                    || there.is_some()
                    || kind == HandKind::Pawn && second_pawn
                {
                    return false;
                }
                kind.piece_kind()
            }
            Origin::Board(from) => {
                let Some(piece) = self.board[from.index()] else { return false };
                if piece.color != us || there.is_some_and(|p| p.color == us) || !self.reaches(from, to) {
                    return false;
                }
                if mv.is_promotion() {
                    return piece.kind.promoted().is_some() && (rank(from) < 3 || rank(to) < 3);
                }
                piece.kind
            }
        };
        match kind {
            PieceKind::Pawn | PieceKind::Lance => rank(to) > 0,
            PieceKind::Knight => rank(to) > 1,
            _ => true,
        }
    }

    /// Whether a possible move leaves the own king safe and is no mate by a dropped pawn.
    fn is_allowed(&self, mv: Move) -> bool {
        let after = self.after(mv);
        if !after.attackers_of_king(self.side).is_empty() {
            return false;
        }
        let pawn_check =
            mv.dropped() == Some(HandKind::Pawn) && !after.attackers_of_king(after.side).is_empty();
        // A pawn cannot be dropped as an answer to a dropped pawn's check, so this recursion ends at once.
        !pawn_check || !after.legal().is_empty()
    }
}
