//! `jitsugen csa`.

mod config;
mod example;
mod plain;
mod results;
mod view;

use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::thread::Builder;

use chrono::Local;
use clap::{Args, Subcommand};
use crossbeam::channel::{Receiver, Sender, unbounded};
use jitsugen::csa::report::{Report, Score, Watcher};
use jitsugen::csa::session::{Event, Leave, Session};
use jitsugen::csa::settings::Settings;
use jitsugen::csa::thinker::Engine;
use jitsugen::engine::options::EngineOptions;

use self::config::Config;
use self::plain::PlainLog;
use super::failure::Failure;

/// Play over the network, on a server that speaks the CSA protocol, such as floodgate.
///
/// The settings are in a file, or given as options, which count more. The password may also be in the environment variable
/// JITSUGEN_CSA_PASSWORD; where there is none, it is asked for. On a terminal there is a view of the game: q leaves after
/// the game, Ctrl-C breaks it off, twice at once. Otherwise, and with --plain, there is a log.
///
/// Example: jitsugen csa --example > csa.toml, and once name and password are in it: jitsugen csa csa.toml
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Csa {
    #[command(subcommand)]
    command: Option<Command>,
    /// The settings, a TOML file.
    #[arg(value_name = "CONFIG.toml")]
    file: Option<PathBuf>,
    /// Print an example of the file, with comments, and do nothing else.
    #[arg(long)]
    example: bool,
    /// Print a log instead of showing the game.
    #[arg(long)]
    plain: bool,
    /// Log every line of the protocol as well.
    #[arg(long)]
    verbose: bool,
    #[command(flatten)]
    config: Config,
}

/// What there is beside playing.
#[derive(Subcommand)]
enum Command {
    Results(results::Results),
}

impl Csa {
    pub fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        if let Some(Command::Results(results)) = self.command {
            return results.run(out);
        }
        if self.example {
            return Ok(out.write_all(example::TEXT.as_bytes())?);
        }
        let config = match &self.file {
            Some(file) => self.config.over(Config::read(file)?),
            None => self.config,
        };
        let log = config.log_file()?;
        let (settings, options) = config.settings()?;
        // A message now, rather than after the first game.
        std::fs::create_dir_all(&settings.records)
            .map_err(|error| format!("records: {}: {error}", settings.records.display()))?;
        let (sender, events) = unbounded();
        let interrupts = sender.clone();
        ctrlc::set_handler(move || drop(interrupts.send(Event::Leave(Leave::Now))))
            .map_err(|error| format!("Ctrl-C cannot be handled: {error}"))?;
        let file_log = log.map(|file| PlainLog::new(file, true));
        let channel = (sender.clone(), events);
        // In a thread of its own: a terminal that is held, or a pipe that nobody reads, must not cost time on the clock.
        let (reports, shown) = unbounded();
        let playing = Builder::new().name("csa session".into()).spawn(move || {
            let mut watcher = Both(Reports(reports), file_log);
            play(&settings, options, &mut watcher, channel)
        })?;
        let leave = |leave| drop(sender.send(Event::Leave(leave)));
        let seen = if self.plain || !std::io::stdout().is_terminal() {
            let mut log = PlainLog::new(std::io::stdout(), self.verbose);
            shown.iter().for_each(|report| log.report(report));
            Ok(())
        } else {
            view::show(&shown, leave)
        };
        if seen.is_err() {
            leave(Leave::Now);
        }
        let score = playing.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        seen?;
        Ok(writeln!(out, "Games: {score}")?)
    }
}

fn play(
    settings: &Settings,
    options: EngineOptions,
    watcher: &mut dyn Watcher,
    channel: (Sender<Event>, Receiver<Event>),
) -> Result<Score, Failure> {
    let thoughts = channel.0.clone();
    // The session may have ended.
    let engine =
        Engine::new(options, move |task, thought| drop(thoughts.send(Event::Thought(task, thought))))
            .map_err(|error| Failure::Resources(error.to_string()))?;
    let date = || Local::now().format("%Y/%m/%d %H:%M:%S").to_string();
    let session = Session::new(settings, engine, watcher, channel, date);
    session.run().map_err(|error| Failure::Message(error.to_string()))
}

/// Passes reports on to a first watcher and, where there is one, to a second.
struct Both<A, B>(A, Option<B>);

impl<A: Watcher, B: Watcher> Watcher for Both<A, B> {
    fn report(&mut self, report: Report) {
        if let Some(second) = &mut self.1 {
            second.report(report.clone());
        }
        self.0.report(report);
    }
}

/// Sends reports to the thread that shows them.
struct Reports(Sender<Report>);

impl Watcher for Reports {
    fn report(&mut self, report: Report) {
        // Nobody may look any more.
        drop(self.0.send(report));
    }
}
