//! Promotions, captures included.

use super::candidate::Candidate;
use super::splits::Safety;
use super::view::View;
use crate::shogi::piece::PieceKind;

fn promote(mv: &Candidate, kind: PieceKind) -> Option<Safety> {
    (mv.before == kind && mv.promotes).then(|| Safety::of(mv.gain))
}

/// Becomes a dragon.
pub(super) fn rook(_: &View, mv: &Candidate) -> Option<Safety> {
    promote(mv, PieceKind::Rook)
}

/// Becomes a horse.
pub(super) fn bishop(_: &View, mv: &Candidate) -> Option<Safety> {
    promote(mv, PieceKind::Bishop)
}

/// Becomes a promoted silver.
pub(super) fn silver(_: &View, mv: &Candidate) -> Option<Safety> {
    promote(mv, PieceKind::Silver)
}

/// Becomes a promoted knight.
pub(super) fn knight(_: &View, mv: &Candidate) -> Option<Safety> {
    promote(mv, PieceKind::Knight)
}

/// Becomes a promoted lance.
pub(super) fn lance(_: &View, mv: &Candidate) -> Option<Safety> {
    promote(mv, PieceKind::Lance)
}

/// Becomes a tokin.
pub(super) fn pawn(_: &View, mv: &Candidate) -> Option<Safety> {
    promote(mv, PieceKind::Pawn)
}
