//! The subcommands, one file each, and what they have in common.

mod analyse;
mod bench;
mod book;
mod book_file;
mod csa;
mod eval;
mod eval_file;
mod explain;
pub mod failure;
mod files;
mod growing_book;
#[cfg_attr(not(feature = "learn"), path = "without_learn.rs")]
mod learn;
mod mate;
mod numbers;
pub mod output;
mod perft;
pub mod plain_words;
mod record;
mod search_arguments;

use std::io::Write;

use clap::Subcommand;
use failure::Failure;

/// What the program can do beside speaking USI.
#[derive(Subcommand)]
pub enum Command {
    Analyse(Box<analyse::Analyse>),
    Perft(perft::Perft),
    Bench(bench::Bench),
    Book(book::Book),
    Csa(Box<csa::Csa>),
    Record(record::Record),
    Eval(eval::Eval),
    EvalFile(eval_file::EvalFile),
    Explain(explain::Explain),
    Learn(learn::Learn),
    Mate(mate::Mate),
}

impl Command {
    pub fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        match self {
            Command::Analyse(analyse) => analyse.run(out),
            Command::Perft(perft) => perft.run(out),
            Command::Bench(bench) => bench.run(out),
            Command::Book(book) => book.run(out),
            Command::Csa(csa) => csa.run(out),
            Command::Record(record) => record.run(out),
            Command::Eval(eval) => eval.run(out),
            Command::EvalFile(eval_file) => eval_file.run(out),
            Command::Explain(explain) => explain.run(out),
            Command::Learn(learn) => learn.run(out),
            Command::Mate(mate) => mate.run(out),
        }
    }
}
