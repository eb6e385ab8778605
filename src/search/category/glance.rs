//! What can be told of a position's moves at a glance: where pieces stand and who reaches a square, but no exchange.

use super::contents::Contents;
use super::viewpoint::Viewpoint;
use crate::shogi::attacks;
use crate::shogi::bitboard::Bitboard;
use crate::shogi::color::Color;
use crate::shogi::piece::{Piece, PieceKind};
use crate::shogi::position::Position;
use crate::shogi::square::Square;

/// A position as the side to move sees it, as far as the plain features go.
///
/// "Ours" is the side to move, "theirs" the opponent. Everything is computed from the pieces alone, so that the same
/// position is seen alike wherever it is met; only the square of the last move comes from the game.
#[derive(Clone, Debug)]
pub struct Glance<'a> {
    pub(super) position: &'a Position,
    pub(super) us: Color,
    pub(super) occupied: Bitboard,
    pub(super) our_king: Option<Square>,
    pub(super) their_king: Option<Square>,
    /// Where the opponent's last move went.
    pub(super) last_to: Option<Square>,
    /// The same as the side to move sees the board, and what stands there.
    pub(super) last: Option<(Viewpoint, PieceKind)>,
    /// The kings as the side to move sees the board.
    pub(super) from_our_king: Option<Viewpoint>,
    pub(super) from_their_king: Option<Viewpoint>,
    /// What we attack; own pieces count, so this is also what we defend.
    pub(super) ours: Bitboard,
    /// What we attack at least twice.
    pub(super) ours_twice: Bitboard,
    /// What they attack, sliders seeing through our king: where it may not go.
    pub(super) theirs: Bitboard,
    /// What their pawns attack.
    pub(super) theirs_by_pawn: Bitboard,
    pub(super) contents: Contents,
}

impl<'a> Glance<'a> {
    /// The side to move looks, after an opponent's move to `last_to` (`None` at the start of a game or after a pass).
    pub fn new(position: &'a Position, last_to: Option<Square>) -> Glance<'a> {
        let ours = Attacked::ours(position, Bitboard::EMPTY);
        Glance::with(position, last_to, &ours, &Attacked::theirs(position))
    }

    /// The same where it is known what both sides' pieces attack.
    pub(super) fn with(
        position: &'a Position,
        last_to: Option<Square>,
        ours: &Attacked,
        theirs: &Attacked,
    ) -> Glance<'a> {
        let us = position.side();
        let (our_king, their_king) = (position.king(us), position.king(!us));
        let seen = |square: Square| Viewpoint::new(square.seen_by(us));
        let around_ours = our_king.map_or(Bitboard::EMPTY, attacks::king);
        Glance {
            position,
            us,
            occupied: position.occupied(),
            our_king,
            their_king,
            last_to,
            last: last_to.and_then(|square| Some((seen(square), position.piece_on(square)?.kind))),
            from_our_king: our_king.map(seen),
            from_their_king: their_king.map(seen),
            ours: ours.all | around_ours,
            ours_twice: ours.twice | ours.all & around_ours,
            theirs: theirs.all | their_king.map_or(Bitboard::EMPTY, attacks::king),
            theirs_by_pawn: theirs.by_pawn,
            contents: Contents::of(position),
        }
    }
}

/// What one side's pieces other than the king attack.
#[derive(Default)]
pub(super) struct Attacked {
    pub all: Bitboard,
    pub twice: Bitboard,
    pub sliding: Bitboard,
    /// What sliders would attack were the piece that they meet not there.
    pub through: Bitboard,
    pub by_pawn: Bitboard,
}

impl Attacked {
    /// By the pieces of the side to move; sliders see through the first of `others`.
    pub fn ours(position: &Position, others: Bitboard) -> Attacked {
        Attacked::by(position, position.side(), position.occupied(), others)
    }

    /// By the opponent's; sliders see through our king.
    pub fn theirs(position: &Position) -> Attacked {
        let us = position.side();
        let through_king =
            position.occupied().without(position.king(us).map_or(Bitboard::EMPTY, Bitboard::of));
        Attacked::by(position, !us, through_king, Bitboard::EMPTY)
    }

    /// By `color`'s pieces, when all pieces stand on `occupied`; sliders see through the first of `others`.
    fn by(position: &Position, color: Color, occupied: Bitboard, others: Bitboard) -> Attacked {
        let side = position.of_color(color);
        let of = |kind| position.of_kind(kind) & side;
        let by_pawn = of(PieceKind::Pawn).forward(color);
        let mut found = Attacked { all: by_pawn, by_pawn, ..Attacked::default() };
        let mut stepping = |pieces: Bitboard, kind| {
            pieces.for_each(|from| found.add(attacks::on_empty_board(Piece::new(color, kind), from)));
        };
        stepping(of(PieceKind::Knight), PieceKind::Knight);
        stepping(of(PieceKind::Silver), PieceKind::Silver);
        let promoted = of(PieceKind::ProPawn)
            | of(PieceKind::ProLance)
            | of(PieceKind::ProKnight)
            | of(PieceKind::ProSilver);
        stepping(of(PieceKind::Gold) | promoted, PieceKind::Gold);
        found.slide(of(PieceKind::Lance), occupied, others, |from, on| attacks::lance(color, from, on));
        let (horses, dragons) = (of(PieceKind::Horse), of(PieceKind::Dragon));
        found.slide(of(PieceKind::Bishop) | horses, occupied, others, attacks::bishop);
        found.slide(of(PieceKind::Rook) | dragons, occupied, others, attacks::rook);
        // What a horse or a dragon reaches both ways is attacked once.
        let steps = |from, lines: PieceKind| {
            attacks::king(from).without(attacks::on_empty_board(Piece::new(color, lines), from))
        };
        horses.for_each(|from| found.add(steps(from, PieceKind::Bishop)));
        dragons.for_each(|from| found.add(steps(from, PieceKind::Rook)));
        found
    }

    fn slide(
        &mut self,
        pieces: Bitboard,
        occupied: Bitboard,
        others: Bitboard,
        attacks: impl Fn(Square, Bitboard) -> Bitboard,
    ) {
        pieces.for_each(|from| {
            let squares = attacks(from, occupied);
            self.sliding |= squares;
            self.add(squares);
            let met = squares & others;
            if !met.is_empty() {
                self.through |= attacks(from, occupied.without(met));
            }
        });
    }

    fn add(&mut self, squares: Bitboard) {
        self.twice |= self.all & squares;
        self.all |= squares;
    }
}
