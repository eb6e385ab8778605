//! What a move is to the learned probability: every category split it belongs to, and what moves where, seen from the
//! kings, from the last move and from the squares around.
//!
//! The *plain* ones among the features take no exchange and no category to find out: they cost a fraction of all of them.

use super::candidate::Candidate;
use super::contents::Contents;
use super::glance::Glance;
use super::view::View;
use super::viewpoint::Viewpoint;
use super::{CategorySet, SPLITS};
use crate::shogi::moves::{Move, Origin};
use crate::shogi::piece::{HandKind, PieceKind};
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
const OFFSETS: usize = Viewpoint::OFFSETS;
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
        let glance = &self.glance;
        let mover = match candidate.dropped() {
            Some(kind) => Mover::dropped(kind),
            None => Mover::moved(candidate.before, candidate.promotes),
        };
        visit(PROFIT.feature(mover.number * PROFITS + profit(candidate.gain)));
        if let Some(from) = candidate.from {
            let (hangs, kind) = (usize::from(self.hanging.contains(from)), mover.kind.index());
            visit(LEAVES_CONTROL.feature((hangs * KINDS + kind) * CONTROLS + glance.control(from)));
        }
        glance.visit_plain(candidate.from, mover, candidate.to, visit);
    }
}

/// What moves.
#[derive(Clone, Copy)]
struct Mover {
    kind: PieceKind,
    /// Under [`MOVERS`].
    number: usize,
}

impl Mover {
    fn dropped(kind: HandKind) -> Mover {
        Mover { kind: kind.piece_kind(), number: 2 * KINDS + kind.index() }
    }

    /// From one square to another.
    fn moved(kind: PieceKind, promotes: bool) -> Mover {
        Mover { kind, number: 2 * kind.index() + usize::from(promotes) }
    }
}

impl Glance<'_> {
    /// Calls `visit` with the number of every plain feature of the legal move `mv`.
    pub fn features(&self, mv: Move, visit: impl FnMut(usize)) {
        let (from, mover) = self.mover(mv);
        self.visit_plain(from, mover, mv.to(), visit);
    }

    /// Calls `take` with each of the legal `moves`, the kind that moves, and the sum of its plain features' `weights`. What
    /// a piece leaves is looked at once for all its moves, which have to follow each other for that.
    pub fn scores(&self, moves: &[Move], weights: &[i16], mut take: impl FnMut(Move, PieceKind, i32)) {
        let mut left: Option<(Square, i32)> = None;
        for &mv in moves {
            let (from, mover) = self.mover(mv);
            let to = mv.to();
            let mut score = 0;
            self.visit_arrival(mover, to, |feature| score += i32::from(weights[feature]));
            if let Some(from) = from {
                let leaving = match left {
                    Some((square, leaving)) if square == from => leaving,
                    _ => {
                        let mut leaving = 0;
                        self.visit_leaving(mover.kind, from, |feature| {
                            leaving += i32::from(weights[feature])
                        });
                        left = Some((from, leaving));
                        leaving
                    }
                };
                score += leaving + i32::from(weights[self.step(from, to)]);
            }
            take(mv, mover.kind, score);
        }
    }

    fn visit_plain(&self, from: Option<Square>, mover: Mover, to: Square, mut visit: impl FnMut(usize)) {
        self.visit_arrival(mover, to, &mut visit);
        if let Some(from) = from {
            self.visit_leaving(mover.kind, from, &mut visit);
            visit(self.step(from, to));
        }
    }

    /// The square that `mv` leaves, if it is no drop, and what moves.
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
    fn visit_arrival(
        &self,
        Mover { number: mover, .. }: Mover,
        square: Square,
        mut visit: impl FnMut(usize),
    ) {
        let to = self.ours_first(square);
        visit(PLACE.feature(mover * SQUARES + to.index()));
        if let Some(king) = self.from_their_king {
            visit(FROM_THEIR_KING.feature(mover * OFFSETS + king.offset(to)));
        }
        if let Some(king) = self.from_our_king {
            visit(FROM_OUR_KING.feature(mover * OFFSETS + king.offset(to)));
        }
        if let Some(taken) = self.position.piece_on(square) {
            visit(TAKES.feature(mover * KINDS + taken.kind.index()));
        }
        visit(CONTROL.feature(mover * CONTROLS + self.control(square)));
        for (nth, content) in self.contents.around(to).into_iter().enumerate() {
            visit(AROUND.feature((nth * MOVERS + mover) * Contents::COUNT + content));
        }
        if let Some((last, kind)) = self.last {
            visit(ANSWERS.feature((kind.index() * MOVERS + mover) * OFFSETS + last.offset(to)));
        }
    }

    #[inline]
    fn visit_leaving(&self, kind: PieceKind, from: Square, mut visit: impl FnMut(usize)) {
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

    fn step(&self, from: Square, to: Square) -> usize {
        STEP.feature(self.ours_first(from).index() * SQUARES + self.ours_first(to).index())
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

/// In which range a gain of material lies.
fn profit(gain: i32) -> usize {
    const LIMITS: [i32; PROFITS - 1] = [-600, -150, 0, 1, 150, 450, 900];
    LIMITS.partition_point(|&limit| limit <= gain)
}
