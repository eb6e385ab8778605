//! Self-play: games of the engine against itself, as training positions.
//!
//! Games are numbered. A game depends on the settings, the openings, the weights and its number alone, and games are
//! written in the order of their numbers: the file is the same with any number of threads.
//!
//! [`game`] plays a game, [`adjudication`] ends those that are decided, [`inner_nodes`] keeps what the
//! searches have judged on their way, [`run_file`] is the format of the file that games are kept in, and [`output`] appends to it and continues a run after a break. Parts of a run can be played by many
//! machines, and [`merge`] makes the file of the one run of them.

pub mod adjudication;
pub mod game;
pub mod inner_nodes;
pub mod merge;
pub mod openings;
pub mod output;
pub mod run_file;
pub mod thinker;

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use crossbeam::channel;

use crate::eval::weights::Weights;
use crate::search::STACK;
use game::{Game, GamePlayer, SelfplaySettings};
use openings::{Openings, StartPositions};
use output::Output;
use run_file::RunFileError;

/// When to stop: after the first game that reaches one of the two numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Goal {
    /// Training positions of the file in all.
    pub positions: u64,
    /// Games of the file in all, those included that were not played.
    pub games: u64,
}

/// After so many games in a row without a position, and at least as many as there are openings, nothing is left to play.
const USED_UP: u64 = 1000;

/// Whether a run with so many openings ends after so many games in a row without a position.
const fn is_used_up(idle: u64, openings: u64) -> bool {
    idle >= USED_UP && idle >= openings
}

/// Plays games on `threads` threads and appends them to `output` until `goal` is reached or `progress`, which is called
/// after each game, says so.
///
/// # Errors
/// When something cannot be written, all openings are used up, or the system does not start a single thread: where it
/// starts fewer than `threads`, these play all games.
///
/// # Panics
/// When a search breaks down.
pub fn run(
    settings: &SelfplaySettings,
    openings: &Openings,
    weights: &Arc<Weights>,
    output: &mut Output,
    goal: Goal,
    threads: usize,
    mut progress: impl FnMut(&Output) -> ControlFlow<()>,
) -> Result<(), RunError> {
    let starts = StartPositions::new(output.starts());
    let next = AtomicU64::new(output.next_game());
    let stop = AtomicBool::new(false);
    let reached = |output: &Output| output.positions() >= goal.positions || output.games() >= goal.games;
    let used_up = |output: &Output| {
        let games = output.idle();
        if is_used_up(games, openings.len() as u64) { Err(RunError::UsedUp { games }) } else { Ok(()) }
    };
    if reached(output) {
        return Ok(());
    }
    // A run that ended so ends so again.
    used_up(output)?;
    std::thread::scope(|scope| {
        let (sender, games) = channel::unbounded::<Game>();
        for nth in 0..threads.max(1) {
            let sender = sender.clone();
            let (starts, next, stop) = (&starts, &next, &stop);
            let play = move || {
                let _guard = StopOnPanic(stop);
                let mut player = GamePlayer::new(settings, openings, weights, starts, stop);
                while let Some(game) = player.play(next.fetch_add(1, Relaxed)) {
                    if sender.send(game).is_err() {
                        break;
                    }
                }
            };
            let thread = std::thread::Builder::new().name("self-play".into()).stack_size(STACK);
            match thread.spawn_scoped(scope, play) {
                Ok(_) => {}
                Err(source) if nth == 0 => return Err(RunError::Thread(source)),
                Err(_) => break,
            }
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let written = 'all: {
            for game in games {
                waiting.insert(game.number, game);
                while let Some(mut game) = waiting.remove(&output.next_game()) {
                    // All games before it have claimed their start by now.
                    if !starts.is_first(game.start, game.number) {
                        game.drop_as_duplicate();
                    }
                    if let Err(error) = output.append(&game) {
                        break 'all Err(RunError::Output(error));
                    }
                    if progress(output).is_break() || reached(output) {
                        break 'all Ok(());
                    }
                    if let Err(error) = used_up(output) {
                        break 'all Err(error);
                    }
                }
            }
            Ok(())
        };
        stop.store(true, Relaxed);
        written
    })
}

/// Ends the run if the thread that holds it panics: the others would wait for its game for ever.
struct StopOnPanic<'a>(&'a AtomicBool);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, Relaxed);
        }
    }
}

/// Why self-play ended before its goal.
#[derive(Debug)]
pub enum RunError {
    /// Something could not be written.
    Output(RunFileError),
    /// The system starts no thread.
    Thread(io::Error),
    /// So many games in a row gave no position: they began like others, out of balance or at their end.
    UsedUp {
        /// How many.
        games: u64,
    },
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::Output(error) => error.fmt(f),
            RunError::Thread(error) => write!(f, "no thread can be started: {error}"),
            RunError::UsedUp { games } => write!(
                f,
                "{games} games in a row began like earlier ones, out of balance or at their end: expected more \
                 openings, or more random moves"
            ),
        }
    }
}

impl std::error::Error for RunError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            RunError::Output(error) => Some(error),
            RunError::Thread(error) => Some(error),
            RunError::UsedUp { .. } => None,
        }
    }
}
