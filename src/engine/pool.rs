//! The threads that search: started once, parked between searches. As yet it is a pool of one.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Instant;

use crossbeam::channel::{Sender, unbounded};

use super::book::Suggestion;
use super::observer::{Answer, Info, Observer};
use super::pace::Pace;
use super::settings::Settings;
use super::signals::Signals;
use super::watch::Watch;
use crate::eval::weights::Weights;
use crate::search::moves_table::MovesTable;
use crate::search::value::{Mate, Value};
use crate::search::{self, Line, MAX_PLY, Task};
use crate::shogi::generate;
use crate::shogi::moves::Move;
use crate::shogi::position::Position;
use crate::shogi::position::declaration::Declaration;

/// One search.
pub struct Job {
    /// Where to start, or why there is nowhere to start.
    pub root: Result<Position, String>,
    /// The position before the opponent's move, where that is searched until the answer may go.
    pub before: Option<Position>,
    /// What the book has for the root.
    pub book: Option<Suggestion>,
    pub only: Vec<Move>,
    /// Whether only a mate was asked for.
    pub mate: bool,
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    pub settings: Settings,
    pub table: Arc<MovesTable>,
    /// `None` where not even the built-in evaluation fits in memory.
    pub weights: Option<Arc<Weights>>,
    pub since: Instant,
}

/// Frames of the search hold lists of up to 593 moves; a line is [`MAX_PLY`] plies deep at most.
const STACK: usize = 16 << 20;

pub struct Pool {
    jobs: Option<Sender<Job>>,
    thread: Option<JoinHandle<()>>,
}

impl Pool {
    /// # Panics
    /// When the system cannot start a thread.
    pub fn new(signals: Arc<Signals>, observer: Arc<dyn Observer>) -> Pool {
        let (jobs, queue) = unbounded::<Job>();
        let thread = std::thread::Builder::new()
            .name("search".into())
            .stack_size(STACK)
            .spawn(move || {
                for job in queue {
                    let decided = catch_unwind(AssertUnwindSafe(|| decide(&job, &signals, &*observer)));
                    let answer = decided.unwrap_or_else(|_| {
                        observer.note("the engine broke down on this position");
                        Answer::Resign
                    });
                    // The table is the player's alone again before the answer lets it change things.
                    drop(job);
                    signals.wait_for_release();
                    let timer = signals.timer();
                    // A client may ask for anything once it has read the answer, and must not find us busy then. The
                    // next answer still comes after this one: this thread gives both.
                    signals.finish();
                    observer.answer(answer);
                    signals.answered(timer);
                }
            })
            .expect("the system can start a thread");
        Pool { jobs: Some(jobs), thread: Some(thread) }
    }

    /// Begins a search. [`Signals::begin`] comes first.
    pub fn start(&self, job: Job) {
        if let Some(jobs) = &self.jobs {
            // The thread outlives the sender.
            let _ = jobs.send(job);
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            // A panic in it was reported when it happened.
            let _ = thread.join();
        }
    }
}

/// The one place where it is decided what a `go` is answered.
fn decide(job: &Job, signals: &Signals, observer: &dyn Observer) -> Answer {
    let root = match &job.root {
        Ok(root) => root,
        Err(reason) => {
            observer.note(reason);
            return Answer::Resign;
        }
    };
    let rules = job.settings.rules;
    if job.mate {
        return Answer::MateUnknown;
    }
    if job.only.is_empty() && root.declaration(rules.entering_king) == Some(Declaration::Win) {
        observer.settled(Mate::Gives(1));
        return Answer::Declare;
    }
    let legal = generate::all_legal(root);
    let Some(&first) = legal.first() else {
        observer.settled(Mate::Suffers(0));
        return Answer::Resign;
    };
    let only: Vec<Move> = job.only.iter().copied().filter(|mv| legal.contains(mv)).collect();
    if only.is_empty() && !job.only.is_empty() {
        observer.note("none of the moves to choose from is legal: all moves are looked at");
    }
    if let Some(book) = &job.book {
        observer.info(&Info {
            line: &book.line,
            at_least: false,
            elapsed: job.since.elapsed(),
            permille_used: job.table.permille_used(),
        });
        return Answer::Move { best: book.line.moves[0], ponder: book.line.moves.get(1).copied() };
    }
    let Some(weights) = &job.weights else {
        observer.note("there is no evaluation, for want of memory");
        return Answer::Resign;
    };
    let search = Search { job, weights, signals, observer };
    if let Some(before) = &job.before {
        search.prepare(before);
    }
    let best = search.best(root, &only, legal.len() == 1 || only.len() == 1);
    match best {
        Some(line) if gives_up(&line, job.settings.resign_at) => Answer::Resign,
        Some(line) => Answer::Move { best: line.moves[0], ponder: reply(root, &line, &job.table) },
        None => Answer::Move { best: first, ponder: None },
    }
}

/// What the searches of one job have in common.
struct Search<'a> {
    job: &'a Job,
    weights: &'a Arc<Weights>,
    signals: &'a Signals,
    observer: &'a dyn Observer,
}

impl Search<'_> {
    /// Searches the position before the opponent's move while the answer is kept back: what is found is in the table.
    fn prepare(&self, before: &Position) {
        let mut watch = Watch { until_release: true, ..self.watch(before, false) };
        let task = Task { draw: -self.job.settings.draw[!before.side()], ..self.task(before, &[]) };
        // Should it break down, the search proper still gives an answer.
        let _ = catch_unwind(AssertUnwindSafe(|| search::think(&task, &mut watch)));
        // It may have looked at everything there is: the answer waits all the same.
        self.signals.wait_for_release();
    }

    fn best(&self, root: &Position, only: &[Move], sole_move: bool) -> Option<Line> {
        let mut watch = self.watch(root, sole_move);
        let task = self.task(root, only);
        // The watch holds nothing that a broken-off search could leave half changed.
        let searched = catch_unwind(AssertUnwindSafe(|| search::think(&task, &mut watch)));
        watch.close();
        searched.unwrap_or_else(|_| {
            self.observer.note("the search broke down: this answer is the best it had found");
            watch.best
        })
    }

    fn watch<'a>(&'a self, root: &'a Position, sole_move: bool) -> Watch<'a> {
        Watch {
            signals: self.signals,
            observer: self.observer,
            table: &self.job.table,
            root,
            since: self.job.since,
            telling: self.job.settings.telling,
            until_release: false,
            pace: Pace::new(sole_move),
            best: None,
            told: None,
            untold: Vec::new(),
        }
    }

    fn task<'a>(&'a self, root: &'a Position, only: &'a [Move]) -> Task<'a> {
        let settings = &self.job.settings;
        Task {
            root,
            weights: self.weights,
            only,
            lines: settings.lines,
            depth: self.job.depth.unwrap_or(MAX_PLY as u32),
            nodes: self.job.nodes.unwrap_or(u64::MAX),
            non_promotions: settings.non_promotions,
            policy: settings.policy,
            rules: settings.rules,
            draw: settings.draw[root.side()],
            bounds: settings.telling.bounds,
            table: &self.job.table,
        }
    }
}

/// A mate in sight that the opponent has yet to find is no reason to resign, save by the user's own measure.
fn gives_up(line: &Line, resign_at: i32) -> bool {
    let value = match line.value.mate_distance() {
        Some(Mate::Suffers(_)) => -Value::WON,
        _ => line.value,
    };
    line.depth > 0 && value.centipawns() <= resign_at
}

/// The expected reply, from the line or from the table, checked to be legal: a client that is told an illegal one does
/// not ponder.
fn reply(root: &Position, line: &Line, table: &MovesTable) -> Option<Move> {
    let mut position = root.clone();
    position.play(line.moves[0], &mut ());
    let reply = line.moves.get(1).copied().or_else(|| table.probe(position.key()));
    reply.filter(|&reply| position.is_legal(reply))
}
