//! Checks.

use super::candidate::Candidate;
use super::splits::{Mover, Outcome, Safety};
use super::view::View;

/// Gives check in any way.
pub(super) fn check(_: &View, mv: &Candidate) -> Option<Outcome> {
    mv.gives_check().then(|| mv.outcome())
}

/// Gives check with a piece from the hand.
pub(super) fn check_by_drop(_: &View, mv: &Candidate) -> Option<Safety> {
    (mv.attacks_king && mv.from.is_none()).then(|| Safety::of(mv.gain))
}

/// Uncovers a check by a piece behind it; a double check counts.
pub(super) fn discovered_check(_: &View, mv: &Candidate) -> Option<Safety> {
    mv.discovers_check.then(|| Safety::of(mv.gain))
}

/// Gives check with the piece that moves and loses nothing.
pub(super) fn attack_king(_: &View, mv: &Candidate) -> Option<Mover> {
    if mv.attacks_king && mv.is_safe() { Mover::of(mv.after) } else { None }
}
