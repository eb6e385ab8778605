//! `jitsugen learn tactics`.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use jitsugen::exchange::whole_board::piece_values::PieceValues;
use jitsugen::learn::experiments::tactics::{self, COLUMNS, FIGURE_9, FIGURE_10, Tactics, at_least, percent};
use jitsugen::learn::plot;
use jitsugen::util::atomic_file::write_atomically;

use super::arguments::read_games;
use crate::cli::failure::Failure;
use crate::cli::files::{keep_apart, replaceable};

/// Count how tactical the positions of games are, and how often the whole-board exchange predicts the move played.
///
/// Figures 9 and 10 of the paper on SUPER-SOMA, and the numbers of its sections on errors and on use.
///
/// Example: jitsugen learn tactics professional.usi --paper human --plot docs/experiments/tactics-human.svg
#[derive(Args)]
pub struct Tactical {
    /// Files of games: CSA, KIF, KI2, USI lines or a run of self-play.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Whose games they are, for the paper's numbers beside ours.
    #[arg(long, value_enum, default_value_t = Players::Human)]
    paper: Players,
    /// Draw the numbers of squares beside the paper's (SVG).
    #[arg(long, value_name = "SVG")]
    plot: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Players {
    /// Figure 9.
    Human,
    /// Figure 10.
    Computer,
}

impl Tactical {
    pub fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let inputs: Vec<(&str, &Path)> = self.files.iter().map(|file| ("FILES", file.as_path())).collect();
        if let Some(path) = &self.plot {
            keep_apart(&inputs, &[("--plot", path)])?;
            replaceable("--plot", path, "drawing (SVG)", plot::MAGIC)?;
        }
        let mut counted = Tactics::default();
        for file in &self.files {
            read_games(file, "games", |game| counted.add(game, &PieceValues::CUSTOMARY))?;
        }
        if counted.positions == 0 {
            return Err("no game has a move: expected games".to_string().into());
        }
        let (name, paper) = match self.paper {
            Players::Human => ("figure 9", &FIGURE_9),
            Players::Computer => ("figure 10", &FIGURE_10),
        };
        write_counts(out, &counted, name, paper)?;
        if let Some(path) = &self.plot {
            let title = format!("{} games, beside {name} of the paper", counted.games);
            let text = tactics::draw(&title, &counted, paper).map_err(|error| error.to_string())?;
            write_atomically(path, |file| file.write_all(text.as_bytes()))?;
        }
        Ok(())
    }
}

fn write_counts(
    out: &mut dyn Write,
    counted: &Tactics,
    name: &str,
    paper: &[u32; COLUMNS],
) -> std::io::Result<()> {
    let Tactics { games, positions, of_mover, of_both, .. } = counted;
    writeln!(out, "{games} games, {positions} positions, {} from move 50 on", counted.late())?;
    writeln!(out, "squares  both sides  side to move  {name}")?;
    for number in 0..COLUMNS {
        let share = |columns: &[u32; COLUMNS]| percent(columns[number], columns.iter().sum());
        let (both, mover, theirs) = (share(of_both), share(of_mover), share(paper));
        writeln!(out, "{number:7}  {both:9.1}%  {mover:11.1}%  {theirs:7.1}%")?;
    }
    for number in [1, 2, 4] {
        let (both, mover) = (at_least(of_both, number), at_least(of_mover, number));
        let theirs = at_least(paper, number);
        writeln!(
            out,
            "{number} or more: both sides {both:.1}%, side to move {mover:.1}%, {name} {theirs:.1}%"
        )?;
    }
    let Tactics { active, predicted, pawn_left, two_runs, kept, .. } = *counted;
    let hits = percent(predicted, active);
    writeln!(out, "moves predicted: {hits:.1}% of {active} (the paper: 65%)")?;
    let left = percent(pawn_left, active - predicted);
    writeln!(out, "of the others, a pawn left hanging: {left:.1}% (the paper: 37%)")?;
    writeln!(out, "first choice kept: {:.1}% of {two_runs} (the paper: 95%)", percent(kept, two_runs))?;
    let mean = |plies: u64, positions: u32| plies as f64 / f64::from(positions.max(1));
    let (all, late) = (mean(counted.plies, *positions), mean(counted.late_plies, counted.late()));
    writeln!(out, "mean length of the line: {all:.2} plies, {late:.2} from move 50 on (the paper: 4.2)")
}
