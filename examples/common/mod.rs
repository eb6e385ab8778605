//! What examples share.

use jitsugen::search::params::Params;

/// A parameter of the search and its value.
pub type Setting = (&'static str, i32);

/// The search as the paper has it: no pruning near leaves, no null move, no mate solver; the price of a move owes
/// nothing to the hash move or the history, and a move that turned out better is searched again with ½.
pub const AS_IN_THE_PAPER: &[Setting] = &[
    ("rfp_below", 0),
    ("null_move_from", 65_536),
    ("research_cost", 256),
    ("iir_from", 65_536),
    ("futility_margin", 20_000),
    ("prune_margin", 65_536),
    ("hash_move_cost", 2560),
    ("history_cost", 0),
    ("mate_root_nodes", 0),
    ("mate_slice_nodes", 0),
];

/// The engine's parameters but for `settings`.
///
/// # Errors
/// When there is no such parameter, or it cannot have that value.
pub fn params(settings: &[Setting]) -> Result<Params, String> {
    let mut params = Params::DEFAULT;
    for &(name, value) in settings {
        params
            .set(name, value)
            .ok_or_else(|| format!("{name}: no such parameter"))?
            .map_err(|range| format!("{name}: expected {} to {}", range.start(), range.end()))?;
    }
    Ok(params)
}
