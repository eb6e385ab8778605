//! `jitsugen eval-file`.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use jitsugen::eval::tools::{self, Source};
use jitsugen::eval::{compact, files};

use super::failure::Failure;
use super::files::{keep_apart, replaceable};
use super::output::progress_bar;

/// Look at evaluation files, or turn them into one another.
#[derive(Args)]
pub struct EvalFile {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Show layout, sizes, checksums and the ranges of the values.
    ///
    /// Example: jitsugen eval-file inspect eval
    Inspect {
        /// built-in, yss, a folder with full files, or a compact file.
        source: PathBuf,
    },
    /// Write an evaluation in another form.
    ///
    /// Example: jitsugen eval-file convert built-in eval
    Convert {
        /// built-in, yss, a folder with full files, or a compact file.
        from: PathBuf,
        /// A folder for full files (858 MB), or a compact file, whose name has an extension.
        to: PathBuf,
    },
    /// Write the mean of evaluations that were learned from the same start, entry by entry.
    ///
    /// Example: jitsugen eval-file mean one.jge other.jge --output mean.jge
    Mean {
        /// built-in, yss, or a compact file.
        #[arg(required = true)]
        of: Vec<PathBuf>,
        /// The compact file to write.
        #[arg(long)]
        output: PathBuf,
    },
}

impl EvalFile {
    pub fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let bar = progress_bar(0, "bytes");
        let mut advance = |done, total| {
            bar.set_length(total);
            bar.set_position(done);
        };
        let result = match self.action {
            Action::Inspect { source } => tools::inspect(&Source::from_word(&source), &mut advance),
            Action::Convert { from, to } => {
                let source = Source::from_word(&from);
                if let Source::Full(_) | Source::Compact(_) = source {
                    keep_apart(&[("FROM", &from)], &[("TO", &to)])?;
                }
                if !tools::is_folder(&to) {
                    check_writable(&to, "TO")?;
                } else if let Some(path) = files::in_the_way(&to) {
                    return Err(format!(
                        "{}: is there, but no file of an evaluation: expected a new name",
                        path.display()
                    )
                    .into());
                }
                tools::convert(&source, &to, &mut advance).map(|()| format!("{} written", to.display()))
            }
            Action::Mean { of, output } => {
                let sources: Vec<_> = of.iter().map(|path| ("OF", &**path)).collect();
                keep_apart(&sources, &[("--output", &output)])?;
                check_writable(&output, "--output")?;
                let of: Vec<Source> = of.iter().map(|word| Source::from_word(word)).collect();
                tools::write_mean(&of, &output).map(|()| format!("{} written", output.display()))
            }
        };
        bar.finish_and_clear();
        Ok(writeln!(out, "{}", result.map_err(|error| error.to_string())?)?)
    }
}

/// Checks that a compact file may be written there.
fn check_writable(path: &Path, option: &str) -> Result<(), String> {
    replaceable(option, path, "evaluation", &compact::KIND.magic)
}
