//! Files that a user has named, opened for reading or for going on at their end.
//!
//! A pipe would be waited for, a device may have no end: anything but a file is refused at once, with what it is.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// The most that is read into memory at once. A hundred thousand games are 60 MiB.
pub const MOST: u64 = 1 << 30;

/// Opens a file to be read.
///
/// # Errors
/// When it is none, or cannot be opened.
pub fn open(path: &Path) -> io::Result<File> {
    file_or_nothing(path)?;
    File::open(path)
}

/// Opens a file at its end; a new one begins where there is none.
///
/// # Errors
/// When it is no file, or cannot be opened.
pub fn open_at_end(path: &Path) -> io::Result<File> {
    file_or_nothing(path)?;
    OpenOptions::new().create(true).append(true).open(path)
}

/// Opens a file to be read and written, at its beginning; a new one where there is none.
///
/// # Errors
/// When it is no file, or cannot be opened.
pub fn open_to_go_on(path: &Path) -> io::Result<File> {
    file_or_nothing(path)?;
    OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)
}

/// Writes `bytes` behind the first `length` bytes of a file. What a run that was broken off has left there is cut away.
///
/// # Errors
/// When it is no file, or the system refuses.
pub fn write_behind(path: &Path, length: u64, bytes: &[u8]) -> io::Result<()> {
    let mut file = open_to_go_on(path)?;
    file.set_len(length)?;
    file.seek(SeekFrom::Start(length))?;
    file.write_all(bytes)
}

/// The bytes of a file.
///
/// # Errors
/// When it is no file, has more than [`MOST`] bytes, or cannot be read.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    read_within(path, MOST)
}

/// The text of a file.
///
/// # Errors
/// When it is no file, has more than [`MOST`] bytes, cannot be read, or is not in UTF-8.
pub fn read_text(path: &Path) -> io::Result<String> {
    let text = String::from_utf8(read(path)?);
    text.map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "expected text in UTF-8"))
}

fn read_within(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let file = open(path)?;
    let mut bytes = Vec::new();
    // One more than allowed: files of the system, such as those in /proc, do not say how long they are.
    (&file).take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let message = format!("too long: expected at most {} MiB", most >> 20);
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
    }
    Ok(bytes)
}

/// Refuses what is there and no file. Opening a pipe would wait for its other end, so it is asked before.
fn file_or_nothing(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(metadata) if !metadata.is_file() => {
            let message = format!("is {}: expected a file", what(&metadata));
            Err(io::Error::new(io::ErrorKind::InvalidInput, message))
        }
        _ => Ok(()),
    }
}

fn what(metadata: &Metadata) -> &'static str {
    if metadata.is_dir() { "a folder" } else { "a pipe, a socket or a device" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_file_is_refused_at_once() {
        let folder = std::env::temp_dir();
        let error = read(&folder).unwrap_err().to_string();
        assert_eq!(error, "is a folder: expected a file");
        assert!(open_at_end(&folder).is_err() && open_to_go_on(&folder).is_err());
        let missing = folder.join("jitsugen has no such file");
        assert_eq!(open(&missing).unwrap_err().kind(), io::ErrorKind::NotFound);
        // Reading the first never ends, and the second swallows what is written.
        for path in ["/dev/zero", "/dev/null"].map(Path::new).into_iter().filter(|path| path.exists()) {
            let error = "is a pipe, a socket or a device: expected a file";
            assert_eq!(read(path).unwrap_err().to_string(), error);
            assert_eq!(open_at_end(path).unwrap_err().to_string(), error);
        }
    }

    #[test]
    fn a_file_may_not_be_too_long() {
        let path = std::env::temp_dir().join(format!("jitsugen input file {}", std::process::id()));
        fs::write(&path, [b'a'; 5]).unwrap();
        assert_eq!(read_within(&path, 5).unwrap(), [b'a'; 5]);
        assert!(read_within(&path, 4).unwrap_err().to_string().starts_with("too long"));
        assert_eq!(read_text(&path).unwrap(), "aaaaa");
        write_behind(&path, 3, b"bc").unwrap();
        assert_eq!(read_text(&path).unwrap(), "aaabc");
        fs::write(&path, [0xFF]).unwrap();
        assert_eq!(read_text(&path).unwrap_err().to_string(), "expected text in UTF-8");
        fs::remove_file(&path).unwrap();
    }
}
