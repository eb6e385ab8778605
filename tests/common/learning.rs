//! What the tests of `jitsugen learn` share.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// An empty folder of one test's own.
pub fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// GameStarts `jitsugen learn` in `folder`.
pub fn learn(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_jitsugen"))
        .arg("learn")
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("the binary starts")
}
