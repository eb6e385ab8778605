//! What a search knows about the mate solver's work: how much it was asked, and the mate from the root.

use super::value::Value;
use crate::shogi::moves::Move;
use crate::shogi::position::declaration::{EnteringKingRule, Rules};

/// The state of the mate searches beside one search.
pub struct MateState {
    /// Whether the solver may be asked: under the try rule checks alone do not prove a mate, as a king that answers a
    /// check may win by reaching its goal.
    pub is_allowed: bool,
    /// Nodes of the solver at the root.
    pub root_nodes: u64,
    /// Whether the root is solved: there is nothing more to find.
    pub root_is_solved: bool,
    /// The mate from the root.
    pub root_mate: Option<RootMate>,
    /// Nodes of the solver in slices, within the tree.
    pub slice_nodes: u64,
}

/// A mate from the root.
pub struct RootMate {
    pub value: Value,
    pub moves: Vec<Move>,
}

impl MateState {
    /// Nothing is known yet of a game by these rules.
    pub fn new(rules: &Rules) -> MateState {
        MateState {
            is_allowed: rules.entering_king != EnteringKingRule::Try,
            root_nodes: 0,
            root_is_solved: false,
            root_mate: None,
            slice_nodes: 0,
        }
    }

    /// The mate from the root, if it begins with `mv`.
    pub fn root_mate_by(&self, mv: Move) -> Option<&RootMate> {
        self.root_mate.as_ref().filter(|mate| mate.moves[0] == mv)
    }
}
