//! The moves that people play: drawn by the probabilities that were learned from their games.

use super::transition::{ONE_BITS, Transitions, exp2_of_minus};
use crate::shogi::moves::Move;
use crate::shogi::position::Position;

/// The moves of a position, each with its probability to be played by a person. All arithmetic that decides a draw is in
/// integers, so that every machine draws the same.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HumanMoves {
    /// Each move with its weight in [`ONE_BITS`] fractional bits; the most probable move has 1.
    weighted: Vec<(Move, u64)>,
}

impl HumanMoves {
    /// The moves of `position` that `wanted` accepts. `spread` is the temperature in percent: at 100 the probabilities are
    /// those of the players of the games, at 200 their square roots, and the larger it is, the more all moves are alike.
    pub fn new(position: &Position, spread: u32, wanted: impl Fn(Move) -> bool) -> HumanMoves {
        let mut scores = Transitions::human().scores(position, position.last_move().map(Move::to));
        scores.retain(|&(mv, _)| wanted(mv));
        let highest = scores.iter().map(|(_, score)| *score).max().unwrap_or_default();
        let weight = |score: i32| exp2_of_minus((highest - score).unsigned_abs() * 100 / spread.max(1));
        HumanMoves { weighted: scores.into_iter().map(|(mv, score)| (mv, weight(score))).collect() }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.weighted.is_empty()
    }

    /// A move by its probability; `None` where there is none.
    pub fn draw(&self, random: &mut fastrand::Rng) -> Option<Move> {
        let total: u64 = self.weighted.iter().map(|(_, weight)| weight).sum();
        let mut chosen = if total > 0 { random.u64(..total) } else { return None };
        for &(mv, weight) in &self.weighted {
            match chosen.checked_sub(weight) {
                Some(left) => chosen = left,
                None => return Some(mv),
            }
        }
        None
    }

    /// How hard it is to foresee the move that is played: the entropy of the probabilities, in bits. 0 where one move is
    /// certain.
    pub fn entropy(&self) -> f64 {
        let one = (1u64 << ONE_BITS) as f64;
        let weights = || self.weighted.iter().map(|(_, weight)| *weight as f64 / one);
        let total: f64 = weights().sum();
        weights()
            .map(|weight| weight / total)
            .filter(|part| *part > 0.0)
            .map(|part| -part * part.log2())
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(moves: &[&str]) -> Position {
        let mut position = Position::start();
        for text in moves {
            position.play(text.parse().expect("a move"), &mut ());
        }
        position
    }

    /// How often each move comes in 2,000 draws, the most frequent first.
    fn drawn(moves: &HumanMoves) -> Vec<(String, u32)> {
        let mut random = fastrand::Rng::with_seed(5);
        let mut counts = std::collections::BTreeMap::new();
        for _ in 0..2000 {
            *counts.entry(moves.draw(&mut random).expect("there are moves").to_string()).or_default() += 1;
        }
        let mut counts: Vec<(String, u32)> = counts.into_iter().collect();
        counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        counts
    }

    #[test]
    fn people_open_with_the_rook_pawn_or_the_bishop_pawn() {
        let counts = drawn(&HumanMoves::new(&Position::start(), 100, |_| true));
        let first_two: u32 = counts.iter().take(2).map(|(_, count)| count).sum();
        let names: Vec<&str> = counts.iter().take(2).map(|(name, _)| name.as_str()).collect();
        assert!(names.contains(&"7g7f") && names.contains(&"2g2f") && first_two > 1000, "{counts:?}");
    }

    #[test]
    fn a_wider_spread_makes_moves_alike() {
        let position = after(&["7g7f", "3c3d", "8h2b+"]);
        let most = |spread| drawn(&HumanMoves::new(&position, spread, |_| true))[0].1;
        let (narrow, usual, wide) = (most(50), most(100), most(1000));
        // The bishop is taken back.
        assert!(narrow >= usual && usual > 1000 && wide < 500, "{narrow} {usual} {wide}");
        let entropy = |spread| HumanMoves::new(&position, spread, |_| true).entropy();
        assert!(entropy(50) < entropy(100) && entropy(100) < entropy(1000));
    }

    #[test]
    fn only_wanted_moves_are_drawn() {
        let only: Move = "9g9f".parse().unwrap();
        let moves = HumanMoves::new(&Position::start(), 100, |mv| mv == only);
        let mut random = fastrand::Rng::with_seed(1);
        assert_eq!((moves.draw(&mut random), moves.entropy()), (Some(only), 0.0));
        assert_eq!(HumanMoves::new(&Position::start(), 100, |_| false).draw(&mut random), None);
    }
}
