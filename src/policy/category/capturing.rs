//! Captures.

use super::candidate::Candidate;
use super::splits::{Outcome, Size};
use super::view::View;

/// Takes the piece that has just moved.
pub(super) fn recapture(view: &View, mv: &Candidate) -> Option<Size> {
    (mv.captures && view.glance.last_to == Some(mv.to)).then(|| Size::of(mv.gain))
}

/// Takes any other piece.
pub(super) fn capture(view: &View, mv: &Candidate) -> Option<Size> {
    (mv.captures && view.glance.last_to != Some(mv.to)).then(|| Size::of(mv.gain))
}

/// Takes a piece that attacks one of ours which they would gain by taking.
pub(super) fn take_attacker(view: &View, mv: &Candidate) -> Option<Outcome> {
    view.attackers.contains(mv.to).then(|| mv.outcome())
}
