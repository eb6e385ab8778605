//! What KIF and KI2 have in common: everything but the moves.

use super::builder::RecordBuilder;
use super::diagram::{self, Diagram};
use super::ending_words;
use super::error::{Problem, ReadError};
use super::game::Record;
use super::game_reader::{self, GameReader};
use super::handicap::Handicap;
use super::japanese::{self, side_name};
use crate::shogi::color::{Color, PerColor};
use crate::shogi::setup::Setup;
use crate::shogi::square::Square;

/// A line of either format.
#[derive(PartialEq, Eq, Debug)]
enum Entry<'a> {
    /// Nothing that matters: blank, a ruler, a remark of the program that wrote it.
    Nothing,
    Comment(&'a str),
    Header(&'a str, &'a str),
    Handicap(&'a str),
    Hand(Color, &'a str),
    Row,
    Side(Color),
    /// How many moves were played before the start, and in words the last of them.
    Before(&'a str),
    Moves(&'a str),
    Variation(&'a str),
    Summary,
}

/// A file that is being read.
pub(super) struct KakinokiReader {
    handicap: Option<Handicap>,
    diagram: Diagram,
    side: Option<Color>,
    moves_before: u32,
    players: PerColor<Option<String>>,
    headers: Vec<(String, String)>,
    comments: Vec<String>,
    /// Once there are moves.
    reading: Option<GameReader>,
    /// Where the last move before the start went.
    last_to: Option<Square>,
    /// What the number of the first move is over 1.
    pub number_base: Option<i64>,
}

/// What a move to "the same square" lacks at the start.
pub(super) const NO_MOVE_BEFORE: &str = "a square, as there is no move before that went to the same one";
const VARIATION: &str = "the number of a move that the line before has, like 変化：12手";

/// Reads a game whose lines of moves `moves` understands.
pub(super) fn read(
    text: &str,
    moves: impl Fn(&mut KakinokiReader, usize, &str) -> Result<(), ReadError>,
) -> Result<Record, ReadError> {
    let mut reader = KakinokiReader {
        handicap: None,
        diagram: Diagram::new(),
        side: None,
        moves_before: 0,
        players: PerColor::default(),
        headers: Vec::new(),
        comments: Vec::new(),
        reading: None,
        last_to: None,
        number_base: None,
    };
    let mut last = 1;
    for (line, text) in game_reader::numbered_lines(text) {
        last = line;
        match entry(text) {
            Some(Entry::Moves(text)) => moves(&mut reader, line, text)?,
            Some(Entry::Variation(number)) => reader.variation(line, text, number)?,
            Some(Entry::Summary) => reader.summary(line, text)?,
            Some(Entry::Comment(text)) => match &mut reader.reading {
                Some(reading) => reading.builder.comment(text),
                None => reader.comments.push(text.to_string()),
            },
            Some(Entry::Header(name, value)) => reader.header(name, value),
            Some(entry) => reader.position(line, text, entry)?,
            None => {
                return Err(ReadError::unexpected(
                    line,
                    text,
                    "a header with a colon, a board row, a move, or a comment after '*'",
                ));
            }
        }
    }
    reader.reading(last)?;
    match reader.reading {
        Some(reading) => reading.finish(),
        None => Err(ReadError { line: last, problem: Problem::UnknownFormat }),
    }
}

fn entry(line: &str) -> Option<Entry<'_>> {
    let text = japanese::skip_blanks(line);
    let first = text.chars().next();
    Some(match first {
        None => Entry::Nothing,
        Some('*') => Entry::Comment(&text[1..]),
        // A bookmark stays recognisable among the comments.
        Some('&') => Entry::Comment(text),
        Some('#') => Entry::Nothing,
        Some('|') => Entry::Row,
        Some('+') if text.starts_with("+-") => Entry::Nothing,
        Some('９' | '9') if text.starts_with("９ ８") || text.starts_with("9 8 7 6") => Entry::Nothing,
        Some('0'..='9') => Entry::Moves(text),
        Some(_) if japanese::side_mark(text).is_some() => Entry::Moves(text),
        Some(_) if text.trim().is_empty() => Entry::Nothing,
        Some(_) => return worded(text),
    })
}

/// A line that begins with a word.
fn worded(text: &str) -> Option<Entry<'_>> {
    if text.starts_with("まで") {
        return Some(Entry::Summary);
    }
    if let Some(rest) = text.strip_prefix("手数") {
        if let Some(before) = rest.strip_prefix(['＝', '=']) {
            return Some(Entry::Before(before));
        }
        if rest.starts_with(['-', '―', '─', 'ー']) {
            return Some(Entry::Nothing);
        }
    }
    for color in Color::ALL {
        for handicap in [false, true] {
            if text.trim_end().strip_prefix(side_name(color, handicap)) == Some("番") {
                return Some(Entry::Side(color));
            }
        }
    }
    let (name, value) = text.split_once(['：', ':'])?;
    let (name, value) = (name.trim(), value.trim());
    Some(match name {
        "" => return None,
        "手合割" => Entry::Handicap(value),
        "変化" => Entry::Variation(value),
        "手番" => Entry::Side(japanese::sides_in(value).next()?.1),
        "先手の持駒" | "先手の持ち駒" | "下手の持駒" | "下手の持ち駒" => {
            Entry::Hand(Color::Black, value)
        }
        "後手の持駒" | "後手の持ち駒" | "上手の持駒" | "上手の持ち駒" => {
            Entry::Hand(Color::White, value)
        }
        _ => Entry::Header(name, value),
    })
}

impl KakinokiReader {
    /// The record so far; its start is what was read until now. `line` is where the moves begin.
    pub fn reading(&mut self, line: usize) -> Result<&mut GameReader, ReadError> {
        let reading = match self.reading.take() {
            Some(reading) => reading,
            None => GameReader::new(self.builder(line)?),
        };
        Ok(self.reading.insert(reading))
    }

    /// Where the last move went, for the move that takes there (同).
    pub fn last_to(&self) -> Option<Square> {
        let last = self.reading.as_ref().and_then(|reading| reading.builder.last_move());
        last.map(|mv| mv.to()).or(self.last_to)
    }

    fn builder(&mut self, line: usize) -> Result<RecordBuilder, ReadError> {
        let start = self.start(line)?;
        let mut builder = RecordBuilder::new(&start)
            .map_err(|invalid| ReadError { line, problem: Problem::Position(invalid) })?;
        builder.preamble(&self.players, &self.headers, &self.comments);
        Ok(builder)
    }

    fn start(&self, line: usize) -> Result<Setup, ReadError> {
        let handicap = self.handicap.unwrap_or(Handicap::Even).setup();
        let mut setup = if self.diagram.rows() > 0 {
            if self.diagram.rows() < 9 {
                let found = format!("{} rows", self.diagram.rows());
                return Err(ReadError::unexpected(line, &found, "nine rows of the board before the moves"));
            }
            Setup { side: handicap.side, ..self.diagram.setup.clone() }
        } else {
            // Hands without a board are what some programs write for an ordinary start.
            handicap
        };
        setup.side = self.side.unwrap_or(setup.side);
        setup.move_number = self.moves_before.saturating_add(1);
        Ok(setup)
    }

    fn header(&mut self, name: &str, value: &str) {
        let player = match name {
            "先手" | "下手" => Some(Color::Black),
            "後手" | "上手" => Some(Color::White),
            _ => None,
        };
        match (&mut self.reading, player) {
            (Some(reading), Some(color)) => reading.builder.player(color, value),
            (Some(reading), None) => reading.builder.header(name, value),
            (None, Some(color)) => self.players[color] = Some(value.to_string()),
            (None, None) => self.headers.push((name.to_string(), value.to_string())),
        }
    }

    fn position(&mut self, line: usize, text: &str, entry: Entry) -> Result<(), ReadError> {
        if entry == Entry::Nothing {
            return Ok(());
        }
        if self.reading.is_some() {
            return Err(ReadError::unexpected(line, text, "the start position before the moves"));
        }
        match entry {
            Entry::Handicap("その他" | "") => {}
            Entry::Handicap(name) => {
                let known = Handicap::of_name(name);
                let error =
                    || ReadError::unexpected(line, name, "a handicap from 平手 to 十枚落ち, or その他");
                self.handicap = Some(known.ok_or_else(error)?);
            }
            Entry::Hand(color, pieces) => self.diagram.hand(line, color, pieces)?,
            Entry::Row => self.diagram.row(line, text.trim())?,
            Entry::Side(color) => self.side = Some(color),
            Entry::Before(before) => {
                let error = || ReadError::unexpected(line, text, "how many moves were played before");
                let digits = before.chars().take_while(char::is_ascii_digit).count();
                self.moves_before = before[..digits].parse().map_err(|_| error())?;
                let words = before[digits..].trim_start_matches(['手', '　', ' ']);
                self.last_to =
                    japanese::side_mark(words).and_then(|(_, words)| Some(japanese::square(words)?.0));
            }
            _ => {}
        }
        Ok(())
    }

    fn variation(&mut self, line: usize, text: &str, number: &str) -> Result<(), ReadError> {
        let digits = number.chars().take_while(char::is_ascii_digit).count();
        let ply = number[..digits].parse::<u32>().ok();
        let base = self.number_base.unwrap_or(0);
        let ply = ply.and_then(|ply| usize::try_from(i64::from(ply) - base).ok());
        let ply = ply.ok_or_else(|| ReadError::unexpected(line, text, VARIATION))?;
        self.reading(line)?.branch(line, text, ply)
    }

    fn summary(&mut self, line: usize, text: &str) -> Result<(), ReadError> {
        let reading = self.reading(line)?;
        // The numbered line of a KIF file has said it better.
        if reading.builder.has_ended() {
            return Ok(());
        }
        match ending_words::parse_summary(text, reading.side()) {
            Some(ending) => reading.end(ending, None),
            None => Ok(()),
        }
    }
}

/// Writes all that stands before the moves.
pub(super) fn write(record: &Record) -> String {
    let mut text = String::new();
    let handicap = Handicap::of(record.start());
    match handicap.filter(|handicap| handicap.is_common()) {
        Some(handicap) => text.push_str(&format!("手合割：{}\n", handicap.name())),
        None => {
            text.push_str("手合割：その他\n");
            text.push_str(&diagram::write(record.start()));
        }
    }
    let at_odds = handicap.is_some_and(|handicap| handicap != Handicap::Even);
    for color in Color::ALL {
        if let Some(name) = &record.players()[color] {
            text.push_str(&format!("{}：{name}\n", side_name(color, at_odds)));
        }
    }
    let mut comments = String::new();
    for header in record.headers() {
        let (name, value) = (japanese::kif_header(&header.name), &header.value);
        let line = format!("{name}：{value}");
        // Another format's header may look like something else here; nothing is lost as a comment.
        if entry(&line) == Some(Entry::Header(name, value)) && !is_player(name) {
            text.push_str(&line);
            text.push('\n');
        } else {
            comments.push_str(&format!("*{line}\n"));
        }
    }
    text + &comments
}

fn is_player(name: &str) -> bool {
    matches!(name, "先手" | "下手" | "後手" | "上手")
}
