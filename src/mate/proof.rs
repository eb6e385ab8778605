//! What is known of a position: proof and disproof numbers, or a verdict and what it holds for.
//!
//! The hands that a verdict holds for.
//!
//! A mate that works with some pieces in hand works with more, and where there is none, fewer do not help (proof pieces
//! and disproof pieces: 証明駒, 反証駒). The least hand for a proof and the largest for a disproof follow from those of
//! the children. What the attacker does not hold, the defender does, so a hand also says what may be interposed.

use crate::shogi::attacks;
use crate::shogi::color::Color;
use crate::shogi::hand::Hand;
use crate::shogi::moves::{Move, Origin};
use crate::shogi::piece::HandKind;
use crate::shogi::position::Position;

/// A proof or disproof number that no effort reaches: that of a decided position.
pub const INFINITE: u32 = 1 << 30;

/// The largest proof or disproof number of an open position. Transpositions are counted once for each line that leads
/// to them, so that sums of sums would grow without end: they are cut to this. A threshold above it is no threshold at
/// all.
pub const MAX_OPEN: u32 = 1 << 22;

/// The depth of a node on the path from the root, which has depth 1.
pub type Depth = u16;

/// [`Proof::since`] of a disproof that depends on no node of the path.
pub const ANYWHERE: Depth = Depth::MAX;
/// [`Proof::since`] of a disproof that depends on more than the path from the root: on the game before it, or on a
/// limit of depth.
pub const OUTSIDE: Depth = 0;

/// What is known of a node.
#[derive(Clone, Copy, Debug)]
pub struct Proof {
    /// The least number of leaves that have to be proven for a mate to be proven; 0 where it is.
    pub pn: u32,
    /// The least number of leaves that have to be disproven for the mate to be disproven; 0 where it is.
    pub dn: u32,
    /// With a verdict: an attacker's hand that is enough for the mate, or one that is not enough.
    pub hand: Hand,
    /// With a verdict: the mate takes at most this many plies, or there is none within this many.
    pub plies: Plies,
    /// With a disproof: the depth of the first node of the path that it depends on, because that position must not
    /// repeat.
    pub since: Depth,
}

impl Proof {
    /// No verdict yet.
    pub const fn open(pn: u32, dn: u32) -> Proof {
        Proof { pn, dn, hand: Hand::EMPTY, plies: Plies::UNBOUNDED, since: ANYWHERE }
    }

    /// A mate.
    pub const fn proven(hand: Hand, plies: Plies) -> Proof {
        Proof { pn: 0, dn: INFINITE, hand, plies, since: ANYWHERE }
    }

    /// No mate.
    pub const fn disproven(hand: Hand, plies: Plies, since: Depth) -> Proof {
        Proof { pn: INFINITE, dn: 0, hand, plies, since }
    }

    pub const fn is_proven(&self) -> bool {
        self.pn == 0
    }

    pub const fn is_disproven(&self) -> bool {
        self.dn == 0
    }

    /// Whether there is a mate, if that is known whatever the path was.
    pub const fn verdict(&self) -> Option<bool> {
        match self {
            Proof { pn: 0, .. } => Some(true),
            Proof { dn: 0, since: 1.., .. } => Some(false),
            _ => None,
        }
    }

    pub const fn is_open(&self) -> bool {
        self.pn != 0 && self.dn != 0
    }

    /// φ: the number that the side to move wants small, the attacker's proof number or the defender's disproof number.
    pub const fn phi(&self, attacking: bool) -> u32 {
        if attacking { self.pn } else { self.dn }
    }

    /// δ: the number that the side to move wants large.
    pub const fn delta(&self, attacking: bool) -> u32 {
        if attacking { self.dn } else { self.pn }
    }

    /// The numbers of the unsearched position after the check `mv`.
    ///
    /// The first numbers are guessed from the move that leads there (df-pn+, Nagai and Imai 1999). A piece that is
    /// supported better than attacked where it arrives is more likely to stay there, and to mate or to parry.
    pub fn guess_after_check(position: &Position, attacker: Color, mv: Move) -> Proof {
        let (own, theirs) = support(position, attacker, mv);
        if own > theirs {
            Proof::open(UNIT, 2 * UNIT)
        } else if position.piece_on(mv.to()).is_some() {
            Proof::open(UNIT, UNIT)
        } else {
            Proof::open(2 * UNIT, UNIT)
        }
    }

    /// The same after the defender's evasion `mv`.
    pub fn guess_after_evasion(position: &Position, attacker: Color, mv: Move) -> Proof {
        let captures = position.piece_on(mv.to()).is_some();
        if mv.from().is_some() && mv.from() == position.king(!attacker) {
            return if captures { Proof::open(2 * UNIT, UNIT) } else { Proof::open(UNIT, UNIT) };
        }
        if captures {
            return Proof::open(2 * UNIT, UNIT);
        }
        let (own, theirs) = support(position, !attacker, mv);
        if own > theirs { Proof::open(2 * UNIT, UNIT) } else { Proof::open(UNIT, 2 * UNIT) }
    }
}

/// The first proof and disproof number after an ordinary move.
const UNIT: u32 = 2;

/// How many pieces of the mover and of the other side bear on the destination of `mv`; a dropped piece counts for its
/// own side, as a moved one does.
fn support(position: &Position, mover: Color, mv: Move) -> (u32, u32) {
    let occupied = position.occupied();
    let bearing = |color| position.attackers(mv.to(), color, occupied).count();
    (bearing(mover) + u32::from(mv.is_drop()), bearing(!mover))
}

/// How many plies a mate may take: a number, or no bound at all.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, bytemuck::Zeroable)]
pub struct Plies(u16);

impl Plies {
    /// However long it takes.
    pub const UNBOUNDED: Plies = Plies(u16::MAX);
    /// No move at all.
    pub const ZERO: Plies = Plies(0);

    /// `plies`, cut to the largest number that is still a bound.
    pub const fn new(plies: u32) -> Plies {
        Plies(if plies < u16::MAX as u32 { plies as u16 } else { u16::MAX - 1 })
    }

    /// One ply more.
    #[must_use]
    pub const fn longer(self) -> Plies {
        Plies(if self.0 >= u16::MAX - 1 { self.0 } else { self.0 + 1 })
    }

    /// One ply less, where there is one.
    #[must_use]
    pub const fn shorter(self) -> Plies {
        Plies(if self.0 == u16::MAX { self.0 } else { self.0.saturating_sub(1) })
    }

    /// The number; the largest there is where there is no bound.
    pub const fn get(self) -> u16 {
        self.0
    }

    /// The inverse of [`get`](Plies::get).
    pub const fn from_word(word: u16) -> Plies {
        Plies(word)
    }
}

/// `hand` with `count` pieces of `kind`.
fn with_count(hand: Hand, kind: HandKind, count: u8) -> Hand {
    let mut hand = hand;
    while hand.count(kind) > count {
        hand = hand.without(kind);
    }
    while hand.count(kind) < count {
        hand = hand.with(kind);
    }
    hand
}

/// The least hand with which the attacker can play `mv` in `position` and has at least `after` afterwards.
pub fn before_attack(position: &Position, mv: Move, after: Hand) -> Hand {
    match mv.origin() {
        Origin::Hand(kind) if after.count(kind) < kind.in_set() => after.with(kind),
        Origin::Hand(_) => after,
        Origin::Board(_) => match captured(position, mv) {
            Some(kind) if after.has(kind) => after.without(kind),
            _ => after,
        },
    }
}

fn captured(position: &Position, mv: Move) -> Option<HandKind> {
    mv.from().and_then(|_| position.piece_on(mv.to())).and_then(|piece| piece.kind.hand_kind())
}

/// The hand that the attacker needs in a proven `position` with the defender to move, where the replies need `needed`.
/// A kind that the defender could not interpose must not get into the defender's hand, so the attacker has to hold it.
pub fn proof_against_all(position: &Position, attacker: Color, needed: Hand) -> Hand {
    let king = position.king(!attacker);
    let checkers = position.checkers();
    let (Some(king), Some(checker)) = (king, checkers.first()) else { return needed };
    if checkers.has_several() || attacks::between(king, checker).is_empty() {
        return needed;
    }
    let (own, theirs) = (position.hand(attacker), position.hand(!attacker));
    HandKind::ALL.into_iter().filter(|&kind| !theirs.has(kind)).fold(needed, |needed, kind| {
        if own.count(kind) > needed.count(kind) { with_count(needed, kind, own.count(kind)) } else { needed }
    })
}

/// The largest hand that a disproof with the attacker to move can hold for: any number of the kinds in the attacker's
/// hand, none of other kinds, which might give new checks.
pub fn disproof_ceiling(position: &Position, attacker: Color) -> Hand {
    let (own, theirs) = (position.hand(attacker), position.hand(!attacker));
    HandKind::ALL
        .into_iter()
        .filter(|&kind| own.has(kind))
        .fold(Hand::EMPTY, |hand, kind| with_count(hand, kind, own.count(kind) + theirs.count(kind)))
}

/// The largest hand that a disproof by the defender's `mv` in `position` holds for, where it holds for `after`
/// afterwards: the defender must still have what is dropped.
pub fn disproof_by_reply(position: &Position, attacker: Color, mv: Move, after: Hand) -> Hand {
    let (own, theirs) = (position.hand(attacker), position.hand(!attacker));
    HandKind::ALL.into_iter().fold(after, |hand, kind| {
        let dropped = u8::from(mv.dropped() == Some(kind));
        let most = own.count(kind) + theirs.count(kind) - dropped;
        if hand.count(kind) > most { with_count(hand, kind, most) } else { hand }
    })
}
