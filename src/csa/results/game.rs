//! What the results need of a game: who played, how it ended, the time of the moves, and the values that players sent.

use std::time::Duration;

use crate::record::{Ending, PlayedMove, Record, value_of_comment};
use crate::shogi::color::{Color, PerColor};

/// How a game ended for the table of results.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// This side won.
    Won(Color),
    /// A draw.
    Drawn,
    /// There is no result: it was broken off, it still goes on, or its record ends early.
    Unfinished,
}

/// The time that one side used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TimeUse {
    /// How many moves have a time, resigning and the like included.
    pub moves: u32,
    /// The time of all of them.
    pub total: Duration,
    /// The time of the longest.
    pub longest: Duration,
}

impl TimeUse {
    /// Adds the time of one move.
    fn add_move(&mut self, time: Duration) {
        self.add(TimeUse { moves: 1, total: time, longest: time });
    }

    /// Adds the time of other moves.
    pub fn add(&mut self, other: TimeUse) {
        self.moves += other.moves;
        self.total += other.total;
        self.longest = self.longest.max(other.longest);
    }

    /// Seconds a move; `None` without moves.
    pub fn mean(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.total.as_secs_f64() / f64::from(self.moves))
    }
}

/// A game as the results need it.
#[derive(Clone, PartialEq, Debug)]
pub struct Game {
    /// The players' names; empty where the record has none.
    pub players: PerColor<String>,
    /// The ratings that the record has, as floodgate's have.
    pub ratings: PerColor<Option<f64>>,
    /// The identity of a game on a server; `None` where the record's event says less.
    pub id: Option<String>,
    /// The start, as the record writes it: 2026/01/31 12:00:00.
    pub start: Option<String>,
    /// How it ended.
    pub outcome: Outcome,
    /// How it ended, in a word or two.
    pub ending: &'static str,
    /// The time that each side used.
    pub time: PerColor<TimeUse>,
    /// The values that each side sent with its moves: the number of the move, 1 for the first, and the value in
    /// centipawns for Black, as floodgate has them.
    pub values: PerColor<Vec<(i32, i32)>>,
}

impl Game {
    /// What the results need of a record.
    pub fn new(record: &Record) -> Game {
        let name = |color| record.players()[color].as_deref().unwrap_or("").trim().to_string();
        let players = PerColor(Color::ALL.map(name));
        let comments = || record.main().comments.iter();
        let ratings = PerColor(Color::ALL.map(|color| {
            let word = if color == Color::Black { "black_rate:" } else { "white_rate:" };
            comments().find_map(|comment| rating(comment.strip_prefix(word)?))
        }));
        // A server makes the identity of a game out of the players' names, and names the event after it.
        let between = format!("+{}+{}+", players[Color::Black], players[Color::White]);
        let id = record.header("EVENT").filter(|event| event.contains(&between)).map(str::to_string);
        let mut time: PerColor<TimeUse> = PerColor::default();
        let mut values: PerColor<Vec<(i32, i32)>> = PerColor::default();
        let mut side = record.start().side;
        for (number, played) in (1..).zip(&record.main().moves) {
            if let Some(spent) = played.time {
                time[side].add_move(spent);
            }
            if let Some(value) = sent_value(played) {
                values[side].push((number, value));
            }
            side = !side;
        }
        if let Some(spent) = record.main().end.as_ref().and_then(|end| end.time) {
            time[side].add_move(spent);
        }
        let outcome = match (record.winner(), record.ending()) {
            (Some(winner), _) => Outcome::Won(winner),
            (None, Some(ending)) if ending.is_draw() => Outcome::Drawn,
            _ => Outcome::Unfinished,
        };
        let start = record.header("START_TIME").map(str::to_string);
        Game { players, ratings, id, start, outcome, ending: word(record.ending()), time, values }
    }

    /// The colour of the player of this name; `None` if none or both have it.
    pub fn color_of(&self, name: &str) -> Option<Color> {
        let [black, white] = Color::ALL.map(|color| self.players[color] == name);
        (black != white).then_some(if black { Color::Black } else { Color::White })
    }
}

/// The value that a player sent with a move.
fn sent_value(played: &PlayedMove) -> Option<i32> {
    played.comments.iter().find_map(|comment| value_of_comment(comment))
}

/// The rating behind the name and identity of a player: `name+0123abcd:2987.0`.
fn rating(text: &str) -> Option<f64> {
    text.rsplit(':').next()?.trim().parse().ok().filter(|rating: &f64| rating.is_finite())
}

/// An ending in a word or two.
fn word(ending: Option<&Ending>) -> &'static str {
    match ending {
        Some(Ending::Resignation) => "resignation",
        Some(Ending::Mate | Ending::NoMate) => "mate",
        Some(Ending::Sennichite) => "repetition",
        Some(Ending::Jishogi) => "impasse",
        Some(Ending::Declaration) => "declaration",
        Some(Ending::Draw) => "draw",
        Some(Ending::TimeUp) => "time",
        Some(Ending::Illegal { .. }) => "illegal move",
        Some(Ending::Forfeit { .. }) => "forfeit",
        Some(Ending::Won(_)) => "won",
        Some(Ending::BrokenOff | Ending::TakenBack) => "broken off",
        Some(Ending::MaxMoves) => "move limit",
        Some(Ending::Error) => "error",
        Some(Ending::Other(_)) => "other",
        None => "not recorded",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratings_are_read_as_floodgate_writes_them() {
        for (text, expected) in [
            ("gikou+0123abcd:2987.5", Some(2987.5)),
            ("a:b+c:1500", Some(1500.0)),
            ("gikou+0123abcd:", None),
            ("gikou:NaN", None),
        ] {
            assert_eq!(rating(text), expected, "{text}");
        }
    }
}
