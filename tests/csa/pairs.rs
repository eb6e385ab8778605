//! Two clients against each other.

use std::fs::{self, File};
use std::path::Path;
use std::process::Child;

use jitsugen::record::{self, Record};

use super::referee::{Outcome, Time, play_games, summary};
use super::server::Server;
use crate::support::command::jitsugen;
use crate::support::{evaluation, folder};

/// The program as a client called `name`, with records in a folder of that name.
fn client(server: &Server, folder: &Path, name: &str, games: usize, ponder: &str, options: &[&str]) -> Child {
    let (port, games) = (server.port().to_string(), games.to_string());
    let eval_dir = format!("EvalDir={}", evaluation::built_in_files().display());
    let host = server.host();
    let mut arguments = vec!["csa", "--server", &host, "--port", &port, "--name", name, "--games", &games];
    arguments.extend([
        "--records",
        name,
        "--plain",
        "--margin",
        "20",
        "--comments",
        "always",
        "--ponder",
        ponder,
    ]);
    // Without a book, so that every move takes its time.
    let own = [&eval_dir, "Threads=1", "USI_Hash=16", "BookFile=no_book"];
    for option in own.into_iter().chain(options.iter().copied()) {
        arguments.extend(["--option", option]);
    }
    let mut command = jitsugen(arguments);
    command.current_dir(folder).env("JITSUGEN_CSA_PASSWORD", "a-secret");
    // A file: a pipe that is full would let the client wait in the end.
    let log = File::create(folder.join(format!("{name}.txt"))).expect("it can be written");
    command.stdout(log).spawn().expect("the program starts")
}

/// `ponder` is true or false, as `--ponder` takes it.
fn games_of_two_clients(
    name: &str,
    games: usize,
    time: Time,
    ponder: &str,
    options: &[&str],
) -> Vec<Outcome> {
    let (server, folder) = (Server::new(), folder::empty(&format!("csa {name}")));
    let clients = ["first", "second"].map(|name| client(&server, &folder, name, games, ponder, options));
    let outcomes = play_games(&server, games, time);
    println!("two clients: {}", summary(&outcomes));
    for (mut client, name) in clients.into_iter().zip(["first", "second"]) {
        let status = client.wait().expect("it ends");
        let log = fs::read_to_string(folder.join(format!("{name}.txt"))).expect("there is a log");
        assert!(status.success(), "{log}");
        assert!(!log.contains("a-secret"), "{log}");
        // A busy machine has times that are longer there than here.
        let warnings = log.lines().filter(|line| line.contains("warning") && !line.contains("do not add up"));
        assert_eq!(warnings.count(), 0, "{log}");
        assert!(log.lines().last().is_some_and(|line| line.starts_with("Games: ")), "{log}");
    }
    for name in ["first", "second"] {
        let records = records(&folder.join(name));
        assert_eq!(records.len(), games);
        for (record, outcome) in records.iter().zip(&outcomes) {
            assert_eq!(record.moves().len(), outcome.moves as usize);
            assert_eq!(record.winner(), outcome.winner);
        }
    }
    for outcome in &outcomes {
        assert!(!matches!(outcome.reason, "#TIME_UP" | "#ILLEGAL_MOVE"), "{outcome:?}");
    }
    outcomes
}

fn records(folder: &Path) -> Vec<Record> {
    let mut paths: Vec<_> = fs::read_dir(folder)
        .expect("there are records")
        .map(|entry| entry.expect("it is there").path())
        .collect();
    paths.sort();
    let read =
        |path| record::read(&fs::read(path).expect("it can be read"), None).expect("a record").remove(0);
    paths.into_iter().map(read).collect()
}

#[test]
fn two_clients_play_each_other() {
    // Few nodes: the games are about the clients, not about time.
    let time = Time { total: 60_000, increment: 100 };
    let outcomes = games_of_two_clients("pairs", 4, time, "true", &["NodesLimit=100", "ResignValue=1500"]);
    assert_eq!(outcomes.len(), 4);
}

#[test]
#[ignore = "takes an hour"]
fn two_hundred_games_at_one_second_and_a_tenth_lose_no_clock() {
    let games = std::env::var("JITSUGEN_CSA_GAMES").map_or(200, |text| text.parse().expect("a number"));
    let ponder = std::env::var("JITSUGEN_CSA_PONDER").unwrap_or_else(|_| "true".to_owned());
    let time = Time { total: 1_000, increment: 100 };
    games_of_two_clients("pairs by the clock", games, time, &ponder, &[]);
}
