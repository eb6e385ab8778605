//! USI game lines: one game a line, in the form of a USI position, `startpos moves 7g7f 3c3d`.
//!
//! Before it may stand a result and a tab (`b`, `w`, `d` or `?`), and the word `position`. After the moves, `resign` or
//! `win` (a declaration) may end the game.

use super::builder::RecordBuilder;
use super::ending::Ending;
use super::error::{Problem, ReadError};
use super::game::Record;
use super::game_reader::{self, GameReader};
use crate::shogi::color::Color;
use crate::shogi::moves::Move;
use crate::shogi::position::Position;
use crate::shogi::sfen;

const EXPECTED: &str = "startpos or sfen and a position, then moves";

/// Reads every game. Blank lines and lines that begin with `#` are skipped.
pub(super) fn read(text: &str) -> Result<Vec<Record>, ReadError> {
    read_each(text).collect()
}

/// Like [`read`], with a result for each line.
pub(super) fn read_each(text: &str) -> impl Iterator<Item = Result<Record, ReadError>> {
    game_reader::numbered_lines(text)
        .filter(|(_, text)| !text.trim().is_empty() && !text.starts_with('#'))
        .map(|(line, text)| read_line(line, text))
}

fn read_line(line: usize, text: &str) -> Result<Record, ReadError> {
    let (result, game) = match text.split_once('\t') {
        Some((result, game)) if !result.contains(' ') && result != "startpos" => (Some(result.trim()), game),
        _ => (None, text),
    };
    let ending = match result {
        None | Some("?") => None,
        Some("b") => Some(Ending::Won(Color::Black)),
        Some("w") => Some(Ending::Won(Color::White)),
        Some("d") => Some(Ending::Draw),
        Some(other) => return Err(ReadError::unexpected(line, other, "the result b, w, d or ?")),
    };
    let mut words = game.split_ascii_whitespace().peekable();
    words.next_if_eq(&"position");
    let start = match words.next() {
        Some("startpos") => Position::start(),
        Some("sfen") => {
            let mut fields = Vec::new();
            while let Some(field) = words.next_if(|&word| word != "moves") {
                fields.push(field);
            }
            let start = sfen::parse(&fields.join(" "));
            start.map_err(|error| ReadError { line, problem: Problem::Sfen(error) })?
        }
        _ => return Err(ReadError::unexpected(line, game, EXPECTED)),
    };
    let builder = RecordBuilder::new(&start.setup());
    let builder = builder.map_err(|invalid| ReadError { line, problem: Problem::Position(invalid) })?;
    let mut game = GameReader::new(builder);
    match words.next() {
        None | Some("moves") => {}
        Some(other) => return Err(ReadError::unexpected(line, other, "the word moves, or nothing")),
    }
    for word in words {
        match word {
            "resign" => game.end(Ending::Resignation, None)?,
            "win" => game.end(Ending::Declaration, None)?,
            _ => {
                let mv: Move = word
                    .parse()
                    .map_err(|_| ReadError::unexpected(line, word, "a move like 7g7f, 8h2b+ or P*5e"))?;
                game.play(line, word, mv, None, None)?;
            }
        }
    }
    if let Some(ending) = ending {
        game.end(ending, None)?;
    }
    game.finish()
}

/// Writes one line a game.
pub(super) fn write(records: &[Record]) -> String {
    let mut text = String::new();
    for record in records {
        match (record.winner(), record.ending()) {
            (Some(Color::Black), _) => text.push_str("b\t"),
            (Some(Color::White), _) => text.push_str("w\t"),
            (None, Some(ending)) if ending.is_draw() => text.push_str("d\t"),
            (None, _) => {}
        }
        let start = sfen::write(&record.start_position());
        if start == sfen::START {
            text.push_str("startpos");
        } else {
            text.push_str(&format!("sfen {start}"));
        }
        if record.moves().len() > 0 {
            text.push_str(" moves");
        }
        for mv in record.moves() {
            text.push_str(&format!(" {mv}"));
        }
        text.push('\n');
    }
    text
}
