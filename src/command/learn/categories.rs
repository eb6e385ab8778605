//! `jitsugen learn categories`.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use jitsugen::learn::categories::{Counts, TITLE};
use jitsugen::record::{self, Format};
use jitsugen::whole_file::write_whole;

use crate::command::paths::{keep_apart, replaceable};
use crate::command::{Failure, progress};

/// Count how often moves of each category are played where they could be, and write the table of their costs.
///
/// Reads what the record command reads. A USI line with something wrong is named and left out, and so is a file of
/// another format.
///
/// Example: jitsugen learn categories games.usi --output eval_files/categories.txt
#[derive(Args)]
pub struct Categories {
    /// Files of games.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Where to write the table; standard output if left out.
    #[arg(long, value_name = "TABLE")]
    output: Option<PathBuf>,
}

impl Categories {
    pub fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let games: Vec<_> = self.files.iter().map(|path| ("the games", &**path)).collect();
        let table: Vec<_> = self.output.iter().map(|path| ("--output", &**path)).collect();
        keep_apart(&games, &table)?;
        for (option, path) in table {
            replaceable(option, path, "table of categories", TITLE.as_bytes())?;
        }
        let mut counts = Counts::new();
        let mut left_out = 0;
        let mut names = Vec::new();
        for file in &self.files {
            let name = file.file_name().unwrap_or(file.as_os_str()).to_string_lossy().into_owned();
            left_out += count(file, &name, &mut counts)?;
            names.push(name);
        }
        if counts.positions() == 0 {
            return Err("no position to count: expected games with moves".to_string().into());
        }
        // The names alone: where the files lay is nobody's business.
        let table = counts.table(&format!("jitsugen learn categories {}", names.join(" ")));
        match &self.output {
            Some(path) => write_whole(path, |file| file.write_all(table.as_bytes()))?,
            None => write!(out, "{table}")?,
        }
        eprintln!("Left out: {left_out}");
        eprintln!("Games: {}", counts.games());
        eprintln!("Positions: {}", counts.positions());
        Ok(())
    }
}

/// Counts the games of a file and returns how many were left out.
fn count(file: &Path, name: &str, counts: &mut Counts) -> Result<usize, Failure> {
    let bytes = std::fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let games = record::read_each(&bytes, Format::of_path(file));
    let bar = progress::bar(games.len() as u64, name);
    let mut left_out = 0;
    for game in games {
        match game {
            Ok(game) => counts.add(&game),
            Err(error) => {
                left_out += 1;
                bar.suspend(|| eprintln!("{}: {error}: left out", file.display()));
            }
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(left_out)
}
