//! KIF: `   1 ７六歩(77)   ( 0:16/00:00:16)`.

use std::time::Duration;

use super::builder::Replay;
use super::ending::Ending;
use super::ending_words;
use super::error::ReadError;
use super::game::{MoveSequence, PlayedMove, Record};
use super::japanese;
use super::kakinoki::{self, KakinokiReader, NO_MOVE_BEFORE};
use crate::shogi::color::{Color, PerColor};
use crate::shogi::moves::{Move, Origin};
use crate::shogi::piece::{HandKind, Piece, PieceKind};
use crate::shogi::square::Square;

const MOVE: &str = "a move like ７六歩(77), 同　銀成(31) or ５五角打";
const TIME: &str = "times like ( 0:16/00:00:16)";

/// Reads a game with its variations.
pub(super) fn read(text: &str) -> Result<Record, ReadError> {
    kakinoki::read(text, move_line)
}

fn move_line(reader: &mut KakinokiReader, line: usize, text: &str) -> Result<(), ReadError> {
    let error = |expected| ReadError::unexpected(line, text, expected);
    let digits = text.chars().take_while(char::is_ascii_digit).count();
    let number: u32 = text[..digits].parse().map_err(|_| error("the number of the move"))?;
    let words = japanese::skip_blanks(&text[digits..]);
    let words = japanese::side_mark(words).map_or(words, |(_, words)| words);
    let is_move =
        words.starts_with('同') || words.chars().next().is_some_and(|c| japanese::digit(c).is_some());
    let game = reader.game(line)?;
    let plies = i64::try_from(game.builder.plies()).unwrap_or(i64::MAX);
    // After an illegal move the end has a number of its own, although the illegal move is not among the moves.
    if is_move {
        game.check_pending()?;
    }
    let base = *reader.number_base.get_or_insert(i64::from(number) - plies - 1);
    if is_move && i64::from(number) != base + plies + 1 {
        return Err(error("the number after that of the move before"));
    }
    let last_to = reader.last_to();
    let game = reader.game(line)?;
    if !is_move {
        let end = words.find([' ', '　', '(', '\t']).unwrap_or(words.len());
        let (word, rest) = words.split_at(end);
        let time = times(rest).ok_or_else(|| error(TIME))?;
        let ending = ending_words::parse_word(word, game.side());
        let ending = ending.or_else(|| other(word)).ok_or_else(|| error("a move, or an end like 投了"))?;
        return game.end(ending, time);
    }
    if words.starts_with('同') && last_to.is_none() {
        return Err(error(NO_MOVE_BEFORE));
    }
    let written = WrittenMove::parse(words, last_to).ok_or_else(|| error(MOVE))?;
    let time = times(written.rest).ok_or_else(|| error(TIME))?;
    game.play(line, text, written.mv, Some(written.kind), time)
}

/// An unknown ending, if it is a word.
fn other(word: &str) -> Option<Ending> {
    // Lower-case Latin letters are more likely a mistake than an ending.
    let is_word = word.chars().all(|c| c == '_' || c.is_alphanumeric() && !c.is_ascii_lowercase());
    (!word.is_empty() && is_word).then(|| Ending::Other(word.to_string()))
}

/// A move as written in a file.
struct WrittenMove<'a> {
    mv: Move,
    /// The kind of the moving piece.
    kind: PieceKind,
    rest: &'a str,
}

impl<'a> WrittenMove<'a> {
    fn parse(text: &'a str, last_to: Option<Square>) -> Option<WrittenMove<'a>> {
        let (to, rest) = match text.strip_prefix('同') {
            Some(rest) => (last_to?, japanese::skip_blanks(rest)),
            None => japanese::square(text)?,
        };
        let (kind, rest) = japanese::piece(japanese::skip_blanks(rest))?;
        let rest = japanese::skip_blanks(rest);
        let (promotes, rest) = match rest.strip_prefix('成') {
            Some(rest) => (true, rest),
            None => (false, rest.strip_prefix("不成").unwrap_or(rest)),
        };
        if let Some(rest) = rest.strip_prefix('打') {
            let kind_in_hand = kind.dropped().filter(|_| !promotes)?;
            return Some(WrittenMove { mv: Move::drop(kind_in_hand, to), kind, rest });
        }
        let (from, rest) = japanese::square(rest.strip_prefix(['(', '（'])?)?;
        let rest = rest.strip_prefix([')', '）'])?;
        if from == to {
            return None;
        }
        let mv = if promotes { Move::promoting(from, to) } else { Move::board(from, to) };
        Some(WrittenMove { mv, kind, rest })
    }
}

/// The thinking time in the text after a move; `Some(None)` if there is none, `None` if the text is malformed.
fn times(text: &str) -> Option<Option<Duration>> {
    // A plus marks a move with variations.
    let rest = text.trim().trim_end_matches(['+', '＋']).trim_end();
    if rest.is_empty() {
        return Some(None);
    }
    let inner = rest.strip_prefix(['(', '（'])?.strip_suffix([')', '）'])?;
    let (this, _) = inner.split_once('/').unwrap_or((inner, ""));
    let (whole, fraction) = this.trim().split_once('.').unwrap_or((this.trim(), ""));
    let mut seconds: u64 = 0;
    for part in whole.split(':') {
        seconds = seconds.checked_mul(60)?.checked_add(part.trim().parse().ok()?)?;
    }
    Some(Some(Duration::from_secs(seconds) + super::game_reader::fraction(fraction)?))
}

/// Writes the game with its variations.
pub(super) fn write(record: &Record) -> String {
    let mut text = kakinoki::write(record);
    text.push_str("手数----指手---------消費時間--\n");
    let mut writer = Writer { record, replay: Replay::new(record.start_position()), spent: Vec::new(), text };
    writer.line(record.main());
    for variation in record.variations() {
        writer.text.push_str(&format!("\n変化：{}手\n", variation.ply));
        writer.branch(variation.ply);
        writer.line(&variation.line);
    }
    writer.text
}

struct Writer<'a> {
    record: &'a Record,
    replay: Replay,
    /// The thinking time that both sides had used after each move of the line.
    spent: Vec<PerColor<Duration>>,
    text: String,
}

impl Writer<'_> {
    fn branch(&mut self, ply: usize) {
        // Cannot fail: the builder accepted the same variations in the same order.
        if self.replay.branch(ply).is_ok() {
            self.spent.truncate(ply - 1);
        }
    }

    fn line(&mut self, line: &MoveSequence) {
        self.comments(&line.comments);
        for played in &line.moves {
            self.played(played);
            self.comments(&played.comments);
        }
        let Some(end) = &line.end else { return };
        let plies = self.replay.path.len();
        let mut number = plies + 1;
        let mut ending = end.ending.clone();
        if let Ending::Illegal { loser, attempted: Some(mv) } = end.ending {
            match name(&self.replay, mv) {
                Some(name) => {
                    self.text.push_str(&format!("{number:4} {name}\n"));
                    number += 1;
                }
                // KIF can only express moves of the player's own pieces; a comment keeps any other.
                None => {
                    self.text.push_str(&format!("*反則手 {mv}\n"));
                    ending = Ending::Illegal { loser, attempted: None };
                }
            }
        }
        if let Some(word) = ending_words::word(&ending, self.record.side_after(plies)) {
            let times = self.times(end.time);
            self.numbered(number, word, &times);
        }
        self.text.push_str(&ending_words::write_summary(self.record, &end.ending, plies));
        self.comments(&end.comments);
    }

    fn played(&mut self, played: &PlayedMove) {
        let name = name(&self.replay, played.mv).unwrap_or_default();
        let number = self.replay.path.len() + 1;
        let times = self.times(played.time);
        self.numbered(number, &name, &times);
        self.replay.play(played.mv);
    }

    fn numbered(&mut self, number: usize, what: &str, times: &str) {
        let line = if times.is_empty() {
            format!("{number:4} {what}\n")
        } else {
            // The widest moves take thirteen columns; a Japanese character takes two.
            let columns: usize = what.chars().map(|c| if c.is_ascii() { 1 } else { 2 }).sum();
            format!("{number:4} {what}{:pad$} {times}\n", "", pad = 13_usize.saturating_sub(columns))
        };
        self.text.push_str(&line);
    }

    /// The times of the next move: its own and the player's total. Adds its own to the total.
    fn times(&mut self, time: Option<Duration>) -> String {
        let mut spent = self.spent.last().copied().unwrap_or_default();
        let mover: Color = self.replay.position.side();
        spent[mover] = spent[mover].saturating_add(time.unwrap_or_default());
        let total = spent[mover].as_secs();
        self.spent.push(spent);
        match time.map(|time| time.as_secs()) {
            None => String::new(),
            Some(this) => format!(
                "({:2}:{:02}/{:02}:{:02}:{:02})",
                this / 60,
                this % 60,
                total / 3600,
                total / 60 % 60,
                total % 60
            ),
        }
    }

    fn comments(&mut self, comments: &[String]) {
        for comment in comments {
            self.text.push_str(&format!("*{comment}\n"));
        }
    }
}

/// The move in words; `None` if it does not move one of the player's pieces.
fn name(replay: &Replay, mv: Move) -> Option<String> {
    let to = mv.to();
    let to_name = match replay.path.last() {
        Some(last) if last.to() == to => "同　".to_string(),
        _ => japanese::square_name(to),
    };
    let piece = match mv.origin() {
        Origin::Board(from) => replay.position.piece_on(from)?,
        Origin::Hand(kind) => Piece::new(replay.position.side(), HandKind::piece_kind(kind)),
    };
    if piece.color != replay.position.side() {
        return None;
    }
    let from_name = match mv.from() {
        Some(from) => format!("({}{})", from.file() + 1, from.rank() + 1),
        None => "打".to_string(),
    };
    let promotion = if mv.is_promotion() { "成" } else { "" };
    Some(format!("{to_name}{}{promotion}{from_name}", japanese::piece_name(piece.kind)))
}
