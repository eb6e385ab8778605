//! `jitsugen perft`.

use std::io::Write;
use std::time::Instant;

use clap::Args;
use jitsugen::shogi::{generate, perft};
use jitsugen::usi::protocol;

use super::failure::Failure;
use super::output::write_figures;

/// Count the leaves of the tree of all legal moves.
///
/// Example: jitsugen perft 5
#[derive(Args)]
pub struct Perft {
    /// How many moves deep.
    depth: u32,
    /// Where to start, as after the word `position` in USI; the start position if left out.
    position: Vec<String>,
    /// Print the count below each move first.
    #[arg(long)]
    divide: bool,
}

impl Perft {
    pub fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let text = if self.position.is_empty() { "startpos".to_string() } else { self.position.join(" ") };
        let mut position = protocol::parse_position(&text)?;
        let begin = Instant::now();
        if !self.divide || self.depth == 0 {
            let nodes = perft::perft(&mut position, self.depth);
            return Ok(write_figures(out, nodes, begin.elapsed())?);
        }
        let mut total = 0;
        for mv in generate::all_legal(&position) {
            position.play(mv, &mut ());
            let nodes = perft::perft(&mut position, self.depth - 1);
            position.undo(mv, &mut ());
            writeln!(out, "{mv}: {nodes}")?;
            total += nodes;
        }
        Ok(write_figures(out, total, begin.elapsed())?)
    }
}
