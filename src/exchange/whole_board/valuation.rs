//! What a tactical move is worth by itself, on any board: used where the table is made and wherever it changes.

use arrayvec::ArrayVec;

use super::board::Board;
use super::entry::EntryKind;
use super::soma::{Outcome, Soma};
use crate::shogi::attacks;
use crate::shogi::bitboard::Bitboard;
use crate::shogi::color::Color;
use crate::shogi::moves::{Move, Origin};
use crate::shogi::piece::{Piece, PieceKind};
use crate::shogi::square::Square;

/// What a tactical move is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Valuation {
    /// What it gains at once.
    pub first: i32,
    /// What it nets.
    pub value: i32,
    /// What it wins, or where it goes.
    pub target: Square,
}

/// What `mv` of `color` is worth as a move of `kind`; `None` where it is not possible on the board.
pub fn valuation(soma: Soma, color: Color, mv: Move, kind: EntryKind) -> Option<Valuation> {
    let (board, to) = (soma.board, mv.to());
    let occupied = board.occupied();
    let before = match mv.origin() {
        Origin::Hand(kind) => {
            board.can_drop(color, kind, to).then(|| Piece::new(color, kind.piece_kind()))?
        }
        Origin::Board(from) => {
            let piece = board.piece_on(from).filter(|piece| piece.color == color)?;
            let reaches = attacks::on_empty_board(piece, from).contains(to)
                && !attacks::between(from, to).meets(occupied);
            reaches.then_some(piece)?
        }
    };
    let there = board.piece_on(to);
    let fits = match kind {
        EntryKind::Capture => {
            there.is_some_and(|victim| victim.color != color && victim.kind != PieceKind::King)
        }
        EntryKind::Promotion | EntryKind::Fork | EntryKind::Attack => there.is_none(),
        EntryKind::Mate => there.is_none_or(|victim| victim.color != color),
    };
    if !fits || !is_possible(board, color, mv.from(), to) {
        return None;
    }
    match kind {
        EntryKind::Capture => {
            let outcome = soma.begun_by(before, mv.from(), to, mv.is_promotion(), occupied);
            Some(Valuation { first: outcome.first, value: outcome.net, target: to })
        }
        EntryKind::Promotion => {
            let outcome = promotion(soma, before, mv, occupied);
            Some(Valuation { first: outcome.first, value: outcome.net, target: to })
        }
        EntryKind::Fork => threatened(soma, before, mv).fork(),
        EntryKind::Attack => threatened(soma, before, mv).on_immobile(),
        // Whether it still mates is found out where mates are looked for.
        EntryKind::Mate => Some(Valuation { first: 0, value: soma.values.mate(), target: to }),
    }
}

/// What a promotion on an empty square nets, with the squares of `occupied` taken. The guards of the square count in any
/// case, also those that are tied elsewhere: only then does everything hold that the paper prints for its second example.
/// What the promoting piece itself leaves undone counts.
pub fn promotion(soma: Soma, piece: Piece, mv: Move, occupied: Bitboard) -> Outcome {
    let plain = Soma { ties: &[], ..soma }.begun_by(piece, mv.from(), mv.to(), true, occupied);
    let left = occupied.without(mv.from().map_or(Bitboard::EMPTY, Bitboard::of)) | Bitboard::of(mv.to());
    let after = soma.board.piece_after(piece.color, mv).unwrap_or(piece);
    let released = mv.from().map_or(0, |from| soma.released(from, after, mv.to(), left));
    Outcome { first: plain.first, net: plain.net.min(plain.first - released) }
}

/// Whether the king allows a piece of `color` to go from `from` to `to`, now or once a check is answered: a side that is
/// in check keeps its threats.
fn is_possible(board: &Board, color: Color, from: Option<Square>, to: Square) -> bool {
    board.king_is_safe_after(color, from, to) || from != board.king(color) && board.in_check(color)
}

/// What a piece threatens anew from an empty square where nothing can take it.
struct Threats {
    gives_check: bool,
    /// What it would gain next, and where, and whether the piece there has no safe square.
    gains: ArrayVec<(i32, Square, bool), 16>,
}

/// What the quiet move `mv` of the piece `before` would threaten.
fn threatened(soma: Soma, before: Piece, mv: Move) -> Threats {
    let (board, us, to) = (soma.board, before.color, mv.to());
    let mut threats = Threats { gives_check: false, gains: ArrayVec::new() };
    let gone = mv.from().map_or(Bitboard::EMPTY, Bitboard::of);
    let occupied = board.occupied().without(gone) | Bitboard::of(to);
    if !board.attackers(to, !us, occupied).is_empty() {
        return threats;
    }
    let after = board.piece_after(us, mv).unwrap_or(before);
    if let Some(from) = mv.from()
        && soma.released(from, after, to, occupied) > 0
    {
        return threats;
    }
    let known = mv.from().map_or(Bitboard::EMPTY, |from| board.attacks_from(from));
    (attacks::of(after, to, occupied) & board.of_color(!us)).for_each(|square| {
        let Some(victim) = board.piece_on(square) else { return };
        if victim.kind == PieceKind::King {
            threats.gives_check = true;
        } else if victim.kind != PieceKind::Pawn
            && !known.contains(square)
            && soma.threat(square, us, board.occupied()) == 0
        {
            let zone = to.in_promotion_zone(us) || square.in_promotion_zone(us);
            let promotes = zone && soma.values.promotion(after.kind) > 0;
            let gain = soma.begun_by(after, Some(to), square, promotes, occupied).net;
            if gain > 0 && !threats.gains.is_full() {
                threats.gains.push((gain, square, is_immobile(board, square, us)));
            }
        }
    });
    threats.gains.sort_unstable_by_key(|&(gain, ..)| -gain);
    threats
}

impl Threats {
    /// What is left when the opponent saves the dearest piece, or has to answer a check.
    fn fork(&self) -> Option<Valuation> {
        let &(value, target, _) = self.gains.get(usize::from(!self.gives_check))?;
        Some(Valuation { first: value, value, target })
    }

    /// The dearest of the pieces that cannot get away.
    fn on_immobile(&self) -> Option<Valuation> {
        let &(value, target, _) = self.gains.iter().find(|(.., immobile)| *immobile)?;
        Some(Valuation { first: value, value, target })
    }
}

/// Whether the piece on `square` has no square to go to that `attacker` does not attack.
pub fn is_immobile(board: &Board, square: Square, attacker: Color) -> bool {
    let occupied = board.occupied().without(Bitboard::of(square));
    board
        .attacks_from(square)
        .without(board.of_color(!attacker))
        .into_iter()
        .all(|to| !board.attackers(to, attacker, occupied).is_empty())
}

/// Whether `mv` of `color` gives check.
pub fn gives_check(board: &Board, color: Color, mv: Move) -> bool {
    let (Some(king), Some(piece)) = (board.king(!color), board.piece_after(color, mv)) else { return false };
    let gone = mv.from().map_or(Bitboard::EMPTY, Bitboard::of);
    let occupied = board.occupied().without(gone) | Bitboard::of(mv.to());
    attacks::on_empty_board(piece, mv.to()).contains(king) && !attacks::between(mv.to(), king).meets(occupied)
        || board
            .aimed_sliders(king, color)
            .without(gone)
            .into_iter()
            .any(|from| !attacks::between(from, king).meets(occupied))
}
