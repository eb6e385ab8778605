//! Openings of games that the engine plays with itself.

use std::path::{Path, PathBuf};

use clap::Args;
use jitsugen::learn::selfplay::openings::Openings;

use crate::cli::failure::Failure;
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

    /// Reads the file. What cannot be played is named and left out.
    pub fn read(&self) -> Result<Openings, Failure> {
        let Some(path) = &self.openings else { return Ok(Openings::start()) };
        let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let (openings, bad) = Openings::parse(&text);
        for bad in bad {
            remark(format_args!("{}: {bad}: left out", path.display()));
        }
        if openings.is_empty() {
            let path = path.display();
            return Err(format!("{path}: no opening that can be played: expected one a line").into());
        }
        Ok(openings)
    }
}
