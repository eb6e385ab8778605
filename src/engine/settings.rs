//! What a user can choose, as values; the front end knows their names and texts.

use super::clock::Margins;
use crate::search::Policy;
use crate::search::params::Params;
use crate::shogi::generate::NonPromotions;
use crate::shogi::position::declaration::Rules;

/// The most threads that can be asked for.
pub const MAX_THREADS: usize = 1024;

/// Everything that holds for more than one search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Memory for what searches find, in MiB; [`Division`](super::division::Division) says who gets how much.
    pub hash: usize,
    /// Threads that search.
    pub threads: usize,
    /// The folder with evaluation files; empty for the built-in evaluation.
    pub eval_dir: String,
    /// What ends a game beside mate.
    pub rules: Rules,
    /// Time that is lost on the way.
    pub margins: Margins,
    /// Resign when the own value is this or worse, in hundredths of a pawn.
    pub resign_at: i32,
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
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            hash: 256,
            threads: num_cpus::get().min(MAX_THREADS),
            eval_dir: String::new(),
            rules: Rules::default(),
            margins: Margins::default(),
            resign_at: -99_999,
            depth: None,
            nodes: None,
            policy: Policy::default(),
            params: Params::DEFAULT,
            non_promotions: NonPromotions::Useful,
        }
    }
}
