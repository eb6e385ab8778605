//! Files that are written whole or not at all.

use std::path::Path;

/// Writes a file so that it is there as a whole or as it was before: under another name first, then renamed.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), String> {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(".new");
    let unfinished = path.with_file_name(name);
    std::fs::write(&unfinished, bytes)
        .and_then(|()| std::fs::rename(&unfinished, path))
        .map_err(|error| format!("{}: {error}", path.display()))
}
