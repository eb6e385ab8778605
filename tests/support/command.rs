//! The built program, run to its end.

use std::env;
use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Output};

/// Names a program that is tested in place of the built one. It has to be built without the feature `learn`.
const WITHOUT_LEARN: &str = "JITSUGEN_WITHOUT_LEARN";

/// What a run of the program came to.
#[derive(Debug)]
pub struct Run {
    pub success: bool,
    pub stdout: String,
    pub stderr: String,
}

/// The program that is tested.
fn program() -> OsString {
    env::var_os(WITHOUT_LEARN).unwrap_or_else(|| env!("CARGO_BIN_EXE_jitsugen").into())
}

/// Whether the program that is tested has the command `learn`.
pub fn has_learn() -> bool {
    cfg!(feature = "learn") && env::var_os(WITHOUT_LEARN).is_none()
}

/// The program with `arguments`, not started yet.
pub fn jitsugen<'a>(arguments: impl IntoIterator<Item = &'a str>) -> Command {
    let mut command = Command::new(program());
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
