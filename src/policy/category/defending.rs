//! Answers to a check and to other threats.

use crate::policy::move_context::MoveContext;
use crate::policy::move_facts::MoveFacts;
use crate::policy::splits::{Flights, Interposing, Manner, Outcome, Taking, Target};
use crate::shogi::piece::HandKind;

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
    let attacked = mv.from.is_some_and(|from| context.hanging.contains(from));
    if attacked && mv.is_safe() { context.target_on(mv.from?) } else { None }
}

/// Newly defends a piece that they would gain by taking.
pub(super) fn defend(context: &MoveContext, mv: &MoveFacts) -> Option<Target> {
    if !mv.attacks.meets(context.hanging) || !mv.is_safe() {
        return None;
    }
    let defended = (mv.attacks & context.hanging).without(mv.attacks_before(context));
    defended.into_iter().filter(|&square| mv.from != Some(square)).filter_map(|s| context.target_on(s)).max()
}

/// Goes between a piece of ours and the slider that attacks it.
pub(super) fn block(context: &MoveContext, mv: &MoveFacts) -> Option<Manner> {
    (context.lines_of_attack.contains(mv.to) && mv.is_safe()).then(|| mv.manner())
}

/// Defends a square beside our king that they attack and nothing but the king defended.
pub(super) fn guard_king(context: &MoveContext, mv: &MoveFacts) -> Option<Manner> {
    let guards = mv.attacks.meets(context.weak) && !mv.is_king();
    (guards && mv.is_safe()).then(|| mv.manner())
}
