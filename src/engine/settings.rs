//! What a user can choose, as values; the front end knows their names and texts.

use super::clock::Margins;
use crate::search::Policy;
use crate::shogi::generate::NonPromotions;
use crate::shogi::position::declaration::Rules;

/// Everything that holds for more than one search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Size of the table of moves in MiB.
    pub hash: usize,
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
    /// Which moves without promotion are looked at.
    pub non_promotions: NonPromotions,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            hash: 256,
            eval_dir: String::new(),
            rules: Rules::default(),
            margins: Margins::default(),
            resign_at: -99_999,
            depth: None,
            nodes: None,
            policy: Policy::default(),
            non_promotions: NonPromotions::Useful,
        }
    }
}
