//! Why a command fails.

use std::fmt;
use std::io;

use jitsugen::util::atomic_file::SaveError;

/// Why a command fails.
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
