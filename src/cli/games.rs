//! Files of games that a command goes through.

use std::path::Path;

use jitsugen::record::{self, Format, Record};

use super::progress;
use super::remark::remark;

/// Shows `each` the games of a file, with a bar called `name`, and returns how many were left out. What is wrong with
/// these is told.
///
/// # Errors
/// When the file cannot be read.
pub fn read(file: &Path, name: &str, mut each: impl FnMut(&Record)) -> Result<usize, String> {
    let bytes = std::fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let games = record::read_each(&bytes, Format::of_path(file));
    let bar = progress::bar(games.len() as u64, name);
    let mut left_out = 0;
    for game in games {
        match game {
            Ok(game) => each(&game),
            Err(error) => {
                left_out += 1;
                bar.suspend(|| remark(format_args!("{}: {error}: left out", file.display())));
            }
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(left_out)
}
