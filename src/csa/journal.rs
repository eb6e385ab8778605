//! The record of a game, on the disk while it is played.
//!
//! Each line is written as soon as it is known, in one piece: a process that is killed loses at most the line that it was
//! writing. What cannot be written, on a full disk, is kept and tried again with the next line.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A file that is appended to.
#[derive(Debug)]
pub struct Journal<W> {
    path: PathBuf,
    /// The folder, and the name of the file without a number: what a file that cannot be made yet is to be.
    place: (PathBuf, String),
    /// `None` as long as there is no file, because it cannot be made.
    file: Option<W>,
    /// What is not written yet.
    waiting: Vec<u8>,
    /// Whether the last attempt failed.
    fails: bool,
}

/// What came of writing.
#[derive(Debug)]
pub enum Written {
    /// Everything is in the file, as before.
    Yes,
    /// Everything is in the file again.
    Again,
    /// Something could not be written, for this reason. It is kept.
    No(io::Error),
    /// Something can still not be written.
    StillNot,
}

/// How many names are tried for a record that would take the place of another one.
const NAMES: u32 = 10_000;

/// A file name out of the name of a game: characters that some system does not allow become `_`.
pub fn file_name(game_id: &str) -> String {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '_' | '.' | ',' | '=' | '@');
    let mut name: String = game_id.chars().take(180).map(|c| if allowed(c) { c } else { '_' }).collect();
    // Neither a hidden file nor a folder.
    if name.is_empty() || name.starts_with('.') {
        name.insert(0, '_');
    }
    name
}

impl Journal<File> {
    /// A new file for `game_id` in `folder`, which is made where it is not there. A file of the same game stays: the new one
    /// has a number behind its name.
    pub fn begin(folder: &Path, game_id: &str) -> (Journal<File>, Written) {
        let name = file_name(game_id);
        let path = folder.join(format!("{name}.csa"));
        let place = (folder.to_path_buf(), name);
        let mut journal = Journal { path, place, file: None, waiting: Vec::new(), fails: false };
        let begun = journal.write("");
        (journal, begun)
    }

    /// Makes the file where there is none yet.
    fn open(&mut self) -> io::Result<()> {
        if self.file.is_some() {
            return Ok(());
        }
        let (folder, name) = &self.place;
        fs::create_dir_all(folder)?;
        let mut path = folder.join(format!("{name}.csa"));
        for number in 2..NAMES {
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(file) => {
                    (self.path, self.file) = (path, Some(file));
                    return Ok(());
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    path = folder.join(format!("{name}.{number}.csa"));
                }
                Err(error) => return Err(error),
            }
        }
        Err(io::Error::new(io::ErrorKind::AlreadyExists, "there are too many records of this game"))
    }

    /// Appends `text`, which is whole lines. Where there is no file, one is made if that is possible now.
    pub fn write(&mut self, text: &str) -> Written {
        let opened = self.open();
        self.append(text, opened)
    }

    /// The game is over: what was written is on the disk when this returns.
    pub fn finish(&mut self) -> Written {
        let written = self.write("");
        if let Some(file) = &self.file
            && let Err(error) = file.sync_all()
        {
            return Written::No(error);
        }
        written
    }
}

impl<W: Write> Journal<W> {
    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What is not in the file.
    pub fn waiting(&self) -> &[u8] {
        &self.waiting
    }

    /// Appends `text` to the file if that is `opened`.
    fn append(&mut self, text: &str, opened: io::Result<()>) -> Written {
        self.waiting.extend_from_slice(text.as_bytes());
        let failed_before = self.fails;
        let result = opened.and_then(|()| self.write_waiting());
        self.fails = result.is_err();
        match result {
            Ok(()) if failed_before => Written::Again,
            Ok(()) => Written::Yes,
            Err(_) if failed_before => Written::StillNot,
            Err(error) => Written::No(error),
        }
    }

    fn write_waiting(&mut self) -> io::Result<()> {
        let Some(file) = &mut self.file else { return Err(io::ErrorKind::NotFound.into()) };
        while !self.waiting.is_empty() {
            match file.write(&self.waiting) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                // A full disk may take a part of it.
                Ok(count) => drop(self.waiting.drain(..count)),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        file.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A disk with so much room.
    struct Disk {
        written: Vec<u8>,
        room: usize,
    }

    impl Write for Disk {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let count = bytes.len().min(self.room);
            if count == 0 {
                return Err(io::ErrorKind::StorageFull.into());
            }
            self.room -= count;
            self.written.extend_from_slice(&bytes[..count]);
            Ok(count)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn what_a_full_disk_does_not_take_is_written_later() {
        let disk = Disk { written: Vec::new(), room: 12 };
        let (path, place) = (PathBuf::from("game.csa"), (PathBuf::new(), "game".to_string()));
        let mut journal = Journal { path, place, file: Some(disk), waiting: Vec::new(), fails: false };
        assert!(matches!(journal.append("+7776FU\n", Ok(())), Written::Yes));
        assert!(matches!(journal.append("T1\n-3334FU\n", Ok(())), Written::No(_)));
        assert!(matches!(journal.append("T2\n", Ok(())), Written::StillNot));
        assert_eq!(journal.waiting(), b"3334FU\nT2\n");
        journal.file.as_mut().unwrap().room = 100;
        assert!(matches!(journal.append("%TORYO\n", Ok(())), Written::Again));
        assert!(matches!(journal.append("T3\n", Ok(())), Written::Yes));
        let text = String::from_utf8(journal.file.unwrap().written).unwrap();
        assert_eq!(text, "+7776FU\nT1\n-3334FU\nT2\n%TORYO\nT3\n");
    }

    #[test]
    fn no_record_takes_the_place_of_another() {
        let folder = std::env::temp_dir().join(format!("jitsugen journal {}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        for (text, name) in [("one\n", "a+b_c.csa"), ("two\n", "a+b_c.2.csa"), ("three\n", "a+b_c.3.csa")] {
            let (mut journal, begun) = Journal::begin(&folder, "a+b/c");
            assert!(matches!(begun, Written::Yes));
            assert!(matches!(journal.write(text), Written::Yes));
            assert!(matches!(journal.finish(), Written::Yes));
            assert_eq!(fs::read_to_string(folder.join(name)).unwrap(), text);
        }
        // A file where the folder should be.
        let (mut journal, begun) = Journal::begin(&folder.join("a+b_c.csa"), "d");
        assert!(matches!(begun, Written::No(_)));
        assert!(matches!(journal.write("x\n"), Written::StillNot));
        assert_eq!(journal.waiting(), b"x\n");
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_file_that_could_not_be_made_is_made_with_a_later_move_beside_those_that_are_there() {
        let folder = std::env::temp_dir().join(format!("jitsugen late journal {}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        let records = folder.join("records");
        fs::create_dir_all(&folder).unwrap();
        fs::write(&records, "a file where the folder should be").unwrap();
        let (mut journal, begun) = Journal::begin(&records, "a");
        assert!(matches!(begun, Written::No(_)));
        assert!(matches!(journal.write("one\n"), Written::StillNot));
        fs::remove_file(&records).unwrap();
        fs::create_dir(&records).unwrap();
        fs::write(records.join("a.csa"), "another game\n").unwrap();
        assert!(matches!(journal.write("two\n"), Written::Again));
        assert_eq!(journal.path(), records.join("a.2.csa"));
        assert_eq!(fs::read_to_string(journal.path()).unwrap(), "one\ntwo\n");
        assert_eq!(fs::read_to_string(records.join("a.csa")).unwrap(), "another game\n");
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn every_game_has_a_file_name() {
        for (game_id, name) in [
            ("wdoor+floodgate-300-10F+a+b+20260101120000", "wdoor+floodgate-300-10F+a+b+20260101120000"),
            ("../../etc/passwd", "_.._.._etc_passwd"),
            ("", "_"),
            ("対局 1", "___1"),
            ("C:\\x", "C__x"),
        ] {
            assert_eq!(file_name(game_id), name);
        }
        assert!(file_name(&"x".repeat(1_000)).len() < 200);
    }
}
