//! Files that are written as a whole or not at all.

use std::ffi::OsStr;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Why a file could not be written.
#[derive(Debug)]
pub struct SaveError {
    /// The file.
    pub path: PathBuf,
    /// The system's error.
    pub source: io::Error,
}

impl fmt::Display for SaveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: cannot be written: {}", self.path.display(), self.source)
    }
}

impl std::error::Error for SaveError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.source)
    }
}

/// Writes a temporary file beside `path`, flushes it to the disk and renames it, so that `path` never names half a
/// file. If `path` is a link, the file it points to is replaced and the link stays.
///
/// # Errors
/// When the file cannot be written, or `path` exists and is no file (but a device, a pipe, a folder). An old file then
/// stays as it was, and no temporary file is left.
pub fn write_atomically(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> Result<(), SaveError> {
    PendingFile::write(path, write)?.commit()
}

/// A file that is complete on the disk under a temporary name. Dropping it without [`commit`](PendingFile::commit)
/// removes it.
#[derive(Debug)]
pub struct PendingFile {
    /// The path that the caller gave, for messages.
    requested: PathBuf,
    /// The file that is replaced, links resolved.
    target: PathBuf,
    temporary: PathBuf,
    /// Locked, so that others see that a process still needs it; `None` before there is one.
    file: Option<File>,
}

impl PendingFile {
    /// Writes the file that will replace `path`, which does not change yet.
    ///
    /// # Errors
    /// Those of [`write_atomically`].
    pub fn write(
        path: &Path,
        write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
    ) -> Result<PendingFile, SaveError> {
        let requested = path.to_path_buf();
        let (target, temporary) =
            target_and_temporary(path).map_err(|source| SaveError { path: requested.clone(), source })?;
        remove_left_over(&target);
        let mut pending = PendingFile { requested, target, temporary, file: None };
        let written = File::create(&pending.temporary).and_then(|file| {
            // Where a file system has no locks, nothing that is left over is removed either.
            let _ = file.try_lock();
            let mut file = BufWriter::new(file);
            write(&mut file)?;
            let file = file.into_inner()?;
            file.sync_all()?;
            Ok(file)
        });
        let written = written.map_err(|source| SaveError { path: pending.requested.clone(), source })?;
        pending.file = Some(written);
        Ok(pending)
    }

    /// Renames the file to its final name.
    ///
    /// # Errors
    /// When the system refuses; an old file then stays as it was.
    pub fn commit(self) -> Result<(), SaveError> {
        fs::rename(&self.temporary, &self.target)
            .map_err(|source| SaveError { path: self.requested.clone(), source })
    }
}

impl Drop for PendingFile {
    fn drop(&mut self) {
        // After a commit the temporary file is gone. If it cannot be removed otherwise, there is nothing left to do.
        let _ = fs::remove_file(&self.temporary);
    }
}

/// Checks, before hours of work, that [`write_atomically`] can write the file. No file is left.
///
/// # Errors
/// When it cannot.
pub fn check_writable(path: &Path) -> Result<(), SaveError> {
    let checked = target_and_temporary(path).and_then(|(_, temporary)| {
        File::create(&temporary)?;
        fs::remove_file(&temporary)
    });
    checked.map_err(|source| SaveError { path: path.to_path_buf(), source })
}

/// The longest chain of links that is followed; systems follow forty or fewer.
const LINKS: usize = 40;

/// The file at the end of a chain of links; `path` itself if it is no link.
fn end_of_links(path: &Path) -> PathBuf {
    let mut path = path.to_path_buf();
    for _ in 0..LINKS {
        let Ok(to) = path.read_link() else { break };
        path = path.with_file_name("").join(to);
    }
    path
}

/// How a temporary file ends.
const TEMPORARY: &str = ".part";

/// Temporary files that are younger are left alone: one that was made at this moment may not be locked yet.
const SURELY_LOCKED: Duration = Duration::from_secs(10);

/// Removes temporary files of `target` that processes have left which ended before they were done.
fn remove_left_over(target: &Path) {
    let (Some(folder), Some(name)) = (target.parent(), target.file_name().and_then(OsStr::to_str)) else {
        return;
    };
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let is_left_over = || {
            let middle = entry.file_name().into_string().ok()?;
            let middle = middle.strip_prefix(name)?.strip_prefix('.')?.strip_suffix(TEMPORARY)?.to_string();
            let age = entry.metadata().ok()?.modified().ok()?.elapsed().ok()?;
            middle.parse::<u32>().ok().filter(|_| age >= SURELY_LOCKED)?;
            File::open(entry.path()).ok()?.try_lock().ok()
        };
        if is_left_over().is_some() {
            // If it cannot be removed, it stays as it was.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// The file that `path` names, links resolved, and the temporary file beside it.
fn target_and_temporary(path: &Path) -> io::Result<(PathBuf, PathBuf)> {
    // A file that does not exist yet has no canonical path.
    let path = path.canonicalize().unwrap_or_else(|_| end_of_links(path));
    if path.metadata().is_ok_and(|metadata| !metadata.is_file()) {
        return Err(io::Error::new(io::ErrorKind::AlreadyExists, "expected a file"));
    }
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".{}{TEMPORARY}", std::process::id()));
    let temporary = path.with_file_name(name);
    Ok((path, temporary))
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::time::SystemTime;

    use super::*;

    #[test]
    fn an_old_file_stays_when_it_cannot_be_replaced() {
        let folder = std::env::temp_dir().join(format!("jitsugen whole file {}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("a.txt");
        let names =
            || fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect::<Vec<_>>();
        write_atomically(&path, |file| file.write_all(b"whole")).unwrap();
        let error = write_atomically(&path, |file| {
            file.write_all(b"hal")?;
            Err(io::ErrorKind::StorageFull.into())
        });
        assert!(error.unwrap_err().to_string().contains("a.txt: cannot be written"));
        assert_eq!(fs::read(&path).unwrap(), b"whole");
        assert_eq!(names(), ["a.txt"]);
        assert!(write_atomically(&folder.join("none").join("b.txt"), |_| Ok(())).is_err());
        // A folder and a device.
        for path in [&*folder, Path::new("/dev/null")].into_iter().filter(|path| path.exists()) {
            let error = write_atomically(path, |file| file.write_all(b"whole")).unwrap_err();
            assert!(error.to_string().ends_with("expected a file"), "{error}");
            assert!(check_writable(path).is_err());
        }
        assert!(check_writable(&folder.join("none").join("b.txt")).is_err());
        assert!(check_writable(&path).is_ok() && check_writable(&folder.join("b.txt")).is_ok());
        assert_eq!(names(), ["a.txt"]);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri cannot make a file older")]
    fn what_dead_processes_have_left_is_removed() {
        let folder = std::env::temp_dir().join(format!("jitsugen left over {}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let long_ago = SystemTime::now() - Duration::from_secs(60);
        let [dead, alive, new, other] =
            ["a.txt.1.part", "a.txt.2.part", "a.txt.3.part", "a.txt.old.part"].map(|name| folder.join(name));
        let files = [&dead, &alive, &new, &other].map(|path| File::create(path).unwrap());
        for (nth, file) in files.iter().enumerate() {
            if nth != 2 {
                file.set_modified(long_ago).unwrap();
            }
        }
        files[1].lock().unwrap();
        write_atomically(&folder.join("a.txt"), |file| file.write_all(b"whole")).unwrap();
        assert_eq!([&dead, &alive, &new, &other].map(|path| path.exists()), [false, true, true, true]);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    #[cfg(unix)]
    fn a_link_points_to_the_new_file() {
        let folder = std::env::temp_dir().join(format!("jitsugen link {}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let [file, link] = ["a.txt", "link"].map(|name| folder.join(name));
        fs::write(&file, b"before").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        write_atomically(&link, |file| file.write_all(b"after")).unwrap();
        assert!(link.is_symlink());
        assert_eq!(fs::read(&file).unwrap(), b"after");
        // A link to a file that does not exist yet.
        fs::remove_file(&file).unwrap();
        fs::remove_file(&link).unwrap();
        std::os::unix::fs::symlink("a.txt", &link).unwrap();
        write_atomically(&link, |file| file.write_all(b"new")).unwrap();
        assert!(link.is_symlink());
        assert_eq!(fs::read(&file).unwrap(), b"new");
        // A link to a link. A circle of links fails and harms nothing.
        fs::remove_file(&file).unwrap();
        let other = folder.join("other");
        std::os::unix::fs::symlink("link", &other).unwrap();
        write_atomically(&other, |file| file.write_all(b"newer")).unwrap();
        assert!(link.is_symlink() && other.is_symlink());
        assert_eq!(fs::read(&file).unwrap(), b"newer");
        let circle = folder.join("circle");
        std::os::unix::fs::symlink("circle", &circle).unwrap();
        let _ = write_atomically(&circle, |file| file.write_all(b"newest"));
        assert_eq!(fs::read(&file).unwrap(), b"newer");
        fs::remove_dir_all(&folder).unwrap();
    }
}
