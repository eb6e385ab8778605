//! A conversation with a client, from its first line to `quit` or the end of its input.

use std::fmt;
use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use super::answers;
use super::log::Log;
use super::options::{self, OPTIONS, Press};
use super::protocol::{self, Command, Question};
use crate::bench;
use crate::engine::observer::{Answer, Info, Observer};
use crate::engine::player::Player;
use crate::search::value::Mate;
use crate::shogi::perft;

/// Writes whole lines, each flushed at once: clients read from a pipe, and two threads have something to say.
struct Output<W> {
    out: Mutex<W>,
    log: Mutex<Option<Log>>,
}

impl<W: Write + Send> Output<W> {
    fn say(&self, line: fmt::Arguments) {
        // One write for a line, however the stream is buffered.
        let mut text = line.to_string();
        text.push('\n');
        let mut out = self.out.lock();
        // A client that is gone closes our input as well, and that ends the session.
        let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
        if let Some(log) = &mut *self.log.lock() {
            log.written(text.trim_end());
        }
    }

    /// Logs to `path` from now on; to nowhere where it is empty.
    fn log_to(&self, path: &str) {
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
        *self.log.lock() = log;
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

/// Talks USI until the client says `quit` or its input ends, which also ends a running search.
///
/// # Errors
/// When the input cannot be read.
pub fn run(mut input: impl BufRead, output: impl Write + Send + 'static) -> io::Result<()> {
    let output = Arc::new(Output { out: Mutex::new(output), log: Mutex::new(None) });
    let mut player = Player::new(Arc::clone(&output) as Arc<dyn Observer>);
    let mut line = Vec::new();
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        let now = Instant::now();
        // Clients send paths in whatever encoding; what is not UTF-8 must not end the conversation.
        let text = String::from_utf8_lossy(&line);
        if let Some(log) = &mut *output.log.lock() {
            log.read(&text);
        }
        match protocol::parse(&text) {
            Ok(Command::Quit) => return Ok(()),
            Ok(command) => obey(command, now, &mut player, &output),
            Err(message) => output.note(&message),
        }
    }
}

fn obey<W: Write + Send>(command: Command, now: Instant, player: &mut Player, output: &Output<W>) {
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
            let settings = player.settings_mut();
            let logged = settings.debug_log.clone();
            match options::set(settings, name, value.unwrap_or_default()) {
                Ok(None) if settings.debug_log != logged => output.log_to(&settings.debug_log),
                Ok(None) => {}
                Ok(Some(Press::ClearHash)) => player.forget(),
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
            Ok(position) => {
                let nodes = perft::perft(&mut position.clone(), depth);
                say_figures(output, nodes, now.elapsed());
            }
            Err(message) => output.note(message),
        },
        Command::Bench if player.is_searching() => output.note("bench: expected no search to run"),
        Command::Bench => {
            let total = bench::run(bench::DEPTH, |_, _, text, nodes| {
                output.say(format_args!("info string {nodes} nodes: {text}"));
            });
            say_figures(output, total.nodes, total.time);
        }
        Command::Stop | Command::GameOver => player.stop(),
        Command::PonderHit(clock) => player.ponderhit(clock, now),
        Command::Quit | Command::Nothing => {}
    }
}

/// The figures that scripts read come last, one a line.
fn say_figures<W: Write + Send>(output: &Output<W>, nodes: u64, time: Duration) {
    let per_second = (nodes as f64 / time.as_secs_f64().max(1e-9)) as u64;
    output.say(format_args!("Nodes/second: {per_second}"));
    output.say(format_args!("Nodes searched: {nodes}"));
}
