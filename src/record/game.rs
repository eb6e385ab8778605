//! A game: its start, players, moves, variations and end.

use std::time::Duration;

use super::ending::{End, Ending};
use crate::shogi::color::{Color, PerColor};
use crate::shogi::moves::Move;
use crate::shogi::position::Position;
use crate::shogi::setup::Setup;

/// A game: its start, its players, its moves, its end.
///
/// The start is one that the rules allow, and every move is legal: a record is made by a `RecordBuilder`, which checks
/// both.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    pub(super) start: Setup,
    pub(super) players: PerColor<Option<String>>,
    pub(super) headers: Vec<Header>,
    pub(super) main: MoveSequence,
    pub(super) variations: Vec<Variation>,
}

/// Information about the game, such as the event.
///
/// A header that both CSA and KIF know has CSA's name here (`EVENT`, `SITE`, `START_TIME`), whichever file it came from.
/// Any other keeps its own name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    /// The name.
    pub name: String,
    /// The value.
    pub value: String,
}

/// Successive moves and their end.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MoveSequence {
    /// Comments before the first move, one for each line of text.
    pub comments: Vec<String>,
    /// The moves.
    pub moves: Vec<PlayedMove>,
    /// The end, if the record has it.
    pub end: Option<End>,
}

/// A move of a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayedMove {
    /// The move.
    pub mv: Move,
    /// The thinking time.
    pub time: Option<Duration>,
    /// Comments on it, one for each line of text.
    pub comments: Vec<String>,
}

/// Moves that might have been played instead (henka), as in KIF and KI2 files.
///
/// The variations of a record are a flat list in the order of the file. The first one branches off the game, each later
/// one off the variation before it, together with the moves that lead to that: it replaces move number `ply` and all later
/// moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variation {
    /// The number of the first move it replaces, 1 for the first of the game.
    pub ply: usize,
    /// Its own moves.
    pub line: MoveSequence,
}

impl Record {
    /// The start. Move numbers count from its [`Setup::move_number`].
    pub const fn start(&self) -> &Setup {
        &self.start
    }

    /// The position at the start.
    pub fn start_position(&self) -> Position {
        Position::new(&self.start).expect("a builder accepted this start")
    }

    /// The position after the last move of the game, with its history.
    pub fn final_position(&self) -> Position {
        let mut position = self.start_position();
        for played in &self.main.moves {
            position.play(played.mv, &mut ());
        }
        position
    }

    /// The players' names.
    pub const fn players(&self) -> &PerColor<Option<String>> {
        &self.players
    }

    /// The headers, in the order of the file.
    pub fn headers(&self) -> &[Header] {
        &self.headers
    }

    /// The value of the first header of this name.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|header| header.name == name).map(|header| header.value.as_str())
    }

    /// The game as it was played, without variations.
    pub const fn main(&self) -> &MoveSequence {
        &self.main
    }

    /// The moves of the game.
    pub fn moves(&self) -> impl ExactSizeIterator<Item = Move> + '_ {
        self.main.moves.iter().map(|played| played.mv)
    }

    /// The variations.
    pub fn variations(&self) -> &[Variation] {
        &self.variations
    }

    /// Adds a comment to the position after `ply` moves of the game: to the start, to a move, or to nothing where the game
    /// has no such move. Each line of the text is a comment of its own.
    pub fn add_comment(&mut self, ply: usize, text: &str) {
        let comments = match ply.checked_sub(1) {
            None => Some(&mut self.main.comments),
            Some(index) => self.main.moves.get_mut(index).map(|played| &mut played.comments),
        };
        if let Some(comments) = comments {
            comments.extend(text.lines().map(str::to_string));
        }
    }

    /// Drops the comments of the game for which `keep` is false: those of its start, of its moves and of its end.
    pub fn retain_comments(&mut self, keep: impl Fn(&str) -> bool) {
        let MoveSequence { comments, moves, end } = &mut self.main;
        let of_moves = moves.iter_mut().map(|played| &mut played.comments);
        let of_end = end.iter_mut().map(|end| &mut end.comments);
        for comments in [comments].into_iter().chain(of_moves).chain(of_end) {
            comments.retain(|comment| keep(comment));
        }
    }

    /// How the game ended, if the record has it.
    pub fn ending(&self) -> Option<&Ending> {
        self.main.end.as_ref().map(|end| &end.ending)
    }

    /// The winner; `None` for a draw, for a game without a result, and if the record does not have it.
    pub fn winner(&self) -> Option<Color> {
        self.ending()?.winner(self.side_after(self.main.moves.len()))
    }

    /// Replaces the thinking time of each move of the game by what `time` makes of it and of the side that moved: where a
    /// protocol counts in other units than records do.
    pub fn rescale_times(&mut self, time: impl Fn(Color, Duration) -> Duration) {
        let mut side = self.start.side;
        for played in &mut self.main.moves {
            played.time = played.time.map(|stated| time(side, stated));
            side = !side;
        }
    }

    /// The side to move after `plies` moves.
    pub(super) fn side_after(&self, plies: usize) -> Color {
        if plies.is_multiple_of(2) { self.start.side } else { !self.start.side }
    }
}
