//! Whatever a server sends: nothing panics, and the session ends when the connection does.

use std::io;
use std::time::{Duration, Instant};

use crossbeam::channel::{Sender, unbounded};
use jitsugen::csa::connection::{Connection, Incoming};
use jitsugen::csa::protocol::{self, ServerLine};
use jitsugen::csa::report::{Report, Watcher};
use jitsugen::csa::session::{Event, Session};
use jitsugen::csa::summary::SummaryReader;
use jitsugen::csa::thinker::{Task, Thinker, Thought};
use jitsugen::engine::limits::TimeControl;
use jitsugen::engine::observer::Answer;
use jitsugen::record::{csa_move, parse_csa_move};
use jitsugen::shogi::generate;
use jitsugen::shogi::position::Position;
use jitsugen::shogi::position::declaration::Rules;
use proptest::prelude::*;
use rsshogi_csa::CsaCommand;

use super::script::settings;
use super::server::{EVEN, Server};

/// Plays the first legal move at once.
struct FirstMove {
    sender: Sender<Event>,
    tasks: u64,
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
        let _ = self.sender.send(Event::Thought(self.tasks, Thought::Answer(answer)));
    }

    fn ponderhit(&mut self, _: Option<TimeControl>, _: Instant) {}

    fn stop(&mut self) {}
}

struct Nobody;

impl Watcher for Nobody {
    fn report(&mut self, _: Report) {}
}

/// A session that hears these lines, and then that the connection has ended.
fn hear(lines: &[String]) {
    let server = Server::new();
    // No record is written: there is a file where its folder should be.
    let settings = settings(&server, concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml").into());
    let (sender, events) = unbounded();
    for line in lines {
        let incoming = Incoming::Line(line.clone(), Instant::now());
        sender.send(Event::Server(0, incoming)).expect("the channel is open");
    }
    let closed = Incoming::Closed { reason: "the end".into(), half_line: None };
    sender.send(Event::Server(0, closed)).expect("the channel is open");
    let thinker = FirstMove { sender: sender.clone(), tasks: 0 };
    let mut nobody = Nobody;
    let date = || String::from("2026/01/31 12:00:00");
    let session = Session::new(&settings, thinker, &mut nobody, (sender, events), date);
    session.talk_over(Connection::over(Box::new(io::sink()), Duration::from_millis(1)));
}

/// Lines of the protocol, whole and damaged.
fn lines() -> impl Strategy<Value = Vec<String>> {
    let known: Vec<String> = EVEN
        .text()
        .lines()
        .map(str::to_string)
        .chain(
            "START:game-1 REJECT:game-1 +7776FU,T1 -3334FU,T2 +2726FU +9998KY,T0 -8384FU,T99999999999999999999 %TORYO,T1 \
             %KACHI %CHUDAN #RESIGN #WIN #CHUDAN #NEW LOGIN:incorrect LOGOUT:completed , T + - % # : BEGIN Time+ END"
                .split(' ')
                .map(str::to_string),
        )
        .chain([EVEN.text()])
        .collect();
    let damaged = (prop::sample::select(known.clone()), 0usize..40, ".?").prop_map(|(line, place, text)| {
        let place =
            (0..=line.len().min(place)).rev().find(|&place| line.is_char_boundary(place)).unwrap_or(0);
        format!("{}{text}{}", &line[..place], &line[place..])
    });
    prop::collection::vec(prop_oneof![3 => prop::sample::select(known), 1 => damaged, 1 => ".{0,40}"], 0..60)
        .prop_map(|lines| {
            lines.iter().flat_map(|line| line.lines().map(str::to_string).collect::<Vec<_>>()).collect()
        })
}

/// Another program's reading of a line has to be ours, where it has one.
fn compare(line: &str) {
    let ours = protocol::parse(line);
    match rsshogi_csa::parse_line(line) {
        Ok(CsaCommand::Move(theirs)) => {
            let ServerLine::Move { text, time, .. } = &ours else { panic!("{line}: {ours:?}") };
            assert_eq!((text.as_str(), *time), (theirs.csa.as_str(), theirs.elapsed), "{line}");
        }
        Ok(CsaCommand::LoginOk { .. }) => assert_eq!(ours, ServerLine::LoginOk, "{line}"),
        Ok(CsaCommand::LoginIncorrect) => assert_eq!(ours, ServerLine::LoginIncorrect, "{line}"),
        Ok(CsaCommand::LogoutCompleted) => assert_eq!(ours, ServerLine::LogoutCompleted, "{line}"),
        Ok(CsaCommand::BeginGameSummary) => assert_eq!(ours, ServerLine::BeginSummary, "{line}"),
        Ok(CsaCommand::Start { game_id }) => assert_eq!(ours, ServerLine::Start(game_id), "{line}"),
        Ok(CsaCommand::RejectNotice { game_id, by }) => {
            assert_eq!(ours, ServerLine::Reject { game_id, by }, "{line}");
        }
        Ok(CsaCommand::End(_)) => assert!(matches!(ours, ServerLine::Notice(_)), "{line}: {ours:?}"),
        // What only a client sends, what is ours to leave alone, and what it does not know.
        _ => {}
    }
}

#[test]
fn another_program_reads_the_lines_of_the_protocol_alike() {
    let game = include_str!("../data/csa/game.txt");
    let sides = include_str!("../data/csa/sides.txt");
    let ends = "#JISHOGI\n#MAX_MOVES\n#CENSORED\n#CHUDAN\nLOGIN:incorrect\n+7776FU\n-0055KA,'* 30 +7776FU\n-0055KA,T3,'* 30";
    game.lines().chain(sides.lines()).chain(ends.lines()).for_each(compare);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn no_line_from_a_server_ends_the_program(lines in lines()) {
        let mut began = vec!["LOGIN:us OK".to_string()];
        began.extend(EVEN.text().lines().map(str::to_string));
        began.push("START:game-1".into());
        hear(&lines);
        // The same in the middle of a game.
        began.extend(lines);
        hear(&began);
    }

    #[test]
    fn every_line_has_a_value(line in "[ -~]{0,60}") {
        let value = protocol::parse(&line);
        if let ServerLine::Move { text, .. } = &value {
            prop_assert!(line.starts_with(text.as_str()));
        }
        // Blanks at the end do not matter.
        prop_assert_eq!(protocol::parse(&format!("{line} \r")), value);
    }

    #[test]
    fn a_summary_is_a_game_or_has_a_reason(lines in lines()) {
        let mut reader = SummaryReader::default();
        let result = lines.iter().find_map(|line| reader.line(line)).or_else(|| reader.line("END Game_Summary"));
        match result.expect("the summary has ended") {
            Ok(game) => prop_assert!(!game.game_id.is_empty()),
            Err(unplayable) => prop_assert!(!unplayable.reason.is_empty()),
        }
    }

    #[test]
    fn our_moves_are_read_as_they_were_written(choices in prop::collection::vec(any::<prop::sample::Index>(), 1..120)) {
        let mut position = Position::start();
        for choice in choices {
            let moves = generate::all_legal(&position);
            if moves.is_empty() {
                break;
            }
            let mv = moves[choice.index(moves.len())];
            prop_assert_eq!(parse_csa_move(&csa_move(&position, mv), &position), Ok(mv));
            position.play(mv, &mut ());
        }
    }
}
