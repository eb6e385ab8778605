//! What self-play writes, whole after a break at any moment.
//!
//! Two files that belong together: the training positions, and beside them, with the extension `usi`, the games. The
//! first line of the games names the settings. A game that was played is a line as USI has games; after it, and for
//! every game that was not played too, comes a line that begins with `#` and says how many positions the game has and
//! their checksum. Positions are written first, so that a game counts once this line is there as a whole. Whatever lies
//! beyond the last such line, in either file, is cut off when the run is taken up again. A failure of power may leave
//! the line and zeros for the positions to the end of the file, or nothing: that game and all after it are cut off as
//! well, and [`Output::lost`] tells. It may as well leave positions of games whose lines are lost. Where either is more
//! than that can explain, the files are left as they are.

use std::collections::HashMap;
use std::fmt;
use std::fs::{File, TryLockError};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::adjudication::Ending;
use super::entry::{Entry, HEADING};
use super::game::Game;
use crate::record::packed::{self, Packed};
use crate::record::{self, Encoding, Format};
use crate::shogi::color::Color;
use crate::shogi::key::Key;

/// Bytes of the positions of a game at most, as its line has them counted: more, where no game is told of, are no rest of
/// one that was broken off.
const LONGEST_GAME: u64 = u16::MAX as u64 * packed::BYTES as u64;

/// Positions that a failure of power may take, with what a system keeps back for half a minute: where more are not there,
/// something else has happened to the file, and the games beside it are worth more than to be cut off. It may take as
/// much of the games.
const MOST_LOST: u64 = 400_000;

/// The files and what they hold.
#[derive(Debug)]
pub struct Output {
    data: Named,
    log: Named,
    games: u64,
    positions: u64,
    endings: [u64; Ending::ALL.len()],
    /// Of the games that were played: won by Black, won by White, drawn.
    results: [u64; 3],
    /// Games without a position since the last one that has some.
    idle: u64,
    starts: HashMap<Key, u64>,
    lost: bool,
}

impl Drop for Output {
    /// Gives up the lock. It would last until the last copy of the open file is closed, and a program that another thread
    /// starts at this moment has one for a while.
    fn drop(&mut self) {
        // What cannot be given up now ends with the process.
        let _ = self.log.file.unlock();
    }
}

/// A file with its name.
#[derive(Debug)]
struct Named {
    file: File,
    path: PathBuf,
}

impl Output {
    /// Opens the files, or begins them. `settings` is one line of text: the files must have been begun with the same.
    ///
    /// # Errors
    /// See [`OutputError`]. Files that are in the way are left as they are.
    pub fn open(path: &Path, settings: &str) -> Result<Output, OutputError> {
        if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("usi")) {
            return Err(OutputError::Name(path.to_path_buf()));
        }
        let games = path.with_extension("usi");
        let filled = |path: &Path| path.metadata().is_ok_and(|metadata| metadata.len() > 0);
        for (one, other) in [(path, &*games), (&*games, path)] {
            if filled(one) && !other.exists() {
                return Err(OutputError::Alone { path: one.to_path_buf(), missing: other.to_path_buf() });
            }
        }
        let log = Named::open(games)?;
        match log.file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(OutputError::InUse(log.path)),
            Err(TryLockError::Error(source)) => return Err(log.failed(source)),
        }
        let data = Named::open(path.to_path_buf())?;
        let mut output = Output {
            data,
            log,
            games: 0,
            positions: 0,
            endings: [0; Ending::ALL.len()],
            results: [0; 3],
            idle: 0,
            starts: HashMap::new(),
            lost: false,
        };
        output.take_up(&format!("{HEADING} 1: {settings}\n"))?;
        Ok(output)
    }

    /// Goes through what is there and leaves both files at the end of the last whole game.
    fn take_up(&mut self, heading: &str) -> Result<(), OutputError> {
        let length =
            |file: &Named| file.file.metadata().map_err(|source| file.failed(source)).map(|meta| meta.len());
        let (log_length, data_length) = (length(&self.log)?, length(&self.data)?);
        let data = self.data.another()?;
        let log = self.log.another()?;
        let (mut data, mut lines) = (BufReader::new(data), BufReader::new(log));
        let mut line = Vec::new();
        let mut next = |line: &mut Vec<u8>, path: &Path| {
            line.clear();
            let read = lines.read_until(b'\n', line);
            read.map_err(|source| OutputError::File { path: path.to_path_buf(), source })?;
            Ok::<bool, OutputError>(line.ends_with(b"\n"))
        };
        if !next(&mut line, &self.log.path)? {
            // Not even the heading was finished; but then nothing else may be there.
            if !heading.as_bytes().starts_with(&line) || data_length > 0 {
                return Err(OutputError::Foreign(
                    if data_length > 0 { &self.data } else { &self.log }.path.clone(),
                ));
            }
            self.log.cut(0)?;
            return self.log.write(heading.as_bytes());
        }
        if line != heading.as_bytes() {
            let found = String::from_utf8_lossy(&line).trim_end().to_string();
            if !found.starts_with(HEADING) {
                return Err(OutputError::Foreign(self.log.path.clone()));
            }
            let expected = heading.trim_end().to_string();
            return Err(OutputError::Settings { path: self.log.path.clone(), found, expected });
        }
        let (mut end, mut at, mut number) = (line.len() as u64, line.len() as u64, 1);
        let mut result = None;
        let mut records = Vec::new();
        while next(&mut line, &self.log.path)? {
            at += line.len() as u64;
            number += 1;
            if !line.starts_with(b"#") {
                result = ["b", "w", "d"].iter().position(|word| line.starts_with(word.as_bytes()));
                continue;
            }
            let entry = std::str::from_utf8(&line).ok().and_then(Entry::parse);
            let entry = entry
                .filter(|entry| entry.number == self.games && entry.ending.is_played() == result.is_some());
            let wrong = || OutputError::Line { path: self.log.path.clone(), line: number };
            let entry = entry.ok_or_else(wrong)?;
            let bytes = entry.positions * packed::BYTES as u64;
            // They are written before the line.
            let are_there = self.positions * packed::BYTES as u64 + bytes <= data_length;
            if are_there {
                records.resize(bytes as usize, 0);
                data.read_exact(&mut records).map_err(|source| self.data.failed(source))?;
                if crc32fast::hash(&records) == entry.checksum {
                    self.count(&entry, result.take());
                    end = at;
                    continue;
                }
                if !ends_blank(&records) || !is_zero(&mut data).map_err(|source| self.data.failed(source))? {
                    return Err(OutputError::Checksum { path: self.data.path.clone(), game: entry.number });
                }
            }
            self.lost = true;
            let mut positions = entry.positions;
            while next(&mut line, &self.log.path)? {
                let entry = std::str::from_utf8(&line).ok().and_then(Entry::parse);
                positions += entry.map_or(0, |entry| entry.positions);
            }
            if positions > MOST_LOST {
                let path = self.data.path.clone();
                return Err(OutputError::Lost { path, game: entry.number, positions });
            }
            break;
        }
        if self.games == 0 && !self.lost && data_length > LONGEST_GAME {
            return Err(OutputError::Foreign(self.data.path.clone()));
        }
        let data_end = self.positions * packed::BYTES as u64;
        let beyond = data_length.saturating_sub(data_end);
        // One game may not have got its line yet.
        if !self.lost && beyond > MOST_LOST * packed::BYTES as u64 + LONGEST_GAME {
            return Err(OutputError::Untold {
                path: self.data.path.clone(),
                games: self.log.path.clone(),
                positions: beyond / packed::BYTES as u64,
            });
        }
        if end < log_length {
            self.log.cut(end)?;
        }
        if beyond > 0 {
            self.data.cut(data_end)?;
        }
        self.log.seek_to_end()?;
        self.data.seek_to_end()
    }

    /// Writes the game, the next after those that are there.
    ///
    /// # Errors
    /// When the system refuses. What is there stays, and a run may be taken up again.
    pub fn append(&mut self, game: &Game) -> Result<(), OutputError> {
        debug_assert_eq!(game.number, self.games);
        let mut records = Vec::with_capacity(game.positions.len() * packed::BYTES);
        for packed in &game.positions {
            records.extend_from_slice(&packed.0);
        }
        let entry = Entry {
            number: game.number,
            opening: game.opening,
            random_moves: game.random_moves,
            start: game.start,
            ending: game.ending,
            positions: game.positions.len() as u64,
            checksum: crc32fast::hash(&records),
        };
        let mut text = Vec::new();
        let mut result = None;
        if entry.ending.is_played() {
            result = Some(game.record.winner().map_or(2, Color::index));
            text = record::write(std::slice::from_ref(&game.record), Format::Usi, Encoding::Utf8)
                .expect("UTF-8 has all characters, and USI files any number of games");
        }
        text.extend_from_slice(entry.to_string().as_bytes());
        self.data.write(&records)?;
        self.log.write(&text)?;
        self.count(&entry, result);
        Ok(())
    }

    fn count(&mut self, entry: &Entry, result: Option<usize>) {
        self.games += 1;
        self.positions += entry.positions;
        self.endings[entry.ending as usize] += 1;
        if let Some(result) = result {
            self.results[result] += 1;
        }
        self.idle = if entry.positions == 0 { self.idle + 1 } else { 0 };
        self.starts.entry(entry.start).or_insert(entry.number);
    }

    /// How many games there are, those that were not played included.
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// How many training positions there are.
    pub const fn positions(&self) -> u64 {
        self.positions
    }

    /// Each ending with the number of games that ended so.
    pub fn endings(&self) -> impl Iterator<Item = (Ending, u64)> {
        Ending::ALL.into_iter().zip(self.endings)
    }

    /// Of the games that were played, how many Black won, White won, and nobody.
    pub const fn results(&self) -> [u64; 3] {
        self.results
    }

    /// How many of the last games in a row have no position.
    pub const fn idle(&self) -> u64 {
        self.idle
    }

    /// Whether positions of games that had been written were not there any more when the files were opened. These games
    /// are played again, from number [`games`](Output::games) on.
    pub const fn lost(&self) -> bool {
        self.lost
    }

    /// Where games began, with the number of the first that did.
    pub(super) fn starts(&self) -> HashMap<Key, u64> {
        self.starts.clone()
    }
}

/// Whether the end of the last of these records never reached the disk: no move has the number 0.
fn ends_blank(records: &[u8]) -> bool {
    records.as_chunks().0.last().is_some_and(|&record| Packed(record).ply() == 0)
}

/// Whether all the rest is zeros.
fn is_zero(rest: &mut impl BufRead) -> io::Result<bool> {
    loop {
        let bytes = rest.fill_buf()?;
        if bytes.is_empty() {
            return Ok(true);
        }
        if bytes.iter().any(|&byte| byte != 0) {
            return Ok(false);
        }
        let length = bytes.len();
        rest.consume(length);
    }
}

impl Named {
    fn open(path: PathBuf) -> Result<Named, OutputError> {
        match File::options().read(true).write(true).create(true).truncate(false).open(&path) {
            Ok(file) => Ok(Named { file, path }),
            Err(source) => Err(OutputError::File { path, source }),
        }
    }

    /// The same file once more, to read it.
    fn another(&self) -> Result<File, OutputError> {
        self.file.try_clone().map_err(|source| self.failed(source))
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), OutputError> {
        self.file.write_all(bytes).map_err(|source| self.failed(source))
    }

    /// Cuts off what comes after the first `length` bytes.
    fn cut(&mut self, length: u64) -> Result<(), OutputError> {
        self.file.set_len(length).map_err(|source| self.failed(source))?;
        self.seek_to_end()
    }

    fn seek_to_end(&mut self) -> Result<(), OutputError> {
        self.file.seek(SeekFrom::End(0)).map(drop).map_err(|source| self.failed(source))
    }

    fn failed(&self, source: io::Error) -> OutputError {
        OutputError::File { path: self.path.clone(), source }
    }
}

/// Why the files cannot be used.
#[derive(Debug)]
pub enum OutputError {
    /// The system refused.
    File {
        /// The file.
        path: PathBuf,
        /// What it said.
        source: io::Error,
    },
    /// Training positions cannot have the extension that the games beside them have.
    Name(PathBuf),
    /// Another process writes it.
    InUse(PathBuf),
    /// One of the two files is there without the other.
    Alone {
        /// The one that is there.
        path: PathBuf,
        /// The one that is not.
        missing: PathBuf,
    },
    /// There is a file, but self-play did not write it.
    Foreign(PathBuf),
    /// The files were begun with other settings.
    Settings {
        /// The file.
        path: PathBuf,
        /// What it says.
        found: String,
        /// What it would have to say.
        expected: String,
    },
    /// A line that self-play cannot have written there.
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
    },
    /// Positions of a game are not as they were written.
    Checksum {
        /// The file.
        path: PathBuf,
        /// The game's number.
        game: u64,
    },
    /// More positions are not there than a failure of power takes.
    Lost {
        /// The file.
        path: PathBuf,
        /// The number of the first game without its positions.
        game: u64,
        /// How many positions it and those after it have.
        positions: u64,
    },
    /// More positions come after those that the games tell of than a break leaves.
    Untold {
        /// The file.
        path: PathBuf,
        /// The file of games.
        games: PathBuf,
        /// How many they are.
        positions: u64,
    },
}

impl fmt::Display for OutputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OutputError::File { path, source } => write!(f, "{}: {source}", path.display()),
            OutputError::Name(path) => {
                write!(f, "{}: expected another extension than usi, which the games get", path.display())
            }
            OutputError::InUse(path) => write!(f, "{}: another process writes it", path.display()),
            OutputError::Alone { path, missing } => {
                write!(
                    f,
                    "{}: is there without {}: expected both or neither",
                    path.display(),
                    missing.display()
                )
            }
            OutputError::Foreign(path) => {
                write!(f, "{}: is there, but not from self-play: expected a new name", path.display())
            }
            OutputError::Settings { path, found, expected } => {
                write!(
                    f,
                    "{}: was begun with '{found}': expected '{expected}', or a new name",
                    path.display()
                )
            }
            OutputError::Line { path, line } => {
                write!(f, "{}: line {line}: expected what self-play writes", path.display())
            }
            OutputError::Checksum { path, game } => {
                write!(f, "{}: the positions of game {game} do not have their checksum", path.display())
            }
            OutputError::Lost { path, game, positions } => {
                write!(
                    f,
                    "{}: is without the positions of game {game} and all after it, {positions} in all: expected the \
                     whole file, or a new name",
                    path.display()
                )
            }
            OutputError::Untold { path, games, positions } => {
                write!(
                    f,
                    "{}: has {positions} positions more than {} tells of: expected the games that belong to them, or a \
                     new name",
                    path.display(),
                    games.display()
                )
            }
        }
    }
}

impl std::error::Error for OutputError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            OutputError::File { source, .. } => Some(source),
            _ => None,
        }
    }
}
