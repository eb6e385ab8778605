//! SOMA: the exchange on one square, judged without playing it.
//!
//! Two sides capture in turn on a square, and each may stop whenever going on would cost it. Only captures on that
//! square count ("material gain is computed by considering re-captures only", Tsuruoka et al. 2002, footnote 3).
//! Every capture is legal as it would be in play: a pinned piece captures along its line only, a line that the exchange
//! itself opens or closes counts as it then stands, pieces behind sliders join in when their line is open, and a king
//! captures only what is defended no more. A capture promotes where it can, which on one square is never worse: a
//! promoted piece that is taken back loses just what it had gained.
//!
//! Taking with the cheapest piece first is not always best: a dearer piece may gain by promoting, or may open or close
//! a line. So this is a small search over the order of the attackers. A piece is passed over when another one does the
//! same for less (see `Attacker::outdone_by`), and the usual exchange of a few pieces needs no choice at all.

use arrayvec::ArrayVec;

use super::values::Values;
use crate::shogi::attacks;
use crate::shogi::bitboard::Bitboard;
use crate::shogi::color::{Color, PerColor};
use crate::shogi::moves::{Move, Origin};
use crate::shogi::piece::{Piece, PieceKind};
use crate::shogi::position::Position;
use crate::shogi::square::Square;

/// Whether a piece's task of defending another one elsewhere counts (SUPER-SOMA, §6).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Ties {
    /// Pieces capture without regard to what they leave behind.
    #[default]
    Ignored,
    /// After a capture by a piece that defended another one, the opponent may stop the exchange and take that one
    /// instead: stopping is then worth what the opponent gains there by the capturer's absence.
    Counted,
}

/// How exchanges are judged.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Exchange {
    /// What the pieces are worth.
    pub values: Values,
    /// Whether ties count. They make the exchange several times slower, and an estimate.
    pub ties: Ties,
}

/// Beyond any sum of material.
const UNBOUNDED: i32 = 1 << 20;

impl Exchange {
    /// Customary values, ties ignored.
    pub const PLAIN: Exchange = Exchange { values: Values::CUSTOMARY, ties: Ties::Ignored };
    /// Customary values, ties counted.
    pub const TIED: Exchange = Exchange { ties: Ties::Counted, ..Exchange::PLAIN };

    /// What the side to move gains by the legal move `mv` and the exchange that follows on its destination; what `mv`
    /// itself captures and promotes counts, and so does what it puts within the opponent's reach.
    pub fn gain(&self, position: &Position, mv: Move) -> i32 {
        let Some(first) = First::new(self, position, mv) else { return 0 };
        first.earned - self.answer(position, mv, &first, -UNBOUNDED, UNBOUNDED)
    }

    /// What the legal move `mv` captures and promotes by itself: its [`gain`](Self::gain) is not more.
    pub fn earned(&self, position: &Position, mv: Move) -> i32 {
        First::new(self, position, mv).map_or(0, |first| first.earned)
    }

    /// Whether [`gain`](Self::gain) is `threshold` or more; faster where that is soon decided.
    pub fn gains_at_least(&self, position: &Position, mv: Move, threshold: i32) -> bool {
        let Some(first) = First::new(self, position, mv) else { return threshold <= 0 };
        let spare = first.earned - threshold;
        if spare < 0 {
            return false;
        }
        // Nothing the opponent can do by one capture is worth more than the piece and a promotion.
        if self.ties == Ties::Ignored && spare >= first.prize + self.values.largest_promotion() {
            return true;
        }
        self.answer(position, mv, &first, spare, spare + 1) <= spare
    }

    /// What `color` gains by capturing on `square`, were it to move now: 0 where it cannot, where it does not pay, and
    /// where no piece of the opponent stands other than the king. A piece is *attacked* in the sense of the paper's
    /// categories when its opponent's threat is positive.
    pub fn threat(&self, position: &Position, square: Square, color: Color) -> i32 {
        match position.piece_on(square) {
            Some(Piece { color: owner, kind }) if owner != color && kind != PieceKind::King => {
                let occupied = position.occupied();
                let prize = self.values.captured(kind);
                Battle::on(self, position, square, occupied, Bitboard::EMPTY).begin(color, prize, occupied)
            }
            _ => 0,
        }
    }

    /// What the piece that plays the legal move `mv` would gain by capturing on `target` right afterwards, were the
    /// opponent to pass: 0 where it does not attack the target or the capture does not pay. A fork is a move that
    /// threatens two targets.
    pub fn threat_after(&self, position: &Position, mv: Move, target: Square) -> i32 {
        let us = position.side();
        let Some(victim) = position.piece_on(target).filter(|victim| victim.color != us) else { return 0 };
        let Some(First { piece, vacated, .. }) = First::new(self, position, mv) else { return 0 };
        let to = mv.to();
        let left = position.occupied().without(vacated | Bitboard::of(to));
        if target == to
            || victim.kind == PieceKind::King
            || !attacks::on_empty_board(piece, to).contains(target)
            || attacks::between(to, target).meets(left)
        {
            return 0;
        }
        let battle = Battle::on(self, position, target, left, Bitboard::EMPTY);
        let attacker = Attacker::new(&self.values, piece, to, target);
        if !battle.may_take(us, &attacker, left) {
            return 0;
        }
        let earned = self.values.captured(victim.kind) + attacker.bonus;
        let answer = battle.best(!us, attacker.cost + attacker.bonus, left, 0, earned - UNBOUNDED, earned);
        (earned - answer).max(0)
    }

    /// The opponent's best by taking back what `mv` has put on its destination, within `(alpha, beta)`.
    fn answer(&self, position: &Position, mv: Move, first: &First, alpha: i32, beta: i32) -> i32 {
        // The king arrives where nothing attacks it.
        if first.piece.kind == PieceKind::King && self.ties == Ties::Ignored {
            return 0;
        }
        let (us, to) = (position.side(), mv.to());
        let occupied = position.occupied().without(first.vacated) | Bitboard::of(to);
        let stop = match (self.ties, mv.from()) {
            (Ties::Counted, Some(from)) => {
                let deserter = Deserter { from, before: position.occupied(), now: first.piece, to };
                deserter.leaves(&self.values, position, occupied)
            }
            _ => 0,
        };
        let aimed = position.aimed(to, !us) & occupied;
        if !any_open(aimed, to, occupied) {
            return stop;
        }
        Battle::among(self, position, to, occupied, Bitboard::EMPTY, aimed, !us).best(
            !us,
            first.prize,
            occupied,
            stop,
            alpha,
            beta,
        )
    }
}

/// What the move that opens an exchange does by itself.
struct First {
    /// The piece as it stands after the move.
    piece: Piece,
    /// The square it has left; empty for a drop.
    vacated: Bitboard,
    /// Material gained by capture and promotion.
    earned: i32,
    /// What the opponent earns by taking the piece.
    prize: i32,
}

impl First {
    /// `None` where no piece stands on the square the move comes from.
    fn new(exchange: &Exchange, position: &Position, mv: Move) -> Option<First> {
        let values = &exchange.values;
        let us = position.side();
        let (kind, vacated, promotion) = match mv.origin() {
            Origin::Hand(kind) => (kind.piece_kind(), Bitboard::EMPTY, 0),
            Origin::Board(from) => {
                let kind = position.piece_on(from)?.kind;
                let vacated = Bitboard::of(from);
                match kind.promoted() {
                    Some(promoted) if mv.is_promotion() => (promoted, vacated, values.promotion(kind)),
                    _ => (kind, vacated, 0),
                }
            }
        };
        let taken = position.piece_on(mv.to()).map_or(0, |victim| values.captured(victim.kind));
        let piece = Piece::new(us, kind);
        Some(First { piece, vacated, earned: taken + promotion, prize: values.captured(kind) })
    }
}

/// Whether any of the pieces `aimed` at `square` attacks it when the pieces stand on `occupied`.
fn any_open(aimed: Bitboard, square: Square, occupied: Bitboard) -> bool {
    aimed.into_iter().any(|from| !attacks::between(square, from).meets(occupied))
}

/// `color`'s pieces that give check, or slide towards the opponent's king and would were nothing between.
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
    fn new(values: &Values, piece: Piece, from: Square, to: Square) -> Attacker {
        let promotes = to.in_promotion_zone(piece.color) || from.in_promotion_zone(piece.color);
        Attacker {
            square: from,
            is_king: piece.kind == PieceKind::King,
            cost: if piece.kind == PieceKind::King { UNBOUNDED } else { values.captured(piece.kind) },
            bonus: if promotes { values.promotion(piece.kind) } else { 0 },
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
struct Battle<'a> {
    exchange: &'a Exchange,
    position: &'a Position,
    square: Square,
    /// Cheapest first, the king last.
    attackers: PerColor<ArrayVec<Attacker, MAX_ATTACKERS>>,
    /// Pieces that give check to each side's king when nothing stands between.
    lines: PerColor<Bitboard>,
    /// Pieces whose capture may open or close a line, so that it matters which of them goes first.
    particular: Bitboard,
}

impl<'a> Battle<'a> {
    /// On `square`, with the pieces that stand on `occupied`; those on `strange` squares are not what the position
    /// has there.
    fn on(
        exchange: &'a Exchange,
        position: &'a Position,
        square: Square,
        occupied: Bitboard,
        strange: Bitboard,
    ) -> Battle<'a> {
        let black = position.aimed(square, Color::Black) & occupied.without(strange);
        Self::among(exchange, position, square, occupied, strange, black, Color::Black)
    }

    /// As [`on`](Self::on), where `color`'s pieces `aimed` at the square are known.
    fn among(
        exchange: &'a Exchange,
        position: &'a Position,
        square: Square,
        occupied: Bitboard,
        strange: Bitboard,
        known: Bitboard,
        color: Color,
    ) -> Battle<'a> {
        let real = occupied.without(strange | Bitboard::of(square));
        let mut sides = PerColor([Bitboard::EMPTY; 2]);
        sides[color] = known;
        sides[!color] = position.aimed(square, !color) & real;
        let mut battle = Battle {
            exchange,
            position,
            square,
            attackers: PerColor([ArrayVec::new(), ArrayVec::new()]),
            lines: PerColor(Color::ALL.map(|color| lines_at_king(position, !color) & real)),
            particular: Bitboard::EMPTY,
        };
        let all = sides[Color::Black] | sides[Color::White];
        all.for_each(|from| {
            let Some(piece) = position.piece_on(from) else { return };
            let attacker = Attacker::new(&exchange.values, piece, from, square);
            let list = &mut battle.attackers[piece.color];
            let place = list.iter().take_while(|other| other.cost <= attacker.cost).count();
            list.insert(place, attacker);
        });
        if Color::ALL.iter().any(|&color| battle.attackers[color].len() > 1) {
            battle.particular = match exchange.ties {
                Ties::Counted => Bitboard::FULL,
                Ties::Ignored => battle.on_lines(all),
            };
        }
        battle
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

    /// What `side` gains by beginning to capture what is worth `prize`.
    fn begin(&self, side: Color, prize: i32, occupied: Bitboard) -> i32 {
        self.best(side, prize, occupied, 0, -UNBOUNDED, UNBOUNDED)
    }

    /// What `side` gains by capturing what is worth `prize`, or by stopping, which is worth `stop`; exact within
    /// `(alpha, beta)`, a bound outside.
    fn best(&self, side: Color, prize: i32, occupied: Bitboard, stop: i32, alpha: i32, beta: i32) -> i32 {
        let mut best = stop;
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
            let stop = self.left_behind(side, attacker, occupied);
            let risk = attacker.cost + attacker.bonus;
            best = best.max(earned - self.best(!side, risk, left, stop, earned - beta, earned - bound));
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

    /// What stopping is worth to the opponent once `attacker` has captured.
    fn left_behind(&self, side: Color, attacker: &Attacker, occupied: Bitboard) -> i32 {
        if self.exchange.ties == Ties::Ignored {
            return 0;
        }
        let Some(piece) = self.position.piece_on(attacker.square) else { return 0 };
        debug_assert_eq!(piece.color, side);
        let kind = if attacker.bonus > 0 { piece.kind.promoted() } else { None };
        let now = Piece::new(side, kind.unwrap_or(piece.kind));
        Deserter { from: attacker.square, before: occupied, now, to: self.square }.leaves(
            &self.exchange.values,
            self.position,
            occupied.without(Bitboard::of(attacker.square)),
        )
    }
}

/// A piece that may leave others undefended.
struct Deserter {
    from: Square,
    /// Where the pieces stood before it left.
    before: Bitboard,
    /// What it is after its move.
    now: Piece,
    to: Square,
}

impl Deserter {
    /// The most that the opponent gains, through its absence, by taking a piece that it defended; the pieces now stand
    /// on `after`.
    fn leaves(&self, values: &Values, position: &Position, after: Bitboard) -> i32 {
        let Some(was) = position.piece_on(self.from) else { return 0 };
        let exchange = Exchange { values: *values, ties: Ties::Ignored };
        let there = Bitboard::of(self.to);
        let defended = attacks::of(was, self.from, self.before) & position.of_color(was.color) & after;
        let mut most = 0;
        defended.without(there | attacks::of(self.now, self.to, after)).for_each(|square| {
            let Some(friend) = position.piece_on(square).filter(|friend| friend.kind != PieceKind::King)
            else {
                return;
            };
            let prize = values.captured(friend.kind);
            // On the square of the exchange stands what the position does not have there.
            let threat = |occupied| {
                Battle::on(&exchange, position, square, occupied, there).begin(!was.color, prize, occupied)
            };
            let absent = threat(after);
            if absent > most {
                most = most.max(absent - threat(self.before));
            }
        });
        most
    }
}
