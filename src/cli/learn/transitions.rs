//! `jitsugen learn transitions`.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use jitsugen::learn::categories::CategoryCosts;
use jitsugen::learn::sources::Split;
use jitsugen::learn::transitions::examples::{Example, Examples};
use jitsugen::learn::transitions::trainer::{
    Features, Measure, Steps, Trainer, measure_categories, measure_table,
};
use jitsugen::policy::transition;
use jitsugen::util::atomic_file::write_atomically;

use super::arguments::{check_not_negative, check_positive, check_share, read_sources};
use super::optional_output::OptionalOutput;
use crate::cli::failure::Failure;
use crate::cli::files::{keep_apart, named_once, replaceable};
use crate::cli::numbers;
use crate::cli::output::progress_bar;

/// Learn how probable moves are from what was played in games, and write the table of weights.
///
/// Games and positions with something wrong are reported and left out. The same files, options and seed give the same
/// table with any number of threads. Shows after each epoch what the played moves cost in bits, and how often the most
/// probable move was played; before the first, the same by the costs of categories, for comparison.
///
/// Example: jitsugen learn transitions --games games.usi --positions first.play --output eval_files/transitions.jgt
#[derive(Args)]
pub struct Transitions {
    /// Files of games, as the record command reads them, or self-play runs.
    #[arg(long, num_args = 1..)]
    games: Vec<PathBuf>,
    /// Self-play runs, or files of packed positions (PackedSfenValue).
    #[arg(long, num_args = 1..)]
    positions: Vec<PathBuf>,
    /// Files of games to measure with alone, each by itself: the same for every training, so that tables can be compared.
    #[arg(long, num_args = 1..)]
    measure: Vec<PathBuf>,
    /// The table to write, after every epoch.
    #[arg(long)]
    output: PathBuf,
    /// Learn the plain features alone, which take no exchange and no category: the table for moves that are not likely.
    #[arg(long)]
    plain: bool,
    /// How often every position is seen.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u64).range(1..))]
    epochs: u64,
    /// Positions between two steps.
    #[arg(long, default_value_t = 1024)]
    batch: usize,
    /// The first step of a weight.
    #[arg(long, default_value_t = 0.1)]
    rate: f32,
    /// How much it counts in comparison with the positions that weights are near 0.
    #[arg(long, default_value_t = 1.0)]
    prior: f32,
    /// Plies at the beginning of a game that are not learned from; packed positions are taken as they are.
    #[arg(long, default_value_t = 12)]
    skip: usize,
    /// The share of the openings whose games are held back to measure with; for plain packed positions, which do not
    /// have the openings, the share of the games.
    #[arg(long, default_value_t = 0.05)]
    hold_back: f64,
    /// Decides what is held back and the order of the positions.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads; 0 for as many as there are cores.
    #[arg(long, default_value = "0", value_parser = numbers::threads)]
    threads: usize,
}

impl Transitions {
    pub fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        self.check()?;
        let out = &mut OptionalOutput::new(out);
        let split = Split { share: self.hold_back, seed: self.seed };
        let sources = read_sources(&self.games, &self.positions, split, |_, _| ())?;
        let examples = Examples::of(&sources, self.skip);
        if examples.training.is_empty() {
            return Err("no position to learn from: expected --games or --positions with moves"
                .to_string()
                .into());
        }
        let threads = self.threads;
        let features = if self.plain { Features::Plain } else { Features::All };
        let steps =
            Steps { features, batch: self.batch, rate: self.rate, prior: self.prior, seed: self.seed };
        let mut trainer = Trainer::new(steps, threads);
        let measured = self.measured()?;
        let built_in = if self.plain {
            transition::Transitions::built_in_plain()
        } else {
            transition::Transitions::built_in()
        };
        for (name, examples) in &measured {
            show(out, &format!("built-in, {name}"), measure_table(examples, built_in, features, threads))?;
        }
        show(out, "categories", measure_categories(&examples.held_back, CategoryCosts::built_in(), threads))?;
        for epoch in 1..=self.epochs {
            let bar = progress_bar(examples.training.len() as u64, &format!("epoch {epoch}"));
            let measure = trainer.epoch(&examples.training, epoch, &|seen| bar.inc(seen as u64));
            bar.finish_and_clear();
            let bytes = trainer.transitions().encode().map_err(|error| error.to_string())?;
            write_atomically(&self.output, |file| file.write_all(&bytes))?;
            show(out, &format!("epoch {epoch}, learned"), measure)?;
            show(out, &format!("epoch {epoch}, held back"), trainer.measure(&examples.held_back))?;
            for (name, examples) in &measured {
                show(out, &format!("epoch {epoch}, {name}"), trainer.measure(examples))?;
            }
        }
        Ok(())
    }

    /// The files to measure with alone, by name.
    fn measured(&self) -> Result<Vec<(String, Vec<Example>)>, String> {
        let all = Split { share: 1.0, seed: 0 };
        let examples = |path: &PathBuf| {
            let sources = read_sources(std::slice::from_ref(path), &[], all, |_, _| ())?;
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            Ok((name, Examples::of(&sources, self.skip).held_back))
        };
        self.measure.iter().map(examples).collect()
    }

    fn check(&self) -> Result<(), String> {
        check_positive("--rate", f64::from(self.rate))?;
        check_not_negative("--prior", f64::from(self.prior))?;
        check_share("--hold-back", self.hold_back)?;
        let games = self.games.iter().map(|path| ("--games", &**path));
        let positions = self.positions.iter().map(|path| ("--positions", &**path));
        let measure = self.measure.iter().map(|path| ("--measure", &**path));
        let inputs: Vec<_> = games.chain(positions).chain(measure).collect();
        named_once(&inputs)?;
        keep_apart(&inputs, &[("--output", &self.output)])?;
        replaceable("--output", &self.output, "table of transitions", &transition::KIND.magic)
    }
}

fn show(out: &mut dyn Write, what: &str, measure: Measure) -> std::io::Result<()> {
    let positions = measure.positions.max(1) as f64;
    let (bits, agreed) = (measure.bits / positions, 100.0 * measure.agreed as f64 / positions);
    writeln!(out, "{what:<28}  {:>8} positions  {bits:.4} bits  {agreed:.2}%", measure.positions)?;
    out.flush()
}
