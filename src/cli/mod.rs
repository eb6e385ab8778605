//! The subcommands, one file each.

mod bench;
mod book;
mod eval;
mod eval_file;
mod games;
#[cfg_attr(not(feature = "learn"), path = "without_learn.rs")]
mod learn;
mod mate;
mod paths;
mod perft;
mod progress;
mod record;
pub mod remark;

use std::fmt;
use std::io::{self, Write};
use std::time::Duration;

use clap::Subcommand;
use jitsugen::util::atomic_file::SaveError;

/// What the program can do beside speaking USI.
#[derive(Subcommand)]
pub enum Command {
    Perft(perft::Perft),
    Bench(bench::Bench),
    Book(book::Book),
    Record(record::Record),
    Eval(eval::Eval),
    EvalFile(eval_file::EvalFile),
    Learn(learn::Learn),
    Mate(mate::Mate),
}

impl Command {
    pub fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        match self {
            Command::Perft(perft) => perft.run(out),
            Command::Bench(bench) => bench.run(out),
            Command::Book(book) => book.run(out),
            Command::Record(record) => record.run(out),
            Command::Eval(eval) => eval.run(out),
            Command::EvalFile(eval_file) => eval_file.run(out),
            Command::Learn(learn) => learn.run(out),
            Command::Mate(mate) => mate.run(out),
        }
    }
}

/// Why a command came to no good end.
#[derive(Debug)]
pub enum Failure {
    /// What the user should know.
    Message(String),
    /// Standard input or output failed.
    Stream(io::Error),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Message(message) => f.write_str(message),
            Failure::Stream(error) => error.fmt(f),
        }
    }
}

impl From<String> for Failure {
    fn from(message: String) -> Failure {
        Failure::Message(message)
    }
}

impl From<SaveError> for Failure {
    fn from(error: SaveError) -> Failure {
        Failure::Message(error.to_string())
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::Stream(error)
    }
}

/// The figures that scripts read come last, one a line.
fn write_figures(out: &mut dyn Write, nodes: u64, time: Duration) -> io::Result<()> {
    writeln!(out, "Nodes/second: {}", (nodes as f64 / time.as_secs_f64().max(1e-9)) as u64)?;
    writeln!(out, "Nodes searched: {nodes}")
}
