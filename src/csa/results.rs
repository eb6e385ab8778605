//! What the games of a folder came to: a table by opponent with wins, losses and draws, an estimate of the rating, and
//! the time used; and a drawing of the values.

pub mod folder;
pub mod game;
#[cfg(feature = "learn")]
pub mod plot;
pub mod rating;

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use crate::shogi::color::{Color, PerColor};
use game::{Game, Outcome, TimeUse};
use rating::{Estimate, Score, estimate};

/// Games by their result.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Games won.
    pub wins: u32,
    /// Games lost.
    pub losses: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games without a result.
    pub unfinished: u32,
}

impl Tally {
    /// Adds a game of a player of this colour.
    fn add(&mut self, color: Color, outcome: Outcome) {
        *match outcome {
            Outcome::Won(winner) if winner == color => &mut self.wins,
            Outcome::Won(_) => &mut self.losses,
            Outcome::Drawn => &mut self.draws,
            Outcome::Unfinished => &mut self.unfinished,
        } += 1;
    }

    /// The number of games that have a result.
    pub const fn finished(&self) -> u32 {
        self.wins + self.losses + self.draws
    }

    /// Points: a win has 1, a draw half a point.
    pub fn points(&self) -> f64 {
        f64::from(self.wins) + f64::from(self.draws) / 2.0
    }

    /// What the points say against an opponent of this rating.
    fn score(&self, opponent: f64) -> Score {
        Score { opponent, games: self.finished(), points: self.points() }
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}-{}", self.wins, self.losses, self.draws)
    }
}

/// Some of the games of a player.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Part {
    /// Their results.
    pub tally: Tally,
    /// The time the player used.
    pub own_time: TimeUse,
    /// The time the opponents used.
    pub their_time: TimeUse,
    /// The opponent's rating, for a part with one opponent that has one.
    pub rating: Option<f64>,
}

impl Part {
    fn add(&mut self, color: Color, game: &Game) {
        self.tally.add(color, game.outcome);
        self.own_time.add(game.time[color]);
        self.their_time.add(game.time[!color]);
    }
}

/// What the games of one player came to.
#[derive(Clone, PartialEq, Debug)]
pub struct Results {
    /// The player.
    pub name: String,
    /// The games against each opponent; those with the most games come first.
    pub opponents: Vec<(String, Part)>,
    /// All games.
    pub all: Part,
    /// The games with each colour.
    pub by_color: PerColor<Part>,
    /// The results by the way that games ended.
    pub endings: Vec<(&'static str, Tally)>,
    /// How many games others played.
    pub of_others: usize,
    /// When the first and the last game began.
    pub span: Option<(String, String)>,
}

impl Results {
    /// The results of the player `name`. `ratings` has ratings of opponents; they come before those that the records
    /// have, of which the last counts.
    pub fn new(games: &[Game], name: &str, ratings: &HashMap<String, f64>) -> Results {
        let mut results = Results {
            name: name.to_string(),
            opponents: Vec::new(),
            all: Part::default(),
            by_color: PerColor::default(),
            endings: Vec::new(),
            of_others: 0,
            span: None,
        };
        let mut opponents: BTreeMap<&str, Part> = BTreeMap::new();
        let mut endings: BTreeMap<&'static str, Tally> = BTreeMap::new();
        for game in games {
            let Some(color) = game.color_of(name) else {
                results.of_others += 1;
                continue;
            };
            let opponent = opponents.entry(&game.players[!color]).or_default();
            opponent.rating = game.ratings[!color].or(opponent.rating);
            for part in [opponent, &mut results.all, &mut results.by_color[color]] {
                part.add(color, game);
            }
            endings.entry(game.ending).or_default().add(color, game.outcome);
        }
        for (name, mut part) in opponents {
            part.rating = ratings.get(name).copied().or(part.rating);
            results.opponents.push((name.to_string(), part));
        }
        let games_of = |tally: &Tally| tally.finished() + tally.unfinished;
        results.opponents.sort_by_key(|(_, part)| std::cmp::Reverse(games_of(&part.tally)));
        results.endings = endings.into_iter().collect();
        results.endings.sort_by_key(|(_, tally)| std::cmp::Reverse(games_of(tally)));
        let starts = || {
            games.iter().filter(|game| game.color_of(name).is_some()).filter_map(|game| game.start.as_ref())
        };
        results.span = starts().min().cloned().zip(starts().max().cloned());
        results
    }

    /// The rating difference to all opponents together, as if they were one.
    pub fn difference(&self) -> Option<Estimate> {
        estimate(&[self.all.tally.score(0.0)])
    }

    /// The rating from the games against opponents with a rating, and how many these are; `None` without any.
    pub fn rating(&self) -> Option<(Estimate, u32)> {
        let scores: Vec<Score> =
            self.opponents.iter().filter_map(|(_, part)| Some(part.tally.score(part.rating?))).collect();
        Some((estimate(&scores)?, scores.iter().map(|score| score.games).sum()))
    }
}

impl fmt::Display for Results {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let has_ratings = self.opponents.iter().any(|(_, part)| part.rating.is_some());
        let has_unfinished = self.all.tally.unfinished > 0;
        let mut header =
            vec!["opponent", "W-L-D", "score", "Elo difference (95%)", "s/move", "longest", "their s/move"];
        if has_unfinished {
            header.push("unfinished");
        }
        if has_ratings {
            header.push("their rating");
        }
        let row = |name: &str, part: &Part| {
            let mut cells = vec![
                name.to_string(),
                part.tally.to_string(),
                share(&part.tally),
                estimate(&[part.tally.score(0.0)])
                    .map_or_else(|| "-".to_string(), |found| interval(&found, true)),
                seconds(part.own_time.mean()),
                seconds((part.own_time.moves > 0).then_some(part.own_time.longest.as_secs_f64())),
                seconds(part.their_time.mean()),
            ];
            if has_unfinished {
                cells.push(part.tally.unfinished.to_string());
            }
            if has_ratings {
                cells.push(part.rating.map_or_else(|| "-".to_string(), |rating| format!("{rating:.0}")));
            }
            cells
        };
        let mut rows = vec![header.into_iter().map(String::from).collect()];
        rows.extend(self.opponents.iter().map(|(name, part)| row(name, part)));
        rows.push(row("all", &self.all));
        rows.push(row("as Black", &self.by_color[Color::Black]));
        rows.push(row("as White", &self.by_color[Color::White]));
        match &self.span {
            Some((first, last)) if first == last => writeln!(f, "{}, game from {first}\n", self.name)?,
            Some((first, last)) => writeln!(f, "{}, games from {first} to {last}\n", self.name)?,
            None => writeln!(f, "{}\n", self.name)?,
        }
        write_table(f, &rows)?;
        let endings: Vec<String> = self.endings.iter().map(|(word, tally)| ending(word, tally)).collect();
        writeln!(f, "\nendings: {}", endings.join(", "))?;
        if self.of_others > 0 {
            writeln!(f, "games of other players, not counted: {}", self.of_others)?;
        }
        writeln!(f)?;
        if let Some((found, games)) = self.rating() {
            writeln!(f, "Rating: {} from {games} games with rated opponents", interval(&found, false))?;
        }
        if let Some(found) = self.difference() {
            writeln!(f, "Elo difference: {}", interval(&found, true))?;
        }
        writeln!(f, "Unfinished: {}", self.all.tally.unfinished)?;
        write!(f, "W-L-D: {}", self.all.tally)
    }
}

/// How many of the points were won.
fn share(tally: &Tally) -> String {
    match tally.finished() {
        0 => "-".to_string(),
        games => format!("{:.1}%", 100.0 * tally.points() / f64::from(games)),
    }
}

/// A way to end and its results; of games without a result the number alone.
fn ending(word: &str, tally: &Tally) -> String {
    match (tally.finished(), tally.unfinished) {
        (_, 0) => format!("{word} {tally}"),
        (0, unfinished) => format!("{word} {unfinished}"),
        (_, unfinished) => format!("{word} {tally} and {unfinished} without a result"),
    }
}

fn seconds(seconds: Option<f64>) -> String {
    seconds.map_or_else(|| "-".to_string(), |seconds| format!("{seconds:.1}"))
}

/// A rating and its interval. A difference has its sign.
fn interval(found: &Estimate, is_difference: bool) -> String {
    let text = |rating: f64| {
        // Whole points, without a sign at 0.
        let rating = rating.round() as i64;
        if is_difference && rating != 0 { format!("{rating:+}") } else { rating.to_string() }
    };
    match (found.low.is_finite(), found.high.is_finite()) {
        (true, true) => format!("{} ({} to {})", text(found.rating), text(found.low), text(found.high)),
        (true, false) => format!("{} or more", text(found.low)),
        (false, true) => format!("{} or less", text(found.high)),
        (false, false) => "-".to_string(),
    }
}

/// Writes rows of cells: the first column to the left, the others to the right.
fn write_table(f: &mut fmt::Formatter<'_>, rows: &[Vec<String>]) -> fmt::Result {
    let columns = rows.first().map_or(0, Vec::len);
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    for row in rows {
        write!(f, "{:<1$}", row[0], widths[0])?;
        for (cell, width) in row.iter().zip(&widths).skip(1) {
            write!(f, "  {cell:>width$}")?;
        }
        writeln!(f)?;
    }
    Ok(())
}
