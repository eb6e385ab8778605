//! What the engine tells while it thinks.

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
    /// Whether the line is worth its value at least: how much more is not known yet.
    pub at_least: bool,
    /// Since the search began.
    pub elapsed: Duration,
    /// How many of a thousand slots of the table are in use.
    pub permille_used: u32,
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
    /// A mate was asked for: these moves of both sides lead to it.
    Checkmate(Vec<Move>),
    /// A mate was asked for, and there is none.
    NoMate,
    /// A mate was asked for, and the limits came first.
    MateUnknown,
}

/// Hears what the engine has to say, from the thread that searches and, before a search, from the player's.
pub trait Observer: Send + Sync {
    /// A better line, or a deeper one.
    fn info(&self, info: &Info);

    /// There is nothing to search: the side to move is mated, or wins by declaring.
    fn settled(&self, result: Mate);

    /// Something a person should know, in one line.
    fn note(&self, text: &str);

    /// Something takes its time, and a client that hears nothing for long might give the engine up.
    fn still_there(&self);

    /// The answer, exactly once for each [`Player::go`](super::player::Player::go).
    fn answer(&self, answer: Answer);
}
