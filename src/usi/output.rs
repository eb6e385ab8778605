//! What the client reads.

use std::fmt;
use std::io::Write;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use std::time::Instant;

use parking_lot::Mutex;

use super::log::Log;
use super::protocol;
use crate::engine::observer::{Answer, Info, Observer};
use crate::search::value::Mate;

/// Writes whole lines, each flushed at once: clients read from a pipe, and two threads write.
pub struct Output<W> {
    out: Mutex<W>,
    log: Mutex<Option<Log>>,
    /// Whether something could not be written.
    broken: AtomicBool,
    /// Whether a line is on its way. A client that does not read may keep it there for ever.
    writing: AtomicBool,
    /// How many lines were written.
    lines: AtomicU64,
}

impl<W: Write + Send> Output<W> {
    /// Writes to `out`, and logs nothing.
    pub fn new(out: W) -> Output<W> {
        Output {
            out: Mutex::new(out),
            log: Mutex::new(None),
            broken: AtomicBool::new(false),
            writing: AtomicBool::new(false),
            lines: AtomicU64::new(0),
        }
    }

    /// Writes a line.
    pub fn say(&self, line: fmt::Arguments) {
        // One write for a line, however the stream is buffered.
        let mut text = line.to_string();
        text.push('\n');
        let mut out = self.out.lock();
        self.writing.store(true, SeqCst);
        // A client that is gone closes our input as well, and that ends the session.
        if out.write_all(text.as_bytes()).and_then(|()| out.flush()).is_err() {
            self.broken.store(true, SeqCst);
        }
        self.writing.store(false, SeqCst);
        self.lines.fetch_add(1, SeqCst);
        if let Some(log) = &mut *self.log.lock() {
            log.written(text.trim_end());
        }
    }

    /// Logs a line that the client sent.
    pub fn log_input(&self, text: &str, received: Instant) {
        if let Some(log) = &mut *self.log.lock() {
            log.read(text, received);
        }
    }

    /// Whether something could not be written: the client is gone.
    pub fn is_broken(&self) -> bool {
        self.broken.load(SeqCst)
    }

    /// The number of the line that is on its way to the client; `None` where none is.
    pub fn line_on_its_way(&self) -> Option<u64> {
        self.writing.load(SeqCst).then(|| self.lines.load(SeqCst))
    }

    /// Logs to `path` from now on; to nowhere if it is empty, or if it cannot be opened, of which there is a note. Returns
    /// whether the log is as requested.
    pub fn log_to(&self, path: &str) -> bool {
        let log = match path {
            "" => None,
            _ => match Log::open(path) {
                Ok(log) => Some(log),
                Err(error) => {
                    self.note(&format!("DebugLogFile: {path}: {error}; nothing is logged"));
                    None
                }
            },
        };
        // Not while a line is written: it belongs into the old log.
        let _written = self.out.lock();
        let is_as_requested = log.is_some() || path.is_empty();
        *self.log.lock() = log;
        is_as_requested
    }
}

impl<W: Write + Send> Observer for Output<W> {
    fn info(&self, info: &Info) {
        self.say(format_args!("{}", protocol::info(info)));
    }

    fn nothing_to_search(&self, result: Mate) {
        self.say(format_args!("{}", protocol::nothing_to_search(result)));
    }

    fn note(&self, text: &str) {
        self.say(format_args!("info string {text}"));
    }

    fn still_there(&self) {
        // An empty line is what clients take for a sign of life.
        self.say(format_args!(""));
    }

    fn answer(&self, answer: Answer) {
        self.say(format_args!("{}", protocol::answer(answer)));
    }
}
