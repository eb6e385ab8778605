//! What KIF and KI2, the formats of Kakinoki Shogi, share: everything but the moves.

use super::builder::RecordBuilder;
use super::diagram::{Diagram, board_diagram};
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
enum KakinokiLine<'a> {
    /// A line without meaning: blank, a ruler, a remark of the program that wrote the file.
    Ignored,
    Comment(&'a str),
    Header(&'a str, &'a str),
    Handicap(&'a str),
    Hand(Color, &'a str),
    Row,
    Side(Color),
    /// The number of moves before the start, and the last of them in words.
    Before(&'a str),
    Moves(&'a str),
    Variation(&'a str),
    Summary,
}

/// Reads a file. What stands before the moves is collected until the first move.
pub(super) struct KakinokiReader {
    handicap: Option<Handicap>,
    /// A handicap of an unknown name: an error unless a diagram says how the board is.
    unknown_handicap: Option<ReadError>,
    diagram: Diagram,
    side: Option<Color>,
    moves_before: u32,
    players: PerColor<Option<String>>,
    headers: Vec<(String, String)>,
    comments: Vec<String>,
    /// The game, once its moves begin.
    game: Option<GameReader>,
    /// The destination of the last move before the start.
    last_to: Option<Square>,
    /// The number of the first move, less 1.
    pub number_base: Option<i64>,
}

/// What is expected in place of "the same square" (同) at the start.
pub(super) const NO_MOVE_BEFORE: &str = "a square, as 同 needs a move before it";
const LINE: &str = "a header with a colon, a board row, a move, or a comment after '*'";
const VARIATION: &str = "the number of a move, like 変化：12手";

/// Reads a game. `moves` reads the lines of moves.
pub(super) fn read(
    text: &str,
    moves: impl Fn(&mut KakinokiReader, usize, &str) -> Result<(), ReadError>,
) -> Result<Record, ReadError> {
    let mut reader = KakinokiReader::new();
    let mut last = 1;
    for (line, text) in game_reader::numbered_lines(text) {
        last = line;
        match parse_line(text) {
            Some(KakinokiLine::Moves(text)) => moves(&mut reader, line, text)?,
            Some(KakinokiLine::Variation(number)) => reader.variation(line, text, number)?,
            Some(KakinokiLine::Summary) => reader.summary(line, text)?,
            Some(KakinokiLine::Comment(text)) => match &mut reader.game {
                Some(game) => game.builder.comment(text),
                None => reader.comments.push(text.to_string()),
            },
            Some(KakinokiLine::Header(name, value)) => reader.header(name, value),
            Some(kind) => reader.position(line, text, kind)?,
            None => return Err(ReadError::unexpected(line, text, LINE)),
        }
    }
    reader.game(last)?;
    match reader.game {
        Some(game) => game.finish(),
        None => Err(ReadError { line: last, problem: Problem::UnknownFormat }),
    }
}

/// Reads what stands before the moves: the start, and the last line that was read.
pub(super) fn read_start(text: &str) -> Result<(usize, Setup), ReadError> {
    let mut reader = KakinokiReader::new();
    let mut last = 1;
    for (line, text) in game_reader::numbered_lines(text) {
        last = line;
        match parse_line(text) {
            Some(KakinokiLine::Moves(_) | KakinokiLine::Variation(_) | KakinokiLine::Summary) => break,
            Some(KakinokiLine::Comment(_) | KakinokiLine::Header(..)) => {}
            Some(kind) => reader.position(line, text, kind)?,
            None => return Err(ReadError::unexpected(line, text, LINE)),
        }
    }
    Ok((last, reader.start(last)?))
}

fn parse_line(line: &str) -> Option<KakinokiLine<'_>> {
    let text = japanese::skip_blanks(line);
    let first = text.chars().next();
    Some(match first {
        None => KakinokiLine::Ignored,
        Some('*') => KakinokiLine::Comment(&text[1..]),
        // A bookmark keeps its mark, so that it differs from the comments.
        Some('&') => KakinokiLine::Comment(text),
        Some('#') => KakinokiLine::Ignored,
        Some('|') => KakinokiLine::Row,
        Some('+') if text.starts_with("+-") => KakinokiLine::Ignored,
        Some('９' | '9') if text.starts_with("９ ８") || text.starts_with("9 8 7 6") => {
            KakinokiLine::Ignored
        }
        Some('0'..='9') => KakinokiLine::Moves(text),
        Some(_) if japanese::side_mark(text).is_some() => KakinokiLine::Moves(text),
        Some(_) if text.trim().is_empty() => KakinokiLine::Ignored,
        Some(_) => return worded(text),
    })
}

/// A line that begins with a word.
fn worded(text: &str) -> Option<KakinokiLine<'_>> {
    if text.starts_with("まで") {
        return Some(KakinokiLine::Summary);
    }
    if let Some(rest) = text.strip_prefix("手数") {
        if let Some(before) = rest.strip_prefix(['＝', '=']) {
            return Some(KakinokiLine::Before(before));
        }
        if rest.starts_with(['-', '―', '─', 'ー']) {
            return Some(KakinokiLine::Ignored);
        }
    }
    for color in Color::ALL {
        for handicap in [false, true] {
            if text.trim_end().strip_prefix(side_name(color, handicap)) == Some("番") {
                return Some(KakinokiLine::Side(color));
            }
        }
    }
    let (name, value) = text.split_once(['：', ':'])?;
    let (name, value) = (name.trim(), value.trim());
    Some(match name {
        "" => return None,
        "手合割" => KakinokiLine::Handicap(value),
        "変化" => KakinokiLine::Variation(value),
        "手番" => KakinokiLine::Side(japanese::sides_in(value).next()?.1),
        "先手の持駒" | "先手の持ち駒" | "下手の持駒" | "下手の持ち駒" => {
            KakinokiLine::Hand(Color::Black, value)
        }
        "後手の持駒" | "後手の持ち駒" | "上手の持駒" | "上手の持ち駒" => {
            KakinokiLine::Hand(Color::White, value)
        }
        _ => KakinokiLine::Header(name, value),
    })
}

impl KakinokiReader {
    fn new() -> KakinokiReader {
        KakinokiReader {
            handicap: None,
            unknown_handicap: None,
            diagram: Diagram::new(),
            side: None,
            moves_before: 0,
            players: PerColor::default(),
            headers: Vec::new(),
            comments: Vec::new(),
            game: None,
            last_to: None,
            number_base: None,
        }
    }

    /// The game. The first call begins it with the start that was read until then; `line` is the line of that call.
    pub fn game(&mut self, line: usize) -> Result<&mut GameReader, ReadError> {
        let game = match self.game.take() {
            Some(game) => game,
            None => GameReader::new(self.builder(line)?),
        };
        Ok(self.game.insert(game))
    }

    /// The destination of the last move, for a move to the same square (同).
    pub fn last_to(&self) -> Option<Square> {
        let last = self.game.as_ref().and_then(|game| game.builder.last_move());
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
        } else if let Some(error) = &self.unknown_handicap {
            return Err(error.clone());
        } else {
            // Some programs write hands without a board for an ordinary start.
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
        match (&mut self.game, player) {
            (Some(game), Some(color)) => game.builder.player(color, value),
            (Some(game), None) => game.builder.header(name, value),
            (None, Some(color)) => self.players[color] = Some(value.to_string()),
            (None, None) => self.headers.push((name.to_string(), value.to_string())),
        }
    }

    fn position(&mut self, line: usize, text: &str, kind: KakinokiLine) -> Result<(), ReadError> {
        if kind == KakinokiLine::Ignored {
            return Ok(());
        }
        if self.game.is_some() {
            return Err(ReadError::unexpected(line, text, "the start position before the moves"));
        }
        match kind {
            KakinokiLine::Handicap(name) => {
                self.handicap = Handicap::of_name(name);
                let has_no_name = matches!(name, "" | "その他") || name.starts_with("詰将棋");
                self.unknown_handicap = (self.handicap.is_none() && !has_no_name).then(|| {
                    ReadError::unexpected(line, name, "a handicap from 平手 to 十枚落ち, その他 or 詰将棋")
                });
            }
            KakinokiLine::Hand(color, pieces) => self.diagram.hand(line, color, pieces)?,
            KakinokiLine::Row => self.diagram.row(line, text.trim())?,
            KakinokiLine::Side(color) => self.side = Some(color),
            KakinokiLine::Before(before) => {
                let error = || ReadError::unexpected(line, text, "the number of moves before the start");
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
        self.game(line)?.branch(line, text, ply)
    }

    fn summary(&mut self, line: usize, text: &str) -> Result<(), ReadError> {
        let game = self.game(line)?;
        // The numbered line of a KIF file was more precise.
        if game.builder.has_ended() {
            return Ok(());
        }
        match ending_words::parse_summary(text, game.side()) {
            Some(ending) => game.end(ending, None),
            None => Ok(()),
        }
    }
}

/// Writes everything before the moves.
pub(super) fn write(record: &Record) -> String {
    let mut text = String::new();
    let handicap = Handicap::of(record.start());
    match handicap.filter(|handicap| handicap.is_common()) {
        Some(handicap) => text.push_str(&format!("手合割：{}\n", handicap.name())),
        None => {
            text.push_str("手合割：その他\n");
            text.push_str(&board_diagram(record.start()));
        }
    }
    let is_handicap = handicap.is_some_and(|handicap| handicap != Handicap::Even);
    for color in Color::ALL {
        if let Some(name) = &record.players()[color] {
            text.push_str(&format!("{}：{name}\n", side_name(color, is_handicap)));
        }
    }
    let mut comments = String::new();
    for header in record.headers() {
        let (name, value) = (japanese::kif_header(&header.name), &header.value);
        let line = format!("{name}：{value}");
        // A header of another format may read as something else here; as a comment it keeps its text.
        if parse_line(&line) == Some(KakinokiLine::Header(name, value)) && !is_player(name) {
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
