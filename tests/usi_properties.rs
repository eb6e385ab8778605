//! USI as text against random input: nothing panics, written lines read back, and a refusal says what is wrong.

use std::time::Duration;

use jitsugen::engine::limits::Limits;
use jitsugen::engine::observer::{Answer, Info};
use jitsugen::engine::options::EngineOptions;
use jitsugen::search::Line;
use jitsugen::search::tt::Bound;
use jitsugen::search::value::{Mate, Value};
use jitsugen::shogi::color::Color;
use jitsugen::shogi::sfen;
use jitsugen::usi::options::{self, OPTIONS};
use jitsugen::usi::protocol::{self, Command};
use proptest::prelude::*;

use crate::support::games::random_game;

/// Words that clients send, and others.
fn word() -> impl Strategy<Value = String> {
    let known = [
        "usi",
        "isready",
        "setoption",
        "name",
        "value",
        "position",
        "startpos",
        "sfen",
        "moves",
        "go",
        "ponder",
        "btime",
        "wtime",
        "binc",
        "winc",
        "byoyomi",
        "infinite",
        "mate",
        "nodes",
        "depth",
        "movetime",
        "perft",
        "rtime",
        "searchmoves",
        "stop",
        "ponderhit",
        "gameover",
        "win",
        "7g7f",
        "P*5e",
        "resign",
        "-1",
        "0",
        "100",
        "99999999999999999999",
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL",
        "b",
        "-",
        "1",
        "<empty>",
        "USI_Hash",
        "d",
        "key",
        "movestogo",
    ];
    prop_oneof![6 => proptest::sample::select(known.to_vec()).prop_map(String::from), 1 => ".{0,12}"]
}

fn line() -> impl Strategy<Value = String> {
    (proptest::collection::vec(word(), 0..10), proptest::sample::select(vec![" ", "  ", "\t", " \u{3000}"]))
        .prop_map(|(words, blank)| words.join(blank))
}

const BOUNDS: [Bound; 3] = [Bound::Exact, Bound::Lower, Bound::Upper];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn every_line_is_read_or_refused(line in line()) {
        match protocol::parse(&line) {
            Ok(Command::Position(text)) => {
                if let Err(message) = protocol::parse_position(&text) {
                    prop_assert!(message.starts_with("position") && !message.contains('\n'));
                    prop_assert!(message.len() < 600, "{message}");
                }
            }
            Ok(Command::SetOption { name, value }) => {
                let mut settings = EngineOptions::default();
                let before = settings.clone();
                if let Err(message) = options::set(&mut settings, &name, &value.unwrap_or_default()) {
                    prop_assert!(message.contains("expected"));
                    prop_assert_eq!(settings, before);
                }
            }
            Ok(_) => {}
            Err(message) => prop_assert!(!message.contains('\n') && message.len() < 600),
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = protocol::parse(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn clocks_are_read_in_any_order(
        times in proptest::array::uniform5(-1_000_000i64..100_000_000),
        order in Just(["btime", "wtime", "binc", "winc", "byoyomi"]).prop_shuffle(),
        ponder: bool,
    ) {
        let names = ["btime", "wtime", "binc", "winc", "byoyomi"];
        let at = |name: &str| times[names.iter().position(|known| *known == name).unwrap()];
        let mut text = String::from(if ponder { "go ponder" } else { "go" });
        for name in order {
            text.push_str(&format!(" {name} {}", at(name)));
        }
        let Ok(Command::Go { limits, refused }) = protocol::parse(&text) else { panic!("{text}") };
        prop_assert!(refused.is_empty());
        let clock = limits.clock.unwrap();
        let expected = |name: &str| Duration::from_millis(at(name).max(0).unsigned_abs());
        prop_assert_eq!(clock.time[Color::Black], expected("btime"));
        prop_assert_eq!(clock.time[Color::White], expected("wtime"));
        prop_assert_eq!(clock.increment[Color::Black], expected("binc"));
        prop_assert_eq!(clock.increment[Color::White], expected("winc"));
        prop_assert_eq!(clock.byoyomi, expected("byoyomi"));
        prop_assert_eq!(limits.ponder, ponder);
        // The same after ponderhit, which replaces the times.
        let hit = text.replacen(if ponder { "go ponder" } else { "go" }, "ponderhit", 1);
        prop_assert_eq!(protocol::parse(&hit), Ok(Command::PonderHit { clock: Some(clock), refused: Vec::new() }));
    }

    #[test]
    fn positions_round_trip((moves, position) in random_game(60), blanks in 1usize..4) {
        let blank = " ".repeat(blanks);
        let words: Vec<String> = moves.iter().map(ToString::to_string).collect();
        let played = format!("startpos{blank}moves{blank}{}", words.join(&blank));
        let read = protocol::parse_position(&played).unwrap();
        prop_assert_eq!(sfen::write(&read), sfen::write(&position));
        prop_assert_eq!(read.move_number() as usize, 1 + moves.len());
        let written = protocol::parse_position(&format!("sfen {}", sfen::write(&position))).unwrap();
        prop_assert_eq!(written.key(), position.key());
    }

    #[test]
    fn info_lines_have_their_fields_in_one_order(
        (moves, _) in random_game(60), value in -31_000i32..31_000, depth in 0u32..127, multipv in 1u32..600,
        nodes: u64, milliseconds in 0u64..u64::MAX / 2, bound in 0usize..3,
    ) {
        prop_assume!(!moves.is_empty());
        let line = Line { multipv_index: multipv, depth, seldepth: depth, value: Value::new(value), nodes, moves };
        let elapsed = Duration::from_millis(milliseconds);
        let text = protocol::info(&Info { line: &line, nodes: line.nodes, bound: BOUNDS[bound], elapsed, hashfull: 7 });
        prop_assert!(!text.contains("  ") && !text.ends_with(' ') && text.is_ascii());
        let words: Vec<&str> = text.split(' ').collect();
        let names: Vec<&str> =
            words.iter().copied().filter(|word| word.bytes().all(|b| b.is_ascii_lowercase())).collect();
        let mut expected = vec![
            "info", "depth", "seldepth", "multipv", "score", "cp", "nodes", "nps", "hashfull", "time", "pv",
        ];
        if let Some(word) = [None, Some("lowerbound"), Some("upperbound")][bound] {
            expected.insert(6, word);
        }
        prop_assert_eq!(names, expected);
        for name in ["depth", "multipv", "cp", "nodes", "nps", "hashfull", "time"] {
            let at = words.iter().position(|word| *word == name).unwrap();
            prop_assert!(words[at + 1].parse::<i128>().is_ok(), "{text}");
        }
    }
}

#[test]
fn answers_and_options_are_written_as_usi_has_them() {
    let (best, reply) = ("7g7f".parse().unwrap(), "3c3d".parse().unwrap());
    for (answer, text) in [
        (Answer::Move { best, ponder: Some(reply) }, "bestmove 7g7f ponder 3c3d"),
        (Answer::Move { best, ponder: None }, "bestmove 7g7f"),
        (Answer::Resign, "bestmove resign"),
        (Answer::Declare, "bestmove win"),
    ] {
        assert_eq!(protocol::answer(answer), text);
    }
    assert_eq!(protocol::nothing_to_search(Mate::Suffers(0)), "info depth 0 score mate -0 pv");
    for option in OPTIONS {
        let text = option.to_string();
        assert!(text.starts_with("option name ") && text.is_ascii() && !text.contains("  "), "{text}");
        assert_eq!(text.split(' ').nth(3), Some("type"));
    }
    assert!(Limits::default().is_open());
}
