//! The search without what the paper does not have.

use crate::search::Policy;
use crate::search::params::Params;

/// A parameter of the search and its value.
type Setting = (&'static str, i32);

/// No pruning near leaves, no null move and no mate solver. The cost of a move depends on its categories alone, not on
/// the hash move or the history, and a move that turns out better is searched again with ½.
const AS_IN_THE_PAPER: &[Setting] = &[
    ("calm_below", 0),
    ("pass_from", 65_536),
    ("research_cost", 256),
    ("unsuggested_from", 65_536),
    ("futility_margin", 20_000),
    ("reach", 65_536),
    ("learned_from", 65_536),
    ("suggested_cost", 2560),
    ("history_cost", 0),
    ("mate_root_nodes", 0),
    ("mate_line_nodes", 0),
];

/// A kind of search that is compared with others.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// What it is called.
    pub name: &'static str,
    /// How it decides how far a line is followed.
    pub policy: Policy,
    /// Its parameters.
    pub params: Params,
    /// The last of its iterations that experiments show.
    pub last: u32,
}

/// Every kind of search, the engine's own first.
///
/// # Panics
/// When a parameter of the paper's search does not exist any more.
pub fn kinds() -> [Kind; 3] {
    use Policy::{Depth, RealizationProbability};
    let kind = |name, policy, params, last| Kind { name, policy, params, last };
    [
        kind("realization probability", RealizationProbability, Params::DEFAULT, 7),
        kind("realization probability as in the paper", RealizationProbability, as_in_the_paper(), 5),
        kind("depth, plausible moves near leaves", Depth, Params::DEFAULT, 7),
    ]
}

fn as_in_the_paper() -> Params {
    let mut params = Params::DEFAULT;
    for &(name, value) in AS_IN_THE_PAPER {
        let set = params.set(name, value);
        assert_eq!(set, Some(Ok(())), "{name} = {value}");
    }
    params
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_papers_parameters_exist() {
        let [own, paper, _] = kinds();
        assert_eq!(own.params, Params::DEFAULT);
        assert_ne!(paper.params, Params::DEFAULT);
    }
}
