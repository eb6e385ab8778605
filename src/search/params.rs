//! What can be tuned, each number once.

use std::ops::RangeInclusive;

/// Declares the parameters: name, default, range, meaning.
macro_rules! params {
    ($($(#[doc = $doc:literal])+ $name:ident = $default:literal in $range:expr;)+) => {
        /// The search's numbers. Values are in hundredths of a pawn, budgets and costs in 1/256 bit.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct Params {
            $($(#[doc = $doc])+ pub $name: i32,)+
        }

        impl Params {
            /// As the engine plays.
            pub const DEFAULT: Params = Params { $($name: $default,)+ };

            /// Sets the parameter `name`, if there is one of this name.
            ///
            /// # Errors
            /// The range, where `value` is outside it; then nothing changes.
            pub fn set(&mut self, name: &str, value: i32) -> Option<Result<(), RangeInclusive<i32>>> {
                let (_, place, range) = self.entries().into_iter().find(|(known, ..)| known.eq_ignore_ascii_case(name))?;
                if !range.contains(&value) {
                    return Some(Err(range));
                }
                *place = value;
                Some(Ok(()))
            }

            /// Each parameter: its name, where it is, and what it may be.
            pub fn entries(&mut self) -> Vec<(&'static str, &mut i32, RangeInclusive<i32>)> {
                vec![$((stringify!($name), &mut self.$name, $range),)+]
            }
        }

        impl Default for Params {
            fn default() -> Self {
                Params::DEFAULT
            }
        }
    };
}

params! {
    /// What a board that came before is worth to the side that holds less than then, negated.
    repetition_with_less = 5000 in 0..=20_000;
    /// What a position that came before is worth to the side that has checked ever since, negated.
    repetition_by_checks = 1000 in 0..=20_000;

    /// All features are asked about the moves that cost no more than this by plain ones.
    likely_until = 768 in 0..=65_536;
    /// What a bit of learned probability costs.
    learned_scale = 238 in 16..=1024;
    /// What the history can make a move cheaper or dearer.
    history_cost = 621 in 0..=1024;
    /// The least that a move with alternatives costs.
    least_cost = 16 in 16..=256;
    /// The most that the move suggested by an earlier search costs: what was best before is more probable than others of
    /// its category (YSS takes half a ply off).
    hash_move_cost = 248 in 16..=2560;
    /// Budget from which a node without a suggested move is searched with less.
    iir_from = 929 in 0..=65_536;
    /// How much less.
    iir_cost = 198 in 0..=2048;
    /// The most that a move costs that turned out better, when it is searched again: one bit is the paper's ½.
    research_cost = 486 in 256..=65_536;

    /// What the history can bring a move forward or back when moves are ordered: beyond what it has changed of the cost.
    history_order = 1014 in 0..=2048;
    /// The most that one refutation counts in the history.
    history_bonus = 3551 in 256..=16_384;
    /// What a move that was tried in vain before a refutation loses, in 1/256 of what that counts.
    history_malus = 344 in 0..=1024;
    /// What of the history is left when another search begins, in 1/256.
    history_keep = 173 in 0..=256;
    /// What a killer is ahead of other moves of its cost when moves are ordered.
    killer_bonus = 284 in 0..=2048;

    /// Number of the iteration from which on the root's moves are first searched with a window around what is expected.
    aspiration_from = 4 in 1..=100;
    /// How far the first of these windows reaches from there to either side; from 2000 on it is open.
    aspiration_margin = 60 in 1..=2000;

    /// Budget below which a node that is above the bound by a margin is taken for what it is.
    rfp_below = 976 in 0..=4096;
    /// That margin, for each whole bit of budget and one more.
    rfp_margin = 203 in 0..=1000;
    /// Budget from which on a node that is good enough without a move is searched after a pass.
    null_move_from = 897 in 0..=65_536;
    /// What the pass costs.
    null_move_cost = 523 in 0..=4096;
    /// What it costs beyond that, in 1/256 of the budget.
    null_move_share = 143 in 0..=256;
    /// What it costs beyond that, in 1/256 bit for 256 hundredths of a pawn that the node is above the bound,
    null_move_margin_cost = 96 in 0..=2048;
    /// and the most that this comes to.
    null_move_margin_max = 512 in 0..=4096;
    /// A move that costs so much more than what is left is not looked at where it is quiet or loses material.
    prune_margin = 460 in 0..=65_536;
    /// A quiet move that leads to a leaf has to come within this of the lower bound.
    futility_margin = 374 in 0..=20_000;

    /// A capture in the quiescence search has to come within this of the lower bound.
    qsearch_margin = 293 in 0..=2000;
    /// Plies of the quiescence search after which only recaptures are looked at, and beyond which no check is answered.
    qsearch_capture_plies = 5 in 1..=20;

    /// Nodes of the first look for a mate at the root; 0 for no look at all.
    mate_root_nodes = 500 in 0..=10_000_000;
    /// What the first look may take at most, in 1/256 of the nodes that the search is given: a small one would have none
    /// left for its moves.
    mate_root_first_share = 32 in 0..=256;
    /// What further looks may take, in 1/256 of the search's nodes.
    mate_root_share = 16 in 0..=256;
    /// Budget from which on a node with an open window gets a slice of a search for mate.
    mate_slice_from = 512 in 0..=65_536;
    /// Nodes of a slice for each whole bit of budget beyond that, and one more; 0 for no slices.
    mate_slice_nodes = 128 in 0..=65_536;
    /// Nodes for each ply of a mate's line, where a part of the proof was forgotten in the meantime.
    mate_ply_nodes = 64 in 1..=65_536;
    /// What all slices together may take, in 1/256 of the search's nodes.
    mate_slice_share = 8 in 0..=256;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_in_range() {
        let mut params = Params::DEFAULT;
        for (name, value, range) in params.entries() {
            assert!(range.contains(value), "{name}");
        }
    }
}
