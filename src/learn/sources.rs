//! Where examples come from: games and training positions from files, split into those that are learned from and those
//! that are held back.
//!
//! The split is by opening: the position after the first 24 plies of a game decides. Games that have this position in
//! common are on the same side of the split; others may have positions in common and be on either. A file of plain
//! packed positions does not have the openings: there the first position of each game decides. The file of a self-play
//! run has them.

use std::path::Path;

use super::position_file;
use super::selfplay::run_file;
use crate::record::packed::{self, FileSummary, GameStarts, Packed};
use crate::record::{self, Format, ReadError, Record};
use crate::shogi::color::Color;
use crate::shogi::key::Key;
use crate::shogi::moves::Move;
use crate::shogi::position::Position;
use crate::util::input_file;

/// Games with the same position after this many plies share an opening. Counted by the move number: a game that starts
/// later has its start position for opening.
const OPENING: usize = 24;

/// With fewer positions a game than this, a file is probably shuffled: then the move number grows only every other time.
const SHORT: usize = 3;

/// Files with fewer positions are not judged to be shuffled.
const FEW: usize = 1000;

/// Games from files.
#[derive(Default)]
pub struct Sources {
    /// The names of the files.
    pub names: Vec<String>,
    /// All their games.
    pub games: Vec<SourceGame>,
    /// The checksum of all that was read.
    hasher: crc32fast::Hasher,
}

/// A game to learn from, or to be held back.
pub struct SourceGame {
    /// Which file it is from.
    pub file: usize,
    /// Whether it is held back for measuring.
    pub held_back: bool,
    /// Its moves or positions.
    pub content: Content,
}

/// The moves or positions of a game.
pub enum Content {
    /// Its moves, and 1 where Black won, ½ for a draw, 0 where White won, if that is known.
    Moves(Box<Position>, Vec<Move>, Option<f64>),
    /// Positions of it with scores and the result, and [inner nodes](super::selfplay::inner_nodes) of the searches that gave
    /// the scores.
    Positions(Vec<Packed>, Vec<Packed>),
}

/// Which games are held back.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Split {
    /// The share of the openings, 0 to 1.
    pub share: f64,
    /// Decides which ones.
    pub seed: u64,
}

impl Split {
    fn holds_back(self, opening: Key) -> bool {
        // The finaliser of splitmix64.
        let mut x = opening.0.wrapping_add(self.seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        x = (x ^ x >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        x = (x ^ x >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        (x ^ x >> 31) as f64 / 2f64.powi(64) < self.share
    }
}

/// What was taken of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Taken {
    /// Games that were taken.
    pub games: usize,
    /// Those of them that are held back.
    pub held_back: usize,
    /// Games or positions that were left out because something is wrong with them.
    pub left_out: usize,
}

impl Sources {
    /// Adds the games of a record file or of a self-play run. Games with something wrong are reported and left out.
    ///
    /// # Errors
    /// When the file cannot be read, or has no game that is right.
    pub fn add_games(
        &mut self,
        path: &Path,
        split: Split,
        report: &mut dyn FnMut(String),
    ) -> Result<Taken, String> {
        let file = self.add_name(path);
        let mut taken = Taken::default();
        let mut add = |sources: &mut Sources, game: Result<Record, ReadError>| match game {
            Ok(game) => sources.push(file, split.holds_back(opening(&game)), moves(&game), &mut taken),
            Err(error) => {
                taken.left_out += 1;
                report(format!("{}: {error}: left out", path.display()));
            }
        };
        if position_file::is_run(path)? {
            let read = run_file::read(path, |game| {
                self.hasher.update(game.line.as_bytes());
                if let Some(game) = game.record().transpose() {
                    add(self, game);
                }
            });
            read.map_err(|error| error.to_string())?;
        } else {
            let bytes = input_file::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
            self.hasher.update(&bytes);
            record::read_each(&bytes, Format::of_path(path)).into_iter().for_each(|game| add(self, game));
        }
        if taken.games == 0 {
            return Err(format!("{}: expected games, but not one is right", path.display()));
        }
        Ok(taken)
    }

    /// Adds the games of a self-play run or of a file of plain packed positions. Positions with something wrong are
    /// reported and left out.
    ///
    /// # Errors
    /// When a file cannot be read, is empty, or holds something else.
    pub fn add_positions(
        &mut self,
        path: &Path,
        split: Split,
        report: &mut dyn FnMut(String),
    ) -> Result<Taken, String> {
        let file = self.add_name(path);
        let mut taken = Taken::default();
        let is_run = position_file::is_run(path)?;
        let summary = if is_run {
            self.add_run(path, file, split, &mut taken)?
        } else {
            self.add_plain(path, file, split, &mut taken)?
        };
        if let Some((number, fault)) = &summary.first_skipped {
            let (path, skipped) = (path.display(), summary.skipped);
            report(format!("{path}: {skipped} positions left out, the first is number {number}: {fault}"));
        }
        if summary.left_over > 0 {
            let (path, left_over) = (path.display(), summary.left_over);
            let last = if is_run { "game" } else { "position" };
            report(format!("{path}: {left_over} bytes after the last whole {last}"));
        }
        if !is_run && let Some(weakness) = weakness_of_split(&summary, taken, split) {
            report(format!("{}: {weakness}", path.display()));
        }
        taken.left_out = summary.skipped as usize;
        Ok(taken)
    }

    fn add_run(
        &mut self,
        path: &Path,
        file: usize,
        split: Split,
        taken: &mut Taken,
    ) -> Result<FileSummary, String> {
        let mut wrong = None;
        let summary = position_file::read_run(path, |game, _| match game.record() {
            Ok(Some(record)) if !game.positions.is_empty() => {
                let all = game.positions.iter().chain(&game.inner_nodes);
                all.for_each(|packed| self.hasher.update(&packed.0));
                let held_back = split.holds_back(opening(&record));
                self.push(
                    file,
                    held_back,
                    Content::Positions(game.positions.clone(), game.inner_nodes.clone()),
                    taken,
                );
            }
            Ok(_) => {}
            Err(error) => {
                _ = wrong.get_or_insert(format!("{}: game {}: {error}", path.display(), game.number))
            }
        })?;
        wrong.map_or(Ok(summary), Err)
    }

    /// A new game begins where the move number does not grow, or where it grows by one and the position is not the one
    /// that the move before led to. The first position of a game stands for its opening.
    fn add_plain(
        &mut self,
        path: &Path,
        file: usize,
        split: Split,
        taken: &mut Taken,
    ) -> Result<FileSummary, String> {
        let mut game: Vec<Packed> = Vec::new();
        let mut held_back = false;
        let mut games = Vec::new();
        let mut starts = GameStarts::default();
        let hasher = &mut self.hasher;
        let summary = packed::read_file(path, |packed, known| {
            hasher.update(&packed.0);
            let other_game = starts.begins(&known);
            // Where positions of a game were left out, what follows is still of that game.
            let begins = |last: &Packed| {
                let follows = last.ply().checked_add(1) == Some(packed.ply());
                packed.ply() <= last.ply() || other_game && follows
            };
            if game.last().is_some_and(begins) {
                games.push((held_back, std::mem::take(&mut game)));
            }
            if game.is_empty() {
                held_back = split.holds_back(known.position.board_key());
            }
            game.push(*packed);
        })
        .map_err(|error| error.to_string())?;
        games.push((held_back, game));
        for (held_back, positions) in games.into_iter().filter(|(_, positions)| !positions.is_empty()) {
            self.push(file, held_back, Content::Positions(positions, Vec::new()), taken);
        }
        Ok(summary)
    }

    /// A checksum of the games and positions that were read, in their order, and of how they were split.
    pub fn checksum(&self) -> u32 {
        self.hasher.clone().finalize()
    }

    fn add_name(&mut self, path: &Path) -> usize {
        // The name alone: the folder is private.
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        self.names.push(name);
        self.names.len() - 1
    }

    fn push(&mut self, file: usize, held_back: bool, content: Content, taken: &mut Taken) {
        taken.games += 1;
        taken.held_back += usize::from(held_back);
        // The openings of a run decide it, which are not among the positions.
        self.hasher.update(&[u8::from(held_back)]);
        if let Content::Positions(positions, _) = &content {
            self.hasher.update(&positions.len().to_le_bytes());
        }
        self.games.push(SourceGame { file, held_back, content });
    }
}

/// Why plain positions can be both learned from and held back, though they should not.
fn weakness_of_split(summary: &FileSummary, taken: Taken, split: Split) -> Option<String> {
    let (positions, games) = (summary.good as usize, taken.games);
    if positions >= FEW && positions < SHORT * games {
        return Some(format!(
            "{positions} positions seem to be of {games} games: if the file is shuffled, positions of one game are both \
             learned from and held back"
        ));
    }
    (split.share > 0.0).then(|| {
        format!(
            "plain packed positions do not have the openings of their {games} games: games with one opening can be \
             both learned from and held back"
        )
    })
}

fn opening(game: &Record) -> Key {
    let mut position = game.start_position();
    let played = position.move_number() as usize - 1;
    for mv in game.moves().take(OPENING.saturating_sub(played)) {
        position.play(mv, &mut ());
    }
    position.board_key()
}

fn moves(game: &Record) -> Content {
    let result = match game.winner() {
        Some(Color::Black) => Some(1.0),
        Some(Color::White) => Some(0.0),
        None => game.ending().filter(|ending| ending.is_draw()).map(|_| 0.5),
    };
    Content::Moves(Box::new(game.start_position()), game.moves().collect(), result)
}
