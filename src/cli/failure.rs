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
    /// The system does not give what the work needs: for commands whose exit status says so.
    Resources(String),
    /// A problem was searched and not solved. The output has said so.
    Unsolved,
    /// Standard input or output failed.
    Stream(io::Error),
}

impl Failure {
    /// The exit status of the program.
    pub fn status(&self) -> ExitCode {
        // That of a command line that cannot be read is 2 as well.
        ExitCode::from(match self {
            Failure::Input(_) => 2,
            Failure::Resources(_) => 3,
            Failure::Message(_) | Failure::Unsolved | Failure::Stream(_) => 1,
        })
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Message(message) | Failure::Input(message) | Failure::Resources(message) => {
                f.write_str(message)
            }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lack_of_memory_has_a_status_of_its_own() {
        let failures = [Failure::Unsolved, Failure::Input(String::new()), Failure::Resources(String::new())];
        // Exit codes cannot be compared, only shown.
        let shown = failures.map(|failure| format!("{:?}", failure.status()));
        assert_eq!(shown, [1, 2, 3].map(|status| format!("{:?}", ExitCode::from(status))));
    }
}
