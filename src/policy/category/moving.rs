//! Moves on the board that neither capture nor promote, by the piece that moves.

use crate::policy::move_context::MoveContext;
use crate::policy::move_facts::MoveFacts;
use crate::policy::splits::{Approach, KingStep, PawnStep, RookStep, Safety};
use crate::shogi::attacks;
use crate::shogi::piece::{Piece, PieceKind};
use crate::shogi::square::Square;

/// A pawn. One that meets a pawn offers an exchange; near a king is within two squares.
pub(super) fn pawn(context: &MoveContext, mv: &MoveFacts) -> Option<PawnStep> {
    if mv.before != PieceKind::Pawn {
        return None;
    }
    Some(if !mv.is_safe() {
        PawnStep::Loss
    } else if context.plain.theirs_by_pawn.contains(mv.to) {
        PawnStep::Contact
    } else if near(context.plain.their_king, mv.to) {
        PawnStep::TheirKing
    } else if mv.from.is_some_and(|from| before_rook(context, from)) {
        PawnStep::BeforeRook
    } else if mv.to.file() == 0 || mv.to.file() == 8 {
        PawnStep::Edge
    } else if near(context.plain.our_king, mv.to) {
        PawnStep::OurKing
    } else {
        PawnStep::Elsewhere
    })
}

/// Whether a rook or dragon of ours stands behind `square` with nothing between.
fn before_rook(context: &MoveContext, square: Square) -> bool {
    let position = context.plain.position;
    let rooks = (position.of_kind(PieceKind::Rook) | position.of_kind(PieceKind::Dragon))
        & position.of_color(context.plain.us)
        & attacks::on_empty_board(Piece::new(!context.plain.us, PieceKind::Lance), square);
    rooks.into_iter().any(|rook| !attacks::between(square, rook).meets(context.plain.occupied))
}

/// A lance.
pub(super) fn lance(_: &MoveContext, mv: &MoveFacts) -> Option<Safety> {
    (mv.before == PieceKind::Lance).then(|| Safety::of(mv.see))
}

/// A knight.
pub(super) fn knight(context: &MoveContext, mv: &MoveFacts) -> Option<Approach> {
    (mv.before == PieceKind::Knight).then(|| approach(context, mv))
}

/// A silver.
pub(super) fn silver(context: &MoveContext, mv: &MoveFacts) -> Option<Approach> {
    (mv.before == PieceKind::Silver).then(|| approach(context, mv))
}

/// A gold.
pub(super) fn gold(context: &MoveContext, mv: &MoveFacts) -> Option<Approach> {
    (mv.before == PieceKind::Gold).then(|| approach(context, mv))
}

/// A promoted pawn, lance, knight or silver.
pub(super) fn promoted_minor(context: &MoveContext, mv: &MoveFacts) -> Option<Approach> {
    (mv.before.moves_as_gold() && mv.before.is_promoted()).then(|| approach(context, mv))
}

/// A bishop.
pub(super) fn bishop(context: &MoveContext, mv: &MoveFacts) -> Option<Approach> {
    (mv.before == PieceKind::Bishop).then(|| approach(context, mv))
}

/// A rook.
pub(super) fn rook(_: &MoveContext, mv: &MoveFacts) -> Option<RookStep> {
    if mv.before != PieceKind::Rook {
        return None;
    }
    Some(if !mv.is_safe() {
        RookStep::Loss
    } else if mv.from.is_some_and(|from| from.file() == mv.to.file()) {
        RookStep::File
    } else {
        RookStep::Rank
    })
}

/// A horse, the promoted bishop.
pub(super) fn horse(context: &MoveContext, mv: &MoveFacts) -> Option<Approach> {
    (mv.before == PieceKind::Horse).then(|| approach(context, mv))
}

/// A dragon, the promoted rook.
pub(super) fn dragon(context: &MoveContext, mv: &MoveFacts) -> Option<Approach> {
    (mv.before == PieceKind::Dragon).then(|| approach(context, mv))
}

/// The king, out of check. It is in danger while they attack a square beside it that nothing else defends; otherwise
/// it goes into the castle where it moves in its own camp away from the middle.
pub(super) fn king(context: &MoveContext, mv: &MoveFacts) -> Option<KingStep> {
    if mv.before != PieceKind::King {
        return None;
    }
    let from = mv.from?;
    let rank = |square: Square| square.rank_from(context.plain.us);
    let from_middle = |square: Square| square.file().abs_diff(4);
    Some(if !context.weak.is_empty() {
        KingStep::Danger
    } else if rank(mv.to) < rank(from) && rank(mv.to) < 6 {
        KingStep::Entering
    } else if rank(mv.to) >= 6 && from_middle(mv.to) > from_middle(from) {
        KingStep::Castle
    } else {
        KingStep::Elsewhere
    })
}

/// Towards which king a piece goes; theirs where both come nearer.
fn approach(context: &MoveContext, mv: &MoveFacts) -> Approach {
    let nearer = |king: Option<Square>| match (king, mv.from) {
        (Some(king), Some(from)) => distance(king, mv.to) < distance(king, from),
        _ => false,
    };
    if !mv.is_safe() {
        Approach::Loss
    } else if nearer(context.plain.their_king) {
        Approach::TheirKing
    } else if nearer(context.plain.our_king) {
        Approach::OurKing
    } else {
        Approach::Elsewhere
    }
}

/// King's steps from one square to the other.
pub(super) fn distance(a: Square, b: Square) -> u8 {
    a.file().abs_diff(b.file()).max(a.rank().abs_diff(b.rank()))
}

/// Within two steps.
pub(super) fn near(king: Option<Square>, square: Square) -> bool {
    king.is_some_and(|king| distance(king, square) <= 2)
}
