//! Inner nodes of a search whose value is exact: positions to learn from that the search has judged on its way (TreeStrap:
//! Veness, Silver, Uther and Blair 2009, "Bootstrapping from Game Tree Search").
//!
//! Bounds teach next to nothing (docs/experiments/092-inner-nodes.md).

use std::collections::BTreeMap;

use crate::policy::budget::Budget;
use crate::record::packed::{Outcome, Packed, TrainingPosition};
use crate::search::value::Value;
use crate::shogi::color::Color;
use crate::shogi::position::Position;

/// The nodes of one search.
#[derive(Clone, Debug)]
pub struct InnerNodes {
    from: Budget,
    /// By key, so that they have an order.
    nodes: BTreeMap<u64, (Color, Packed)>,
}

impl InnerNodes {
    /// Takes nodes that have `bits` to spend, or more.
    pub fn from_bits(bits: u32) -> InnerNodes {
        let from = Budget::new(i32::try_from(bits).unwrap_or(i32::MAX).saturating_mul(Budget::HALF.units()));
        InnerNodes { from, nodes: BTreeMap::new() }
    }

    /// Takes a node, unless it has too little to spend. Where it was there before, it was searched with less.
    pub fn add(&mut self, position: &Position, left: Budget, value: Value) {
        if left < self.from {
            return;
        }
        let known = TrainingPosition {
            position: position.clone(),
            score: value.units() as i16,
            best: None,
            // The result is not known yet.
            result: Outcome::Draw,
        };
        if let Ok(packed) = known.pack() {
            self.nodes.insert(position.key().0, (position.side(), packed));
        }
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.nodes.clear();
    }

    /// The nodes with the side to move, and forgets them.
    pub fn take(&mut self) -> impl Iterator<Item = (Color, Packed)> {
        std::mem::take(&mut self.nodes).into_values()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shogi::moves::Move;

    #[test]
    fn each_node_is_kept_once_with_its_last_value() {
        let mut nodes = InnerNodes::from_bits(2);
        let mut position = Position::start();
        nodes.add(&position, Budget::new(511), Value::new(1));
        assert_eq!(nodes.take().count(), 0);
        nodes.add(&position, Budget::new(512), Value::new(2));
        nodes.add(&position, Budget::new(768), Value::new(3));
        position.play("7g7f".parse::<Move>().unwrap(), &mut ());
        nodes.add(&position, Budget::new(512), Value::new(-4));
        let mut found: Vec<_> = nodes.take().map(|(side, packed)| (side, packed.score())).collect();
        found.sort_by_key(|&(_, score)| score);
        assert_eq!(found, [(Color::White, -4), (Color::Black, 3)]);
        assert_eq!(nodes.take().count(), 0);
    }
}
