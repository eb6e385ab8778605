//! `jitsugen learn selfplay`.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use clap::Args;
use jitsugen::eval::tools::Source;
use jitsugen::learn::checksums;
use jitsugen::learn::selfplay::adjudication::AdjudicationRules;
use jitsugen::learn::selfplay::game::SelfplaySettings;
use jitsugen::learn::selfplay::output::Output;
use jitsugen::learn::selfplay::run_file::MAX_FIRST;
use jitsugen::learn::selfplay::{self, Goal};
use jitsugen::search::SearchPolicy;

use super::arguments::OpeningsFile;
use super::long_progress::LongProgress;
use crate::cli::failure::Failure;
use crate::cli::files::keep_apart;
use crate::cli::numbers;
use crate::cli::output::remark;

/// Play games against itself and write their positions, with scores and results, for training.
///
/// Every position in which a side chose a move is written, also those in check and with mate scores. Score and result
/// are those of the side to move. One file holds the games and their positions, each game with a checksum; the other
/// learn commands read it, and learn export writes it in the field's forms. Stopped or killed at any moment, the same
/// command goes on where it was; the file does not depend on the number of threads or on breaks.
///
/// Example: jitsugen learn selfplay --output first.play --openings games24.sfen --nodes 5000 --positions 1000000
#[derive(Args)]
pub struct Selfplay {
    /// The file to write, and to go on from.
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    openings: OpeningsFile,
    /// The evaluation: built-in, yss, a folder with full files, or a compact file.
    #[arg(long, default_value = "built-in")]
    from: PathBuf,
    /// Nodes of each search.
    #[arg(long, default_value_t = 5000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Stop with the game that reaches so many positions.
    #[arg(long, required_unless_present = "games")]
    positions: Option<u64>,
    /// Stop after so many games, those included that are not played because they begin like others or out of balance.
    /// With --first, these are the games of this part alone.
    #[arg(long)]
    games: Option<u64>,
    /// Play a part of a run: the games from this number on, as many as --games says. The first game of a run is number
    /// 0, and learn merge makes one run of its parts. A part has no --positions, as only games are numbered.
    #[arg(long, value_name = "NUMBER", default_value_t = 0, requires = "games", conflicts_with = "positions",
        value_parser = clap::value_parser!(u64).range(..=MAX_FIRST))]
    first: u64,
    /// The seed of all random choices.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games at a time, a thread for each; 0 for as many as there are cores.
    #[arg(long, default_value = "0", value_parser = numbers::threads)]
    threads: usize,
    /// At most so many moves after the opening are random ones.
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(u32).range(..=320))]
    random_moves: u32,
    /// How much worse than the best a random move may be, in units (a pawn is 90).
    #[arg(long, default_value_t = 150, value_parser = clap::value_parser!(i32).range(0..=64_000))]
    random_margin: i32,
    /// Play no game from a position that is worth more than this to a side, in units (a pawn is 90).
    #[arg(long, default_value_t = 500, value_parser = clap::value_parser!(i32).range(0..=64_000))]
    balance: i32,
    /// Write inner nodes of each search as well: those whose value is exact and which have so many bits left to spend. They are
    /// learned from as positions.
    #[arg(long, value_name = "BITS", value_parser = clap::value_parser!(u32).range(..=64))]
    inner_nodes: Option<u32>,
    /// A side that is so far ahead wins, in units (a pawn is 90).
    #[arg(long, default_value_t = 3000, value_parser = clap::value_parser!(i32).range(1..))]
    resign_at: i32,
    /// Both sides have to agree for so many plies.
    #[arg(long, default_value_t = 6)]
    resign_plies: u32,
    /// The number of the last move; then a game is drawn. Positions have no room for more than 65535.
    #[arg(long, default_value_t = 320, value_parser = clap::value_parser!(u32).range(1..=65_535))]
    max_moves: u32,
}

impl Selfplay {
    pub fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let source = Source::from_word(&self.from);
        self.check(&source)?;
        let openings = self.openings.read()?;
        let weights = Arc::new(source.load(&mut |_, _| ()).map_err(|error| error.to_string())?);
        let settings = self.settings();
        let described = format!(
            "{settings} openings={:08x} evaluation={:08x} search={:08x} version={}",
            openings.checksum(),
            checksums::evaluation_checksum(&weights),
            checksums::search_checksum(&weights, SearchPolicy::default()),
            env!("CARGO_PKG_VERSION")
        );
        let mut output =
            Output::open_part(&self.output, &described, self.first).map_err(|error| error.to_string())?;
        if output.cut_off() > 0 {
            let (path, bytes, game) = (self.output.display(), output.cut_off(), output.next_game());
            remark(format_args!(
                "{path}: the last {bytes} bytes are no whole games: cut off; play goes on with game {game}"
            ));
        }
        let goal =
            Goal { positions: self.positions.unwrap_or(u64::MAX), games: self.games.unwrap_or(u64::MAX) };
        let threads = self.threads;
        let is_by_positions = ends_by_positions(goal, &output);
        let (length, unit) =
            if is_by_positions { (goal.positions, "positions") } else { (goal.games, "games") };
        let done = |output: &Output| if is_by_positions { output.positions() } else { output.games() };
        let progress = LongProgress::new(length, done(&output), unit);
        let (begin, before) = (Instant::now(), output.positions());
        let finished = selfplay::run(&settings, &openings, &weights, &mut output, goal, threads, |output| {
            progress.set(done(output), Some(&format!("{} games", output.games())));
            ControlFlow::Continue(())
        });
        progress.finish();
        finished.map_err(|error| error.to_string())?;
        report(&output, out)?;
        let rate = (output.positions() - before) as f64 / begin.elapsed().as_secs_f64().max(1e-9);
        writeln!(out, "Positions/second: {rate:.1}")?;
        if self.inner_nodes.is_some() {
            writeln!(out, "Inner nodes: {}", output.inner_nodes())?;
        }
        Ok(writeln!(out, "Positions: {}", output.positions())?)
    }

    fn check(&self, source: &Source) -> Result<(), String> {
        let mut inputs: Vec<_> = self.openings.path().map(|path| ("--openings", path)).into_iter().collect();
        if let Source::Compact(path) = source {
            inputs.push(("--from", path));
        }
        keep_apart(&inputs, &[("--output", &self.output)])
    }

    fn settings(&self) -> SelfplaySettings {
        SelfplaySettings {
            seed: self.seed,
            nodes: self.nodes,
            random_moves: self.random_moves,
            random_margin: self.random_margin,
            balance: self.balance,
            inner_bits: self.inner_nodes,
            adjudication: AdjudicationRules {
                resign_at: self.resign_at,
                resign_plies: self.resign_plies,
                max_moves: self.max_moves,
            },
        }
    }
}

/// About how many positions a game has, to estimate which of two goals comes first.
const USUAL_GAME: u64 = 80;

/// Whether the goal of positions will probably be reached before the goal of games.
fn ends_by_positions(goal: Goal, output: &Output) -> bool {
    let games = goal.games.saturating_sub(output.games());
    goal.positions.saturating_sub(output.positions()) <= games.saturating_mul(USUAL_GAME)
}

fn report(output: &Output, out: &mut dyn Write) -> Result<(), Failure> {
    for (ending, games) in output.endings() {
        writeln!(out, "{}: {games}", ending.name())?;
    }
    let [black, white, drawn] = output.results();
    writeln!(out, "Won by Black: {black}")?;
    writeln!(out, "Won by White: {white}")?;
    writeln!(out, "Drawn: {drawn}")?;
    Ok(writeln!(out, "Games: {}", output.games())?)
}
