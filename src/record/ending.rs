//! How games end.

use std::time::Duration;

use crate::shogi::color::Color;
use crate::shogi::moves::Move;

/// The end of a line of moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct End {
    /// The kind of end.
    pub ending: Ending,
    /// The thinking time before the end.
    pub time: Option<Duration>,
    /// Comments, one for each line of text.
    pub comments: Vec<String>,
}

/// How a game ended. The side to move is that after the last move played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// The side to move resigned (投了).
    Resignation,
    /// The side to move is mated (詰み).
    Mate,
    /// A problem has no mate (不詰).
    NoMate,
    /// The position occurred for the fourth time (千日手): a draw, or played again.
    Sennichite,
    /// Both kings have entered and neither side has the points (持将棋): a draw.
    Jishogi,
    /// The side to move declared with its king entered (入玉勝ち), and won.
    Declaration,
    /// A draw; the reason is not recorded.
    Draw,
    /// The side to move ran out of time (切れ負け).
    TimeUp,
    /// A side broke a rule (反則).
    Illegal {
        /// That side.
        loser: Color,
        /// The illegal move, if the record has one. It is not among the moves of the line.
        attempted: Option<Move>,
    },
    /// A side did not appear (不戦敗).
    Forfeit {
        /// That side.
        loser: Color,
    },
    /// A side won; the reason is not recorded.
    Won(Color),
    /// The game was broken off (中断).
    BrokenOff,
    /// The game reached the maximum number of moves.
    MaxMoves,
    /// The last move was taken back (待った).
    TakenBack,
    /// A program failed.
    Error,
    /// Another ending, in the word of the record.
    Other(String),
}

impl Ending {
    /// The winner, if `side` is to move at the end.
    pub const fn winner(&self, side: Color) -> Option<Color> {
        match self {
            Ending::Resignation | Ending::Mate | Ending::TimeUp => Some(side.opponent()),
            Ending::Declaration => Some(side),
            Ending::Illegal { loser, .. } | Ending::Forfeit { loser } => Some(loser.opponent()),
            Ending::Won(winner) => Some(*winner),
            _ => None,
        }
    }

    /// Whether the game was drawn.
    pub const fn is_draw(&self) -> bool {
        matches!(self, Ending::Sennichite | Ending::Jishogi | Ending::Draw | Ending::MaxMoves)
    }
}
