//! `jitsugen learn levels`.

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
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
/// Example: jitsugen learn levels --openings balanced36.sfen --results levels.txt --plot docs/experiments/levels.svg
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
    /// A text file with the scores. What it has already is not played again, as long as the levels are the same.
    #[arg(long, value_name = "FILE")]
    results: Option<PathBuf>,
    /// Draw the scores (SVG).
    #[arg(long, value_name = "SVG")]
    plot: Option<PathBuf>,
}

impl Levels {
    pub fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let inputs: Vec<_> = self.openings.path().map(|file| ("--openings", file)).into_iter().collect();
        let results = self.results.iter().map(|path| ("--results", &**path));
        let plot = self.plot.iter().map(|path| ("--plot", &**path));
        keep_apart(&inputs, &results.chain(plot).collect::<Vec<_>>())?;
        if let Some(path) = &self.plot {
            replaceable("--plot", path, "drawing (SVG)", plot::MAGIC)?;
        }
        let mut results = match &self.results {
            Some(path) => self.read_results(path)?,
            None => self.header(),
        };
        let openings = self.openings.read()?;
        let settings = LevelSettings {
            games: self.games.next_multiple_of(2),
            time: Duration::from_millis(self.time),
            seed: self.seed,
        };
        let levels = if self.levels.is_empty() { (0..=FULL_STRENGTH).collect() } else { self.levels.clone() };
        let (mut arena, mut scores) =
            (Arena::new(self.threads).map_err(|error| Failure::Resources(error.to_string()))?, Vec::new());
        for level in levels {
            let before = level.checked_sub(1).map_or(Contestant::Captures, Contestant::Level);
            let contestants = [Contestant::Level(level), before];
            let match_name = format!("{} against {}: ", contestants[0], contestants[1]);
            let known = results.lines().find_map(|line| line.strip_prefix(&match_name)?.parse().ok());
            let score = known.unwrap_or_else(|| {
                let bar = progress_bar(u64::from(settings.games), &format!("level {level}"));
                let score = arena.play(contestants, &openings, settings, || bar.inc(1));
                bar.finish_and_clear();
                score
            });
            writeln!(out, "{match_name}{score}")?;
            out.flush()?;
            if known.is_none()
                && let Some(path) = &self.results
            {
                results.push_str(&format!("{match_name}{score}\n"));
                write_atomically(path, |file| file.write_all(results.as_bytes()))?;
            }
            if level > 0 {
                scores.push((level, score));
            }
        }
        if let Some(path) = &self.plot {
            let title = format!("Each level against the one before, {} games", settings.games);
            let text = draw(&title, &scores).map_err(|error| error.to_string())?;
            write_atomically(path, |file| file.write_all(text.as_bytes()))?;
        }
        Ok(())
    }

    /// The first line of a file of scores.
    fn header(&self) -> String {
        format!("# games {}, milliseconds {}, seed {}\n", self.games, self.time, self.seed)
    }

    /// The text of a file of scores; its first line alone where there is no file yet.
    fn read_results(&self, path: &Path) -> Result<String, String> {
        let header = self.header();
        match fs::read_to_string(path) {
            Ok(text) if text.starts_with(&header) => Ok(text),
            Ok(_) => {
                Err(format!("{}: expected scores that begin with '{}'", path.display(), header.trim_end()))
            }
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(header),
            Err(error) => Err(format!("{}: {error}", path.display())),
        }
    }
}
