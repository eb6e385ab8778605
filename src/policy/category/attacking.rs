//! Moves that attack something.
//!
//! A piece attacks another one, in the sense of these categories, when it would gain by taking it: the other is worth
//! more, or nothing defends it.

use crate::policy::move_context::MoveContext;
use crate::policy::move_facts::MoveFacts;
use crate::policy::splits::{AttackerKind, Fork, Manner, OpenedLine, PawnManner, Target, Worth};
use crate::shogi::attacks;
use crate::shogi::bitboard::Bitboard;
use crate::shogi::piece::{Piece, PieceKind};
use crate::shogi::square::Square;

/// Attacks two pieces at once, or the king and a piece.
pub(super) fn fork(context: &MoveContext, mv: &MoveFacts) -> Option<Fork> {
    if !mv.targets.has_several() || !mv.is_safe() {
        return None;
    }
    let (dearest, at) = context.dearest(mv.targets)?;
    let (second, _) = context.dearest(mv.targets.without(Bitboard::of(at)))?;
    Some(Fork::of(dearest, second))
}

/// Gives check with the piece that moves and loses nothing.
pub(super) fn attack_king(_: &MoveContext, mv: &MoveFacts) -> Option<AttackerKind> {
    if mv.attacks_king && mv.is_safe() { AttackerKind::of(mv.after) } else { None }
}

/// Attacks a piece with a pawn that is not simply lost.
pub(super) fn attack_by_pawn(context: &MoveContext, mv: &MoveFacts) -> Option<Target> {
    if mv.after == PieceKind::Pawn && mv.is_safe() { target(context, mv.targets) } else { None }
}

/// Gives up a pawn in front of a piece (*tataki*, "strike").
pub(super) fn strike(context: &MoveContext, mv: &MoveFacts) -> Option<Target> {
    if mv.after == PieceKind::Pawn && !mv.is_safe() { target(context, mv.targets) } else { None }
}

/// Attacks a piece with anything but a pawn.
pub(super) fn attack(context: &MoveContext, mv: &MoveFacts) -> Option<Target> {
    if mv.after != PieceKind::Pawn && mv.is_safe() { target(context, mv.targets) } else { None }
}

/// Attacks the piece that has just moved.
pub(super) fn attack_last(context: &MoveContext, mv: &MoveFacts) -> Option<PawnManner> {
    (context.plain.last_to.is_some_and(|last| mv.targets.contains(last)) && mv.is_safe())
        .then(|| mv.pawn_manner())
}

/// Goes beside the piece that has just moved.
pub(super) fn beside_last(context: &MoveContext, mv: &MoveFacts) -> Option<PawnManner> {
    let beside = context.plain.last_to.is_some_and(|last| attacks::king(last).contains(mv.to));
    (beside && mv.is_safe()).then(|| mv.pawn_manner())
}

/// Aims a lance, bishop or rook at their king through a single piece of theirs.
pub(super) fn pin(context: &MoveContext, mv: &MoveFacts) -> Option<Manner> {
    let king = context.plain.their_king?;
    if !mv.slides() || !attacks::on_empty_board(Piece::new(context.plain.us, mv.after), mv.to).contains(king)
    {
        return None;
    }
    let between = attacks::between(mv.to, king) & context.plain.occupied;
    let theirs = context.worth_at_least(Worth::Pawn);
    let pins = !between.is_empty() && !between.has_several() && between.meets(theirs);
    (pins && mv.is_safe()).then(|| mv.manner())
}

/// Bears on a square beside their king which only the king defends and which another piece of ours attacks as well:
/// a threat to go there.
pub(super) fn threaten_mate(context: &MoveContext, mv: &MoveFacts) -> Option<Manner> {
    let squares = mv.attacks & context.their_weak;
    if squares.is_empty() || mv.gives_check() || !mv.is_safe() {
        return None;
    }
    let others = context.plain.ours_twice | context.plain.ours.without(mv.attacks_before(context));
    squares.meets(others).then(|| mv.manner())
}

/// Leaves the line of a lance, bishop or rook of ours.
pub(super) fn open_line(context: &MoveContext, mv: &MoveFacts) -> Option<OpenedLine> {
    let from = mv.from?;
    if !context.ours_sliding.contains(from) || !mv.is_safe() {
        return None;
    }
    let after = context.plain.occupied.without(Bitboard::of(from)) | Bitboard::of(mv.to);
    let mut best = None;
    context.our_sliders.for_each(|slider| {
        if let Some(found) = opened(context, slider, from, after) {
            best = Some(best.map_or(found, |so_far: OpenedLine| so_far.min(found)));
        }
    });
    best
}

/// What the slider on `slider` gains by a piece leaving `from`, after which the pieces stand on `after`.
fn opened(context: &MoveContext, slider: Square, from: Square, after: Bitboard) -> Option<OpenedLine> {
    /// Free squares that count as a line.
    const REACH: u32 = 3;
    let piece = context.plain.position.piece_on(slider)?;
    let line = attacks::line_through(slider, from);
    if slider == from
        || !attacks::on_empty_board(piece, slider).contains(from)
        || attacks::between(slider, from).meets(context.plain.occupied)
    {
        return None;
    }
    let beyond = (attacks::of(piece, slider, after) & line).without(context.plain.ours);
    if beyond.meets(context.worth_taking(Worth::of(piece.kind))) {
        Some(OpenedLine::Attack)
    } else if beyond.count() >= REACH {
        Some(OpenedLine::Reach)
    } else {
        None
    }
}

/// The dearest piece among `targets` other than the king.
fn target(context: &MoveContext, targets: Bitboard) -> Option<Target> {
    let kings = context.plain.position.of_kind(PieceKind::King);
    context.dearest(targets.without(kings)).and_then(|(worth, _)| Target::of(worth))
}
