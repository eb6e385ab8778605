//! What examples share.

use jitsugen::search::params::Params;

/// A parameter of the search and its value.
pub type Setting = (&'static str, i32);

/// Without pruning near leaves, pass and mate solver; the model of moves alone says what a move costs, whether or not it
/// is suggested and whatever the history says, and what turned out better is searched again with ½.
pub const AS_IN_THE_PAPER: &[Setting] = &[
    ("calm_below", 0),
    ("pass_from", 65_536),
    ("research_cost", 256),
    ("unsuggested_from", 65_536),
    ("futility_margin", 20_000),
    ("reach", 65_536),
    ("suggested_cost", 2560),
    ("history_cost", 0),
    ("mate_root_nodes", 0),
    ("mate_line_nodes", 0),
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
