//! Conversations with the built binary, as clients have them.

#[path = "common/client.rs"]
mod client;
#[path = "common/untimed.rs"]
mod untimed;

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use client::Client;
use jitsugen::shogi::position::Position;
use untimed::untimed;

/// Far longer than anything here takes, for busy machines.
const PATIENCE: Duration = Duration::from_secs(20);

#[test]
fn handshake_and_a_first_move() {
    let mut client = Client::start_bare(&[]);
    client.send("usi");
    let declared = client.until("usiok", Duration::from_secs(2));
    assert!(declared.iter().any(|line| line.starts_with("id name Jitsugen")));
    for line in declared.iter().filter(|line| line.starts_with("option")) {
        assert_eq!(line.split(' ').nth(3), Some("type"), "{line}");
    }
    client.send("isready");
    client.until("readyok", PATIENCE);
    client.send("usinewgame");
    client.send("position startpos moves 7g7f");
    client.send("go btime 0 wtime 0 byoyomi 100");
    let lines = client.until("bestmove", PATIENCE);
    let last_info = &lines[lines.len() - 2];
    assert!(last_info.contains(" score ") && last_info.contains(" pv "), "{last_info}");
}

#[test]
fn works_without_usi_and_with_windows_line_ends() {
    let mut client = Client::start(&[]);
    client.send("isready\r");
    client.until("readyok", PATIENCE);
    client.send("position  startpos   moves 7g7f \t 3c3d\r");
    client.send("go nodes 2000\r");
    client.until("bestmove", PATIENCE);
}

#[test]
fn infinite_and_ponder_wait_for_stop() {
    for go in [
        "go infinite",
        "go ponder",
        "go ponder btime 100 wtime 100",
        "go",
        "go infinite depth 1",
        "go ponder nodes 10",
    ] {
        // A mated side, a position that cannot be read and an ordinary one: none is answered early.
        for position in ["startpos", "sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1", "sfen nonsense"] {
            let mut client = Client::start(&[]);
            client.send(&format!("position {position}"));
            client.send(go);
            let early = client.for_a_while(Duration::from_millis(80));
            assert!(!early.iter().any(|line| line.starts_with("bestmove")), "{go}: {early:?}");
            client.send("stop");
            client.until("bestmove", PATIENCE);
            client.send("stop");
            let late = client.for_a_while(Duration::from_millis(30));
            assert!(!late.iter().any(|line| line.starts_with("bestmove")), "{go}: {late:?}");
        }
    }
}

#[test]
fn ponderhit_starts_the_clock() {
    for (go, hit) in [
        ("go ponder btime 0 wtime 0 byoyomi 200", "ponderhit"),
        ("go ponder", "ponderhit btime 0 wtime 0 byoyomi 200"),
        ("go ponder", "ponderhit"),
    ] {
        let mut client = Client::start(&[]);
        client.send("position startpos");
        client.send(go);
        client.for_a_while(Duration::from_millis(300));
        client.send(hit);
        let begin = Instant::now();
        client.until("bestmove", PATIENCE);
        assert!(begin.elapsed() > Duration::from_millis(100), "{go} / {hit}");
    }
}

/// A delay of nearly all the time would leave hardly any of it.
#[test]
fn what_is_set_while_pondering_waits_for_the_next_search() {
    let mut client = Client::start(&[]);
    client.send("isready");
    client.until("readyok", PATIENCE);
    client.send("setoption name NoSuchOption value 1");
    client.send("go ponder btime 0 wtime 0 byoyomi 1500");
    client.send("setoption name NetworkDelay2 value 1400");
    client.send("setoption name NoSuchOption value 1");
    client.send("isready");
    let said = client.until("readyok", PATIENCE);
    assert!(said.contains(&"info string NetworkDelay2: from the next search on".to_string()), "{said:?}");
    assert!(!said.iter().any(|line| line.contains("NoSuchOption")), "{said:?}");
    for (go, hasty) in [("ponderhit", false), ("go btime 0 wtime 0 byoyomi 1500", true)] {
        client.send(go);
        let begin = Instant::now();
        client.until("bestmove", PATIENCE);
        assert_eq!(begin.elapsed() < Duration::from_millis(1000), hasty, "{go}: {:?}", begin.elapsed());
    }
}

/// Whatever position a client states meanwhile: White's clock is long here, and a refused position has none.
#[test]
fn ponderhit_goes_by_the_clock_of_the_position_pondered_on() {
    for meanwhile in ["position startpos moves 7g7f 3c3d 2g2f", "position startpos moves 7g7f 3c3d 1a1b"] {
        let mut client = Client::start(&[]);
        client.send("isready");
        client.until("readyok", PATIENCE);
        client.send("position startpos moves 7g7f 3c3d");
        client.send("go ponder btime 1000 wtime 6000000");
        client.send(meanwhile);
        client.for_a_while(Duration::from_millis(300));
        client.send("ponderhit");
        let begin = Instant::now();
        client.until("bestmove", PATIENCE);
        assert!(begin.elapsed() < Duration::from_secs(5), "{meanwhile}: {:?}", begin.elapsed());
    }
}

/// Off: at least 0.36 of a plan of (27 s − 0.8 s) / 44 − 10 ms, however long was pondered. On: nothing is left of
/// the plan, unless the iteration under way has found a fall, as by chance it may.
#[test]
fn what_was_thought_before_a_hit_counts_where_the_client_ponders() {
    let mut client = Client::start(&[]);
    for (ponders, hits, quick) in [("false", 3, 0), ("true", 12, 4)] {
        client.send(&format!("setoption name USI_Ponder value {ponders}"));
        client.send("position startpos moves 7g7f 3c3d 8h2b+");
        let is_quick = |_: &i32| {
            client.send("go ponder btime 27000 wtime 27000");
            let early = client.for_a_while(Duration::from_millis(800));
            assert!(!early.iter().any(|line| line.starts_with("bestmove")), "{early:?}");
            client.send("ponderhit");
            let begin = Instant::now();
            client.until("bestmove", PATIENCE);
            begin.elapsed() < Duration::from_millis(200)
        };
        assert_eq!((0..hits).filter(is_quick).take(4).count(), quick, "USI_Ponder {ponders}");
    }
}

/// However long the iteration is that was begun meanwhile: the byoyomi is not waited for.
#[test]
fn a_sole_move_is_played_as_soon_as_the_opponent_has_moved() {
    let mut client = Client::start(&[]);
    client.send("position sfen lnsg1g2k/1r3s1G1/ppppppp1p/9/9/9/PPPPPPPPP/1B5R1/LNSGK1SNL w bnlp 1");
    client.send("go ponder btime 0 wtime 0 byoyomi 60000");
    assert!(!client.for_a_while(Duration::from_secs(2)).iter().any(|line| line.starts_with("bestmove")));
    client.send("ponderhit");
    let begin = Instant::now();
    let answer = client.until("bestmove", PATIENCE);
    assert!(answer.last().unwrap().starts_with("bestmove 1a2b"), "{answer:?}");
    assert!(begin.elapsed() < Duration::from_secs(5), "{:?}", begin.elapsed());
}

/// What is told after the hit is of the position that the client has then, and not of the one before it.
#[test]
fn after_a_hit_nothing_is_told_of_the_position_before() {
    let mut client = Client::start(&[]);
    client.send("setoption name Stochastic_Ponder value true");
    client.send("setoption name PvInterval value 0");
    let mut position = Position::start();
    for mv in ["7g7f", "3c3d", "2g2f", "2b8h+"] {
        position.play(mv.parse().unwrap(), &mut ());
    }
    // A line may have been on its way when the hit was sent, but not every time.
    let holds = (0..5).any(|_| {
        client.send("position startpos moves 7g7f 3c3d 2g2f 2b8h+");
        client.send("go ponder btime 3000 wtime 3000");
        client.for_a_while(Duration::from_millis(300));
        client.send("ponderhit");
        let lines = client.until("bestmove", PATIENCE);
        let mut moves = lines.iter().filter_map(|line| line.split(" pv ").nth(1)?.split(' ').next());
        moves.all(|mv| position.is_legal(mv.parse().unwrap()))
    });
    assert!(holds);
}

#[test]
fn what_the_mate_solver_knows_is_forgotten_with_the_rest() {
    let mut client = Client::start(&[]);
    client.send("setoption name USI_Hash value 16");
    client.send("position sfen 6SRp/6P2/6G2/7G1/8k/8N/9/9/9 b r2b2g3s3n4l16p 1");
    let mut ask = |nodes: u32, before: &[&str]| {
        before.iter().for_each(|line| client.send(line));
        client.send(&format!("go mate nodes {nodes}"));
        client.until("checkmate", PATIENCE).pop().unwrap()
    };
    assert_eq!(ask(8, &[]), "checkmate timeout");
    for forget in ["setoption name Clear_Hash", "usinewgame", "gameover win\nisready", "isready"] {
        assert_ne!(ask(20_000, &[]), "checkmate timeout");
        assert_eq!(ask(8, &[forget]) == "checkmate timeout", forget != "isready", "{forget}");
    }
}

#[test]
fn one_answer_for_each_go_in_their_order() {
    let mut client = Client::start(&[]);
    for round in 0..20 {
        client.send("position startpos");
        client.send("go infinite");
        client.send(if round % 2 == 0 { "stop" } else { "gameover lose" });
        client.send("position startpos moves 7g7f");
        client.send("go nodes 500");
        client.until("bestmove", PATIENCE);
        client.until("bestmove", PATIENCE);
    }
    // A go while a search runs ends that search first.
    client.send("go infinite");
    client.send("go nodes 100");
    client.until("bestmove", PATIENCE);
    client.until("bestmove", PATIENCE);
    for _ in 0..3 {
        client.send("stop");
        client.send("ponderhit");
    }
    client.send("isready");
    assert_eq!(client.until("readyok", PATIENCE), ["readyok"]);
}

/// A client that counts on it would take an answer that comes later for that to its next `go`.
#[test]
fn a_search_that_was_stopped_is_answered_before_readyok() {
    let mut client = Client::start(&[]);
    client.send("isready");
    client.until("readyok", PATIENCE);
    for _ in 0..50 {
        client.send("position startpos");
        client.send("go infinite");
        client.for_a_while(Duration::from_millis(3));
        client.send("stop");
        client.send("isready");
        let lines = client.until("readyok", PATIENCE);
        assert!(lines.iter().any(|line| line.starts_with("bestmove")), "{lines:?}");
    }
}

#[test]
fn isready_and_options_during_a_search() {
    let mut client = Client::start(&[]);
    client.send("isready");
    client.until("readyok", PATIENCE);
    client.send("go infinite");
    client.send("setoption name USI_Hash value 1");
    client.send("isready");
    client.until("readyok", Duration::from_secs(2));
    client.send("stop");
    client.until("bestmove", PATIENCE);
    for mebibytes in [1, 64, 2, 32] {
        client.send(&format!("setoption name USI_Hash value {mebibytes}"));
        client.send("isready");
        client.until("readyok", PATIENCE);
        client.send("go nodes 1000");
        client.until("bestmove", PATIENCE);
    }
}

#[test]
fn a_refused_position_is_never_played_from_an_older_one() {
    let mut client = Client::start(&[]);
    for (position, reason) in [
        ("sfen k8/9/9/9/4k4/9/9/k8/K8 b - 1", "3 kings"),
        ("sfen k8/9/9/9/9/9/9/P8/K8 b 18P 1", "19 pieces"),
        ("sfen k7P/9/9/9/9/9/9/9/K8 b - 1", "can never move"),
        ("sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b", "2 fields"),
        ("startpos moves 7g7f 3c3d 7g7e 4a3b", "move 3, 7g7e, is illegal"),
        ("startpos moves 7g7f resign", "move 2"),
    ] {
        client.send("position startpos moves 7g7f");
        client.send(&format!("position {position}"));
        client.send("go btime 0 wtime 0 byoyomi 100");
        let lines = client.until("bestmove", PATIENCE);
        assert_eq!(lines.last().map(String::as_str), Some("bestmove resign"), "{position}");
        let said = &lines[lines.len() - 2];
        assert!(said.starts_with("info string ") && said.contains(reason), "{position}: {said}");
    }
    client.send("position startpos");
    client.send("go nodes 100");
    assert_ne!(client.until("bestmove", PATIENCE).last().unwrap(), "bestmove resign");
}

#[test]
fn nonsense_is_named_and_survived() {
    let mut client = Client::start(&[]);
    for line in [
        "nonsense".as_bytes(),
        b"\xff\xfe\x00 \x80",
        b"go depth many",
        b"go movetime",
        b"setoption",
        b"setoption name USI_Hash value 0",
        b"setoption name USI_Hash value 99999999999999999999",
        b"position",
        b"position startpos moves \xe3\x81",
        "position 将棋".as_bytes(),
    ] {
        client.send_bytes(line);
    }
    client.send_bytes(&[b'x'; 100_000]);
    client.send("position startpos");
    client.send("go nodes 100");
    // One for each go; the last is that of the last go.
    for _ in 0..2 {
        client.until("bestmove", PATIENCE);
    }
    client.send("isready");
    let lines = client.until("readyok", PATIENCE);
    assert!(lines.iter().all(|line| line.len() < 1000));
}

#[test]
fn the_end_of_input_or_quit_ends_the_process_in_mid_search() {
    for end in ["", "quit"] {
        for go in ["go infinite", "go ponder", "go nodes 1000000000", "isready"] {
            let mut client = Client::start(&[]);
            // What is being loaded is waited for as long as somebody listens: tests/clients/killed_client.py does not.
            client.send("isready");
            client.until("readyok", PATIENCE);
            client.send(go);
            client.for_a_while(Duration::from_millis(30));
            let begin = Instant::now();
            if !end.is_empty() {
                client.send(end);
                // Clients keep their end of the pipe open.
                assert!(client.leaves(Duration::from_secs(2)), "{go}");
            }
            let (status, stderr, _) = client.close();
            assert!(status.success());
            assert!(begin.elapsed() < Duration::from_secs(2));
            assert_eq!(stderr, "", "stderr is quiet in normal use");
        }
    }
}

/// What it has to say is more than a pipe holds.
#[test]
fn quit_ends_a_process_whose_client_reads_no_more() {
    let mut process = Command::new(env!("CARGO_BIN_EXE_jitsugen"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut input = process.stdin.take().expect("stdin is a pipe");
    input
        .write_all(&b"usi\n".repeat(100))
        .and_then(|()| input.write_all(b"quit\n"))
        .expect("the engine reads");
    let deadline = Instant::now() + PATIENCE;
    while process.try_wait().expect("it is our process").is_none() && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(50));
    }
    // One that is still there then is not left behind.
    let _ = process.kill();
    let status = process.wait().expect("it has ended");
    assert!(status.success(), "{status}");
}

#[test]
fn mates_and_declarations() {
    let mut client = Client::start(&[]);
    for (position, answer, said) in [
        // A gold in front of the king, and no way out.
        ("sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1", "bestmove resign", "score mate -0"),
        ("sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "bestmove G*5b", "score mate 1"),
        (
            "sfen K+N5+L1/G+L+P+B1+R+P2/3+P2G2/9/2+p+n5/3s2+ss1/3+p+p1+s1+r/7g+n/6g+nk b 2L8Pb4p 1",
            "bestmove win",
            "",
        ),
    ] {
        client.send(&format!("position {position}"));
        client.send("go depth 4");
        let lines = client.until("bestmove", PATIENCE);
        assert!(lines.last().unwrap().starts_with(answer), "{position}: {lines:?}");
        assert!(lines.iter().any(|line| line.contains(said)), "{position}: {lines:?}");
    }
    // The declaration is the option's to allow.
    client.send("setoption name EnteringKingRule value NoEnteringKing");
    client.send("go depth 1");
    assert_ne!(client.until("bestmove", PATIENCE).last().unwrap(), "bestmove win");
}

#[test]
fn more_moves_than_a_game_can_have() {
    // The position with 593 moves, without White's king: 599.
    let mut client = Client::start(&[]);
    client.send("position sfen R8/2K1S1SS1/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1");
    for go in ["go nodes 100", "go searchmoves 1a1b nodes 50", "go movetime 20"] {
        client.send(go);
        client.until("bestmove", PATIENCE);
    }
}

#[test]
fn a_mate_is_answered_in_its_turn() {
    let mut client = Client::start(&[]);
    client.send("position startpos");
    client.send("go infinite");
    for go in ["go mate infinite", "go mate 1000", "go mate", "go mate nodes 100"] {
        client.send(go);
    }
    client.until("bestmove", PATIENCE);
    for _ in 0..4 {
        client.until("checkmate", PATIENCE);
    }
}

/// Each form of the command, and each thing that can be wrong with the position.
#[test]
fn mates_are_answered() {
    let mut client = Client::start(&[]);
    for (position, go, answer) in [
        ("sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "go mate infinite", "checkmate G*5b"),
        ("sfen 4nk3/9/6G2/3LB4/9/9/9/9/9 b 2rb3g3s3n3l18p 1", "go mate 5000", "checkmate 5d3b+ 4a5b 3b4b"),
        ("startpos", "go mate", "checkmate nomate"),
        ("sfen 9/9/9/9/9/9/9/9/4K4 b G 1", "go mate 1000", "checkmate nomate"),
        ("sfen 9/9/9/9/9/9/9/9/9 b G 1", "go mate infinite", "checkmate nomate"),
        ("sfen 4k4/9/4P4/9/9/9/4r4/9/4K4 b G 1", "go mate infinite", "checkmate nomate"),
        ("sfen k8/R8/9/9/9/9/9/9/K8 b - 1", "go mate infinite", "checkmate timeout"),
        (MICROCOSMOS, "go mate nodes 1000", "checkmate timeout"),
        (MICROCOSMOS, "go mate 100", "checkmate timeout"),
        (MICROCOSMOS, "go mate soon", "checkmate timeout"),
    ] {
        client.send(&format!("position {position}"));
        client.send(go);
        let lines = client.until("checkmate", PATIENCE);
        assert_eq!(lines.last().unwrap(), answer, "{position}: {go}: {lines:?}");
    }
    client.send(&format!("position {MICROCOSMOS}"));
    client.send("go mate infinite");
    assert_eq!(client.for_a_while(Duration::from_millis(300)), Vec::<String>::new());
    client.send("stop");
    assert_eq!(client.until("checkmate", PATIENCE), ["checkmate timeout"]);
}

/// A machine that is busy may be late now and then; not every time.
#[test]
fn a_search_for_mate_ends_when_it_is_told_and_keeps_its_time() {
    let mut client = Client::start(&[]);
    client.send("setoption name USI_Hash value 16");
    client.send("isready");
    client.until("readyok", PATIENCE);
    client.send(&format!("position {MICROCOSMOS}"));
    let mut reactions: Vec<Duration> = (0..12)
        .map(|n| {
            client.send("go mate infinite");
            std::thread::sleep(Duration::from_millis(20 + 3 * n));
            let begin = Instant::now();
            client.send("stop");
            assert_eq!(client.until("checkmate", PATIENCE), ["checkmate timeout"]);
            begin.elapsed()
        })
        .collect();
    reactions.sort();
    assert!(reactions[2] <= Duration::from_millis(10), "{reactions:?}");
    let mut late: Vec<Duration> = (0..6)
        .map(|n| {
            let time = 60 + 20 * n;
            let begin = Instant::now();
            client.send(&format!("go mate {time}"));
            assert_eq!(client.until("checkmate", PATIENCE), ["checkmate timeout"]);
            begin.elapsed().saturating_sub(Duration::from_millis(time))
        })
        .collect();
    late.sort();
    assert!(late[2] <= Duration::from_millis(50), "{late:?}");
}

/// Mate in 1,525 plies: no search comes to its end soon.
const MICROCOSMOS: &str =
    "sfen g1+P1k1+P+P+L/1p3P3/+R+p2pp1pl/1NNsg+p2+R/+b+nL+P1+p3/1P3ssP1/2P1+Ps2N/4+P1P1L/+B5G1g b - 1";

#[test]
fn node_limited_searches_are_deterministic() {
    let ask = |client: &mut Client| {
        client.send("setoption name Threads value 1");
        // Otherwise the time decides what is told within an iteration.
        client.send("setoption name PvInterval value 100000");
        client.send("usinewgame");
        client.send("isready");
        client.until("readyok", PATIENCE);
        client.send("position startpos moves 7g7f 8c8d 2g2f");
        client.send("go nodes 30000");
        untimed(&client.until("bestmove", PATIENCE))
    };
    let mut client = Client::start(&[]);
    let first = ask(&mut client);
    assert_eq!(first, ask(&mut client));
    assert_eq!(first, ask(&mut Client::start(&[])));
}

#[test]
fn the_policy_decides_what_is_searched() {
    let mut client = Client::start(&[]);
    client.send("setoption name Threads value 1");
    let mut nodes = |policy: &str| -> u64 {
        client.send(&format!("setoption name SearchPolicy value {policy}"));
        client.send("usinewgame");
        client.send("position startpos moves 7g7f 8c8d 2g2f");
        client.send("go depth 3");
        let lines = client.until("bestmove", PATIENCE);
        let last = lines.iter().rev().find(|line| line.contains(" nodes ")).expect("a line is told");
        let count = last.split(' ').skip_while(|&word| word != "nodes").nth(1);
        count.and_then(|text| text.parse().ok()).expect("a line has its nodes")
    };
    let (probability, depth) = (nodes("RealizationProbability"), nodes("Depth"));
    assert_ne!(probability, depth);
    assert_eq!([nodes("realizationprobability"), nodes("Depth")], [probability, depth]);
}

#[test]
fn short_moves_keep_their_time() {
    let mut client = Client::start(&[]);
    client.send("isready");
    client.until("readyok", PATIENCE);
    let mut late = 0;
    for _ in 0..30 {
        client.send("position startpos moves 2g2f 8c8d 2f2e 8d8e 7g7f 4a3b 8h7g 3c3d 7i6h 2b7g+ 6h7g");
        let begin = Instant::now();
        client.send("go btime 0 wtime 0 byoyomi 100");
        client.until("bestmove", PATIENCE);
        late += usize::from(begin.elapsed() > Duration::from_millis(100));
    }
    // Other tests keep every core busy, and the system may wake us late now and then.
    assert!(late <= 3, "{late} of 30 answers came after their 100 ms");
}

#[test]
fn an_evaluation_that_cannot_be_used_is_named_and_replaced() {
    let empty = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("no evaluation 将棋");
    std::fs::create_dir_all(&empty).unwrap();
    let short = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("short evaluation");
    std::fs::create_dir_all(&short).unwrap();
    std::fs::write(short.join("KPP_synthesized.bin"), [0; 100]).unwrap();
    let mut client = Client::start_bare(&[]);
    for (folder, found) in [
        ("no/such/folder", "no/such/folder"),
        (empty.to_str().unwrap(), "no evaluation 将棋"),
        (short.to_str().unwrap(), "short evaluation"),
    ] {
        client.send(&format!("setoption name EvalDir value {folder}"));
        client.send("isready");
        let said = client.until("readyok", PATIENCE);
        assert!(
            said.iter().any(|line| line.starts_with("info string EvalDir") && line.contains(found)),
            "{said:?}"
        );
        // Once more with the first search, and no more after it.
        for times in [1, 0] {
            client.send("go nodes 50");
            let said = client.until("bestmove", PATIENCE);
            let told = said.iter().filter(|line| line.contains("EvalDir")).count();
            assert_eq!(told, times, "{said:?}");
            assert_ne!(said.last().unwrap(), "bestmove resign");
        }
    }
    client.send(&format!("setoption name EvalDir value {}", client::shared_evaluation().display()));
    client.send("isready");
    assert_eq!(client.until("readyok", PATIENCE), ["readyok"]);
    client.send("eval");
    let said = client.until("eval = ", PATIENCE);
    assert!(said.iter().any(|line| line.contains("KKP")), "{said:?}");
}

/// Not every client starts an engine in its own folder.
#[test]
fn relative_folders_are_also_found_beside_the_program() {
    let home = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("engine of its own 将棋");
    let _ = std::fs::remove_dir_all(&home);
    for folder in ["eval 評価", "定跡 book", "elsewhere"] {
        std::fs::create_dir_all(home.join(folder)).unwrap();
    }
    // Links: the files are large, and a program that is still being written cannot be started.
    let program = home.join("jitsugen 実現").with_extension(std::env::consts::EXE_EXTENSION);
    std::fs::hard_link(env!("CARGO_BIN_EXE_jitsugen"), &program).unwrap();
    for entry in std::fs::read_dir(client::shared_evaluation()).unwrap() {
        let entry = entry.unwrap();
        std::fs::hard_link(entry.path(), home.join("eval 評価").join(entry.file_name())).unwrap();
    }
    let book = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/book 定跡/small.db");
    std::fs::copy(book, home.join("定跡 book/my book.db")).unwrap();
    for start_in in ["", "elsewhere"] {
        let mut client = Client::of(std::process::Command::new(&program).current_dir(home.join(start_in)));
        client.send("setoption name EvalDir value eval 評価");
        client.send("setoption name BookDir value 定跡 book");
        client.send("setoption name BookFile value my book.db");
        client.send("isready");
        assert_eq!(client.until("readyok", PATIENCE), ["readyok"], "{start_in}");
        client.send("position startpos");
        client.send("go btime 600000 wtime 600000");
        let said = client.until("bestmove", PATIENCE);
        assert_eq!(said.last().unwrap(), "bestmove 2g2f ponder 8c8d", "{start_in}");
    }
    std::fs::remove_dir_all(&home).unwrap();
}

#[test]
fn the_conversation_is_logged_where_it_is_asked_for() {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("log ログ.txt");
    let _ = std::fs::remove_file(&path);
    let mut client = Client::start(&[]);
    client.send(&format!("setoption name DebugLogFile value {}", path.display()));
    client.send("isready");
    client.until("readyok", PATIENCE);
    client.send("go nodes 300");
    client.until("bestmove", PATIENCE);
    client.send("setoption name DebugLogFile value");
    // Lines are logged as they come: what is sent before the option is obeyed may still be in the log. Its answer comes
    // afterwards.
    client.send("side");
    client.until("black", PATIENCE);
    client.send("isready");
    client.until("readyok", PATIENCE);
    let log = std::fs::read_to_string(&path).unwrap();
    for said in ["< isready", "> readyok", "< go nodes 300", "> bestmove"] {
        assert_eq!(log.lines().filter(|line| line.contains(said)).count(), 1, "{said}: {log}");
    }
    // Each line has its time.
    assert!(log.lines().all(|line| line.split(' ').next().unwrap().parse::<f64>().is_ok()), "{log}");
    client.send(&format!("setoption name DebugLogFile value {}", path.join("no folder").display()));
    let said = client.until("info string DebugLogFile", PATIENCE);
    assert!(said.last().unwrap().contains("nothing is logged"));
    // Named once more, it is tried once more.
    client.send(&format!("setoption name DebugLogFile value {}", path.join("no folder").display()));
    client.until("info string DebugLogFile", PATIENCE);
}

#[test]
fn paths_in_the_code_page_of_japanese_windows_are_understood() {
    let mut client = Client::start(&[]);
    client.send_bytes(b"setoption name EvalDir value no \x8f\xab\x8a\xfb");
    client.send("isready");
    let said = client.until("readyok", PATIENCE);
    assert!(said.iter().any(|line| line.contains("EvalDir: ") && line.contains("no 将棋")), "{said:?}");
}

/// Asks for `mebibytes` MiB and plays: what is said about memory at `isready`.
#[cfg(target_os = "linux")]
fn play_with(client: &mut Client, mebibytes: u32) -> Vec<String> {
    client.send(&format!("setoption name EvalDir value {}", client::shared_evaluation().display()));
    client.send("setoption name Threads value 1");
    client.send(&format!("setoption name USI_Hash value {mebibytes}"));
    client.send("isready");
    let said = client.until("readyok", PATIENCE);
    client.send("position startpos");
    client.send("go nodes 1000");
    let lines = client.until("bestmove", PATIENCE);
    assert!(!lines.iter().any(|line| line.contains("MiB")), "{lines:?}");
    assert!(lines.last().is_some_and(|line| line.len() > "bestmove ".len()), "{lines:?}");
    // What is there stays: nothing is allocated again, and nothing more is said.
    client.send("isready");
    assert_eq!(client.until("readyok", PATIENCE), ["readyok"]);
    said.into_iter().filter(|line| line.starts_with("info string") && line.contains("MiB")).collect()
}

/// The shell's limit is for addresses, of which the system knows nothing when it says what is available.
#[test]
#[cfg(target_os = "linux")]
fn memory_that_the_system_refuses_is_told_of() {
    let start = "ulimit -v 2400000 && exec \"$0\"";
    let mut client =
        Client::of(std::process::Command::new("sh").args(["-c", start, env!("CARGO_BIN_EXE_jitsugen")]));
    let said = play_with(&mut client, 4096);
    assert!(said.len() == 1 && said[0].contains("4096 MiB"), "{said:?}");
    client.send("go mate nodes 1000");
    let said = client.until("checkmate", PATIENCE);
    assert!(said.iter().any(|line| line.starts_with("info string go mate: ")), "{said:?}");
}

/// Stacks of many threads may take all addresses that there are: fewer are started, and what the others need is there.
#[test]
#[cfg(target_os = "linux")]
fn threads_that_there_are_no_addresses_for_are_told_of() {
    for (kibibytes, threads) in [(2_500_000, 200), (2_000_000, 1024), (1_500_000, 200)] {
        let start = format!("ulimit -v {kibibytes} && exec \"$0\"");
        let mut client =
            Client::of(std::process::Command::new("sh").args(["-c", &start, env!("CARGO_BIN_EXE_jitsugen")]));
        client.send(&format!("setoption name EvalDir value {}", client::shared_evaluation().display()));
        client.send(&format!("setoption name Threads value {threads}"));
        client.send("setoption name USI_Hash value 16");
        client.send("isready");
        let said = client.until("readyok", PATIENCE);
        let expected = format!("info string the system has not started {threads} threads: ");
        assert!(said.iter().any(|line| line.starts_with(&expected)), "{said:?}");
        client.send("position startpos");
        client.send("go nodes 20000");
        let lines = client.until("bestmove", PATIENCE);
        assert!(lines.last().is_some_and(|line| line.len() > "bestmove ".len()), "{lines:?}");
    }
}
