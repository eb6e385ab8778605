//! `jitsugen csa results`.

use std::collections::HashMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use drawing::Drawing;
use jitsugen::csa::results::Results as Table;
use jitsugen::csa::results::folder::{Games, csa_files};
use jitsugen::csa::results::game::Game;

use crate::cli::failure::Failure;
use crate::cli::output::{progress_bar, remark};

/// Show what the games in a folder came to: a table by opponent, a rating, the time used, and the values drawn.
///
/// Reads the CSA records in the folder and below it: those that the client saves, and those of floodgate and shogi-server. A
/// file that is broken or half written is named and left out. Elo differences have the interval that contains the true one
/// with 95%. Where records or --rating say how strong opponents are, there is a rating as well.
///
/// Example: jitsugen csa results records --plot values.svg
#[derive(Args)]
pub struct Results {
    /// The folder with the records.
    folder: PathBuf,
    /// The player whose results these are; if left out, the player of the most games.
    #[arg(long)]
    name: Option<String>,
    /// An opponent's rating, in place of the one that records have; may be repeated.
    #[arg(long = "rating", value_name = "OPPONENT=RATING", value_parser = rating)]
    ratings: Vec<(String, f64)>,
    /// Draw the values that the player sent with the moves into this file (SVG).
    #[arg(long, value_name = "SVG")]
    plot: Option<PathBuf>,
}

impl Results {
    pub fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let drawing = self.plot.map(Drawing::new).transpose()?;
        let games = read(&self.folder)?;
        let named = |error: String| format!("{}: {error}", self.folder.display());
        let name = match &self.name {
            Some(name) => games.check_name(name).map(|()| name.as_str()),
            None => games.own_name(),
        };
        let name = name.map_err(named)?;
        if let Some(drawing) = drawing {
            drawing.write(games.list(), name)?;
        }
        let ratings: HashMap<String, f64> = self.ratings.into_iter().collect();
        Ok(writeln!(out, "{}", Table::new(games.list(), name, &ratings))?)
    }
}

/// Reads the games. Files that are skipped are named.
fn read(folder: &Path) -> Result<Games, String> {
    let files = csa_files(folder)?;
    let bar = progress_bar(files.len() as u64, "records");
    let mut games = Games::default();
    for file in &files {
        if let Err(error) = games.add(file) {
            bar.suspend(|| remark(format_args!("{error}: skipped")));
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(games)
}

fn rating(text: &str) -> Result<(String, f64), String> {
    let parts = text.rsplit_once('=').and_then(|(name, rating)| Some((name, rating.trim().parse().ok()?)));
    match parts {
        Some((name, rating)) if !name.is_empty() && f64::is_finite(rating) => Ok((name.to_string(), rating)),
        _ => Err("expected an opponent and a rating, like gikou=2900".to_string()),
    }
}

#[cfg(feature = "learn")]
mod drawing {
    use std::io::Write;
    use std::path::PathBuf;

    use jitsugen::csa::results::plot::draw as values;
    use jitsugen::learn::plot;
    use jitsugen::util::atomic_file::write_atomically;

    use super::{Failure, Game};
    use crate::cli::files::replaceable;
    use crate::cli::output::remark;

    /// A drawing that can be written.
    pub struct Drawing(PathBuf);

    impl Drawing {
        pub fn new(file: PathBuf) -> Result<Drawing, String> {
            replaceable("--plot", &file, "drawing (SVG)", plot::MAGIC).map(|()| Drawing(file))
        }

        /// Draws the values, if there are any.
        pub fn write(&self, games: &[Game], name: &str) -> Result<(), Failure> {
            match values(games, name).map_err(|error| error.to_string())? {
                Some(text) => Ok(write_atomically(&self.0, |file| file.write_all(text.as_bytes()))?),
                None => {
                    remark(format_args!(
                        "no values of {name} in the records: {} is not written",
                        self.0.display()
                    ));
                    Ok(())
                }
            }
        }
    }
}

#[cfg(not(feature = "learn"))]
mod drawing {
    use std::path::PathBuf;

    use super::{Failure, Game};

    /// This build has no drawings, so there is none.
    pub enum Drawing {}

    impl Drawing {
        pub fn new(_: PathBuf) -> Result<Drawing, String> {
            Err("--plot: this build is without drawings: expected one with the feature learn, as cargo build \
                 --release makes it"
                .to_string())
        }

        pub fn write(&self, _: &[Game], _: &str) -> Result<(), Failure> {
            match *self {}
        }
    }
}
