//! The kinds of search that experiments compare: the engine's own, the same without pruning, and the rival by depth.

use crate::search::SearchPolicy;
use crate::search::params::Params;

/// A parameter of the search and its value.
type Setting = (&'static str, i32);

/// No pruning, no null move, no singular moves and no mate solver; the order of moves does not depend on the history. What
/// stays is that a move costs the more the later it comes.
const WITHOUT_PRUNING: &[Setting] = &[
    ("razor_plies", 0),
    ("rfp_plies", 0),
    ("null_move_from", 65_536),
    ("probcut_from", 65_536),
    ("singular_from", 65_536),
    ("iir_from", 65_536),
    ("hindsight_from", 65_536),
    ("hindsight_margin", 2000),
    ("prune_count", 1000),
    ("futility_plies", -1),
    ("see_quiet_plies", -1),
    ("see_capture_plies", -1),
    ("history_cost", 0),
    ("continuation_cost", 0),
    ("capture_history_cost", 0),
    ("mate_root_nodes", 0),
    ("mate_slice_nodes", 0),
];

/// A kind of search that is compared with others.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// What it is called.
    pub name: &'static str,
    /// How it decides how far a line is followed.
    pub policy: SearchPolicy,
    /// Its parameters.
    pub params: Params,
    /// The last of its iterations that experiments show.
    pub last: u32,
}

/// Every kind of search, the engine's own first.
///
/// # Panics
/// When a parameter that is switched off does not exist any more.
pub fn kinds() -> [Kind; 3] {
    use SearchPolicy::{Depth, RealizationProbability};
    let kind = |name, policy, params, last| Kind { name, policy, params, last };
    [
        kind("realization probability", RealizationProbability, Params::DEFAULT, 7),
        kind("realization probability without pruning", RealizationProbability, without_pruning(), 5),
        kind("depth, plausible moves near leaves", Depth, Params::DEFAULT, 7),
    ]
}

fn without_pruning() -> Params {
    let mut params = Params::DEFAULT;
    for &(name, value) in WITHOUT_PRUNING {
        let set = params.set(name, value);
        assert_eq!(set, Some(Ok(())), "{name} = {value}");
    }
    params
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parameters_that_are_switched_off_exist() {
        let [own, without, _] = kinds();
        assert_eq!(own.params, Params::DEFAULT);
        assert_ne!(without.params, Params::DEFAULT);
    }
}
