//! What several test files share.

use std::path::PathBuf;

/// The folder of the shared test data: `JITSUGEN_DATA`, or `shared/data` beside the repository. Where there is none,
/// says that `test` is skipped.
pub fn data_dir(test: &str) -> Option<PathBuf> {
    let beside = || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/data"));
    let dir = std::env::var_os("JITSUGEN_DATA").map_or_else(beside, PathBuf::from);
    if dir.is_dir() {
        return Some(dir);
    }
    println!("data test skipped: {test}");
    None
}
