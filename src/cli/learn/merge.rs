//! `jitsugen learn merge`.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use jitsugen::learn::selfplay::merge::merge;
use jitsugen::util::atomic_file::check_writable;

use super::long_progress::LongProgress;
use crate::cli::failure::Failure;
use crate::cli::files::{keep_apart, named_once};
use crate::cli::output::remark;

/// Merge the parts of a self-play run into the file that one run would have written.
///
/// Parts are played by learn selfplay with --first. They are named in any order. All have to be of one run, with the same
/// settings, openings, evaluation and version, and each game from 0 on has to be in one of them. The file is the same,
/// byte for byte, as if one run had played all games, and learn selfplay goes on with it.
///
/// Example: jitsugen learn merge part0.play part1.play part2.play --output whole.play --games 3000
#[derive(Args)]
pub struct Merge {
    /// The parts.
    #[arg(required = true, value_name = "PART")]
    parts: Vec<PathBuf>,
    /// The file to write.
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
    /// How many games all parts have together. Without this, nobody notices that the last part is not finished.
    #[arg(long)]
    games: Option<u64>,
}

impl Merge {
    pub fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let inputs: Vec<_> = self.parts.iter().map(|path| ("PART", &**path)).collect();
        named_once(&inputs)?;
        keep_apart(&inputs, &[("--output", &self.output)])?;
        if self.output.metadata().is_ok_and(|metadata| metadata.len() > 0) {
            return Err(format!("--output {}: is there: expected a new name", self.output.display()).into());
        }
        check_writable(&self.output).map_err(|error| error.to_string())?;
        let length = self.parts.iter().filter_map(|path| path.metadata().ok()).map(|data| data.len()).sum();
        let progress = LongProgress::new(length, 0, "bytes");
        let merged = merge(&self.parts, &self.output, self.games, |bytes| progress.set(bytes, None));
        progress.finish();
        let merged = merged.map_err(|error| error.to_string())?;
        if merged.left_out > 0 {
            remark(format_args!(
                "the openings were used up with game {}, where one run ends: {} games after it are left out",
                merged.games - 1,
                merged.left_out
            ));
        }
        writeln!(out, "Parts: {}", self.parts.len())?;
        writeln!(out, "Duplicates of earlier parts: {}", merged.duplicates)?;
        writeln!(out, "Games: {}", merged.games)?;
        Ok(writeln!(out, "Positions: {}", merged.positions)?)
    }
}
