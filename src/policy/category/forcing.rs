//! Checks, captures and promotions.

use crate::policy::move_context::MoveContext;
use crate::policy::move_facts::MoveFacts;
use crate::policy::splits::{Outcome, Safety, Size};
use crate::shogi::piece::PieceKind;

/// Gives check in any way.
pub(super) fn check(_: &MoveContext, mv: &MoveFacts) -> Option<Outcome> {
    mv.gives_check().then(|| mv.outcome())
}

/// Gives check with a piece from the hand.
pub(super) fn check_by_drop(_: &MoveContext, mv: &MoveFacts) -> Option<Safety> {
    (mv.attacks_king && mv.from.is_none()).then(|| Safety::of(mv.see))
}

/// Uncovers a check by a piece behind it; a double check counts.
pub(super) fn discovered_check(_: &MoveContext, mv: &MoveFacts) -> Option<Safety> {
    mv.discovers_check.then(|| Safety::of(mv.see))
}

/// Takes the piece that has just moved.
pub(super) fn recapture(context: &MoveContext, mv: &MoveFacts) -> Option<Size> {
    (mv.captures && context.plain.last_to == Some(mv.to)).then(|| Size::of(mv.see))
}

/// Takes any other piece.
pub(super) fn capture(context: &MoveContext, mv: &MoveFacts) -> Option<Size> {
    (mv.captures && context.plain.last_to != Some(mv.to)).then(|| Size::of(mv.see))
}

/// Takes a piece that attacks one of ours which they would gain by taking.
pub(super) fn take_attacker(context: &MoveContext, mv: &MoveFacts) -> Option<Outcome> {
    context.attackers.contains(mv.to).then(|| mv.outcome())
}

/// Becomes a dragon.
pub(super) fn promote_rook(_: &MoveContext, mv: &MoveFacts) -> Option<Safety> {
    promote(mv, PieceKind::Rook)
}

/// Becomes a horse.
pub(super) fn promote_bishop(_: &MoveContext, mv: &MoveFacts) -> Option<Safety> {
    promote(mv, PieceKind::Bishop)
}

/// Becomes a promoted silver.
pub(super) fn promote_silver(_: &MoveContext, mv: &MoveFacts) -> Option<Safety> {
    promote(mv, PieceKind::Silver)
}

/// Becomes a promoted knight.
pub(super) fn promote_knight(_: &MoveContext, mv: &MoveFacts) -> Option<Safety> {
    promote(mv, PieceKind::Knight)
}

/// Becomes a promoted lance.
pub(super) fn promote_lance(_: &MoveContext, mv: &MoveFacts) -> Option<Safety> {
    promote(mv, PieceKind::Lance)
}

/// Becomes a tokin.
pub(super) fn promote_pawn(_: &MoveContext, mv: &MoveFacts) -> Option<Safety> {
    promote(mv, PieceKind::Pawn)
}

/// A promotion of this kind, by capture or not.
fn promote(mv: &MoveFacts, kind: PieceKind) -> Option<Safety> {
    (mv.before == kind && mv.promotes).then(|| Safety::of(mv.see))
}
