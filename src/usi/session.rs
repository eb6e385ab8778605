//! A conversation with a client, from its first line to `quit` or the end of its input.

use std::fmt;
use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::time::Instant;

use parking_lot::Mutex;

use super::options::{self, OPTIONS};
use super::protocol::{self, Command};
use crate::engine::observer::{Answer, Info, Observer};
use crate::engine::player::Player;
use crate::search::value::Mate;

/// Writes whole lines, each flushed at once: clients read from a pipe, and two threads have something to say.
struct Output<W>(Mutex<W>);

impl<W: Write> Output<W> {
    fn say(&self, line: fmt::Arguments) {
        let mut out = self.0.lock();
        // A client that is gone closes our input as well, and that ends the session.
        let _ = writeln!(out, "{line}").and_then(|()| out.flush());
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
    let output = Arc::new(Output(Mutex::new(output)));
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
            if let Err(message) = options::set(player.settings_mut(), name, value.unwrap_or_default()) {
                output.note(&message);
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
        Command::Eval => match player.report() {
            Ok(report) => output.say(format_args!("{report}")),
            Err(message) => output.note(&message),
        },
        Command::Stop | Command::GameOver => player.stop(),
        Command::PonderHit(clock) => player.ponderhit(clock, now),
        Command::Quit | Command::Nothing => {}
    }
}
