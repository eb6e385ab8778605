//! `jitsugen csa`.

mod results;

use std::io::Write;

use clap::{Args, Subcommand};

use super::failure::Failure;

/// Play over the network.
#[derive(Args)]
pub struct Csa {
    #[command(subcommand)]
    subject: Subject,
}

#[derive(Subcommand)]
enum Subject {
    Results(results::Results),
}

impl Csa {
    pub fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        match self.subject {
            Subject::Results(results) => results.run(out),
        }
    }
}
