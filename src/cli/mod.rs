//! The subcommands, one file each, and what they have in common.

mod bench;
mod book;
mod csa;
mod eval;
mod eval_file;
pub mod failure;
mod files;
#[cfg_attr(not(feature = "learn"), path = "without_learn.rs")]
mod learn;
mod mate;
pub mod output;
mod perft;
mod record;

use std::io::Write;

use clap::Subcommand;
use failure::Failure;

/// What the program can do beside speaking USI.
#[derive(Subcommand)]
pub enum Command {
    Perft(perft::Perft),
    Bench(bench::Bench),
    Book(book::Book),
    Csa(Box<csa::Csa>),
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
            Command::Csa(csa) => csa.run(out),
            Command::Record(record) => record.run(out),
            Command::Eval(eval) => eval.run(out),
            Command::EvalFile(eval_file) => eval_file.run(out),
            Command::Learn(learn) => learn.run(out),
            Command::Mate(mate) => mate.run(out),
        }
    }
}
