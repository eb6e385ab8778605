//! The file of an analysis: JSON, one value a line. The first line is the game and how it is searched, each other one what
//! was found in a position.
//!
//! While the work goes on, findings are appended as they come, from the end of the game to its start. A line that is not
//! whole is the trace of a break, and its position is searched again. A finished file is written anew in the order of
//! the game, with what each move has lost.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::analyst::Settings;
use super::finding::{Finding, StoredFinding};
use super::game_analysis::{self, GameAnalysis, rounded};
use crate::record::{self, Encoding, Format, Record};
use crate::shogi::color::Color;
use crate::shogi::sfen;
use crate::util::atomic_file::{SaveError, write_atomically};
use crate::util::input_file;

/// How the first line begins.
pub const MAGIC: &str = "{\"analysis\":\"Jitsugen\"";

/// The first line.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
struct Head {
    analysis: String,
    /// The version that wrote the file.
    version: String,
    /// The players, Black and White.
    players: [Option<String>; 2],
    /// The game in USI.
    game: String,
    settings: StoredSettings,
}

impl Head {
    /// Whether findings of `other`, which is searched with `settings`, may follow those of this one. Threads and memory
    /// count where the user has set them: their defaults differ from machine to machine.
    fn takes_more_of(&self, other: &Head, settings: &Settings) -> bool {
        let mut own = Head { version: other.version.clone(), ..self.clone() };
        if settings.threads.is_none() {
            own.settings.threads = other.settings.threads;
        }
        if settings.hash.is_none() {
            own.settings.hash = other.settings.hash;
        }
        own == *other
    }
}

/// The settings that decide what is found.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
struct StoredSettings {
    /// Seconds of each search.
    seconds: Option<f64>,
    nodes: Option<u64>,
    lines: usize,
    threads: usize,
    hash: usize,
    eval_dir: String,
}

/// A line about a position, for other programs to read.
#[derive(Serialize)]
struct WrittenPosition<'a> {
    #[serde(flatten)]
    finding: StoredFinding,
    /// How probable it is that the side to move wins.
    chance: f64,
    sfen: String,
    /// The move that was played next.
    #[serde(skip_serializing_if = "Option::is_none")]
    played: Option<WrittenMove<'a>>,
}

/// The move that was played in a position.
#[derive(Serialize)]
struct WrittenMove<'a> {
    #[serde(rename = "move")]
    mv: String,
    words: &'a str,
    loss: i32,
    lost_chance: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    grade: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    missed_mate: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    allowed_mate: Option<u32>,
    probability: f64,
    best_probability: f64,
}

/// The file of one game, and what is known of it so far.
pub struct AnalysisFile {
    path: PathBuf,
    head: Head,
    /// By ply.
    findings: Vec<Option<Finding>>,
    /// The bytes of whole lines.
    length: u64,
    is_new: bool,
}

impl AnalysisFile {
    /// A new file at `path` for the analysis of `record`. What is there stays until the first finding is added.
    pub fn new(path: &Path, record: &Record, settings: &Settings) -> AnalysisFile {
        AnalysisFile {
            path: path.to_path_buf(),
            head: head(record, settings),
            findings: vec![None; record.moves().len() + 1],
            length: 0,
            is_new: true,
        }
    }

    /// The file at `path` for the analysis of `record`, which need not be there yet.
    ///
    /// # Errors
    /// When the file cannot be read, or is something else, or has another game or other settings.
    pub fn open(path: &Path, record: &Record, settings: &Settings) -> Result<AnalysisFile, String> {
        let positions = game_analysis::positions(record);
        let mut file = AnalysisFile::new(path, record, settings);
        let bytes = match input_file::read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(file),
            Err(error) => return Err(format!("{}: {error}", path.display())),
        };
        if bytes.is_empty() {
            return Ok(file);
        }
        let end = bytes.iter().position(|&byte| byte == b'\n').unwrap_or(bytes.len());
        let known: Option<Head> = serde_json::from_slice(&bytes[..end]).ok();
        match known {
            Some(known) if known.takes_more_of(&file.head, settings) => file.head.settings = known.settings,
            Some(known) => {
                let other =
                    if known.game == file.head.game { "with other settings" } else { "of another game" };
                return Err(format!(
                    "{}: is an analysis {other}: expected another --output, or --again to replace it",
                    path.display()
                ));
            }
            None => {
                return Err(format!(
                    "{}: is there, but no analysis: expected another --output",
                    path.display()
                ));
            }
        }
        (file.length, file.is_new) = (end as u64 + 1, false);
        for line in bytes.get(end + 1..).unwrap_or_default().split_inclusive(|&byte| byte == b'\n') {
            let stored: Option<StoredFinding> = serde_json::from_slice(line).ok();
            let found = stored.and_then(|stored| stored.check(positions.get(stored.ply)?));
            let Some(finding) = found.filter(|_| line.ends_with(b"\n")) else { break };
            file.length += line.len() as u64;
            let ply = finding.ply;
            file.findings[ply] = Some(finding);
        }
        Ok(file)
    }

    /// The positions that are not searched yet, by their plies, in the order in which they should be: the last first.
    pub fn missing(&self) -> Vec<usize> {
        (0..self.findings.len()).rev().filter(|&ply| self.findings[ply].is_none()).collect()
    }

    /// Appends what was found in a position.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn add(&mut self, finding: Finding) -> Result<(), SaveError> {
        let failed = |source| SaveError { path: self.path.clone(), source };
        let mut text = String::new();
        if self.is_new {
            text = to_line(&self.head);
        }
        text.push_str(&to_line(&StoredFinding::from(&finding)));
        input_file::write_behind(&self.path, self.length, text.as_bytes()).map_err(failed)?;
        self.length += text.len() as u64;
        self.is_new = false;
        let ply = finding.ply;
        self.findings[ply] = Some(finding);
        Ok(())
    }

    /// The findings in the order of the game; `None` while some are missing.
    pub fn findings(&self) -> Option<Vec<Finding>> {
        self.findings.iter().cloned().collect()
    }

    /// Writes the finished file in the order of the game.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish(&self, analysis: &GameAnalysis) -> Result<(), SaveError> {
        let mut text = to_line(&self.head);
        for (ply, finding) in analysis.findings().iter().enumerate() {
            let played = analysis.judgements().get(ply).map(|judgement| WrittenMove {
                mv: judgement.mv.to_string(),
                words: &judgement.words,
                loss: judgement.loss,
                lost_chance: rounded(judgement.lost_chance),
                grade: judgement.grade.map(|grade| grade.name()),
                missed_mate: judgement.missed_mate(),
                allowed_mate: judgement.allowed_mate(),
                probability: rounded(judgement.probability),
                best_probability: rounded(judgement.best_probability),
            });
            text.push_str(&to_line(&WrittenPosition {
                finding: finding.into(),
                chance: rounded(finding.value.chance_to_win()),
                sfen: sfen::write(&analysis.positions()[ply]),
                played,
            }));
        }
        write_atomically(&self.path, |file| file.write_all(text.as_bytes()))
    }
}

fn to_line(value: &impl Serialize) -> String {
    let mut text = serde_json::to_string(value).expect("plain values have a JSON form");
    text.push('\n');
    text
}

fn head(record: &Record, settings: &Settings) -> Head {
    let game = record::write(std::slice::from_ref(record), Format::Usi, Encoding::Utf8)
        .expect("UTF-8 has every character, and USI takes any number of games");
    let options = settings.options();
    Head {
        analysis: "Jitsugen".into(),
        version: env!("CARGO_PKG_VERSION").into(),
        players: Color::ALL.map(|color| record.players()[color].clone()),
        game: String::from_utf8_lossy(&game).trim().to_string(),
        settings: StoredSettings {
            seconds: settings.time.map(|time| time.as_secs_f64()),
            nodes: settings.nodes,
            lines: settings.lines,
            threads: options.threads,
            hash: options.hash,
            eval_dir: settings.eval_dir.clone(),
        },
    }
}
