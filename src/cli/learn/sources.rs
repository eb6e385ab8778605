//! The files that evaluation and transitions are learned from.

use std::path::{Path, PathBuf};

use jitsugen::learn::sources::{Sources, Split, Taken};

use crate::cli::output::remark;

/// Reads the games and positions, split as `split` says; `taken` is told what each file came to. What is wrong in one is
/// named and left out.
///
/// # Errors
/// Which file cannot be read, or has nothing that is right.
pub fn read(
    games: &[PathBuf],
    positions: &[PathBuf],
    split: Split,
    mut taken: impl FnMut(&Path, Taken),
) -> Result<Sources, String> {
    let mut sources = Sources::default();
    let mut tell = |message: String| remark(format_args!("{message}"));
    for path in games {
        taken(path, sources.add_games(path, split, &mut tell)?);
    }
    for path in positions {
        taken(path, sources.add_positions(path, split, &mut tell)?);
    }
    Ok(sources)
}
