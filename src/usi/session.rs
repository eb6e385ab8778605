//! A conversation with a client, from its first line to `quit` or the end of its input.
//!
//! One thread reads and another obeys, so that `stop` and the end are heard while something takes long.

use std::fmt;
use std::io::{self, BufRead, Write};
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::time::{Duration, Instant};

use crossbeam::channel::{Receiver, RecvTimeoutError, Sender, bounded, unbounded};
use parking_lot::Mutex;

use super::answers;
use super::log::Log;
use super::options::{self, OPTIONS, Outcome, Press};
use super::protocol::{self, Command, Question};
use crate::bench;
use crate::engine::observer::{Answer, Info, Observer};
use crate::engine::player::Player;
use crate::record::encoding;
use crate::search::value::Mate;
use crate::shogi::perft::{self, Stopped};

/// Writes whole lines, each flushed at once: clients read from a pipe, and two threads have something to say.
struct Output<W> {
    out: Mutex<W>,
    log: Mutex<Option<Log>>,
    /// Whether something could not be written.
    broken: AtomicBool,
}

impl<W: Write + Send> Output<W> {
    fn say(&self, line: fmt::Arguments) {
        // One write for a line, however the stream is buffered.
        let mut text = line.to_string();
        text.push('\n');
        let mut out = self.out.lock();
        // A client that is gone closes our input as well, and that ends the session.
        if out.write_all(text.as_bytes()).and_then(|()| out.flush()).is_err() {
            self.broken.store(true, SeqCst);
        }
        if let Some(log) = &mut *self.log.lock() {
            log.written(text.trim_end());
        }
    }

    /// Logs to `path` what is said from now on; to nowhere where it is empty, or cannot be opened, which is told. Returns
    /// whether it is as it was asked for.
    fn log_to(&self, path: &str) -> bool {
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
        // A line that was written is logged where it was to be logged then: not between the two.
        let _written = self.out.lock();
        let is_granted = log.is_some() || path.is_empty();
        *self.log.lock() = log;
        is_granted
    }
}

impl<W: Write + Send> Observer for Output<W> {
    fn info(&self, info: &Info) {
        self.say(format_args!("{}", protocol::info(info)));
    }

    fn settled(&self, result: Mate) {
        self.say(format_args!("{}", protocol::settled(result)));
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

/// What is read ahead of what is obeyed.
#[derive(Default)]
struct Ahead {
    /// How many lines were read that are not obeyed yet.
    lines: AtomicUsize,
    /// How many commands that end a search wait to be obeyed.
    stops: AtomicUsize,
    /// Whether the client has left, and had time for its last words.
    left: AtomicBool,
}

impl Ahead {
    /// Whether what counts or measures since `begin` is to end.
    fn wants_an_end(&self, begin: Instant) -> bool {
        self.stops.load(SeqCst) > 0 || self.left.load(SeqCst) && begin.elapsed() >= LAST_WORDS
    }
}

/// How a client leaves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Farewell {
    /// It says so, and soon ends a process that does not.
    Quit,
    /// It has nothing more to say: it was killed, or it is a script that waits for its answers.
    EndOfInput,
}

/// A line, and when it came.
type Line = (String, Instant);

/// What is under way when a client leaves has so long to come to its end.
const LAST_WORDS: Duration = Duration::from_millis(400);

/// Between two looks whether somebody still listens.
const BETWEEN_LOOKS: Duration = Duration::from_secs(1);

/// How long is waited for it after `quit`: clients end a process that is still there five seconds later.
const LONGEST_AFTER_QUIT: Duration = Duration::from_secs(4);

/// Talks USI until the client says `quit` or its input ends, which also ends a running search. What was asked before is
/// still answered, save what counts for long. Where nobody is there to hear it a thread may be left behind that is
/// loading an evaluation or has something to say.
///
/// # Errors
/// When the input cannot be read.
pub fn run(input: impl BufRead, output: impl Write + Send + 'static) -> io::Result<()> {
    let output =
        Arc::new(Output { out: Mutex::new(output), log: Mutex::new(None), broken: AtomicBool::new(false) });
    let ahead = Arc::new(Ahead::default());
    let (lines, queue) = unbounded();
    let (alive, done) = bounded::<()>(0);
    let player = Player::new(Arc::clone(&output) as Arc<dyn Observer>);
    let stopper = player.stopper();
    let obeying = {
        let (output, ahead) = (Arc::clone(&output), Arc::clone(&ahead));
        std::thread::Builder::new().name("session".into()).spawn(move || {
            obey_all(player, &queue, &output, &ahead);
            drop(alive);
        })?
    };
    let result = read_all(input, lines, &ahead, || stopper.stop());
    let farewell = *result.as_ref().unwrap_or(&Farewell::EndOfInput);
    if take_leave(farewell, &done, &ahead, &*output)
        && let Err(panic) = obeying.join()
    {
        resume_unwind(panic);
    }
    result.map(|_| ())
}

/// Reads until `quit` or the end. Calls `stop` where a search is to end and all that came before is obeyed: on a busy
/// machine the thread that obeys may have to wait for a processor before it could tell.
fn read_all(
    mut input: impl BufRead,
    lines: Sender<Line>,
    ahead: &Ahead,
    stop: impl Fn(),
) -> io::Result<Farewell> {
    let mut line = Vec::new();
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            return Ok(Farewell::EndOfInput);
        }
        let now = Instant::now();
        // Some clients write paths in the code page of Japanese Windows. What is not UTF-8 must not end the conversation,
        // nor must a mark of its encoding, which some systems put before the first line.
        let text = encoding::legible(&line).trim_start_matches('\u{FEFF}').to_string();
        let command = protocol::parse(&text);
        let quits = command == Ok(Command::Quit);
        if matches!(command, Ok(Command::Stop | Command::GameOver)) {
            ahead.stops.fetch_add(1, SeqCst);
            if ahead.lines.load(SeqCst) == 0 {
                stop();
            }
        }
        ahead.lines.fetch_add(1, SeqCst);
        // Where it cannot be sent, who obeys has broken down.
        if lines.send((text, now)).is_err() || quits {
            return Ok(Farewell::Quit);
        }
    }
}

/// Waits until everything that was asked is obeyed, and says whether it is: who counts is given little time for it, who
/// loads is given up when nobody listens any longer, and after `quit` nobody is given long: a client that has left may not
/// read any more either, so that whoever writes to it is kept for ever.
fn take_leave<W: Write + Send>(
    farewell: Farewell,
    done: &Receiver<()>,
    ahead: &Ahead,
    output: &Output<W>,
) -> bool {
    let ends = |time| done.recv_timeout(time) != Err(RecvTimeoutError::Timeout);
    if ends(LAST_WORDS) {
        return true;
    }
    ahead.left.store(true, SeqCst);
    if farewell == Farewell::Quit {
        return ends(LONGEST_AFTER_QUIT - LAST_WORDS);
    }
    loop {
        output.still_there();
        if output.broken.load(SeqCst) {
            return false;
        }
        if ends(BETWEEN_LOOKS) {
            return true;
        }
    }
}

/// Obeys line after line, until there are no more to come.
fn obey_all<W: Write + Send>(mut player: Player, queue: &Receiver<Line>, output: &Output<W>, ahead: &Ahead) {
    for (text, now) in queue {
        if let Some(log) = &mut *output.log.lock() {
            log.read(&text, now);
        }
        match protocol::parse(&text) {
            Ok(command) => obey(command, now, &mut player, output, ahead),
            Err(message) => output.note(&message),
        }
        ahead.lines.fetch_sub(1, SeqCst);
    }
}

fn obey<W: Write + Send>(
    command: Command,
    now: Instant,
    player: &mut Player,
    output: &Output<W>,
    ahead: &Ahead,
) {
    let begin = Instant::now();
    let ends = || ahead.wants_an_end(begin);
    match command {
        Command::Usi => {
            output.say(format_args!("id name Jitsugen {}", env!("CARGO_PKG_VERSION")));
            output.say(format_args!("id author the Jitsugen authors"));
            for option in OPTIONS {
                output.say(format_args!("{option}"));
            }
            output.say(format_args!("usiok"));
        }
        Command::IsReady => {
            player.prepare();
            output.say(format_args!("readyok"));
        }
        Command::SetOption { name, value } => {
            let searches = player.is_searching();
            let settings = player.settings_mut();
            let logged = settings.debug_log.clone();
            match options::set(settings, name, value.unwrap_or_default()) {
                // A log counts at once.
                Ok(Outcome::Set) if name.eq_ignore_ascii_case("DebugLogFile") => {
                    if settings.debug_log != logged && !output.log_to(&settings.debug_log) {
                        // Who names it once more wants it tried once more.
                        settings.debug_log.clear();
                    }
                }
                Ok(Outcome::Set) if searches => output.note(&format!("{name}: from the next search on")),
                Ok(Outcome::Set | Outcome::Unknown) => {}
                Ok(Outcome::Pressed(Press::ClearHash)) => {
                    player.forget();
                    if searches {
                        output.note(&format!("{name}: before the next search"));
                    }
                }
                Err(message) => output.note(&message),
            }
        }
        Command::NewGame => player.new_game(),
        Command::Position(text) => {
            let position = protocol::parse_position(text);
            if let Err(message) = &position {
                output.note(message);
            }
            player.set_position(position);
        }
        Command::Go { limits, refused } => {
            for message in refused {
                output.note(&message);
            }
            player.go(limits, now);
        }
        Command::Ask(Question::Eval) => match player.report() {
            Ok(report) => output.say(format_args!("{report}")),
            Err(message) => output.note(&message),
        },
        Command::Ask(question) => match player.position() {
            Ok(position) => output.say(format_args!("{}", answers::to(question, position))),
            Err(message) => output.note(message),
        },
        Command::Perft(depth) => match player.position() {
            Ok(position) => match perft::perft_until(&mut position.clone(), depth, &ends) {
                Ok(nodes) => say_figures(output, nodes, begin.elapsed()),
                Err(Stopped) => output.note("go perft: stopped before the end"),
            },
            Err(message) => output.note(message),
        },
        Command::Bench if player.is_searching() => output.note("bench: expected no search to run"),
        Command::Bench => {
            let total = bench::run(bench::DEPTH, ends, |_, _, text, nodes| {
                output.say(format_args!("info string {nodes} nodes: {text}"));
            });
            match total {
                Ok(Some(total)) => say_figures(output, total.nodes, total.time),
                Ok(None) => output.note("bench: stopped before the end"),
                Err(lacking) => output.note(&format!("bench: {lacking}")),
            }
        }
        Command::Stop => {
            ahead.stops.fetch_sub(1, SeqCst);
            player.stop();
        }
        Command::GameOver => {
            ahead.stops.fetch_sub(1, SeqCst);
            player.game_over();
        }
        Command::PonderHit { clock, refused } => {
            for message in refused {
                output.note(&message);
            }
            player.ponderhit(clock, now);
        }
        Command::Quit | Command::Nothing => {}
    }
}

/// The figures that scripts read come last, one a line.
fn say_figures<W: Write + Send>(output: &Output<W>, nodes: u64, time: Duration) {
    let per_second = (nodes as f64 / time.as_secs_f64().max(1e-9)) as u64;
    output.say(format_args!("Nodes/second: {per_second}"));
    output.say(format_args!("Nodes searched: {nodes}"));
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    /// A client that listens, is gone, or is there but reads no more.
    #[derive(Clone, Copy, PartialEq, Eq)]
    enum Client {
        Listens,
        IsGone,
        IsDeaf,
    }

    impl Write for Client {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            match self {
                Client::Listens => Ok(bytes.len()),
                Client::IsGone => Err(io::ErrorKind::BrokenPipe.into()),
                Client::IsDeaf => {
                    std::thread::sleep(FOR_EVER);
                    Ok(bytes.len())
                }
            }
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// Far longer than anything here takes.
    const FOR_EVER: Duration = Duration::from_secs(60);

    /// Whether what takes `working` was waited for, and how long that took.
    fn leave(farewell: Farewell, client: Client, working: Duration) -> (bool, Duration) {
        let output =
            Output { out: Mutex::new(client), log: Mutex::new(None), broken: AtomicBool::new(false) };
        let (alive, done) = bounded::<()>(0);
        let ahead = Ahead::default();
        let begin = Instant::now();
        std::thread::spawn(move || {
            std::thread::sleep(working);
            drop(alive);
        });
        let waited = take_leave(farewell, &done, &ahead, &output);
        let took = begin.elapsed();
        // What counts has as long for it, and no longer.
        assert_eq!(ahead.wants_an_end(begin), took >= LAST_WORDS);
        assert!(!ahead.wants_an_end(Instant::now()));
        (waited, took)
    }

    #[test]
    fn who_leaves_is_not_kept_waiting() {
        // All at a time: they only wait.
        std::thread::scope(|scope| {
            for farewell in [Farewell::Quit, Farewell::EndOfInput] {
                // Somebody may still want what is being loaded.
                for working in [Duration::ZERO, LAST_WORDS + Duration::from_millis(200)] {
                    scope.spawn(move || assert!(leave(farewell, Client::Listens, working).0));
                }
            }
            // A client that was killed wants nothing more.
            scope.spawn(|| {
                let (waited, took) = leave(Farewell::EndOfInput, Client::IsGone, FOR_EVER);
                assert!(!waited && took < Duration::from_secs(1), "{took:?}");
            });
            for client in [Client::Listens, Client::IsGone, Client::IsDeaf] {
                scope.spawn(move || {
                    let (waited, took) = leave(Farewell::Quit, client, FOR_EVER);
                    assert!(!waited && took < Duration::from_secs(5), "{took:?}");
                });
            }
        });
    }

    #[test]
    fn lines_are_handed_on_up_to_the_last() {
        let read = |text: &str| {
            let (lines, queue) = unbounded();
            let ahead = Ahead::default();
            let stopped = Cell::new(0);
            let stop = || stopped.set(stopped.get() + 1);
            let farewell = read_all(text.as_bytes(), lines, &ahead, stop).expect("memory can be read");
            let lines: Vec<String> = queue.iter().map(|(text, _)| text.trim().to_string()).collect();
            // Nobody obeys: only what comes first ends a search at once.
            (farewell, lines.join("/"), ahead.stops.load(SeqCst), stopped.get())
        };
        for (text, expected) in [
            ("d\r\nquit now\nkey\n", (Farewell::Quit, "d/quit now", 0, 0)),
            ("stop\nstopp", (Farewell::EndOfInput, "stop/stopp", 1, 1)),
            (" gameover\nstop\n", (Farewell::EndOfInput, "gameover/stop", 2, 1)),
            ("go\nstop\n", (Farewell::EndOfInput, "go/stop", 1, 0)),
            ("", (Farewell::EndOfInput, "", 0, 0)),
            ("\u{FEFF}stop\n", (Farewell::EndOfInput, "stop", 1, 1)),
        ] {
            let (farewell, lines, stops, stopped) = read(text);
            assert_eq!((farewell, lines.as_str(), stops, stopped), expected, "{text:?}");
        }
    }
}
