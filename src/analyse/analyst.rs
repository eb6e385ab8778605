//! Searches the positions of games.

use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use super::finding::{Finding, FoundLine};
use crate::engine::limits::Limits;
use crate::engine::observer::{Answer, Info, Observer};
use crate::engine::options::EngineOptions;
use crate::engine::player::Player;
use crate::search::Line;
use crate::search::tt::Bound;
use crate::search::value::{Mate, Value};
use crate::shogi::position::Position;
use crate::shogi::position::declaration::{GameEnd, Rules};
use crate::shogi::position::repetition::Sennichite;

/// How positions are searched.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    /// The time of each search.
    pub time: Option<Duration>,
    /// The nodes of each search. Without this and `time` a search would not end.
    pub nodes: Option<u64>,
    /// How many of the best moves get a line.
    pub lines: usize,
    /// Threads that search; as many as there are cores if `None`.
    pub threads: Option<usize>,
    /// Memory for what searches find, in MiB; the engine's default if `None`.
    pub hash: Option<usize>,
    /// The folder with evaluation files; empty for the built-in evaluation.
    pub eval_dir: String,
}

impl Settings {
    /// The options of an engine that searches so.
    pub fn options(&self) -> EngineOptions {
        let mut options = EngineOptions::default();
        options.threads = self.threads.unwrap_or(options.threads);
        options.hash = self.hash.unwrap_or(options.hash);
        options.multi_pv = self.lines;
        options.eval_dir.clone_from(&self.eval_dir);
        options.book.own = false;
        options
    }
}

/// Searches positions, one after the other, with a memory that lasts from one to the next.
pub struct Analyst {
    player: Player,
    collector: Arc<Collector>,
    settings: Settings,
}

/// Keeps what the search that runs has found.
#[derive(Default)]
struct Collector(Mutex<Collected>);

#[derive(Default)]
struct Collected {
    /// By their place, the best first.
    lines: Vec<Line>,
    nodes: u64,
    /// Where there is nothing to search.
    end: Option<Mate>,
    notes: Vec<String>,
}

impl Collector {
    /// Forgets the last search, but not the notes.
    fn begin(&self) {
        let mut collected = self.0.lock();
        let notes = std::mem::take(&mut collected.notes);
        *collected = Collected { notes, ..Collected::default() };
    }
}

impl Observer for Collector {
    fn info(&self, info: &Info) {
        let mut collected = self.0.lock();
        collected.nodes = info.nodes;
        let place = (info.line.multipv_index as usize).saturating_sub(1);
        if info.bound == Bound::Exact && place <= collected.lines.len() {
            if place == 0 {
                collected.lines.clear();
            }
            match collected.lines.get_mut(place) {
                Some(line) => *line = info.line.clone(),
                None => collected.lines.push(info.line.clone()),
            }
        }
    }

    fn nothing_to_search(&self, result: Mate) {
        self.0.lock().end = Some(result);
    }

    fn note(&self, text: &str) {
        self.0.lock().notes.push(text.to_string());
    }

    fn still_there(&self) {}

    fn answer(&self, _: Answer) {}
}

impl Analyst {
    /// An analyst that has not searched anything yet.
    ///
    /// # Errors
    /// When the system cannot start a thread.
    pub fn new(settings: Settings) -> io::Result<Analyst> {
        let collector = Arc::<Collector>::default();
        let mut player = Player::new(Arc::clone(&collector) as Arc<dyn Observer>)?;
        *player.options_mut() = settings.options();
        Ok(Analyst { player, collector, settings })
    }

    /// Begins a game: what was found in other games is forgotten.
    ///
    /// # Errors
    /// What the player has to say, where there is no memory for the evaluation: values of a simpler one are of no use.
    pub fn begin_game(&mut self) -> Result<(), String> {
        self.player.new_game();
        self.player.prepare();
        if self.player.lacks_evaluation() { Err(self.take_notes().join("; ")) } else { Ok(()) }
    }

    /// What the player had to say since the last call, for people: that evaluation files are missing, for example.
    pub fn take_notes(&mut self) -> Vec<String> {
        std::mem::take(&mut self.collector.0.lock().notes)
    }

    /// Searches the position after `ply` moves of a game.
    pub fn look_at(&mut self, ply: usize, position: &Position) -> Finding {
        if let Some(value) = value_of_end(position) {
            return Finding::without_search(ply, value);
        }
        self.collector.begin();
        let (move_time, nodes) = (self.settings.time, self.settings.nodes);
        let begin = Instant::now();
        self.player.set_position(Ok(position.clone()));
        self.player.go(Limits { move_time, nodes, ..Limits::default() }, begin);
        self.player.wait();
        let seconds = begin.elapsed().as_secs_f64();
        let collected = self.collector.0.lock();
        let end = collected.end.map(|mate| match mate {
            Mate::Gives(plies) => Value::mate_in(plies as usize),
            Mate::Suffers(plies) => Value::mated_in(plies as usize),
        });
        let lines: Vec<FoundLine> = collected.lines.iter().map(FoundLine::from).collect();
        Finding {
            ply,
            value: end.or_else(|| lines.first().map(|line| line.value)).unwrap_or_default(),
            depth: collected.lines.first().map_or(0, |line| line.depth),
            lines,
            nodes: collected.nodes,
            seconds,
        }
    }
}

/// The value for the side to move where the rules have ended the game.
fn value_of_end(position: &Position) -> Option<Value> {
    let wins = |winner| if winner == position.side() { Value::WON } else { -Value::WON };
    Some(match position.game_end(&Rules::default())? {
        GameEnd::NoMoves { .. } => Value::mated_in(0),
        GameEnd::Sennichite(Sennichite::Draw) | GameEnd::MaxMoves => Value::DRAW,
        GameEnd::Sennichite(Sennichite::PerpetualCheck { loser }) => wins(!loser),
        GameEnd::Try { winner } => wins(winner),
    })
}
