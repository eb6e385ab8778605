//! A client of the engine: the built binary with pipes.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

pub struct Client {
    process: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Client {
    /// Starts the binary with `arguments`.
    pub fn start(arguments: &[&str]) -> Client {
        let mut process = Command::new(env!("CARGO_BIN_EXE_jitsugen"))
            .args(arguments)
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

    /// The lines up to the first that begins with `start`, which has to come within `patience`.
    pub fn until(&mut self, start: &str, patience: Duration) -> Vec<String> {
        let deadline = Instant::now() + patience;
        let mut seen = Vec::new();
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left) {
                Ok(line) => {
                    let found = line.starts_with(start);
                    seen.push(line);
                    if found {
                        return seen;
                    }
                }
                Err(_) => panic!("no line '{start}' within {patience:?}, but {seen:?}"),
            }
        }
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

    /// Ends the input and waits for the process; gives what it wrote to stderr.
    pub fn close(mut self) -> (ExitStatus, String) {
        self.input = None;
        let mut stderr = String::new();
        let mut pipe = self.process.stderr.take().expect("stderr is a pipe");
        pipe.read_to_string(&mut stderr).expect("stderr is text");
        (self.process.wait().expect("the process ends"), stderr)
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
