//! A client of the engine: the built program with pipes.

use std::fmt::Display;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use super::command::jitsugen;
use super::evaluation;

/// Far longer than anything here takes, for busy machines.
pub const PATIENCE: Duration = Duration::from_secs(60);

pub struct Client {
    process: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Client {
    /// Starts the engine with little memory, the evaluation that all engines of the tests share, and no book.
    pub fn start() -> Client {
        let mut client = Client::start_bare();
        client.set("BookFile", "no_book");
        client.set("USI_Hash", 16);
        client.set("EvalDir", evaluation::built_in_files().display());
        client
    }

    /// As [`start`](Client::start), and waits until it is ready.
    pub fn start_ready() -> Client {
        let mut client = Client::start();
        client.ready();
        client
    }

    /// Starts the engine and sets no option.
    pub fn start_bare() -> Client {
        Client::of(&mut jitsugen([]))
    }

    /// Starts `program`.
    pub fn of(program: &mut Command) -> Client {
        let mut process = program
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let output = process.stdout.take().expect("stdout is a pipe");
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines() {
                if line.is_ok_and(|line| sender.send(line).is_err()) {
                    break;
                }
            }
        });
        Client { input: process.stdin.take(), process, lines }
    }

    pub fn send(&mut self, line: &str) {
        self.send_bytes(line.as_bytes());
    }

    pub fn send_bytes(&mut self, line: &[u8]) {
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(line).and_then(|()| input.write_all(b"\n")).expect("the engine reads");
    }

    /// The number of the process.
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// Sets an option.
    pub fn set(&mut self, name: &str, value: impl Display) {
        self.send(&format!("setoption name {name} value {value}"));
    }

    /// Sends `isready`: the lines up to `readyok`.
    pub fn ready(&mut self) -> Vec<String> {
        self.send("isready");
        self.until("readyok")
    }

    /// Sends `go`: the lines up to `bestmove`.
    pub fn search(&mut self, go: &str) -> Vec<String> {
        self.send(go);
        self.until("bestmove")
    }

    /// The lines up to the first that begins with `start`.
    pub fn until(&mut self, start: &str) -> Vec<String> {
        self.until_within(start, PATIENCE)
    }

    /// The lines up to the first that begins with `start`, which has to come within `patience`.
    pub fn until_within(&mut self, start: &str, patience: Duration) -> Vec<String> {
        let deadline = Instant::now() + patience;
        let mut seen = Vec::new();
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.line(left) {
                Some(line) => {
                    let found = line.starts_with(start);
                    seen.push(line);
                    if found {
                        return seen;
                    }
                }
                None => panic!("no line '{start}' within {patience:?}, but {seen:?}"),
            }
        }
    }

    /// The next line, if one comes within `time`.
    pub fn line(&mut self, time: Duration) -> Option<String> {
        self.lines.recv_timeout(time).ok()
    }

    /// The lines that come within `time`.
    pub fn for_a_while(&mut self, time: Duration) -> Vec<String> {
        let deadline = Instant::now() + time;
        let mut seen = Vec::new();
        loop {
            match self.lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(line) => seen.push(line),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return seen,
            }
        }
    }

    /// Whether the process ends by itself within `patience`, while its input stays open.
    pub fn leaves(&mut self, patience: Duration) -> bool {
        let deadline = Instant::now() + patience;
        while Instant::now() < deadline {
            if self.process.try_wait().expect("it is our process").is_some() {
                return true;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        false
    }

    /// Ends the input and waits for the process: its status, what it wrote to stderr, and its last lines.
    pub fn close(mut self) -> (ExitStatus, String, Vec<String>) {
        self.input = None;
        assert!(self.leaves(PATIENCE), "the process is still there");
        let mut stderr = String::new();
        let mut pipe = self.process.stderr.take().expect("stderr is a pipe");
        pipe.read_to_string(&mut stderr).expect("stderr is text");
        let status = self.process.wait().expect("the process ends");
        (status, stderr, std::iter::from_fn(|| self.lines.recv().ok()).collect())
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// `lines` without what differs from one run to the next: times and nodes a second.
pub fn untimed(lines: &[String]) -> Vec<String> {
    let without = |line: &String| {
        let words: Vec<&str> = line.split(' ').collect();
        let timed = |i: usize| i > 0 && matches!(words[i - 1], "nps" | "time");
        (0..words.len()).filter(|&i| !timed(i)).map(|i| words[i]).collect::<Vec<_>>().join(" ")
    };
    lines.iter().map(without).collect()
}

/// The nodes in the last line of a search.
pub fn nodes(lines: &[String]) -> u64 {
    let last =
        lines.iter().rfind(|line| line.starts_with("info depth")).expect("there is a line of the search");
    let count = last.split(' ').skip_while(|&word| word != "nodes").nth(1);
    count.and_then(|text| text.parse().ok()).expect("a line has its nodes")
}
