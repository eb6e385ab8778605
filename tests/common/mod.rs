//! What several tests share.

use std::path::{Path, PathBuf};

/// Where the shared test data lies: the folder named by `JITSUGEN_DATA`, or `../shared/data` beside the repository.
///
/// `None`, said on the screen, where there is none: `test` is then skipped.
pub fn data_dir(test: &str) -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data");
    let folder = std::env::var_os("JITSUGEN_DATA").map_or(beside, PathBuf::from);
    if folder.is_dir() {
        return Some(folder);
    }
    println!("data test skipped: {test}");
    None
}
