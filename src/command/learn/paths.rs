//! Files that a command reads and those that it writes.

use std::path::{Path, PathBuf};

/// Refuses to write into a file that is read, or two things into one file. Each file has the option that names it.
///
/// # Errors
/// Which two are the same file.
pub fn keep_apart(inputs: &[(&str, &Path)], outputs: &[(&str, &Path)]) -> Result<(), String> {
    let mut known: Vec<(&str, PathBuf)> =
        inputs.iter().filter_map(|&(option, path)| Some((option, identity(path)?))).collect();
    for &(option, path) in outputs {
        let Some(identity) = identity(path) else { continue };
        if let Some((other, _)) = known.iter().find(|(_, other)| *other == identity) {
            let path = path.display();
            return Err(format!("{option} {path}: is the file of {other} as well: expected another name"));
        }
        known.push((option, identity));
    }
    Ok(())
}

/// The one path of a file that is there, or would be; `None` where its folder is not.
fn identity(path: &Path) -> Option<PathBuf> {
    path.canonicalize().ok().or_else(|| {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        Some(folder.unwrap_or(Path::new(".")).canonicalize().ok()?.join(path.file_name()?))
    })
}
