//! The built program, run to its end.

use std::path::Path;
use std::process::{Command, Output};

/// What a run of the program came to.
#[derive(Debug)]
pub struct Run {
    pub success: bool,
    pub stdout: String,
    pub stderr: String,
}

/// The built program with `arguments`, not started yet.
pub fn jitsugen<'a>(arguments: impl IntoIterator<Item = &'a str>) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_jitsugen"));
    command.args(arguments);
    command
}

/// Runs the program with `arguments` in `folder`.
pub fn run_in(folder: &Path, arguments: &[&str]) -> Run {
    run(jitsugen(arguments.iter().copied()).current_dir(folder))
}

/// Runs `command` to its end.
pub fn run(command: &mut Command) -> Run {
    let Output { status, stdout, stderr } = command.output().expect("the program starts");
    let text = |bytes| String::from_utf8(bytes).expect("the program writes UTF-8");
    Run { success: status.success(), stdout: text(stdout), stderr: text(stderr) }
}

/// Asserts that each list of arguments, behind `command`, is refused with a message that has the words beside it.
pub fn assert_refused(folder: &Path, command: &[&str], cases: &[(&[&str], &str)]) {
    for (arguments, expected) in cases {
        let run = run_in(folder, &[command, arguments].concat());
        assert!(!run.success && run.stderr.contains(expected), "{arguments:?}: {}", run.stderr);
        assert!(!run.stderr.contains("panicked"), "{arguments:?}: {}", run.stderr);
    }
}
