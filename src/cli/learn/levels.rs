//! `jitsugen learn levels`.

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use jitsugen::engine::skill::FULL_STRENGTH;
use jitsugen::learn::experiments::levels::{Arena, Contestant, LevelSettings, draw};
use jitsugen::learn::plot;
use jitsugen::util::atomic_file::write_atomically;

use super::arguments::OpeningsFile;
use crate::cli::failure::Failure;
use crate::cli::files::{keep_apart, replaceable};
use crate::cli::numbers;
use crate::cli::output::progress_bar;

/// Measure how strong the levels of the option SkillLevel are against each other.
///
/// Each level plays the one before it, and level 0 a player that makes the capture with the best static exchange, if one
/// gains, and else any move. Each opening is played twice, with both colours.
///
/// Example: jitsugen learn levels --openings balanced36.sfen --games 200 --plot docs/experiments/levels.svg
#[derive(Args)]
pub struct Levels {
    #[command(flatten)]
    openings: OpeningsFile,
    /// Games of each level against the one before it.
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u32).range(2..))]
    games: u32,
    /// The levels that play the one before them; 0 plays the player of captures. All if left out.
    #[arg(long, num_args = 1.., value_parser = clap::value_parser!(u8).range(..=i64::from(FULL_STRENGTH)))]
    levels: Vec<u8>,
    /// Milliseconds of each move.
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=60_000))]
    time: u64,
    /// Decides what levels leave to chance, and the order of the openings.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games at once; 0 for as many as there are cores.
    #[arg(long, default_value = "0", value_parser = numbers::threads)]
    threads: usize,
    /// Draw the scores (SVG).
    #[arg(long, value_name = "SVG")]
    plot: Option<PathBuf>,
}

impl Levels {
    pub fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        if let Some(path) = &self.plot {
            let inputs: Vec<_> = self.openings.path().map(|file| ("--openings", file)).into_iter().collect();
            keep_apart(&inputs, &[("--plot", path)])?;
            replaceable("--plot", path, "drawing (SVG)", plot::MAGIC)?;
        }
        let openings = self.openings.read()?;
        let settings = LevelSettings {
            games: self.games.next_multiple_of(2),
            time: Duration::from_millis(self.time),
            seed: self.seed,
        };
        let levels = if self.levels.is_empty() { (0..=FULL_STRENGTH).collect() } else { self.levels };
        let (mut arena, mut scores) = (Arena::new(self.threads), Vec::new());
        for level in levels {
            let before = level.checked_sub(1).map_or(Contestant::Captures, Contestant::Level);
            let contestants = [Contestant::Level(level), before];
            let bar = progress_bar(u64::from(settings.games), &format!("level {level}"));
            let score = arena.play(contestants, &openings, settings, || bar.inc(1));
            bar.finish_and_clear();
            writeln!(out, "{} against {}: {score}", contestants[0], contestants[1])?;
            out.flush()?;
            if level > 0 {
                scores.push((level, score));
            }
        }
        if let Some(path) = &self.plot {
            let title =
                format!("Each level against the one before, {} games, {} ms", settings.games, self.time);
            let text = draw(&title, &scores).map_err(|error| error.to_string())?;
            write_atomically(path, |file| file.write_all(text.as_bytes()))?;
        }
        Ok(())
    }
}
