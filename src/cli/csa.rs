//! `jitsugen csa`.

mod results;

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::failure::Failure;

/// Play over the network, on a server that speaks the CSA protocol, such as floodgate.
///
/// Example: jitsugen csa floodgate.toml
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Csa {
    #[command(subcommand)]
    command: Option<Command>,
    /// The settings, a TOML file; --example shows one.
    #[arg(value_name = "CONFIG.toml")]
    file: Option<PathBuf>,
    /// Print an example of the settings, with comments, and do nothing else.
    #[arg(long)]
    example: bool,
}

/// What there is beside playing.
#[derive(Subcommand)]
enum Command {
    Results(results::Results),
}

impl Csa {
    pub fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        match self.command {
            Some(Command::Results(results)) => results.run(out),
            None => Ok(()),
        }
    }
}
