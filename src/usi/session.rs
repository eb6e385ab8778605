//! A conversation with a client, from its first line to `quit` or the end of its input.
//!
//! One thread reads and parses, another handles the commands, so that `stop` and the end of the input count while a command
//! takes long.

use std::collections::HashSet;
use std::hint::black_box;
use std::io::{self, BufRead, Read, Write};
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::time::{Duration, Instant};

use crossbeam::channel::{Receiver, RecvTimeoutError, Sender, bounded, unbounded};

use super::debug_commands;
use super::option::{Button, SetOutcome};
use super::options::{self, OPTIONS};
use super::output::Output;
use super::protocol::{self, Command, DebugCommand};
use crate::engine::bench;
use crate::engine::observer::Observer;
use crate::engine::player::Player;
use crate::record::encoding;
use crate::shogi::perft::{self, Stopped};
use crate::util::text::{excerpt, rate};

/// What the reading thread knows that the handling thread has not come to yet.
#[derive(Default)]
struct Pending {
    /// How many lines were read that are not handled yet.
    lines: AtomicUsize,
    /// How many of them end a search.
    stops: AtomicUsize,
    /// Whether the input has ended, and the grace period is over.
    has_ended: AtomicBool,
}

impl Pending {
    /// Whether a perft or a benchmark that has taken `elapsed` has to end.
    fn ends_after(&self, elapsed: Duration) -> bool {
        self.stops.load(SeqCst) > 0 || self.has_ended.load(SeqCst) && elapsed >= GRACE_PERIOD
    }
}

/// How the input ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum InputEnd {
    /// The client says `quit`, and soon kills a process that goes on.
    Quit,
    /// The client was killed, or it is a script that waits for its answers.
    EndOfFile,
}

/// A line from the client.
struct Input {
    /// For the log.
    text: String,
    /// The command, or what is wrong with it.
    command: Result<Command, String>,
    /// When it came.
    received: Instant,
}

/// The time that a command under way has to end once the input has ended.
const GRACE_PERIOD: Duration = Duration::from_millis(400);

/// The time between two checks whether the output is still read.
const CHECK_INTERVAL: Duration = Duration::from_secs(1);

/// How long a sign of life takes to be written at most, where the client reads or is gone.
const TIME_FOR_A_SIGN: Duration = Duration::from_millis(50);

/// How long a line may be on its way once the input has ended: longer than a person leaves a pager alone, but not for ever.
const MAX_UNREAD: Duration = Duration::from_secs(60);

/// The longest wait after `quit`: clients kill a process that is still there five seconds later.
const MAX_WAIT_AFTER_QUIT: Duration = Duration::from_secs(4);

/// The most bytes of a line. A game of 50,000 moves has no more.
const LONGEST_LINE: u64 = 1 << 18;

/// How many unknown options are named.
const MOST_NAMED: usize = 100;

/// Talks USI until the client says `quit` or its input ends. Both end a running search, but at the end of the input one that has
/// a limit of its own (nodes, depth, movetime) comes to it first. Earlier commands are still answered, except a long perft
/// or benchmark. Where the output is no longer read, a thread may be left behind that loads an
/// evaluation or writes.
///
/// # Errors
/// When the input cannot be read, or the system cannot start a thread.
pub fn run(input: impl BufRead, output: impl Write + Send + 'static) -> io::Result<()> {
    let output = Arc::new(Output::new(output));
    let pending = Arc::new(Pending::default());
    let (inputs, queue) = unbounded();
    let (alive, done) = bounded::<()>(0);
    let sign = signs_of_life(&output);
    let player = Player::new(Arc::clone(&output) as Arc<dyn Observer>)?;
    let stopper = player.stopper();
    let handling = {
        let (output, pending) = (Arc::clone(&output), Arc::clone(&pending));
        std::thread::Builder::new().name("session".into()).spawn(move || {
            handle_all(player, &queue, &output, &pending);
            drop(alive);
        })?
    };
    let result = read_all(input, inputs, &pending, || stopper.stop());
    let end = *result.as_ref().unwrap_or(&InputEnd::EndOfFile);
    let is_done = |time| done.recv_timeout(time) != Err(RecvTimeoutError::Timeout);
    if wait_for_handling(end, is_done, &sign, &pending, &*output)
        && let Err(panic) = handling.join()
    {
        resume_unwind(panic);
    }
    result.map(|_| ())
}

/// What asks for a sign of life. A thread of its own gives it, as a client that does not read may keep a line for ever; without
/// one there are no signs. It is started while there are addresses for it: large tables may leave none (`ulimit -v`).
fn signs_of_life<W: Write + Send + 'static>(output: &Arc<Output<W>>) -> impl Fn() + use<W> {
    let (ask, asked) = bounded::<()>(1);
    let (begun, begins) = bounded(1);
    let output = Arc::clone(output);
    let begin = move || {
        // With its first memory a thread takes what the allocator reserves for it.
        let _ = begun.send(black_box(Box::new(0_u8)));
        asked.iter().for_each(|()| output.still_there());
    };
    if std::thread::Builder::new().name("signs".into()).spawn(begin).is_ok() {
        let _ = begins.recv();
    }
    move || {
        let _ = ask.try_send(());
    }
}

/// Reads until `quit` or the end. Calls `stop` where a command ends the search and all earlier ones are handled: on a busy
/// machine the handling thread may have to wait for a processor before it can stop the search.
fn read_all(
    mut input: impl BufRead,
    inputs: Sender<Input>,
    pending: &Pending,
    stop: impl Fn(),
) -> io::Result<InputEnd> {
    let mut line = Vec::new();
    loop {
        line.clear();
        if input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)? == 0 {
            return Ok(InputEnd::EndOfFile);
        }
        let received = Instant::now();
        if line.len() as u64 == LONGEST_LINE && line.last() != Some(&b'\n') {
            input.skip_until(b'\n')?;
            let text = excerpt(&encoding::decode_lossy(&line));
            let command = Err(format!("a line of more than {} KiB is left out: {text}", LONGEST_LINE >> 10));
            pending.lines.fetch_add(1, SeqCst);
            if inputs.send(Input { text, command, received }).is_err() {
                return Ok(InputEnd::Quit);
            }
            continue;
        }
        // Some clients write paths in Shift_JIS. Text that is not UTF-8 must not end the conversation, nor must the byte
        // order mark that some systems put before the first line.
        let text = encoding::decode_lossy(&line).into_owned();
        let command = protocol::parse(&text);
        let quits = command == Ok(Command::Quit);
        if matches!(command, Ok(Command::Stop | Command::GameOver)) {
            pending.stops.fetch_add(1, SeqCst);
            if pending.lines.load(SeqCst) == 0 {
                stop();
            }
        }
        pending.lines.fetch_add(1, SeqCst);
        // It cannot be sent if the handling thread has panicked.
        if inputs.send(Input { text, command, received }).is_err() || quits {
            return Ok(InputEnd::Quit);
        }
    }
}

/// Waits until all commands are handled, and returns whether they are; `is_done` waits for that for a given time, `sign`
/// gives the client a sign of life. A perft or a benchmark has little time left. Loading goes on as long as the output is
/// read. After `quit` nothing has long: the client may not read any more, so that a thread that writes to it never ends.
fn wait_for_handling<W: Write + Send>(
    end: InputEnd,
    mut is_done: impl FnMut(Duration) -> bool,
    sign: impl Fn(),
    pending: &Pending,
    output: &Output<W>,
) -> bool {
    if is_done(GRACE_PERIOD) {
        return true;
    }
    pending.has_ended.store(true, SeqCst);
    if end == InputEnd::Quit {
        return is_done(MAX_WAIT_AFTER_QUIT - GRACE_PERIOD);
    }
    let (mut line, mut unread) = (None, Duration::ZERO);
    loop {
        sign();
        // The sign tells whether the client is still there, once it is on its way.
        if is_done(TIME_FOR_A_SIGN) {
            return true;
        }
        if output.is_broken() || unread >= MAX_UNREAD {
            return false;
        }
        if is_done(CHECK_INTERVAL) {
            return true;
        }
        let now = output.line_on_its_way();
        unread = if now.is_some() && now == line { unread + CHECK_INTERVAL } else { Duration::ZERO };
        line = now;
    }
}

/// Handles line after line, until there are no more to come.
fn handle_all<W: Write + Send>(
    mut player: Player,
    queue: &Receiver<Input>,
    output: &Output<W>,
    pending: &Pending,
) {
    let mut unknown = HashSet::new();
    for Input { text, command, received } in queue {
        output.log_input(&text, received);
        let quits = command == Ok(Command::Quit);
        match command {
            Ok(command) => handle(command, received, &mut player, &mut unknown, output, pending),
            Err(message) => output.note(&message),
        }
        pending.lines.fetch_sub(1, SeqCst);
        if quits {
            return;
        }
    }
    // The input has ended without `quit`: a script that has asked for so many nodes waits for them.
    player.finish();
}

fn handle<W: Write + Send>(
    command: Command,
    received: Instant,
    player: &mut Player,
    unknown: &mut HashSet<String>,
    output: &Output<W>,
    pending: &Pending,
) {
    let begin = Instant::now();
    let ends = || pending.ends_after(begin.elapsed());
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
            let options = player.options_mut();
            let logged = options.debug_log.clone();
            match options::set(options, &name, &value.unwrap_or_default()) {
                // A log counts at once.
                Ok(SetOutcome::Set) if name.eq_ignore_ascii_case("DebugLogFile") => {
                    if options.debug_log != logged && !output.log_to(&options.debug_log) {
                        // The same name once more is tried once more.
                        options.debug_log.clear();
                    }
                }
                Ok(SetOutcome::Set) if searches => output.note(&format!("{name}: from the next search on")),
                Ok(SetOutcome::Set) => {}
                // Clients send some options to every engine, at every game: once is enough to find a slip of the pen.
                Ok(SetOutcome::Unknown) => {
                    if unknown.len() < MOST_NAMED && unknown.insert(name.to_ascii_lowercase()) {
                        output.note(&format!("setoption name {}: there is no such option", excerpt(&name)));
                    }
                }
                Ok(SetOutcome::Pressed(Button::ClearHash)) => {
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
            let position = protocol::parse_position(&text);
            if let Err(message) = &position {
                output.note(message);
            }
            player.set_position(position);
        }
        Command::Go { limits, refused } => {
            for message in refused {
                output.note(&message);
            }
            player.go(limits, received);
        }
        Command::Debug(DebugCommand::Eval) => match player.report() {
            Ok(report) => output.say(format_args!("{report}")),
            Err(message) => output.note(&message),
        },
        Command::Debug(DebugCommand::Explain) => match player.position().cloned() {
            Ok(position) => {
                output.say(format_args!("{}", debug_commands::answer(DebugCommand::Explain, &position)));
                if let Ok(report) = player.report() {
                    let text = debug_commands::static_evaluation(position.side(), report.value());
                    output.say(format_args!("{text}"));
                }
            }
            Err(message) => output.note(message),
        },
        Command::Debug(command) => match player.position() {
            Ok(position) => output.say(format_args!("{}", debug_commands::answer(command, position))),
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
                Ok(Some(total)) => {
                    say_figures(output, total.nodes, total.time);
                    output.say(format_args!("{total}"));
                }
                Ok(None) => output.note("bench: stopped before the end"),
                Err(lacking) => output.note(&format!("bench: {lacking}")),
            }
        }
        Command::Stop => {
            pending.stops.fetch_sub(1, SeqCst);
            player.stop();
        }
        Command::GameOver => {
            pending.stops.fetch_sub(1, SeqCst);
            player.game_over();
        }
        Command::PonderHit { clock, refused } => {
            for message in refused {
                output.note(&message);
            }
            player.ponderhit(clock, received);
        }
        Command::Quit | Command::Nothing => {}
    }
}

/// The figures that scripts read come last, one a line.
fn say_figures<W: Write + Send>(output: &Output<W>, nodes: u64, time: Duration) {
    output.say(format_args!("Nodes/second: {}", rate(nodes, time)));
    output.say(format_args!("Nodes searched: {nodes}"));
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    /// A client that reads, is gone, or is there but reads no more.
    #[derive(Clone, Copy, PartialEq, Eq)]
    enum Client {
        Reads,
        IsGone,
        ReadsNoMore,
    }

    impl Write for Client {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            match self {
                Client::Reads => Ok(bytes.len()),
                Client::IsGone => Err(io::ErrorKind::BrokenPipe.into()),
                Client::ReadsNoMore => panic!("a thread that writes to this client never ends"),
            }
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// Far longer than any wait.
    const FOR_EVER: Duration = Duration::from_secs(3600);

    /// Whether the end of a command that takes `working` was waited for, and how long the wait was, by a clock that
    /// only waiting moves.
    fn leave(end: InputEnd, client: Client, working: Duration) -> (bool, Duration) {
        let output = Output::new(client);
        let pending = Pending::default();
        let mut waited = Duration::ZERO;
        let is_done = |time| {
            let left = working.saturating_sub(waited);
            waited += left.min(time);
            left <= time
        };
        let was_done = wait_for_handling(end, is_done, || output.still_there(), &pending, &output);
        // A perft has the grace period, and no longer.
        assert_eq!(pending.ends_after(waited), working > GRACE_PERIOD);
        assert!(!pending.ends_after(Duration::ZERO));
        (was_done, waited)
    }

    #[test]
    fn a_client_that_leaves_is_not_kept_waiting() {
        let loading = Duration::from_secs(3);
        for end in [InputEnd::Quit, InputEnd::EndOfFile] {
            assert_eq!(leave(end, Client::Reads, Duration::ZERO), (true, Duration::ZERO));
            assert_eq!(leave(end, Client::Reads, loading), (true, loading));
        }
        // A client that was killed needs nothing more.
        let (was_done, waited) = leave(InputEnd::EndOfFile, Client::IsGone, FOR_EVER);
        assert!(!was_done && waited < Duration::from_secs(1), "{waited:?}");
        for client in [Client::Reads, Client::IsGone, Client::ReadsNoMore] {
            let (was_done, waited) = leave(InputEnd::Quit, client, FOR_EVER);
            assert!(!was_done && waited < Duration::from_secs(5), "{waited:?}");
        }
    }

    /// A client that reads once it is told to.
    struct Waits(Receiver<()>);

    impl Write for Waits {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let _ = self.0.recv();
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_client_that_does_not_read_is_left_after_the_end_of_the_input() {
        let (read, reads) = bounded(0);
        let output = Output::new(Waits(reads));
        std::thread::scope(|scope| {
            scope.spawn(|| output.note("a line that is not read"));
            while output.line_on_its_way().is_none() {
                std::thread::yield_now();
            }
            let mut waited = Duration::ZERO;
            let is_done = |time| {
                waited += time;
                false
            };
            assert!(!wait_for_handling(InputEnd::EndOfFile, is_done, || (), &Pending::default(), &output));
            assert!((MAX_UNREAD..MAX_UNREAD * 2).contains(&waited), "{waited:?}");
            drop(read);
        });
        assert_eq!(output.line_on_its_way(), None);
    }

    #[test]
    fn a_line_without_end_is_left_out_with_a_message() {
        let (inputs, queue) = unbounded();
        let text = format!("go {}\nusi\n", "x".repeat(1 << 20));
        let end = read_all(text.as_bytes(), inputs, &Pending::default(), || ()).expect("memory can be read");
        assert_eq!(end, InputEnd::EndOfFile);
        let lines: Vec<Input> = queue.iter().collect();
        assert_eq!(lines.len(), 2);
        let message = lines[0].command.as_ref().expect_err("it is too long");
        assert!(message.starts_with("a line of more than 256 KiB is left out: go xxx"), "{message}");
        assert_eq!(lines[1].command, Ok(Command::Usi));
    }

    #[test]
    fn all_lines_are_passed_on_in_order() {
        let read = |text: &str| {
            let (inputs, queue) = unbounded();
            let pending = Pending::default();
            let stopped = Cell::new(0);
            let stop = || stopped.set(stopped.get() + 1);
            let end = read_all(text.as_bytes(), inputs, &pending, stop).expect("memory can be read");
            let lines: Vec<String> = queue.iter().map(|input| input.text.trim().to_string()).collect();
            // Nothing is handled: only a first line ends a search at once.
            (end, lines.join("/"), pending.stops.load(SeqCst), stopped.get())
        };
        for (text, expected) in [
            ("d\r\nquit now\nkey\n", (InputEnd::Quit, "d/quit now", 0, 0)),
            ("stop\nstopp", (InputEnd::EndOfFile, "stop/stopp", 1, 1)),
            (" gameover\nstop\n", (InputEnd::EndOfFile, "gameover/stop", 2, 1)),
            ("go\nstop\n", (InputEnd::EndOfFile, "go/stop", 1, 0)),
            ("", (InputEnd::EndOfFile, "", 0, 0)),
            ("\u{FEFF}stop\n", (InputEnd::EndOfFile, "stop", 1, 1)),
        ] {
            let (end, lines, stops, stopped) = read(text);
            assert_eq!((end, lines.as_str(), stops, stopped), expected, "{text:?}");
        }
    }
}
