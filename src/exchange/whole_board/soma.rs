//! SOMA on one square with pins and ties: a capture by a piece that is bound elsewhere lets the opponent stop and take
//! what it left (the paper's §5 and §6).
//!
//! As in [`see`](crate::exchange::see), every capture is legal, pieces behind sliders join in, and the order of the
//! attackers is searched. Without ties the two agree.

use super::board::Board;
use super::piece_values::PieceValues;
use super::tie::Tie;
use crate::exchange::square_exchange::{Attacker, Duties, SquareExchange, UNBOUNDED};
use crate::shogi::bitboard::Bitboard;
use crate::shogi::color::{Color, PerColor};
use crate::shogi::piece::{Piece, PieceKind};
use crate::shogi::square::Square;

/// What exchanges are judged by.
#[derive(Clone, Copy)]
pub struct Soma<'a> {
    /// The pieces.
    pub board: &'a Board,
    /// What they are worth.
    pub values: &'a PieceValues,
    /// What binds them; empty where that is not to count.
    pub ties: &'a [Tie],
}

/// A capture and what follows on its square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// What the first move gains by itself.
    pub first: i32,
    /// What is gained once both sides have gone on as long as it pays.
    pub net: i32,
}

impl Soma<'_> {
    /// The exchange that `piece` of `color` begins by going from `from` (a drop: nowhere) to `to`, promoting if
    /// `promotes`, with the squares of `occupied` taken. What stands on `to` is captured.
    pub fn begun_by(
        &self,
        piece: Piece,
        from: Option<Square>,
        to: Square,
        promotes: bool,
        occupied: Bitboard,
    ) -> Outcome {
        let victim = self.board.piece_on(to).filter(|victim| victim.color != piece.color);
        let taken =
            victim.filter(|_| occupied.contains(to)).map_or(0, |victim| self.values.captured(victim.kind));
        let bonus = if promotes { self.values.promotion(piece.kind) } else { 0 };
        let first = taken + bonus;
        let left = occupied.without(from.map_or(Bitboard::EMPTY, Bitboard::of)) | Bitboard::of(to);
        let after = match piece.kind.promoted() {
            Some(promoted) if promotes => Piece::new(piece.color, promoted),
            _ => piece,
        };
        let released = from.map_or(0, |from| self.released(from, after, to, left));
        if piece.kind == PieceKind::King {
            return Outcome { first, net: first - released };
        }
        let risk = self.values.captured(piece.kind) + bonus;
        // Without a piece aimed at the square the opponent can only take what is released.
        let answer = self.exchange(to, left, !piece.color).map_or(released.max(0), |replies| {
            replies.best(!piece.color, risk, left, released, -UNBOUNDED, UNBOUNDED)
        });
        Outcome { first, net: first - answer }
    }

    /// What `color` gains by capturing the piece on `square`, with the squares of `occupied` taken; 0 where that does
    /// not pay.
    pub fn threat(&self, square: Square, color: Color, occupied: Bitboard) -> i32 {
        match self.board.piece_on(square) {
            Some(victim) if victim.color != color && victim.kind != PieceKind::King => {
                let prize = self.values.captured(victim.kind);
                self.exchange(square, occupied, color)
                    .map_or(0, |exchange| exchange.best(color, prize, occupied, 0, -UNBOUNDED, UNBOUNDED))
            }
            _ => 0,
        }
    }

    /// What the opponent gains elsewhere because the piece on `from` has gone to `to`, where it stands as `piece`.
    pub fn released(&self, from: Square, piece: Piece, to: Square, occupied: Bitboard) -> i32 {
        self.ties
            .iter()
            .filter(|tie| tie.holder == from && !tie.is_kept(piece, to, occupied))
            .map(|tie| tie.value)
            .max()
            .unwrap_or(0)
    }

    /// The exchange on `square` with the pieces on `occupied`; `None` where `color`, which captures first, has nothing
    /// aimed at it.
    fn exchange(
        &self,
        square: Square,
        occupied: Bitboard,
        color: Color,
    ) -> Option<SquareExchange<TiesTo<'_>>> {
        let others = occupied.without(Bitboard::of(square));
        let aimed = self.board.aimed(square, color) & others;
        if aimed.is_empty() {
            return None;
        }
        let all = aimed | self.board.aimed(square, !color) & others;
        let kings = PerColor(Color::ALL.map(|side| self.board.king(side)));
        let lines =
            PerColor(Color::ALL.map(|side| {
                kings[side].map_or(Bitboard::EMPTY, |king| self.board.aimed(king, !side) & others)
            }));
        let attacker = |from| {
            let piece = self.board.piece_on(from)?;
            let captured = |kind| self.values.captured(kind);
            let promotion = |kind| self.values.promotion(kind);
            Some((piece.color, Attacker::new(piece, from, square, captured, promotion)))
        };
        Some(SquareExchange::new(square, all, kings, lines, attacker, TiesTo { soma: self, square }))
    }
}

/// The ties of the pieces that capture on `square`.
struct TiesTo<'a> {
    soma: &'a Soma<'a>,
    square: Square,
}

impl Duties for TiesTo<'_> {
    fn has_duty(&self, from: Square) -> bool {
        self.soma.ties.iter().any(|tie| tie.holder == from)
    }

    fn left_undone(&self, from: Square, left: Bitboard) -> i32 {
        let Some(piece) = self.soma.board.piece_on(from) else { return 0 };
        let promotes = self.square.in_promotion_zone(piece.color) || from.in_promotion_zone(piece.color);
        let after = match piece.kind.promoted() {
            Some(promoted) if promotes => Piece::new(piece.color, promoted),
            _ => piece,
        };
        self.soma.released(from, after, self.square, left)
    }
}
