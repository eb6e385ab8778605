//! A client of the engine: the built binary with pipes.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::OnceLock;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use jitsugen::eval::compact;
use jitsugen::eval::files::{self, Files};

pub struct Client {
    process: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

/// Full files of the built-in evaluation, which all engines that the tests start map into one piece of memory. Each
/// would need 858 MB of its own otherwise, and up to two seconds to fill them. The path has blanks and Japanese letters,
/// as users' paths do.
pub fn shared_evaluation() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let (_, checksum) = compact::built_in_size_and_checksum();
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("evaluation 評価 {checksum:08x}"));
        if Files::find(&folder).is_err() {
            let weights = compact::built_in().expect("it is part of the program").expand();
            // Test binaries that run at the same time write to folders of their own; the last one stays.
            let unfinished = folder.with_file_name(format!("unfinished {}", std::process::id()));
            files::save(&weights.expect("there is memory"), &unfinished, &mut |_, _| ())
                .expect("the files can be written");
            if fs::rename(&unfinished, &folder).is_err() {
                fs::remove_dir_all(&unfinished).expect("our own folder can be removed");
            }
        }
        folder
    })
}

impl Client {
    /// Starts the binary with `arguments` and gives it the shared evaluation.
    pub fn start(arguments: &[&str]) -> Client {
        let mut client = Client::start_bare(arguments);
        client.send(&format!("setoption name EvalDir value {}", shared_evaluation().display()));
        client
    }

    /// Starts the binary with `arguments`, and no option set.
    pub fn start_bare(arguments: &[&str]) -> Client {
        Client::of(Command::new(env!("CARGO_BIN_EXE_jitsugen")).args(arguments))
    }

    /// Starts a program.
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

    /// The lines up to the first that begins with `start`, which has to come within `patience`.
    pub fn until(&mut self, start: &str, patience: Duration) -> Vec<String> {
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

    /// Ends the input and waits for the process; gives what it wrote to stderr, and the last lines that it said.
    pub fn close(mut self) -> (ExitStatus, String, Vec<String>) {
        self.input = None;
        assert!(self.leaves(Duration::from_secs(60)), "the process is still there");
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
