//! Openings of games that the engine plays with itself.

use std::path::Path;

use jitsugen::learn::selfplay::openings::Openings;

use crate::command::Failure;

/// Reads a file of openings; the start position alone where there is none. What cannot be played is named and left out.
pub fn read(path: Option<&Path>) -> Result<Openings, Failure> {
    let Some(path) = path else { return Ok(Openings::start()) };
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let (openings, bad) = Openings::parse(&text);
    for bad in bad {
        eprintln!("{}: {bad}: left out", path.display());
    }
    if openings.is_empty() {
        return Err(format!("{}: no opening that can be played: expected one a line", path.display()).into());
    }
    Ok(openings)
}
