//! Static exchange evaluation (SEE; SOMA in shogi's papers): the exchange on one square, evaluated without playing it.
//!
//! Only captures on that square count ("material gain is computed by considering re-captures only", Tsuruoka et al. 2002,
//! footnote 3); [`square_exchange`](super::square_exchange) says how they go. What a piece leaves undefended elsewhere by
//! joining in does not count.

use super::square_exchange::{Attacker, NoDuties, SquareExchange, UNBOUNDED, any_open};
use super::values::{LARGEST_PROMOTION, captured, promotion};
use crate::shogi::attacks;
use crate::shogi::bitboard::Bitboard;
use crate::shogi::color::{Color, PerColor};
use crate::shogi::moves::{Move, Origin};
use crate::shogi::piece::{Piece, PieceKind};
use crate::shogi::position::Position;
use crate::shogi::square::Square;

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
    Target::new(position, square, color).map_or(0, |target| target.best_capture(-UNBOUNDED, UNBOUNDED))
}

/// Whether the [`threat`] is positive; faster.
pub fn is_threatened(position: &Position, square: Square, color: Color) -> bool {
    Target::new(position, square, color).is_some_and(|target| target.best_capture(0, 1) > 0)
}

/// The most that a [`threat`] to what stands on `square` can be worth.
pub fn largest_threat(position: &Position, square: Square) -> i32 {
    position.piece_on(square).map_or(0, |piece| captured(piece.kind) + LARGEST_PROMOTION)
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
        let target = Target { position, square: to, occupied, capturer: !us, aimed, prize: self.prize };
        target.best_capture(alpha, beta)
    }
}

/// `color`'s pieces that give check, or slide towards the opponent's king and would give check if nothing were between.
fn lines_at_king(position: &Position, color: Color) -> Bitboard {
    let Some(king) = position.king(!color) else { return Bitboard::EMPTY };
    let sliders = position.aimed_sliders(king, color);
    // Of other pieces only those matter that give check already: none can do so by an exchange and go untaken.
    if position.side() == color { sliders } else { sliders | position.checkers() }
}

/// A piece that one side may capture.
struct Target<'a> {
    position: &'a Position,
    square: Square,
    /// Where pieces stand; the position's board, or that after a first move.
    occupied: Bitboard,
    /// The side that may capture, and its pieces that are aimed at the square.
    capturer: Color,
    aimed: Bitboard,
    /// What the capture earns.
    prize: i32,
}

impl<'a> Target<'a> {
    /// What stands on `square`, if it is a piece that `capturer` may capture.
    fn new(position: &'a Position, square: Square, capturer: Color) -> Option<Target<'a>> {
        let Piece { color, kind } = position.piece_on(square)?;
        if color == capturer || kind == PieceKind::King {
            return None;
        }
        let (aimed, occupied) = (position.aimed(square, capturer), position.occupied());
        Some(Target { position, square, occupied, capturer, aimed, prize: captured(kind) })
    }

    /// What the capturer gains by capturing, or by leaving the piece alone. Exact within `(alpha, beta)`, a bound outside.
    fn best_capture(&self, alpha: i32, beta: i32) -> i32 {
        let others = self.others();
        let defenders = self.position.aimed(self.square, !self.capturer) & others;
        if defenders.is_empty() {
            return self.best_free_capture();
        }
        let kings = PerColor(Color::ALL.map(|color| self.position.king(color)));
        let lines = PerColor(Color::ALL.map(|color| lines_at_king(self.position, !color) & others));
        let attacker = |from| {
            let piece = self.position.piece_on(from)?;
            Some((piece.color, Attacker::new(piece, from, self.square, captured, promotion)))
        };
        SquareExchange::new(self.square, self.aimed | defenders, kings, lines, attacker, NoDuties).best(
            self.capturer,
            self.prize,
            self.occupied,
            0,
            alpha,
            beta,
        )
    }

    /// The same where nothing can take back: the first capture is the last one.
    fn best_free_capture(&self) -> i32 {
        let lines = lines_at_king(self.position, !self.capturer) & self.others();
        let mut best = 0;
        self.aimed.for_each(|from| {
            let Some(piece) = self.position.piece_on(from) else { return };
            let earned = self.prize + Attacker::new(piece, from, self.square, captured, promotion).bonus();
            if earned <= best || attacks::between(self.square, from).meets(self.occupied) {
                return;
            }
            let left = self.occupied.without(Bitboard::of(from));
            let is_pinned = |king| any_open(lines & left, king, left);
            if piece.kind == PieceKind::King || !self.position.king(self.capturer).is_some_and(is_pinned) {
                best = earned;
            }
        });
        best
    }

    fn others(&self) -> Bitboard {
        self.occupied.without(Bitboard::of(self.square))
    }
}
