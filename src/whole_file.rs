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
/// half a file.
///
/// # Errors
/// When it cannot be written; then what was there before still is, and nothing else is left behind.
pub fn write_whole(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> Result<(), SaveError> {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".{}.part", std::process::id()));
    let beside = path.with_file_name(name);
    let written = File::create(&beside).and_then(|file| {
        let mut file = BufWriter::new(file);
        write(&mut file)?;
        file.into_inner()?.sync_all()
    });
    written.and_then(|()| fs::rename(&beside, path)).map_err(|source| {
        // Nothing more can be done about a file that cannot be removed either.
        let _ = fs::remove_file(&beside);
        SaveError { path: path.to_path_buf(), source }
    })
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
        fs::remove_dir_all(&folder).unwrap();
    }
}
