//! Levels of strength: what `SkillLevel` and its neighbours do to the answers.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use jitsugen::shogi::moves::Move;
use jitsugen::shogi::position::Position;
use jitsugen::shogi::sfen;

use crate::support::client::{Client, nodes};

/// White gives both rook and bishop, or all but king, golds and pawns, and moves first.
const HANDICAPS: [&str; 2] = [
    "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "3gkg3/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
];

fn player(level: u8, seed: u64) -> Client {
    let mut client = Client::start();
    client.set("Threads", 2);
    client.set("USI_OwnBook", false);
    client.set("SkillLevel", level);
    client.set("SkillSeed", seed);
    client.ready();
    client
}

fn bestmove(client: &mut Client, go: &str) -> String {
    let lines = client.search(go);
    let best = lines.last().expect("there is an answer");
    best.split(' ').nth(1).expect("it names a move").to_string()
}

/// A game of the client against itself from `start`, as far as it goes in `plies` plies. Every move has to be legal.
fn game(client: &mut Client, start: &str, plies: usize) -> Vec<String> {
    client.send("usinewgame");
    client.ready();
    let mut position = sfen::parse(start).expect("a position");
    let mut moves: Vec<String> = Vec::new();
    while moves.len() < plies {
        client.send(&format!("position sfen {start} moves {}", moves.join(" ")));
        let best = bestmove(client, "go btime 0 wtime 0 byoyomi 10000");
        if ["resign", "win"].contains(&best.as_str()) {
            break;
        }
        let mv: Move = best.parse().expect("a move");
        assert!(position.is_legal(mv), "{best} after {moves:?}");
        position.play(mv, &mut ());
        moves.push(best);
    }
    moves
}

#[test]
fn a_seed_repeats_a_game_and_the_clock_does_not() {
    let mut client = player(6, 9);
    let first = game(&mut client, sfen::START, 30);
    assert_eq!(game(&mut client, sfen::START, 30), first);
    client.set("SkillSeed", 10);
    assert_ne!(game(&mut client, sfen::START, 30), first);
    client.set("SkillSeed", 0);
    for level in [0, 10, 19] {
        client.set("SkillLevel", level);
        let games: HashSet<Vec<String>> = (0..4).map(|_| game(&mut client, sfen::START, 20)).collect();
        assert_eq!(games.len(), 4, "level {level}: {games:?}");
    }
}

#[test]
fn a_level_leaves_the_built_in_book_to_full_strength() {
    let mut client = player(10, 5);
    client.set("USI_OwnBook", true);
    client.set("BookFile", "built-in");
    client.send("position startpos");
    assert!(nodes(&client.search("go byoyomi 10000")) > 0, "it thinks");
    client.set("SkillLevel", 20);
    assert_eq!(nodes(&client.search("go byoyomi 10000")), 0, "the move is from the book");
}

#[test]
fn every_level_plays_handicap_games_by_the_rules_and_does_not_give_up_at_once() {
    let mut client = player(0, 1);
    client.set("ResignValue", 2000);
    for level in [0, 4, 9, 14, 19] {
        client.set("SkillLevel", level);
        for start in HANDICAPS {
            let moves = game(&mut client, start, 12);
            assert!(moves.len() >= 6, "level {level} from {start}: {moves:?}");
        }
    }
    // At full strength the same side resigns.
    client.set("SkillLevel", 20);
    assert_eq!(game(&mut client, HANDICAPS[1], 1), Vec::<String>::new());
}

#[test]
fn a_level_resigns_what_is_lost_and_no_more() {
    let mut client = player(0, 1);
    client.set("ResignValue", 1500);
    // White loses its rook, and has nothing left.
    client.send("position sfen 3k5/9/9/4r4/9/9/9/4R4/3K5 b - 1 moves 5h5d");
    assert_eq!(bestmove(&mut client, "go byoyomi 1000"), "resign");
    // The same position, but the game began so.
    client.send("position sfen 3k5/9/9/4R4/9/9/9/9/3K5 w R 2");
    assert_ne!(bestmove(&mut client, "go byoyomi 1000"), "resign");
}

#[test]
fn a_level_declares_and_finds_itself_mated() {
    let mut client = player(0, 1);
    client.send(
        "position sfen K+N5+L1/G+L+P+B1+R+P2/3+P2G2/9/2+p+n5/3s2+ss1/3+p+p1+s1+r/7g+n/6g+nk b 2L8Pb4p 1",
    );
    assert_eq!(bestmove(&mut client, "go byoyomi 1000"), "win");
    client.send("position sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1");
    assert_eq!(bestmove(&mut client, "go byoyomi 1000"), "resign");
}

#[test]
fn analysis_and_mate_search_are_at_full_strength() {
    let mut client = player(0, 1);
    client.send("position startpos");
    client.send("go infinite");
    // Far more than the nodes of any level.
    client.until("info depth 7");
    client.send("stop");
    client.until("bestmove");
    client.send("position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G2P 1");
    client.send("go mate 10000");
    assert_eq!(client.until("checkmate").last().map(String::as_str), Some("checkmate G*5b"));
}

#[test]
fn a_level_says_that_no_move_to_choose_from_is_legal() {
    let mut client = player(20, 1);
    client.send("position startpos");
    for level in [20, 5] {
        client.set("SkillLevel", level);
        let lines = client.search("go nodes 500 searchmoves 7g7d 1a1b");
        let said =
            lines.iter().filter(|line| line.contains("none of the moves to choose from is legal")).count();
        assert_eq!(said, 1, "level {level}: {lines:?}");
    }
}

#[test]
fn the_protocols_own_options_choose_a_level_too() {
    let mut client = player(20, 1);
    client.send("position startpos");
    let full = nodes(&client.search("go nodes 20000"));
    client.set("USI_Strength", -15);
    let unlimited = nodes(&client.search("go nodes 20000"));
    client.set("USI_LimitStrength", true);
    let limited = nodes(&client.search("go nodes 20000"));
    assert!(full > 15_000 && unlimited > 15_000 && limited < 1_000, "{full} {unlimited} {limited}");
}

#[test]
fn an_answer_takes_a_natural_time_within_the_clock() {
    let mut client = player(3, 1);
    client.send("position startpos");
    let mut time = |delay: u32, go: &str| {
        client.set("SkillDelay", delay);
        let begin = Instant::now();
        client.search(go);
        begin.elapsed()
    };
    let ms = Duration::from_millis;
    assert!(time(1000, "go btime 60000 wtime 60000 byoyomi 60000") > ms(100));
    assert!(time(600_000, "go byoyomi 2000") < ms(2000));
    // `stop` does not wait.
    client.send("go btime 600000 wtime 600000 byoyomi 600000");
    client.for_a_while(ms(50));
    client.send("stop");
    let begin = Instant::now();
    client.until("bestmove");
    assert!(begin.elapsed() < ms(1000));
}

#[test]
fn a_level_that_ponders_waits_for_ponderhit() {
    let mut client = player(2, 1);
    client.set("Stochastic_Ponder", true);
    client.send("position startpos moves 7g7f 3c3d");
    client.send("go ponder btime 10000 wtime 10000");
    let early = client.for_a_while(Duration::from_millis(100));
    assert!(!early.iter().any(|line| line.starts_with("bestmove")), "{early:?}");
    client.send("ponderhit");
    let best = client.until("bestmove").pop().unwrap();
    let mut position = Position::start();
    for text in ["7g7f", "3c3d", best.split(' ').nth(1).unwrap()] {
        let mv: Move = text.parse().unwrap();
        assert!(position.is_legal(mv), "{best}");
        position.play(mv, &mut ());
    }
}

/// Each level beats the one before with 55 to 75% of 200 games, to within the error; the last step may be larger. Level 0
/// has half of the points at most against a player that knows nothing but captures.
#[cfg(feature = "learn")]
#[test]
#[ignore = "takes about an hour in a release build, and needs the test data"]
fn each_level_beats_the_one_before() {
    use jitsugen::engine::skill::FULL_STRENGTH;
    use jitsugen::learn::experiments::levels::{Arena, Contestant, LevelSettings};
    use jitsugen::learn::selfplay::openings::Openings;

    let (openings, _) = Openings::parse(&crate::support::data::read("openings/balanced36.sfen"));
    let settings = LevelSettings { games: 200, time: Duration::from_millis(100), seed: 1 };
    let mut arena = Arena::new(num_cpus::get()).unwrap();
    for level in 0..=FULL_STRENGTH {
        let before = level.checked_sub(1).map_or(Contestant::Captures, Contestant::Level);
        let score = arena.play([Contestant::Level(level), before], &openings, settings, || ());
        println!("level {level} against {before}: {score}");
        let (least, most) = match level {
            0 => (0.0, 0.5),
            FULL_STRENGTH => (0.55, 1.0),
            _ => (0.55, 0.75),
        };
        let error = 2.0 * score.error();
        assert!(score.share() + error >= least && score.share() - error <= most, "level {level}: {score}");
    }
}
