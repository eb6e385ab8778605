//! Another reader of USI, rsshogi-usi, against ours: a line that both accept means the same to both, and it reads our
//! lines.
//!
//! It refuses some lines that clients send (docs/internals/dependencies.md). The other tests have those.

use std::time::Duration;

use jitsugen::engine::limits::{Limits, TimeControl};
use jitsugen::engine::observer::{Answer, Info};
use jitsugen::search::Line;
use jitsugen::search::tt::Bound;
use jitsugen::search::value::{Mate, Value};
use jitsugen::shogi::color::PerColor;
use jitsugen::shogi::moves::Move;
use jitsugen::shogi::position::Position;
use jitsugen::shogi::sfen;
use jitsugen::usi::options::OPTIONS;
use jitsugen::usi::protocol::{self, Command};
use proptest::prelude::*;
use rsshogi_usi::{
    BestMove, BestMoveKind, CheckmateResponse, GoParams, MateScore, ScoreBound, ScoreValue, UsiCommand,
    UsiOptionKind, parse_line, parse_line_strict,
};

use crate::support::games::random_game;

/// Its reading of `go` in our types.
fn limits(go: &GoParams) -> Limits {
    let given = [go.btime, go.wtime, go.binc, go.winc, go.byoyomi];
    let of = |time: Option<u64>| Duration::from_millis(time.unwrap_or(0));
    let clock = TimeControl {
        time: PerColor([of(go.btime), of(go.wtime)]),
        increment: PerColor([of(go.binc), of(go.winc)]),
        byoyomi: of(go.byoyomi),
    };
    Limits {
        clock: given.iter().any(Option::is_some).then_some(clock),
        move_time: go.movetime.map(Duration::from_millis),
        nodes: go.nodes,
        depth: go.depth,
        infinite: go.infinite,
        ponder: go.ponder,
        only: go.searchmoves.iter().map(|mv| mv.parse().expect("only moves were written")).collect(),
        ..Limits::default()
    }
}

/// A part of a `go` command.
fn part() -> impl Strategy<Value = String> {
    let names = ["btime", "wtime", "binc", "winc", "byoyomi", "movetime", "movestogo", "nodes"];
    prop_oneof![
        8 => (proptest::sample::select(names.to_vec()), 0u64..10_000_000_000)
            .prop_map(|(name, number)| format!("{name} {number}")),
        1 => (1u32..).prop_map(|depth| format!("depth {depth}")),
        1 => Just("ponder".to_string()),
        1 => Just("infinite".to_string()),
        1 => Just("searchmoves 7g7f 2g2f P*5e 8h2b+".to_string()),
    ]
}

/// A score, or a mate in so many plies for either side.
fn value() -> impl Strategy<Value = Value> {
    prop_oneof![
        (-31_000i32..31_000).prop_map(Value::new),
        (1usize..127).prop_map(Value::mate_in),
        (0usize..127).prop_map(Value::mated_in),
    ]
}

fn joined(moves: &[Move]) -> String {
    moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

const BOUNDS: [Bound; 3] = [Bound::Exact, Bound::Lower, Bound::Upper];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn both_readers_agree_on_limits(
        parts in proptest::collection::vec(part(), 0..6),
        blank in proptest::sample::select(vec![" ", "  ", "\t"]),
    ) {
        let text = format!("go{blank}{}", parts.join(" ").replace(' ', blank));
        let Ok(UsiCommand::Go(go)) = parse_line(&text) else { panic!("{text}") };
        let expected = Command::Go { limits: limits(&go), refused: Vec::new() };
        prop_assert_eq!(protocol::parse(&text), Ok(expected));
    }

    #[test]
    fn both_readers_agree_on_positions((moves, position) in random_game(60), start: bool) {
        let text = match start {
            true => format!("position startpos moves {}", joined(&moves)),
            false => format!("position sfen {}", sfen::write(&position)),
        };
        let Ok(UsiCommand::Position { spec, moves }) = parse_line(&text) else { panic!("{text}") };
        let replayed = spec.replay(
            &moves,
            || Ok(Position::start()),
            |text| sfen::parse(text).map_err(|error| error.to_string()),
            |position, mv| {
                position.play(mv.parse().map_err(|_| mv.to_string())?, &mut ());
                Ok::<(), String>(())
            },
        );
        let Ok(Command::Position(rest)) = protocol::parse(&text) else { panic!("{text}") };
        let read = protocol::parse_position(&rest).expect("it was generated");
        prop_assert_eq!(sfen::write(&read), sfen::write(&replayed.expect("it was generated")));
    }

    #[test]
    fn both_readers_agree_on_options(name in "[A-Za-z_0-9]{1,12}", value in proptest::option::of("[^\\s<][^\\s]{0,8}")) {
        prop_assume!(name != "value");
        let text = match &value {
            Some(value) => format!("setoption name {name} value {value}"),
            None => format!("setoption name {name}"),
        };
        let Ok(UsiCommand::SetOption { name: its_name, value: its_value }) = parse_line(&text) else {
            panic!("{text}")
        };
        let read = Command::SetOption { name: its_name, value: its_value };
        prop_assert_eq!(protocol::parse(&text), Ok(read));
    }

    #[test]
    fn the_other_reader_reads_our_info_lines(
        (moves, _) in random_game(60), value in value(), depth in 0u32..127, multipv in 1u32..600,
        nodes in 0u64..u64::MAX / 2, milliseconds in 0u64..1 << 40, bound in 0usize..3,
    ) {
        let line = Line { multipv_index: multipv, depth, seldepth: depth, value, nodes, moves };
        let elapsed = Duration::from_millis(milliseconds);
        let text = protocol::info(&Info { line: &line, nodes, bound: BOUNDS[bound], elapsed, hashfull: 7 });
        let Ok(UsiCommand::Info(info)) = parse_line(&text) else { panic!("{text}") };
        prop_assert!(info.extras.is_empty() && info.string.is_none() && info.currmove.is_none(), "{text}");
        prop_assert_eq!((info.depth, info.seldepth, info.multipv), (Some(depth), Some(depth), Some(multipv)));
        prop_assert_eq!((info.nodes, info.time, info.hashfull), (Some(nodes), Some(milliseconds), Some(7)));
        prop_assert!(info.nps.is_some());
        prop_assert_eq!(info.pv.join(" "), joined(&line.moves));
        let score = info.score.expect("every line has one");
        prop_assert_eq!(score.bound, [None, Some(ScoreBound::Lower), Some(ScoreBound::Upper)][bound]);
        match (score.value, value.mate_distance()) {
            (ScoreValue::Cp(cp), None) => prop_assert_eq!(cp, value.cp()),
            (ScoreValue::Mate(MateScore::Ply(its)), Some(Mate::Gives(plies))) => {
                prop_assert_eq!(its, plies as i32);
            }
            (ScoreValue::Mate(MateScore::Ply(its)), Some(Mate::Suffers(plies))) => {
                prop_assert_eq!(its, -(plies as i32));
            }
            other => prop_assert!(false, "{other:?}: {text}"),
        }
    }
}

#[test]
fn the_other_reader_reads_our_answers_and_options() {
    let (best, reply): (Move, Move) = ("7g7f".parse().unwrap(), "3c3d".parse().unwrap());
    let moved = |ponder: Option<&str>| {
        let bestmove = BestMoveKind::Move("7g7f".into());
        UsiCommand::BestMove(BestMove { bestmove, ponder: ponder.map(String::from) })
    };
    for (answer, expected) in [
        (Answer::Move { best, ponder: Some(reply) }, moved(Some("3c3d"))),
        (Answer::Move { best, ponder: None }, moved(None)),
        (Answer::Resign, UsiCommand::BestMove(BestMove::resign())),
        (Answer::Declare, UsiCommand::BestMove(BestMove::win())),
        (Answer::Checkmate(vec![best, reply]), UsiCommand::checkmate_moves(["7g7f", "3c3d"])),
        (Answer::NoMate, UsiCommand::Checkmate(CheckmateResponse::NoMate)),
        (Answer::MateUnknown, UsiCommand::Checkmate(CheckmateResponse::Timeout)),
    ] {
        // The strict reader accepts only what it would write itself.
        assert_eq!(parse_line_strict(&protocol::answer(answer)), Ok(expected));
    }
    for option in OPTIONS {
        let text = option.to_string();
        let Ok(UsiCommand::Option(read)) = parse_line_strict(&text) else { panic!("{text}") };
        assert_eq!(read.name, option.name);
        assert!(read.extras.is_empty() && !matches!(read.kind, UsiOptionKind::Other(_)), "{text}");
        assert_eq!(read.default.is_none(), read.kind == UsiOptionKind::Button, "{text}");
        assert_eq!(read.min.is_some() && read.max.is_some(), read.kind == UsiOptionKind::Spin, "{text}");
        assert_eq!(read.vars.is_empty(), read.kind != UsiOptionKind::Combo, "{text}");
    }
}
