//! `jitsugen bench`.

use std::io::Write;

use clap::Args;
use jitsugen::engine::bench;

use super::failure::Failure;
use super::output::{progress_bar, write_figures};

/// Search fixed positions with one thread; the node count is a fingerprint of the engine's behaviour.
///
/// Example: jitsugen bench --depth 2
#[derive(Args)]
pub struct Bench {
    /// Iterations for each position.
    #[arg(long, default_value_t = bench::DEPTH)]
    depth: u32,
}

impl Bench {
    pub fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let bar = progress_bar(0, "positions");
        let total = bench::run(
            self.depth,
            || false,
            |number, of, text, nodes| {
                bar.set_length(of as u64);
                bar.set_position(number as u64);
                bar.println(format!("{nodes} nodes: {text}"));
            },
        );
        bar.finish_and_clear();
        // Only the end of the process stops it here.
        let Some(total) = total? else { return Ok(()) };
        write_figures(out, total.nodes, total.time)?;
        Ok(writeln!(out, "{total}")?)
    }
}
