//! `jitsugen learn tune`.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use jitsugen::eval::tools::Source;
use jitsugen::learn::checksums;
use jitsugen::learn::selfplay::adjudication::AdjudicationRules;
use jitsugen::learn::tuning::{TuneSettings, TunedParameter, Tuning};
use jitsugen::search::SearchPolicy;
use jitsugen::util::atomic_file::{check_writable, write_atomically};
use jitsugen::util::input_file;

use super::arguments::{OpeningsFile, check_positive};
use super::long_progress::LongProgress;
use crate::cli::failure::Failure;
use crate::cli::numbers;

/// Tune parameters of the search by games of the engine against itself (SPSA).
///
/// The values are written after every 32 pairs of games; stopped or killed, the same command goes on where it was. The
/// same options give the same values with any number of threads. Whether new values are better has to be shown by games
/// against the old ones.
///
/// Example: jitsugen learn tune --output tuned.txt --openings games24.sfen --nodes 2000 --pairs 5000 futility_margin=50
/// rfp_margin=25
#[derive(Args)]
pub struct Tune {
    /// What to tune, each as NAME or NAME=STEP; a step is 1 or more, a tenth of the default if left out. The names and
    /// what they mean are in src/search/params.rs.
    #[arg(required = true, value_name = "NUMBER")]
    numbers: Vec<String>,
    /// The file of values to write, and to go on from.
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    openings: OpeningsFile,
    /// The evaluation: built-in, yss, a folder with full files, or a compact file.
    #[arg(long, default_value = "built-in")]
    from: PathBuf,
    /// Which search is tuned, by how it decides how far a line is followed: RealizationProbability or Depth.
    #[arg(long, default_value = SearchPolicy::NAMES[0], value_parser = policy)]
    policy: SearchPolicy,
    /// Nodes of each search.
    #[arg(long, default_value_t = 2000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Pairs of games in all.
    #[arg(long, default_value_t = 5000, value_parser = clap::value_parser!(u64).range(1..))]
    pairs: u64,
    /// How far a value moves for one game won in the last pair, in steps.
    #[arg(long, default_value_t = 0.02)]
    rate: f64,
    /// The seed of all random choices.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games at a time, a thread for each; 0 for as many as there are cores.
    #[arg(long, default_value = "0", value_parser = numbers::threads)]
    threads: usize,
    /// A side that is so far ahead wins, in units (a pawn is 90).
    #[arg(long, default_value_t = 1500, value_parser = clap::value_parser!(i32).range(1..))]
    resign_at: i32,
}

fn policy(name: &str) -> Result<SearchPolicy, String> {
    SearchPolicy::named(name).ok_or_else(|| format!("expected one of {}", SearchPolicy::NAMES.join(", ")))
}

impl Tune {
    pub fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let openings = self.openings.read()?;
        let parameters: Result<Vec<TunedParameter>, String> =
            self.numbers.iter().map(|text| TunedParameter::parse(text)).collect();
        let parameters = parameters?;
        for (nth, parameter) in parameters.iter().enumerate() {
            if parameters[..nth].iter().any(|other| other.name == parameter.name) {
                return Err(format!("{}: expected each number once", parameter.name).into());
            }
        }
        let mut tuning = Tuning::new(parameters);
        check_writable(&self.output)?;
        check_positive("--rate", self.rate)?;
        let source = Source::from_word(&self.from);
        let weights = Arc::new(source.load(&mut |_, _| ()).map_err(|error| error.to_string())?);
        let adjudication = AdjudicationRules { resign_at: self.resign_at, resign_plies: 4, max_moves: 320 };
        let Self { seed, policy, nodes, pairs, rate, .. } = self;
        let settings = TuneSettings { seed, policy, nodes, pairs, rate, adjudication };
        let described = format!(
            "numbers={} seed={seed} policy={policy:?} nodes={nodes} pairs={pairs} rate={rate} resign-at={} openings={:08x} \
             evaluation={:08x} search={:08x} version={}",
            self.numbers.join(","),
            self.resign_at,
            openings.checksum(),
            checksums::evaluation_checksum(&weights),
            checksums::search_checksum(&weights, policy),
            env!("CARGO_PKG_VERSION")
        );
        if self.output.exists() {
            let name = self.output.display();
            let text = input_file::read_text(&self.output).map_err(|error| format!("{name}: {error}"))?;
            tuning.resume(&text, &described).map_err(|error| format!("{name}: {error}"))?;
        }
        let threads = self.threads;
        let progress = LongProgress::new(settings.pairs, tuning.done, "pairs");
        let mut games = [0; 3];
        while tuning.done < settings.pairs {
            let results = tuning
                .round(&settings, &openings, &weights, threads)
                .map_err(|error| format!("a thread cannot be started: {error}"))?;
            games.iter_mut().zip(results).for_each(|(sum, more)| *sum += more);
            let text = tuning.to_text(&described);
            write_atomically(&self.output, |file| file.write_all(text.as_bytes()))?;
            progress.set(tuning.done, Some(&format!("{}-{}-{}", games[0], games[1], games[2])));
        }
        progress.finish();
        for (parameter, value) in tuning.parameters.iter().zip(&tuning.values) {
            writeln!(
                out,
                "{} {:.1} (from {}, step {})",
                parameter.name, value, parameter.start, parameter.step
            )?;
        }
        Ok(writeln!(out, "Pairs: {}", tuning.done)?)
    }
}
