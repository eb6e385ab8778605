//! What plays: the engine, or in tests a script.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use std::time::{Duration, Instant};

use crate::engine::clock::TimePolicy;
use crate::engine::limits::{Limits, TimeControl};
use crate::engine::observer::{Answer, Info, Observer};
use crate::engine::options::EngineOptions;
use crate::engine::player::Player;
use crate::record::value_comment;
use crate::search::tt::Bound;
use crate::search::value::Mate;
use crate::shogi::color::Color;
use crate::shogi::moves::Move;
use crate::shogi::position::Position;
use crate::shogi::position::declaration::Rules;

/// What the session asks of whoever plays. What it finds comes back as [`Thought`]s.
pub trait Thinker {
    /// Has everything in memory that a game needs.
    fn prepare(&mut self);

    /// A game begins with these rules. Everything that takes long is done before this returns.
    fn new_game(&mut self, rules: Rules);

    /// Begins to think on `task`, whose clock runs since `since`. Whatever was thought on before is stopped and answered first.
    /// Every task is answered exactly once; the first one has the number 1.
    fn go(&mut self, task: Task, since: Instant);

    /// The move that was pondered on was played at `now`.
    fn ponderhit(&mut self, clock: Option<TimeControl>, now: Instant);

    /// Ends what is thought on, which is then answered.
    fn stop(&mut self);
}

/// What to think on.
#[derive(Clone)]
pub struct Task {
    /// The position, with its history.
    pub position: Position,
    /// The clocks; `None` where nothing limits the time.
    pub clock: Option<TimeControl>,
    /// How time is spent.
    pub policy: TimePolicy,
    /// Whether the last move of the position is one that the opponent has yet to play.
    pub ponder: bool,
}

/// What comes from whoever thinks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Thought {
    /// A better line, or a deeper one.
    Line(Considered),
    /// The answer to a task.
    Answer(Answer),
    /// Something a person should know.
    Note(String),
}

/// A line with its value.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Considered {
    /// In hundredths of a pawn, for the side to move; a mate as [floodgate](crate::search::value::Value::floodgate) has it.
    pub centipawns: i32,
    /// Who mates, and in how many plies; `None` where no mate is known.
    pub mate: Option<i32>,
    /// The iteration.
    pub depth: u32,
    /// Nodes since the task began.
    pub nodes: u64,
    /// Time since it began.
    pub elapsed: Duration,
    /// The moves.
    pub line: Vec<Move>,
}

/// The longest line of play in a comment, in moves: a line of the protocol is not to be endless.
const COMMENT_MOVES: usize = 24;

impl Considered {
    /// Floodgate's comment on the first move of the line, which was thought of at `position`.
    pub fn comment(&self, position: &Position) -> String {
        let for_black = if position.side() == Color::Black { self.centipawns } else { -self.centipawns };
        value_comment(position, for_black, &self.line[..self.line.len().min(COMMENT_MOVES)])
    }
}

/// The engine as a thinker.
pub struct Engine {
    player: Player,
    /// What the user sets.
    options: EngineOptions,
}

impl Engine {
    /// An engine with these options. `each` gets what it finds, with the number of the task.
    ///
    /// # Errors
    /// When the system cannot start a thread.
    pub fn new(
        options: EngineOptions,
        each: impl Fn(u64, Thought) + Send + Sync + 'static,
    ) -> io::Result<Engine> {
        let observer = Listener { each, answers: AtomicU64::new(0) };
        let mut player = Player::new(Arc::new(observer))?;
        *player.options_mut() = options.clone();
        Ok(Engine { player, options })
    }
}

impl Thinker for Engine {
    fn prepare(&mut self) {
        self.player.prepare();
    }

    fn new_game(&mut self, rules: Rules) {
        *self.player.options_mut() = EngineOptions { rules, ..self.options.clone() };
        self.player.new_game();
        self.player.prepare();
    }

    fn go(&mut self, task: Task, since: Instant) {
        let Task { position, clock, policy, ponder } = task;
        self.player.options_mut().time = policy;
        self.player.set_position(Ok(position));
        let unlimited = clock.is_none().then_some(WITHOUT_CLOCK);
        self.player.go(Limits { clock, move_time: unlimited, ponder, ..Limits::default() }, since);
    }

    fn ponderhit(&mut self, clock: Option<TimeControl>, now: Instant) {
        self.player.ponderhit(clock, now);
    }

    fn stop(&mut self) {
        self.player.stop();
    }
}

/// What a move takes where no clock limits it.
const WITHOUT_CLOCK: Duration = Duration::from_secs(10);

/// Passes on what the engine reports.
struct Listener<F> {
    each: F,
    /// How many tasks are answered.
    answers: AtomicU64,
}

impl<F: Fn(u64, Thought)> Listener<F> {
    /// The number of the task that is thought on.
    fn task(&self) -> u64 {
        self.answers.load(SeqCst) + 1
    }
}

impl<F: Fn(u64, Thought) + Send + Sync> Observer for Listener<F> {
    fn info(&self, info: &Info) {
        // Further lines are for analysis, and a bound is no value yet.
        if info.line.multipv_index > 1 || info.bound != Bound::Exact {
            return;
        }
        let mate = info.line.value.mate_distance().map(|mate| match mate {
            Mate::Gives(plies) => plies as i32,
            Mate::Suffers(plies) => -(plies as i32),
        });
        let considered = Considered {
            centipawns: info.line.value.floodgate(),
            mate,
            depth: info.line.depth,
            nodes: info.nodes,
            elapsed: info.elapsed,
            line: info.line.moves.to_vec(),
        };
        (self.each)(self.task(), Thought::Line(considered));
    }

    fn nothing_to_search(&self, _: Mate) {}

    fn note(&self, text: &str) {
        (self.each)(self.task(), Thought::Note(text.to_string()));
    }

    fn still_there(&self) {}

    fn answer(&self, answer: Answer) {
        let task = self.answers.fetch_add(1, SeqCst) + 1;
        (self.each)(task, Thought::Answer(answer));
    }
}
