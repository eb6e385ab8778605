//! The file of a self-play run: every game with its training positions.
//!
//! The file begins with [`MAGIC`]. [Frames](crate::util::frames) follow, each with a checksum. The first one is the
//! header: the version of the format (4 bytes) and the settings of the run as a line of text. A part of a run that does
//! not begin with game 0 has ` first=N` at the end of this line. Each of the others is a game, in the order of their
//! numbers:
//!
//! | bytes | what |
//! |---|---|
//! | 0–7 | the number of the game, from 0 |
//! | 8–11 | the line of its opening in the file of openings, from 1 |
//! | 12–15 | the number of random moves after the opening |
//! | 16–23 | the key of the start position, which the first training position has |
//! | 24 | how the game ended: its place in [`Ending::ALL`] |
//! | 25 | the winner: 0 for Black, 1 for White, 2 for neither; 4 more where there are inner nodes |
//! | 26–27 | the number of training positions |
//! | 28– | the [training positions](crate::record::packed), 40 bytes each |
//! | then | where there are [inner nodes](super::inner_nodes): their number, 4 bytes, and they, as positions without a move |
//! | the rest | the game as a USI line; empty for a game that was not played |
//!
//! Numbers are little endian. A game counts once its frame is there as a whole.

use std::fmt;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use byteorder::{LittleEndian, ReadBytesExt, WriteBytesExt};

use super::adjudication::Ending;
use super::game::Game;
use crate::record::packed::{self, Packed};
use crate::shogi::color::Color;
use crate::shogi::key::Key;
use crate::util::frames::{self, Frames};
use crate::util::input_file;

/// The first bytes of the file.
pub const MAGIC: [u8; 8] = *b"JITSPLAY";

/// The version of the format that is written and read.
const VERSION: u32 = 1;

/// The largest number that the first game of a part may have: numbers of games do not overflow.
pub const MAX_FIRST: u64 = 1 << 48;

/// Added to the winner where there are inner nodes.
const INNER_NODES: u8 = 4;

/// What stands before the number of the first game at the end of a part's settings.
const FIRST: &str = " first=";

/// The beginning of a file with these settings: magic number and header.
///
/// # Errors
/// When the settings are too long for a frame.
pub fn begin(settings: &str) -> io::Result<Vec<u8>> {
    let mut payload = VERSION.to_le_bytes().to_vec();
    payload.extend_from_slice(settings.as_bytes());
    Ok([&MAGIC[..], &frames::encode(&payload)?].concat())
}

/// The settings with the number of the first game. A run that begins with game 0 does not name it.
pub(super) fn with_first(settings: &str, first: u64) -> String {
    if first == 0 { settings.to_string() } else { format!("{settings}{FIRST}{first}") }
}

/// The settings of a header without the number of the first game, and this number.
fn split_first(line: &str) -> (&str, u64) {
    let split = || {
        let (settings, number) = line.rsplit_once(FIRST)?;
        let first = number.parse().ok().filter(|first| (1..=MAX_FIRST).contains(first))?;
        // Each number is written in one way only.
        (with_first(settings, first) == line).then_some((settings, first))
    };
    split().unwrap_or((line, 0))
}

/// The frame of a game.
///
/// # Errors
/// When the game is too long for a frame.
pub fn encode(game: &Game) -> io::Result<Vec<u8>> {
    let count = u16::try_from(game.positions.len()).map_err(io::Error::other)?;
    let inner_count = u32::try_from(game.inner_nodes.len()).map_err(io::Error::other)?;
    let positions = game.positions.len() + game.inner_nodes.len();
    let mut payload = Vec::with_capacity(32 + positions * packed::BYTES + game.line.len());
    payload.write_u64::<LittleEndian>(game.number)?;
    payload.write_u32::<LittleEndian>(game.opening as u32)?;
    payload.write_u32::<LittleEndian>(game.random_moves)?;
    payload.write_u64::<LittleEndian>(game.start.0)?;
    payload.write_u8(game.ending as u8)?;
    let mark = if inner_count == 0 { 0 } else { INNER_NODES };
    payload.write_u8(game.winner.map_or(2, |color| color.index() as u8) + mark)?;
    payload.write_u16::<LittleEndian>(count)?;
    game.positions.iter().for_each(|packed| payload.extend_from_slice(&packed.0));
    if inner_count > 0 {
        payload.write_u32::<LittleEndian>(inner_count)?;
        game.inner_nodes.iter().for_each(|packed| payload.extend_from_slice(&packed.0));
    }
    payload.extend_from_slice(game.line.as_bytes());
    frames::encode(&payload)
}

/// The game of a payload; `None` where the checksum was right, but another program has written it.
fn decode(mut payload: &[u8]) -> Option<Game> {
    let number = payload.read_u64::<LittleEndian>().ok()?;
    let opening = payload.read_u32::<LittleEndian>().ok()? as usize;
    let random_moves = payload.read_u32::<LittleEndian>().ok()?;
    let start = Key(payload.read_u64::<LittleEndian>().ok()?);
    let ending = Ending::ALL.get(usize::from(payload.read_u8().ok()?)).copied()?;
    let mark = payload.read_u8().ok()?;
    let winner = match mark & !INNER_NODES {
        0 => Some(Color::Black),
        1 => Some(Color::White),
        2 => None,
        _ => return None,
    };
    let count = usize::from(payload.read_u16::<LittleEndian>().ok()?);
    let positions = take_positions(&mut payload, count)?;
    let inner_nodes = if mark & INNER_NODES == 0 {
        Vec::new()
    } else {
        let count = payload.read_u32::<LittleEndian>().ok()?;
        take_positions(&mut payload, usize::try_from(count).ok().filter(|&count| count > 0)?)?
    };
    let line = String::from_utf8(payload.to_vec()).ok()?;
    (line.is_empty() != ending.is_played()).then_some(Game {
        number,
        opening,
        random_moves,
        start,
        ending,
        winner,
        positions,
        inner_nodes,
        line,
    })
}

/// Takes so many positions from the beginning of `payload`; `None` where it has fewer.
fn take_positions(payload: &mut &[u8], count: usize) -> Option<Vec<Packed>> {
    let (positions, rest) = payload.split_at_checked(count.checked_mul(packed::BYTES)?)?;
    *payload = rest;
    Some(positions.as_chunks().0.iter().map(|&bytes| Packed(bytes)).collect())
}

/// Whether a file begins as a run does.
///
/// # Errors
/// When it cannot be read.
pub fn is_run(path: &Path) -> Result<bool, RunFileError> {
    let failed = |source| RunFileProblem::File(source).of(path);
    let mut begin = Vec::new();
    input_file::open(path)
        .map_err(failed)?
        .take(MAGIC.len() as u64)
        .read_to_end(&mut begin)
        .map_err(failed)?;
    Ok(begin == MAGIC)
}

/// Reads the games of a run.
#[derive(Debug)]
pub struct RunReader<R> {
    frames: Frames<R>,
    path: PathBuf,
    settings: String,
    first: u64,
    header_bytes: u64,
    /// The number of the game that is read next.
    next: u64,
}

impl RunReader<BufReader<File>> {
    /// Opens a file and reads its header.
    ///
    /// # Errors
    /// See [`RunFileProblem`].
    pub fn open(path: &Path) -> Result<Self, RunFileError> {
        let file = input_file::open(path).map_err(|source| RunFileProblem::File(source).of(path))?;
        RunReader::new(BufReader::with_capacity(1 << 16, file), path)
    }
}

impl<R: Read> RunReader<R> {
    /// Reads the header of the file `path` from `input`.
    ///
    /// # Errors
    /// See [`RunFileProblem`].
    pub fn new(mut input: R, path: &Path) -> Result<Self, RunFileError> {
        let failed = |source| RunFileProblem::File(source).of(path);
        let mut magic = Vec::new();
        input.by_ref().take(MAGIC.len() as u64).read_to_end(&mut magic).map_err(failed)?;
        if magic != MAGIC {
            return Err(RunFileProblem::Foreign.of(path));
        }
        let mut frames = Frames::new(input);
        let header = frames.read_frame().map_err(failed)?.ok_or_else(|| RunFileProblem::Header.of(path))?;
        let (version, settings) =
            header.split_first_chunk().ok_or_else(|| RunFileProblem::Header.of(path))?;
        let version = u32::from_le_bytes(*version);
        if version != VERSION {
            return Err(RunFileProblem::Version(version).of(path));
        }
        let line = String::from_utf8_lossy(settings);
        let (settings, first) = split_first(&line);
        let (settings, path) = (settings.to_string(), path.to_path_buf());
        let header_bytes = MAGIC.len() as u64;
        Ok(RunReader { frames, path, settings, first, header_bytes, next: first })
    }

    /// The settings of the run.
    pub fn settings(&self) -> &str {
        &self.settings
    }

    /// The number of the first game: 0, or another one in a part of a run.
    pub const fn first(&self) -> u64 {
        self.first
    }

    /// The number of the game that is read next.
    pub const fn next_game(&self) -> u64 {
        self.next
    }

    /// The next game; `None` after the last whole one.
    ///
    /// # Errors
    /// When the file cannot be read, or a whole frame is no game that this program writes there.
    pub fn read_game(&mut self) -> Result<Option<Game>, RunFileError> {
        let frame = self.frames.read_frame().map_err(|source| RunFileProblem::File(source).of(&self.path))?;
        let Some(payload) = frame else { return Ok(None) };
        let game = decode(&payload).filter(|game| game.number == self.next);
        let game = game.ok_or_else(|| RunFileProblem::Game(self.next).of(&self.path))?;
        self.next += 1;
        Ok(Some(game))
    }

    /// How many bytes the file has up to the end of the last game that was read.
    pub const fn good_bytes(&self) -> u64 {
        self.header_bytes + self.frames.good_bytes()
    }
}

/// Calls `each` with the games of a file, and returns how many bytes follow the last whole game.
///
/// # Errors
/// See [`RunFileProblem`].
pub fn read(path: &Path, mut each: impl FnMut(Game)) -> Result<u64, RunFileError> {
    let mut reader = RunReader::open(path)?;
    while let Some(game) = reader.read_game()? {
        each(game);
    }
    let length = path.metadata().map_err(|source| RunFileProblem::File(source).of(path))?.len();
    Ok(length.saturating_sub(reader.good_bytes()))
}

/// Why the file of a run cannot be used.
#[derive(Debug)]
pub struct RunFileError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub problem: RunFileProblem,
}

/// What is wrong with the file of a run.
#[derive(Debug)]
pub enum RunFileProblem {
    /// The system refused to open, read or write it.
    File(io::Error),
    /// Another process is writing it.
    InUse,
    /// Self-play did not write it.
    Foreign,
    /// Its header is damaged.
    Header,
    /// It has another version of the format.
    Version(u32),
    /// The run was begun with other settings.
    Settings {
        /// The settings in the file.
        found: String,
        /// The settings that were asked for.
        expected: String,
    },
    /// The frame of this game is whole, but not a game, or another one.
    Game(u64),
    /// So many bytes from this game on are damaged: more than a break leaves.
    Damaged {
        /// The number of the first game that is missing.
        game: u64,
        /// The bytes that follow the game before.
        bytes: u64,
    },
}

impl RunFileProblem {
    /// The error that names the file as well.
    pub fn of(self, path: &Path) -> RunFileError {
        RunFileError { path: path.to_path_buf(), problem: self }
    }
}

impl fmt::Display for RunFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.path.display())?;
        match &self.problem {
            RunFileProblem::File(source) => source.fmt(f),
            RunFileProblem::InUse => f.write_str("another process is writing it"),
            RunFileProblem::Foreign => f.write_str("is there, but not from self-play: expected a new name"),
            RunFileProblem::Header => {
                f.write_str("the header is damaged: expected the whole file, or a new name")
            }
            RunFileProblem::Version(found) => write!(f, "version {found} of the format: expected {VERSION}"),
            RunFileProblem::Settings { found, expected } => {
                write!(f, "was begun with '{found}': expected '{expected}', or a new name")
            }
            RunFileProblem::Game(game) => write!(f, "game {game}: expected what self-play writes there"),
            RunFileProblem::Damaged { game, bytes } => write!(
                f,
                "is damaged from game {game} on, {bytes} bytes in all: expected the whole file, or a new name"
            ),
        }
    }
}

impl std::error::Error for RunFileError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.problem {
            RunFileProblem::File(source) => Some(source),
            _ => None,
        }
    }
}
