//! The search of the paper's experiment: alpha-beta to a fixed depth, with an evaluation that costs next to nothing.

use jitsugen::exchange::values;
use jitsugen::shogi::color::Color;
use jitsugen::shogi::moves::Move;
use jitsugen::shogi::position::Position;

use super::move_lists::{Entry, LegalLists, Legality, MoveLists, MoveValue};
use super::reach::Reach;

/// What a search values moves and leaves by.
pub trait Evaluation: MoveValue {
    /// The value of a leaf for the side to move, which has won `balance` since the root.
    fn leaf(position: &Position, balance: i32) -> i32;
}

/// Random numbers, the same for the same position or move. No two moves have the same value, so every way to make the lists
/// gives the same order and the same tree.
#[derive(Clone, Copy, Debug)]
pub struct Random;

impl MoveValue for Random {
    #[inline]
    fn of(_: &Position, mv: Move) -> i16 {
        // Each step can be turned back, so that the numbers of two moves differ.
        let spread = mv.word().wrapping_mul(0x9E37);
        (spread ^ spread >> 7).wrapping_mul(0x85EB) as i16
    }
}

impl Evaluation for Random {
    #[inline]
    fn leaf(position: &Position, _: i32) -> i32 {
        (position.key().0.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 53) as i32 - 1024
    }
}

/// The values of the pieces. A move is worth what it captures and what it gains by promotion.
#[derive(Clone, Copy, Debug)]
pub struct Material;

impl MoveValue for Material {
    #[inline]
    fn of(position: &Position, mv: Move) -> i16 {
        let captured = position.piece_on(mv.to()).map_or(0, |piece| values::captured(piece.kind));
        let promoting = mv.from().filter(|_| mv.is_promotion()).and_then(|from| position.piece_on(from));
        (captured + promoting.map_or(0, |piece| values::promotion(piece.kind))) as i16
    }
}

impl Evaluation for Material {
    #[inline]
    fn leaf(_: &Position, balance: i32) -> i32 {
        balance
    }
}

/// Where the search has its moves from.
pub trait Moves {
    /// Whether all moves of a list are legal.
    const LEGAL: bool;

    /// Makes the lists of `position`, which the last move has led to, at `ply`.
    fn update(&mut self, ply: usize, position: &Position, for_both: bool);

    /// The list of `color`, which is to move, at `ply`.
    fn at(&self, ply: usize, color: Color) -> &[Entry];
}

impl<R: Reach, V: MoveValue> Moves for MoveLists<R, V> {
    const LEGAL: bool = false;

    fn update(&mut self, ply: usize, position: &Position, for_both: bool) {
        MoveLists::update(self, ply, position, for_both);
    }

    fn at(&self, ply: usize, color: Color) -> &[Entry] {
        MoveLists::at(self, ply, color)
    }
}

impl<V: MoveValue> Moves for LegalLists<V> {
    const LEGAL: bool = true;

    fn update(&mut self, ply: usize, position: &Position, _: bool) {
        LegalLists::update(self, ply, position);
    }

    fn at(&self, ply: usize, _: Color) -> &[Entry] {
        LegalLists::at(self, ply)
    }
}

/// What a search is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Plies.
    pub depth: u32,
    /// The search ends after so many nodes.
    pub nodes: u64,
    /// Whether lists are made at leaves too, where nobody asks for a move: the paper's "updated after each move", taken
    /// literally.
    pub lists_at_leaves: bool,
}

/// What a search has found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Found {
    /// For the side to move at the root; `None` where the nodes did not suffice.
    pub value: Option<i32>,
    /// Positions that were searched: the root, and one for each move made.
    pub nodes: u64,
}

/// Searches `root`. `moves` has its list at ply 0.
pub fn search<M: Moves, E: Evaluation>(root: &Position, moves: M, limits: Limits) -> Found {
    let position = root.clone();
    let mut search =
        AlphaBeta::<M, E> { position, moves, limits, nodes: 0, evaluation: std::marker::PhantomData };
    let value = search.node(0, limits.depth, -INFINITE, INFINITE, 0);
    Found { value, nodes: search.nodes }
}

const INFINITE: i32 = 1 << 20;
/// What a side loses that has no legal move.
const MATE: i32 = 1 << 19;

struct AlphaBeta<M, E> {
    position: Position,
    moves: M,
    limits: Limits,
    nodes: u64,
    evaluation: std::marker::PhantomData<E>,
}

impl<M: Moves, E: Evaluation> AlphaBeta<M, E> {
    /// The value of the position at `ply`, whose list is made here unless it is the root's; `None` where the nodes do not
    /// suffice.
    fn node(&mut self, ply: usize, depth: u32, mut alpha: i32, beta: i32, balance: i32) -> Option<i32> {
        if self.nodes == self.limits.nodes {
            return None;
        }
        self.nodes += 1;
        if ply > 0 && (depth > 0 || self.limits.lists_at_leaves) {
            // The other side's list is wanted at the next ply, if lists are made there.
            self.moves.update(ply, &self.position, depth > 1 || self.limits.lists_at_leaves);
        }
        if depth == 0 {
            return Some(E::leaf(&self.position, balance));
        }
        let us = self.position.side();
        let legality = if M::LEGAL { None } else { Some(Legality::new(&self.position)) };
        let mut best = -MATE + ply as i32;
        for index in 0..self.moves.at(ply, us).len() {
            let Entry { mv, value } = self.moves.at(ply, us)[index];
            if legality.as_ref().is_some_and(|legality| !legality.allows(&self.position, mv)) {
                continue;
            }
            self.position.play(mv, &mut ());
            let found = self.node(ply + 1, depth - 1, -beta, -alpha, -(balance + i32::from(value)));
            self.position.undo(mv, &mut ());
            best = best.max(-found?);
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        Some(best)
    }
}
