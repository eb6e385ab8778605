//! Least valuable attacker first, without pins and promotions.

use crate::search::material::piece_value;
use crate::shogi::bitboard::Bitboard;
use crate::shogi::color::Color;
use crate::shogi::moves::Move;
use crate::shogi::piece::{Piece, PieceKind};
use crate::shogi::position::Position;
use crate::shogi::square::Square;

fn worth(kind: PieceKind) -> i32 {
    piece_value(kind) + piece_value(kind.unpromoted())
}

pub(super) fn gain(position: &Position, mv: Move) -> i32 {
    let us = position.side();
    let (to, mut occupied) = (mv.to(), position.occupied());
    let captured = position.piece_on(to).map_or(0, |piece| worth(piece.kind));
    let before = match mv.from() {
        Some(from) => {
            occupied = occupied.without(Bitboard::of(from));
            position.piece_on(from).map_or(PieceKind::Pawn, |piece| piece.kind)
        }
        None => mv.dropped().map_or(PieceKind::Pawn, |kind| kind.piece_kind()),
    };
    let after = if mv.is_promotion() { before.promoted().unwrap_or(before) } else { before };
    let placed = Piece::new(us, after);
    captured + piece_value(after)
        - piece_value(before)
        - takes(position, to, placed, occupied | Bitboard::of(to))
}

pub(super) fn threat(position: &Position, square: Square, color: Color) -> i32 {
    let Some(piece) = position.piece_on(square).filter(|piece| piece.color != color) else { return 0 };
    takes(position, square, piece, position.occupied())
}

fn takes(position: &Position, square: Square, piece: Piece, occupied: Bitboard) -> i32 {
    let taker: Color = !piece.color;
    let attackers = position.attackers(square, taker, occupied) & occupied;
    let least = attackers
        .into_iter()
        .filter_map(|from| position.piece_on(from).map(|piece| (from, piece.kind)))
        .min_by_key(|&(_, kind)| if kind == PieceKind::King { i32::MAX } else { worth(kind) });
    let Some((from, kind)) = least else { return 0 };
    let rest = occupied.without(Bitboard::of(from));
    if kind == PieceKind::King && !(position.attackers(square, piece.color, rest) & rest).is_empty() {
        return 0;
    }
    (worth(piece.kind) - takes(position, square, Piece::new(taker, kind), rest)).max(0)
}
