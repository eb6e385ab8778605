//! The leading thread: it takes orders one after the other and answers each `go`.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::JoinHandle;

use crossbeam::channel::{Receiver, RecvTimeoutError, Sender, bounded, unbounded};

use super::decision::{Job, decide};
use super::division::Division;
use super::keep_alive::KEEP_ALIVE;
use super::observer::{Answer, Observer};
use super::signals::Signals;
use super::team::{STACK, Team};
use super::tsume::Tsume;
use crate::search::moves_table::MovesTable;

/// What the leading thread is told to do.
enum Order {
    /// To have these threads and this memory, all forgotten, and to say what there is then. The table is used again where
    /// its size is right.
    Arrange(Division, MovesTable, Sender<Arranged>),
    Search(Box<Job>),
}

/// What there is to search with.
pub struct Arranged {
    /// Threads, fewer than asked for where the system does not start them.
    pub threads: usize,
    /// The table of moves, smaller than asked for where there is not the memory.
    pub table: MovesTable,
}

/// The leading thread, and through it all others.
pub struct Pool {
    orders: Option<Sender<Order>>,
    leader: Option<JoinHandle<()>>,
}

impl Pool {
    /// # Panics
    /// When the system cannot start a thread.
    pub fn new(signals: Arc<Signals>, observer: Arc<dyn Observer>) -> Pool {
        let (orders, queue) = unbounded();
        let leader = std::thread::Builder::new()
            .name("search".into())
            .stack_size(STACK)
            .spawn(move || lead(&queue, &signals, &*observer))
            .expect("the system can start a thread");
        Pool { orders: Some(orders), leader: Some(leader) }
    }

    /// Makes the threads and memory of `division`, empty; `table` is the one that was used before. No search may run.
    /// Much memory takes its time: `waiting` is called every few seconds.
    pub fn arrange(&self, division: Division, table: MovesTable, mut waiting: impl FnMut()) -> Arranged {
        let (done, arranged) = bounded(1);
        self.send(Order::Arrange(division, table, done));
        loop {
            match arranged.recv_timeout(KEEP_ALIVE) {
                Ok(arranged) => return arranged,
                Err(RecvTimeoutError::Timeout) => waiting(),
                // The thread has ended, and with it the program.
                Err(RecvTimeoutError::Disconnected) => {
                    return Arranged { threads: 1, table: MovesTable::empty() };
                }
            }
        }
    }

    /// Begins a search. [`Signals::begin`] comes first.
    pub fn start(&self, job: Job) {
        self.send(Order::Search(Box::new(job)));
    }

    fn send(&self, order: Order) {
        if let Some(orders) = &self.orders {
            // The thread outlives the sender.
            let _ = orders.send(order);
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.orders = None;
        if let Some(leader) = self.leader.take() {
            // A panic in it was reported when it happened.
            let _ = leader.join();
        }
    }
}

fn lead(queue: &Receiver<Order>, signals: &Signals, observer: &dyn Observer) {
    let mut team = Team::new();
    let mut tsume = Tsume::default();
    for order in queue {
        match order {
            Order::Arrange(division, mut table, done) => {
                team.arrange(&division);
                if table.mebibytes() == division.moves {
                    table.clear();
                } else {
                    // The old table goes first: both together may be more than there is.
                    drop(table);
                    table = MovesTable::new(division.moves);
                }
                // Who asked waits for it.
                let _ = done.send(Arranged { threads: team.threads(), table });
            }
            Order::Search(job) => {
                let decided = catch_unwind(AssertUnwindSafe(|| match job.mate {
                    true => tsume.answer(&job, signals, observer),
                    false => decide(&job, &mut team, signals, observer),
                }));
                let answer = decided.unwrap_or_else(|_| {
                    observer.note("the engine broke down on this position");
                    // Who asks for a mate waits for another word.
                    if job.mate { Answer::MateUnknown } else { Answer::Resign }
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
        }
    }
}
