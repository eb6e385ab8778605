//! History and killers: which moves have cut off other nodes.

use crate::shogi::color::Color;
use crate::shogi::moves::Move;

/// Scores lie between minus this and this.
pub const MAX_HISTORY: i32 = 16_384;

/// How often moves have cut off nodes anywhere in the tree: a score for each side, origin and destination, in the place that
/// the lower bits of the move's word say.
pub struct History(Box<[[i16; Move::ROUTES]; 2]>);

impl std::fmt::Debug for History {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("History")
    }
}

impl Default for History {
    fn default() -> Self {
        History(Box::new([[0; Move::ROUTES]; 2]))
    }
}

impl History {
    /// The score of `mv` for `side`.
    pub fn score(&self, side: Color, mv: Move) -> i16 {
        self.0[side.index()][mv.route()]
    }

    /// Adds `bonus` to the score of `mv`, scaled down as the score gets near the limit on that side.
    pub fn add(&mut self, side: Color, mv: Move, bonus: i32) {
        add_to_score(&mut self.0[side.index()][mv.route()], bonus);
    }

    /// Keeps `kept` parts in 256 of all scores: what the last search has learned still counts, but less.
    pub fn fade(&mut self, kept: i32) {
        let scores = self.0.as_flattened_mut().iter_mut();
        scores.for_each(|score| *score = (i32::from(*score) * kept / 256) as i16);
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.0.as_flattened_mut().fill(0);
    }
}

/// Adds `bonus` to a score between plus and minus [`MAX_HISTORY`], scaled down as the score gets near the limit on that side.
pub(super) fn add_to_score(score: &mut i16, bonus: i32) {
    let bonus = bonus.clamp(-MAX_HISTORY, MAX_HISTORY);
    *score += (bonus - i32::from(*score) * bonus.abs() / MAX_HISTORY) as i16;
}

/// Quiet moves that cut off a sibling node, two for a ply, the latest first.
#[derive(Clone, Copy, Default, Debug)]
pub struct Killers([Option<Move>; 2]);

impl Killers {
    /// Puts `mv` first.
    pub fn add(&mut self, mv: Move) {
        if self.0[0] != Some(mv) {
            self.0 = [Some(mv), self.0[0]];
        }
    }

    /// The moves, if there were as many.
    pub fn moves(&self) -> [Option<Move>; 2] {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_stay_within_their_limits() {
        let mut history = History::default();
        let mv: Move = "P*5e".parse().unwrap();
        let score = |history: &History| i32::from(history.score(Color::White, mv));
        for _ in 0..1000 {
            history.add(Color::White, mv, 9_000);
        }
        assert!((MAX_HISTORY / 2..=MAX_HISTORY).contains(&score(&history)));
        assert_eq!(history.score(Color::Black, mv), 0);
        for _ in 0..1000 {
            history.add(Color::White, mv, i32::MIN + 1);
        }
        assert!((-MAX_HISTORY..=-MAX_HISTORY / 2).contains(&score(&history)));
        let before = score(&history);
        history.fade(192);
        assert_eq!(score(&history), before * 192 / 256);
        history.clear();
        assert_eq!(history.score(Color::White, mv), 0);
    }

    #[test]
    fn the_latest_two_killers_are_kept() {
        let [first, second, third] = ["7g7f", "3c3d", "P*5e"].map(|mv| mv.parse().unwrap());
        let mut killers = Killers::default();
        for mv in [first, second, second, third] {
            killers.add(mv);
        }
        assert_eq!(killers.moves(), [Some(third), Some(second)]);
    }
}
