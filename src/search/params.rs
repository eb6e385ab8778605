//! The parameters of the search, each declared once with its default, range and meaning.
//!
//! A parameter is also a hidden USI option of the same name, and `learn tune` can tune it.

use std::ops::RangeInclusive;

/// Declares the parameters: name, default, range, meaning.
macro_rules! params {
    ($($(#[doc = $doc:literal])+ $name:ident = $default:literal in $range:expr;)+) => {
        /// The parameters of the search. Values are in hundredths of a pawn, budgets and costs in 1/256 bit.
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
    learned_scale = 256 in 16..=1024;
    /// The most by which the butterfly history makes a quiet move cheaper or dearer.
    history_cost = 600 in 0..=4096;
    /// The most by which each of the two nearest continuation histories does.
    continuation_cost = 600 in 0..=4096;
    /// The most by which the capture history makes a capture or promotion cheaper or dearer.
    capture_history_cost = 600 in 0..=4096;
    /// Late moves: what a bit of a move's rank costs beyond the ply, for each doubling of the plies that are left.
    late_slope = 130 in 0..=512;
    /// Late moves: what a bit of price costs beyond what is expected of a move of its rank, in 1/256.
    late_price = 0 in 0..=1024;
    /// Late moves: how much dearer than the logarithm of its rank a move is expected to be.
    late_price_expected = 600 in 0..=4096;
    /// Late moves: how far from that the price counts.
    late_price_most = 1024 in 0..=4096;
    /// Late moves: what each costs more at a node that is expected to be cut off.
    late_cut = 512 in 0..=2048;
    /// Late moves: what each costs less with an open window.
    late_pv = 512 in 0..=2048;
    /// Late moves: what each costs less where the window was once open.
    late_was_pv = 350 in 0..=2048;
    /// Late moves: what each costs more where the position gets worse.
    late_not_improving = 200 in 0..=2048;
    /// Late moves: what a quiet move costs more where the hash move captures or promotes.
    late_hash_tactical = 350 in 0..=2048;
    /// Late moves: what each costs more where many replies have cut off.
    late_cutoffs = 350 in 0..=2048;
    /// Costs are rounded to multiples of this.
    cost_grain = 128 in 1..=512;
    /// The least that a move costs.
    least_cost = 256 in 16..=1024;
    /// Internal iterative reduction: budget from which on a node without a hash move is searched with less.
    iir_from = 1536 in 0..=65_536;
    /// Internal iterative reduction: how much less.
    iir_cost = 512 in 0..=2048;

    /// What a cutoff adds to the history for each ply that was left.
    history_bonus = 300 in 16..=4096;
    /// The most that it adds.
    history_bonus_max = 3000 in 256..=16_384;
    /// What a move loses that was tried in vain, in 1/256 of that.
    history_malus = 200 in 0..=1024;
    /// What the move before a node gains where no move was good enough, in 1/256 of that.
    history_fail_low = 128 in 0..=1024;
    /// What the continuation histories are changed by, in 1/256 of what the butterfly history is.
    continuation_bonus = 200 in 0..=1024;
    /// What a quiet move gains in the history for each centipawn that it gains statically, in sixteenths.
    eval_bonus = 48 in 0..=1024;
    /// What is left of the history when another search begins, in 1/256.
    history_keep = 173 in 0..=256;
    /// From this reduction on a node is given a ply back where its position got better for the side that reduced it.
    hindsight_from = 1536 in 0..=65_536;
    /// A reduced node loses a ply where both sides' evaluations add up to more than this.
    hindsight_margin = 100 in 0..=2000;

    /// Aspiration: the iteration from which on the root's moves are first searched near the expected value.
    aspiration_from = 4 in 1..=100;
    /// Aspiration: how far the first window reaches to either side; from 2000 on it is open.
    aspiration_margin = 60 in 1..=2000;

    /// Razoring: only with fewer plies than this.
    razor_plies = 4 in 0..=20;
    /// Razoring: how far below alpha the node has to be.
    razor_margin = 300 in 0..=4000;
    /// Razoring: how much farther, times the square of the plies.
    razor_step = 150 in 0..=2000;
    /// Reverse futility: only with fewer plies than this.
    rfp_plies = 8 in 0..=20;
    /// Reverse futility: how far above beta the node has to be, for each ply.
    rfp_margin = 150 in 0..=1000;
    /// Reverse futility: how much less where the position gets better.
    rfp_improving = 60 in 0..=1000;
    /// Null move: only from this budget on.
    null_move_from = 1024 in 0..=65_536;
    /// Null move: how far the static evaluation has to be above beta.
    null_move_margin = 150 in -1000..=1000;
    /// Null move: how much less for each ply.
    null_move_slack = 15 in 0..=1000;
    /// Null move: what it costs at least.
    null_move_cost = 1024 in 0..=4096;
    /// Null move: what it costs beyond that, in 1/256 of the budget.
    null_move_share = 85 in 0..=256;
    /// Null move: what it costs beyond both for every 256 hundredths of a pawn that the node is above beta.
    null_move_margin_cost = 512 in 0..=2048;
    /// Null move: the most that `null_move_margin_cost` comes to.
    null_move_margin_max = 1536 in 0..=4096;
    /// ProbCut: only from this budget on.
    probcut_from = 2048 in 0..=65_536;
    /// ProbCut: how far above beta a capture has to be.
    probcut_margin = 200 in 0..=2000;
    /// ProbCut: what the shallow search spends less.
    probcut_cost = 2048 in 0..=8192;
    /// Singular move: only from this budget on.
    singular_from = 2560 in 0..=65_536;
    /// Singular move: how much better than all others it has to be, in quarters for each ply.
    singular_margin = 40 in 0..=1000;
    /// Singular move: how much more for two plies.
    singular_double = 40 in 0..=1000;
    /// Rank pruning: how many moves of a node are looked at before quiet ones are left out.
    prune_count = 4 in 1..=1000;
    /// Rank pruning: how many more, times the square of the plies, in 1/256; half as many where the position does not
    /// get better.
    prune_count_step = 600 in 0..=2048;
    /// Futility: only with fewer plies than this after the move.
    futility_plies = 7 in -1..=20;
    /// Futility: how far below alpha a node may be for a quiet move that leads to a leaf to be searched.
    futility_margin = 200 in 0..=20_000;
    /// Futility: how much farther for each ply.
    futility_step = 110 in 0..=2000;
    /// Exchanges: quiet moves are judged by them with fewer plies than this after the move.
    see_quiet_plies = 7 in -1..=20;
    /// Exchanges: what a quiet move may lose, times the square of the plies.
    see_quiet_step = 25 in 0..=1000;
    /// Exchanges: captures are judged by them with fewer plies than this.
    see_capture_plies = 7 in -1..=20;
    /// Exchanges: what a capture may lose for each ply.
    see_capture_step = 150 in 0..=1000;

    /// Quiescence search, futility: how far below alpha the position after a capture may be.
    qsearch_futility_margin = 293 in 0..=2000;
    /// Quiescence search: how many evasions that capture nothing are searched, where one evasion does not lose.
    qsearch_quiet_evasions = 2 in 1..=100;
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
