//! What a move is to the learned probability: every category split it belongs to, and what moves where, seen from the
//! kings, from the last move and from the squares around.

use super::candidate::Candidate;
use super::contents::Contents;
use super::view::View;
use super::{CategorySet, SPLITS};
use crate::shogi::moves::Move;
use crate::shogi::piece::PieceKind;
use crate::shogi::square::Square;

/// Neighbouring numbers of features that ask the same about a move; at most one of them holds.
#[derive(Clone, Copy)]
struct Group {
    first: usize,
    size: usize,
}

impl Group {
    /// The group of `size` features after this one.
    const fn then(self, size: usize) -> Group {
        Group { first: self.first + self.size, size }
    }

    /// The number of one of the group's features.
    fn feature(self, place: usize) -> usize {
        debug_assert!(place < self.size);
        self.first + place
    }
}

const SQUARES: usize = Square::COUNT;
const KINDS: usize = PieceKind::ALL.len();
/// What moves: a kind, as it was, promoting or not, and the seven kinds that can be dropped.
const MOVERS: usize = 2 * KINDS + 7;
/// A square seen from another.
const OFFSETS: usize = 17 * 17;
/// Who reaches a square: for us nobody, one, or more; for them nobody, no pawn, or a pawn.
const CONTROLS: usize = 3 * 3;
/// See [`profit`].
const PROFITS: usize = 8;

/// The categories come first, by the number of their split; of these any number may hold.
const CATEGORY: Group = Group { first: 0, size: SPLITS };
const PLACE: Group = CATEGORY.then(MOVERS * SQUARES);
const STEP: Group = PLACE.then(SQUARES * SQUARES);
const FROM_THEIR_KING: Group = STEP.then(MOVERS * OFFSETS);
const FROM_OUR_KING: Group = FROM_THEIR_KING.then(MOVERS * OFFSETS);
const LEAVES_THEIR_KING: Group = FROM_OUR_KING.then(KINDS * OFFSETS);
const LEAVES_OUR_KING: Group = LEAVES_THEIR_KING.then(KINDS * OFFSETS);
const TAKES: Group = LEAVES_OUR_KING.then(MOVERS * KINDS);
const ANSWERS: Group = TAKES.then(KINDS * MOVERS * OFFSETS);
const AVOIDS: Group = ANSWERS.then(KINDS * KINDS * OFFSETS);
const CONTROL: Group = AVOIDS.then(MOVERS * CONTROLS);
const LEAVES_CONTROL: Group = CONTROL.then(2 * KINDS * CONTROLS);
const PROFIT: Group = LEAVES_CONTROL.then(MOVERS * PROFITS);
const AROUND: Group = PROFIT.then(8 * MOVERS * Contents::COUNT);

/// How many features there are.
pub const FEATURES: usize = AROUND.first + AROUND.size;

impl View<'_> {
    /// Calls `visit` with the number of every feature of the legal move `mv`, and returns its categories.
    pub fn features(&self, mv: Move, visit: impl FnMut(usize)) -> CategorySet {
        let candidate = Candidate::new(self, mv);
        let categories = self.categories_of(&candidate);
        self.visit_features(&candidate, categories, visit);
        categories
    }

    /// The same of a move whose categories are `wanted`; of another nothing is visited.
    pub fn features_if(
        &self,
        mv: Move,
        wanted: impl FnOnce(CategorySet) -> bool,
        visit: impl FnMut(usize),
    ) -> Option<CategorySet> {
        let candidate = Candidate::new(self, mv);
        let categories = self.categories_of(&candidate);
        wanted(categories).then(|| {
            self.visit_features(&candidate, categories, visit);
            categories
        })
    }

    fn visit_features(&self, candidate: &Candidate, categories: CategorySet, mut visit: impl FnMut(usize)) {
        categories.iter().for_each(|split| visit(CATEGORY.feature(split)));

        let position = self.position;
        let mover = mover(candidate);
        let kind = candidate.before.index();
        let to = self.ours_first(candidate.to);
        visit(PLACE.feature(mover * SQUARES + to.index()));
        if let Some(king) = self.their_king {
            visit(FROM_THEIR_KING.feature(mover * OFFSETS + offset(self.ours_first(king), to)));
        }
        if let Some(king) = self.our_king {
            visit(FROM_OUR_KING.feature(mover * OFFSETS + offset(self.ours_first(king), to)));
        }
        if let Some(taken) = position.piece_on(candidate.to) {
            visit(TAKES.feature(mover * KINDS + taken.kind.index()));
        }
        visit(CONTROL.feature(mover * CONTROLS + self.control(candidate.to)));
        visit(PROFIT.feature(mover * PROFITS + profit(candidate.gain)));
        for (nth, content) in self.contents.around(to).into_iter().enumerate() {
            visit(AROUND.feature((nth * MOVERS + mover) * Contents::COUNT + content));
        }

        let last = self.last_to.and_then(|square| Some((square, position.piece_on(square)?.kind.index())));
        if let Some((square, last)) = last {
            let offset = offset(self.ours_first(square), to);
            visit(ANSWERS.feature((last * MOVERS + mover) * OFFSETS + offset));
        }
        let Some(from) = candidate.from else { return };
        let hangs = usize::from(self.hanging.contains(from));
        visit(LEAVES_CONTROL.feature((hangs * KINDS + kind) * CONTROLS + self.control(from)));
        let from = self.ours_first(from);
        visit(STEP.feature(from.index() * SQUARES + to.index()));
        if let Some(king) = self.their_king {
            visit(LEAVES_THEIR_KING.feature(kind * OFFSETS + offset(self.ours_first(king), from)));
        }
        if let Some(king) = self.our_king {
            visit(LEAVES_OUR_KING.feature(kind * OFFSETS + offset(self.ours_first(king), from)));
        }
        if let Some((square, last)) = last {
            let offset = offset(self.ours_first(square), from);
            visit(AVOIDS.feature((last * KINDS + kind) * OFFSETS + offset));
        }
    }

    /// The square as the side to move sees it.
    fn ours_first(&self, square: Square) -> Square {
        square.seen_by(self.us)
    }

    /// Who reaches the square: under [`CONTROLS`].
    fn control(&self, square: Square) -> usize {
        let ours = usize::from(self.ours.contains(square)) + usize::from(self.ours_twice.contains(square));
        let theirs =
            usize::from(self.theirs.contains(square)) + usize::from(self.theirs_by_pawn.contains(square));
        ours * 3 + theirs
    }
}

/// What moves: under [`MOVERS`].
fn mover(candidate: &Candidate) -> usize {
    match candidate.dropped() {
        Some(kind) => 2 * KINDS + kind.index(),
        None => 2 * candidate.before.index() + usize::from(candidate.promotes),
    }
}

/// How `to` lies from `from`: under [`OFFSETS`].
fn offset(from: Square, to: Square) -> usize {
    let file = 8 + to.file() - from.file();
    let rank = 8 + to.rank() - from.rank();
    usize::from(file) * 17 + usize::from(rank)
}

/// In which range a gain of material lies.
fn profit(gain: i32) -> usize {
    const LIMITS: [i32; PROFITS - 1] = [-600, -150, 0, 1, 150, 450, 900];
    LIMITS.partition_point(|&limit| limit <= gain)
}
