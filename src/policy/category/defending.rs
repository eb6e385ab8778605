//! Moves that parry a threat other than check.

use super::candidate::Candidate;
use super::splits::{Manner, Target};
use super::view::View;

/// Moves a piece away that they would gain by taking, to where it is not lost.
pub(super) fn move_attacked(view: &View, mv: &Candidate) -> Option<Target> {
    let attacked = mv.from.is_some_and(|from| view.hanging.contains(from));
    if attacked && mv.is_safe() { view.target_on(mv.from?) } else { None }
}

/// Newly defends a piece that they would gain by taking.
pub(super) fn defend(view: &View, mv: &Candidate) -> Option<Target> {
    if !mv.attacks.meets(view.hanging) || !mv.is_safe() {
        return None;
    }
    let defended = (mv.attacks & view.hanging).without(mv.attacks_before(view));
    defended.into_iter().filter(|&square| mv.from != Some(square)).filter_map(|s| view.target_on(s)).max()
}

/// Goes between a piece of ours and the slider that attacks it.
pub(super) fn block(view: &View, mv: &Candidate) -> Option<Manner> {
    (view.lines_of_attack.contains(mv.to) && mv.is_safe()).then(|| mv.manner())
}

/// Defends a square beside our king that they attack and nothing but the king defended.
pub(super) fn guard_king(view: &View, mv: &Candidate) -> Option<Manner> {
    let guards = mv.attacks.meets(view.weak) && !mv.is_king();
    (guards && mv.is_safe()).then(|| mv.manner())
}
