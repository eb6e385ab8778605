//! Drops, by the piece dropped.

use super::candidate::Candidate;
use super::moving::{distance, near};
use super::splits::{PawnPlace, Place};
use super::view::View;
use crate::shogi::piece::HandKind;

/// A pawn. *Dangling* (tarefu, 垂れ歩) is one before their camp that promotes next, on the *bottom* rank (sokofu, 底歩)
/// it shields our camp.
pub(super) fn pawn(view: &View, mv: &Candidate) -> Option<PawnPlace> {
    if mv.dropped() != Some(HandKind::Pawn) {
        return None;
    }
    Some(if !mv.is_safe() {
        PawnPlace::Loss
    } else if near(view.glance.their_king, mv.to) {
        PawnPlace::TheirKing
    } else {
        match mv.to.rank_from(view.glance.us) {
            8 => PawnPlace::Bottom,
            _ if near(view.glance.our_king, mv.to) => PawnPlace::OurKing,
            6.. => PawnPlace::OurCamp,
            3 if !mv.attacks.meets(view.glance.theirs | view.glance.occupied) => PawnPlace::Dangling,
            ..3 => PawnPlace::TheirCamp,
            _ => PawnPlace::Elsewhere,
        }
    })
}

/// A lance.
pub(super) fn lance(view: &View, mv: &Candidate) -> Option<Place> {
    place(view, mv, HandKind::Lance)
}

/// A knight.
pub(super) fn knight(view: &View, mv: &Candidate) -> Option<Place> {
    place(view, mv, HandKind::Knight)
}

/// A silver.
pub(super) fn silver(view: &View, mv: &Candidate) -> Option<Place> {
    place(view, mv, HandKind::Silver)
}

/// A gold.
pub(super) fn gold(view: &View, mv: &Candidate) -> Option<Place> {
    place(view, mv, HandKind::Gold)
}

/// A bishop.
pub(super) fn bishop(view: &View, mv: &Candidate) -> Option<Place> {
    place(view, mv, HandKind::Bishop)
}

/// A rook.
pub(super) fn rook(view: &View, mv: &Candidate) -> Option<Place> {
    place(view, mv, HandKind::Rook)
}

fn place(view: &View, mv: &Candidate, kind: HandKind) -> Option<Place> {
    if mv.dropped() != Some(kind) {
        return None;
    }
    let beside = view.glance.their_king.is_some_and(|king| distance(king, mv.to) == 1);
    Some(if !mv.is_safe() {
        Place::Loss
    } else if beside {
        Place::BesideTheirKing
    } else if near(view.glance.their_king, mv.to) {
        Place::NearTheirKing
    } else if near(view.glance.our_king, mv.to) {
        Place::NearOurKing
    } else {
        match mv.to.rank_from(view.glance.us) {
            ..3 => Place::TheirCamp,
            6.. => Place::OurCamp,
            _ => Place::Elsewhere,
        }
    })
}
