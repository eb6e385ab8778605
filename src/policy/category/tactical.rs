//! Moves that force matters: checks, captures and promotions, attacks, and the answers to checks and other threats.
//!
//! A piece attacks another one, in the sense of these categories, when it would gain by taking it: the other is worth
//! more, or nothing defends it.

use crate::policy::move_context::MoveContext;
use crate::policy::move_facts::MoveFacts;
use crate::policy::splits::{
    AttackerKind, Flights, Fork, Interposing, Manner, OpenedLine, Outcome, PawnManner, Safety, Size, Taking,
    Target, Worth,
};
use crate::shogi::attacks;
use crate::shogi::bitboard::Bitboard;
use crate::shogi::piece::{HandKind, Piece, PieceKind};
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
    context.threatened().attackers.contains(mv.to).then(|| mv.outcome())
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

/// Takes the piece that gives check.
pub(super) fn take_checker(context: &MoveContext, mv: &MoveFacts) -> Option<Taking> {
    if !context.plain.position.checkers().contains(mv.to) {
        return None;
    }
    Some(match mv.outcome() {
        _ if mv.is_king() => Taking::King,
        Outcome::Loss => Taking::Loss,
        Outcome::Even => Taking::Even,
        Outcome::Gain => Taking::Gain,
    })
}

/// Steps out of the check.
pub(super) fn flight(context: &MoveContext, mv: &MoveFacts) -> Option<Flights> {
    if !mv.is_king() || context.plain.position.checkers().contains(mv.to) {
        return None;
    }
    Some(match context.flights {
        ..=1 => Flights::One,
        2 => Flights::Two,
        3 => Flights::Three,
        _ => Flights::More,
    })
}

/// Goes between the king and the piece that gives check.
pub(super) fn interpose(_: &MoveContext, mv: &MoveFacts) -> Option<Interposing> {
    if mv.is_king() || mv.captures {
        return None;
    }
    Some(match (mv.dropped(), mv.from, mv.is_safe()) {
        (Some(HandKind::Pawn), _, true) => Interposing::PawnDrop,
        (Some(HandKind::Pawn), _, false) => Interposing::PawnLoss,
        (_, None, true) => Interposing::Drop,
        (_, None, false) => Interposing::DropLoss,
        (_, Some(_), true) => Interposing::Step,
        (_, Some(_), false) => Interposing::StepLoss,
    })
}

/// Moves a piece away that they would gain by taking, to where it is not lost.
pub(super) fn move_attacked(context: &MoveContext, mv: &MoveFacts) -> Option<Target> {
    let attacked = mv.from.is_some_and(|from| context.threatened().hanging.contains(from));
    if attacked && mv.is_safe() { context.target_on(mv.from?) } else { None }
}

/// Newly defends a piece that they would gain by taking.
pub(super) fn defend(context: &MoveContext, mv: &MoveFacts) -> Option<Target> {
    if !mv.attacks.meets(context.threatened().hanging) || !mv.is_safe() {
        return None;
    }
    let defended = (mv.attacks & context.threatened().hanging).without(mv.attacks_before(context));
    defended.into_iter().filter(|&square| mv.from != Some(square)).filter_map(|s| context.target_on(s)).max()
}

/// Goes between a piece of ours and the slider that attacks it.
pub(super) fn block(context: &MoveContext, mv: &MoveFacts) -> Option<Manner> {
    (context.threatened().lines_of_attack.contains(mv.to) && mv.is_safe()).then(|| mv.manner())
}

/// Defends a square beside our king that they attack and nothing but the king defended.
pub(super) fn guard_king(context: &MoveContext, mv: &MoveFacts) -> Option<Manner> {
    let guards = mv.attacks.meets(context.weak) && !mv.is_king();
    (guards && mv.is_safe()).then(|| mv.manner())
}
