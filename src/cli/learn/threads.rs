//! `jitsugen learn threads`.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use jitsugen::learn::experiments::thread_scaling;
use jitsugen::learn::plot;
use jitsugen::shogi::position::Position;
use jitsugen::util::atomic_file::write_atomically;

use super::arguments::read_openings;
use crate::cli::failure::Failure;
use crate::cli::files::{keep_apart, replaceable};
use crate::cli::output::progress_bar;

/// Show what more threads bring: nodes a second, and the time until an iteration ends.
///
/// Each position is searched with each number of threads in turn, as in a new game. The first number of threads is
/// compared with all others.
///
/// Example: jitsugen learn threads balanced36.sfen --iteration 8 --threads 1 2 4 --plot threads.svg
#[derive(Args)]
pub struct Threads {
    /// Positions, one a line, as SFEN or as USI has them.
    positions: PathBuf,
    /// The iteration that ends a search.
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..))]
    iteration: u32,
    /// The numbers of threads.
    #[arg(long, num_args = 1.., default_values_t = [1, 2], value_parser = clap::value_parser!(u16).range(1..))]
    threads: Vec<u16>,
    /// How many positions are searched, spread evenly over the file.
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u16).range(2..))]
    count: u16,
    /// Draw nodes a second and the speed of an iteration by the number of threads (SVG).
    #[arg(long, value_name = "SVG")]
    plot: Option<PathBuf>,
}

impl Threads {
    pub fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        if let Some(path) = &self.plot {
            keep_apart(&[("POSITIONS", &self.positions)], &[("--plot", path)])?;
            replaceable("--plot", path, "drawing (SVG)", plot::MAGIC)?;
        }
        let openings = read_openings(&self.positions)?;
        let count = usize::from(self.count);
        let every = (openings.len() / count).max(1);
        let positions: Vec<Position> = (0..openings.len())
            .step_by(every)
            .take(count)
            .map(|nth| openings.get(nth).1.position().clone())
            .collect();
        let threads: Vec<usize> = self.threads.iter().map(|&threads| threads.into()).collect();
        let bar = progress_bar(positions.len() as u64, "positions");
        let scalings = thread_scaling::measure(&positions, self.iteration, &threads, || bar.inc(1));
        bar.finish_and_clear();
        writeln!(out, "{} positions, iteration {}", positions.len(), self.iteration)?;
        let scalings = scalings.map_err(|error| error.to_string())?;
        for scaling in &scalings {
            writeln!(out, "{scaling}")?;
        }
        if let Some(path) = &self.plot {
            let title = format!("{} positions, iteration {}", positions.len(), self.iteration);
            let text = thread_scaling::draw(&title, &scalings).map_err(|error| error.to_string())?;
            write_atomically(path, |file| file.write_all(text.as_bytes()))?;
        }
        Ok(())
    }
}
