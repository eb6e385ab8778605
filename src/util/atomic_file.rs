//! Files that are written whole or not at all.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

/// Why a file could not be written.
#[derive(Debug)]
pub struct SaveError {
    /// The file.
    pub path: PathBuf,
    /// What the system said.
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

/// Writes a file under another name beside it, brings it to the disk and then renames it, so that `path` never names
/// half a file. Where `path` is a link the file that it leads to is replaced, and the link stays.
///
/// # Errors
/// When it cannot be written, or `path` is there and no file (a device, a pipe, a folder); then what was there before
/// still is, and nothing else is left behind.
pub fn write_whole(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> Result<(), SaveError> {
    Draft::write(path, write)?.publish()
}

/// A file that lies whole on the disk under another name than it will have. Unless it is published nothing is left of it.
#[derive(Debug)]
pub struct Draft {
    /// What it is called by who asked for it.
    named: PathBuf,
    path: PathBuf,
    beside: PathBuf,
}

impl Draft {
    /// Writes the file that will be `path`, which does not change yet.
    ///
    /// # Errors
    /// As those of [`write_whole`].
    pub fn write(
        path: &Path,
        write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
    ) -> Result<Draft, SaveError> {
        let named = path.to_path_buf();
        let (path, beside) = places(path).map_err(|source| SaveError { path: named.clone(), source })?;
        let draft = Draft { named, path, beside };
        let written = File::create(&draft.beside).and_then(|file| {
            let mut file = BufWriter::new(file);
            write(&mut file)?;
            file.into_inner()?.sync_all()
        });
        written.map_err(|source| SaveError { path: draft.named.clone(), source })?;
        Ok(draft)
    }

    /// Gives it its name.
    ///
    /// # Errors
    /// When the system refuses; then what was there before still is.
    pub fn publish(self) -> Result<(), SaveError> {
        fs::rename(&self.beside, &self.path).map_err(|source| SaveError { path: self.named.clone(), source })
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        // It is not there any more once it is published, and nothing more can be done about one that cannot be removed.
        let _ = fs::remove_file(&self.beside);
    }
}

/// Finds out before hours of work whether [`write_whole`] could write the file. Nothing is left behind.
///
/// # Errors
/// When it could not.
pub fn try_out(path: &Path) -> Result<(), SaveError> {
    let tried = places(path).and_then(|(_, beside)| {
        File::create(&beside)?;
        fs::remove_file(&beside)
    });
    tried.map_err(|source| SaveError { path: path.to_path_buf(), source })
}

/// How many links lead on from one to the next at most; systems follow forty or fewer.
const LINKS: usize = 40;

/// Where `path` leads in the end if it is a link.
fn end_of_links(path: &Path) -> PathBuf {
    let mut path = path.to_path_buf();
    for _ in 0..LINKS {
        let Ok(to) = path.read_link() else { break };
        path = path.with_file_name("").join(to);
    }
    path
}

/// Where the file is in the end, and the place beside it where it is written.
fn places(path: &Path) -> io::Result<(PathBuf, PathBuf)> {
    // A file that is not there yet has no place of its own to be found.
    let path = path.canonicalize().unwrap_or_else(|_| end_of_links(path));
    if path.metadata().is_ok_and(|metadata| !metadata.is_file()) {
        return Err(io::Error::new(io::ErrorKind::AlreadyExists, "expected a file"));
    }
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".{}.part", std::process::id()));
    let beside = path.with_file_name(name);
    Ok((path, beside))
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn what_was_there_stays_where_a_file_cannot_be_written() {
        let folder = std::env::temp_dir().join(format!("jitsugen whole file {}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("a.txt");
        let names =
            || fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect::<Vec<_>>();
        write_whole(&path, |file| file.write_all(b"whole")).unwrap();
        let error = write_whole(&path, |file| {
            file.write_all(b"hal")?;
            Err(io::ErrorKind::StorageFull.into())
        });
        assert!(error.unwrap_err().to_string().contains("a.txt: cannot be written"));
        assert_eq!(fs::read(&path).unwrap(), b"whole");
        assert_eq!(names(), ["a.txt"]);
        assert!(write_whole(&folder.join("none").join("b.txt"), |_| Ok(())).is_err());
        // No file at all.
        for path in [&*folder, Path::new("/dev/null")].into_iter().filter(|path| path.exists()) {
            let error = write_whole(path, |file| file.write_all(b"whole")).unwrap_err();
            assert!(error.to_string().ends_with("expected a file"), "{error}");
            assert!(try_out(path).is_err());
        }
        assert!(try_out(&folder.join("none").join("b.txt")).is_err());
        assert!(try_out(&path).is_ok() && try_out(&folder.join("b.txt")).is_ok());
        assert_eq!(names(), ["a.txt"]);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    #[cfg(unix)]
    fn a_link_leads_to_what_was_written() {
        let folder = std::env::temp_dir().join(format!("jitsugen link {}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let [file, link] = ["a.txt", "link"].map(|name| folder.join(name));
        fs::write(&file, b"before").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        write_whole(&link, |file| file.write_all(b"after")).unwrap();
        assert!(link.is_symlink());
        assert_eq!(fs::read(&file).unwrap(), b"after");
        // Also where there is nothing yet.
        fs::remove_file(&file).unwrap();
        fs::remove_file(&link).unwrap();
        std::os::unix::fs::symlink("a.txt", &link).unwrap();
        write_whole(&link, |file| file.write_all(b"new")).unwrap();
        assert!(link.is_symlink());
        assert_eq!(fs::read(&file).unwrap(), b"new");
        // And by way of another link; a circle of them leads nowhere and harms nobody.
        fs::remove_file(&file).unwrap();
        let other = folder.join("other");
        std::os::unix::fs::symlink("link", &other).unwrap();
        write_whole(&other, |file| file.write_all(b"newer")).unwrap();
        assert!(link.is_symlink() && other.is_symlink());
        assert_eq!(fs::read(&file).unwrap(), b"newer");
        let circle = folder.join("circle");
        std::os::unix::fs::symlink("circle", &circle).unwrap();
        let _ = write_whole(&circle, |file| file.write_all(b"newest"));
        assert_eq!(fs::read(&file).unwrap(), b"newer");
        fs::remove_dir_all(&folder).unwrap();
    }
}
