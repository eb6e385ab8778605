//! What is asked of a search.

use std::sync::Arc;

use super::hash_moves::HashMoveTable;
use super::params::Params;
use super::value::Value;
use crate::eval::evaluator::Evaluator;
use crate::eval::weights::Weights;
use crate::policy::budget::Budget;
use crate::shogi::generate::NonPromotions;
use crate::shogi::moves::Move;
use crate::shogi::position::Position;
use crate::shogi::position::declaration::Rules;

/// What decides how far a line is followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SearchPolicy {
    /// Until the probability that it is played is below a threshold.
    #[default]
    RealizationProbability,
    /// Until a number of plies is reached, near the leaves with plausible moves only: the paper's rival.
    Depth,
}

impl SearchPolicy {
    /// Their names for users.
    pub const NAMES: &[&str] = &["RealizationProbability", "Depth"];

    /// The policy of this name, if there is one.
    pub fn named(name: &str) -> Option<SearchPolicy> {
        let all = [SearchPolicy::RealizationProbability, SearchPolicy::Depth];
        all.into_iter().zip(Self::NAMES).find_map(|(policy, &known)| (known == name).then_some(policy))
    }
}

/// What is asked of one search. It is made once for each `go`, and every thread of the search borrows it.
#[derive(Clone)]
pub struct SearchRequest {
    /// The position to search, with the game before it.
    pub root: Position,
    /// The evaluation.
    pub evaluator: Evaluator,
    /// The table of hash moves, which all threads share.
    pub table: Arc<HashMoveTable>,
    /// The moves to choose from (`searchmoves`); empty for all.
    pub only: Vec<Move>,
    /// How many of the best moves get a line of their own (MultiPV); at least one has.
    pub multi_pv: usize,
    /// The last iteration.
    pub depth: u32,
    /// Nodes after which the search ends; exact, so that one thread is deterministic.
    pub nodes: u64,
    /// What every iteration spends beyond the budget of its number: threads that search together differ in it.
    pub head_start: Budget,
    /// Which moves without promotion are searched.
    pub non_promotions: NonPromotions,
    /// What decides how far lines are followed.
    pub policy: SearchPolicy,
    /// The parameters of the search.
    pub params: Params,
    /// How the game ends other than by mate.
    pub rules: Rules,
    /// What a drawn game is worth to the side to move at the root.
    pub draw_value: Value,
    /// Whether to report a move that fails high or low before its exact value is known. Costs some nodes.
    pub report_bounds: bool,
    /// Whether to look for a mate at the root: one of several threads is enough.
    pub root_mates: bool,
}

impl SearchRequest {
    /// Searches all moves of `root` for one line, by realization probability, without limits and without rules of
    /// declarations or of a last move other than the usual ones.
    pub fn new(root: &Position, weights: &Arc<Weights>, table: &Arc<HashMoveTable>) -> SearchRequest {
        SearchRequest {
            root: root.clone(),
            evaluator: Evaluator::Tables(Arc::clone(weights)),
            table: Arc::clone(table),
            only: Vec::new(),
            multi_pv: 1,
            depth: u32::MAX,
            nodes: u64::MAX,
            head_start: Budget::ZERO,
            non_promotions: NonPromotions::Useful,
            policy: SearchPolicy::default(),
            params: Params::DEFAULT,
            rules: Rules::default(),
            draw_value: Value::DRAW,
            report_bounds: false,
            root_mates: true,
        }
    }
}
