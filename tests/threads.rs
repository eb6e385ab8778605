//! Several threads at once, over USI: what is asked for, what is answered, how soon.

use std::time::{Duration, Instant};

use crate::support::client::{Client, nodes, untimed};

#[test]
fn the_number_of_threads_may_change_between_searches() {
    let mut client = Client::start();
    for threads in [1, 2, 7, 64, 3, 1] {
        client.set("Threads", threads);
        assert_eq!(client.ready(), ["readyok"], "{threads} threads");
        for go in ["go nodes 10000", "go depth 2", "go byoyomi 100", "go infinite"] {
            client.send("position startpos");
            client.send(go);
            client.send("stop");
            let lines = client.until("bestmove");
            assert!(lines.last().unwrap().len() > "bestmove ".len(), "{lines:?}");
        }
    }
}

#[test]
fn impossible_numbers_of_threads_are_refused_by_name() {
    let mut client = Client::start_ready();
    for value in ["0", "-1", "10000", "99999999999999999999", "two"] {
        client.set("Threads", value);
        let lines = client.ready();
        assert!(lines[0].contains("Threads") && lines[0].contains("1 to 1024"), "{lines:?}");
    }
}

#[test]
fn threads_set_during_a_search_come_with_the_next_one() {
    let mut client = Client::start();
    client.set("Threads", 2);
    client.ready();
    client.send("go infinite");
    client.set("Threads", 4);
    client.set("USI_Hash", 8);
    let lines = client.ready();
    for name in ["Threads", "USI_Hash"] {
        let expected = format!("info string {name}: from the next search on");
        assert!(lines.contains(&expected), "{lines:?}");
    }
    client.send("stop");
    client.until("bestmove");
    client.search("go nodes 20000");
}

/// One thread and 1 MiB find the same whether they were set at the beginning or during a search.
#[test]
fn threads_and_memory_set_during_a_search_hold_in_the_next_one() {
    let begin = |threads: u32, mebibytes: u32| {
        let mut client = Client::start();
        // Otherwise the time decides which lines are reported within an iteration.
        client.set("PvInterval", 100_000);
        client.set("Threads", threads);
        client.set("USI_Hash", mebibytes);
        client.ready();
        client
    };
    let search = |client: &mut Client| {
        client.send("position startpos moves 7g7f 8c8d 2g2f");
        // On a busy machine more of the first iterations are shown: the result counts.
        let lines = untimed(&client.search("go nodes 30000"));
        lines[lines.len() - 2..].to_vec()
    };
    let expected = search(&mut begin(1, 1));
    assert_ne!(search(&mut begin(1, 64)), expected);
    let mut client = begin(2, 64);
    client.send("go infinite");
    client.set("Threads", 1);
    client.set("USI_Hash", 1);
    client.send("stop");
    client.until("bestmove");
    assert_eq!(search(&mut client), expected);
}

#[test]
fn nodes_of_all_threads_are_reported_and_limited() {
    let mut client = Client::start();
    client.set("Threads", 4);
    client.ready();
    client.send("position startpos");
    let nodes = nodes(&client.search("go nodes 60000"));
    // Each thread looks at the limit every 32 nodes.
    assert!((45_000..=60_000 + 4 * 32).contains(&nodes), "{nodes}");
}

#[test]
fn a_search_is_stopped_at_once() {
    let mut client = Client::start();
    client.set("Threads", 2);
    client.ready();
    let mut times: Vec<Duration> = (0..40)
        .map(|n| {
            client.send("position startpos moves 2g2f 8c8d 2f2e 8d8e 7g7f 4a3b 8h7g 3c3d 7i6h 2b7g+ 6h7g");
            client.send("go infinite");
            client.for_a_while(Duration::from_millis(5 + n % 7));
            let begin = Instant::now();
            client.send("stop");
            client.until("bestmove");
            begin.elapsed()
        })
        .collect();
    times.sort();
    eprintln!("stop to bestmove: median {:?}, 90% {:?}, worst {:?}", times[20], times[36], times[39]);
    // Other tests keep every core busy. A search that looks at the signals too seldom would still be seen.
    assert!(times[20] < Duration::from_secs(1), "{times:?}");
}

#[test]
fn many_threads_give_one_answer() {
    let mut client = Client::start();
    client.set("Threads", 8);
    client.ready();
    client.search("go depth 3");
    // An answer of another thread would come before this one.
    assert_eq!(client.ready(), ["readyok"]);
    assert_eq!(client.for_a_while(Duration::from_millis(50)), [""; 0]);
}

#[test]
fn the_end_of_input_ends_all_threads() {
    let mut client = Client::start();
    client.set("Threads", 4);
    client.ready();
    client.send("go infinite");
    let (status, ..) = client.close();
    assert!(status.success());
}

#[test]
fn the_tables_are_kept_until_a_new_game() {
    let mut client = Client::start();
    client.set("Threads", 1);
    client.ready();
    let mut search = || {
        client.send("position startpos moves 7g7f 3c3d 2g2f");
        nodes(&client.search("go depth 4"))
    };
    let first = search();
    // Mostly fewer, but what the tables have can also make a search look elsewhere.
    assert_ne!(search(), first);
    client.send("usinewgame");
    client.send("position startpos moves 7g7f 3c3d 2g2f");
    assert_eq!(nodes(&client.search("go depth 4")), first);
}
