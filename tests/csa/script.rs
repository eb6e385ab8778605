//! A client of the library whose engine is a script, and what it reports.

use std::collections::VecDeque;
use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crossbeam::channel::{Sender, unbounded};
use jitsugen::csa::report::{Report, Score, State, Watcher};
use jitsugen::csa::session::{Event, Leave, Session, SessionError};
use jitsugen::csa::settings::{Comments, Password, Patience, Settings};
use jitsugen::csa::thinker::{Considered, Task, Thinker, Thought};
use jitsugen::engine::clock::TimePolicy;
use jitsugen::engine::limits::TimeControl;
use jitsugen::engine::observer::Answer;
use jitsugen::record::{self, Record};
use jitsugen::shogi::moves::Move;
use jitsugen::shogi::position::declaration::Rules;

use super::server::Server;
use crate::support::folder;

/// What the engine of the script does when it is to move.
#[derive(Clone, Copy)]
pub enum Say {
    /// Plays this, and expects this reply.
    Play(&'static str, Option<&'static str>),
    /// As `Play`, with a value in hundredths of a pawn and a line.
    Value(&'static str, i32, &'static [&'static str]),
    /// Plays this once, and answers the task that is pondered on before it is asked to.
    PlayEarly(&'static str, &'static str, &'static str),
    Resign,
    Declare,
    /// Thinks until it is stopped.
    Think,
}

/// What was asked of the engine.
#[derive(Clone, Debug, PartialEq)]
pub enum Asked {
    NewGame(Rules),
    Go { ponder: bool, moves: u32, clock: Option<TimeControl>, policy: TimePolicy },
    PonderHit(Option<TimeControl>),
    Stop,
}

pub struct Script {
    says: VecDeque<Say>,
    asked: Arc<Mutex<Vec<Asked>>>,
    sender: Sender<Event>,
    tasks: u64,
    /// Whether the last task has no answer yet.
    is_open: bool,
    /// What is answered before it is asked for.
    early: Option<&'static str>,
}

fn mv(text: &str) -> Move {
    text.parse().expect("a move of the script")
}

impl Script {
    fn send(&self, thought: Thought) {
        // The session may be over.
        let _ = self.sender.send(Event::Thought(self.tasks, thought));
    }

    fn answer(&mut self, answer: Answer) {
        self.is_open = false;
        self.send(Thought::Answer(answer));
    }

    fn close(&mut self) {
        if self.is_open {
            self.answer(Answer::Resign);
        }
    }

    fn say(&mut self) {
        match self.says.pop_front() {
            None | Some(Say::Think) => {}
            Some(Say::Play(best, ponder)) => {
                self.answer(Answer::Move { best: mv(best), ponder: ponder.map(mv) });
            }
            Some(Say::PlayEarly(best, reply, next)) => {
                self.early = Some(next);
                self.answer(Answer::Move { best: mv(best), ponder: Some(mv(reply)) });
            }
            Some(Say::Value(best, centipawns, line)) => {
                let line = line.iter().map(|text| mv(text)).collect();
                self.send(Thought::Line(Considered { centipawns, line, ..Considered::default() }));
                self.answer(Answer::Move { best: mv(best), ponder: None });
            }
            Some(Say::Resign) => self.answer(Answer::Resign),
            Some(Say::Declare) => self.answer(Answer::Declare),
        }
    }
}

impl Thinker for Script {
    fn prepare(&mut self) {}

    fn new_game(&mut self, rules: Rules) {
        self.asked.lock().unwrap().push(Asked::NewGame(rules));
    }

    fn go(&mut self, task: Task, _: Instant) {
        self.close();
        let Task { position, clock, policy, ponder } = task;
        let moves = position.move_number() - 1;
        self.asked.lock().unwrap().push(Asked::Go { ponder, moves, clock, policy });
        self.tasks += 1;
        self.is_open = true;
        if !ponder {
            self.say();
        } else if let Some(best) = self.early.take() {
            self.answer(Answer::Move { best: mv(best), ponder: None });
        }
    }

    fn ponderhit(&mut self, clock: Option<TimeControl>, _: Instant) {
        self.asked.lock().unwrap().push(Asked::PonderHit(clock));
        self.say();
    }

    fn stop(&mut self) {
        self.asked.lock().unwrap().push(Asked::Stop);
        self.close();
    }
}

/// Keeps what is reported.
#[derive(Clone, Default)]
pub struct Reports(pub Arc<Mutex<Vec<Report>>>);

impl Watcher for Reports {
    fn report(&mut self, report: Report) {
        self.0.lock().unwrap().push(report);
    }
}

/// A client that runs, and the server it talks to.
pub struct Client {
    pub server: Server,
    pub reports: Reports,
    pub asked: Arc<Mutex<Vec<Asked>>>,
    pub records: PathBuf,
    sender: Sender<Event>,
    session: Option<JoinHandle<Result<Score, SessionError>>>,
}

/// A client's settings for a test: it waits long for nothing but a slow machine, and hardly pauses.
pub fn settings(server: &Server, records: PathBuf) -> Settings {
    Settings {
        server: server.host(),
        port: server.port(),
        name: "us".into(),
        password: Password("secret".into()),
        games: Some(1),
        ponder: false,
        comments: Comments::Auto,
        records,
        policy: TimePolicy::default(),
        margin: Duration::from_millis(50),
        patience: Patience {
            connect: Duration::from_secs(10),
            answer: Duration::from_secs(20),
            agreement: Duration::from_secs(20),
            first_pause: Duration::from_millis(5),
            longest_pause: Duration::from_millis(20),
            ..Patience::default()
        },
    }
}

impl Client {
    /// A client whose settings are those of `settings` after `change`, and whose engine says this. Its records are in a folder
    /// called after the test.
    pub fn begin(name: &str, says: &[Say], change: impl FnOnce(&mut Settings)) -> Client {
        Client::begin_at(Server::new(), name, says, change)
    }

    pub fn begin_at(server: Server, name: &str, says: &[Say], change: impl FnOnce(&mut Settings)) -> Client {
        let records = folder::empty(&format!("csa {name}"));
        let mut settings = settings(&server, records.clone());
        change(&mut settings);
        let (sender, events) = unbounded();
        let (reports, asked) = (Reports::default(), Arc::default());
        let thinker = Script {
            says: says.iter().copied().collect(),
            asked: Arc::clone(&asked),
            sender: sender.clone(),
            tasks: 0,
            is_open: false,
            early: None,
        };
        let session = {
            let (mut reports, channel) = (reports.clone(), (sender.clone(), events));
            let date = || "2026/01/31 12:00:00".to_string();
            std::thread::spawn(move || Session::new(&settings, thinker, &mut reports, channel, date).run())
        };
        Client { server, reports, asked, records, sender, session: Some(session) }
    }

    /// The user leaves.
    pub fn leave(&self, leave: Leave) {
        self.sender.send(Event::Leave(leave)).expect("the session runs");
    }

    /// Waits for the end of the session.
    pub fn result(&mut self) -> Result<Score, SessionError> {
        self.session.take().expect("nobody has asked").join().expect("a session does not panic")
    }

    /// The same, with its score in words.
    pub fn score(&mut self) -> String {
        self.result().expect("the session ends well").to_string()
    }

    /// What was asked of the engine.
    pub fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }

    /// The warnings so far.
    pub fn warnings(&self) -> Vec<String> {
        let reports = self.reports.0.lock().unwrap();
        let warnings = reports.iter().filter_map(|report| match report {
            Report::Warning(text) => Some(text.clone()),
            _ => None,
        });
        warnings.collect()
    }

    /// Waits for a warning with these words.
    pub fn wait_for_warning(&self, words: &str) {
        let begin = Instant::now();
        while !self.warnings().iter().any(|text| text.contains(words)) {
            assert!(begin.elapsed() < Duration::from_secs(20), "no '{words}' in {:?}", self.warnings());
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    /// Waits until the session has come to this state.
    pub fn wait_for_state(&self, state: &State) {
        let begin = Instant::now();
        let is_there = |report: &Report| matches!(report, Report::State(found) if found == state);
        while !self.reports.0.lock().unwrap().iter().any(is_there) {
            assert!(begin.elapsed() < Duration::from_secs(20), "no {state:?}");
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    /// The pauses that were announced.
    pub fn pauses(&self) -> Vec<Duration> {
        let reports = self.reports.0.lock().unwrap();
        let pauses = reports.iter().filter_map(|report| match report {
            Report::State(State::Pausing(pause)) => Some(*pause),
            _ => None,
        });
        pauses.collect()
    }

    /// The records that were written, in the order of their names.
    pub fn records(&self) -> Vec<Record> {
        let mut paths: Vec<PathBuf> = fs::read_dir(&self.records)
            .expect("the folder is there")
            .map(|entry| entry.expect("it can be read").path())
            .collect();
        paths.sort();
        let read = |path| {
            let bytes = fs::read(&path).expect("it can be read");
            record::read(&bytes, None).unwrap_or_else(|error| panic!("{path:?}: {error}")).remove(0)
        };
        paths.into_iter().map(read).collect()
    }

    /// The text of the one record.
    pub fn record_text(&self, game_id: &str) -> String {
        fs::read_to_string(self.records.join(format!("{game_id}.csa"))).expect("there is a record")
    }
}
