//! A log of the conversation: what the client and the engine wrote, and when.

use crate::util::input_file;
use std::fs::File;
use std::io::{self, Write};
use std::time::Instant;

/// Appends lines to a file, each with the seconds since it was opened.
#[derive(Debug)]
pub struct Log {
    file: File,
    since: Instant,
}

impl Log {
    /// Opens the file at its end; a new one begins.
    ///
    /// # Errors
    /// When the file can be neither found nor made.
    pub fn open(path: &str) -> io::Result<Log> {
        let file = input_file::open_at_end(path.as_ref())?;
        let mut log = Log { file, since: Instant::now() };
        log.write(log.since, '=', &format!("Jitsugen {}", env!("CARGO_PKG_VERSION")));
        Ok(log)
    }

    /// A line from the client, which came at `time`.
    pub fn read(&mut self, line: &str, time: Instant) {
        self.write(time, '<', line.trim_end());
    }

    /// A line that the client has just been sent.
    pub fn written(&mut self, line: &str) {
        self.write(Instant::now(), '>', line);
    }

    fn write(&mut self, time: Instant, mark: char, line: &str) {
        let time = time.saturating_duration_since(self.since).as_secs_f64();
        // In one piece, as another process may write to the same file. A full disk must not end a game.
        let _ = self.file.write_all(format!("{time:.4} {mark} {line}\n").as_bytes());
    }
}
