//! The command line: without arguments the engine speaks USI.

mod cli;

use std::io;
use std::process::ExitCode;

use clap::Parser;
use cli::Command;
use cli::failure::Failure;
use cli::output::remark;
use cli::plain_words;
use jitsugen::usi::session;
use jitsugen::util::cpu;

/// A shogi engine. Without a command it speaks USI on standard input and output.
///
/// Example: (echo position startpos; echo go movetime 1000; sleep 3) | jitsugen
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

fn main() -> ExitCode {
    // Before anything else: on an old processor the rest of the program may be one it cannot run.
    if !cpu::is_supported() {
        return ExitCode::FAILURE;
    }
    run()
}

#[inline(never)]
fn run() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => plain_words::exit(&error),
    };
    let result = match arguments.command {
        None => session::run(io::stdin().lock(), io::stdout()).map_err(Failure::from),
        Some(command) => command.run(&mut io::stdout().lock()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        // The reader of our output has closed it.
        Err(Failure::Stream(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(failure) => {
            remark(format_args!("jitsugen: {failure}"));
            failure.status()
        }
    }
}
