//! Files that a command reads and those that it writes.

use std::io::Read;
use std::path::{Path, PathBuf};

use jitsugen::record::{self, Format, Record};
use jitsugen::util::atomic_file::check_writable;
use jitsugen::util::input_file;

use super::output::{progress_bar, remark};

/// Calls `each` with the games of a file, with a progress bar called `name`, and returns how many were left out. A remark
/// says what is wrong with these.
///
/// # Errors
/// When the file cannot be read.
pub fn read_games(file: &Path, name: &str, mut each: impl FnMut(&Record)) -> Result<usize, String> {
    let bytes = input_file::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let games = record::read_each(&bytes, Format::of_path(file));
    let bar = progress_bar(games.len() as u64, name);
    let mut left_out = 0;
    for game in games {
        match game {
            Ok(game) => each(&game),
            Err(error) => {
                left_out += 1;
                bar.suspend(|| remark(format_args!("{}: {error}: left out", file.display())));
            }
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(left_out)
}

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

/// Checks before the work that a file can be written. A file that is there already has to be empty, or `what` will be
/// written, which begins with `magic`.
///
/// # Errors
/// It cannot be written, or is something else.
pub fn replaceable(option: &str, path: &Path, what: &str, magic: &[u8]) -> Result<(), String> {
    check_writable(path).map_err(|error| error.to_string())?;
    let is_ours = !path.exists()
        || begins_with(path, magic).map_err(|error| format!("{}: {error}", path.display()))?
        || path.metadata().is_ok_and(|metadata| metadata.len() == 0);
    if is_ours {
        return Ok(());
    }
    Err(format!("{option} {}: is there, but no {what}: expected a new name", path.display()))
}

/// Whether a file begins with `magic`.
///
/// # Errors
/// When it cannot be read.
pub fn begins_with(path: &Path, magic: &[u8]) -> std::io::Result<bool> {
    let mut begin = Vec::new();
    input_file::open(path)?.take(magic.len() as u64).read_to_end(&mut begin)?;
    Ok(begin == magic)
}

/// Refuses to take one file twice.
///
/// # Errors
/// Which one.
pub fn named_once(inputs: &[(&str, &Path)]) -> Result<(), String> {
    let there: Vec<_> = inputs.iter().filter(|(_, path)| path.exists()).copied().collect();
    keep_apart(&[], &there)
}

/// The one path of a file that is there, or would be; `None` where its folder is not.
fn identity(path: &Path) -> Option<PathBuf> {
    path.canonicalize().ok().or_else(|| {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        Some(folder.unwrap_or(Path::new(".")).canonicalize().ok()?.join(path.file_name()?))
    })
}
