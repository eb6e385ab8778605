//! Pondering over USI: what waits for `ponderhit` or `stop`, and whose clock runs then.

use std::time::{Duration, Instant};

use jitsugen::shogi::position::Position;

use crate::support::client::Client;

#[test]
fn infinite_and_ponder_searches_wait_for_stop() {
    for go in [
        "go infinite",
        "go ponder",
        "go ponder btime 100 wtime 100",
        "go",
        "go infinite depth 1",
        "go ponder nodes 10",
    ] {
        // A mated side, a position that cannot be read and an ordinary one: none is answered early.
        let mut client = Client::start();
        for position in ["startpos", "sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1", "sfen nonsense"] {
            client.send(&format!("position {position}"));
            client.send(go);
            let early = client.for_a_while(Duration::from_millis(40));
            assert!(!early.iter().any(|line| line.starts_with("bestmove")), "{go}: {early:?}");
            client.send("stop");
            client.until("bestmove");
            client.send("stop");
            // A second answer would come before this one.
            let late = client.ready();
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
        let mut client = Client::start();
        client.set("Threads", 1);
        client.send("position startpos");
        client.send(go);
        client.for_a_while(Duration::from_millis(250));
        client.send(hit);
        let begin = Instant::now();
        client.until("bestmove");
        assert!(begin.elapsed() > Duration::from_millis(100), "{go} / {hit}");
    }
}

/// A delay of nearly all the time would leave hardly any of it.
#[test]
fn options_set_while_pondering_hold_from_the_next_search_on() {
    let mut client = Client::start_ready();
    client.set("Threads", 1);
    client.set("NoSuchOption", 1);
    client.send("go ponder btime 0 wtime 0 byoyomi 1500");
    client.set("NetworkDelay2", 1400);
    client.set("NoSuchOption", 1);
    let said = client.ready();
    assert!(said.contains(&"info string NetworkDelay2: from the next search on".to_string()), "{said:?}");
    let named = said.iter().filter(|line| line.contains("NoSuchOption")).count();
    assert_eq!(named, 1, "an option that there is not is named once: {said:?}");
    for (go, hasty) in [("ponderhit", false), ("go btime 0 wtime 0 byoyomi 1500", true)] {
        client.send(go);
        let begin = Instant::now();
        client.until("bestmove");
        assert_eq!(begin.elapsed() < Duration::from_millis(1000), hasty, "{go}: {:?}", begin.elapsed());
    }
}

/// Whatever position a client states meanwhile: White's clock is long here, and a refused position has none.
#[test]
fn ponderhit_uses_the_clock_of_the_position_pondered_on() {
    for meanwhile in ["position startpos moves 7g7f 3c3d 2g2f", "position startpos moves 7g7f 3c3d 1a1b"] {
        let mut client = Client::start_ready();
        client.send("position startpos moves 7g7f 3c3d");
        client.send("go ponder btime 1000 wtime 6000000");
        client.send(meanwhile);
        client.for_a_while(Duration::from_millis(100));
        client.send("ponderhit");
        let begin = Instant::now();
        client.until("bestmove");
        assert!(begin.elapsed() < Duration::from_secs(5), "{meanwhile}: {:?}", begin.elapsed());
    }
}

/// Off: at least 0.36 of a plan of (27 s − 0.8 s) / 44 − 10 ms, however long the pondering was. On: nothing is left of
/// the plan, unless the iteration under way has found that the value falls, as by chance it may.
#[test]
fn time_spent_pondering_counts_where_the_client_ponders() {
    let mut client = Client::start();
    client.set("Threads", 1);
    for (ponders, hits, quick) in [("false", 2, 0), ("true", 9, 3)] {
        client.set("USI_Ponder", ponders);
        client.send("position startpos moves 7g7f 3c3d 8h2b+");
        let is_quick = |_: &i32| {
            client.send("go ponder btime 27000 wtime 27000");
            let early = client.for_a_while(Duration::from_millis(800));
            assert!(!early.iter().any(|line| line.starts_with("bestmove")), "{early:?}");
            client.send("ponderhit");
            let begin = Instant::now();
            client.until("bestmove");
            begin.elapsed() < Duration::from_millis(200)
        };
        assert_eq!((0..hits).filter(is_quick).take(3).count(), quick, "USI_Ponder {ponders}");
    }
}

/// However long the iteration is that began while pondering, the byoyomi is not used up.
#[test]
fn a_forced_move_is_played_at_ponderhit() {
    let mut client = Client::start();
    client.set("Threads", 1);
    client.send("position sfen lnsg1g2k/1r3s1G1/ppppppp1p/9/9/9/PPPPPPPPP/1B5R1/LNSGK1SNL w bnlp 1");
    client.send("go ponder btime 0 wtime 0 byoyomi 60000");
    assert!(!client.for_a_while(Duration::from_millis(700)).iter().any(|line| line.starts_with("bestmove")));
    client.send("ponderhit");
    let begin = Instant::now();
    let answer = client.until("bestmove");
    assert!(answer.last().unwrap().starts_with("bestmove 1a2b"), "{answer:?}");
    assert!(begin.elapsed() < Duration::from_secs(5), "{:?}", begin.elapsed());
}

/// With Stochastic_Ponder the position before the last move is searched until the hit.
#[test]
fn after_ponderhit_no_line_is_of_the_position_before() {
    let mut client = Client::start();
    client.set("Stochastic_Ponder", true);
    client.set("PvInterval", 0);
    let mut position = Position::start();
    for mv in ["7g7f", "3c3d", "2g2f", "2b8h+"] {
        position.play(mv.parse().unwrap(), &mut ());
    }
    // A line may have been on its way when ponderhit was sent, but not every time.
    let holds = (0..5).any(|_| {
        client.send("position startpos moves 7g7f 3c3d 2g2f 2b8h+");
        client.send("go ponder btime 3000 wtime 3000");
        client.for_a_while(Duration::from_millis(150));
        client.send("ponderhit");
        let lines = client.until("bestmove");
        let mut moves = lines.iter().filter_map(|line| line.split(" pv ").nth(1)?.split(' ').next());
        moves.all(|mv| position.is_legal(mv.parse().unwrap()))
    });
    assert!(holds);
}
