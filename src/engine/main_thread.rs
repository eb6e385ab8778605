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
use super::thread_pool::ThreadPool;
use super::tsume::Tsume;
use crate::search::STACK;
use crate::search::hash_moves::HashMoveTable;

/// What the leading thread is told to do.
enum Order {
    /// To have these threads and this memory, all forgotten, and to say what there is then, or nothing after a
    /// breakdown. The table is used again where its size is right and nobody else has it.
    Arrange(Division, Arc<HashMoveTable>, Sender<Arranged>),
    Search(Box<Job>),
}

/// What there is to search with.
pub struct Arranged {
    /// With fewer threads than asked for where the system does not start them.
    pub division: Division,
    /// The table of moves, smaller than asked for where there is not the memory.
    pub table: HashMoveTable,
    /// Bytes of all the memory, fewer than asked for likewise.
    pub bytes: usize,
}

/// The leading thread, and through it all others.
pub struct MainThread {
    orders: Option<Sender<Order>>,
    leader: Option<JoinHandle<()>>,
}

impl MainThread {
    /// # Panics
    /// When the system cannot start a thread.
    pub fn new(signals: Arc<Signals>, observer: Arc<dyn Observer>) -> MainThread {
        let (orders, queue) = unbounded();
        let leader = std::thread::Builder::new()
            .name("search".into())
            .stack_size(STACK)
            .spawn(move || lead(&queue, &signals, &observer))
            .expect("the system can start a thread");
        MainThread { orders: Some(orders), leader: Some(leader) }
    }

    /// Makes the threads and memory of `division`, empty; `table` is the one that was used before. No search may run.
    /// Much memory takes its time: `waiting` is called every few seconds. `None` where this broke down; searches go on
    /// with what there is.
    pub fn arrange(
        &self,
        division: Division,
        table: Arc<HashMoveTable>,
        mut waiting: impl FnMut(),
    ) -> Option<Arranged> {
        let (done, arranged) = bounded(1);
        self.send(Order::Arrange(division, table, done));
        loop {
            match arranged.recv_timeout(KEEP_ALIVE) {
                Ok(arranged) => return Some(arranged),
                Err(RecvTimeoutError::Timeout) => waiting(),
                Err(RecvTimeoutError::Disconnected) => return None,
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

impl Drop for MainThread {
    fn drop(&mut self) {
        self.orders = None;
        if let Some(leader) = self.leader.take() {
            // A panic in it was reported when it happened.
            let _ = leader.join();
        }
    }
}

fn arrange(asked: &Division, table: Arc<HashMoveTable>, threads: &mut ThreadPool) -> Arranged {
    // An old table of another size goes first: both together may be more than there is.
    let table = Arc::try_unwrap(table).ok().filter(|table| table.mebibytes() == asked.moves);
    let (division, own) = threads.arrange(asked);
    let table = match table {
        Some(mut table) => {
            table.clear();
            table
        }
        None => HashMoveTable::new(asked.moves),
    };
    Arranged { division, bytes: own + (table.mebibytes() << 20), table }
}

fn lead(queue: &Receiver<Order>, signals: &Arc<Signals>, observer: &Arc<dyn Observer>) {
    let mut threads = ThreadPool::new(Arc::clone(observer));
    let observer = &**observer;
    let mut tsume = Tsume::default();
    for order in queue {
        match order {
            Order::Arrange(division, table, done) => {
                tsume.forget(division.mebibytes);
                if let Ok(arranged) =
                    catch_unwind(AssertUnwindSafe(|| arrange(&division, table, &mut threads)))
                {
                    // Who asked waits for it.
                    let _ = done.send(arranged);
                }
            }
            Order::Search(job) => {
                // Who asks for a mate waits for another word.
                let mut so_far = if job.mate { Answer::MateUnknown } else { Answer::Resign };
                let decided = catch_unwind(AssertUnwindSafe(|| match job.mate {
                    true => tsume.answer(&job, signals, observer),
                    false => decide(&job, &mut threads, signals, observer, &mut so_far),
                }));
                let answer = decided.unwrap_or_else(|_| {
                    observer.note(
                        "the engine broke down on this position: the answer is the best that it had found",
                    );
                    so_far
                });
                // What belongs to the search goes before the answer lets the player change things.
                drop(job);
                signals.wait_for_release();
                let timer = signals.timer();
                // A client may ask for anything once it has read the answer, and must not find us busy then. The
                // next answer still comes after this one: this thread gives both.
                signals.finish();
                observer.answer(answer);
                signals.answered(timer);
                // The table is not needed by anybody any longer when the next order comes.
                threads.wait();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::testing::Ear;

    #[test]
    #[cfg_attr(not(debug_assertions), ignore = "nothing overflows")]
    fn the_leading_thread_outlives_a_breakdown_between_searches() {
        let main_thread = MainThread::new(Arc::default(), Arc::<Ear>::default());
        // All threads but the leading one are fewer than none.
        let none = Division { threads: 0, ..Division::new(4, 1) };
        assert!(main_thread.arrange(none, Arc::new(HashMoveTable::empty()), || ()).is_none());
        let arranged = main_thread.arrange(Division::new(4, 2), Arc::new(HashMoveTable::empty()), || ());
        assert!(arranged.is_some_and(|arranged| arranged.division == Division::new(4, 2)));
    }
}
