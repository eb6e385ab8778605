//! Answers to a check.

use super::candidate::Candidate;
use super::splits::{Flights, Interposing, Outcome, Taking};
use super::view::View;
use crate::shogi::piece::HandKind;

/// Takes the piece that gives check.
pub(super) fn take_checker(view: &View, mv: &Candidate) -> Option<Taking> {
    if !view.glance.position.checkers().contains(mv.to) {
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
pub(super) fn flight(view: &View, mv: &Candidate) -> Option<Flights> {
    if !mv.is_king() || view.glance.position.checkers().contains(mv.to) {
        return None;
    }
    Some(match view.flights {
        ..=1 => Flights::One,
        2 => Flights::Two,
        3 => Flights::Three,
        _ => Flights::More,
    })
}

/// Goes between the king and the piece that gives check.
pub(super) fn interpose(_: &View, mv: &Candidate) -> Option<Interposing> {
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
