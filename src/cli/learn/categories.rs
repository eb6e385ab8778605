//! `jitsugen learn categories`.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use jitsugen::learn::categories::{Counts, TITLE};
use jitsugen::util::atomic_file::write_atomically;

use super::arguments::read_games;
use crate::cli::failure::Failure;
use crate::cli::files::{keep_apart, named_once, replaceable};
use crate::cli::output::remark;

/// Count how often moves of each category are played where they could be, and write the table of their costs.
///
/// Reads what the record command reads, and self-play runs. A USI line with something wrong is named and left out, and so
/// is a file of another format.
///
/// Example: jitsugen learn categories games.usi --output eval_files/categories.txt
#[derive(Args)]
pub struct Categories {
    /// Files of games, or self-play runs.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Where to write the table; standard output if left out.
    #[arg(long, value_name = "TABLE")]
    output: Option<PathBuf>,
}

impl Categories {
    pub fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let inputs: Vec<_> = self.files.iter().map(|path| ("the games", &**path)).collect();
        let table: Vec<_> = self.output.iter().map(|path| ("--output", &**path)).collect();
        named_once(&inputs)?;
        keep_apart(&inputs, &table)?;
        for (option, path) in table {
            replaceable(option, path, "table of categories", TITLE.as_bytes())?;
        }
        let mut counts = Counts::new();
        let mut left_out = 0;
        let mut names = Vec::new();
        for file in &self.files {
            let name = file.file_name().unwrap_or(file.as_os_str()).to_string_lossy().into_owned();
            left_out += read_games(file, &name, |game| counts.add(game))?;
            names.push(name);
        }
        if counts.positions() == 0 {
            return Err("no position to count: expected games with moves".to_string().into());
        }
        // The names alone: the folders are private.
        let table = counts.table(&format!("jitsugen learn categories {}", names.join(" ")));
        match &self.output {
            Some(path) => write_atomically(path, |file| file.write_all(table.as_bytes()))?,
            None => write!(out, "{table}")?,
        }
        remark(format_args!("Left out: {left_out}"));
        remark(format_args!("Games: {}", counts.games()));
        remark(format_args!("Positions: {}", counts.positions()));
        Ok(())
    }
}
