//! Files of training positions: self-play runs, and the field's plain files of packed positions.

use std::path::Path;

use super::selfplay::game::Game;
use super::selfplay::run_file;
use crate::record::packed::{self, FileSummary, Packed, TrainingPosition};

/// Calls `each` with every position of either kind of file. Positions with something wrong are skipped and counted.
///
/// # Errors
/// When the file cannot be read, or has no position that is right.
pub fn read(path: &Path, mut each: impl FnMut(&Packed, TrainingPosition)) -> Result<FileSummary, String> {
    if !is_run(path)? {
        return packed::read_file(path, each).map_err(|error| error.to_string());
    }
    read_run(path, |game, known| {
        game.positions.iter().zip(known).for_each(|(packed, known)| each(packed, known));
    })
}

/// Whether a file is a self-play run.
///
/// # Errors
/// When it cannot be read.
pub fn is_run(path: &Path) -> Result<bool, String> {
    run_file::is_run(path).map_err(|error| error.to_string())
}

/// Calls `each` with the games of a self-play run, with their positions unpacked. Positions with something wrong are
/// skipped and counted. `left_over` of the summary says how many bytes follow the last whole game.
///
/// # Errors
/// When the file cannot be read, or has no position.
pub fn read_run(
    path: &Path,
    mut each: impl FnMut(&Game, Vec<TrainingPosition>),
) -> Result<FileSummary, String> {
    let mut summary = FileSummary::default();
    let left_over = run_file::read(path, |mut game| {
        let mut known = Vec::with_capacity(game.positions.len());
        game.positions.retain(|packed| match packed.unpack() {
            Ok(position) => {
                summary.good += 1;
                known.push(position);
                true
            }
            Err(fault) => {
                summary.skipped += 1;
                summary.first_skipped.get_or_insert((summary.good + summary.skipped, fault));
                false
            }
        });
        each(&game, known);
    });
    summary.left_over = left_over.map_err(|error| error.to_string())? as usize;
    if summary.good == 0 {
        return Err(format!("{}: expected positions, but the run has none", path.display()));
    }
    Ok(summary)
}
