//! The games of a folder of records, and whose games they are.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};

use super::game::{Game, Outcome};
use crate::record::{self, Format};
use crate::shogi::color::Color;
use crate::util::input_file;

/// The CSA files in `folder` and in the folders below it, in the order of their names.
///
/// # Errors
/// When a folder cannot be read.
pub fn csa_files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let named = |error| format!("{}: {error}", folder.display());
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(named)? {
        let entry = entry.map_err(named)?;
        let path = entry.path();
        // A link to a folder is passed over, as it may lead back here.
        if entry.file_type().map_err(named)?.is_dir() {
            files.extend(csa_files(&path)?);
        } else if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("csa")) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// The games of a folder.
#[derive(Debug, Default)]
pub struct Games {
    games: Vec<Game>,
    /// Where each game is that has an identity: the file, and the place in the list.
    known: HashMap<String, (PathBuf, usize)>,
}

impl Games {
    /// Adds the games of a file.
    ///
    /// # Errors
    /// Which file or game is left out and why: it cannot be read, is no whole record, has no players, or is a game that
    /// another file has as well. Of several games of a file that are left out, the message names one.
    pub fn add(&mut self, path: &Path) -> Result<(), String> {
        let named = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        let bytes = input_file::read(path).map_err(|error| named(&error))?;
        let records = record::read(&bytes, Format::of_path(path)).map_err(|error| named(&error))?;
        let mut problem = Ok(());
        for game in records.iter().map(Game::new) {
            let added = self.add_game(path, game);
            problem = problem.and(added);
        }
        problem
    }

    fn add_game(&mut self, path: &Path, game: Game) -> Result<(), String> {
        if Color::ALL.iter().any(|&color| game.players[color].is_empty()) {
            let path = path.display();
            return Err(format!("{path}: a game without names: expected lines N+ and N- with the players"));
        }
        let Some(id) = &game.id else {
            self.games.push(game);
            return Ok(());
        };
        let Some((other, place)) = self.known.get_mut(id) else {
            self.known.insert(id.clone(), (path.to_path_buf(), self.games.len()));
            self.games.push(game);
            return Ok(());
        };
        // Of two records, the one with a result counts: the other one may be of a client that lost its connection.
        let known = &mut self.games[*place];
        let (left_out, counted) =
            if known.outcome == Outcome::Unfinished && game.outcome != Outcome::Unfinished {
                *known = game;
                (std::mem::replace(other, path.to_path_buf()), path)
            } else {
                (path.to_path_buf(), other.as_path())
            };
        Err(format!("{}: the game of {} once more", left_out.display(), counted.display()))
    }

    /// The games.
    pub fn list(&self) -> &[Game] {
        &self.games
    }

    /// The player whose results these are: the one of the most games, and of two in as many the one whose values the
    /// records have, as a client's own records have its own values alone.
    ///
    /// # Errors
    /// When there are no games, or no player stands out.
    pub fn own_name(&self) -> Result<&str, String> {
        // Games, games with values of this player alone.
        let mut players: BTreeMap<&str, (u32, u32)> = BTreeMap::new();
        for game in &self.games {
            for color in Color::ALL {
                let player = players.entry(&game.players[color]).or_default();
                player.0 += 1;
                player.1 += u32::from(!game.values[color].is_empty() && game.values[!color].is_empty());
            }
        }
        let most = players.values().max().ok_or("no game in it: expected CSA records")?;
        let candidates: Vec<&str> =
            players.iter().filter(|(_, count)| *count == most).map(|(name, _)| *name).collect();
        match candidates[..] {
            [name] => Ok(name),
            _ => Err(format!(
                "whose results? In as many games each: {}: expected --name with one",
                joined(&candidates)
            )),
        }
    }

    /// Checks that a player is in some game.
    ///
    /// # Errors
    /// Who is.
    pub fn check_name(&self, name: &str) -> Result<(), String> {
        if self.games.iter().any(|game| game.color_of(name).is_some()) {
            return Ok(());
        }
        let mut names: Vec<&str> =
            self.games.iter().flat_map(|game| &game.players.0).map(String::as_str).collect();
        names.sort_unstable();
        names.dedup();
        Err(format!("no game of '{name}': expected one of {}", joined(&names)))
    }
}

/// The first names, and how many more there are.
fn joined(names: &[&str]) -> String {
    const SHOWN: usize = 10;
    let shown = names[..names.len().min(SHOWN)].join(", ");
    match names.len().saturating_sub(SHOWN) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}
