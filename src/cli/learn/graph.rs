//! `jitsugen learn graph`.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use jitsugen::learn::experiments::game_graph;
use jitsugen::learn::plot;
use jitsugen::record::{self, Format};
use jitsugen::util::atomic_file::write_atomically;

use crate::cli::failure::Failure;
use crate::cli::files::{keep_apart, replaceable};
use crate::cli::output::progress_bar;

/// Draw how a game went: the engine's own value of every position, from Black's side.
///
/// Reads what the record command reads, and draws the first game of the file.
///
/// Example: jitsugen learn graph docs/guide/first-game.kif --nodes 20000 --output values.svg
#[derive(Args)]
pub struct Graph {
    /// The game.
    file: PathBuf,
    /// Nodes of each search.
    #[arg(long, default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// The drawing (SVG) to write.
    #[arg(long, value_name = "SVG")]
    output: PathBuf,
}

impl Graph {
    pub fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        keep_apart(&[("FILE", &self.file)], &[("--output", &self.output)])?;
        replaceable("--output", &self.output, "drawing (SVG)", plot::MAGIC)?;
        let named = |error: &dyn std::fmt::Display| format!("{}: {error}", self.file.display());
        let bytes = std::fs::read(&self.file).map_err(|error| named(&error))?;
        let games = record::read(&bytes, Format::of_path(&self.file)).map_err(|error| named(&error))?;
        let game = games.first().ok_or_else(|| named(&"expected a game"))?;
        if game.moves().len() == 0 {
            return Err(named(&"the game is empty: expected one with moves").into());
        }
        let bar = progress_bar(game.moves().len() as u64, "positions");
        let values = game_graph::values(game, self.nodes, || bar.inc(1));
        bar.finish_and_clear();
        let text = game_graph::draw(game, &values).map_err(|error| error.to_string())?;
        write_atomically(&self.output, |file| file.write_all(text.as_bytes()))?;
        Ok(writeln!(out, "Positions: {}", values.len())?)
    }
}
