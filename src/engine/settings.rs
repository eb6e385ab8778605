//! What a user can choose, as values; the front end knows their names and texts.

use std::time::Duration;

use super::clock::TimePolicy;
use crate::book::current::BookOptions;
use crate::search::Policy;
use crate::search::params::Params;
use crate::search::value::Value;
use crate::shogi::color::PerColor;
use crate::shogi::generate::NonPromotions;
use crate::shogi::position::declaration::Rules;

/// The most threads that can be asked for.
pub const MAX_THREADS: usize = 1024;

/// Everything that holds for more than one search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Memory for what searches find, in MiB: a quarter for moves, the rest for what each thread knows itself.
    pub hash: usize,
    /// Threads that search.
    pub threads: usize,
    /// Ponder on the position before the opponent's move, so that every reply is prepared.
    pub stochastic_ponder: bool,
    /// How many of the best moves are told with a line of their own.
    pub lines: usize,
    /// The folder with evaluation files; empty for the built-in evaluation.
    pub eval_dir: String,
    /// Which opening book is used, and how.
    pub book: BookOptions,
    /// What ends a game beside mate.
    pub rules: Rules,
    /// How time is spent.
    pub time: TimePolicy,
    /// Resign when the own value is this or worse, in hundredths of a pawn.
    pub resign_at: i32,
    /// What a draw is worth to the engine when it plays Black and when it plays White.
    pub draw: PerColor<Value>,
    /// No search goes deeper.
    pub depth: Option<u32>,
    /// No search takes more nodes.
    pub nodes: Option<u64>,
    /// What decides how far lines are followed.
    pub policy: Policy,
    /// The numbers that the search goes by.
    pub params: Params,
    /// Which moves without promotion are looked at.
    pub non_promotions: NonPromotions,
    /// What is told of a search.
    pub telling: Telling,
    /// Where the front end logs the conversation; empty for nowhere.
    pub debug_log: String,
}

/// What is told of a search while it runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Telling {
    /// The option PvInterval; [`interval`](Telling::interval) is what counts.
    pub pv_interval: Duration,
    /// Every better line is told at once.
    pub at_once: bool,
    /// Lines are made as long as is known, and there is no interval.
    pub considers: bool,
    /// Also moves that are better before it is known by how much.
    pub bounds: bool,
}

impl Telling {
    /// What lies at least between two better lines within an iteration.
    pub fn interval(&self) -> Duration {
        if self.considers { Duration::ZERO } else { self.pv_interval }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            hash: 256,
            threads: num_cpus::get().min(MAX_THREADS),
            stochastic_ponder: false,
            lines: 1,
            eval_dir: String::new(),
            book: BookOptions::default(),
            rules: Rules::default(),
            time: TimePolicy::default(),
            resign_at: -99_999,
            draw: PerColor([Value::DRAW; 2]),
            depth: None,
            nodes: None,
            policy: Policy::default(),
            params: Params::DEFAULT,
            non_promotions: NonPromotions::Useful,
            telling: Telling {
                pv_interval: Duration::from_millis(300),
                at_once: false,
                considers: false,
                bounds: false,
            },
            debug_log: String::new(),
        }
    }
}
