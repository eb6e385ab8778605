//! Moves on the board that neither capture nor promote, by the piece that moves.

use super::candidate::Candidate;
use super::splits::{Approach, KingStep, PawnStep, RookStep, Safety};
use super::view::View;
use crate::shogi::attacks;
use crate::shogi::piece::{Piece, PieceKind};
use crate::shogi::square::Square;

/// A pawn. One that meets a pawn offers an exchange; near a king is within two squares.
pub(super) fn pawn(view: &View, mv: &Candidate) -> Option<PawnStep> {
    if mv.before != PieceKind::Pawn {
        return None;
    }
    Some(if !mv.is_safe() {
        PawnStep::Loss
    } else if view.glance.theirs_by_pawn.contains(mv.to) {
        PawnStep::Contact
    } else if near(view.glance.their_king, mv.to) {
        PawnStep::TheirKing
    } else if mv.from.is_some_and(|from| before_rook(view, from)) {
        PawnStep::BeforeRook
    } else if mv.to.file() == 0 || mv.to.file() == 8 {
        PawnStep::Edge
    } else if near(view.glance.our_king, mv.to) {
        PawnStep::OurKing
    } else {
        PawnStep::Elsewhere
    })
}

/// Whether a rook or dragon of ours stands behind `square` with nothing between.
fn before_rook(view: &View, square: Square) -> bool {
    let position = view.glance.position;
    let rooks = (position.of_kind(PieceKind::Rook) | position.of_kind(PieceKind::Dragon))
        & position.of_color(view.glance.us)
        & attacks::on_empty_board(Piece::new(!view.glance.us, PieceKind::Lance), square);
    rooks.into_iter().any(|rook| !attacks::between(square, rook).meets(view.glance.occupied))
}

/// A lance.
pub(super) fn lance(_: &View, mv: &Candidate) -> Option<Safety> {
    (mv.before == PieceKind::Lance).then(|| Safety::of(mv.gain))
}

/// A knight.
pub(super) fn knight(view: &View, mv: &Candidate) -> Option<Approach> {
    (mv.before == PieceKind::Knight).then(|| approach(view, mv))
}

/// A silver.
pub(super) fn silver(view: &View, mv: &Candidate) -> Option<Approach> {
    (mv.before == PieceKind::Silver).then(|| approach(view, mv))
}

/// A gold.
pub(super) fn gold(view: &View, mv: &Candidate) -> Option<Approach> {
    (mv.before == PieceKind::Gold).then(|| approach(view, mv))
}

/// A promoted pawn, lance, knight or silver.
pub(super) fn promoted_minor(view: &View, mv: &Candidate) -> Option<Approach> {
    (mv.before.moves_as_gold() && mv.before.is_promoted()).then(|| approach(view, mv))
}

/// A bishop.
pub(super) fn bishop(view: &View, mv: &Candidate) -> Option<Approach> {
    (mv.before == PieceKind::Bishop).then(|| approach(view, mv))
}

/// A rook.
pub(super) fn rook(_: &View, mv: &Candidate) -> Option<RookStep> {
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
pub(super) fn horse(view: &View, mv: &Candidate) -> Option<Approach> {
    (mv.before == PieceKind::Horse).then(|| approach(view, mv))
}

/// A dragon, the promoted rook.
pub(super) fn dragon(view: &View, mv: &Candidate) -> Option<Approach> {
    (mv.before == PieceKind::Dragon).then(|| approach(view, mv))
}

/// The king, out of check. It is in danger while they attack a square beside it that nothing else defends; otherwise
/// it goes into the castle where it moves in its own camp away from the middle.
pub(super) fn king(view: &View, mv: &Candidate) -> Option<KingStep> {
    if mv.before != PieceKind::King {
        return None;
    }
    let from = mv.from?;
    let rank = |square: Square| square.rank_from(view.glance.us);
    let from_middle = |square: Square| square.file().abs_diff(4);
    Some(if !view.weak.is_empty() {
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
fn approach(view: &View, mv: &Candidate) -> Approach {
    let nearer = |king: Option<Square>| match (king, mv.from) {
        (Some(king), Some(from)) => distance(king, mv.to) < distance(king, from),
        _ => false,
    };
    if !mv.is_safe() {
        Approach::Loss
    } else if nearer(view.glance.their_king) {
        Approach::TheirKing
    } else if nearer(view.glance.our_king) {
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
