//! `jitsugen learn next-moves`.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use jitsugen::eval::tools::Source;
use jitsugen::learn::experiments::next_moves::{self, Row};
use jitsugen::learn::experiments::search_kinds;

use crate::cli::failure::Failure;
use crate::cli::output::progress_bar;

/// Show in how many positions each kind of search finds the best move, by iteration, and in what time.
///
/// A line of a file is an SFEN, a tab, the best move, and anything after another tab. One thread searches each position
/// by itself. This is table 3 of the paper (Tsuruoka, Yokoyama and Chikayama 2002).
///
/// Example: jitsugen learn next-moves sunfish4_32.txt shogihome_lab_222.txt
#[derive(Args)]
pub struct NextMoves {
    /// Files of positions with their best moves.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The evaluation: built-in, yss, a folder with full files, or a compact file.
    #[arg(long, default_value = "built-in")]
    from: PathBuf,
}

impl NextMoves {
    pub fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let mut files = Vec::new();
        for path in &self.files {
            files.push((path, next_moves::read(path)?));
        }
        let source = Source::from_word(&self.from);
        let weights = Arc::new(source.load(&mut |_, _| ()).map_err(|error| error.to_string())?);
        for (path, problems) in files {
            writeln!(out, "{}: {} positions", path.display(), problems.len())?;
            for kind in search_kinds::kinds() {
                let bar = progress_bar(problems.len() as u64, kind.name);
                let rows = next_moves::measure(&problems, kind, &weights, || bar.inc(1));
                bar.finish_and_clear();
                writeln!(out, "{}", kind.name)?;
                for (iteration, Row { right, nodes, time }) in (next_moves::first(kind)..).zip(rows) {
                    let seconds = time.as_secs_f64();
                    writeln!(
                        out,
                        "  iteration {iteration}: {right:3} right, {nodes:10} nodes, {seconds:6.1} s"
                    )?;
                }
                out.flush()?;
            }
        }
        Ok(())
    }
}
