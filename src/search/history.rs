//! History: which moves have cut off other nodes.
//!
//! Every table keeps scores between -[`MAX_HISTORY`] and [`MAX_HISTORY`]. A score moves by less the nearer it is to the
//! limit on that side, so that it is an average that forgets.

use crate::shogi::color::Color;
use crate::shogi::moves::{Move, Origin};
use crate::shogi::piece::{Piece, PieceKind};
use crate::shogi::position::Position;
use crate::shogi::square::Square;

/// Scores lie between minus this and this.
pub const MAX_HISTORY: i32 = 16_384;

/// 81 squares that a move may come from, and seven kinds of piece that may be dropped.
const ORIGINS: usize = 81 + 7;

/// Moves `score` towards `bonus`, by less the nearer it is to the limit on that side.
fn update(score: &mut i16, bonus: i32) {
    let bonus = bonus.clamp(-MAX_HISTORY, MAX_HISTORY);
    *score += (bonus - i32::from(*score) * bonus.abs() / MAX_HISTORY) as i16;
}

/// How often moves have cut off nodes anywhere in the tree: a score for each side, origin and destination (butterfly
/// history).
pub struct History(Box<[[[i16; 81]; ORIGINS]; 2]>);

impl std::fmt::Debug for History {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("History")
    }
}

impl Default for History {
    fn default() -> Self {
        History(Box::new([[[0; 81]; ORIGINS]; 2]))
    }
}

impl History {
    /// The score of `mv` for `side`.
    pub fn score(&self, side: Color, mv: Move) -> i32 {
        i32::from(self.0[side.index()][origin(mv)][mv.to().index()])
    }

    /// Adds `bonus` to the score of `mv`.
    pub fn add(&mut self, side: Color, mv: Move, bonus: i32) {
        update(&mut self.0[side.index()][origin(mv)][mv.to().index()], bonus);
    }

    /// Keeps `kept` parts in 256 of all scores: what the last search has learned still counts, but less.
    pub fn fade(&mut self, kept: i32) {
        let scores = self.0.as_flattened_mut().as_flattened_mut().iter_mut();
        scores.for_each(|score| *score = (i32::from(*score) * kept / 256) as i16);
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.0.as_flattened_mut().as_flattened_mut().fill(0);
    }
}

/// The index of where a move comes from.
fn origin(mv: Move) -> usize {
    match mv.origin() {
        Origin::Board(from) => from.index(),
        Origin::Hand(kind) => 81 + kind.index(),
    }
}

/// A piece and the square that it has moved to, as one number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PieceTo(u16);

impl PieceTo {
    /// How many there are; the last is [`NONE`](PieceTo::NONE).
    const COUNT: usize = Piece::COUNT * Square::COUNT + 1;

    /// No move: a pass, or the beginning of the game.
    pub const NONE: PieceTo = PieceTo((Self::COUNT - 1) as u16);

    /// What the legal move `mv` puts down, and where.
    pub fn of(position: &Position, mv: Move) -> PieceTo {
        let kind = match mv.origin() {
            Origin::Hand(kind) => kind.piece_kind(),
            Origin::Board(from) => {
                let kind = position.piece_on(from).map_or(PieceKind::King, |piece| piece.kind);
                if mv.is_promotion() { kind.promoted().unwrap_or(kind) } else { kind }
            }
        };
        PieceTo::new(Piece::new(position.side(), kind), mv.to())
    }

    /// `piece` has moved to `to`.
    pub fn new(piece: Piece, to: Square) -> PieceTo {
        PieceTo((piece.index() * Square::COUNT + to.index()) as u16)
    }

    /// The number, under that of all.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// The scores of all moves after one earlier move.
pub type Continuations = [i16; PieceTo::COUNT];

/// How often a move has cut off nodes after another move a few plies earlier: a score for each pair of a piece and its
/// destination (continuation history). The earlier move may be of either side.
pub struct ContinuationHistory(Vec<Continuations>);

impl std::fmt::Debug for ContinuationHistory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ContinuationHistory")
    }
}

impl Default for ContinuationHistory {
    fn default() -> Self {
        ContinuationHistory(bytemuck::zeroed_vec(PieceTo::COUNT))
    }
}

impl ContinuationHistory {
    /// The scores after the move `earlier`.
    pub fn after(&self, earlier: PieceTo) -> &Continuations {
        &self.0[earlier.index()]
    }

    /// The score of `now` after `earlier`.
    pub fn score(&self, earlier: PieceTo, now: PieceTo) -> i32 {
        i32::from(self.0[earlier.index()][now.index()])
    }

    /// Adds `bonus` to the score of `now` after `earlier`; nothing follows on no move.
    pub fn add(&mut self, earlier: PieceTo, now: PieceTo, bonus: i32) {
        if earlier != PieceTo::NONE {
            update(&mut self.0[earlier.index()][now.index()], bonus);
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.0.as_flattened_mut().fill(0);
    }
}

/// Scores of captures and promotions: for what is put down where, and what it takes.
pub struct CaptureHistory(Vec<[i16; TAKEN]>);

/// The kinds that can be taken, and nothing.
const TAKEN: usize = PieceKind::COUNT + 1;

impl std::fmt::Debug for CaptureHistory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("CaptureHistory")
    }
}

impl Default for CaptureHistory {
    fn default() -> Self {
        CaptureHistory(vec![[0; TAKEN]; PieceTo::COUNT])
    }
}

impl CaptureHistory {
    /// The score of a move that takes a piece of kind `taken`.
    pub fn score(&self, now: PieceTo, taken: Option<PieceKind>) -> i32 {
        i32::from(self.0[now.index()][taken.map_or(TAKEN - 1, PieceKind::index)])
    }

    /// Adds `bonus` to the score of such a move.
    pub fn add(&mut self, now: PieceTo, taken: Option<PieceKind>, bonus: i32) {
        update(&mut self.0[now.index()][taken.map_or(TAKEN - 1, PieceKind::index)], bonus);
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.0.as_flattened_mut().fill(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_stay_within_their_limits() {
        let mut history = History::default();
        let mv: Move = "P*5e".parse().unwrap();
        for _ in 0..1000 {
            history.add(Color::White, mv, 9_000);
        }
        assert!((MAX_HISTORY / 2..=MAX_HISTORY).contains(&history.score(Color::White, mv)));
        assert_eq!(history.score(Color::Black, mv), 0);
        for _ in 0..1000 {
            history.add(Color::White, mv, i32::MIN + 1);
        }
        assert!((-MAX_HISTORY..=-MAX_HISTORY / 2).contains(&history.score(Color::White, mv)));
        let before = history.score(Color::White, mv);
        history.fade(192);
        assert_eq!(history.score(Color::White, mv), before * 192 / 256);
        history.clear();
        assert_eq!(history.score(Color::White, mv), 0);
    }
}
