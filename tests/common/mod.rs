//! What several test binaries share.

use std::path::PathBuf;

/// The larger sets beside the repository (or where JITSUGEN_DATA says), if they are there.
pub fn data_dir(test: &str) -> Option<PathBuf> {
    let beside = || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/data"));
    let dir = std::env::var_os("JITSUGEN_DATA").map_or_else(beside, PathBuf::from);
    if dir.is_dir() {
        return Some(dir);
    }
    println!("data test skipped: {test}");
    None
}
