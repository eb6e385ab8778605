//! Folders that tests write to.

use std::fs;
use std::path::{Path, PathBuf};

/// An empty folder for one test alone. Its name has a blank and Japanese letters, as users' paths do.
pub fn empty(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("試験 {name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the folder of tests can be written to");
    folder
}

/// How many files and folders are in `folder`.
pub fn count(folder: &Path) -> usize {
    fs::read_dir(folder).expect("the folder is there").count()
}
