//! `jitsugen learn inspect`.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use jitsugen::learn::inspect::{Statistics, plots};
use jitsugen::learn::plot;
use jitsugen::learn::position_file;
use jitsugen::record::packed::{self, FileSummary, TrainingPosition};
use jitsugen::shogi::sfen;
use jitsugen::util::atomic_file::write_atomically;

use crate::cli::failure::Failure;
use crate::cli::files::{keep_apart, replaceable};
use crate::cli::output::progress_bar;

/// Show what files of training positions hold: games, results, scores, moves.
///
/// Positions with something wrong are skipped and counted, and the first is named. A game is a sequence of positions in
/// which each follows from the one before by its move.
///
/// Example: jitsugen learn inspect first.play --head 3 --plots pictures
#[derive(Args)]
pub struct Inspect {
    /// Self-play runs, or files of packed positions (PackedSfenValue).
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Print the first positions: SFEN, move, score and result for the side to move.
    #[arg(long, value_name = "N", default_value_t = 0)]
    head: u64,
    /// Draw score.svg, ply.svg and result.svg in this folder.
    #[arg(long, value_name = "FOLDER")]
    plots: Option<PathBuf>,
}

impl Inspect {
    pub fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        // Before the files are read: that may take long.
        if let Some(folder) = &self.plots {
            std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
            let drawings = plots::NAMES.map(|name| folder.join(name));
            let inputs: Vec<_> = self.files.iter().map(|path| ("the positions", &**path)).collect();
            keep_apart(&inputs, &drawings.each_ref().map(|path| ("--plots", &**path)))?;
            for path in &drawings {
                replaceable("--plots", path, "drawing (SVG)", plot::MAGIC)?;
            }
        }
        let mut statistics = Statistics::new();
        let mut head = Vec::new();
        for file in &self.files {
            let length = file.metadata().map_or(0, |metadata| metadata.len() / packed::BYTES as u64);
            let bar = progress_bar(length, &file.display().to_string());
            let summary = position_file::read(file, |_, known| {
                if (head.len() as u64) < self.head {
                    head.push(line(&known));
                }
                statistics.add(&known);
                bar.inc(1);
            });
            bar.finish_and_clear();
            let summary = summary?;
            writeln!(out, "{}: {}", file.display(), described(&summary))?;
        }
        for line in head {
            writeln!(out, "{line}")?;
        }
        if let Some(folder) = &self.plots {
            let named = |error: &dyn std::fmt::Display| format!("{}: {error}", folder.display());
            for (name, text) in plots::draw(&statistics).map_err(|error| named(&error))? {
                write_atomically(&folder.join(name), |file| file.write_all(text.as_bytes()))?;
            }
        }
        Ok(writeln!(out, "{statistics}")?)
    }
}

fn line(known: &TrainingPosition) -> String {
    let best = known.best.map_or("-".to_string(), |mv| mv.to_string());
    format!("{}\t{best}\t{}\t{}", sfen::write(&known.position), known.score, known.result.sign())
}

fn described(summary: &FileSummary) -> String {
    let mut text = format!("{} positions, {} skipped", summary.good, summary.skipped);
    if let Some((number, fault)) = &summary.first_skipped {
        text.push_str(&format!(", the first is record {number}: {fault}"));
    }
    if summary.left_over > 0 {
        text.push_str(&format!("; {} bytes after the last whole one", summary.left_over));
    }
    text
}
