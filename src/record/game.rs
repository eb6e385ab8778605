//! A game: its start, players, moves, variations and end.

use std::time::Duration;

use super::ending::{End, Ending};
use crate::shogi::color::{Color, PerColor};
use crate::shogi::moves::Move;
use crate::shogi::position::Position;
use crate::shogi::setup::Setup;

/// A game: where it started, who played, which moves, how it ended.
///
/// The moves are legal, one after the other, from a start that the rules allow: a [`RecordBuilder`] saw to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    pub(super) start: Setup,
    pub(super) players: PerColor<Option<String>>,
    pub(super) headers: Vec<Header>,
    pub(super) main: MoveSequence,
    pub(super) variations: Vec<Variation>,
}

/// A piece of information about the game, such as the event.
///
/// Those that both CSA and KIF know have CSA's name here (`EVENT`, `SITE`, `START_TIME`), whichever file they came
/// from; any other keeps its own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    /// What is told.
    pub name: String,
    /// What it is.
    pub value: String,
}

/// Moves in succession, with the end they came to.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MoveSequence {
    /// Comments before the first move, one for each line of text.
    pub comments: Vec<String>,
    /// The moves.
    pub moves: Vec<PlayedMove>,
    /// How it ended, if the record says so.
    pub end: Option<End>,
}

/// A move of a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayedMove {
    /// The move.
    pub mv: Move,
    /// How long the player thought about it.
    pub time: Option<Duration>,
    /// Comments on it, one for each line of text.
    pub comments: Vec<String>,
}

/// Other moves than those played (henka), as KIF and KI2 files hold them.
///
/// The list is flat, in the order of the file, and each variation departs from the line before it: it replaces that
/// line's move number `ply` and all that follow, where a line is a variation together with the moves it left standing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variation {
    /// Which move it replaces, 1 for the first of the game.
    pub ply: usize,
    /// Its own moves.
    pub line: MoveSequence,
}

impl Record {
    /// The pieces at the start. Move numbers count from [`Setup::move_number`].
    pub const fn start(&self) -> &Setup {
        &self.start
    }

    /// The position at the start.
    pub fn start_position(&self) -> Position {
        Position::new(&self.start).expect("a builder accepted this start")
    }

    /// The position after the last move of the game, with the game before it.
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

    /// What else is told about the game, in the order of the file.
    pub fn headers(&self) -> &[Header] {
        &self.headers
    }

    /// The first header of this name.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|header| header.name == name).map(|header| header.value.as_str())
    }

    /// The game itself.
    pub const fn main(&self) -> &MoveSequence {
        &self.main
    }

    /// The moves of the game.
    pub fn moves(&self) -> impl ExactSizeIterator<Item = Move> + '_ {
        self.main.moves.iter().map(|played| played.mv)
    }

    /// The moves that might have been played instead.
    pub fn variations(&self) -> &[Variation] {
        &self.variations
    }

    /// How the game ended, if the record says so.
    pub fn ending(&self) -> Option<&Ending> {
        self.main.end.as_ref().map(|end| &end.ending)
    }

    /// Who won; `None` for a draw, a game without a result, and where the record does not say.
    pub fn winner(&self) -> Option<Color> {
        self.ending()?.winner(self.side_after(self.main.moves.len()))
    }

    /// Who moves after this many moves.
    pub(super) fn side_after(&self, plies: usize) -> Color {
        if plies.is_multiple_of(2) { self.start.side } else { !self.start.side }
    }
}
