//! Merges the parts of a run, which many machines may have played, into the file that one run would have written.
//!
//! A game depends on earlier ones in one way only: it is not played where one of them began from the same position. A
//! part does not know the parts before it, so such games are dropped here. A run also ends where its openings are used
//! up; what parts have after that is left out.

use std::collections::HashSet;
use std::fmt;
use std::fs::{File, TryLockError};
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};

use super::run_file::{self, RunFileError, RunFileProblem, RunReader};
use crate::shogi::key::Key;
use crate::util::atomic_file::{SaveError, write_atomically};
use crate::util::input_file;

/// What a merge wrote.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Merged {
    /// Games, including those that were not played.
    pub games: u64,
    /// Training positions.
    pub positions: u64,
    /// Games that a part played and the run would not have, as an earlier part has their start position.
    pub duplicates: u64,
    /// Games that were not written, as the run would have ended before: its openings were used up.
    pub left_out: u64,
}

/// Writes the file of one run to `output` from its parts, which are given in any order. `expected` is the number of games
/// of all parts together, if it is known. `progress` is called with the number of bytes that have been read.
///
/// Only the keys of start positions are held in memory.
///
/// # Errors
/// When a part cannot be used, or something cannot be written. `output` then stays as it was.
pub fn merge(
    parts: &[PathBuf],
    output: &Path,
    expected: Option<u64>,
    mut progress: impl FnMut(u64),
) -> Result<Merged, MergeError> {
    let parts = in_order(parts)?;
    let settings = &parts.first().ok_or(MergeError::NoPart)?.settings;
    let mut problem = None;
    let mut state = MergeState::default();
    let written = write_atomically(output, |file| {
        file.write_all(&run_file::begin(settings)?)?;
        let mut bytes = 0;
        let mut before: Option<&Part> = None;
        for part in &parts {
            match state.add(part, before, file, |read| progress(bytes + read)) {
                Ok(read) => bytes += read,
                Err(PartError::Save(source)) => return Err(source),
                Err(PartError::Merge(error)) => {
                    problem = Some(error);
                    return Err(io::ErrorKind::InvalidData.into());
                }
            }
            before = Some(part);
        }
        if let Some(expected) = expected.filter(|&expected| expected != state.next && !state.is_used_up()) {
            problem = Some(MergeError::Games { found: state.next, expected });
            return Err(io::ErrorKind::InvalidData.into());
        }
        Ok(())
    });
    if let Some(problem) = problem {
        return Err(problem);
    }
    written.map_err(MergeError::Save)?;
    Ok(state.merged)
}

/// A part that is there, and what its header says.
#[derive(Debug)]
struct Part {
    path: PathBuf,
    settings: String,
    first: u64,
}

/// The parts in the order of their first games. All are of one run.
fn in_order(paths: &[PathBuf]) -> Result<Vec<Part>, MergeError> {
    let part = |path: &PathBuf| {
        let reader = RunReader::open(path)?;
        Ok(Part { path: path.clone(), settings: reader.settings().to_string(), first: reader.first() })
    };
    let mut parts = paths.iter().map(part).collect::<Result<Vec<_>, _>>().map_err(MergeError::Part)?;
    parts.sort_by_key(|part| part.first);
    if let Some(reference) = parts.first()
        && let Some(part) = parts.iter().find(|part| part.settings != reference.settings)
    {
        return Err(MergeError::Settings {
            part: part.path.clone(),
            found: part.settings.clone(),
            reference: reference.path.clone(),
            expected: reference.settings.clone(),
        });
    }
    Ok(parts)
}

/// Why a part could not be added.
enum PartError {
    Merge(MergeError),
    Save(io::Error),
}

impl From<RunFileError> for PartError {
    fn from(error: RunFileError) -> PartError {
        PartError::Merge(MergeError::Part(error))
    }
}

/// What a merge knows of the games that it has read.
#[derive(Default)]
struct MergeState {
    merged: Merged,
    /// The number of the game that has to follow.
    next: u64,
    starts: HashSet<Key>,
    /// Games without a position since the last one that has some.
    idle: u64,
    /// The line of the opening of game 0.
    first_opening: Option<usize>,
    /// How many openings the run has: each is used once before any is used again, so this shows when that of game 0
    /// comes again.
    openings: Option<u64>,
}

impl MergeState {
    /// Whether the run has ended because its openings were used up.
    fn is_used_up(&self) -> bool {
        self.openings.is_some_and(|openings| super::is_used_up(self.idle, openings))
    }

    /// Writes the games of `part`, which follows `before`, to `file`. Returns how many bytes the part has.
    fn add(
        &mut self,
        part: &Part,
        before: Option<&Part>,
        file: &mut impl Write,
        mut progress: impl FnMut(u64),
    ) -> Result<u64, PartError> {
        // A part that ended because openings were used up has fewer games than were asked for.
        let is_late = part.first > self.next && !self.is_used_up();
        if part.first < self.next || is_late {
            let (part, found, expected) = (part.path.clone(), part.first, self.next);
            let before = before.map(|before| before.path.clone());
            return Err(PartError::Merge(MergeError::First { part, found, expected, before }));
        }
        self.next = part.first;
        let failed = |source| RunFileProblem::File(source).of(&part.path);
        let input = open_shared(&part.path)?;
        let length = input.metadata().map_err(failed)?.len();
        let mut reader = RunReader::new(BufReader::with_capacity(1 << 16, input), &part.path)?;
        while let Some(mut game) = reader.read_game()? {
            self.next = reader.next_game();
            progress(reader.good_bytes());
            match self.first_opening {
                None => self.first_opening = Some(game.opening),
                Some(first) if first == game.opening && self.openings.is_none() => {
                    self.openings = Some(game.number);
                }
                Some(_) => {}
            }
            if self.is_used_up() {
                self.merged.left_out += 1;
                continue;
            }
            if !self.starts.insert(game.start) {
                self.merged.duplicates += u64::from(game.ending.is_played());
                game.drop_as_duplicate();
            }
            self.idle = if game.positions.is_empty() { self.idle + 1 } else { 0 };
            self.merged.games += 1;
            self.merged.positions += game.positions.len() as u64;
            let frame = run_file::encode(&game).map_err(PartError::Save)?;
            file.write_all(&frame).map_err(PartError::Save)?;
        }
        let bytes = length.saturating_sub(reader.good_bytes());
        let (path, next) = (part.path.clone(), reader.next_game());
        if bytes > 0 {
            return Err(PartError::Merge(MergeError::CutOff { part: path, bytes, game: next }));
        }
        if next == part.first {
            return Err(PartError::Merge(MergeError::Empty { part: path, game: next }));
        }
        Ok(length)
    }
}

/// Opens a part that no other process is writing.
fn open_shared(path: &Path) -> Result<File, RunFileError> {
    let file = input_file::open(path).map_err(|source| RunFileProblem::File(source).of(path))?;
    // Where a file system has no locks, parts were played on another one.
    match file.try_lock_shared() {
        Err(TryLockError::WouldBlock) => Err(RunFileProblem::InUse.of(path)),
        Ok(()) | Err(TryLockError::Error(_)) => Ok(file),
    }
}

/// Why parts could not be merged.
#[derive(Debug)]
pub enum MergeError {
    /// No part was given.
    NoPart,
    /// A part is no run, is damaged, or cannot be read.
    Part(RunFileError),
    /// A part belongs to another run.
    Settings {
        /// The part.
        part: PathBuf,
        /// Its settings.
        found: String,
        /// The part with the lowest numbers.
        reference: PathBuf,
        /// The settings of that one.
        expected: String,
    },
    /// A part does not follow the one before: games are missing, or are in both.
    First {
        /// The part.
        part: PathBuf,
        /// The number of its first game.
        found: u64,
        /// The number that the part before asks for.
        expected: u64,
        /// The part before; `None` where this is the first.
        before: Option<PathBuf>,
    },
    /// So many bytes after the last whole game of a part are no game.
    CutOff {
        /// The part.
        part: PathBuf,
        /// How many bytes.
        bytes: u64,
        /// The number of the game that should be there.
        game: u64,
    },
    /// A part has no game.
    Empty {
        /// The part.
        part: PathBuf,
        /// The number of the game that it should begin with.
        game: u64,
    },
    /// All parts together have another number of games than was said.
    Games {
        /// How many they have.
        found: u64,
        /// How many they should have.
        expected: u64,
    },
    /// The file could not be written.
    Save(SaveError),
}

impl fmt::Display for MergeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MergeError::NoPart => f.write_str("no part: expected the files of one run"),
            MergeError::Part(error) => error.fmt(f),
            MergeError::Settings { part, found, reference, expected } => write!(
                f,
                "{}: was begun with '{found}': expected '{expected}', as in {}",
                part.display(),
                reference.display()
            ),
            MergeError::First { part, found, expected, before: None } => {
                write!(
                    f,
                    "{}: begins with game {found}: expected a part with game {expected}",
                    part.display()
                )
            }
            MergeError::First { part, found, expected, before: Some(before) } => {
                let what = if found < expected { "are in both" } else { "are missing" };
                let (from, to) = (found.min(expected), found.max(expected) - 1);
                let (part, before) = (part.display(), before.display());
                write!(
                    f,
                    "{part}: begins with game {found}, and {before} ends before game {expected}: games {from} to {to} \
                     {what}, expected each once"
                )
            }
            MergeError::CutOff { part, bytes, game } => write!(
                f,
                "{}: {bytes} bytes at the end are no whole game: expected game {game}; the command that plays this \
                 part goes on with it",
                part.display()
            ),
            MergeError::Empty { part, game } => {
                write!(f, "{}: has no game: expected game {game}", part.display())
            }
            MergeError::Games { found, expected } => {
                write!(f, "the parts have {found} games: expected {expected}")
            }
            MergeError::Save(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for MergeError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            MergeError::Part(error) => Some(error),
            MergeError::Save(error) => Some(error),
            _ => None,
        }
    }
}
