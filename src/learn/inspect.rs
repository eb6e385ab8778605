//! Statistics of training positions: counts and distributions.

pub mod plots;

use std::collections::HashSet;
use std::fmt;

use crate::record::packed::{GameStarts, Outcome, TrainingPosition};
use crate::shogi::color::Color;
use crate::shogi::key::Key;

/// The statistics of the positions so far.
#[derive(Clone, Debug)]
pub struct Statistics {
    starts: GameStarts,
    seen: HashSet<Key>,
    /// Sequences of positions in which each follows from the one before by its move.
    pub games: u64,
    /// The same by result: Black won, White won, drawn.
    pub games_won: [u64; 3],
    /// By the side to move.
    pub sides: [u64; 2],
    /// By the result for the side to move, in the order of [`Outcome::ALL`].
    pub results: [u64; 3],
    /// Positions in check.
    pub in_check: u64,
    /// Positions without a move.
    pub without_move: u64,
    /// Positions with the score of a mate.
    pub mates: u64,
    /// All other scores.
    pub scores: Histogram,
    /// Numbers of the move to come.
    pub plies: Histogram,
}

/// Scores from here on are mates, in our files and in those of other programs.
pub const MATE: i32 = 31_000;

impl Statistics {
    /// Of no position.
    pub fn new() -> Statistics {
        Statistics {
            starts: GameStarts::default(),
            seen: HashSet::new(),
            games: 0,
            games_won: [0; 3],
            sides: [0; 2],
            results: [0; 3],
            in_check: 0,
            without_move: 0,
            mates: 0,
            scores: Histogram::new(-3000, 3000, 200),
            plies: Histogram::new(0, 400, 20),
        }
    }

    /// Counts the next position of a file.
    pub fn add(&mut self, known: &TrainingPosition) {
        let side = known.position.side();
        if self.starts.begins(known) {
            self.games += 1;
            let winner = match known.result {
                Outcome::Win => side.index(),
                Outcome::Loss => (!side).index(),
                Outcome::Draw => 2,
            };
            self.games_won[winner] += 1;
        }
        self.seen.insert(known.position.key());
        self.sides[side.index()] += 1;
        self.results[known.result as usize] += 1;
        self.in_check += u64::from(known.position.in_check());
        self.without_move += u64::from(known.best.is_none());
        let score = i32::from(known.score);
        if score.abs() >= MATE {
            self.mates += 1;
        } else {
            self.scores.add(score, known.result);
        }
        self.plies.add(known.position.move_number().try_into().unwrap_or(i32::MAX), known.result);
    }

    /// How many positions were counted.
    pub fn positions(&self) -> u64 {
        self.sides.iter().sum()
    }

    /// How many of them are different, hands and side to move included.
    pub fn distinct(&self) -> u64 {
        self.seen.len() as u64
    }
}

impl Default for Statistics {
    fn default() -> Self {
        Statistics::new()
    }
}

impl fmt::Display for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = |part: u64, whole: u64| 100.0 * part as f64 / whole.max(1) as f64;
        let positions = self.positions();
        for (name, histogram) in [("Score", &self.scores), ("Move", &self.plies)] {
            writeln!(f, "{name:>14} {:>12} {:>7} {:>8}", "positions", "%", "result")?;
            for bin in histogram.bins() {
                let percent = share(bin.count, positions);
                let text = bin.to_string();
                match bin.mean_result() {
                    Some(mean) => writeln!(f, "{text:>14} {:>12} {percent:>7.2} {mean:>+8.3}", bin.count)?,
                    None => writeln!(f, "{text:>14} {:>12} {percent:>7.2}        -", bin.count)?,
                }
            }
        }
        let [lost, drawn, won] = self.results;
        writeln!(f, "Side to move won {won}, lost {lost}, drew {drawn}")?;
        for color in Color::ALL {
            writeln!(f, "{color:?} to move: {}", self.sides[color.index()])?;
        }
        let [black, white, drawn] = self.games_won;
        writeln!(f, "Games won by Black {black}, by White {white}, drawn {drawn}")?;
        writeln!(f, "Positions a game: {:.1}", positions as f64 / self.games.max(1) as f64)?;
        for (name, count) in
            [("In check", self.in_check), ("Mate scores", self.mates), ("Without a move", self.without_move)]
        {
            writeln!(f, "{name}: {count} ({:.2}%)", share(count, positions))?;
        }
        writeln!(f, "Distinct positions: {} ({:.2}%)", self.distinct(), share(self.distinct(), positions))?;
        writeln!(f, "Games: {}", self.games)?;
        write!(f, "Positions: {positions}")
    }
}

/// Counts of numbers in bins of one width, with one more bin at either end, and the results of the positions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Histogram {
    from: i32,
    width: i32,
    bins: Vec<(u64, i64)>,
}

/// One bin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bin {
    /// The least number of the bin; the first bin has none.
    pub from: Option<i32>,
    /// The least number above the bin; the last bin has none.
    pub to: Option<i32>,
    /// How many numbers are in it.
    pub count: u64,
    /// The sum of the results, 1 for a win of the side to move, −1 for a loss.
    pub results: i64,
}

impl Histogram {
    /// Bins of `width` from `from` to `to`, and one on either side.
    fn new(from: i32, to: i32, width: i32) -> Histogram {
        Histogram { from, width, bins: vec![(0, 0); ((to - from) / width + 2) as usize] }
    }

    fn add(&mut self, number: i32, result: Outcome) {
        let index = (number.saturating_sub(self.from)).div_euclid(self.width).saturating_add(1);
        let last = self.bins.len() - 1;
        let (count, results) = &mut self.bins[index.clamp(0, last as i32) as usize];
        *count += 1;
        *results += i64::from(result.sign());
    }

    /// The bins in order.
    pub fn bins(&self) -> impl ExactSizeIterator<Item = Bin> + '_ {
        let last = self.bins.len() - 1;
        self.bins.iter().enumerate().map(move |(index, &(count, results))| {
            let begin = self.from + (index as i32 - 1) * self.width;
            Bin {
                from: (index > 0).then_some(begin),
                to: (index < last).then_some(begin + self.width),
                count,
                results,
            }
        })
    }
}

impl Bin {
    /// From −1 (all lost) to 1; `None` for an empty bin.
    pub fn mean_result(&self) -> Option<f64> {
        (self.count > 0).then(|| self.results as f64 / self.count as f64)
    }
}

impl fmt::Display for Bin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.from, self.to) {
            (None, Some(to)) => f.pad(&format!("under {to}")),
            (Some(from), None) => f.pad(&format!("from {from}")),
            (Some(from), Some(to)) => f.pad(&format!("{from} to {}", to - 1)),
            (None, None) => f.pad("all"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_in_one_bin() {
        let mut histogram = Histogram::new(-300, 300, 200);
        for number in [i32::MIN, -301, -300, -101, -100, 0, 99, 100, 299, 300, i32::MAX] {
            histogram.add(number, Outcome::Win);
        }
        histogram.add(0, Outcome::Loss);
        let counts: Vec<_> = histogram.bins().map(|bin| bin.count).collect();
        assert_eq!(counts, [2, 2, 4, 2, 2]);
        let bins: Vec<_> = histogram.bins().map(|bin| bin.to_string()).collect();
        assert_eq!(bins, ["under -300", "-300 to -101", "-100 to 99", "100 to 299", "from 300"]);
        assert_eq!(histogram.bins().nth(2).unwrap().mean_result(), Some(0.5));
    }
}
