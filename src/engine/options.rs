//! The options of the engine as values. The front end knows their names and texts.

use std::time::Duration;

use super::clock::TimePolicy;
use super::skill::SkillOptions;
use crate::book::current::BookOptions;
use crate::search::SearchPolicy;
use crate::search::params::Params;
use crate::search::value::Value;
use crate::shogi::color::PerColor;
use crate::shogi::generate::NonPromotions;
use crate::shogi::position::declaration::Rules;

/// The largest number of threads.
pub const MAX_THREADS: usize = 1024;

/// Everything that holds for more than one search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineOptions {
    /// Memory for what searches find, in MiB; [`HashBudget`](super::hash_budget::HashBudget) divides it.
    pub hash: usize,
    /// Threads that search.
    pub threads: usize,
    /// Ponder on the position before the opponent's move, so that every reply is prepared.
    pub stochastic_ponder: bool,
    /// How many of the best moves get a line of their own (MultiPV).
    pub multi_pv: usize,
    /// The folder with evaluation files; empty for the built-in evaluation.
    pub eval_dir: String,
    /// Whether processes share the tables of the built-in evaluation by a file in the user's cache folder.
    pub eval_cache: bool,
    /// Which opening book is used, and how.
    pub book: BookOptions,
    /// What ends a game beside mate.
    pub rules: Rules,
    /// How time is spent.
    pub time: TimePolicy,
    /// Resign when the own value is this or worse, in hundredths of a pawn.
    pub resign_value: i32,
    /// How strong the engine plays.
    pub skill: SkillOptions,
    /// What a draw is worth to the engine when it plays Black and when it plays White.
    pub draw_value: PerColor<Value>,
    /// No search makes more iterations.
    pub depth_limit: Option<u32>,
    /// No search takes more nodes.
    pub nodes_limit: Option<u64>,
    /// What decides how far lines are followed.
    pub policy: SearchPolicy,
    /// The search's tunable numbers.
    pub params: Params,
    /// Which moves without promotion are searched.
    pub non_promotions: NonPromotions,
    /// What is reported of a search.
    pub info: InfoOptions,
    /// Where the front end logs the conversation; empty for nowhere.
    pub debug_log: String,
}

/// What is reported of a search while it runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InfoOptions {
    /// The option PvInterval; [`interval`](InfoOptions::interval) is what counts.
    pub pv_interval: Duration,
    /// Every better line is reported at once.
    pub every_improvement: bool,
    /// Lines are extended by the table of hash moves, and there is no interval.
    pub consideration_mode: bool,
    /// Moves whose value lies outside the window are reported before it is known.
    pub bounds: bool,
}

impl InfoOptions {
    /// The least time between two reports within an iteration.
    pub fn interval(&self) -> Duration {
        if self.consideration_mode { Duration::ZERO } else { self.pv_interval }
    }
}

impl Default for EngineOptions {
    fn default() -> Self {
        EngineOptions {
            hash: 256,
            threads: num_cpus::get().min(MAX_THREADS),
            stochastic_ponder: false,
            multi_pv: 1,
            eval_dir: String::new(),
            eval_cache: true,
            book: BookOptions::default(),
            rules: Rules::default(),
            time: TimePolicy::default(),
            resign_value: -99_999,
            skill: SkillOptions::default(),
            draw_value: PerColor([Value::DRAW; 2]),
            depth_limit: None,
            nodes_limit: None,
            policy: SearchPolicy::default(),
            params: Params::DEFAULT,
            non_promotions: NonPromotions::Useful,
            info: InfoOptions {
                pv_interval: Duration::from_millis(300),
                every_improvement: false,
                consideration_mode: false,
                bounds: false,
            },
            debug_log: String::new(),
        }
    }
}
