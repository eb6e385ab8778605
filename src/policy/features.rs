//! The features of a move, each of which has a learned weight: the category splits it belongs to, and which piece moves
//! where, as seen from the kings, from the last move and from the neighbouring squares.
//!
//! The *plain* features need no exchange and no category: they take a fraction of the time of all features.

use super::category::{CategorySet, SPLITS};
use super::mailbox::Mailbox;
use super::move_context::MoveContext;
use super::move_facts::MoveFacts;
use super::plain_context::{PlainContext, Viewpoint};
use crate::shogi::moves::{Move, Origin};
use crate::shogi::piece::{HandKind, PieceKind};
use crate::shogi::square::Square;

/// A run of feature numbers that answer the same question about a move; at most one of them applies.
#[derive(Clone, Copy)]
pub(super) struct Group {
    first: usize,
    size: usize,
}

impl Group {
    /// The group of `size` features after this one.
    const fn then(self, size: usize) -> Group {
        Group { first: self.first + self.size, size }
    }

    /// The number of one of the group's features.
    pub fn feature(self, place: usize) -> usize {
        debug_assert!(place < self.size);
        self.first + place
    }
}

pub(super) const SQUARES: usize = Square::COUNT;
pub(super) const KINDS: usize = PieceKind::ALL.len();
/// What moves: a kind on the board, promoting or not, or one of the seven kinds that can be dropped.
pub(super) const MOVERS: usize = FIRST_DROP + HandKind::COUNT;
/// The first of the movers that are dropped.
pub(super) const FIRST_DROP: usize = 2 * KINDS;
pub(super) const OFFSETS: usize = Viewpoint::OFFSETS;
/// How a square is attacked: by us not at all, once, or more; by them not at all, without a pawn, or by a pawn.
pub(super) const CONTROLS: usize = 3 * 3;
/// See [`see_range`].
const SEE_RANGES: usize = 8;

/// The category splits come first, by their number; any number of these may apply.
const CATEGORY: Group = Group { first: 0, size: SPLITS };
/// Mover and its destination.
pub(super) const DESTINATION: Group = CATEGORY.then(MOVERS * SQUARES);
/// Origin and destination, whatever moves.
const STEP: Group = DESTINATION.then(SQUARES * SQUARES);
/// Mover and the offset of its destination from a king.
pub(super) const FROM_THEIR_KING: Group = STEP.then(MOVERS * OFFSETS);
pub(super) const FROM_OUR_KING: Group = FROM_THEIR_KING.then(MOVERS * OFFSETS);
/// Kind and the offset of its origin from a king.
const LEAVES_THEIR_KING: Group = FROM_OUR_KING.then(KINDS * OFFSETS);
const LEAVES_OUR_KING: Group = LEAVES_THEIR_KING.then(KINDS * OFFSETS);
/// Mover and the kind it captures.
pub(super) const CAPTURES: Group = LEAVES_OUR_KING.then(MOVERS * KINDS);
/// The kind that moved last, the mover, and the offset of its destination from there.
pub(super) const ANSWERS: Group = CAPTURES.then(KINDS * MOVERS * OFFSETS);
/// The kind that moved last, the kind that leaves, and the offset of its origin from there.
const AVOIDS: Group = ANSWERS.then(KINDS * KINDS * OFFSETS);
/// Mover and how its destination is attacked.
pub(super) const CONTROL: Group = AVOIDS.then(MOVERS * CONTROLS);
/// Kind, whether it hangs, and how its origin is attacked.
const LEAVES_CONTROL: Group = CONTROL.then(2 * KINDS * CONTROLS);
/// Mover and the range of the exchange's value.
const SEE: Group = LEAVES_CONTROL.then(MOVERS * SEE_RANGES);
/// Mover and what stands on one of the destination's eight neighbours.
pub(super) const NEIGHBOUR: Group = SEE.then(8 * MOVERS * Mailbox::COUNT);

/// How many features there are.
pub const FEATURES: usize = NEIGHBOUR.first + NEIGHBOUR.size;

impl MoveContext<'_> {
    /// Calls `visit` with the number of every feature of the legal move `mv`, and returns its categories.
    pub fn features(&self, mv: Move, visit: impl FnMut(usize)) -> CategorySet {
        let facts = MoveFacts::new(self, mv);
        let categories = self.categories_of(&facts);
        self.visit_features(&facts, categories, visit);
        categories
    }

    /// The same for a move whose categories are `wanted`; `None` without a visit for any other.
    pub fn features_if(
        &self,
        mv: Move,
        wanted: impl FnOnce(CategorySet) -> bool,
        visit: impl FnMut(usize),
    ) -> Option<CategorySet> {
        let facts = MoveFacts::new(self, mv);
        let categories = self.categories_of(&facts);
        wanted(categories).then(|| {
            self.visit_features(&facts, categories, visit);
            categories
        })
    }

    fn visit_features(&self, facts: &MoveFacts, categories: CategorySet, mut visit: impl FnMut(usize)) {
        categories.iter().for_each(|split| visit(CATEGORY.feature(split)));
        let plain = &self.plain;
        let mover = match facts.dropped() {
            Some(kind) => Mover::dropped(kind),
            None => Mover::moved(facts.before, facts.promotes),
        };
        visit(SEE.feature(mover.number * SEE_RANGES + see_range(facts.see)));
        if let Some(from) = facts.from {
            let (hangs, kind) = (usize::from(self.threatened().hanging.contains(from)), mover.kind.index());
            visit(LEAVES_CONTROL.feature((hangs * KINDS + kind) * CONTROLS + plain.control(from)));
        }
        plain.visit_plain(facts.from, mover, facts.to, visit);
    }
}

/// What moves.
#[derive(Clone, Copy)]
pub(super) struct Mover {
    pub kind: PieceKind,
    /// Under [`MOVERS`].
    pub number: usize,
}

impl Mover {
    fn dropped(kind: HandKind) -> Mover {
        Mover { kind: kind.piece_kind(), number: FIRST_DROP + kind.index() }
    }

    fn moved(kind: PieceKind, promotes: bool) -> Mover {
        Mover { kind, number: 2 * kind.index() + usize::from(promotes) }
    }
}

impl PlainContext<'_> {
    /// Calls `visit` with the number of every plain feature of the legal move `mv`.
    pub fn features(&self, mv: Move, visit: impl FnMut(usize)) {
        let (from, mover) = self.mover(mv);
        self.visit_plain(from, mover, mv.to(), visit);
    }

    fn visit_plain(&self, from: Option<Square>, mover: Mover, to: Square, mut visit: impl FnMut(usize)) {
        self.visit_destination(mover, to, &mut visit);
        if let Some(from) = from {
            self.visit_origin(mover.kind, from, &mut visit);
            visit(self.first_step(from) + self.ours_first(to).index());
        }
    }

    /// The origin of `mv`, `None` for a drop, and what moves.
    fn mover(&self, mv: Move) -> (Option<Square>, Mover) {
        match mv.origin() {
            Origin::Hand(kind) => (None, Mover::dropped(kind)),
            Origin::Board(from) => {
                let kind = self.position.piece_on(from).map_or(PieceKind::King, |piece| piece.kind);
                (Some(from), Mover::moved(kind, mv.is_promotion()))
            }
        }
    }

    #[inline]
    fn visit_destination(
        &self,
        Mover { number: mover, .. }: Mover,
        square: Square,
        mut visit: impl FnMut(usize),
    ) {
        let to = self.ours_first(square);
        visit(DESTINATION.feature(mover * SQUARES + to.index()));
        if let Some(king) = self.from_their_king {
            visit(FROM_THEIR_KING.feature(mover * OFFSETS + king.offset(to)));
        }
        if let Some(king) = self.from_our_king {
            visit(FROM_OUR_KING.feature(mover * OFFSETS + king.offset(to)));
        }
        if let Some(taken) = self.position.piece_on(square) {
            visit(CAPTURES.feature(mover * KINDS + taken.kind.index()));
        }
        visit(CONTROL.feature(mover * CONTROLS + self.control(square)));
        for (nth, content) in self.mailbox.neighbours(to).into_iter().enumerate() {
            visit(NEIGHBOUR.feature((nth * MOVERS + mover) * Mailbox::COUNT + content));
        }
        if let Some((last, kind)) = self.last {
            visit(ANSWERS.feature((kind.index() * MOVERS + mover) * OFFSETS + last.offset(to)));
        }
    }

    #[inline]
    pub(super) fn visit_origin(&self, kind: PieceKind, from: Square, mut visit: impl FnMut(usize)) {
        let kind = kind.index();
        let from = self.ours_first(from);
        if let Some(king) = self.from_their_king {
            visit(LEAVES_THEIR_KING.feature(kind * OFFSETS + king.offset(from)));
        }
        if let Some(king) = self.from_our_king {
            visit(LEAVES_OUR_KING.feature(kind * OFFSETS + king.offset(from)));
        }
        if let Some((last, last_kind)) = self.last {
            visit(AVOIDS.feature((last_kind.index() * KINDS + kind) * OFFSETS + last.offset(from)));
        }
    }

    /// The first of the features of steps from `from`; they lie in the order of destinations.
    pub(super) fn first_step(&self, from: Square) -> usize {
        STEP.feature(self.ours_first(from).index() * SQUARES)
    }

    /// The square as the side to move sees it.
    pub(super) fn ours_first(&self, square: Square) -> Square {
        square.seen_by(self.us)
    }

    /// How the square is attacked: under [`CONTROLS`].
    pub(super) fn control(&self, square: Square) -> usize {
        usize::from(self.controls[square.index()])
    }
}

/// The range in which an exchange's value lies: under [`SEE_RANGES`].
fn see_range(see: i32) -> usize {
    const LIMITS: [i32; SEE_RANGES - 1] = [-600, -150, 0, 1, 150, 450, 900];
    LIMITS.partition_point(|&limit| limit <= see)
}

#[cfg(test)]
mod tests {
    use super::super::transition::Transitions;
    use super::*;

    /// Scores by plain features are sums in 16 bits.
    #[test]
    fn no_sum_of_built_in_plain_weights_is_cut() {
        let weights = Transitions::built_in_plain().as_slice();
        let largest = |group: Group| {
            let weights = &weights[group.first..group.first + group.size];
            weights.iter().map(|&weight| i32::from(weight).abs()).max().unwrap()
        };
        let once = [
            DESTINATION,
            STEP,
            FROM_THEIR_KING,
            FROM_OUR_KING,
            LEAVES_THEIR_KING,
            LEAVES_OUR_KING,
            CAPTURES,
            ANSWERS,
            AVOIDS,
            CONTROL,
        ];
        let sum = once.map(largest).iter().sum::<i32>() + 8 * largest(NEIGHBOUR);
        assert!(sum <= i32::from(i16::MAX), "{sum}");
    }
}
