//! Arguments that several subcommands of `learn` share: openings, games and positions to learn from, and the ranges of
//! numbers.

use std::path::{Path, PathBuf};

use clap::Args;
use jitsugen::learn::position_file;
use jitsugen::learn::selfplay::openings::Openings;
use jitsugen::learn::selfplay::run_file;
use jitsugen::learn::sources::{Sources, Split, Taken};
use jitsugen::record::Record;
use jitsugen::util::input_file;

use crate::cli::failure::Failure;
use crate::cli::files;
use crate::cli::output::remark;

/// Where games begin.
#[derive(Args)]
pub struct OpeningsFile {
    /// Openings, one a line, as SFEN or as USI has positions; the start position alone if left out.
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
}

impl OpeningsFile {
    /// The file, if there is one.
    pub fn path(&self) -> Option<&Path> {
        self.openings.as_deref()
    }

    /// Reads the file. Openings that cannot be played are reported and left out.
    pub fn read(&self) -> Result<Openings, Failure> {
        self.openings.as_deref().map_or_else(|| Ok(Openings::start()), |path| Ok(read_openings(path)?))
    }
}

/// Reads a file of positions or openings. Those that cannot be played are reported and left out.
///
/// # Errors
/// When the file cannot be read, or has none that can be played.
pub fn read_openings(path: &Path) -> Result<Openings, String> {
    let text = input_file::read_text(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let (openings, bad) = Openings::parse(&text);
    for bad in bad {
        remark(format_args!("{}: {bad}: left out", path.display()));
    }
    if openings.is_empty() {
        return Err(format!("{}: no opening that can be played: expected one a line", path.display()));
    }
    Ok(openings)
}

/// Reads games and positions to learn from, split as `split` says; `taken` gets what was taken of each file. Games and
/// positions with something wrong are reported and left out.
///
/// # Errors
/// Which file cannot be read, or has nothing that is right.
pub fn read_sources(
    games: &[PathBuf],
    positions: &[PathBuf],
    split: Split,
    mut taken: impl FnMut(&Path, Taken),
) -> Result<Sources, String> {
    let mut sources = Sources::default();
    let mut report = |message: String| remark(format_args!("{message}"));
    for path in games {
        taken(path, sources.add_games(path, split, &mut report)?);
    }
    for path in positions {
        taken(path, sources.add_positions(path, split, &mut report)?);
    }
    Ok(sources)
}

/// Shows `each` the games of a record file or of a self-play run, with a bar called `name`, and returns how many were
/// left out. These are reported.
///
/// # Errors
/// When the file cannot be read.
pub fn read_games(file: &Path, name: &str, mut each: impl FnMut(&Record)) -> Result<usize, String> {
    if !position_file::is_run(file)? {
        return files::read_games(file, name, each);
    }
    let mut left_out = 0;
    let read = run_file::read(file, |game| match game.record() {
        Ok(record) => record.iter().for_each(&mut each),
        Err(error) => {
            left_out += 1;
            remark(format_args!("{}: game {}: {error}: left out", file.display(), game.number));
        }
    });
    read.map_err(|error| error.to_string())?;
    Ok(left_out)
}

/// The largest number that an option may have: larger ones overflow.
const MOST: f64 = 1e6;

/// Checks that an option is more than 0.
///
/// # Errors
/// When it is not.
pub fn check_positive(option: &str, value: f64) -> Result<(), String> {
    let good = value > 0.0 && value <= MOST;
    good.then_some(()).ok_or_else(|| format!("{option} {value}: expected more than 0, at most {MOST}"))
}

/// Checks that an option is 0 or more.
///
/// # Errors
/// When it is not.
pub fn check_not_negative(option: &str, value: f64) -> Result<(), String> {
    let good = (0.0..=MOST).contains(&value);
    good.then_some(()).ok_or_else(|| format!("{option} {value}: expected 0 to {MOST}"))
}

/// Checks that an option is from 0 to 1.
///
/// # Errors
/// When it is not.
pub fn check_share(option: &str, value: f64) -> Result<(), String> {
    let good = (0.0..=1.0).contains(&value);
    good.then_some(()).ok_or_else(|| format!("{option} {value}: expected 0 to 1"))
}
