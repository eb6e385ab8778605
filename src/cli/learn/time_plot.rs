//! `jitsugen learn time-plot`.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use jitsugen::eval::tools::Source;
use jitsugen::learn::experiments::time_use;
use jitsugen::learn::plot;
use jitsugen::record::Record;
use jitsugen::util::atomic_file::write_atomically;

use super::arguments::read_games;
use crate::cli::failure::Failure;
use crate::cli::files::{keep_apart, replaceable};
use crate::cli::output::progress_bar;

/// Games of other lengths are passed over: short ones are not played to the end, and long ones are rare.
const LENGTHS: std::ops::Range<usize> = 80..250;

/// Draw how time is spent: the seconds of each move with several time controls, simulated.
///
/// Walks through the first games of 80 to 249 moves as if the engine had to move in each position. The clock runs by
/// nodes, so the result does not depend on the machine.
///
/// Example: jitsugen learn time-plot games.usi --output docs/experiments/time.svg
#[derive(Args)]
pub struct TimePlot {
    /// The games, as the record command reads them, or a self-play run.
    file: PathBuf,
    /// The drawing (SVG) to write.
    #[arg(long, value_name = "SVG")]
    output: PathBuf,
    /// How many games are simulated.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..))]
    games: u16,
}

impl TimePlot {
    pub fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        keep_apart(&[("FILE", &self.file)], &[("--output", &self.output)])?;
        replaceable("--output", &self.output, "drawing (SVG)", plot::MAGIC)?;
        let wanted = usize::from(self.games);
        let mut games: Vec<Record> = Vec::new();
        read_games(&self.file, "games", |game| {
            if games.len() < wanted && LENGTHS.contains(&game.moves().len()) {
                games.push(game.clone());
            }
        })?;
        if games.is_empty() {
            let path = self.file.display();
            return Err(
                format!("{path}: expected games of {} to {} moves", LENGTHS.start, LENGTHS.end - 1).into()
            );
        }
        let weights =
            Source::from_word("built-in".as_ref()).load(&mut |_, _| ()).map_err(|error| error.to_string())?;
        let bar = progress_bar((games.len() * time_use::SIMULATIONS) as u64, "games");
        let uses = time_use::simulate(&games, &Arc::new(weights), || bar.inc(1));
        bar.finish_and_clear();
        let uses = uses?;
        for time_use in &uses {
            writeln!(out, "{}: least left {:.2} s", time_use.name, time_use.least_left)?;
        }
        let text = time_use::draw(&uses).map_err(|error| error.to_string())?;
        Ok(write_atomically(&self.output, |file| file.write_all(text.as_bytes()))?)
    }
}
