//! `jitsugen learn` in a build without it.

use std::io::Write;

use clap::Args;

use super::failure::Failure;

/// Not in this build, which only plays: learning, measuring and drawing take the feature `learn`.
#[derive(Args)]
pub struct Learn {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    _arguments: Vec<String>,
}

impl Learn {
    pub fn run(self, _: &mut dyn Write) -> Result<(), Failure> {
        Err("this build is without learn and its drawings: expected one with the feature learn, as cargo build \
             --release makes it"
            .to_string()
            .into())
    }
}
