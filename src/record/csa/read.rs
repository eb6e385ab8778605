//! Reading CSA.

use std::time::Duration;

use super::moves::{color_of, named, parts, piece, square};
use super::{FORFEIT, REFUSED, SUMMARY, ending_of_word};
use crate::record::builder::RecordBuilder;
use crate::record::ending::Ending;
use crate::record::error::{Problem, ReadError};
use crate::record::game::Record;
use crate::record::game_reader::{self, GameReader};
use crate::shogi::color::{Color, PerColor};
use crate::shogi::piece::{HandKind, Piece, PieceKind};
use crate::shogi::position::Position;
use crate::shogi::setup::Setup;
use crate::shogi::square::Square;

const STATEMENT: &str = "a CSA statement: V N+ N- $ P + - T % ' or /";
const PLACED: &str = "squares and pieces like 55FU or 00KI";
const ROW: &str = "nine squares, each ' * ' or like +FU";
const MOVE: &str = "a move like +7776FU";

/// Reads every game. A line `/` separates two games.
pub fn read(text: &str) -> Result<Vec<Record>, ReadError> {
    let mut records = Vec::new();
    let mut reader = CsaReader::new();
    let mut last = 1;
    for (line, text) in game_reader::numbered_lines(text) {
        last = line;
        if text.trim_end() == "/" {
            records.push(std::mem::replace(&mut reader, CsaReader::new()).finish(line)?);
            continue;
        }
        if line == 1 && text.starts_with("'CSA encoding=") {
            continue;
        }
        reader.line(line, text)?;
    }
    // A file may end with the separator.
    if !reader.is_empty || records.is_empty() {
        records.push(reader.finish(last)?);
    }
    Ok(records)
}

/// Reads what stands before the first move: the start, and the last line that was read. Black moves where the file does not
/// say which side does.
pub fn read_start(text: &str) -> Result<(usize, Setup), ReadError> {
    let mut reader = CsaReader::new();
    let mut last = 1;
    for (line, text) in game_reader::numbered_lines(text) {
        last = line;
        // Comments, names and headers may have any text.
        if text.starts_with(['\'', 'N', '$']) {
            continue;
        }
        for statement in text.split(',').map(str::trim_end) {
            match statement.as_bytes() {
                [sign @ (b'+' | b'-')] => {
                    reader.setup.side = color_of(*sign);
                    return Ok((last, reader.setup));
                }
                [b'\'' | b'+' | b'-' | b'%' | b'/', ..] => return Ok((last, reader.setup)),
                _ => reader.statement(line, statement)?,
            }
        }
    }
    Ok((last, reader.setup))
}

struct CsaReader {
    is_empty: bool,
    setup: Setup,
    /// Whether a statement has set the board or a part of it.
    has_board: bool,
    players: PerColor<Option<String>>,
    headers: Vec<(String, String)>,
    comments: Vec<String>,
    /// The game, once the side to move is known.
    game: Option<GameReader>,
    /// The ending in the summary comment, for games without another.
    summary: Option<Ending>,
}

impl CsaReader {
    fn new() -> CsaReader {
        CsaReader {
            is_empty: true,
            setup: Setup::EMPTY,
            has_board: false,
            players: PerColor::default(),
            headers: Vec::new(),
            comments: Vec::new(),
            game: None,
            summary: None,
        }
    }

    fn line(&mut self, line: usize, text: &str) -> Result<(), ReadError> {
        if text.trim().is_empty() {
            return Ok(());
        }
        self.is_empty = false;
        let error = |expected| ReadError::unexpected(line, text, expected);
        if let Some(comment) = text.strip_prefix('\'') {
            self.comment(comment);
        } else if let Some(name) = text.strip_prefix("N+") {
            self.player(Color::Black, name);
        } else if let Some(name) = text.strip_prefix("N-") {
            self.player(Color::White, name);
        } else if let Some(header) = text.strip_prefix('$') {
            let (name, value) = header.split_once(':').ok_or_else(|| error("a header like $EVENT:name"))?;
            match &mut self.game {
                Some(game) => game.builder.header(name, value),
                None => self.headers.push((name.to_string(), value.to_string())),
            }
        } else {
            // Several statements may share a line. A comment takes the rest of the line.
            let mut rest = text;
            while !rest.is_empty() {
                if let Some(comment) = rest.strip_prefix('\'') {
                    self.comment(comment);
                    break;
                }
                let (statement, after) = rest.split_once(',').unwrap_or((rest, ""));
                self.statement(line, statement.trim_end())?;
                rest = after;
            }
        }
        Ok(())
    }

    fn statement(&mut self, line: usize, text: &str) -> Result<(), ReadError> {
        let error = |expected| ReadError::unexpected(line, text, expected);
        match text.as_bytes() {
            [] => Ok(()),
            [b'V', ..] => self.version(line, text),
            [b'P', ..] if self.game.is_some() => Err(error("the start position before the moves")),
            [b'P', b'I', ..] => self.even(line, text),
            [b'P', b'+', ..] => self.placed(line, text, Color::Black),
            [b'P', b'-', ..] => self.placed(line, text, Color::White),
            [b'P', rank @ b'1'..=b'9', ..] => self.row(line, text, rank - b'1'),
            [sign @ (b'+' | b'-')] => {
                if self.game.is_some() {
                    return Err(error(MOVE));
                }
                self.game(line, color_of(*sign)).map(|_| ())
            }
            [sign @ (b'+' | b'-'), ..] => self.mv(line, text, color_of(*sign)),
            [b'T', ..] => {
                let time = time(&text[1..]).ok_or_else(|| error("a time in seconds like T12 or T12.345"))?;
                match &mut self.game {
                    Some(game) => game.time(time),
                    None => return Err(error("a move before its time")),
                }
                Ok(())
            }
            [b'%', ..] => self.end(line, text),
            _ => Err(error(STATEMENT)),
        }
    }

    fn version(&mut self, line: usize, text: &str) -> Result<(), ReadError> {
        // Future minor versions are accepted, as every statement is checked anyway.
        match text[1..].split('.').next().and_then(|major| major.parse::<u32>().ok()) {
            Some(1..=3) => Ok(()),
            _ => Err(ReadError::unexpected(line, text, "version V2.2 or V3.0")),
        }
    }

    fn comment(&mut self, text: &str) {
        let summary = text.strip_prefix(SUMMARY).and_then(ending_of_summary);
        if let (Some(ending), Some(game)) = (summary, &mut self.game) {
            if !game.builder.has_ended() {
                self.summary = Some(ending);
                return;
            }
            // shogi-server also writes %KACHI for an invalid declaration, and %TORYO for a lost connection whichever
            // side is to move. Only its summary has the winner.
            game.builder.overrule(ending);
        }
        let text = text.strip_prefix('*').unwrap_or(text);
        match &mut self.game {
            Some(game) => {
                // Comments after the summary belong to its ending.
                if let Some(ending) = self.summary.take() {
                    game.builder.end(ending, None);
                }
                game.builder.comment(text);
            }
            None => self.comments.push(text.to_string()),
        }
    }

    fn player(&mut self, color: Color, name: &str) {
        match &mut self.game {
            Some(game) => game.builder.player(color, name),
            None => self.players[color] = Some(name.to_string()),
        }
    }

    /// `PI` and the pieces that are missing from the even start.
    fn even(&mut self, line: usize, text: &str) -> Result<(), ReadError> {
        self.has_board = true;
        self.setup.board = Position::start().setup().board;
        for (square, kind) in placed(&text[2..]).ok_or_else(|| ReadError::unexpected(line, text, PLACED))? {
            let on_board = square.and_then(|square| self.setup.board[square.index()]);
            match (square, on_board) {
                (Some(square), Some(piece)) if Some(piece.kind) == kind => {
                    self.setup.board[square.index()] = None;
                }
                _ => {
                    let expected = "pieces of the even start on their squares, like 82HI";
                    return Err(ReadError::unexpected(line, text, expected));
                }
            }
        }
        Ok(())
    }

    /// `P1-KY-KE ...`
    fn row(&mut self, line: usize, text: &str, rank: u8) -> Result<(), ReadError> {
        self.has_board = true;
        let error = || ReadError::unexpected(line, text, ROW);
        // Blanks at the end of the row may be missing.
        let mut rest = &text[2..];
        for file in (0..9).rev() {
            let piece = match rest.get(..3).or_else(|| Some(rest).filter(|rest| rest.len() < 3)) {
                Some(cell) if matches!(cell.trim(), "*" | "") => None,
                Some(cell) => {
                    let sign = *cell.as_bytes().first().ok_or_else(error)?;
                    let kind = cell.get(1..).and_then(piece).ok_or_else(error)?;
                    if sign != b'+' && sign != b'-' {
                        return Err(error());
                    }
                    Some(Piece::new(color_of(sign), kind))
                }
                None => return Err(error()),
            };
            self.setup.board[Square::new(file, rank).index()] = piece;
            rest = rest.get(3..).unwrap_or("");
        }
        if rest.trim().is_empty() { Ok(()) } else { Err(error()) }
    }

    /// `P+55FU00KI`
    fn placed(&mut self, line: usize, text: &str, color: Color) -> Result<(), ReadError> {
        self.has_board = true;
        let error = |expected| ReadError::unexpected(line, text, expected);
        for (square, kind) in placed(&text[2..]).ok_or_else(|| error(PLACED))? {
            match (square, kind) {
                (Some(square), Some(kind)) => {
                    self.setup.board[square.index()] = Some(Piece::new(color, kind));
                }
                (None, Some(kind)) => {
                    let kind = kind.dropped().ok_or_else(|| error("a piece that can be held in hand"))?;
                    let held = &mut self.setup.hands[color][kind.index()];
                    *held = held.saturating_add(1);
                }
                (None, None) => self.hold_the_rest(color),
                (Some(_), None) => return Err(error("00AL for the remaining pieces")),
            }
        }
        Ok(())
    }

    /// Puts all remaining pieces of a full set into `color`'s hand.
    fn hold_the_rest(&mut self, color: Color) {
        for kind in HandKind::ALL {
            let on_board = self
                .setup
                .board
                .iter()
                .flatten()
                .filter(|piece| piece.kind.hand_kind() == Some(kind))
                .count();
            let held: usize =
                Color::ALL.iter().map(|&c| usize::from(self.setup.hands[c][kind.index()])).sum();
            let rest = usize::from(kind.in_set()).saturating_sub(on_board + held);
            let hand = &mut self.setup.hands[color][kind.index()];
            *hand = hand.saturating_add(u8::try_from(rest).unwrap_or(u8::MAX));
        }
    }

    /// The game. The first call begins it with `side` to move.
    fn game(&mut self, line: usize, side: Color) -> Result<&mut GameReader, ReadError> {
        let game = match self.game.take() {
            Some(game) => game,
            None => GameReader::new(self.builder(line, side)?),
        };
        Ok(self.game.insert(game))
    }

    fn builder(&mut self, line: usize, side: Color) -> Result<RecordBuilder, ReadError> {
        if !self.has_board {
            self.setup.board = Position::start().setup().board;
        }
        self.setup.side = side;
        let mut builder = RecordBuilder::new(&self.setup)
            .map_err(|invalid| ReadError { line, problem: Problem::Position(invalid) })?;
        builder.preamble(&self.players, &self.headers, &self.comments);
        Ok(builder)
    }

    fn mv(&mut self, line: usize, text: &str, color: Color) -> Result<(), ReadError> {
        let error = |expected| ReadError::unexpected(line, text, expected);
        let game = self.game(line, color)?;
        let (from, to, kind) = parts(&text[1..]).ok_or_else(|| error(MOVE))?;
        game.check_pending()?;
        if color != game.side() {
            return Err(error("the other side's move: + for Black and - for White in turn"));
        }
        let position = game.builder.position();
        let mv = named(position, from, to, kind).ok_or_else(|| match from {
            None => error("an unpromoted piece to be dropped"),
            Some(_) => error(MOVE),
        })?;
        // CSA names the piece as it is after the move.
        let moved = from.map(|from| match position.piece_on(from) {
            Some(piece) if mv.is_promotion() => piece.kind,
            _ => kind,
        });
        game.play(line, text, mv, moved, None)
    }

    fn end(&mut self, line: usize, text: &str) -> Result<(), ReadError> {
        let word = &text[1..];
        let side = self.setup.side;
        let game = self.game(line, side)?;
        let side = game.side();
        let other = || {
            let is_word = !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || c == '_');
            is_word.then(|| Ending::Other(word.to_string()))
        };
        match ending_of_word(word, side).or_else(other) {
            Some(ending) => game.end(ending, None),
            None => Err(ReadError::unexpected(line, text, "an end like %TORYO")),
        }
    }

    fn finish(mut self, line: usize) -> Result<Record, ReadError> {
        let side = self.setup.side;
        let summary = self.summary.take();
        self.game(line, side)?;
        match self.game {
            Some(mut game) => {
                if let Some(ending) = summary {
                    game.end(ending, None)?;
                }
                game.finish()
            }
            None => Err(ReadError { line, problem: Problem::UnknownFormat }),
        }
    }
}

/// Squares and kinds of `P+` and `PI`; the kind is `None` for `AL`.
fn placed(text: &str) -> Option<Vec<(Option<Square>, Option<PieceKind>)>> {
    let mut list = Vec::new();
    let mut rest = text.trim_end();
    while !rest.is_empty() {
        let square = square(rest.get(..2)?)?;
        let letters = rest.get(2..4)?;
        let kind = if letters == "AL" { None } else { Some(piece(letters)?) };
        list.push((square, kind));
        rest = rest.get(4..)?;
    }
    Some(list)
}

fn time(text: &str) -> Option<Duration> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let is_number = !whole.is_empty() && whole.bytes().all(|b| b.is_ascii_digit());
    let seconds: u64 = whole.parse().ok().filter(|_| is_number)?;
    Some(Duration::from_secs(seconds) + game_reader::fraction(fraction)?)
}

/// The ending in a summary like `toryo:Black's name win:White's name lose`.
fn ending_of_summary(text: &str) -> Option<Ending> {
    let (rest, white) = text.trim_end().rsplit_once(':')?;
    let (reason, black) = rest.split_once(':')?;
    let result = |part: &str| part.rsplit(' ').next().map(str::to_string);
    let loser = match (result(black)?.as_str(), result(white)?.as_str()) {
        ("win", "lose") => Color::White,
        ("lose", "win") => Color::Black,
        ("draw", "draw") => return Some(Ending::Draw),
        _ => return None,
    };
    Some(match reason {
        FORFEIT => Ending::Forfeit { loser },
        REFUSED => Ending::Illegal { loser, attempted: None },
        _ => Ending::Won(!loser),
    })
}
