//! Conversations with the built program, as clients have them.

use std::io::Write;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::support::client::{Client, PATIENCE, nodes, untimed};
use crate::support::command;
use crate::support::positions::MICROCOSMOS;

#[test]
fn a_client_gets_the_options_and_a_first_move() {
    let mut client = Client::start_bare();
    client.send("usi");
    let declared = client.until_within("usiok", Duration::from_secs(2));
    assert!(declared.iter().any(|line| line.starts_with("id name Jitsugen")));
    for line in declared.iter().filter(|line| line.starts_with("option")) {
        assert_eq!(line.split(' ').nth(3), Some("type"), "{line}");
    }
    client.ready();
    client.send("usinewgame");
    client.send("position startpos moves 7g7f");
    let lines = client.search("go btime 0 wtime 0 byoyomi 100");
    let last_info = &lines[lines.len() - 2];
    assert!(last_info.contains(" score ") && last_info.contains(" pv "), "{last_info}");
}

#[test]
fn usi_may_be_missing_and_lines_may_end_as_in_windows() {
    let mut client = Client::start();
    client.send("isready\r");
    client.until("readyok");
    client.send("position  startpos   moves 7g7f \t 3c3d\r");
    client.search("go nodes 2000\r");
}

#[test]
fn the_mate_solver_forgets_when_the_hash_is_cleared() {
    let mut client = Client::start();
    client.send("position sfen 6SRp/6P2/6G2/7G1/8k/8N/9/9/9 b r2b2g3s3n4l16p 1");
    let mut ask = |nodes: u32, before: &[&str]| {
        before.iter().for_each(|line| client.send(line));
        client.send(&format!("go mate nodes {nodes}"));
        client.until("checkmate").pop().unwrap()
    };
    assert_eq!(ask(8, &[]), "checkmate timeout");
    for forget in ["setoption name Clear_Hash", "usinewgame", "gameover win\nisready", "isready"] {
        assert_ne!(ask(20_000, &[]), "checkmate timeout");
        assert_eq!(ask(8, &[forget]) == "checkmate timeout", forget != "isready", "{forget}");
    }
}

#[test]
fn every_go_has_one_answer_in_order() {
    let mut client = Client::start();
    for round in 0..20 {
        client.send("position startpos");
        client.send("go infinite");
        client.send(if round % 2 == 0 { "stop" } else { "gameover lose" });
        client.send("position startpos moves 7g7f");
        client.search("go nodes 500");
        client.until("bestmove");
    }
    // A go while a search runs ends that search first.
    client.send("go infinite");
    client.search("go nodes 100");
    client.until("bestmove");
    for _ in 0..3 {
        client.send("stop");
        client.send("ponderhit");
    }
    assert_eq!(client.ready(), ["readyok"]);
}

/// A client would take an answer that comes after `readyok` for the answer to its next `go`.
#[test]
fn a_stopped_search_is_answered_before_readyok() {
    let mut client = Client::start_ready();
    for _ in 0..30 {
        client.send("position startpos");
        client.send("go infinite");
        client.for_a_while(Duration::from_millis(3));
        client.send("stop");
        let lines = client.ready();
        assert!(lines.iter().any(|line| line.starts_with("bestmove")), "{lines:?}");
    }
}

#[test]
fn isready_is_answered_during_a_search() {
    let mut client = Client::start_ready();
    client.send("go infinite");
    client.set("USI_Hash", 1);
    client.send("isready");
    client.until_within("readyok", Duration::from_secs(2));
    client.send("stop");
    client.until("bestmove");
    for mebibytes in [1, 64, 2, 32] {
        client.set("USI_Hash", mebibytes);
        client.ready();
        client.search("go nodes 1000");
    }
}

#[test]
fn a_refused_position_is_never_played_from_an_older_one() {
    let mut client = Client::start();
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
        let lines = client.search("go btime 0 wtime 0 byoyomi 100");
        assert_eq!(lines.last().map(String::as_str), Some("bestmove resign"), "{position}");
        let said = &lines[lines.len() - 2];
        assert!(said.starts_with("info string ") && said.contains(reason), "{position}: {said}");
    }
    client.send("position startpos");
    assert_ne!(client.search("go nodes 100").last().unwrap(), "bestmove resign");
}

#[test]
fn nonsense_is_named_and_ignored() {
    let mut client = Client::start();
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
        client.until("bestmove");
    }
    let lines = client.ready();
    assert!(lines.iter().all(|line| line.len() < 1000));
}

#[test]
fn the_end_of_input_or_quit_ends_the_process_in_mid_search() {
    for end in ["", "quit"] {
        for go in
            ["go infinite", "go ponder", "go btime 6000000 wtime 6000000", "go nodes 1000000000", "isready"]
        {
            // A script that asks for so many nodes gets them, although its input ends.
            if end.is_empty() && go.contains("nodes") {
                continue;
            }
            let mut client = Client::start();
            // The engine waits for what is being loaded as long as the client is there. tests/clients/killed_client.py
            // has one that is not.
            client.ready();
            client.send(go);
            client.for_a_while(Duration::from_millis(20));
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

/// The answers are more than a pipe holds.
#[test]
fn quit_ends_a_process_whose_client_reads_no_more() {
    let mut process = command::jitsugen([])
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
        std::thread::sleep(Duration::from_millis(5));
    }
    // A process that is still there is not left behind.
    let _ = process.kill();
    let status = process.wait().expect("it has ended");
    assert!(status.success(), "{status}");
}

#[test]
fn mates_and_declarations_are_answered_at_the_root() {
    let mut client = Client::start();
    for (position, answer, line) in [
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
        let lines = client.search("go depth 4");
        assert!(lines.last().unwrap().starts_with(answer), "{position}: {lines:?}");
        assert!(lines.iter().any(|found| found.contains(line)), "{position}: {lines:?}");
    }
    // Another rule does not allow it.
    client.set("EnteringKingRule", "NoEnteringKing");
    assert_ne!(client.search("go depth 1").last().unwrap(), "bestmove win");
}

#[test]
fn a_position_may_have_599_moves() {
    // The position with 593 moves, without White's king: 599.
    let mut client = Client::start();
    client.send("position sfen R8/2K1S1SS1/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1");
    for go in ["go nodes 100", "go searchmoves 1a1b nodes 50", "go movetime 20"] {
        client.search(go);
    }
}

#[test]
fn go_mate_is_answered_in_its_turn() {
    let mut client = Client::start();
    client.send("position startpos");
    client.send("go infinite");
    for go in ["go mate infinite", "go mate 1000", "go mate", "go mate nodes 100"] {
        client.send(go);
    }
    client.until("bestmove");
    for _ in 0..4 {
        client.until("checkmate");
    }
}

/// Each form of the command, and each thing that can be wrong with the position.
#[test]
fn every_form_of_go_mate_is_answered() {
    let mut client = Client::start();
    let endless = format!("sfen {MICROCOSMOS}");
    for (position, go, answer) in [
        ("sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "go mate infinite", "checkmate G*5b"),
        ("sfen 4nk3/9/6G2/3LB4/9/9/9/9/9 b 2rb3g3s3n3l18p 1", "go mate 5000", "checkmate 5d3b+ 4a5b 3b4b"),
        ("startpos", "go mate", "checkmate nomate"),
        ("sfen 9/9/9/9/9/9/9/9/4K4 b G 1", "go mate 1000", "checkmate nomate"),
        ("sfen 9/9/9/9/9/9/9/9/9 b G 1", "go mate infinite", "checkmate nomate"),
        ("sfen 4k4/9/4P4/9/9/9/4r4/9/4K4 b G 1", "go mate infinite", "checkmate nomate"),
        ("sfen k8/R8/9/9/9/9/9/9/K8 b - 1", "go mate infinite", "checkmate timeout"),
        (&endless, "go mate nodes 1000", "checkmate timeout"),
        (&endless, "go mate 100", "checkmate timeout"),
        (&endless, "go mate soon", "checkmate timeout"),
    ] {
        client.send(&format!("position {position}"));
        client.send(go);
        let lines = client.until("checkmate");
        assert_eq!(lines.last().unwrap(), answer, "{position}: {go}: {lines:?}");
    }
    client.send(&format!("position sfen {MICROCOSMOS}"));
    client.send("go mate infinite");
    assert_eq!(client.for_a_while(Duration::from_millis(100)), Vec::<String>::new());
    client.send("stop");
    assert_eq!(client.until("checkmate"), ["checkmate timeout"]);
}

/// A machine that is busy may be late now and then; not every time.
#[test]
fn go_mate_stops_at_once_and_keeps_its_time() {
    let mut client = Client::start_ready();
    client.send(&format!("position sfen {MICROCOSMOS}"));
    let mut reactions: Vec<Duration> = (0..12)
        .map(|n| {
            client.send("go mate infinite");
            client.for_a_while(Duration::from_millis(20 + 3 * n));
            let begin = Instant::now();
            client.send("stop");
            assert_eq!(client.until("checkmate"), ["checkmate timeout"]);
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
            assert_eq!(client.until("checkmate"), ["checkmate timeout"]);
            begin.elapsed().saturating_sub(Duration::from_millis(time))
        })
        .collect();
    late.sort();
    assert!(late[2] <= Duration::from_millis(50), "{late:?}");
}

#[test]
fn searches_with_a_node_limit_are_deterministic() {
    let ask = |client: &mut Client| {
        client.set("Threads", 1);
        // Otherwise the time decides which lines are reported.
        client.set("PvInterval", 0);
        client.send("usinewgame");
        client.ready();
        client.send("position startpos moves 7g7f 8c8d 2g2f");
        untimed(&client.search("go nodes 20000"))
    };
    let mut client = Client::start();
    let first = ask(&mut client);
    assert_eq!(first, ask(&mut client));
    assert_eq!(first, ask(&mut Client::start()));
}

/// However the search is broken off.
#[test]
fn several_lines_are_of_one_iteration_at_the_end() {
    let mut client = Client::start();
    client.set("Threads", 1);
    client.set("MultiPV", 4);
    client.ready();
    client.send("position startpos moves 7g7f 8c8d 2g2f");
    for nodes in [200, 700, 1500, 2500, 4000, 6000] {
        client.send("usinewgame");
        let said = client.search(&format!("go nodes {nodes}"));
        let lines: Vec<&String> = said.iter().filter(|line| line.starts_with("info depth")).collect();
        let word = |line: &str, name: &str| -> u32 {
            let mut words = line.split(' ').skip_while(|&word| word != name);
            words.nth(1).and_then(|text| text.parse().ok()).expect("a line has it")
        };
        let last = &lines[lines.len() - 4..];
        let places: Vec<u32> = last.iter().map(|line| word(line, "multipv")).collect();
        assert_eq!(places, [1, 2, 3, 4], "{nodes}: {lines:#?}");
        assert!(last.iter().all(|line| word(line, "depth") == word(last[0], "depth")), "{nodes}: {lines:#?}");
        let best =
            last[0].split(" pv ").nth(1).and_then(|pv| pv.split(' ').next()).expect("a line has moves");
        assert_eq!(said.last().and_then(|line| line.split(' ').nth(1)), Some(best), "{nodes}: {said:#?}");
    }
}

#[test]
fn the_search_policy_decides_what_is_searched() {
    let mut client = Client::start();
    client.set("Threads", 1);
    let mut count = |policy: &str| {
        client.set("SearchPolicy", policy);
        client.send("usinewgame");
        client.send("position startpos moves 7g7f 8c8d 2g2f");
        nodes(&client.search("go depth 3"))
    };
    let (probability, depth) = (count("RealizationProbability"), count("Depth"));
    assert_ne!(probability, depth);
    assert_eq!([count("realizationprobability"), count("Depth")], [probability, depth]);
}

#[test]
fn moves_of_100_milliseconds_keep_their_time() {
    let mut client = Client::start_ready();
    let mut late = 0;
    for _ in 0..20 {
        client.send("position startpos moves 2g2f 8c8d 2f2e 8d8e 7g7f 4a3b 8h7g 3c3d 7i6h 2b7g+ 6h7g");
        let begin = Instant::now();
        client.search("go btime 0 wtime 0 byoyomi 100");
        late += usize::from(begin.elapsed() > Duration::from_millis(100));
    }
    // Other tests keep every core busy, and the system may wake us late now and then.
    assert!(late <= 2, "{late} of 20 answers came after their 100 ms");
}
