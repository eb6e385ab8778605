//! What a session reports: for a log, and for a view.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::protocol::GameResult;
use super::thinker::Considered;
use crate::shogi::color::{Color, PerColor};
use crate::shogi::position::Position;

/// Receives what a session reports.
pub trait Watcher {
    /// Something has happened.
    fn report(&mut self, report: Report);
}

/// Something that has happened.
#[derive(Clone)]
pub enum Report {
    /// A line was sent. A password in it is masked.
    Sent(String),
    /// A line was received.
    Received(String),
    /// Something a person may want to know.
    Note(String),
    /// Something that went wrong, and what is done about it.
    Warning(String),
    /// What the session does now.
    State(State),
    /// A game begins.
    Begun(Box<Begun>),
    /// A move was played.
    Moved(Box<Moved>),
    /// What is thought.
    Thinking {
        /// Whether the opponent's clock runs.
        ponders: bool,
        /// The position that is thought on.
        position: Box<Position>,
        /// What was found.
        considered: Considered,
    },
    /// A game is over.
    Ended(Box<Ended>),
}

/// What a session does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum State {
    /// Loads what the engine needs.
    Loading,
    /// Connects to this server.
    Connecting(String),
    /// Waits for the answer to its login.
    LoggingIn,
    /// Waits for a game.
    Waiting,
    /// Has agreed to a game, and waits for the other side.
    Agreed,
    /// Plays.
    Playing,
    /// Waits so long before it connects again.
    Pausing(Duration),
    /// Is about to end.
    LoggingOut,
}

/// A game that begins.
#[derive(Clone)]
pub struct Begun {
    /// Its name.
    pub game_id: String,
    /// The players.
    pub names: PerColor<String>,
    /// Our side.
    pub our_side: Color,
    /// The position at the first move that is not played yet.
    pub position: Position,
    /// What each side has left, without byoyomi.
    pub left: PerColor<Duration>,
    /// The file of its record.
    pub record: PathBuf,
}

/// A move that was played.
#[derive(Clone)]
pub struct Moved {
    /// The position after it.
    pub position: Position,
    /// The move in the protocol's letters.
    pub text: String,
    /// What the server counts for it.
    pub time: Duration,
    /// What each side has left, without byoyomi.
    pub left: PerColor<Duration>,
    /// When the clock of the side to move began to run.
    pub since: Instant,
    /// Our value of it, as Black sees it; `None` for the opponent's moves.
    pub value: Option<i32>,
}

/// A game that is over.
#[derive(Clone)]
pub struct Ended {
    /// Its name.
    pub game_id: String,
    /// The opponent's name.
    pub opponent: String,
    /// The result; `None` where it was broken off without one.
    pub result: Option<GameResult>,
    /// Why it ended, for people.
    pub reason: String,
    /// How many moves it had.
    pub moves: usize,
    /// The file of its record.
    pub record: PathBuf,
    /// The score of the session with it.
    pub score: Score,
}

/// The games of a session.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Score {
    /// Games that we won.
    pub wins: u64,
    /// Games that we lost.
    pub losses: u64,
    /// Games that were drawn, those that the server ended at their maximum of moves among them.
    pub draws: u64,
    /// Games that were broken off.
    pub broken_off: u64,
}

impl Score {
    /// Adds a game with its [outcome](super::game::GameEnd::outcome); `None` for one that was broken off.
    pub fn add(&mut self, result: Option<GameResult>) {
        match result {
            Some(GameResult::Win) => self.wins += 1,
            Some(GameResult::Lose) => self.losses += 1,
            Some(GameResult::Draw | GameResult::Censored) => self.draws += 1,
            Some(GameResult::Chudan) | None => self.broken_off += 1,
        }
    }

    /// Games that came to their end.
    pub fn finished(&self) -> u64 {
        self.wins + self.losses + self.draws
    }
}

impl std::fmt::Display for Score {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}-{}-{}", self.wins, self.losses, self.draws)?;
        match self.broken_off {
            0 => Ok(()),
            games => write!(f, ", broken off: {games}"),
        }
    }
}
