//! The parameters of the search, each declared once with its default, range and meaning.
//!
//! A parameter is also a hidden USI option of the same name, and `learn tune` can tune it.

use std::ops::RangeInclusive;

/// Declares the parameters: name, default, range, meaning.
macro_rules! params {
    ($($(#[doc = $doc:literal])+ $name:ident = $default:literal in $range:expr;)+) => {
        /// The parameters of the search. Values are in units (a pawn is 90), budgets and costs in 1/256 bit.
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
    /// Repetition: what a board that came before is worth to the side that now holds less in hand, negated.
    repetition_with_less = 5000 in 0..=20_000;
    /// Repetition: what a position that came before is worth to the side that has checked ever since, negated.
    repetition_by_checks = 1000 in 0..=20_000;

    /// Moves that cost at most this by plain features get their costs from all features.
    likely_until = 768 in 0..=65_536;
    /// What a bit of learned probability costs.
    learned_scale = 238 in 16..=1024;
    /// The most by which the history makes a move cheaper or dearer.
    history_cost = 621 in 0..=1024;
    /// The most by which the continuation history of the opponent's last move makes a move cheaper or dearer.
    answer_history_cost = 200 in 0..=1024;
    /// The same of the side's own last move.
    follow_up_history_cost = 400 in 0..=1024;
    /// By how much a killer is cheaper than another move of its probability.
    killer_cost = 200 in 0..=1024;
    /// By how much a quiet or losing move gets dearer with each doubling of its place in the order.
    late_move_cost = 80 in 0..=1024;
    /// The least that a move with alternatives costs.
    least_cost = 16 in 16..=256;
    /// What the hash move costs; in check and at the root the most that it costs. It is more probable than its learned
    /// probability says (YSS takes half a ply off).
    hash_move_cost = 248 in 16..=2560;
    /// Internal iterative reduction: budget from which on a node without a hash move is searched with less.
    iir_from = 929 in 0..=65_536;
    /// Internal iterative reduction: how much less.
    iir_cost = 198 in 0..=2048;
    /// The most that a better move costs when it is searched again: one bit is the paper's ½.
    research_cost = 486 in 256..=65_536;

    /// Move order: the most by which the history brings a move forward or back, beyond what it has changed of the cost.
    history_order = 1014 in 0..=2048;
    /// Move order: the same for each of the two continuation histories.
    continuation_history_order = 300 in 0..=1024;
    /// The most that the history rewards a move for one cutoff.
    history_bonus = 3551 in 256..=16_384;
    /// What a move loses that was tried in vain before a cutoff, in 1/256 of that reward.
    history_malus = 344 in 0..=1024;
    /// What is left of the history when another search begins, in 1/256.
    history_keep = 173 in 0..=256;
    /// Move order: by how much a killer is ahead of other moves of its cost.
    killer_order = 284 in 0..=2048;

    /// Aspiration: the iteration from which on the root's moves are first searched near the expected value.
    aspiration_from = 4 in 1..=100;
    /// Aspiration: how far the first window reaches to either side; from 2000 on it is open.
    aspiration_margin = 60 in 1..=2000;

    /// Reverse futility: only with less budget than this.
    rfp_below = 976 in 0..=4096;
    /// Reverse futility: how far above beta the node has to be, for each whole bit of budget and one more.
    rfp_margin = 203 in 0..=1000;
    /// Null move: only from this budget on.
    null_move_from = 897 in 0..=65_536;
    /// Null move: what it costs at least.
    null_move_cost = 523 in 0..=4096;
    /// Null move: what it costs beyond that, in 1/256 of the budget.
    null_move_share = 143 in 0..=256;
    /// Null move: what it costs beyond both for every 256 units that the node is above beta.
    null_move_margin_cost = 96 in 0..=2048;
    /// Null move: the most that `null_move_margin_cost` comes to.
    null_move_margin_max = 512 in 0..=4096;
    /// Probability pruning: a quiet or losing move is pruned that costs so much more than what is left.
    prune_margin = 460 in 0..=65_536;
    /// Futility: how far below alpha a node may be for a quiet move that leads to a leaf to be searched.
    futility_margin = 374 in 0..=20_000;

    /// Quiescence search, futility: how far below alpha the position after a capture may be.
    qsearch_futility_margin = 293 in 0..=2000;
    /// Quiescence search: plies after which only recaptures are searched, and beyond which no check is answered.
    qsearch_capture_plies = 5 in 1..=20;

    /// Mate at the root: nodes of the first look; 0 for no look at all.
    mate_root_nodes = 500 in 0..=10_000_000;
    /// Mate at the root: what the first look may take at most, in 1/256 of the nodes that the search is given. A small
    /// search would have none left for its moves.
    mate_root_first_share = 32 in 0..=256;
    /// Mate at the root: what further looks may take, in 1/256 of the search's nodes.
    mate_root_share = 16 in 0..=256;
    /// Mate in slices: budget from which on a node with an open window gets one.
    mate_slice_from = 512 in 0..=65_536;
    /// Mate in slices: nodes of one, for each whole bit of budget beyond that and one more; 0 for no slices.
    mate_slice_nodes = 128 in 0..=65_536;
    /// Mates: nodes for each ply of the line, where a part of the proof was forgotten in the meantime.
    mate_ply_nodes = 64 in 1..=65_536;
    /// Mate in slices: what all of them together may take, in 1/256 of the search's nodes.
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
