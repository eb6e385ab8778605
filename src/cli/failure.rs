//! Why a command fails.

use std::fmt;
use std::io;
use std::process::ExitCode;

use jitsugen::util::atomic_file::SaveError;

/// Why a command fails.
#[derive(Debug)]
pub enum Failure {
    /// What the user should know.
    Message(String),
    /// The same, of input that is bad: for commands whose exit status says so.
    Input(String),
    /// A problem was searched and not solved. The output has said so.
    Unsolved,
    /// Standard input or output failed.
    Stream(io::Error),
}

impl Failure {
    /// The exit status of the program.
    pub fn status(&self) -> ExitCode {
        // That of a command line that cannot be read is 2 as well.
        ExitCode::from(if let Failure::Input(_) = self { 2 } else { 1 })
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Message(message) | Failure::Input(message) => f.write_str(message),
            Failure::Unsolved => f.write_str("not every problem was solved"),
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
