//! The file from which engines share the unpacked evaluation.

use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use crate::support::client::Client;
use crate::support::command::jitsugen;
use crate::support::evaluation::alone_with_full_tables;
use crate::support::folder;

/// Where the tables begin in the file.
const TABLES_AT: u64 = 2 << 20;

/// An engine that has its file in `cache`.
fn engine(cache: &Path) -> Client {
    let mut client = Client::of(jitsugen([]).env("JITSUGEN_CACHE", cache));
    client.set("USI_Hash", 16);
    client.set("Threads", 1);
    client.set("BookFile", "no_book");
    client
}

/// What is said at `isready`, beside signs of life.
fn ready(client: &mut Client) -> Vec<String> {
    client.ready().into_iter().filter(|line| !line.is_empty()).collect()
}

/// What is said at `isready`, and the nodes and the move of a search.
fn ready_and_search(client: &mut Client) -> (Vec<String>, String, String) {
    let said = ready(client);
    client.send("position startpos");
    let lines = client.search("go depth 5");
    let nodes = lines.iter().rev().find_map(|line| line.split_once(" nodes ")).expect("there are nodes").1;
    (said, nodes.split(' ').next().unwrap().to_string(), lines.last().unwrap().clone())
}

/// The file with tables in `folder`, if there is one.
fn tables_in(folder: &Path) -> Option<PathBuf> {
    let mut entries = fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path());
    entries.find(|path| path.extension().is_some_and(|extension| extension == "tables"))
}

fn wait_for<T>(what: &str, mut found: impl FnMut() -> Option<T>) -> T {
    let begin = Instant::now();
    loop {
        if let Some(found) = found() {
            return found;
        }
        assert!(begin.elapsed() < Duration::from_secs(120), "{what}: not within two minutes");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// One test: the file has 858 MB.
#[test]
fn engines_share_tables_from_a_file_that_is_made_checked_and_mended() {
    let _alone = alone_with_full_tables();
    let cache = folder::empty("cache 将棋").join("not yet there");
    // An older version's, long not used, and what a process has left that was killed while it wrote.
    fs::create_dir_all(&cache).unwrap();
    let old = cache.join("evaluation-0-01234567.tables");
    File::create(&old).unwrap().set_modified(SystemTime::UNIX_EPOCH).unwrap();

    // Turned off, there is no file.
    let mut without = engine(&cache);
    without.set("EvalCache", false);
    let expected = ready_and_search(&mut without);
    assert_eq!(expected.0, ["readyok"]);
    drop(without);
    assert!(old.exists());
    fs::remove_file(&old).unwrap();
    assert!(tables_in(&cache).is_none());

    // The first start writes it, while the engine already plays.
    File::create(&old).unwrap().set_modified(SystemTime::UNIX_EPOCH).unwrap();
    let mut first = engine(&cache);
    assert_eq!(ready_and_search(&mut first), expected);
    wait_for("the old file is removed", || (!old.exists()).then_some(()));
    let path = wait_for("a file is written", || tables_in(&cache));
    assert_eq!(ready(&mut first), ["readyok"]);

    // The next one uses it.
    let mut second = engine(&cache);
    assert_eq!(ready_and_search(&mut second), expected);
    #[cfg(target_os = "linux")]
    {
        let name = path.to_str().unwrap();
        let maps = |client: &Client| fs::read_to_string(format!("/proc/{}/maps", client.id())).unwrap();
        assert!(maps(&second).contains(name) && !maps(&first).contains(name));
    }
    drop((first, second));

    // A damaged block is found while the engine plays: it says so once, and goes on with its own memory.
    let mut file = File::options().read(true).write(true).open(&path).unwrap();
    let place = SeekFrom::Start(TABLES_AT + 500_000_001);
    let mut byte = [0];
    file.seek(place).unwrap();
    file.read_exact(&mut byte).unwrap();
    let intact = byte[0];
    file.seek(place).unwrap();
    file.write_all(&[!intact]).unwrap();
    drop(file);
    let damaged = fs::metadata(&path).unwrap().modified().unwrap();
    let mut third = engine(&cache);
    assert_eq!(ready(&mut third), ["readyok"]);
    wait_for("the file is made anew", || {
        fs::metadata(&path).ok().filter(|data| data.modified().is_ok_and(|time| time > damaged))
    });
    let said = ready(&mut third);
    assert!(said.len() == 2 && said[0].contains("damaged") && said[0].contains("将棋"), "{said:?}");
    assert_eq!(ready_and_search(&mut third), expected);
    let mut file = File::open(&path).unwrap();
    file.seek(place).unwrap();
    file.read_exact(&mut byte).unwrap();
    assert_eq!(byte[0], intact);

    // Turned off, an engine that shares the file has memory of its own.
    let mut fourth = engine(&cache);
    ready(&mut fourth);
    fourth.set("EvalCache", false);
    assert_eq!(ready_and_search(&mut fourth), expected);
    drop((third, fourth));
    fs::remove_dir_all(&cache).unwrap();
}

#[test]
#[cfg(unix)]
fn a_folder_that_cannot_be_written_to_is_no_error() {
    let _alone = alone_with_full_tables();
    let cache = folder::empty("cache that is a file").join("file");
    fs::write(&cache, "in the place of the folder").unwrap();
    let mut client = engine(&cache);
    let (said, _, answer) = ready_and_search(&mut client);
    assert_eq!(said, ["readyok"]);
    assert!(answer.starts_with("bestmove "), "{answer}");
}
