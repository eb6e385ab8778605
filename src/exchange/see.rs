//! Static exchange evaluation (SEE; SOMA in shogi's papers): the exchange on one square, evaluated without playing it.
//!
//! Two sides capture in turn on a square, and each may stop whenever going on would cost it. Only captures on that
//! square count ("material gain is computed by considering re-captures only", Tsuruoka et al. 2002, footnote 3).
//! Every capture is legal as it would be in play: a pinned piece captures along its line only, a line that the exchange
//! itself opens or closes counts as it then stands, pieces behind sliders join in when their line is open, and a king
//! captures only what is no longer defended. A capture promotes where it can, which on one square is never worse: a
//! promoted piece that is taken back loses just what it had gained.
//!
//! Taking with the cheapest piece first is not always best: a dearer piece may gain by promoting, or may open or close
//! a line. So this is a small search over the order of the attackers. A piece is passed over when another one does the
//! same for less (see `Attacker::outdone_by`), and the usual exchange of a few pieces needs no choice at all.
//!
//! What a piece leaves undefended elsewhere by joining in does not count.

use arrayvec::ArrayVec;

use super::values::{LARGEST_PROMOTION, captured, promotion};
use crate::shogi::attacks;
use crate::shogi::bitboard::Bitboard;
use crate::shogi::color::{Color, PerColor};
use crate::shogi::moves::{Move, Origin};
use crate::shogi::piece::{Piece, PieceKind};
use crate::shogi::position::Position;
use crate::shogi::square::Square;

/// Beyond any sum of material.
const UNBOUNDED: i32 = 1 << 20;

/// What the side to move gains by the legal move `mv` and the exchange that follows on its destination, in
/// units. What `mv` itself captures and promotes counts, and so does what it puts within the opponent's
/// reach.
pub fn see(position: &Position, mv: Move) -> i32 {
    let Some(first) = FirstMove::new(position, mv) else { return 0 };
    first.earned - first.reply(position, mv, -UNBOUNDED, UNBOUNDED)
}

/// Whether [`see`] is `threshold` or more; faster where that is soon decided.
pub fn see_ge(position: &Position, mv: Move, threshold: i32) -> bool {
    let Some(first) = FirstMove::new(position, mv) else { return threshold <= 0 };
    let spare = first.earned - threshold;
    if spare < 0 {
        return false;
    }
    // Nothing that the opponent can do by one capture is worth more than the piece and a promotion.
    if spare >= first.prize + LARGEST_PROMOTION {
        return true;
    }
    first.reply(position, mv, spare, spare + 1) <= spare
}

/// What the legal move `mv` captures and promotes by itself: its [`see`] is not more.
pub fn immediate_gain(position: &Position, mv: Move) -> i32 {
    FirstMove::new(position, mv).map_or(0, |first| first.earned)
}

/// What `color` would gain by capturing on `square` if it were its move: 0 where it cannot capture, where that does not
/// pay, and where no piece of the opponent other than the king stands. A piece is *attacked* in the sense of the
/// paper's categories when the threat to it is positive.
pub fn threat(position: &Position, square: Square, color: Color) -> i32 {
    match position.piece_on(square) {
        Some(Piece { color: owner, kind }) if owner != color && kind != PieceKind::King => {
            let occupied = position.occupied();
            let aimed = position.aimed(square, color) & occupied;
            let exchange = Exchange::new(position, square, occupied, aimed, color);
            exchange.best(color, captured(kind), occupied, -UNBOUNDED, UNBOUNDED)
        }
        _ => 0,
    }
}

/// What the move that opens an exchange does by itself.
struct FirstMove {
    /// The piece as it stands after the move.
    piece: Piece,
    /// The square it has left; empty for a drop.
    vacated: Bitboard,
    /// Material gained by capture and promotion.
    earned: i32,
    /// What the opponent earns by taking the piece.
    prize: i32,
}

impl FirstMove {
    /// `None` where no piece stands on the square that the move comes from.
    fn new(position: &Position, mv: Move) -> Option<FirstMove> {
        let us = position.side();
        let (kind, vacated, promotion) = match mv.origin() {
            Origin::Hand(kind) => (kind.piece_kind(), Bitboard::EMPTY, 0),
            Origin::Board(from) => {
                let kind = position.piece_on(from)?.kind;
                let vacated = Bitboard::of(from);
                match kind.promoted() {
                    Some(promoted) if mv.is_promotion() => (promoted, vacated, promotion(kind)),
                    _ => (kind, vacated, 0),
                }
            }
        };
        let taken = position.piece_on(mv.to()).map_or(0, |victim| captured(victim.kind));
        let piece = Piece::new(us, kind);
        Some(FirstMove { piece, vacated, earned: taken + promotion, prize: captured(kind) })
    }

    /// The opponent's best by taking back what `mv` has put on its destination; exact within `(alpha, beta)`, a bound
    /// outside.
    fn reply(&self, position: &Position, mv: Move, alpha: i32, beta: i32) -> i32 {
        // The king goes only where nothing attacks it.
        if self.piece.kind == PieceKind::King {
            return 0;
        }
        let (us, to) = (position.side(), mv.to());
        let occupied = position.occupied().without(self.vacated) | Bitboard::of(to);
        let aimed = position.aimed(to, !us) & occupied;
        if !any_open(aimed, to, occupied) {
            return 0;
        }
        Exchange::new(position, to, occupied, aimed, !us).best(!us, self.prize, occupied, alpha, beta)
    }
}

/// Whether any of the pieces `aimed` at `square` attacks it when the pieces stand on `occupied`.
fn any_open(aimed: Bitboard, square: Square, occupied: Bitboard) -> bool {
    aimed.into_iter().any(|from| !attacks::between(square, from).meets(occupied))
}

/// `color`'s pieces that give check, or slide towards the opponent's king and would give check if nothing were between.
fn lines_at_king(position: &Position, color: Color) -> Bitboard {
    let Some(king) = position.king(!color) else { return Bitboard::EMPTY };
    let sliders = position.aimed_sliders(king, color);
    // Of other pieces only those matter that give check already: none can do so by an exchange and go untaken.
    if position.side() == color { sliders } else { sliders | position.checkers() }
}

/// A piece that takes part in an exchange.
#[derive(Clone, Copy, Debug)]
struct Attacker {
    square: Square,
    is_king: bool,
    /// What the opponent earns by taking it unpromoted.
    cost: i32,
    /// What it gains by promoting when it captures.
    bonus: i32,
}

impl Attacker {
    /// `piece` that goes from `from` to `to`.
    fn new(piece: Piece, from: Square, to: Square) -> Attacker {
        let promotes = to.in_promotion_zone(piece.color) || from.in_promotion_zone(piece.color);
        Attacker {
            square: from,
            is_king: piece.kind == PieceKind::King,
            cost: if piece.kind == PieceKind::King { UNBOUNDED } else { captured(piece.kind) },
            bonus: if promotes { promotion(piece.kind) } else { 0 },
        }
    }

    /// Whether capturing with `other` is never worse than with this piece, when neither opens or closes a line.
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

/// Ten next to the square or a knight's jump away, and at most eight lances, bishops and rooks further off.
const MAX_ATTACKERS: usize = 18;

/// The exchange on one square.
struct Exchange<'a> {
    position: &'a Position,
    square: Square,
    /// Cheapest first, the king last.
    attackers: PerColor<ArrayVec<Attacker, MAX_ATTACKERS>>,
    /// Pieces that give check to each side's king when nothing stands between.
    lines: PerColor<Bitboard>,
    /// Pieces whose capture may open or close a line, so that it matters which of them goes first.
    particular: Bitboard,
}

impl<'a> Exchange<'a> {
    /// The exchange on `square` with the pieces on `occupied`, where `aimed` are `color`'s pieces aimed at the square.
    fn new(
        position: &'a Position,
        square: Square,
        occupied: Bitboard,
        aimed: Bitboard,
        color: Color,
    ) -> Exchange<'a> {
        let others = occupied.without(Bitboard::of(square));
        let mut sides = PerColor([Bitboard::EMPTY; 2]);
        sides[color] = aimed;
        sides[!color] = position.aimed(square, !color) & others;
        let mut exchange = Exchange {
            position,
            square,
            attackers: PerColor([ArrayVec::new(), ArrayVec::new()]),
            lines: PerColor(Color::ALL.map(|color| lines_at_king(position, !color) & others)),
            particular: Bitboard::EMPTY,
        };
        let all = sides[Color::Black] | sides[Color::White];
        all.for_each(|from| {
            let Some(piece) = position.piece_on(from) else { return };
            let attacker = Attacker::new(piece, from, square);
            let list = &mut exchange.attackers[piece.color];
            let place = list.iter().take_while(|other| other.cost <= attacker.cost).count();
            list.insert(place, attacker);
        });
        if Color::ALL.iter().any(|&color| exchange.attackers[color].len() > 1) {
            exchange.particular = exchange.on_lines(all);
        }
        exchange
    }

    /// Every square of which it matters whether a piece stands on it: between the square and its attackers, between a
    /// king and the pieces aimed at it, and those pieces themselves.
    fn on_lines(&self, attackers: Bitboard) -> Bitboard {
        let mut squares = Bitboard::EMPTY;
        attackers.for_each(|from| squares |= attacks::between(self.square, from));
        for color in Color::ALL {
            if let Some(king) = self.position.king(color) {
                squares |= self.lines[color];
                self.lines[color].for_each(|from| squares |= attacks::between(king, from));
            }
        }
        squares
    }

    /// What `side` gains by capturing what is worth `prize`, or by stopping, which is worth 0; exact within
    /// `(alpha, beta)`, a bound outside.
    fn best(&self, side: Color, prize: i32, occupied: Bitboard, alpha: i32, beta: i32) -> i32 {
        let mut best = 0;
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
            let risk = attacker.cost + attacker.bonus;
            best = best.max(earned - self.best(!side, risk, left, earned - beta, earned - bound));
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
        let Some(king) = self.position.king(side) else { return true };
        !any_open(self.lines[side] & left, king, left)
    }
}
