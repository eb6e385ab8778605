//! Which moves the search by depth searches near the leaves: the four rules of the paper's plausible-move generator
//! (Tsuruoka, Yokoyama and Chikayama 2002, §3.2), expressed by categories.

use std::sync::OnceLock;

use crate::policy::category::{CATEGORIES, CategorySet};

/// The least remaining depth at which a move is searched, by its categories.
pub struct Plausible {
    /// By remaining depth from 1 on.
    rules: [CategorySet; 3],
    /// Splits for moves that lose material.
    losing: CategorySet,
}

/// From this remaining depth on, all moves are searched.
const ALL_MOVES_FROM: i32 = 4;

/// Below this remaining depth, no move that loses material is searched. The paper does not say so, but games do
/// (docs/experiments/034-the-rival-by-depth-once-more.md).
const LOSING_MOVES_FROM: i32 = 2;

/// The split of any category for moves that lose material.
const LOSING: &str = "-";

/// Remaining depth 1: captures, promotions, escapes, checks and effective attacks.
const FRONTIER: &[&str] = &[
    "recapture",
    "capture",
    "take an attacker",
    "promote rook",
    "promote bishop",
    "promote silver",
    "promote knight",
    "promote lance",
    "promote pawn",
    "move an attacked piece",
    "take the checker",
    "king flight",
    "interpose",
    "check",
    "check by drop",
    "discovered check",
    "attack king",
    "attack two pieces",
];

/// Remaining depth 2: also approaches to the opponent's king and castling.
const PRE_FRONTIER: &[&str] = &["bear on a weak square by their king", "guard a square beside our king"];

/// Splits of any category that belong to remaining depth 2.
const PRE_FRONTIER_SPLITS: &[&str] = &[
    "towards their king",
    "beside their king",
    "near their king",
    "into the castle",
    "towards our king",
    "away from danger",
];

/// Remaining depth 3: also what blocks the opponent's long-distance effects.
const BLOCKING: &[&str] = &["block a slider"];

impl Plausible {
    /// The rules, found once.
    pub fn rules() -> &'static Plausible {
        static RULES: OnceLock<Plausible> = OnceLock::new();
        RULES.get_or_init(|| {
            let mut rules = [CategorySet::EMPTY; 3];
            let mut losing = CategorySet::EMPTY;
            for category in &CATEGORIES {
                for (index, split) in (category.first..).zip(category.splits) {
                    if *split == LOSING {
                        losing.insert(index);
                    }
                    let least = if FRONTIER.contains(&category.name) {
                        1
                    } else if PRE_FRONTIER.contains(&category.name) || PRE_FRONTIER_SPLITS.contains(split) {
                        2
                    } else if BLOCKING.contains(&category.name) {
                        3
                    } else {
                        continue;
                    };
                    rules[least - 1..].iter_mut().for_each(|rule| rule.insert(index));
                }
            }
            Plausible { rules, losing }
        })
    }

    /// Whether every move is searched with this much depth left.
    pub const fn takes_all(depth: i32) -> bool {
        depth >= ALL_MOVES_FROM
    }

    /// Whether a move of these categories is searched with this much depth left.
    pub fn takes(&self, depth: i32, categories: CategorySet) -> bool {
        let may_lose = depth >= LOSING_MOVES_FROM;
        Plausible::takes_all(depth)
            || self.rules[depth.max(1) as usize - 1].meets(categories)
                && (may_lose || !categories.meets(self.losing))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_in_the_rules_is_a_category_or_a_split() {
        for name in FRONTIER.iter().chain(PRE_FRONTIER).chain(BLOCKING) {
            assert!(CATEGORIES.iter().any(|category| category.name == *name), "{name}");
        }
        for name in PRE_FRONTIER_SPLITS {
            assert!(CATEGORIES.iter().any(|category| category.splits.contains(name)), "{name}");
        }
    }

    #[test]
    fn a_losing_move_needs_more_depth() {
        let set = |named: &str, split: &str| {
            let category = CATEGORIES.iter().find(|category| category.name == named).unwrap();
            let nth = category.splits.iter().position(|&known| known == split).unwrap();
            let mut set = CategorySet::EMPTY;
            set.insert(category.first + nth);
            set
        };
        for (named, split, least) in [("check", "+", 1), ("check", "-", 2), ("recapture", "-", 2)] {
            let taken = [1, 2, 3, 4].map(|depth| Plausible::rules().takes(depth, set(named, split)));
            assert_eq!(taken.iter().position(|&takes| takes), Some(least - 1), "{named} {split}");
        }
    }

    #[test]
    fn more_depth_allows_more_moves() {
        for split in 0..crate::policy::category::SPLITS {
            let mut set = CategorySet::EMPTY;
            set.insert(split);
            let taken = [1, 2, 3, 4].map(|depth| Plausible::rules().takes(depth, set));
            assert!(taken.is_sorted() && taken[3], "{split}");
        }
    }
}
