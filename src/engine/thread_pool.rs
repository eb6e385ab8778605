//! The threads that search together (Lazy SMP): started once, parked between searches.
//!
//! The main thread reports and decides when it is time. The helper threads search the same position with budgets of their
//! own. They help by the moves that they leave in the shared table, and by their votes in the end.

use std::convert::Infallible;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crossbeam::channel::{Receiver, Sender, TryRecvError, bounded, unbounded};

use super::hash_budget::HashBudget;
use super::observer::Observer;
use super::shared_search::{HelperControl, SharedSearch};
use crate::search::{self, Control, Line, Memory, STACK};
use crate::util::memory::has_addresses;

/// What a helper thread is to do.
enum Message {
    /// Have memory of this many bytes, all clear, and send back how many bytes there are then.
    Resize(usize, Sender<usize>),
    /// Search until the search is over, then drop the sender.
    Search(Arc<SharedSearch>, Sender<Infallible>),
}

struct Helper {
    /// `None` once the thread is to end.
    messages: Option<Sender<Message>>,
    thread: Option<JoinHandle<()>>,
}

impl Helper {
    fn start(number: usize, stack: usize, observer: Arc<dyn Observer>) -> std::io::Result<Helper> {
        let (messages, queue) = unbounded();
        let (begun, begins) = bounded(1);
        let begin = move || {
            let memory = Memory::new(0);
            // The main thread waits for it.
            let _ = begun.send(());
            work(number, memory, &queue, &*observer);
        };
        let name = format!("search {number}");
        let thread = std::thread::Builder::new().name(name).stack_size(stack).spawn(begin)?;
        // With its first memory a thread takes what the allocator reserves for it. That has to happen before the next
        // thread is started, which needs addresses as well.
        let _ = begins.recv();
        Ok(Helper { messages: Some(messages), thread: Some(thread) })
    }

    fn send(&self, message: Message) {
        if let Some(messages) = &self.messages {
            // The thread outlives the sender.
            let _ = messages.send(message);
        }
    }
}

impl Drop for Helper {
    fn drop(&mut self) {
        self.messages = None;
        if let Some(thread) = self.thread.take() {
            // A panic in it was caught where it happened.
            let _ = thread.join();
        }
    }
}

fn work(number: usize, mut memory: Memory, queue: &Receiver<Message>, observer: &dyn Observer) {
    for message in queue {
        match message {
            Message::Resize(bytes, done) => {
                if catch_unwind(AssertUnwindSafe(|| memory.resize(bytes))).is_err() {
                    observer.note("a thread of the search broke down while it was given memory");
                }
                // The main thread waits for it.
                let _ = done.send(memory.bytes());
            }
            Message::Search(shared, done) => {
                // The lines that a search has found before a panic still count; its memory does not.
                let searched = catch_unwind(AssertUnwindSafe(|| {
                    // A thread that is late need not begin.
                    if !shared.is_over() {
                        let mut control = HelperControl::new(&shared, number);
                        search::think(&shared.helper_request(number), &mut memory, &mut control);
                    }
                }));
                if searched.is_err() {
                    if shared.report_panic() {
                        observer.note(
                            "a thread of the search broke down: the search ends, and what it had found still counts",
                        );
                    }
                    memory.forget();
                }
                drop(shared);
                drop(done);
            }
        }
    }
}

/// The main thread, which owns the pool, and its helper threads.
pub struct ThreadPool {
    memory: Memory,
    helpers: Vec<Helper>,
    /// Disconnected once no helper thread searches any longer.
    searching: Receiver<Infallible>,
    /// Bytes of memory that each thread was to have.
    per_thread: usize,
    /// Bytes of stack for each helper thread.
    stack: usize,
    /// Has a note of each panic.
    observer: Arc<dyn Observer>,
}

/// The time that helper threads have for their last lines when a search ends. Each sees the end within a fraction of it, if
/// it has a processor. On a busy machine it may wait for one several times as long, and the answer goes out without it.
const LAST_LINES: Duration = Duration::from_millis(1);

/// The main thread's search panicked: there is no more than what it had reported before.
pub struct Panicked;

impl ThreadPool {
    /// The main thread alone, without memory. `observer` has a note where a helper thread panics.
    pub fn new(observer: Arc<dyn Observer>) -> ThreadPool {
        let (memory, helpers) = (Memory::new(0), Vec::new());
        ThreadPool { memory, helpers, searching: bounded(0).1, per_thread: 0, stack: STACK, observer }
    }

    /// How many threads search.
    pub fn threads(&self) -> usize {
        1 + self.helpers.len()
    }

    /// Has as many threads as are `requested`, each with its memory, which is clear. Where the system starts fewer threads,
    /// these share the memory. Returns the budget that this comes to, and how many bytes the threads have.
    pub fn resize(&mut self, requested: &HashBudget) -> (HashBudget, usize) {
        self.helpers.truncate(requested.threads - 1);
        while self.threads() < requested.threads && has_addresses(self.stack) {
            match Helper::start(self.threads(), self.stack, Arc::clone(&self.observer)) {
                Ok(helper) => self.helpers.push(helper),
                Err(_) => break,
            }
        }
        let budget = HashBudget::new(requested.mebibytes, self.threads());
        if self.per_thread != budget.per_thread {
            // All of the old memory goes before any of the new comes: both together may be more than there is.
            self.resize_memory(0);
        }
        (budget, self.resize_memory(budget.per_thread))
    }

    /// Gives each thread memory of `per_thread` bytes, which is clear, and returns how many bytes there are then in all.
    fn resize_memory(&mut self, per_thread: usize) -> usize {
        let (done, bytes) = unbounded();
        for helper in &self.helpers {
            helper.send(Message::Resize(per_thread, done.clone()));
        }
        drop(done);
        self.memory.resize(per_thread);
        self.per_thread = per_thread;
        self.memory.bytes() + bytes.iter().sum::<usize>()
    }

    /// Searches with as many threads as share the search, or all, and returns the line that [`SharedSearch::choose`]
    /// chooses. A helper thread may search a little longer: see [`wait`](ThreadPool::wait).
    ///
    /// # Errors
    /// When the main thread's search panicked.
    pub fn run(
        &mut self,
        shared: &Arc<SharedSearch>,
        control: &mut dyn Control,
    ) -> Result<Option<Line>, Panicked> {
        let (done, searching) = bounded(0);
        for helper in self.helpers.iter().take(shared.threads() - 1) {
            helper.send(Message::Search(Arc::clone(shared), done.clone()));
        }
        drop(done);
        self.searching = searching;
        // A panic leaves nothing half changed but the memory.
        let own =
            catch_unwind(AssertUnwindSafe(|| search::think(shared.request(), &mut self.memory, control)));
        shared.end();
        let end = Instant::now();
        // A sleeping thread may not get a processor back in time.
        while self.searching.try_recv() != Err(TryRecvError::Disconnected) && end.elapsed() < LAST_LINES {
            std::hint::spin_loop();
        }
        match own {
            Ok(line) => Ok(line.and_then(|line| shared.choose(Some(line)))),
            Err(_) => {
                self.memory.forget();
                Err(Panicked)
            }
        }
    }

    /// Returns once no helper thread searches, and all have dropped the shared search.
    pub fn wait(&self) {
        // Nothing is ever sent.
        let _ = self.searching.recv();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::deadline::Deadline;
    use crate::engine::signals::Signals;
    use crate::engine::testing::{CountingObserver, request};
    use crate::search::{POLL_INTERVAL, SearchRequest};
    use crate::shogi::sfen;

    fn pool() -> ThreadPool {
        ThreadPool::new(Arc::<CountingObserver>::default())
    }

    fn shared(threads: usize, request: SearchRequest) -> Arc<SharedSearch> {
        Arc::new(SharedSearch::new(request, threads, Arc::default(), Deadline::default()))
    }

    fn to_depth(depth: u32) -> SearchRequest {
        SearchRequest { depth, ..request() }
    }

    fn to_nodes(nodes: u64) -> SearchRequest {
        SearchRequest { nodes, ..request() }
    }

    /// Panics at the first line.
    struct PanickingControl;

    impl Control for PanickingControl {
        fn stops(&mut self, _: u64) -> bool {
            false
        }

        fn found(&mut self, _: &Line) {
            panic!("this is the test's own panic");
        }

        fn starts(&mut self, _: u32) -> bool {
            true
        }
    }

    /// Begins once something is true of the shared search: where the main thread waits for the helpers.
    struct PatientControl<'a, F> {
        shared: &'a SharedSearch,
        until: F,
    }

    impl<F: Fn(&SharedSearch) -> bool> Control for PatientControl<'_, F> {
        fn stops(&mut self, _: u64) -> bool {
            false
        }

        fn found(&mut self, _: &Line) {}

        fn starts(&mut self, _: u32) -> bool {
            let begin = Instant::now();
            while !(self.until)(self.shared) && begin.elapsed() < Duration::from_secs(10) {
                std::thread::yield_now();
            }
            true
        }
    }

    #[test]
    fn a_panic_of_one_thread_leaves_the_others_working() {
        let observer = Arc::<CountingObserver>::default();
        let mut pool = ThreadPool::new(Arc::clone(&observer) as Arc<dyn Observer>);
        pool.resize(&HashBudget::new(4, 3));
        assert_eq!(pool.threads(), 3);
        // The search has no place for the helper threads, and they get it all the same: they panic at once, and one note says
        // so.
        let narrow = shared(1, to_depth(2));
        let (done, _) = bounded(0);
        for helper in &pool.helpers {
            helper.send(Message::Search(Arc::clone(&narrow), done.clone()));
        }
        let mut control = PatientControl { shared: &narrow, until: |_: &SharedSearch| observer.notes() > 0 };
        let line = pool.run(&narrow, &mut control).ok().flatten().expect("there are moves");
        assert_eq!(line.depth, 2);
        pool.wait();
        assert_eq!(observer.notes(), 1);
        // The main thread.
        assert!(pool.run(&shared(3, to_depth(2)), &mut PanickingControl).is_err());
        // All of them still work, for as long as the main thread does, and drop what they were given.
        let whole = shared(3, to_depth(5));
        let mut control =
            PatientControl { shared: &whole, until: |shared: &SharedSearch| shared.nodes() > 0 };
        assert!(pool.run(&whole, &mut control).ok().flatten().is_some());
        pool.wait();
        assert_eq!(Arc::strong_count(&whole), 1);
        assert!(whole.nodes() > 0);
        assert_eq!(observer.notes(), 1);
    }

    /// Begins when the helper threads have done all they do; may panic at its first line.
    struct LateControl {
        shared: Arc<SharedSearch>,
        begun_at: u64,
        panics: bool,
    }

    impl LateControl {
        fn new(shared: &Arc<SharedSearch>, panics: bool) -> LateControl {
            LateControl { shared: Arc::clone(shared), begun_at: 0, panics }
        }
    }

    impl Control for LateControl {
        fn stops(&mut self, nodes: u64) -> bool {
            self.shared.count(0, nodes);
            self.shared.has_enough_nodes()
        }

        fn found(&mut self, _: &Line) {
            assert!(!self.panics, "this is the test's own panic");
        }

        fn starts(&mut self, iteration: u32) -> bool {
            // A helper that has done all drops the shared search: then only the test and this control have it.
            while iteration == 1 && Arc::strong_count(&self.shared) > 2 {
                std::thread::yield_now();
            }
            if iteration == 1 {
                self.begun_at = self.shared.nodes();
            }
            true
        }
    }

    #[test]
    fn a_late_main_thread_still_has_its_part_of_the_nodes() {
        let mut pool = pool();
        pool.resize(&HashBudget::new(4, 3));
        let shared = shared(3, to_nodes(30_000));
        let mut control = LateControl::new(&shared, false);
        let line = pool.run(&shared, &mut control).ok().flatten().expect("there are moves");
        assert!((20_000 - 2 * POLL_INTERVAL..=20_000).contains(&control.begun_at), "{}", control.begun_at);
        assert!(line.depth > 0);
        assert!((30_000..30_000 + 3 * POLL_INTERVAL).contains(&shared.nodes()), "{}", shared.nodes());
    }

    #[test]
    fn lines_of_the_helpers_survive_a_panic_of_the_main_thread() {
        let mut pool = pool();
        pool.resize(&HashBudget::new(4, 3));
        let shared = shared(3, to_depth(2));
        assert!(pool.run(&shared, &mut LateControl::new(&shared, true)).is_err());
        assert!(shared.choose(None).is_some_and(|line| line.depth == 2));
    }

    /// Counts nodes, and ends once all threads have searched enough.
    struct CountingControl(Arc<SharedSearch>);

    impl Control for CountingControl {
        fn stops(&mut self, nodes: u64) -> bool {
            self.0.count(0, nodes);
            self.0.has_enough_nodes()
        }

        fn found(&mut self, _: &Line) {}

        fn starts(&mut self, _: u32) -> bool {
            true
        }
    }

    #[test]
    fn nodes_of_the_mate_solver_count_while_it_works() {
        // Mate in 1,525 plies: the solver takes whatever it is given.
        let root =
            "g1+P1k1+P+P+L/1p3P3/+R+p2pp1pl/1NNsg+p2+R/+b+nL+P1+p3/1P3ssP1/2P1+Ps2N/4+P1P1L/+B5G1g b - 1";
        let root = sfen::parse(root).expect("a position");
        let mut request = SearchRequest { root, ..to_nodes(30_000) };
        request.params.mate_root_nodes = 10_000_000;
        let shared = shared(2, request);
        let mut pool = pool();
        pool.resize(&HashBudget::new(16, 2));
        let mut control = CountingControl(Arc::clone(&shared));
        let line = pool.run(&shared, &mut control).ok().flatten().expect("there are moves");
        shared.count(0, line.nodes);
        assert!((30_000..30_000 + 2 * POLL_INTERVAL).contains(&shared.nodes()), "{}", shared.nodes());
    }

    #[test]
    fn a_helper_ends_once_all_threads_have_searched_enough() {
        let shared = shared(3, to_nodes(1000));
        shared.count(0, 800);
        shared.count(1, 160);
        let mut helper = HelperControl::new(&shared, 2);
        assert!(!helper.stops(32));
        assert!(helper.stops(64));
    }

    #[test]
    fn a_helper_sees_the_stop_signal() {
        let signals = Arc::new(Signals::default());
        let shared = SharedSearch::new(request(), 3, Arc::clone(&signals), Deadline::default());
        let mut helper = HelperControl::new(&shared, 2);
        assert!(helper.starts(1) && !helper.stops(32));
        signals.stop();
        assert!(!helper.starts(2) && helper.stops(64));
    }

    #[test]
    fn the_pool_grows_and_shrinks() {
        let mut pool = pool();
        for count in [4, 1, 2, 9, 1] {
            let requested = HashBudget::new(2, count);
            let (budget, bytes) = pool.resize(&requested);
            assert_eq!((budget, pool.threads()), (requested, count));
            // A little is lost because entries are whole.
            assert!((requested.per_thread * count).abs_diff(bytes) < count << 10, "{bytes}");
        }
    }

    #[test]
    fn threads_that_start_have_the_memory_of_those_that_do_not() {
        // No system has so large a stack.
        let mut pool = ThreadPool { stack: usize::MAX / 4, ..pool() };
        let (budget, bytes) = pool.resize(&HashBudget::new(8, 3));
        assert_eq!((budget, pool.threads()), (HashBudget::new(8, 1), 1));
        assert!(bytes > 5 << 20, "{bytes}");
    }
}
