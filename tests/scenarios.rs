//! Dialogues from tests/data/scenarios: what a client sends, what the engine has to answer, and when.
//!
//! A file is read line by line:
//!
//! - `# ...`: a remark;
//! - `bare`, before anything else: EvalDir is not set;
//! - `> TEXT` sends a line, `>r TEXT` one that ends as in Windows. `{evaluation}` is the folder of the shared evaluation,
//!   `{data}` is tests/data;
//! - `< PATTERN` waits for a line; those before it may say anything. `<A..B PATTERN` asks for it between A and B
//!   milliseconds after the last line sent;
//! - `never PATTERN`: no line up to the one that is waited for next;
//! - `count A B PATTERN`: from A to B of them;
//! - `silent MS PATTERN`: no such line for so long;
//! - `leaves`: the process ends by itself, while its input stays open;
//! - `end` closes the input.
//!
//! In a pattern `#` is a whole number, `@` a move, `*` at the end any words or none; all else is meant literally. After
//! the last line the input is closed: the process has to end at once, with nothing on stderr, and must have given one
//! answer for each `go`. The strictest of clients has to accept every line.

use std::fs;
use std::io::{self, Cursor, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use jitsugen::shogi::moves::Move;
use jitsugen::usi::session;

use crate::support::client::{Client, PATIENCE};
use crate::support::evaluation::{alone_with_full_tables, built_in_files};
use crate::support::strict::Strict;

/// How much later than a scenario says an answer may come: other tests keep every core busy.
const SLACK: Duration = Duration::from_millis(1_500);

fn matches(pattern: &str, line: &str) -> bool {
    let mut words = line.split_whitespace();
    for expected in pattern.split_whitespace() {
        if expected == "*" {
            return true;
        }
        let Some(word) = words.next() else { return false };
        let fits = match expected {
            "#" => word.parse::<i64>().is_ok(),
            "@" => word.parse::<Move>().is_ok(),
            _ => word == expected,
        };
        if !fits {
            return false;
        }
    }
    words.next().is_none()
}

struct Dialogue {
    client: Client,
    place: String,
    sent: Instant,
    /// Patterns, how many lines have to match them at least and at most, and how many have.
    counted: Vec<(String, usize, usize, usize)>,
    strict: Strict,
}

impl Dialogue {
    fn hear(&mut self, line: &str) {
        if let Err(message) = self.strict.hears(line) {
            panic!("{}: '{line}': {message}", self.place);
        }
        for (pattern, _, _, count) in &mut self.counted {
            *count += usize::from(matches(pattern, line));
        }
    }

    fn send(&mut self, text: &str, end: &str) {
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
        let text = text
            .replace("{evaluation}", &built_in_files().display().to_string())
            .replace("{data}", &data.display().to_string());
        self.strict.sends(&text);
        self.client.send(&format!("{text}{end}"));
        self.sent = Instant::now();
    }

    fn wait(&mut self, pattern: &str, from: u64, to: Option<u64>) {
        let mut seen = Vec::new();
        let deadline = Instant::now() + PATIENCE;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let Some(line) = self.client.line(left) else {
                panic!("{}: no line '{pattern}', but {seen:#?}", self.place);
            };
            self.hear(&line);
            if matches(pattern, &line) {
                break;
            }
            seen.push(line);
        }
        let took = self.sent.elapsed();
        assert!(took >= Duration::from_millis(from), "{}: after {took:?}", self.place);
        if let Some(to) = to {
            assert!(took <= Duration::from_millis(to) + SLACK, "{}: after {took:?}", self.place);
        }
        for (pattern, least, most, count) in self.counted.drain(..) {
            assert!((least..=most).contains(&count), "{}: {count} of '{pattern}': {seen:#?}", self.place);
        }
    }

    fn silent(&mut self, milliseconds: u64, pattern: &str) {
        for line in self.client.for_a_while(Duration::from_millis(milliseconds)) {
            self.hear(&line);
            assert!(!matches(pattern, &line), "{}: '{line}'", self.place);
        }
    }
}

fn play(path: &Path) {
    let text = fs::read_to_string(path).expect("the scenario can be read");
    let bare = text.lines().any(|line| line == "bare");
    let mut dialogue = Dialogue {
        client: if bare { Client::start_bare() } else { Client::start() },
        place: String::new(),
        sent: Instant::now(),
        counted: Vec::new(),
        strict: Strict::new(),
    };
    if !bare {
        // Several threads have tests of their own. Loading takes its time, which no scenario is about.
        dialogue.client.set("Threads", 1);
        dialogue.client.ready();
    }
    for (number, line) in (1..).zip(text.lines()) {
        dialogue.place = format!("{}:{number}", path.display());
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "#" | "" | "bare" => {}
            ">" => dialogue.send(rest, ""),
            ">r" => dialogue.send(rest, "\r"),
            "leaves" => {
                let left = dialogue.client.leaves(Duration::from_secs(1) + SLACK);
                assert!(left, "{}: the process is still there", dialogue.place);
            }
            "end" => break,
            "silent" => {
                let (time, pattern) = rest.split_once(' ').expect("time and pattern");
                dialogue.silent(time.parse().expect("milliseconds"), pattern);
            }
            "never" => dialogue.counted.push((rest.to_string(), 0, 0, 0)),
            "count" => {
                let words: Vec<&str> = rest.splitn(3, ' ').collect();
                let number = |i: usize| words[i].parse().expect("a number");
                dialogue.counted.push((words[2].to_string(), number(0), number(1), 0));
            }
            _ => match word.strip_prefix('<') {
                Some("") => dialogue.wait(rest, 0, None),
                Some(range) => {
                    let (from, to) = range.split_once("..").expect("a range");
                    let number = |text: &str| text.parse().expect("milliseconds");
                    dialogue.wait(rest, number(from), Some(number(to)));
                }
                None => panic!("{}: '{line}' is no line of a scenario", dialogue.place),
            },
        }
    }
    let begin = Instant::now();
    let Dialogue { client, mut strict, counted, .. } = dialogue;
    assert!(counted.is_empty(), "{}: nothing is waited for after {counted:?}", path.display());
    let (status, stderr, rest) = client.close();
    assert!(status.success() && stderr.is_empty(), "{}: {status}, stderr '{stderr}'", path.display());
    assert!(begin.elapsed() < Duration::from_secs(1) + SLACK, "{}: {:?}", path.display(), begin.elapsed());
    for line in rest {
        if let Err(message) = strict.hears(&line) {
            panic!("{}: '{line}': {message}", path.display());
        }
    }
    assert_eq!(strict.unanswered(), 0, "{}: answers", path.display());
}

#[test]
fn every_scenario_is_answered_as_it_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/scenarios");
    let mut paths: Vec<_> = fs::read_dir(folder)
        .expect("there are scenarios")
        .map(|entry| entry.expect("the folder can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "usi"))
        .collect();
    paths.sort();
    let wanted = std::env::var("SCENARIO").unwrap_or_default();
    paths.retain(|path| path.to_string_lossy().contains(&wanted));
    let mut failed = Vec::new();
    for path in &paths {
        if std::panic::catch_unwind(|| play(path)).is_err() {
            failed.push(path.file_name().unwrap_or_default());
        }
    }
    println!("scenarios: {}", paths.len());
    assert!(failed.is_empty(), "{failed:?}");
}

/// What no client may hear, and the objection to it.
#[test]
fn the_strict_client_objects_to_wrong_lines() {
    let line = |fields: &str| format!("info depth 2 seldepth 3 multipv {fields}");
    let good = line("1 score cp 12 nodes 9 nps 8 hashfull 0 time 7 pv 7g7f 3c3d");
    for (said, objection) in [
        (vec!["usiok ".into()], "no line"),
        (vec!["bestmove  7g7f".into()], "answer"),
        (vec!["bestmove 7g7f".into()], "no score"),
        (vec![good.clone(), "bestmove 2g2f".into()], "last line"),
        (vec![good.clone(), "bestmove 7g7f ponder 7f7e".into()], "illegal"),
        (vec![good.clone(), "bestmove 7g7f".into(), "bestmove 7g7f".into()], "nothing was asked"),
        (vec![good.clone(), "checkmate nomate".into()], "bestmove"),
        (vec![good.replace("3c3d", "3c3e")], "illegal"),
        (vec![good.replace("cp 12", "mate 2")], "mate 2"),
        (vec![good.replace("cp 12", "mate 0")], "mate 0"),
        (vec![good.replace("cp 12", "mate -3")], "mate -3"),
        (vec![good.replace("nodes 9 nps 8", "nps 8 nodes 9")], "nodes expected"),
        (vec![good.replace("hashfull 0", "hashfull 1001")], "hashfull"),
        (vec![good.replace("seldepth 3", "seldepth 1")], "seldepth"),
        (vec![good.replace("multipv 1", "multipv 2")], "multipv"),
        (vec![good.clone(), good.replace("multipv 1", "multipv 3")], "multipv"),
        (vec!["info depth 0 score mate -0 pv".into()], "mate"),
        (vec!["option name Two Words type button".into()], "no line"),
        (vec!["option name One type spin default 1 min 2 max 3".into()], "option"),
        (vec!["option name One type combo default a var b".into()], "option"),
    ] {
        let mut strict = Strict::new();
        strict.sends("position startpos");
        strict.sends("go nodes 9");
        let heard: Result<(), String> = said.iter().try_for_each(|line| strict.hears(line));
        let message = heard.expect_err(&said.join(" / "));
        assert!(message.contains(objection), "{said:?}: {message}");
    }
}

/// Keeps the output of the engine.
#[derive(Clone, Default)]
struct Heard(Arc<Mutex<Vec<u8>>>);

impl Write for Heard {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("nobody panicked").write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn random_conversations_have_one_answer_for_each_go() {
    const LINES: [&str; 28] = [
        "usi",
        "isready",
        "usinewgame",
        "position startpos",
        "position startpos moves 7g7f 3c3d",
        "position startpos moves 7g7f 7g7f",
        "position sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1",
        "position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1",
        "go infinite",
        "go ponder",
        "go ponder btime 50 wtime 50",
        "go btime 20 wtime 20 byoyomi 5",
        "go nodes 40",
        "go depth 1",
        "go movetime 5",
        "go",
        "go mate 5",
        "stop",
        "stop",
        "ponderhit",
        "ponderhit btime 20 wtime 20 byoyomi 0",
        "gameover lose",
        "setoption name MultiPV value 3",
        "setoption name Stochastic_Ponder value true",
        "setoption name Stochastic_Ponder value false",
        "setoption name Clear_Hash",
        "setoption name USI_Hash value 2",
        "nonsense \u{FFFD}",
    ];
    let evaluation = built_in_files().display();
    let _alone = alone_with_full_tables();
    let mut random = fastrand::Rng::with_seed(28);
    for _ in 0..25 {
        let mut input =
            format!("setoption name EvalDir value {evaluation}\nsetoption name USI_Hash value 1\n");
        let mut strict = Strict::new();
        for _ in 0..random.usize(1..25) {
            let line = LINES[random.usize(..LINES.len())];
            strict.sends(line);
            input.push_str(line);
            input.push('\n');
        }
        let heard = Heard::default();
        session::run(Cursor::new(&input), heard.clone()).expect("memory can be read");
        let said = heard.0.lock().expect("nobody panicked");
        let said = String::from_utf8(said.clone()).expect("the engine writes UTF-8");
        for line in said.lines() {
            if let Err(message) = strict.hears(line) {
                panic!("'{line}': {message}\n{input}\n{said}");
            }
        }
        assert_eq!(strict.unanswered(), 0, "{input}\n{said}");
    }
}
