//! The threads that search: started once, parked between searches. As yet it is a pool of one.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Instant;

use crossbeam::channel::{Sender, unbounded};

use super::observer::{Answer, Observer};
use super::settings::Settings;
use super::signals::Signals;
use super::tsume::Tsume;
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
                let mut tsume = Tsume::default();
                for job in queue {
                    let decided = catch_unwind(AssertUnwindSafe(|| match job.mate {
                        true => tsume.answer(&job, &signals, &*observer),
                        false => decide(&job, &signals, &*observer),
                    }));
                    let answer = decided.unwrap_or_else(|_| {
                        observer.note("the engine broke down on this position");
                        Answer::Resign
                    });
                    // The table is the player's alone again before the answer lets it change things.
                    drop(job);
                    signals.wait_for_release();
                    // A client may ask for anything once it has read the answer, and must not find us busy then. The
                    // next answer still comes after this one: this thread gives both.
                    signals.finish();
                    observer.answer(answer);
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
    let mut watch = Watch {
        signals,
        observer,
        table: &job.table,
        since: job.since,
        sole_move: legal.len() == 1,
        best: None,
    };
    let Some(weights) = &job.weights else {
        observer.note("there is no evaluation, for want of memory");
        return Answer::Resign;
    };
    let task = Task {
        root,
        weights,
        only: &only,
        depth: job.depth.unwrap_or(MAX_PLY as u32),
        nodes: job.nodes.unwrap_or(u64::MAX),
        non_promotions: job.settings.non_promotions,
        policy: job.settings.policy,
        rules,
        table: &job.table,
    };
    // The watch holds nothing that a broken-off search could leave half changed.
    let searched = catch_unwind(AssertUnwindSafe(|| search::think(&task, &mut watch)));
    let best = match searched {
        Ok(line) => line,
        Err(_) => {
            observer.note("the search broke down: this answer is the best it had found");
            watch.best
        }
    };
    match best {
        Some(line) if gives_up(&line, job.settings.resign_at) => Answer::Resign,
        Some(line) => Answer::Move { best: line.moves[0], ponder: reply(root, &line) },
        None => Answer::Move { best: first, ponder: None },
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

/// The expected reply, checked to be legal: a client that is told an illegal one does not ponder.
fn reply(root: &Position, line: &Line) -> Option<Move> {
    let &[best, reply, ..] = line.moves.as_slice() else { return None };
    let mut position = root.clone();
    position.play(best, &mut ());
    position.is_legal(reply).then_some(reply)
}
