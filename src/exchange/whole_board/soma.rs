//! SOMA on one square with pins and ties: a capture by a piece that is bound elsewhere lets the opponent stop and take
//! what it left (the paper's §5 and §6).
//!
//! As in [`see`](crate::exchange::see), every capture is legal, pieces behind sliders join in, and the order of the
//! attackers is searched. Without ties the two agree.

use arrayvec::ArrayVec;

use super::board::Board;
use super::piece_values::PieceValues;
use super::tie::Tie;
use crate::shogi::attacks;
use crate::shogi::bitboard::Bitboard;
use crate::shogi::color::{Color, PerColor};
use crate::shogi::piece::{Piece, PieceKind};
use crate::shogi::square::Square;

/// Beyond any sum of material.
const UNBOUNDED: i32 = 1 << 20;

/// Ten next to the square or a knight's jump away, and at most eight lances, bishops and rooks further off.
const MAX_ATTACKERS: usize = 18;

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
        let replies = self.exchange(to, left, !piece.color);
        let answer = replies.best(!piece.color, risk, left, released, -UNBOUNDED, UNBOUNDED);
        Outcome { first, net: first - answer }
    }

    /// What `color` gains by capturing the piece on `square`, with the squares of `occupied` taken; 0 where that does
    /// not pay.
    pub fn threat(&self, square: Square, color: Color, occupied: Bitboard) -> i32 {
        match self.board.piece_on(square) {
            Some(victim) if victim.color != color && victim.kind != PieceKind::King => {
                let prize = self.values.captured(victim.kind);
                let exchange = self.exchange(square, occupied, color);
                if exchange.attackers[color].is_empty() {
                    return 0;
                }
                exchange.best(color, prize, occupied, 0, -UNBOUNDED, UNBOUNDED)
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

    /// The exchange on `square` with the pieces on `occupied`, where `color` captures first.
    fn exchange(&self, square: Square, occupied: Bitboard, color: Color) -> Exchange<'_> {
        let others = occupied.without(Bitboard::of(square));
        let mut exchange = Exchange {
            soma: self,
            square,
            attackers: PerColor([ArrayVec::new(), ArrayVec::new()]),
            lines: PerColor([Bitboard::EMPTY; 2]),
            particular: Bitboard::EMPTY,
        };
        let mut all = Bitboard::EMPTY;
        for side in [color, !color] {
            let aimed = self.board.aimed(square, side) & others;
            if side == color && aimed.is_empty() {
                return exchange;
            }
            all |= aimed;
        }
        exchange.lines = PerColor(Color::ALL.map(|side| match self.board.king(side) {
            Some(king) => self.board.aimed(king, !side) & others,
            None => Bitboard::EMPTY,
        }));
        all.for_each(|from| {
            let Some(piece) = self.board.piece_on(from) else { return };
            let attacker = self.attacker(piece, from, square);
            let list = &mut exchange.attackers[piece.color];
            let place = list.iter().take_while(|other| other.cost <= attacker.cost).count();
            list.insert(place, attacker);
        });
        if Color::ALL.iter().any(|&side| exchange.attackers[side].len() > 1) {
            exchange.particular = exchange.on_lines(all);
        }
        exchange
    }

    fn attacker(&self, piece: Piece, from: Square, to: Square) -> Attacker {
        let promotes = to.in_promotion_zone(piece.color) || from.in_promotion_zone(piece.color);
        let is_king = piece.kind == PieceKind::King;
        let after = match piece.kind.promoted() {
            Some(promoted) if promotes => Piece::new(piece.color, promoted),
            _ => piece,
        };
        Attacker {
            square: from,
            after,
            is_king,
            cost: if is_king { UNBOUNDED } else { self.values.captured(piece.kind) },
            bonus: if promotes { self.values.promotion(piece.kind) } else { 0 },
            is_tied: self.ties.iter().any(|tie| tie.holder == from),
        }
    }
}

/// Whether any of the pieces `aimed` at `square` attacks it when the pieces stand on `occupied`.
fn any_open(aimed: Bitboard, square: Square, occupied: Bitboard) -> bool {
    aimed.into_iter().any(|from| !attacks::between(square, from).meets(occupied))
}

/// A piece that takes part in an exchange.
#[derive(Clone, Copy)]
struct Attacker {
    square: Square,
    /// As it stands after its capture.
    after: Piece,
    is_king: bool,
    /// What the opponent earns by taking it unpromoted.
    cost: i32,
    /// What it gains by promoting when it captures.
    bonus: i32,
    is_tied: bool,
}

impl Attacker {
    /// Whether capturing with `other` is never worse than with this piece, when neither opens or closes a line. Of two
    /// pieces that are bound elsewhere none outdoes the other.
    fn outdone_by(&self, other: &Attacker) -> bool {
        !other.is_tied
            && other.cost <= self.cost
            && other.bonus >= self.bonus
            && other.cost + other.bonus <= self.cost + self.bonus
    }
}

struct Exchange<'a> {
    soma: &'a Soma<'a>,
    square: Square,
    /// Cheapest first, the king last.
    attackers: PerColor<ArrayVec<Attacker, MAX_ATTACKERS>>,
    /// Pieces that give check to each side's king when nothing stands between.
    lines: PerColor<Bitboard>,
    /// Pieces whose capture may open or close a line, so that it matters which of them goes first.
    particular: Bitboard,
}

impl Exchange<'_> {
    /// Every square of which it matters whether a piece stands on it.
    fn on_lines(&self, attackers: Bitboard) -> Bitboard {
        let mut squares = Bitboard::EMPTY;
        attackers.for_each(|from| squares |= attacks::between(self.square, from));
        for color in Color::ALL {
            if let Some(king) = self.soma.board.king(color) {
                squares |= self.lines[color];
                self.lines[color].for_each(|from| squares |= attacks::between(king, from));
            }
        }
        squares
    }

    /// What `side` gains by capturing what is worth `prize`, or by stopping, which is worth `released`: what the last
    /// capture has left elsewhere, or nothing. Exact within `(alpha, beta)`, a bound outside.
    fn best(&self, side: Color, prize: i32, occupied: Bitboard, released: i32, alpha: i32, beta: i32) -> i32 {
        let mut best = released.max(0);
        let list = &self.attackers[side];
        let mut tried = 0_u32;
        for (index, attacker) in list.iter().enumerate() {
            let bound = best.max(alpha);
            if bound >= beta {
                break;
            }
            let earned = prize + attacker.bonus;
            if earned <= bound
                || !occupied.contains(attacker.square)
                || attacks::between(self.square, attacker.square).meets(occupied)
            {
                continue;
            }
            let plain = !self.particular.contains(attacker.square);
            let outdone = |(n, other): (usize, &Attacker)| tried >> n & 1 != 0 && attacker.outdone_by(other);
            if plain && tried != 0 && list[..index].iter().enumerate().any(outdone) {
                continue;
            }
            let left = occupied.without(Bitboard::of(attacker.square));
            if !self.may_take(side, attacker, left) {
                continue;
            }
            let left_behind = match attacker.is_tied {
                true => self.soma.released(attacker.square, attacker.after, self.square, left),
                false => 0,
            };
            let risk = attacker.cost + attacker.bonus;
            let answer = self.best(!side, risk, left, left_behind, earned - beta, earned - bound);
            best = best.max(earned - answer);
            if plain {
                tried |= 1 << index;
            }
        }
        best
    }

    /// Whether `side` may capture with `attacker`, after which the pieces stand on `left`.
    fn may_take(&self, side: Color, attacker: &Attacker, left: Bitboard) -> bool {
        if attacker.is_king {
            let reaches = |other: &Attacker| {
                left.contains(other.square) && !attacks::between(self.square, other.square).meets(left)
            };
            return !self.attackers[!side].iter().any(reaches);
        }
        let Some(king) = self.soma.board.king(side) else { return true };
        !any_open(self.lines[side] & left, king, left)
    }
}
