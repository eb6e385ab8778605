//! How often moves have refuted what came before them, wherever in the tree.

use crate::shogi::color::Color;
use crate::shogi::moves::{Move, Origin};

/// The greatest score, and minus the least.
pub const LIMIT: i32 = 16_384;

/// 81 squares to come from, and seven kinds to drop.
const ORIGINS: usize = 81 + 7;

/// A score for each side, origin and destination, between -[`LIMIT`] and [`LIMIT`].
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

    /// Moves the score of `mv` by `bonus`, the less the nearer it is to the limit on that side.
    pub fn add(&mut self, side: Color, mv: Move, bonus: i32) {
        let score = &mut self.0[side.index()][origin(mv)][mv.to().index()];
        let bonus = bonus.clamp(-LIMIT, LIMIT);
        *score += (bonus - i32::from(*score) * bonus.abs() / LIMIT) as i16;
    }

    /// Leaves `kept` parts in 256 of all scores: what the last search has learned still counts, but less.
    pub fn fade(&mut self, kept: i32) {
        let scores = self.0.as_flattened_mut().as_flattened_mut().iter_mut();
        scores.for_each(|score| *score = (i32::from(*score) * kept / 256) as i16);
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.0.as_flattened_mut().as_flattened_mut().fill(0);
    }
}

fn origin(mv: Move) -> usize {
    match mv.origin() {
        Origin::Board(from) => from.index(),
        Origin::Hand(kind) => 81 + kind.index(),
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
        assert!((LIMIT / 2..=LIMIT).contains(&history.score(Color::White, mv)));
        assert_eq!(history.score(Color::Black, mv), 0);
        for _ in 0..1000 {
            history.add(Color::White, mv, i32::MIN + 1);
        }
        assert!((-LIMIT..=-LIMIT / 2).contains(&history.score(Color::White, mv)));
        let before = history.score(Color::White, mv);
        history.fade(192);
        assert_eq!(history.score(Color::White, mv), before * 192 / 256);
        history.clear();
        assert_eq!(history.score(Color::White, mv), 0);
    }
}
