//! The scores of a position's moves.

use arrayvec::ArrayVec;

use crate::shogi::generate::MAX_MOVES;

/// Scores in 1/256 bit, in the order of the list of moves.
pub type Scores = ArrayVec<i16, MAX_MOVES>;

/// Appends `count` zeros and returns them: faster to change than to push as many scores.
pub(super) fn zeros(scores: &mut Scores, count: usize) -> &mut [i16] {
    let first = scores.len();
    scores.try_extend_from_slice(&[0; MAX_MOVES][..count]).expect("no position has more moves");
    &mut scores[first..]
}
