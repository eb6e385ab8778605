//! Thinks out a book: searches its positions, and keeps what is found in a file, so that work that was broken off goes on.
//!
//! The file has one JSON value a line: first how positions are searched, then what was found in each, as it comes. A line
//! that is not whole is the trace of a break, and ends the file.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::analyst::{Analyst, Settings};
use super::finding::StoredFinding;
use crate::book::graph::{BookGraph, Place, Thought};
use crate::shogi::sfen;
use crate::util::atomic_file::SaveError;
use crate::util::input_file;

/// How the first line begins.
pub const MAGIC: &str = "{\"thoughts\":\"Jitsugen\"";

/// The first line.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
struct Head {
    thoughts: String,
    /// The version that wrote the file.
    version: String,
    /// Seconds of each search.
    seconds: Option<f64>,
    nodes: Option<u64>,
    lines: usize,
    eval_dir: String,
}

impl Head {
    fn new(settings: &Settings) -> Head {
        Head {
            thoughts: "Jitsugen".into(),
            version: env!("CARGO_PKG_VERSION").into(),
            seconds: settings.time.map(|time| time.as_secs_f64()),
            nodes: settings.nodes,
            lines: settings.lines,
            eval_dir: settings.eval_dir.clone(),
        }
    }

    fn is_searched_like(&self, other: &Head) -> bool {
        *self == Head { version: self.version.clone(), ..other.clone() }
    }
}

/// A line about a position.
#[derive(Serialize, Deserialize, Debug)]
struct StoredThought {
    sfen: String,
    #[serde(flatten)]
    finding: StoredFinding,
}

/// Searches positions of a book, each of them once.
pub struct BookThinker {
    path: PathBuf,
    settings: Settings,
    /// By their keys.
    thoughts: HashMap<String, Thought>,
    /// The bytes of whole lines.
    length: u64,
    analyst: Analyst,
}

impl BookThinker {
    /// A thinker with what the file at `path` has, which need not be there yet.
    ///
    /// # Errors
    /// When the file cannot be read, is something else, or was made with other settings, or no thread can be started.
    pub fn open(path: &Path, settings: &Settings) -> Result<BookThinker, String> {
        let mut thinker = BookThinker {
            path: path.to_path_buf(),
            settings: settings.clone(),
            thoughts: HashMap::new(),
            length: 0,
            analyst: Analyst::new(settings.clone()).map_err(|error| error.to_string())?,
        };
        let bytes = match input_file::read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(format!("{}: {error}", path.display())),
        };
        let mut lines = bytes.split_inclusive(|&byte| byte == b'\n');
        // A file that was broken off in its first line has nothing yet.
        let has_first = |line: &&[u8]| line.ends_with(b"\n") || !line.starts_with(MAGIC.as_bytes());
        let Some(first) = lines.next().filter(has_first) else { return Ok(thinker) };
        let known: Head = serde_json::from_slice(first).map_err(|_| {
            format!("{}: is there, but has no thoughts on a book: expected another --output", path.display())
        })?;
        if !known.is_searched_like(&Head::new(settings)) {
            return Err(format!(
                "{}: these positions were searched otherwise ({}): expected the same settings, or another --output",
                path.display(),
                describe(&known)
            ));
        }
        thinker.length = first.len() as u64;
        for line in lines {
            let stored: Option<StoredThought> = serde_json::from_slice(line).ok();
            let Some((key, thought)) = stored.and_then(checked).filter(|_| line.ends_with(b"\n")) else {
                break;
            };
            thinker.length += line.len() as u64;
            thinker.thoughts.insert(key, thought);
        }
        Ok(thinker)
    }

    /// Whether the position at this place still has to be searched.
    pub fn is_missing(&self, graph: &BookGraph, place: Place) -> bool {
        !self.thoughts.contains_key(graph.key(place))
    }

    /// Searches a position of the graph, unless the file has it, and gives the graph what is found.
    ///
    /// # Errors
    /// When the file cannot be written, or there is no memory for the evaluation.
    pub fn think(&mut self, graph: &mut BookGraph, place: Place) -> Result<(), String> {
        if graph.is_thought(place) {
            return Ok(());
        }
        let key = graph.key(place).to_string();
        if let Some(thought) = self.thoughts.get(&key) {
            graph.set_thought(place, thought.clone());
            return Ok(());
        }
        // The positions of a graph can be read: it has written them itself.
        let Ok(position) = sfen::parse(&key) else { return Ok(()) };
        // With empty tables, so that a run that was broken off ends as one that was not.
        self.analyst.begin_game()?;
        let finding = self.analyst.look_at(0, &position);
        let stored = StoredThought { sfen: key, finding: (&finding).into() };
        self.append(&stored).map_err(|error| error.to_string())?;
        if let Some((key, thought)) = checked(stored) {
            graph.set_thought(place, thought.clone());
            self.thoughts.insert(key, thought);
        }
        Ok(())
    }

    /// What the engine had to say since the last call, for people.
    pub fn take_notes(&mut self) -> Vec<String> {
        self.analyst.take_notes()
    }

    fn append(&mut self, stored: &StoredThought) -> Result<(), SaveError> {
        let mut text = String::new();
        if self.length == 0 {
            text = to_line(&Head::new(&self.settings));
        }
        text.push_str(&to_line(stored));
        input_file::write_behind(&self.path, self.length, text.as_bytes())
            .map_err(|source| SaveError { path: self.path.clone(), source })?;
        self.length += text.len() as u64;
        Ok(())
    }
}

/// How positions are searched, for people.
fn describe(head: &Head) -> String {
    let mut text = format!("--lines {}", head.lines);
    if let Some(nodes) = head.nodes {
        text.push_str(&format!(", --nodes {nodes}"));
    }
    if let Some(seconds) = head.seconds {
        text.push_str(&format!(", --time {seconds}"));
    }
    if !head.eval_dir.is_empty() {
        text.push_str(&format!(", --eval-dir {}", head.eval_dir));
    }
    text
}

/// A thought with its key; `None` where a line cannot be played.
fn checked(stored: StoredThought) -> Option<(String, Thought)> {
    let position = sfen::parse(&stored.sfen).ok()?;
    let finding = stored.finding.check(&position)?;
    let thought = Thought {
        value: finding.value.cp(),
        depth: finding.depth,
        lines: finding.lines.iter().map(|line| (line.moves[0], line.moves.get(1).copied())).collect(),
    };
    Some((stored.sfen, thought))
}

fn to_line(value: &impl Serialize) -> String {
    let mut text = serde_json::to_string(value).expect("plain values have a JSON form");
    text.push('\n');
    text
}
