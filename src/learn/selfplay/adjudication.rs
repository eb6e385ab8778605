//! Adjudication: ends games that are decided.

use crate::search::value::{Mate, Value};
use crate::shogi::color::Color;

/// When a game is adjudicated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AdjudicationRules {
    /// A side that is this far ahead, in units (a pawn is 90), wins.
    pub resign_at: i32,
    /// Both sides have to agree for so many plies in a row.
    pub resign_plies: u32,
    /// The number of the last move, as in SFEN; a game that goes on after it is drawn.
    pub max_moves: u32,
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// The side to move had no legal move.
    Mated,
    /// The search found a mate.
    MateFound,
    /// One side was far ahead for long enough by both sides' scores.
    Resigned,
    /// The side to move declared with its king entered.
    Declared,
    /// The position occurred for the fourth time.
    Repetition,
    /// The position occurred for the fourth time, and one side always gave check.
    PerpetualCheck,
    /// There were too many moves.
    MaxMoves,
    /// The game was not played: one side was too far ahead at the start.
    Unbalanced,
    /// The game was not played: an earlier one began from the same position.
    Duplicate,
}

impl Ending {
    /// Every ending.
    pub const ALL: [Ending; 9] = [
        Ending::Mated,
        Ending::MateFound,
        Ending::Resigned,
        Ending::Declared,
        Ending::Repetition,
        Ending::PerpetualCheck,
        Ending::MaxMoves,
        Ending::Unbalanced,
        Ending::Duplicate,
    ];

    /// Whether a game with this ending was played.
    pub const fn is_played(self) -> bool {
        !matches!(self, Ending::Unbalanced | Ending::Duplicate)
    }

    /// Its name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Ending::Mated => "mated",
            Ending::MateFound => "mate-found",
            Ending::Resigned => "resigned",
            Ending::Declared => "declared",
            Ending::Repetition => "repetition",
            Ending::PerpetualCheck => "perpetual-check",
            Ending::MaxMoves => "max-moves",
            Ending::Unbalanced => "unbalanced",
            Ending::Duplicate => "duplicate",
        }
    }
}

/// Adjudicates a game by its scores.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Adjudicator {
    adjudication: AdjudicationRules,
    leader: Option<Color>,
    plies: u32,
}

impl Adjudicator {
    /// For a new game.
    pub const fn new(adjudication: AdjudicationRules) -> Adjudicator {
        Adjudicator { adjudication, leader: None, plies: 0 }
    }

    /// Takes the value that a search found for `side`, the side to move. Returns the ending and the winner if the game is
    /// decided now.
    pub fn see(&mut self, side: Color, value: Value) -> Option<(Ending, Color)> {
        match value.mate_distance() {
            Some(Mate::Gives(_)) => return Some((Ending::MateFound, side)),
            Some(Mate::Suffers(_)) => return Some((Ending::MateFound, !side)),
            None => {}
        }
        let leader = match value.units() {
            score if score >= self.adjudication.resign_at => Some(side),
            score if score <= -self.adjudication.resign_at => Some(!side),
            _ => None,
        };
        self.plies = if leader == self.leader { self.plies + 1 } else { 1 };
        self.leader = leader;
        leader
            .filter(|_| self.plies >= self.adjudication.resign_plies)
            .map(|winner| (Ending::Resigned, winner))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shogi::color::Color::{Black, White};

    const RULES: AdjudicationRules = AdjudicationRules { resign_at: 2000, resign_plies: 3, max_moves: 300 };

    /// The values are Black's, and Black moves first.
    fn after(values: &[i32]) -> Option<(usize, Ending, Color)> {
        let mut adjudicator = Adjudicator::new(RULES);
        values.iter().zip([Black, White].into_iter().cycle()).zip(1..).find_map(|((&value, side), ply)| {
            let value = if side == Black { Value::new(value) } else { Value::new(-value) };
            adjudicator.see(side, value).map(|(ending, winner)| (ply, ending, winner))
        })
    }

    #[test]
    fn a_game_is_resigned_when_both_sides_agree_for_long_enough() {
        assert_eq!(after(&[2000; 3]), Some((3, Ending::Resigned, Black)));
        assert_eq!(after(&[-2500; 4]), Some((3, Ending::Resigned, White)));
        assert_eq!(after(&[0, 0, 2000, 2100, 2200]), Some((5, Ending::Resigned, Black)));
        for values in
            [&[2000, 2000, 1999, 2000, 2000][..], &[2000, 2000, -2000, -2000, 2000], &[1999; 9], &[0; 9]]
        {
            assert_eq!(after(values), None, "{values:?}");
        }
    }

    #[test]
    fn a_mate_score_ends_the_game() {
        let mut adjudicator = Adjudicator::new(RULES);
        assert_eq!(adjudicator.see(White, Value::mate_in(5)), Some((Ending::MateFound, White)));
        assert_eq!(adjudicator.see(White, Value::mated_in(4)), Some((Ending::MateFound, Black)));
        // Winning for certain, but not by mate.
        assert_eq!(adjudicator.see(White, Value::WON), None);
    }
}
