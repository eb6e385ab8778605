//! What the engine reports while it thinks.

use std::time::Duration;

use crate::search::Line;
use crate::search::value::Mate;
use crate::shogi::moves::Move;

/// The state of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Info<'a> {
    /// The best line so far.
    pub line: &'a Line,
    /// Nodes of all threads since the search began.
    pub nodes: u64,
    /// Whether the value is a lower bound: the exact one is not known yet.
    pub is_lower_bound: bool,
    /// Since the search began.
    pub elapsed: Duration,
    /// How many of a thousand slots of the table are in use.
    pub hashfull: u32,
}

/// What is played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// A move, and the reply to ponder on if one is expected.
    Move {
        /// The move to play.
        best: Move,
        /// The expected reply, legal after `best`.
        ponder: Option<Move>,
    },
    /// The game is given up.
    Resign,
    /// The entering-king declaration.
    Declare,
    /// To `go mate`: these moves of both sides lead to mate.
    Checkmate(Vec<Move>),
    /// To `go mate`: there is no mate.
    NoMate,
    /// To `go mate`: the limits came before a result.
    MateUnknown,
}

/// Receives what the engine reports: from the main thread, and before a search from the player's thread.
pub trait Observer: Send + Sync {
    /// A better line, or a deeper one.
    fn info(&self, info: &Info);

    /// There is nothing to search: the side to move is mated, or wins by declaring.
    fn nothing_to_search(&self, result: Mate);

    /// Something a person should know, in one line.
    fn note(&self, text: &str);

    /// A sign of life: something takes its time, and a client may give up an engine that is silent for long.
    fn still_there(&self);

    /// The answer, exactly once for each `go`.
    fn answer(&self, answer: Answer);
}
