//! A move of a book: what a line says of it.

use std::fmt;

use crate::shogi::moves::Move;

/// A move of a book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookMove {
    /// The move.
    pub mv: Move,
    /// The expected reply.
    pub reply: Option<Move>,
    /// The value for the side to move, in hundredths of a pawn.
    pub value: i32,
    /// The depth of the search behind the value; 0 if there was none.
    pub depth: u32,
    /// How often the move was played.
    pub count: u64,
    /// How the games in which it was played ended, as far as that is known.
    pub results: Results,
}

impl BookMove {
    /// A move of which nothing is known.
    pub fn new(mv: Move) -> BookMove {
        BookMove { mv, reply: None, value: 0, depth: 0, count: 0, results: Results::default() }
    }

    /// The weight of the move when one is chosen at random.
    pub(super) fn weight(&self) -> u64 {
        self.count.clamp(1, u64::from(u32::MAX))
    }
}

/// As in a line of a book.
impl fmt::Display for BookMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ", self.mv)?;
        match self.reply {
            Some(reply) => write!(f, "{reply}")?,
            None => f.write_str("none")?,
        }
        write!(f, " {} {} {}", self.value, self.depth, self.count)?;
        // Other programs take this for a remark.
        if self.results == Results::default() { Ok(()) } else { write!(f, " #{}", self.results) }
    }
}

/// How many games ended how, for the side that made the move.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Results {
    /// Games that it won.
    pub wins: u64,
    /// Games that it lost.
    pub losses: u64,
    /// Games without a winner.
    pub draws: u64,
}

impl Results {
    /// Games whose result is known.
    pub fn games(&self) -> u64 {
        self.wins.saturating_add(self.losses).saturating_add(self.draws)
    }

    /// The points of the side that made the move, 0 to 1 a game: a draw is half a win. `None` without games.
    pub fn score(&self) -> Option<f64> {
        let games = self.games();
        (games > 0).then(|| (self.wins as f64 + self.draws as f64 / 2.0) / games as f64)
    }

    /// Adds the games of `other`.
    pub fn add(&mut self, other: Results) {
        self.wins = self.wins.saturating_add(other.wins);
        self.losses = self.losses.saturating_add(other.losses);
        self.draws = self.draws.saturating_add(other.draws);
    }

    /// Reads what `Display` writes; `None` where it is something else.
    pub(super) fn parse(text: &str) -> Option<Results> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let ["wins", wins, "losses", losses, "draws", draws] = words[..] else { return None };
        Some(Results { wins: wins.parse().ok()?, losses: losses.parse().ok()?, draws: draws.parse().ok()? })
    }
}

impl fmt::Display for Results {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "wins {} losses {} draws {}", self.wins, self.losses, self.draws)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_read_as_they_are_written() {
        let results = Results { wins: 3, losses: 1, draws: 2 };
        assert_eq!(Results::parse(&results.to_string()), Some(results));
        assert_eq!(results.score(), Some(4.0 / 6.0));
        assert_eq!(Results::default().score(), None);
        for text in ["", "wins 1", "wins 1 losses -1 draws 0", "a remark about wins 1 losses 1 draws 1"] {
            assert_eq!(Results::parse(text), None, "{text}");
        }
    }
}
