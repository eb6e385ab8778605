//! What can be told of a position's moves at a glance: where pieces stand and who reaches a square, but no exchange.

use super::attacked::Attacked;
use super::contents::Contents;
use super::viewpoint::Viewpoint;
use crate::shogi::attacks;
use crate::shogi::bitboard::Bitboard;
use crate::shogi::color::Color;
use crate::shogi::piece::PieceKind;
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
