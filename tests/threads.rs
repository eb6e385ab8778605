//! Several threads at once, over USI: what is asked for, what is answered, how soon.

#[path = "common/client.rs"]
mod client;
#[path = "common/untimed.rs"]
mod untimed;

use std::time::{Duration, Instant};

use client::Client;
use untimed::untimed;

const PATIENCE: Duration = Duration::from_secs(60);

fn ready(client: &mut Client) -> Vec<String> {
    client.send("isready");
    client.until("readyok", PATIENCE)
}

#[test]
fn threads_come_and_go_between_searches() {
    let mut client = Client::start(&[]);
    for threads in [1, 2, 7, 64, 3, 1] {
        client.send(&format!("setoption name Threads value {threads}"));
        client.send("setoption name USI_Hash value 16");
        assert_eq!(ready(&mut client), ["readyok"], "{threads} threads");
        for go in ["go nodes 50000", "go depth 2", "go byoyomi 100", "go infinite"] {
            client.send("position startpos");
            client.send(go);
            client.send("stop");
            let lines = client.until("bestmove", PATIENCE);
            assert!(lines.last().unwrap().len() > "bestmove ".len(), "{lines:?}");
        }
    }
}

#[test]
fn numbers_of_threads_that_cannot_be_are_refused_by_name() {
    let mut client = Client::start(&[]);
    ready(&mut client);
    for value in ["0", "-1", "10000", "99999999999999999999", "two"] {
        client.send(&format!("setoption name Threads value {value}"));
        let lines = ready(&mut client);
        assert!(lines[0].contains("Threads") && lines[0].contains("1 to 1024"), "{lines:?}");
    }
}

#[test]
fn threads_asked_for_in_mid_search_come_with_the_next_one() {
    let mut client = Client::start(&[]);
    client.send("setoption name Threads value 2");
    ready(&mut client);
    client.send("go infinite");
    client.send("setoption name Threads value 4");
    client.send("setoption name USI_Hash value 8");
    let lines = ready(&mut client);
    for name in ["Threads", "USI_Hash"] {
        let expected = format!("info string {name}: from the next search on");
        assert!(lines.contains(&expected), "{lines:?}");
    }
    client.send("stop");
    client.until("bestmove", PATIENCE);
    client.send("go nodes 20000");
    client.until("bestmove", PATIENCE);
}

/// One thread and 1 MiB find the same whether they were asked for at the beginning or while others searched.
#[test]
fn threads_and_memory_asked_for_in_mid_search_hold_in_the_next_one() {
    let begin = |threads: u32, mebibytes: u32| {
        let mut client = Client::start(&[]);
        // Otherwise the time decides what is told within an iteration.
        client.send("setoption name PvInterval value 100000");
        client.send(&format!("setoption name Threads value {threads}"));
        client.send(&format!("setoption name USI_Hash value {mebibytes}"));
        ready(&mut client);
        client
    };
    let search = |client: &mut Client| {
        client.send("position startpos moves 7g7f 8c8d 2g2f");
        client.send("go nodes 30000");
        untimed(&client.until("bestmove", PATIENCE))
    };
    let expected = search(&mut begin(1, 1));
    assert_ne!(search(&mut begin(1, 64)), expected);
    let mut client = begin(2, 64);
    client.send("go infinite");
    client.send("setoption name Threads value 1");
    client.send("setoption name USI_Hash value 1");
    client.send("stop");
    client.until("bestmove", PATIENCE);
    assert_eq!(search(&mut client), expected);
}

#[test]
fn nodes_of_all_threads_are_told_and_limited() {
    let mut client = Client::start(&[]);
    client.send("setoption name Threads value 4");
    ready(&mut client);
    client.send("position startpos");
    client.send("go nodes 200000");
    let lines = client.until("bestmove", PATIENCE);
    let last = lines.iter().rev().find(|line| line.starts_with("info depth")).expect("a line is told");
    let words: Vec<&str> = last.split(' ').collect();
    let nodes: u64 = words[1 + words.iter().position(|&word| word == "nodes").unwrap()].parse().unwrap();
    // Each thread looks up every 32 nodes.
    assert!((150_000..=200_000 + 4 * 32).contains(&nodes), "{last}");
}

#[test]
fn a_search_is_stopped_at_once() {
    let mut client = Client::start(&[]);
    client.send("setoption name Threads value 2");
    ready(&mut client);
    let mut times: Vec<Duration> = (0..100)
        .map(|n| {
            client.send("position startpos moves 2g2f 8c8d 2f2e 8d8e 7g7f 4a3b 8h7g 3c3d 7i6h 2b7g+ 6h7g");
            client.send("go infinite");
            std::thread::sleep(Duration::from_millis(5 + n % 7));
            let begin = Instant::now();
            client.send("stop");
            client.until("bestmove", PATIENCE);
            begin.elapsed()
        })
        .collect();
    times.sort();
    eprintln!("stop to bestmove: median {:?}, 90% {:?}, worst {:?}", times[50], times[90], times[99]);
    // Other tests keep every core busy: a search that looks up too seldom would still be seen. The example
    // `stop_latency` measures.
    assert!(times[50] < Duration::from_secs(1), "{times:?}");
}

#[test]
fn one_answer_comes_from_many_threads() {
    let mut client = Client::start(&[]);
    client.send("setoption name Threads value 8");
    ready(&mut client);
    client.send("go depth 3");
    client.until("bestmove", PATIENCE);
    assert_eq!(client.for_a_while(Duration::from_millis(300)), [""; 0]);
}

#[test]
fn the_end_of_input_ends_all_threads() {
    let mut client = Client::start(&[]);
    client.send("setoption name Threads value 4");
    ready(&mut client);
    client.send("go infinite");
    let (status, ..) = client.close();
    assert!(status.success());
}

#[test]
fn what_was_found_is_kept_until_a_new_game() {
    let mut client = Client::start(&[]);
    client.send("setoption name Threads value 1");
    ready(&mut client);
    let mut nodes = || {
        client.send("position startpos moves 7g7f 3c3d 2g2f");
        client.send("go depth 4");
        let lines = client.until("bestmove", PATIENCE);
        let last = lines.iter().rev().find(|line| line.starts_with("info depth 4")).expect("a line is told");
        let count = last.split(' ').skip_while(|&word| word != "nodes").nth(1);
        let nodes: u64 = count.and_then(|text| text.parse().ok()).expect("a line has its nodes");
        client.send("isready");
        client.until("readyok", PATIENCE);
        nodes
    };
    let first = nodes();
    // Mostly fewer, but what is known can also make a search look elsewhere.
    let second = nodes();
    assert_ne!(second, first);
    client.send("usinewgame");
    let mut again = || {
        client.send("position startpos moves 7g7f 3c3d 2g2f");
        client.send("go depth 4");
        client.until("bestmove", PATIENCE).into_iter().rev().find(|line| line.starts_with("info depth 4"))
    };
    assert!(again().expect("a line is told").contains(&format!(" nodes {first} ")));
}
