//! KI2: moves in words, as people write them: `▲７六歩    △３四歩    ▲２二角成`.
//!
//! The words follow the rules of the Japan Shogi Association; see the module `words`.

pub mod words;

use super::builder::Replay;
use super::ending::Ending;
use super::ending_words;
use super::error::{Problem, ReadError};
use super::game::{MoveSequence, Record};
use super::japanese;
use super::kakinoki::{self, KakinokiReader, NO_MOVE_BEFORE};
use crate::shogi::color::Color;
use crate::util::text::excerpt;
use words::{Misread, Words};

const MOVE: &str = "moves like ▲７六歩, △同　銀右成 or ▲５五角打";
const TURN: &str = "▲ and △ in turn";
/// The number of moves on a line.
const PER_LINE: usize = 6;

/// Reads a game with its variations.
pub(super) fn read(text: &str) -> Result<Record, ReadError> {
    kakinoki::read(text, move_line)
}

fn move_line(reader: &mut KakinokiReader, line: usize, text: &str) -> Result<(), ReadError> {
    let mut rest = text;
    while !rest.is_empty() {
        let Some((color, after)) = japanese::side_mark(rest) else {
            return Err(ReadError::unexpected(line, rest, MOVE));
        };
        let end = after.find(|c: char| "▲▼☗△▽☖".contains(c)).unwrap_or(after.len());
        let found = &rest[..rest.len() - after.len() + end];
        single(reader, line, found, color, &after[..end])?;
        rest = &after[end..];
    }
    Ok(())
}

fn single(
    reader: &mut KakinokiReader,
    line: usize,
    found: &str,
    color: Color,
    words: &str,
) -> Result<(), ReadError> {
    reader.game(line)?;
    let last_to = reader.last_to();
    let game = reader.game(line)?;
    if words.starts_with('同') && last_to.is_none() {
        return Err(ReadError::unexpected(line, found, NO_MOVE_BEFORE));
    }
    let words = Words::parse(words, last_to).ok_or_else(|| ReadError::unexpected(line, found, MOVE))?;
    game.check_pending()?;
    if color != game.side() {
        return Err(ReadError::unexpected(line, found, TURN));
    }
    match words.resolve(game.builder.position()) {
        Ok(mv) | Err(Misread::Illegal(Some(mv))) => game.play(line, found, mv, None, None),
        Err(Misread::Ambiguous(moves)) => {
            Err(ReadError { line, problem: Problem::Ambiguous { found: excerpt(found), moves } })
        }
        Err(Misread::Illegal(None)) => {
            Err(ReadError::unexpected(line, found, "a move of a piece that can go there"))
        }
    }
}

/// Writes the game with its variations. KI2 has no thinking times.
pub(super) fn write(record: &Record) -> String {
    let mut text = kakinoki::write(record);
    let mut replay = Replay::new(record.start_position());
    text.push('\n');
    write_line(&mut text, &mut replay, record, record.main());
    for variation in record.variations() {
        text.push_str(&format!("\n変化：{}手\n", variation.ply));
        // Cannot fail: the builder accepted the same variations in the same order.
        if replay.branch(variation.ply).is_ok() {
            write_line(&mut text, &mut replay, record, &variation.line);
        }
    }
    text
}

fn write_line(text: &mut String, replay: &mut Replay, record: &Record, line: &MoveSequence) {
    let mut on_line = 0;
    let mut put = |text: &mut String, word: &str, is_move: bool| {
        if on_line > 0 && (!is_move || on_line == PER_LINE) {
            text.push('\n');
            on_line = 0;
        }
        if !is_move {
            text.push_str(word);
            return;
        }
        if on_line > 0 {
            text.push_str("    ");
        }
        text.push_str(word);
        on_line += 1;
    };
    for comment in &line.comments {
        put(text, &format!("*{comment}\n"), false);
    }
    for played in &line.moves {
        let last_to = replay.path.last().map(|mv| mv.to());
        put(text, &words::write(&replay.position, played.mv, last_to), true);
        for comment in &played.comments {
            put(text, &format!("*{comment}\n"), false);
        }
        replay.play(played.mv);
    }
    if let Some(end) = &line.end {
        if let Ending::Illegal { attempted: Some(mv), .. } = end.ending {
            let last_to = replay.path.last().map(|mv| mv.to());
            match words::write_illegal(&replay.position, mv, last_to) {
                Some(words) => put(text, &words, true),
                None => put(text, &format!("*反則手 {mv}\n"), false),
            }
        }
        put(text, &ending_words::write_summary(record, &end.ending, replay.path.len()), false);
        for comment in &end.comments {
            put(text, &format!("*{comment}\n"), false);
        }
    }
    put(text, "", false);
}
