//! The file that a run of self-play appends its games to. It can be continued after a break at any moment.
//!
//! A break may leave a part of the last game, and a failure of power zeros in place of the last games. Whatever is no
//! whole game is cut off when the run is continued, and these games are played again: they are the same games. Where
//! more is damaged than a break can explain, the file is left as it is.

use std::collections::HashMap;
use std::fs::{File, TryLockError};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::adjudication::Ending;
use super::game::Game;
use super::run_file::{self, RunFileError, RunFileProblem, RunReader};
use crate::shogi::color::Color;
use crate::shogi::key::Key;
use crate::util::input_file;

/// Bytes that a failure of power may take: a system keeps writes back for half a minute, which is fewer than 400,000
/// positions.
const MOST_LOST: u64 = 16 << 20;

/// The file and what it holds.
#[derive(Debug)]
pub struct Output {
    file: File,
    path: PathBuf,
    /// The number of the first game.
    first: u64,
    games: u64,
    positions: u64,
    inner_nodes: u64,
    endings: [u64; Ending::ALL.len()],
    /// Of the games that were played: won by Black, won by White, drawn.
    results: [u64; 3],
    /// Games without a position since the last one that has some.
    idle: u64,
    starts: HashMap<Key, u64>,
    cut_off: u64,
}

impl Drop for Output {
    /// Releases the lock. It would otherwise last until the last copy of the open file is closed, and a program that
    /// another thread starts at this moment has one for a while.
    fn drop(&mut self) {
        // If this fails, the lock ends with the process.
        let _ = self.file.unlock();
    }
}

impl Output {
    /// Opens or begins the file of a whole run. `settings` is one line of text: the file must have been begun with the
    /// same.
    ///
    /// # Errors
    /// See [`RunFileProblem`]. The file is then left as it is.
    pub fn open(path: &Path, settings: &str) -> Result<Output, RunFileError> {
        Output::open_part(path, settings, 0)
    }

    /// Opens or begins the file of a part of a run: its games from number `first` on, which is at most
    /// [`MAX_FIRST`](run_file::MAX_FIRST). The file must have been begun with the same settings and the same number.
    ///
    /// # Errors
    /// See [`RunFileProblem`]. The file is then left as it is.
    pub fn open_part(path: &Path, settings: &str, first: u64) -> Result<Output, RunFileError> {
        let failed = |source| RunFileProblem::File(source).of(path);
        let file = input_file::open_to_go_on(path).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(RunFileProblem::InUse.of(path)),
            Err(TryLockError::Error(source)) => return Err(failed(source)),
        }
        let mut output = Output {
            file,
            path: path.to_path_buf(),
            first,
            games: 0,
            positions: 0,
            inner_nodes: 0,
            endings: [0; Ending::ALL.len()],
            results: [0; 3],
            idle: 0,
            starts: HashMap::new(),
            cut_off: 0,
        };
        let header = run_file::begin(&run_file::with_first(settings, first)).map_err(failed)?;
        let length = output.file.metadata().map_err(failed)?.len();
        if output.has_part_of(&header, length).map_err(failed)? {
            output.cut(0).map_err(failed)?;
            output.file.write_all(&header).map_err(failed)?;
        } else {
            output.resume(settings, length)?;
        }
        Ok(output)
    }

    /// Whether the file is empty, or was broken off within this header.
    fn has_part_of(&self, header: &[u8], length: u64) -> io::Result<bool> {
        if length >= header.len() as u64 {
            return Ok(false);
        }
        let mut found = Vec::new();
        (&self.file).take(length).read_to_end(&mut found)?;
        (&self.file).seek(SeekFrom::Start(0))?;
        Ok(header.starts_with(&found))
    }

    /// Counts the games of the file, and cuts off what follows the last whole one.
    fn resume(&mut self, settings: &str, length: u64) -> Result<(), RunFileError> {
        let file = self.file.try_clone().map_err(|source| RunFileProblem::File(source).of(&self.path))?;
        let mut reader = RunReader::new(BufReader::with_capacity(1 << 16, file.take(length)), &self.path)?;
        if (reader.settings(), reader.first()) != (settings, self.first) {
            let found = run_file::with_first(reader.settings(), reader.first());
            let expected = run_file::with_first(settings, self.first);
            return Err(RunFileProblem::Settings { found, expected }.of(&self.path));
        }
        while let Some(game) = reader.read_game()? {
            self.count(&game);
        }
        self.cut_off = length - reader.good_bytes();
        if self.cut_off > MOST_LOST {
            return Err(
                RunFileProblem::Damaged { game: self.next_game(), bytes: self.cut_off }.of(&self.path)
            );
        }
        self.cut(reader.good_bytes()).map_err(|source| RunFileProblem::File(source).of(&self.path))
    }

    /// Cuts off what follows the first `length` bytes, and goes on from there.
    fn cut(&mut self, length: u64) -> io::Result<()> {
        if self.file.metadata()?.len() > length {
            self.file.set_len(length)?;
        }
        self.file.seek(SeekFrom::Start(length)).map(drop)
    }

    /// Appends the game, whose number follows that of the last one.
    ///
    /// # Errors
    /// When the system refuses. The games before it stay, and the run can be continued.
    pub fn append(&mut self, game: &Game) -> Result<(), RunFileError> {
        debug_assert_eq!(game.number, self.next_game());
        let written = run_file::encode(game).and_then(|frame| self.file.write_all(&frame));
        written.map_err(|source| RunFileProblem::File(source).of(&self.path))?;
        self.count(game);
        Ok(())
    }

    fn count(&mut self, game: &Game) {
        self.games += 1;
        self.positions += game.positions.len() as u64;
        self.inner_nodes += game.inner_nodes.len() as u64;
        self.endings[game.ending as usize] += 1;
        if game.ending.is_played() {
            self.results[game.winner.map_or(2, Color::index)] += 1;
        }
        self.idle = if game.positions.is_empty() { self.idle + 1 } else { 0 };
        self.starts.entry(game.start).or_insert(game.number);
    }

    /// The number of the game that is appended next.
    pub const fn next_game(&self) -> u64 {
        self.first + self.games
    }

    /// The number of games, including those that were not played.
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// The number of training positions.
    pub const fn positions(&self) -> u64 {
        self.positions
    }

    /// The number of inner nodes.
    pub const fn inner_nodes(&self) -> u64 {
        self.inner_nodes
    }

    /// Each ending with the number of games that ended so.
    pub fn endings(&self) -> impl Iterator<Item = (Ending, u64)> {
        Ending::ALL.into_iter().zip(self.endings)
    }

    /// The games that were played, by result: Black won, White won, drawn.
    pub const fn results(&self) -> [u64; 3] {
        self.results
    }

    /// How many of the last games in a row have no position.
    pub const fn idle(&self) -> u64 {
        self.idle
    }

    /// How many bytes were cut off when the file was opened because they were no whole games. Play goes on with game
    /// number [`next_game`](Output::next_game).
    pub const fn cut_off(&self) -> u64 {
        self.cut_off
    }

    /// The start positions, each with the number of the first game that began there.
    pub(super) fn starts(&self) -> HashMap<Key, u64> {
        self.starts.clone()
    }
}
