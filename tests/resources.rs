//! What the engine needs of the system, over USI: evaluation files, paths, the log, memory, threads.

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

use crate::support::client::Client;
use crate::support::evaluation::{alone_with_full_tables, built_in_files};
use crate::support::folder;

#[test]
fn an_unusable_evaluation_is_named_and_replaced() {
    let empty = folder::empty("no evaluation 将棋");
    let short = folder::empty("short evaluation");
    fs::write(short.join("KPP_synthesized.bin"), [0; 100]).unwrap();
    let mut client = Client::start_bare();
    for (folder, found) in [
        ("no/such/folder", "no/such/folder"),
        (empty.to_str().unwrap(), "no evaluation 将棋"),
        (short.to_str().unwrap(), "short evaluation"),
    ] {
        client.set("EvalDir", folder);
        let said = client.ready();
        assert!(
            said.iter().any(|line| line.starts_with("info string EvalDir") && line.contains(found)),
            "{said:?}"
        );
        // Named once more with the first search, and not after it.
        for times in [1, 0] {
            let said = client.search("go nodes 50");
            let count = said.iter().filter(|line| line.contains("EvalDir")).count();
            assert_eq!(count, times, "{said:?}");
            assert_ne!(said.last().unwrap(), "bestmove resign");
        }
    }
    client.set("EvalDir", built_in_files().display());
    assert_eq!(client.ready(), ["readyok"]);
    client.send("eval");
    let said = client.until("eval = ");
    assert!(said.iter().any(|line| line.contains("KKP")), "{said:?}");
}

/// Not every client starts an engine in its own folder.
#[test]
fn relative_folders_are_also_found_beside_the_program() {
    let home = folder::empty("engine of its own 将棋");
    for folder in ["eval 評価", "定跡 book", "elsewhere"] {
        fs::create_dir_all(home.join(folder)).unwrap();
    }
    // Links: the files are large, and a program that is still being written cannot be started.
    let program = home.join("jitsugen 実現").with_extension(std::env::consts::EXE_EXTENSION);
    fs::hard_link(env!("CARGO_BIN_EXE_jitsugen"), &program).unwrap();
    for entry in fs::read_dir(built_in_files()).unwrap() {
        let entry = entry.unwrap();
        fs::hard_link(entry.path(), home.join("eval 評価").join(entry.file_name())).unwrap();
    }
    let book = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/book 定跡/small.db");
    fs::copy(book, home.join("定跡 book/my book.db")).unwrap();
    for start_in in ["", "elsewhere"] {
        let mut client = Client::of(Command::new(&program).current_dir(home.join(start_in)));
        client.set("EvalDir", "eval 評価");
        client.set("BookDir", "定跡 book");
        client.set("BookFile", "my book.db");
        assert_eq!(client.ready(), ["readyok"], "{start_in}");
        client.send("position startpos");
        let said = client.search("go btime 600000 wtime 600000");
        assert_eq!(said.last().unwrap(), "bestmove 2g2f ponder 8c8d", "{start_in}");
    }
    fs::remove_dir_all(&home).unwrap();
}

#[test]
fn the_conversation_is_logged_where_debuglogfile_says() {
    let path = folder::empty("log").join("log ログ.txt");
    let mut client = Client::start();
    client.set("DebugLogFile", path.display());
    client.ready();
    client.search("go nodes 300");
    client.send("setoption name DebugLogFile value");
    // Lines are logged as they come, so what is sent before the option is obeyed may still be in the log. Its answer
    // comes afterwards.
    client.send("side");
    client.until("black");
    client.ready();
    let log = fs::read_to_string(&path).unwrap();
    for said in ["< isready", "> readyok", "< go nodes 300", "> bestmove"] {
        assert_eq!(log.lines().filter(|line| line.contains(said)).count(), 1, "{said}: {log}");
    }
    // Each line has its time.
    assert!(log.lines().all(|line| line.split(' ').next().unwrap().parse::<f64>().is_ok()), "{log}");
    client.set("DebugLogFile", path.join("no folder").display());
    let said = client.until("info string DebugLogFile");
    assert!(said.last().unwrap().contains("nothing is logged"));
    // Set once more, it is tried once more.
    client.set("DebugLogFile", path.join("no folder").display());
    client.until("info string DebugLogFile");
}

#[test]
fn paths_in_shift_jis_are_understood() {
    let mut client = Client::start();
    client.send_bytes(b"setoption name DebugLogFile value no \x8f\xab\x8a\xfb/log");
    let said = client.until("info string DebugLogFile");
    assert!(said.last().unwrap().contains("no 将棋"), "{said:?}");
}

/// Sets `mebibytes` MiB of hash and searches: what is said about memory at `isready`.
#[cfg(target_os = "linux")]
fn search_with_hash(client: &mut Client, mebibytes: u32) -> Vec<String> {
    client.set("EvalDir", built_in_files().display());
    client.set("Threads", 1);
    client.set("USI_Hash", mebibytes);
    let said = client.ready();
    client.send("position startpos");
    let lines = client.search("go nodes 1000");
    assert!(!lines.iter().any(|line| line.contains("MiB")), "{lines:?}");
    assert!(lines.last().is_some_and(|line| line.len() > "bestmove ".len()), "{lines:?}");
    // The tables stay: nothing is allocated again, and nothing more is said.
    assert_eq!(client.ready(), ["readyok"]);
    said.into_iter().filter(|line| line.starts_with("info string") && line.contains("MiB")).collect()
}

/// The shell's limit is for addresses. The system does not count it when it says how much memory is available.
#[test]
#[cfg(target_os = "linux")]
fn refused_memory_is_reported() {
    let start = "ulimit -v 1500000 && exec \"$0\"";
    let mut client = Client::of(Command::new("sh").args(["-c", start, env!("CARGO_BIN_EXE_jitsugen")]));
    let said = search_with_hash(&mut client, 4096);
    assert!(said.len() == 1 && said[0].contains("4096 MiB"), "{said:?}");
    client.send("go mate nodes 1000");
    let said = client.until("checkmate");
    assert!(said.iter().any(|line| line.starts_with("info string go mate: ")), "{said:?}");
}

/// The solver's thread is started before its table takes what is left.
#[test]
#[cfg(target_os = "linux")]
fn mates_are_searched_with_little_memory_or_a_message() {
    let problem = "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1";
    for kibibytes in [20_000, 60_000, 100_000, 200_000, 300_000] {
        let start = format!("ulimit -v {kibibytes} && exec \"$0\" mate --memory 4096 \"$1\"");
        let arguments = ["-c", &start, env!("CARGO_BIN_EXE_jitsugen"), problem];
        let output = Command::new("sh").args(arguments).output().unwrap();
        let (stdout, stderr) =
            (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        match output.status.code() {
            Some(0) => assert!(stdout.contains("mate in 1"), "{kibibytes}: {stdout}"),
            Some(3) => {
                assert!(stderr.contains("cannot be started") || stderr.contains("no memory"), "{stderr}")
            }
            other => panic!("{kibibytes}: {other:?}, {stderr}"),
        }
        assert!(kibibytes < 100_000 || output.status.success(), "{kibibytes}: {stderr}");
    }
}

/// Whatever the limit on addresses is, there is a move. Where there is no room for the tables of the evaluation, it is said
/// once.
#[test]
#[cfg(target_os = "linux")]
fn a_search_with_too_little_memory_has_an_answer() {
    let _alone = alone_with_full_tables();
    for kibibytes in [300_000, 600_000, 800_000, 1_000_000, 1_200_000, 1_500_000] {
        let start = format!("ulimit -v {kibibytes} && exec \"$0\"");
        let mut client = Client::of(Command::new("sh").args(["-c", &start, env!("CARGO_BIN_EXE_jitsugen")]));
        client.set("USI_OwnBook", false);
        client.set("Threads", 8);
        client.set("USI_Hash", 4096);
        let lacks = |lines: &[String]| {
            lines.iter().filter(|line| line.starts_with("info string no memory for the evaluation")).count()
        };
        let said = client.ready();
        // What else takes addresses decides near the limit.
        let expected = if kibibytes < 1_200_000 { 1..=1 } else { 0..=usize::from(kibibytes < 1_500_000) };
        assert!(expected.contains(&lacks(&said)), "{kibibytes}: {said:?}");
        for _ in 0..2 {
            client.send("position startpos");
            let lines = client.search("go nodes 1000");
            assert_eq!(lacks(&lines), 0, "{kibibytes}: {lines:?}");
            assert_ne!(lines.last().unwrap(), "bestmove resign", "{kibibytes}: {lines:?}");
        }
    }
}

/// The end of the input may come at any time, also where no address is left for another thread.
#[test]
#[cfg(target_os = "linux")]
fn the_end_of_the_input_with_little_memory_is_no_crash() {
    for kibibytes in [280_000, 300_000, 320_000, 550_000, 700_000] {
        let start = format!("ulimit -v {kibibytes} && exec \"$0\"");
        let mut command = Command::new("sh");
        command.args(["-c", &start, env!("CARGO_BIN_EXE_jitsugen")]);
        let script = "setoption name Threads value 8\nsetoption name USI_Hash value 4096\n\
                      setoption name USI_OwnBook value false\nisready\nposition startpos\ngo nodes 1000\n";
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{kibibytes}: {said}");
        let answer = said.lines().last().unwrap_or_default();
        assert!(answer.starts_with("bestmove ") && answer != "bestmove resign", "{kibibytes}: {said}");
    }
}

/// Figures of another evaluation would be of no use.
#[test]
#[cfg(target_os = "linux")]
fn commands_say_that_there_is_no_memory_for_the_evaluation() {
    let game = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/records/good/csa3_times.csa");
    let output = folder::empty("analysis without memory");
    for (arguments, status) in [
        (vec!["bench", "--depth", "1"], 1),
        (vec!["eval", "startpos"], 1),
        (vec!["analyse", game, "--nodes", "100", "--output", output.to_str().unwrap()], 3),
    ] {
        let mut command = Command::new("sh");
        command.args(["-c", "ulimit -v 700000 && exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_jitsugen")]);
        let output = command.args(&arguments).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(stderr.contains("no memory for the evaluation"), "{arguments:?}: {stderr}");
        assert_eq!(output.status.code(), Some(status), "{arguments:?}: {stderr}");
    }
}

/// Stacks of many threads may take all addresses: fewer threads are started, and they have what they need.
#[test]
#[cfg(target_os = "linux")]
fn threads_that_cannot_start_are_reported() {
    for (kibibytes, threads) in [(2_000_000, 1024), (1_500_000, 200)] {
        let start = format!("ulimit -v {kibibytes} && exec \"$0\"");
        let mut client = Client::of(Command::new("sh").args(["-c", &start, env!("CARGO_BIN_EXE_jitsugen")]));
        client.set("EvalDir", built_in_files().display());
        client.set("Threads", threads);
        client.set("USI_Hash", 16);
        let said = client.ready();
        let expected = format!("info string the system has not started {threads} threads: ");
        assert!(said.iter().any(|line| line.starts_with(&expected)), "{said:?}");
        client.send("position startpos");
        let lines = client.search("go nodes 20000");
        assert!(lines.last().is_some_and(|line| line.len() > "bestmove ".len()), "{lines:?}");
    }
}
