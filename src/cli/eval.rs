//! `jitsugen eval`.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use jitsugen::eval::report::Report;
use jitsugen::eval::tools::Source;
use jitsugen::usi::protocol;

use super::failure::Failure;

/// Show what a position is worth, in parts and by piece.
///
/// Example: jitsugen eval startpos moves 7g7f
#[derive(Args)]
pub struct Eval {
    /// The position as after the word `position` in USI; the start position if left out.
    position: Vec<String>,
    /// The evaluation: built-in, yss, a folder with full files, or a compact file.
    #[arg(long, default_value = "built-in")]
    from: PathBuf,
}

impl Eval {
    pub fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let text = if self.position.is_empty() { "startpos".to_string() } else { self.position.join(" ") };
        let position = protocol::parse_position(&text)?;
        let weights =
            Source::from_word(&self.from).load(&mut |_, _| ()).map_err(|error| error.to_string())?;
        Ok(writeln!(out, "{}", Report::new(&weights, &position))?)
    }
}
