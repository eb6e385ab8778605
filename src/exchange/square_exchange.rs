//! The exchange on one square: two sides capture on it in turn, and each may stop whenever going on would cost it.
//!
//! Every capture is legal as it would be in play: a pinned piece captures along its line only, a line that the exchange
//! itself opens or closes counts as it then stands, pieces behind sliders join in when their line is open, and a king
//! captures only what is no longer defended. A capture promotes where it can, which on one square is never worse: a
//! promoted piece that is taken back loses just what it had gained.
//!
//! Taking with the cheapest piece first is not always best: a dearer piece may gain by promoting, or may open or close
//! a line. So this is a small search over the order of the attackers. A piece is passed over when another one does the
//! same for less (see `outdone_by`), and the usual exchange of a few pieces needs no choice at all.

use arrayvec::ArrayVec;

use crate::shogi::attacks;
use crate::shogi::bitboard::Bitboard;
use crate::shogi::color::{Color, PerColor};
use crate::shogi::piece::{Piece, PieceKind};
use crate::shogi::square::Square;

/// Beyond any sum of material.
pub const UNBOUNDED: i32 = 1 << 20;

/// Ten next to the square or a knight's jump away, and at most eight lances, bishops and rooks further off.
const MAX_ATTACKERS: usize = 18;

/// What pieces have to do elsewhere, and leave undone by taking part in an exchange.
pub trait Duties {
    /// Whether the piece on `from` has anything to do.
    fn has_duty(&self, from: Square) -> bool;

    /// What the opponent gains elsewhere because the piece on `from` has captured on the square of the exchange, after
    /// which the pieces stand on `left`.
    fn left_undone(&self, from: Square, left: Bitboard) -> i32;
}

/// No piece has anything to do elsewhere.
#[derive(Clone, Copy, Debug)]
pub struct NoDuties;

impl Duties for NoDuties {
    fn has_duty(&self, _: Square) -> bool {
        false
    }

    fn left_undone(&self, _: Square, _: Bitboard) -> i32 {
        0
    }
}

/// Whether any of the pieces `aimed` at `square` attacks it when the pieces stand on `occupied`.
pub fn any_open(aimed: Bitboard, square: Square, occupied: Bitboard) -> bool {
    aimed.into_iter().any(|from| !attacks::between(square, from).meets(occupied))
}

/// A piece that takes part in an exchange.
#[derive(Clone, Copy, Debug)]
pub struct Attacker {
    square: Square,
    is_king: bool,
    /// What the opponent earns by taking it unpromoted.
    cost: i32,
    /// What it gains by promoting when it captures.
    bonus: i32,
}

impl Attacker {
    /// `piece` that goes from `from` to `to`. `captured` says what taking a kind of piece is worth, `promotion` what
    /// promoting it is.
    pub fn new(
        piece: Piece,
        from: Square,
        to: Square,
        captured: impl Fn(PieceKind) -> i32,
        promotion: impl Fn(PieceKind) -> i32,
    ) -> Attacker {
        let promotes = to.in_promotion_zone(piece.color) || from.in_promotion_zone(piece.color);
        let is_king = piece.kind == PieceKind::King;
        Attacker {
            square: from,
            is_king,
            cost: if is_king { UNBOUNDED } else { captured(piece.kind) },
            bonus: if promotes { promotion(piece.kind) } else { 0 },
        }
    }

    /// What it gains by promoting when it captures.
    pub fn bonus(&self) -> i32 {
        self.bonus
    }

    /// Whether capturing with `other` is never worse than with this piece, when neither opens or closes a line, and
    /// `other` has nothing to do elsewhere.
    ///
    /// `other` has to be no dearer, gain no less by promotion, and risk no more when promoted. The last condition is
    /// for the sake of what is left: keeping `other` in reserve instead could be worth the difference in promotion,
    /// and that must not be more than what is saved by risking the cheaper piece.
    fn outdone_by(&self, other: &Attacker) -> bool {
        other.cost <= self.cost
            && other.bonus >= self.bonus
            && other.cost + other.bonus <= self.cost + self.bonus
    }
}

/// The exchange on one square.
pub struct SquareExchange<D> {
    square: Square,
    kings: PerColor<Option<Square>>,
    /// Cheapest first, the king last.
    attackers: PerColor<ArrayVec<Attacker, MAX_ATTACKERS>>,
    /// Pieces that give check to each side's king when nothing stands between.
    lines: PerColor<Bitboard>,
    /// Pieces whose capture may open or close a line, so that it matters which of them goes first.
    particular: Bitboard,
    duties: D,
}

impl<D: Duties> SquareExchange<D> {
    /// The exchange on `square` by the pieces `aimed` at it. `lines` are the pieces that give check to each side's king
    /// when nothing stands between. `attacker` says what one of the aimed pieces is, and whose.
    pub fn new(
        square: Square,
        aimed: Bitboard,
        kings: PerColor<Option<Square>>,
        lines: PerColor<Bitboard>,
        attacker: impl Fn(Square) -> Option<(Color, Attacker)>,
        duties: D,
    ) -> SquareExchange<D> {
        let mut exchange = SquareExchange {
            square,
            kings,
            attackers: PerColor([ArrayVec::new(), ArrayVec::new()]),
            lines,
            particular: Bitboard::EMPTY,
            duties,
        };
        aimed.for_each(|from| {
            let Some((color, attacker)) = attacker(from) else { return };
            let list = &mut exchange.attackers[color];
            let place = list.iter().take_while(|other| other.cost <= attacker.cost).count();
            list.insert(place, attacker);
        });
        if Color::ALL.iter().any(|&color| exchange.attackers[color].len() > 1) {
            exchange.particular = exchange.on_lines(aimed);
        }
        exchange
    }

    /// Every square of which it matters whether a piece stands on it: between the square and its attackers, between a
    /// king and the pieces aimed at it, and those pieces themselves.
    fn on_lines(&self, attackers: Bitboard) -> Bitboard {
        let mut squares = Bitboard::EMPTY;
        attackers.for_each(|from| squares |= attacks::between(self.square, from));
        for color in Color::ALL {
            if let Some(king) = self.kings[color] {
                squares |= self.lines[color];
                self.lines[color].for_each(|from| squares |= attacks::between(king, from));
            }
        }
        squares
    }

    /// What `side` gains by capturing what is worth `prize`, or by stopping, which is worth `left_undone`: what the last
    /// capture has left undone elsewhere, or 0. The pieces stand on `occupied`. Exact within `(alpha, beta)`, a bound
    /// outside.
    pub fn best(
        &self,
        side: Color,
        prize: i32,
        occupied: Bitboard,
        left_undone: i32,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        let mut best = left_undone.max(0);
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
            let outdone = |(n, other): (usize, &Attacker)| {
                tried >> n & 1 != 0 && attacker.outdone_by(other) && !self.duties.has_duty(other.square)
            };
            if plain && tried != 0 && list[..index].iter().enumerate().any(outdone) {
                continue;
            }
            let left = occupied.without(Bitboard::of(attacker.square));
            if !self.may_take(side, attacker, left) {
                continue;
            }
            let left_undone = match self.duties.has_duty(attacker.square) {
                true => self.duties.left_undone(attacker.square, left),
                false => 0,
            };
            let risk = attacker.cost + attacker.bonus;
            let answer = self.best(!side, risk, left, left_undone, earned - beta, earned - bound);
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
        let Some(king) = self.kings[side] else { return true };
        !any_open(self.lines[side] & left, king, left)
    }
}
