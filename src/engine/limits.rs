//! What one `go` says.

use std::time::Duration;

use crate::shogi::color::PerColor;
use crate::shogi::moves::Move;

/// The clocks as the client states them. What is missing is zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TimeControl {
    /// What each side has left.
    pub time: PerColor<Duration>,
    /// What each side gains with each move (Fischer).
    pub increment: PerColor<Duration>,
    /// What each move may take once the own time is used up (byoyomi, 秒読み).
    pub byoyomi: Duration,
}

/// What a `go` says: what ends the search, whichever comes first, and which moves it chooses from.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// The game's clocks.
    pub clock: Option<TimeControl>,
    /// A fixed time for this move.
    pub move_time: Option<Duration>,
    /// About this time for the move, part of it by chance.
    pub varied_time: Option<Duration>,
    /// Nodes.
    pub nodes: Option<u64>,
    /// Iterations.
    pub depth: Option<u32>,
    /// Look for a mate only.
    pub mate: bool,
    /// Search until `stop`.
    pub infinite: bool,
    /// Search on the opponent's time: no answer before `ponderhit` or `stop`.
    pub ponder: bool,
    /// The only moves to choose from (`searchmoves`); empty for all.
    pub only: Vec<Move>,
}

impl Limits {
    /// Whether nothing at all ends the search but `stop`.
    pub fn is_open(&self) -> bool {
        self.clock.is_none()
            && self.move_time.is_none()
            && self.varied_time.is_none()
            && self.nodes.is_none()
            && self.depth.is_none()
            && !self.mate
    }

    /// Whether somebody analyses a position, rather than plays a game.
    pub fn is_analysis(&self) -> bool {
        self.infinite || self.mate || self.is_open() && !self.ponder
    }

    /// Whether a finished answer is kept back until `stop` or `ponderhit`.
    pub fn holds_answer(&self) -> bool {
        self.ponder || self.infinite || self.is_open()
    }
}
