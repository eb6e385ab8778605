//! The pieces without the game: small enough to be copied, and either side may move at any time.

use crate::shogi::attacks;
use crate::shogi::bitboard::Bitboard;
use crate::shogi::color::{Color, PerColor};
use crate::shogi::hand::Hand;
use crate::shogi::moves::{Move, Origin};
use crate::shogi::piece::{HandKind, Piece, PieceKind};
use crate::shogi::position::Position;
use crate::shogi::square::Square;

/// Pieces on the board and in hand.
#[derive(Clone, Copy)]
pub struct Board {
    pieces: [Option<Piece>; Square::COUNT],
    kinds: [Bitboard; PieceKind::COUNT],
    golds: Bitboard,
    colors: PerColor<Bitboard>,
    hands: PerColor<Hand>,
    kings: PerColor<Option<Square>>,
}

impl Board {
    /// The pieces of `position`.
    pub fn new(position: &Position) -> Board {
        let mut board = Board {
            pieces: [None; Square::COUNT],
            kinds: PieceKind::ALL.map(|kind| position.of_kind(kind)),
            golds: Bitboard::EMPTY,
            colors: PerColor(Color::ALL.map(|color| position.of_color(color))),
            hands: PerColor(Color::ALL.map(|color| position.hand(color))),
            kings: PerColor(Color::ALL.map(|color| position.king(color))),
        };
        position.occupied().for_each(|square| board.pieces[square.index()] = position.piece_on(square));
        for kind in PieceKind::ALL.into_iter().filter(|kind| kind.moves_as_gold()) {
            board.golds |= position.of_kind(kind);
        }
        board
    }

    /// The piece on `square`.
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        self.pieces[square.index()]
    }

    /// Every square with a piece.
    pub fn occupied(&self) -> Bitboard {
        self.colors[Color::Black] | self.colors[Color::White]
    }

    /// Every piece of `color`.
    pub fn of_color(&self, color: Color) -> Bitboard {
        self.colors[color]
    }

    /// Every piece of `color` and `kind`.
    pub fn of(&self, color: Color, kind: PieceKind) -> Bitboard {
        self.colors[color] & self.kinds[kind.index()]
    }

    /// Every piece of `color` but its king.
    pub fn without_king(&self, color: Color) -> Bitboard {
        self.colors[color].without(self.kinds[PieceKind::King.index()])
    }

    /// What `color` holds in hand.
    pub fn hand(&self, color: Color) -> Hand {
        self.hands[color]
    }

    /// The square of `color`'s king.
    pub fn king(&self, color: Color) -> Option<Square> {
        self.kings[color]
    }

    /// `color`'s lances, bishops, rooks, horses and dragons that would slide to `square` on an empty board.
    pub fn aimed_sliders(&self, square: Square, color: Color) -> Bitboard {
        let seen = |kind| attacks::on_empty_board(Piece::new(!color, kind), square);
        let of = |kind: PieceKind| self.kinds[kind.index()];
        let lances = of(PieceKind::Lance) & seen(PieceKind::Lance);
        let bishops = (of(PieceKind::Bishop) | of(PieceKind::Horse)) & seen(PieceKind::Bishop);
        let rooks = (of(PieceKind::Rook) | of(PieceKind::Dragon)) & seen(PieceKind::Rook);
        (lances | bishops | rooks) & self.colors[color]
    }

    fn steppers(&self, square: Square, color: Color) -> Bitboard {
        let seen = |kind| attacks::on_empty_board(Piece::new(!color, kind), square);
        let of = |kind: PieceKind| self.kinds[kind.index()];
        let royal = of(PieceKind::King) | of(PieceKind::Horse) | of(PieceKind::Dragon);
        (of(PieceKind::Pawn) & seen(PieceKind::Pawn)
            | of(PieceKind::Knight) & seen(PieceKind::Knight)
            | of(PieceKind::Silver) & seen(PieceKind::Silver)
            | self.golds & seen(PieceKind::Gold)
            | royal & attacks::king(square))
            & self.colors[color]
    }

    /// `color`'s pieces that attack `square`, or would if nothing stood between.
    pub fn aimed(&self, square: Square, color: Color) -> Bitboard {
        self.steppers(square, color) | self.aimed_sliders(square, color)
    }

    /// `color`'s pieces that attack `square`, with the squares of `occupied` as blockers. Pieces that are not on
    /// `occupied` count as well.
    pub fn attackers(&self, square: Square, color: Color, occupied: Bitboard) -> Bitboard {
        let mut attackers = self.steppers(square, color);
        self.aimed_sliders(square, color).for_each(|slider| {
            if !attacks::between(square, slider).meets(occupied) {
                attackers |= Bitboard::of(slider);
            }
        });
        attackers
    }

    /// The squares that the piece on `from` attacks.
    pub fn attacks_from(&self, from: Square) -> Bitboard {
        self.piece_on(from).map_or(Bitboard::EMPTY, |piece| attacks::of(piece, from, self.occupied()))
    }

    /// Whether `color`'s king is safe from capture once a piece of `color` has gone from `from` (a drop: nowhere) to
    /// `to`. True where there is no king.
    pub fn king_is_safe_after(&self, color: Color, from: Option<Square>, to: Square) -> bool {
        let Some(king) = self.kings[color] else { return true };
        let vacated = from.map_or(Bitboard::EMPTY, Bitboard::of);
        let occupied = self.occupied().without(vacated) | Bitboard::of(to);
        let king = if from == Some(king) { to } else { king };
        self.attackers(king, !color, occupied).without(Bitboard::of(to)).is_empty()
    }

    /// Whether `color`'s king is attacked.
    pub fn in_check(&self, color: Color) -> bool {
        self.kings[color].is_some_and(|king| !self.attackers(king, !color, self.occupied()).is_empty())
    }

    /// The piece that `mv` of `color` moves, as it stands afterwards; `None` where there is none.
    pub fn piece_after(&self, color: Color, mv: Move) -> Option<Piece> {
        let kind = match mv.origin() {
            Origin::Hand(kind) => kind.piece_kind(),
            Origin::Board(from) => {
                let kind = self.piece_on(from)?.kind;
                if mv.is_promotion() { kind.promoted().unwrap_or(kind) } else { kind }
            }
        };
        Some(Piece::new(color, kind))
    }

    /// Whether `color` may drop a piece of `kind` on the empty square `to`, its king aside. Pawns that would give check
    /// are left out, so that none mates.
    pub fn can_drop(&self, color: Color, kind: HandKind, to: Square) -> bool {
        let piece = Piece::new(color, kind.piece_kind());
        self.hands[color].has(kind)
            && self.piece_on(to).is_none()
            && !piece.immobile_squares().contains(to)
            && (kind != HandKind::Pawn
                || !self.of(color, PieceKind::Pawn).meets(Bitboard::file(to.file()))
                    && !self.kings[!color]
                        .is_some_and(|king| attacks::on_empty_board(piece, to).contains(king)))
    }

    /// Makes `mv` of `color`, whatever stands on its destination.
    pub fn play(&mut self, color: Color, mv: Move) {
        let Some(piece) = self.piece_after(color, mv) else { return };
        match mv.origin() {
            Origin::Hand(kind) if self.hands[color].has(kind) => {
                self.hands[color] = self.hands[color].without(kind);
            }
            Origin::Hand(_) => return,
            Origin::Board(from) => self.remove(from),
        }
        if let Some(victim) = self.piece_on(mv.to()) {
            self.remove(mv.to());
            if let Some(kind) = victim.kind.hand_kind().filter(|_| victim.color != color) {
                self.hands[color] = self.hands[color].with(kind);
            }
        }
        self.toggle(piece, mv.to());
        self.pieces[mv.to().index()] = Some(piece);
        if piece.kind == PieceKind::King {
            self.kings[color] = Some(mv.to());
        }
    }

    fn remove(&mut self, square: Square) {
        if let Some(piece) = self.pieces[square.index()].take() {
            self.toggle(piece, square);
        }
    }

    fn toggle(&mut self, piece: Piece, square: Square) {
        let bit = Bitboard::of(square);
        self.colors[piece.color] ^= bit;
        self.kinds[piece.kind.index()] ^= bit;
        if piece.kind.moves_as_gold() {
            self.golds ^= bit;
        }
    }
}
