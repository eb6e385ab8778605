//! Making records move by move.

use std::fmt;
use std::time::Duration;

use super::ending::{End, Ending};
use super::game::{Header, MoveSequence, PlayedMove, Record, Variation};
use super::{ending_words, japanese};
use crate::shogi::color::{Color, PerColor};
use crate::shogi::moves::Move;
use crate::shogi::position::Position;
use crate::shogi::setup::{InvalidPosition, Setup};

/// A record in the making. It accepts legal moves only.
///
/// ```
/// use jitsugen::record::{self, RecordBuilder, Encoding, Ending, Format};
/// use jitsugen::shogi::position::Position;
///
/// let mut builder = RecordBuilder::new(&Position::start().setup())?;
/// builder.play("7g7f".parse()?, None)?;
/// builder.end(Ending::Resignation, None);
/// let bytes = record::write(&[builder.finish()], Format::Usi, Encoding::Utf8)?;
/// assert_eq!(bytes, b"b\tstartpos moves 7g7f\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct RecordBuilder {
    record: Record,
    /// Follows the line in the making: the game, or the last variation.
    replay: Replay,
}

impl RecordBuilder {
    /// A game from this start, without moves.
    ///
    /// # Errors
    /// When the rules do not allow the start.
    pub fn new(start: &Setup) -> Result<RecordBuilder, InvalidPosition> {
        let position = Position::new(start)?;
        let record = Record {
            start: start.clone(),
            players: PerColor::default(),
            headers: Vec::new(),
            main: MoveSequence::default(),
            variations: Vec::new(),
        };
        Ok(RecordBuilder { record, replay: Replay::new(position) })
    }

    /// The position after the last move.
    pub const fn position(&self) -> &Position {
        &self.replay.position
    }

    /// The last move, if any was played.
    pub fn last_move(&self) -> Option<Move> {
        self.replay.path.last().copied()
    }

    /// Whether the line in the making has an end.
    pub fn has_ended(&self) -> bool {
        self.line().end.is_some()
    }

    /// How many moves lead from the start to the present position.
    pub fn plies(&self) -> usize {
        self.replay.path.len()
    }

    /// Sets the name of a player. Line breaks become spaces; an empty name counts as none.
    pub fn player(&mut self, color: Color, name: &str) {
        let name = one_line(name);
        self.record.players[color] = Some(name).filter(|name| !name.is_empty());
    }

    /// Adds a header. Line breaks become spaces, colons in the name are removed, and KIF's names become CSA's.
    pub fn header(&mut self, name: &str, value: &str) {
        let name = one_line(&name.replace([':', '：'], ""));
        if !name.is_empty() {
            let name = japanese::csa_header(&name).to_string();
            self.record.headers.push(Header { name, value: one_line(value) });
        }
    }

    /// Adds what stands before the first move of a file: names of players, headers, comments.
    pub(super) fn preamble(
        &mut self,
        players: &PerColor<Option<String>>,
        headers: &[(String, String)],
        comments: &[String],
    ) {
        for color in Color::ALL {
            if let Some(name) = &players[color] {
                self.player(color, name);
            }
        }
        headers.iter().for_each(|(name, value)| self.header(name, value));
        comments.iter().for_each(|comment| self.comment(comment));
    }

    /// Plays a move in the line in the making.
    ///
    /// # Errors
    /// When the move is not legal, or the line has ended.
    pub fn play(&mut self, mv: Move, time: Option<Duration>) -> Result<(), IllegalMove> {
        if self.has_ended() || !self.position().is_legal(mv) {
            return Err(IllegalMove(mv));
        }
        self.replay.play(mv);
        self.line_mut().moves.push(PlayedMove { mv, time, comments: Vec::new() });
        Ok(())
    }

    /// Adds a comment to the end of the line in the making, or to its last move, or to its start. Each line of the text
    /// is a comment of its own.
    pub fn comment(&mut self, text: &str) {
        let line = self.line_mut();
        let comments = match (&mut line.end, line.moves.last_mut()) {
            (Some(end), _) => &mut end.comments,
            (None, Some(played)) => &mut played.comments,
            (None, None) => &mut line.comments,
        };
        comments.extend(text.replace("\r\n", "\n").split(['\n', '\r']).map(str::to_string));
    }

    /// Sets the thinking time of the end, or of the last move if the line has no end. Without either it does nothing.
    pub fn time(&mut self, time: Duration) {
        let line = self.line_mut();
        match (&mut line.end, line.moves.last_mut()) {
            (Some(end), _) => end.time = Some(time),
            (None, Some(played)) => played.time = Some(time),
            (None, None) => {}
        }
    }

    /// Ends the line in the making. A later end replaces an earlier one.
    ///
    /// An attempted illegal move is kept only if the side to move made it and it is illegal. [`Ending::Other`] is
    /// shortened to one word; if a format knows that word, the ending it stands for takes its place.
    pub fn end(&mut self, mut ending: Ending, time: Option<Duration>) {
        let position = self.position();
        if let Ending::Illegal { loser, attempted } = &mut ending
            && attempted.is_some_and(|mv| *loser != position.side() || position.is_legal(mv))
        {
            *attempted = None;
        }
        if let Ending::Other(text) = &ending {
            ending = ending_words::parse_word_of_any_format(&one_word(text), position.side());
        }
        self.line_mut().end = Some(End { ending, time, comments: Vec::new() });
    }

    /// Replaces an ending with another winner by `ending`. Time and comments stay, as they belong to the same end.
    pub(super) fn overrule(&mut self, ending: Ending) {
        let side = self.position().side();
        if let Some(end) = &mut self.line_mut().end
            && end.ending.winner(side).is_some_and(|winner| ending.winner(side) != Some(winner))
        {
            end.ending = ending;
        }
    }

    /// Begins a variation: it replaces move number `ply` (1 for the first) of the line in the making and all later moves.
    ///
    /// # Errors
    /// When that line has fewer than `ply - 1` moves.
    pub fn branch(&mut self, ply: usize) -> Result<(), NoSuchMove> {
        self.replay.branch(ply)?;
        self.record.variations.push(Variation { ply, line: MoveSequence::default() });
        Ok(())
    }

    /// The finished record.
    pub fn finish(self) -> Record {
        self.record
    }

    fn line(&self) -> &MoveSequence {
        self.record.variations.last().map_or(&self.record.main, |variation| &variation.line)
    }

    fn line_mut(&mut self) -> &mut MoveSequence {
        match self.record.variations.last_mut() {
            Some(variation) => &mut variation.line,
            None => &mut self.record.main,
        }
    }
}

/// The text as a word that every format can hold and none reads as a move.
fn one_word(text: &str) -> String {
    let word: String = text.chars().filter(|&c| c.is_alphanumeric() || c == '_').collect();
    let word = word.trim_start_matches(|c: char| {
        matches!(c, '同' | '手' | 'で') || c.is_numeric() || japanese::digit(c).is_some()
    });
    if word.is_empty() { "その他".to_string() } else { word.to_ascii_uppercase() }
}

fn one_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ").trim().to_string()
}

/// The move is illegal, or the game is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IllegalMove(pub Move);

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: expected a legal move in a game that has not ended", self.0)
    }
}

impl std::error::Error for IllegalMove {}

/// The line has no such move that a variation could replace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoSuchMove {
    /// The number of the move.
    pub ply: usize,
    /// The highest possible number.
    pub longest: usize,
}

impl fmt::Display for NoSuchMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a variation of move {}: expected 1 to {}", self.ply, self.longest)
    }
}

impl std::error::Error for NoSuchMove {}

/// The position after the last move of a line, with the moves that led to it. It follows the game and its variations.
#[derive(Clone, Debug)]
pub(super) struct Replay {
    pub position: Position,
    pub path: Vec<Move>,
}

impl Replay {
    pub fn new(start: Position) -> Replay {
        Replay { position: start, path: Vec::new() }
    }

    /// Plays a legal move.
    pub fn play(&mut self, mv: Move) {
        self.position.play(mv, &mut ());
        self.path.push(mv);
    }

    /// Goes back to the position before move number `ply` (1 for the first).
    ///
    /// It only takes back moves that were played, so the time for a file is proportional to its length, however its
    /// variations are ordered.
    pub fn branch(&mut self, ply: usize) -> Result<(), NoSuchMove> {
        if ply == 0 || ply > self.path.len() + 1 {
            return Err(NoSuchMove { ply, longest: self.path.len() + 1 });
        }
        for mv in self.path.drain(ply - 1..).rev() {
            self.position.undo(mv, &mut ());
        }
        Ok(())
    }
}
