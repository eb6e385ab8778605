//! Where examples come from: game records and files of packed positions, split into what is learned from and what is
//! held back.
//!
//! The split is by opening: what is held back is chosen by the position after the first 24 plies of a game. Games with
//! that position in common are on the same side of it; others may have positions in common and be on either. Packed
//! positions do not show it: it comes from the games that self-play writes beside them, or where these are missing the
//! first position that a file has of the game stands for it.

use std::path::Path;

use crate::learn::selfplay::beginnings;
use crate::record::packed::GameStarts;
use crate::record::packed::{self, Packed};
use crate::record::{self, Format, Record};
use crate::shogi::color::Color;
use crate::shogi::key::Key;
use crate::shogi::moves::Move;
use crate::shogi::position::Position;

/// Plies after which games with the same position share an opening, counted by the move number: a start that comes later
/// is one.
const OPENING: usize = 24;

/// Positions of fewer than so many to a game are no games in their order: shuffled, there are two to a rising number.
const SHORT: usize = 3;

/// Files with fewer positions say nothing of how they are ordered.
const FEW: usize = 1000;

/// Games from files.
#[derive(Default)]
pub struct Sources {
    /// The names of the files.
    pub names: Vec<String>,
    /// All their games.
    pub games: Vec<Game>,
    /// Of all that was read.
    hasher: crc32fast::Hasher,
}

/// A game to learn from, or to be held back.
pub struct Game {
    /// Which file it is from.
    pub file: usize,
    /// Whether it is not learned from, but measured with.
    pub held_back: bool,
    /// What is known of it.
    pub content: Content,
}

/// What is known of a game.
pub enum Content {
    /// Its moves, and 1 where Black won, ½ for a draw, 0 where White won, if that is known.
    Moves(Box<Position>, Vec<Move>, Option<f64>),
    /// Positions of it with scores and the result.
    Positions(Vec<Packed>),
}

/// What is held back.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Split {
    /// The share of the openings, 0 to 1.
    pub share: f64,
    /// Which ones: another number, other openings.
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

/// What a file came to.
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
    /// Adds the games of a record file. What is wrong with one is told, and it is left out.
    ///
    /// # Errors
    /// When the file cannot be read, or no game of it can.
    pub fn add_games(
        &mut self,
        path: &Path,
        split: Split,
        tell: &mut dyn FnMut(String),
    ) -> Result<Taken, String> {
        let bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
        self.hasher.update(&bytes);
        let file = self.name(path);
        let mut taken = Taken::default();
        for game in record::read_each(&bytes, Format::of_path(path)) {
            match game {
                Ok(game) => self.push(file, split.holds_back(opening(&game)), moves(&game), &mut taken),
                Err(error) => {
                    taken.left_out += 1;
                    tell(format!("{}: {error}: left out", path.display()));
                }
            }
        }
        if taken.games == 0 {
            return Err(format!("{}: expected games, but not one is right", path.display()));
        }
        Ok(taken)
    }

    /// Adds the games of a file of packed positions: a new one begins where the move number does not grow, or where it
    /// grows by one and the position is not what the move before led to, or to where a game of self-play is known to have
    /// begun. Their openings are those of the games that
    /// [self-play](crate::learn::selfplay) has written beside them; where it has not, that is told.
    ///
    /// # Errors
    /// When a file cannot be read, is empty, or holds something else.
    pub fn add_positions(
        &mut self,
        path: &Path,
        split: Split,
        tell: &mut dyn FnMut(String),
    ) -> Result<Taken, String> {
        let openings = beginnings::openings(path, OPENING, opening)
            .map_err(|error| format!("{}: {error}", path.with_extension("usi").display()))?;
        let file = self.name(path);
        let mut taken = Taken::default();
        let mut game: Vec<Packed> = Vec::new();
        let (mut held_back, mut without_opening) = (false, 0);
        let mut games = Vec::new();
        let mut runs = GameStarts::default();
        let hasher = &mut self.hasher;
        let summary = packed::read_file(path, |record, known| {
            hasher.update(&record.0);
            let other_game = runs.begins(&known);
            let opening = openings.get(&known.position.key()).copied();
            // Where positions of a game were left out, what follows is still of that game, unless a game is known to have
            // begun there.
            let begins = |last: &Packed| {
                let follows = last.ply().checked_add(1) == Some(record.ply());
                record.ply() <= last.ply() || other_game && (follows || opening.is_some())
            };
            if game.last().is_some_and(begins) {
                games.push((held_back, std::mem::take(&mut game)));
            }
            if game.is_empty() {
                without_opening += usize::from(opening.is_none());
                held_back = split.holds_back(opening.unwrap_or(known.position.board_key()));
            }
            game.push(*record);
        })
        .map_err(|error| error.to_string())?;
        games.push((held_back, game));
        for (held_back, positions) in games.into_iter().filter(|(_, positions)| !positions.is_empty()) {
            self.push(file, held_back, Content::Positions(positions), &mut taken);
        }
        if let Some((number, fault)) = summary.first_skipped {
            let (path, skipped) = (path.display(), summary.skipped);
            tell(format!("{path}: {skipped} positions left out, the first is number {number}: {fault}"));
        }
        if summary.left_over > 0 {
            tell(format!("{}: {} bytes after the last whole position", path.display(), summary.left_over));
        }
        if summary.good as usize >= FEW && (summary.good as usize) < SHORT * taken.games {
            tell(format!(
                "{}: {} positions seem to be of {} games: if the file is shuffled, positions of one game are both \
                 learned from and held back",
                path.display(),
                summary.good,
                taken.games
            ));
        } else if without_opening > 0 && split.share > 0.0 {
            tell(format!(
                "{}: of {without_opening} of {} games {} does not tell the opening: games with one opening can be both \
                 learned from and held back",
                path.display(),
                taken.games,
                path.with_extension("usi").display()
            ));
        }
        taken.left_out = summary.skipped as usize;
        Ok(taken)
    }

    /// A checksum of the games and positions that were read, in their order, and of how they were split.
    pub fn checksum(&self) -> u32 {
        self.hasher.clone().finalize()
    }

    fn name(&mut self, path: &Path) -> usize {
        // The name alone: where the files lay is nobody's business.
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        self.names.push(name);
        self.names.len() - 1
    }

    fn push(&mut self, file: usize, held_back: bool, content: Content, taken: &mut Taken) {
        taken.games += 1;
        taken.held_back += usize::from(held_back);
        // The games beside packed positions say it as well.
        self.hasher.update(&[u8::from(held_back)]);
        if let Content::Positions(positions) = &content {
            self.hasher.update(&positions.len().to_le_bytes());
        }
        self.games.push(Game { file, held_back, content });
    }
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
