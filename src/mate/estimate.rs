//! Proof and disproof numbers of positions that were not searched yet (df-pn+: Nagai and Imai 1999).
//!
//! They are guessed from the move that leads there: a piece that is put where it is covered better than attacked is more
//! likely to stay and to mate, or to parry.

use crate::shogi::color::Color;
use crate::shogi::moves::Move;
use crate::shogi::position::Position;

/// Proof and disproof number of an ordinary move.
const UNIT: u32 = 2;

/// First proof and disproof number of the position after the check `mv`.
pub fn after_attack(position: &Position, attacker: Color, mv: Move) -> (u32, u32) {
    let (own, theirs) = support(position, attacker, mv);
    if own > theirs {
        (UNIT, 2 * UNIT)
    } else if position.piece_on(mv.to()).is_some() {
        (UNIT, UNIT)
    } else {
        (2 * UNIT, UNIT)
    }
}

/// First proof and disproof number of the position after the defender's `mv`.
pub fn after_defence(position: &Position, attacker: Color, mv: Move) -> (u32, u32) {
    if position.king(!attacker).is_some() && mv.from() == position.king(!attacker) {
        return if position.piece_on(mv.to()).is_some() { (2 * UNIT, UNIT) } else { (UNIT, UNIT) };
    }
    if position.piece_on(mv.to()).is_some() {
        return (2 * UNIT, UNIT);
    }
    let (theirs, own) = support(position, !attacker, mv);
    if theirs > own { (2 * UNIT, UNIT) } else { (UNIT, 2 * UNIT) }
}

/// How many of the mover's and of the other side's pieces bear on the square where `mv` puts a piece, that piece
/// counted for its own side.
fn support(position: &Position, mover: Color, mv: Move) -> (u32, u32) {
    let occupied = position.occupied();
    let bearing = |color| position.attackers(mv.to(), color, occupied).count();
    (bearing(mover) + u32::from(mv.is_drop()), bearing(!mover))
}
