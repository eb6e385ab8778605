//! Moves that attack something.
//!
//! A piece attacks another one, in the sense of these categories, when it would gain by taking it: the other is worth
//! more, or nothing defends it.

use super::candidate::Candidate;
use super::splits::{Fork, Manner, Opening, PawnManner, Target, Worth};
use super::view::View;
use crate::shogi::attacks;
use crate::shogi::bitboard::Bitboard;
use crate::shogi::piece::{Piece, PieceKind};
use crate::shogi::square::Square;

/// Attacks two pieces at once, or the king and a piece.
pub(super) fn fork(view: &View, mv: &Candidate) -> Option<Fork> {
    if !mv.targets.has_several() || !mv.is_safe() {
        return None;
    }
    let (dearest, at) = view.dearest(mv.targets)?;
    let (second, _) = view.dearest(mv.targets.without(Bitboard::of(at)))?;
    Some(Fork::of(dearest, second))
}

/// Attacks a piece with a pawn that is lost for nothing in no case.
pub(super) fn attack_by_pawn(view: &View, mv: &Candidate) -> Option<Target> {
    if mv.after == PieceKind::Pawn && mv.is_safe() { target(view, mv.targets) } else { None }
}

/// Gives up a pawn in front of a piece (*tataki*, "strike").
pub(super) fn strike(view: &View, mv: &Candidate) -> Option<Target> {
    if mv.after == PieceKind::Pawn && !mv.is_safe() { target(view, mv.targets) } else { None }
}

/// Attacks a piece with anything but a pawn.
pub(super) fn attack(view: &View, mv: &Candidate) -> Option<Target> {
    if mv.after != PieceKind::Pawn && mv.is_safe() { target(view, mv.targets) } else { None }
}

/// Attacks the piece that has just moved.
pub(super) fn attack_last(view: &View, mv: &Candidate) -> Option<PawnManner> {
    (view.glance.last_to.is_some_and(|last| mv.targets.contains(last)) && mv.is_safe())
        .then(|| mv.pawn_manner())
}

/// Goes beside the piece that has just moved.
pub(super) fn beside_last(view: &View, mv: &Candidate) -> Option<PawnManner> {
    let beside = view.glance.last_to.is_some_and(|last| attacks::king(last).contains(mv.to));
    (beside && mv.is_safe()).then(|| mv.pawn_manner())
}

/// Aims a lance, bishop or rook at their king through a single piece of theirs.
pub(super) fn pin(view: &View, mv: &Candidate) -> Option<Manner> {
    let king = view.glance.their_king?;
    if !mv.slides() || !attacks::on_empty_board(Piece::new(view.glance.us, mv.after), mv.to).contains(king) {
        return None;
    }
    let between = attacks::between(mv.to, king) & view.glance.occupied;
    let theirs = view.worth_at_least(Worth::Pawn);
    let pins = !between.is_empty() && !between.has_several() && between.meets(theirs);
    (pins && mv.is_safe()).then(|| mv.manner())
}

/// Bears on a square beside their king which only the king defends and which another piece of ours attacks as well:
/// a threat to go there.
pub(super) fn threaten_mate(view: &View, mv: &Candidate) -> Option<Manner> {
    let squares = mv.attacks & view.their_weak;
    if squares.is_empty() || mv.gives_check() || !mv.is_safe() {
        return None;
    }
    let others = view.glance.ours_twice | view.glance.ours.without(mv.attacks_before(view));
    squares.meets(others).then(|| mv.manner())
}

/// Leaves the line of a lance, bishop or rook of ours.
pub(super) fn open_line(view: &View, mv: &Candidate) -> Option<Opening> {
    let from = mv.from?;
    if !view.ours_sliding.contains(from) || !mv.is_safe() {
        return None;
    }
    let after = view.glance.occupied.without(Bitboard::of(from)) | Bitboard::of(mv.to);
    let mut opening = None;
    view.our_sliders.for_each(|slider| {
        if let Some(found) = opened(view, slider, from, after) {
            opening = Some(opening.map_or(found, |so_far: Opening| so_far.min(found)));
        }
    });
    opening
}

/// What the slider on `slider` gains by a piece leaving `from`, after which the pieces stand on `after`.
fn opened(view: &View, slider: Square, from: Square, after: Bitboard) -> Option<Opening> {
    /// Free squares that count as a line.
    const REACH: u32 = 3;
    let piece = view.glance.position.piece_on(slider)?;
    let line = attacks::line_through(slider, from);
    if slider == from
        || !attacks::on_empty_board(piece, slider).contains(from)
        || attacks::between(slider, from).meets(view.glance.occupied)
    {
        return None;
    }
    let beyond = (attacks::of(piece, slider, after) & line).without(view.glance.ours);
    if beyond.meets(view.worth_taking(Worth::of(piece.kind))) {
        Some(Opening::Attack)
    } else if beyond.count() >= REACH {
        Some(Opening::Reach)
    } else {
        None
    }
}

/// The dearest piece among `targets` other than the king.
fn target(view: &View, targets: Bitboard) -> Option<Target> {
    let kings = view.glance.position.of_kind(PieceKind::King);
    view.dearest(targets.without(kings)).and_then(|(worth, _)| Target::of(worth))
}
