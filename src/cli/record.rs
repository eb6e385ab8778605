//! `jitsugen record`.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use jitsugen::record::{self, Encoding, Format};
use jitsugen::shogi::color::Color;
use jitsugen::shogi::sfen;
use jitsugen::util::input_file;

use super::failure::Failure;
use super::output::remark;

/// Show what a game record holds, or write it in another form.
///
/// Reads CSA 2.2 and 3, KIF, KI2 and USI lines, in UTF-8 or Shift_JIS, and checks every move. What a form cannot say is
/// left out: csa, csa3 and usi have no variations (a remark says so), ki2 and usi no thinking times, csa and kif no fractions
/// of a second, csa and csa3 not the number of the first move, usi no headers, names or comments, and of the ending only
/// the winner.
///
/// Example: jitsugen record game.kif --to csa > game.csa
#[derive(Args)]
pub struct Record {
    /// The file.
    file: PathBuf,
    /// Write it to standard output as csa, csa3, kif, ki2 or usi.
    #[arg(long, value_name = "FORMAT")]
    to: Option<Format>,
    /// The characters to write in: utf-8 or shift_jis.
    #[arg(long, default_value = "utf-8", requires = "to")]
    encoding: Encoding,
}

impl Record {
    pub fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let named = |error: &dyn std::fmt::Display| format!("{}: {error}", self.file.display());
        let bytes = input_file::read(&self.file).map_err(|error| named(&error))?;
        let games = record::read(&bytes, Format::of_path(&self.file)).map_err(|error| named(&error))?;
        let Some(format) = self.to else {
            return Ok(games.iter().try_for_each(|game| describe(game, out))?);
        };
        let written = record::write(&games, format, self.encoding).map_err(|error| named(&error))?;
        let variations: usize = games.iter().map(|game| game.variations().len()).sum();
        if variations > 0 && !format.has_variations() {
            let (file, form) = (self.file.display(), format.name());
            remark(format_args!("{file}: variations left out, as {form} has none: {variations}"));
        }
        Ok(out.write_all(&written)?)
    }
}

fn describe(game: &record::Record, out: &mut dyn Write) -> io::Result<()> {
    for color in Color::ALL {
        writeln!(out, "{color:?}: {}", game.players()[color].as_deref().unwrap_or("-"))?;
    }
    for header in game.headers() {
        writeln!(out, "{}: {}", header.name, header.value)?;
    }
    writeln!(out, "Start: {}", sfen::write(&game.start_position()))?;
    let moves = game.moves().len();
    writeln!(out, "Moves: {moves}{}", if moves == 0 { " (the game is empty)" } else { "" })?;
    writeln!(out, "Variations: {}", game.variations().len())?;
    match game.ending() {
        Some(ending) => writeln!(out, "Ending: {ending:?}")?,
        None => writeln!(out, "Ending: not recorded")?,
    }
    match game.winner() {
        Some(winner) => writeln!(out, "Winner: {winner:?}")?,
        None => writeln!(out, "Winner: -")?,
    }
    writeln!(out, "Final position: {}", sfen::write(&game.final_position()))
}
