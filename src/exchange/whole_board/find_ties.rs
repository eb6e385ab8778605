//! Step A2: finds what binds the pieces.

use arrayvec::ArrayVec;

use super::board::Board;
use super::mate_threat;
use super::piece_values::PieceValues;
use super::soma::Soma;
use super::tie::{Tie, TieKind};
use crate::shogi::attacks;
use crate::shogi::bitboard::Bitboard;
use crate::shogi::color::Color;
use crate::shogi::moves::Move;
use crate::shogi::piece::{Piece, PieceKind};
use crate::shogi::square::Square;

/// The ties of a position. Those of the busiest positions of games stay well below the limit; more are dropped.
pub type Ties = ArrayVec<Tie, 96>;

/// What binds the pieces of both sides: to mates, to material and to promotions. Each tie is judged as if there were no
/// other.
pub fn find_ties(board: &Board, values: &PieceValues) -> Ties {
    let mut ties = Ties::new();
    for color in Color::ALL {
        ties_to_mate(board, values, color, &mut ties);
        ties_to_material(board, values, color, &mut ties);
        ties_to_promotion(Soma { board, values, ties: &[] }, color, &mut ties);
    }
    ties
}

fn add(ties: &mut Ties, tie: Tie) {
    if tie.value > 0 && !ties.is_full() {
        ties.push(tie);
    }
}

/// `color`'s sole guards of squares where the opponent would mate.
fn ties_to_mate(board: &Board, values: &PieceValues, color: Color, ties: &mut Ties) {
    mate_threat::each_mating_move(board, !color, |mating| {
        if let Some(holder) = mating.guards.first().filter(|_| !mating.guards.has_several()) {
            let attackers = mating.mv.from().map_or(Bitboard::EMPTY, Bitboard::of);
            let tie =
                Tie { kind: TieKind::Mate, holder, attackers, target: mating.mv.to(), value: values.mate() };
            if !ties.iter().any(|known| (known.holder, known.target) == (tie.holder, tie.target)) {
                add(ties, tie);
            }
        }
    });
}

/// `color`'s defenders of its pieces, and what stands alone between them and a slider.
fn ties_to_material(board: &Board, values: &PieceValues, color: Color, ties: &mut Ties) {
    let soma = Soma { board, values, ties: &[] };
    let occupied = board.occupied();
    board.without_king(color).for_each(|target| {
        let aimed = board.aimed(target, !color);
        if aimed.is_empty() {
            return;
        }
        let mut attackers = Bitboard::EMPTY;
        let mut pinning = ArrayVec::<(Square, Square), 8>::new();
        aimed.for_each(|from| {
            let between = attacks::between(from, target) & occupied;
            match between.first() {
                None => attackers |= Bitboard::of(from),
                Some(pinned) if !between.has_several() && board.of_color(color).contains(pinned) => {
                    // A piece on a line has at most eight neighbours.
                    let _ = pinning.try_push((from, pinned));
                }
                Some(_) => {}
            }
        });
        let defenders = board.attackers(target, color, occupied);
        if (attackers.is_empty() || defenders.is_empty()) && pinning.is_empty() {
            return;
        }
        let now = if attackers.is_empty() { 0 } else { soma.threat(target, !color, occupied) };
        let without = |holder| soma.threat(target, !color, occupied.without(Bitboard::of(holder))) - now;
        if !attackers.is_empty() {
            defenders.for_each(|holder| {
                let value = without(holder);
                add(ties, Tie { kind: TieKind::Material, holder, attackers, target, value });
            });
        }
        for (from, holder) in pinning {
            let value = without(holder);
            add(ties, Tie { kind: TieKind::Pin, holder, attackers: Bitboard::of(from), target, value });
        }
    });
}

/// `color`'s guards of squares where the opponent's pieces could otherwise promote. Bishops and rooks have too many
/// squares to be kept from promoting. A guard that the piece itself looks at does not count.
fn ties_to_promotion(soma: Soma, color: Color, ties: &mut Ties) {
    let (board, them) = (soma.board, !color);
    let occupied = board.occupied();
    board.without_king(them).for_each(|from| {
        let held_back = |piece: &Piece| {
            soma.values.promotion(piece.kind) > 0
                && !matches!(piece.kind, PieceKind::Bishop | PieceKind::Rook)
        };
        let Some(piece) = board.piece_on(from).filter(held_back) else { return };
        let squares = promotion_squares(board, piece, from);
        // A piece that promotes elsewhere in any case is held back by nobody.
        if squares.into_iter().any(|to| board.attackers(to, color, occupied).is_empty()) {
            return;
        }
        squares.for_each(|to| {
            let guards = board.attackers(to, color, occupied);
            if guards.count() > 2 || soma.begun_by(piece, Some(from), to, true, occupied).net > 0 {
                return;
            }
            guards.without(attacks::on_empty_board(piece, from)).for_each(|holder| {
                // Where nobody else looks at the square, what stands behind the piece does not count: it will be
                // the taker of the guard that decides (B6hxs4f and P3f-3g, with r3d behind, in the second example).
                let value = if guards.has_several() {
                    let open = occupied.without(Bitboard::of(holder));
                    soma.begun_by(piece, Some(from), to, true, open).net
                } else {
                    soma.values.promotion(piece.kind)
                };
                let attackers = Bitboard::of(from);
                add(ties, Tie { kind: TieKind::Promotion, holder, attackers, target: to, value });
            });
        });
    });
}

/// The empty squares where `piece` on `from` promotes without a capture.
pub fn promotion_squares(board: &Board, piece: Piece, from: Square) -> Bitboard {
    let reached = attacks::of(piece, from, board.occupied()).without(board.occupied());
    if from.in_promotion_zone(piece.color) { reached } else { reached & Bitboard::far_ranks(piece.color, 3) }
}

/// The move from `from` to `to` by `piece`, with promotion where it gains by it.
pub fn best_form(values: &PieceValues, piece: Piece, from: Square, to: Square) -> Move {
    let zone = from.in_promotion_zone(piece.color) || to.in_promotion_zone(piece.color);
    if zone && values.promotion(piece.kind) > 0 { Move::promoting(from, to) } else { Move::board(from, to) }
}

/// The capture by `piece` on `from` of what stands on `to`. Lances, knights and silvers promote only where that gains
/// more: a piece that is retaken loses what its promotion has gained, so that the paper writes L2fxl2h.
pub fn capture_form(soma: Soma, piece: Piece, from: Square, to: Square, occupied: Bitboard) -> Move {
    let best = best_form(soma.values, piece, from, to);
    let may_stay = matches!(piece.kind, PieceKind::Lance | PieceKind::Knight | PieceKind::Silver)
        && !piece.immobile_squares().contains(to);
    if best.is_promotion() && may_stay {
        let net = |promotes| soma.begun_by(piece, Some(from), to, promotes, occupied).net;
        if net(true) <= net(false) {
            return Move::board(from, to);
        }
    }
    best
}
