//! Any bytes from a server: no panic, and the session ends when the connection does.
//!
//! The bytes are cut into lines as they come from a socket. The engine plays the first legal move at once; no record is
//! written, as there is no folder for it.
#![no_main]

use std::io;
use std::time::{Duration, Instant};

use crossbeam::channel::{Sender, unbounded};
use jitsugen::csa::connection::{Connection, Incoming};
use jitsugen::csa::lines::{Line, LineSplitter};
use jitsugen::csa::report::{Report, Watcher};
use jitsugen::csa::session::{Event, Session};
use jitsugen::csa::settings::{Comments, Password, Patience, Settings};
use jitsugen::csa::thinker::{Considered, Task, Thinker, Thought};
use jitsugen::engine::clock::TimePolicy;
use jitsugen::engine::limits::TimeControl;
use jitsugen::engine::observer::Answer;
use jitsugen::shogi::generate;
use jitsugen::shogi::position::declaration::Rules;
use libfuzzer_sys::fuzz_target;

struct FirstMove {
    sender: Sender<Event>,
    tasks: u64,
}

impl FirstMove {
    fn send(&self, thought: Thought) {
        let _ = self.sender.send(Event::Thought(self.tasks, thought));
    }
}

impl Thinker for FirstMove {
    fn prepare(&mut self) {}

    fn new_game(&mut self, _: Rules) {}

    fn go(&mut self, task: Task, _: Instant) {
        self.tasks += 1;
        let answer = match generate::all_legal(&task.position).first() {
            Some(&best) => Answer::Move { best, ponder: None },
            None => Answer::Resign,
        };
        if let Answer::Move { best, .. } = answer {
            self.send(Thought::Line(Considered { line: vec![best], ..Considered::default() }));
        }
        self.send(Thought::Answer(answer));
    }

    fn ponderhit(&mut self, _: Option<TimeControl>, _: Instant) {}

    fn stop(&mut self) {}
}

struct Nobody;

impl Watcher for Nobody {
    fn report(&mut self, _: Report) {}
}

fn settings() -> Settings {
    Settings {
        server: "nowhere".into(),
        port: 0,
        name: "us".into(),
        password: Password("secret".into()),
        games: Some(3),
        ponder: true,
        comments: Comments::Always,
        records: concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml").into(),
        policy: TimePolicy::default(),
        margin: Duration::ZERO,
        patience: Patience::default(),
    }
}

fuzz_target!(|bytes: &[u8]| {
    let (sender, events) = unbounded();
    let mut splitter = LineSplitter::default();
    for line in splitter.add(bytes) {
        let incoming = match line {
            Line::Whole(text) => Incoming::Line(text, Instant::now()),
            Line::TooLong => Incoming::TooLong,
        };
        sender.send(Event::Server(0, incoming)).expect("the channel is open");
    }
    let closed = Incoming::Closed { reason: "the end".into(), half_line: splitter.rest() };
    sender.send(Event::Server(0, closed)).expect("the channel is open");
    let (settings, mut nobody) = (settings(), Nobody);
    let thinker = FirstMove { sender: sender.clone(), tasks: 0 };
    let date = || String::from("2026/01/31 12:00:00");
    let session = Session::new(&settings, thinker, &mut nobody, (sender, events), date);
    session.talk_over(Connection::over(Box::new(io::sink()), Duration::from_millis(1)));
});
