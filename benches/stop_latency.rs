//! The time from `stop` to the answer, inside the process: from when the session has read the line to when it has flushed
//! the answer. Searches with two threads are stopped a thousand times while two other threads keep the cores busy. Then
//! the same for `go mate` on a problem that takes far longer, and how far beyond its time a `go mate` with a limit is
//! answered.
//!
//!     cargo bench --bench stop_latency -- --threads 2 --stops 1000

use std::io::{self, BufReader, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use clap::Parser;
use crossbeam::channel::{Receiver, Sender, unbounded};
use jitsugen::usi::session;
use parking_lot::Mutex;

/// The client's lines, as the session reads them.
struct Lines {
    queue: Receiver<String>,
    /// When the last one was read.
    read_at: Arc<Mutex<Instant>>,
}

impl Read for Lines {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        // The client is gone: the end of input.
        let Ok(line) = self.queue.recv() else { return Ok(0) };
        let line = line.as_bytes();
        bytes[..line.len()].copy_from_slice(line);
        *self.read_at.lock() = Instant::now();
        Ok(line.len())
    }
}

/// Notes when an answer is flushed.
struct Answers {
    written: Vec<u8>,
    flushed: Sender<Instant>,
}

impl Write for Answers {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.written.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let now = Instant::now();
        let is_answer = |line: &[u8]| {
            [&b"bestmove"[..], b"checkmate", b"readyok"].iter().any(|word| line.starts_with(word))
        };
        let answers = self.written.split(|&byte| byte == b'\n').filter(|line| is_answer(line)).count();
        self.written.clear();
        for _ in 0..answers {
            // At the end there is no receiver any more.
            let _ = self.flushed.send(now);
        }
        Ok(())
    }
}

/// A client in this process.
struct Client {
    lines: Sender<String>,
    read_at: Arc<Mutex<Instant>>,
    answers: Receiver<Instant>,
}

impl Client {
    fn send(&self, line: &str) {
        self.lines.send(format!("{line}\n")).expect("the session reads");
    }

    /// Sends the line that an answer follows: from when it was read until the answer was flushed.
    fn ask(&self, line: &str) -> Duration {
        self.send(line);
        let flushed = self.answers.recv().expect("everything is answered");
        flushed.saturating_duration_since(*self.read_at.lock())
    }

    fn stop(&self, go: &str, n: usize) -> Duration {
        self.send(go);
        std::thread::sleep(Duration::from_millis(3 + n as u64 % 17));
        self.ask("stop")
    }
}

/// Sets a flag at the end of its scope, also where that is a panic: threads that wait for it would spin for ever.
struct AtEnd<'a>(&'a AtomicBool);

impl Drop for AtEnd<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

/// Measures the time from `stop` to the answer.
#[derive(Parser)]
struct Arguments {
    /// Threads that search, and as many that keep the cores busy.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..))]
    threads: u16,
    /// How often a search is stopped.
    #[arg(long, default_value_t = 1000)]
    stops: usize,
    /// What `cargo bench` passes to every benchmark.
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() {
    let Arguments { threads, stops, bench } = Arguments::parse();
    if !bench {
        // `cargo test --benches` runs the program only to see that it starts.
        return;
    }
    let ((lines, queue), (flushed, answers)) = (unbounded(), unbounded());
    let read_at = Arc::new(Mutex::new(Instant::now()));
    let input = Lines { queue, read_at: Arc::clone(&read_at) };
    let talk = std::thread::spawn(move || {
        session::run(BufReader::new(input), Answers { written: Vec::new(), flushed })
    });
    let client = Client { lines, read_at, answers };
    client.send(&format!("setoption name Threads value {threads}"));
    client.ask("isready");
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let _end = AtEnd(&done);
        for _ in 0..threads {
            scope.spawn(|| {
                while !done.load(Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        report("stop", (0..stops).map(|n| client.stop("go infinite", n)));
        client.send(MICROCOSMOS);
        report("stop of a search for mate", (0..stops).map(|n| client.stop("go mate infinite", n)));
        let late = |n: usize| {
            let time = 50 + n as u64 % 100;
            client.ask(&format!("go mate {time}")).saturating_sub(Duration::from_millis(time))
        };
        report("beyond its time", (0..stops / 4).map(late));
    });
    drop(client);
    talk.join().expect("the session ends in order").expect("memory can be read");
}

/// A mate in 1,525 plies.
const MICROCOSMOS: &str = "position sfen g1+P1k1+P+P+L/1p3P3/+R+p2pp1pl/1NNsg+p2+R/+b+nL+P1+p3/1P3ssP1/2P1+Ps2N/\
                           4+P1P1L/+B5G1g b - 1";

fn report(what: &str, times: impl Iterator<Item = Duration>) {
    let mut times: Vec<Duration> = times.collect();
    times.sort();
    println!("{what}, {} times:", times.len());
    for share in [50, 90, 99, 100] {
        let at = (times.len() * share).div_ceil(100);
        if let Some(time) = at.checked_sub(1).and_then(|at| times.get(at)) {
            println!("{share}%: {time:?}");
        }
    }
}
