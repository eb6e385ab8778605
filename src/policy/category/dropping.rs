//! Drops, by the piece dropped.

use super::moving::{distance, near};
use crate::policy::move_context::MoveContext;
use crate::policy::move_facts::MoveFacts;
use crate::policy::splits::{PawnPlace, Place};
use crate::shogi::piece::HandKind;

/// A pawn. *Dangling* (tarefu, 垂れ歩) is one before their camp that promotes next, on the *bottom* rank (sokofu, 底歩)
/// it shields our camp.
pub(super) fn pawn(context: &MoveContext, mv: &MoveFacts) -> Option<PawnPlace> {
    if mv.dropped() != Some(HandKind::Pawn) {
        return None;
    }
    Some(if !mv.is_safe() {
        PawnPlace::Loss
    } else if near(context.plain.their_king, mv.to) {
        PawnPlace::TheirKing
    } else {
        match mv.to.rank_from(context.plain.us) {
            8 => PawnPlace::Bottom,
            _ if near(context.plain.our_king, mv.to) => PawnPlace::OurKing,
            6.. => PawnPlace::OurCamp,
            3 if !mv.attacks.meets(context.plain.theirs | context.plain.occupied) => PawnPlace::Dangling,
            ..3 => PawnPlace::TheirCamp,
            _ => PawnPlace::Elsewhere,
        }
    })
}

/// A lance.
pub(super) fn lance(context: &MoveContext, mv: &MoveFacts) -> Option<Place> {
    place(context, mv, HandKind::Lance)
}

/// A knight.
pub(super) fn knight(context: &MoveContext, mv: &MoveFacts) -> Option<Place> {
    place(context, mv, HandKind::Knight)
}

/// A silver.
pub(super) fn silver(context: &MoveContext, mv: &MoveFacts) -> Option<Place> {
    place(context, mv, HandKind::Silver)
}

/// A gold.
pub(super) fn gold(context: &MoveContext, mv: &MoveFacts) -> Option<Place> {
    place(context, mv, HandKind::Gold)
}

/// A bishop.
pub(super) fn bishop(context: &MoveContext, mv: &MoveFacts) -> Option<Place> {
    place(context, mv, HandKind::Bishop)
}

/// A rook.
pub(super) fn rook(context: &MoveContext, mv: &MoveFacts) -> Option<Place> {
    place(context, mv, HandKind::Rook)
}

fn place(context: &MoveContext, mv: &MoveFacts, kind: HandKind) -> Option<Place> {
    if mv.dropped() != Some(kind) {
        return None;
    }
    let beside = context.plain.their_king.is_some_and(|king| distance(king, mv.to) == 1);
    Some(if !mv.is_safe() {
        Place::Loss
    } else if beside {
        Place::BesideTheirKing
    } else if near(context.plain.their_king, mv.to) {
        Place::NearTheirKing
    } else if near(context.plain.our_king, mv.to) {
        Place::NearOurKing
    } else {
        match mv.to.rank_from(context.plain.us) {
            ..3 => Place::TheirCamp,
            6.. => Place::OurCamp,
            _ => Place::Elsewhere,
        }
    })
}
