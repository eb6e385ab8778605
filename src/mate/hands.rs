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
