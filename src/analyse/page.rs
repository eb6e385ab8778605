//! A page for a browser: one file that needs nothing else, to step through a game with what the engine thinks of it.

use serde::Serialize;

use super::annotated::fallback_name;
use super::finding::Score;
use super::game_analysis::{GameAnalysis, Grade, Judgement, Summary, rounded};
use super::graph::escape;
use crate::record::Header;
use crate::search::value::Value;
use crate::shogi::color::Color;
use crate::shogi::sfen;

/// How a page begins.
pub const MAGIC: &str = "<!DOCTYPE html><!-- Jitsugen analysis -->";

/// The page without a game: markup, style and script.
const TEMPLATE: &str = include_str!("page.html");

/// What the script gets.
#[derive(Serialize)]
struct Game<'a> {
    players: [&'a str; 2],
    headers: Vec<[&'a str; 2]>,
    /// `black`, `white` or nothing.
    winner: Option<&'static str>,
    /// The number of the first move.
    first: u32,
    summaries: [Side; 2],
    positions: Vec<Place>,
    moves: Vec<Played<'a>>,
}

/// How a side played.
#[derive(Serialize)]
struct Side {
    moves: usize,
    best: usize,
    mean_loss: f64,
    /// How much of the chance to win it has kept, in percent with one decimal: a number that the page rounds again may come
    /// out otherwise than elsewhere.
    kept: String,
    grades: [usize; 3],
    missed_mates: usize,
    usual: f64,
}

/// A position. Score and chance are Black's.
#[derive(Serialize)]
struct Place {
    sfen: String,
    score: Score,
    chance: f64,
    depth: u32,
    lines: Vec<Shown>,
}

/// A line of a position. The score is Black's.
#[derive(Serialize)]
struct Shown {
    score: Score,
    words: Vec<String>,
    first: String,
}

/// A move of the game.
#[derive(Serialize)]
struct Played<'a> {
    usi: String,
    words: &'a str,
    black: bool,
    best: bool,
    loss: i32,
    lost_chance: f64,
    grade: Option<&'static str>,
    missed_mate: Option<u32>,
    allowed_mate: Option<u32>,
    probability: f64,
    best_probability: f64,
}

/// The page of a game.
pub fn page(analysis: &GameAnalysis) -> String {
    let record = analysis.record();
    let players = Color::ALL.map(|color| analysis.name(color, fallback_name(color)));
    let positions = (0..analysis.positions().len()).map(|ply| place(analysis, ply)).collect();
    let headers = record.headers().iter().map(|Header { name, value }| [name.as_str(), value]).collect();
    let game = Game {
        players,
        headers,
        winner: record.winner().map(|color| match color {
            Color::Black => "black",
            Color::White => "white",
        }),
        first: record.start().move_number,
        summaries: analysis.summaries().0.map(side),
        positions,
        moves: analysis.judgements().iter().map(played).collect(),
    };
    let data = serde_json::to_string(&game).expect("plain values have a JSON form");
    // The text of a script ends at the first `</script`, also within a string.
    let data = data.replace('<', "\\u003c");
    let title = escape(&format!("{} – {}", players[0], players[1]));
    let (head, rest) = TEMPLATE.split_once("{{title}}").expect("the template has a title");
    let (middle, tail) = rest.split_once("{{game}}").expect("the template has a place for the game");
    [MAGIC, "\n", head, &title, middle, &data, tail].concat()
}

fn place(analysis: &GameAnalysis, ply: usize) -> Place {
    let finding = &analysis.findings()[ply];
    let position = &analysis.positions()[ply];
    let for_black = |value: Value| if position.side() == Color::Black { value } else { -value };
    let value = for_black(finding.value);
    Place {
        sfen: sfen::write(position),
        score: value.into(),
        chance: rounded(value.chance_to_win()),
        depth: finding.depth,
        lines: finding
            .lines
            .iter()
            .map(|line| Shown {
                score: for_black(line.value).into(),
                words: analysis.words(ply, &line.moves),
                first: line.moves[0].to_string(),
            })
            .collect(),
    }
}

fn played(judgement: &Judgement) -> Played<'_> {
    Played {
        usi: judgement.mv.to_string(),
        words: &judgement.words,
        black: judgement.color == Color::Black,
        best: judgement.is_best,
        loss: judgement.loss,
        lost_chance: rounded(judgement.lost_chance),
        grade: judgement.grade.map(Grade::name),
        missed_mate: judgement.missed_mate(),
        allowed_mate: judgement.allowed_mate(),
        probability: rounded(judgement.probability),
        best_probability: rounded(judgement.best_probability),
    }
}

fn side(summary: Summary) -> Side {
    let Summary { moves, best, mean_loss, accuracy, grades, missed_mates, usual } = summary;
    let (mean_loss, usual) = (mean_loss.round(), rounded(usual));
    let kept = format!("{:.1}", accuracy * 100.0);
    Side { moves, best, mean_loss, kept, grades, missed_mates, usual }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_share_that_is_kept_is_rounded_once() {
        let summary = |accuracy| Summary {
            moves: 1,
            best: 0,
            mean_loss: 0.0,
            accuracy,
            grades: [0; 3],
            missed_mates: 0,
            usual: 0.0,
        };
        // To three or four decimals it is 0.9725, which is 97.3%.
        assert_eq!(side(summary(0.972_46)).kept, "97.2");
        assert_eq!(side(summary(1.0)).kept, "100.0");
    }
}
