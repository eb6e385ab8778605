//! The threads that search together (Lazy SMP): started once, parked between searches.
//!
//! One leads, reports and decides when it is time; the others search the same position with budgets of their own and
//! help by the moves that they leave in the common table, and by their votes in the end.

use std::convert::Infallible;
use std::hint::black_box;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crossbeam::channel::{Receiver, Sender, TryRecvError, bounded, unbounded};

use super::division::Division;
use super::observer::Observer;
use super::shared_search::{Follower, SharedSearch};
use crate::search::{self, Control, Line, Memory, STACK};

/// What has to be left beside the stack of a thread for it to be started: the stacks of many could take all addresses
/// that a shell or a batch system allows (`ulimit -v`), and what a thread needs beside is small, but cannot be done
/// without. (The system's allocator reserves up to 128 MiB for a new thread.)
const ROOM: usize = 160 << 20;

/// Whether there are addresses for another thread with `stack` bytes of stack. Nothing is taken.
fn has_room(stack: usize) -> bool {
    let mut room = Vec::<u8>::new();
    let has_room = room.try_reserve_exact(stack.saturating_add(ROOM)).is_ok();
    // A compiler may take it that memory that nobody uses can always be had.
    black_box(&room);
    has_room
}

/// What a thread is told to do.
enum Errand {
    /// To have memory of this many bytes, empty, and to say how many there are then.
    Resize(usize, Sender<usize>),
    /// To search until the shared is over, and to say so by dropping the sender.
    Search(Arc<SharedSearch>, Sender<Infallible>),
}

struct Helper {
    /// `None` while the thread is told to end.
    errands: Option<Sender<Errand>>,
    thread: Option<JoinHandle<()>>,
}

impl Helper {
    fn start(lane: usize, stack: usize, observer: Arc<dyn Observer>) -> std::io::Result<Helper> {
        let (errands, queue) = unbounded();
        let (begun, begins) = bounded(1);
        let begin = move || {
            let memory = Memory::new(0);
            // Who started it waits for it.
            let _ = begun.send(());
            work(lane, memory, &queue, &*observer);
        };
        let name = format!("search {lane}");
        let thread = std::thread::Builder::new().name(name).stack_size(stack).spawn(begin)?;
        // With its first memory a thread may take what the allocator reserves for it. Whoever asks whether there is room
        // for another one has to see that.
        let _ = begins.recv();
        Ok(Helper { errands: Some(errands), thread: Some(thread) })
    }

    fn send(&self, errand: Errand) {
        if let Some(errands) = &self.errands {
            // The thread outlives the sender.
            let _ = errands.send(errand);
        }
    }
}

impl Drop for Helper {
    fn drop(&mut self) {
        self.errands = None;
        if let Some(thread) = self.thread.take() {
            // A panic in it was caught where it happened.
            let _ = thread.join();
        }
    }
}

fn work(lane: usize, mut memory: Memory, queue: &Receiver<Errand>, observer: &dyn Observer) {
    for errand in queue {
        match errand {
            Errand::Resize(bytes, done) => {
                if catch_unwind(AssertUnwindSafe(|| memory.resize(bytes))).is_err() {
                    observer.note("a thread of the search broke down while it was given memory");
                }
                // Who asked waits for it.
                let _ = done.send(memory.bytes());
            }
            Errand::Search(shared, done) => {
                // What a search that broke down has found until then still counts; its memory does not.
                let searched = catch_unwind(AssertUnwindSafe(|| {
                    // Who is late need not begin.
                    if !shared.is_over() {
                        search::think(&shared.request(lane), &mut memory, &mut Follower::new(&shared, lane));
                    }
                }));
                if searched.is_err() {
                    if shared.break_down() {
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

/// The thread that owns it, which leads, and its helpers.
pub struct ThreadPool {
    memory: Memory,
    helpers: Vec<Helper>,
    /// Cut off once no helper searches any longer.
    searching: Receiver<Infallible>,
    /// Bytes of memory that each was told to have.
    own: usize,
    /// Bytes of stack for each.
    stack: usize,
    /// Who is told of breakdowns.
    observer: Arc<dyn Observer>,
}

/// What the helpers have for their last lines when a search ends. Each hears of the end within a fraction of that, if it
/// has a processor; on a busy machine it may wait for one several times as long, and the answer goes out without it.
const LAST_LINES: Duration = Duration::from_millis(1);

/// The leading thread broke down; what it had told before is all there is of it.
pub struct BrokenDown;

impl ThreadPool {
    /// The leading thread alone, with nothing to remember in. `observer` is told where a helper breaks down.
    pub fn new(observer: Arc<dyn Observer>) -> ThreadPool {
        let (memory, helpers) = (Memory::new(0), Vec::new());
        ThreadPool { memory, helpers, searching: bounded(0).1, own: 0, stack: STACK, observer }
    }

    /// How many threads search.
    pub fn threads(&self) -> usize {
        1 + self.helpers.len()
    }

    /// Sees to it that there are as many threads as are `asked` for, each with its memory, which is empty. Where the
    /// system gives no more threads there are fewer, which share the memory among them. Returns the division that this
    /// comes to, and how many bytes the threads have got.
    pub fn arrange(&mut self, asked: &Division) -> (Division, usize) {
        self.helpers.truncate(asked.threads - 1);
        while self.threads() < asked.threads && has_room(self.stack) {
            match Helper::start(self.threads(), self.stack, Arc::clone(&self.observer)) {
                Ok(helper) => self.helpers.push(helper),
                Err(_) => break,
            }
        }
        let division = Division::new(asked.mebibytes, self.threads());
        if self.own != division.own {
            // All of the old memory goes before any of the new comes: both together may be more than there is.
            self.resize_memory(0);
        }
        (division, self.resize_memory(division.own))
    }

    /// Gives each thread memory of `own` bytes, which is empty, and returns how many there are then in all.
    fn resize_memory(&mut self, own: usize) -> usize {
        let (done, granted) = unbounded();
        for helper in &self.helpers {
            helper.send(Errand::Resize(own, done.clone()));
        }
        drop(done);
        self.memory.resize(own);
        self.own = own;
        self.memory.bytes() + granted.iter().sum::<usize>()
    }

    /// Searches with all threads and returns the best line of all, as [`SharedSearch::choose`] has it. A helper may take a little
    /// longer: see [`wait`](ThreadPool::wait).
    ///
    /// # Errors
    /// When the leading thread broke down.
    pub fn run(
        &mut self,
        shared: &Arc<SharedSearch>,
        control: &mut dyn Control,
    ) -> Result<Option<Line>, BrokenDown> {
        let (done, searching) = bounded(0);
        for helper in &self.helpers {
            helper.send(Errand::Search(Arc::clone(shared), done.clone()));
        }
        drop(done);
        self.searching = searching;
        // A search that breaks down leaves nothing half changed but its memory.
        let own =
            catch_unwind(AssertUnwindSafe(|| search::think(&shared.request(0), &mut self.memory, control)));
        shared.halt();
        let end = Instant::now();
        // Who sleeps instead may wait for a processor himself.
        while self.searching.try_recv() != Err(TryRecvError::Disconnected) && end.elapsed() < LAST_LINES {
            std::hint::spin_loop();
        }
        match own {
            Ok(line) => Ok(line.and_then(|line| shared.choose(Some(line)))),
            Err(_) => {
                self.memory.forget();
                Err(BrokenDown)
            }
        }
    }

    /// Returns once no helper searches, and all have let go of the shared.
    pub fn wait(&self) {
        // Nothing is ever sent.
        let _ = self.searching.recv();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::settings::Settings;
    use crate::engine::shared_search::Question;
    use crate::engine::signals::Signals;
    use crate::engine::testing::{Ear, question};
    use crate::search::POLL_INTERVAL;
    use crate::shogi::sfen;

    fn threads() -> ThreadPool {
        ThreadPool::new(Arc::<Ear>::default())
    }

    fn shared(threads: usize, depth: u32) -> Arc<SharedSearch> {
        Arc::new(SharedSearch::new(Question { depth: Some(depth), ..question() }, threads, Arc::default()))
    }

    fn race_to(threads: usize, nodes: u64) -> Arc<SharedSearch> {
        Arc::new(SharedSearch::new(Question { nodes: Some(nodes), ..question() }, threads, Arc::default()))
    }

    /// Breaks down at the first line.
    struct Leader;

    impl Control for Leader {
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

    /// Begins when something is true of the shared: where it waits for the others.
    struct Patient<'a, F> {
        shared: &'a SharedSearch,
        until: F,
    }

    impl<F: Fn(&SharedSearch) -> bool> Control for Patient<'_, F> {
        fn stops(&mut self, _: u64) -> bool {
            false
        }

        fn found(&mut self, _: &Line) {}

        fn starts(&mut self, _: u32) -> bool {
            let begin = Instant::now();
            while !(self.until)(self.shared) && begin.elapsed() < Duration::from_secs(10) {
                std::thread::sleep(Duration::from_millis(1));
            }
            true
        }
    }

    #[test]
    fn a_thread_that_breaks_down_takes_nobody_with_it() {
        let ear = Arc::<Ear>::default();
        let mut threads = ThreadPool::new(Arc::clone(&ear) as Arc<dyn Observer>);
        threads.arrange(&Division::new(4, 3));
        assert_eq!(threads.threads(), 3);
        // A shared without lanes for the others: they panic at once, and that is told once.
        let narrow = shared(1, 2);
        let mut leader = Patient { shared: &narrow, until: |_: &SharedSearch| ear.notes() > 0 };
        let line = threads.run(&narrow, &mut leader).ok().flatten().expect("there are moves");
        assert_eq!(line.depth, 2);
        threads.wait();
        assert_eq!(ear.notes(), 1);
        // The leading one.
        assert!(threads.run(&shared(3, 2), &mut Leader).is_err());
        // All of them still work, for as long as the leading one does, and let go of what they were given.
        let whole = shared(3, 5);
        let mut leader = Patient { shared: &whole, until: |shared: &SharedSearch| shared.nodes() > 0 };
        assert!(threads.run(&whole, &mut leader).ok().flatten().is_some());
        threads.wait();
        assert_eq!(Arc::strong_count(&whole), 1);
        assert!(whole.nodes() > 0);
        assert_eq!(ear.notes(), 1);
    }

    /// Begins when the others have done all they do; may break down at its first line.
    struct LateLeader {
        shared: Arc<SharedSearch>,
        begun_at: u64,
        breaks: bool,
    }

    impl LateLeader {
        fn new(shared: &Arc<SharedSearch>, breaks: bool) -> LateLeader {
            LateLeader { shared: Arc::clone(shared), begun_at: 0, breaks }
        }
    }

    impl Control for LateLeader {
        fn stops(&mut self, nodes: u64) -> bool {
            self.shared.count(0, nodes);
            self.shared.has_enough()
        }

        fn found(&mut self, _: &Line) {
            assert!(!self.breaks, "this is the test's own panic");
        }

        fn starts(&mut self, iteration: u32) -> bool {
            // Who has done all lets go of the shared: then the test and this leader alone have it.
            while iteration == 1 && Arc::strong_count(&self.shared) > 2 {
                std::thread::sleep(Duration::from_millis(1));
            }
            if iteration == 1 {
                self.begun_at = self.shared.nodes();
            }
            true
        }
    }

    #[test]
    fn the_leading_thread_has_its_part_of_the_nodes_however_late_it_is() {
        let mut threads = threads();
        threads.arrange(&Division::new(4, 3));
        let shared = race_to(3, 30_000);
        let mut leader = LateLeader::new(&shared, false);
        let line = threads.run(&shared, &mut leader).ok().flatten().expect("there are moves");
        assert!((20_000 - 2 * POLL_INTERVAL..=20_000).contains(&leader.begun_at), "{}", leader.begun_at);
        assert!(line.depth > 0);
        assert!((30_000..30_000 + 3 * POLL_INTERVAL).contains(&shared.nodes()), "{}", shared.nodes());
    }

    #[test]
    fn lines_of_the_others_outlive_the_leading_thread() {
        let mut threads = threads();
        threads.arrange(&Division::new(4, 3));
        let shared = shared(3, 2);
        assert!(threads.run(&shared, &mut LateLeader::new(&shared, true)).is_err());
        assert!(shared.choose(None).is_some_and(|line| line.depth == 2));
    }

    /// Counts, and ends once all have searched enough.
    struct Counter(Arc<SharedSearch>);

    impl Control for Counter {
        fn stops(&mut self, nodes: u64) -> bool {
            self.0.count(0, nodes);
            self.0.has_enough()
        }

        fn found(&mut self, _: &Line) {}

        fn starts(&mut self, _: u32) -> bool {
            true
        }
    }

    #[test]
    fn nodes_of_the_mate_solver_count_as_it_goes() {
        // Mate in 1,525 plies: the solver takes whatever it is given.
        let root =
            "g1+P1k1+P+P+L/1p3P3/+R+p2pp1pl/1NNsg+p2+R/+b+nL+P1+p3/1P3ssP1/2P1+Ps2N/4+P1P1L/+B5G1g b - 1";
        let root = sfen::parse(root).expect("a position");
        let mut settings = Settings::default();
        settings.params.mate_root_nodes = 10_000_000;
        let question = Question { root, nodes: Some(30_000), settings, ..question() };
        let shared = Arc::new(SharedSearch::new(question, 2, Arc::default()));
        let mut threads = threads();
        threads.arrange(&Division::new(16, 2));
        let line =
            threads.run(&shared, &mut Counter(Arc::clone(&shared))).ok().flatten().expect("there are moves");
        shared.count(0, line.nodes);
        assert!((30_000..30_000 + 2 * POLL_INTERVAL).contains(&shared.nodes()), "{}", shared.nodes());
    }

    #[test]
    fn a_follower_ends_once_all_have_searched_enough() {
        let shared = race_to(3, 1000);
        shared.count(0, 800);
        shared.count(1, 160);
        let mut follower = Follower::new(&shared, 2);
        assert!(!follower.stops(32));
        assert!(follower.stops(64));
    }

    #[test]
    fn a_follower_hears_the_front_end() {
        let signals = Arc::new(Signals::default());
        let shared = SharedSearch::new(question(), 3, Arc::clone(&signals));
        let mut follower = Follower::new(&shared, 2);
        assert!(follower.starts(1) && !follower.stops(32));
        signals.stop();
        assert!(!follower.starts(2) && follower.stops(64));
    }

    #[test]
    fn teams_grow_and_shrink() {
        let mut threads = threads();
        for count in [4, 1, 2, 9, 1] {
            let asked = Division::new(2, count);
            let (division, bytes) = threads.arrange(&asked);
            assert_eq!((division, threads.threads()), (asked, count));
            // But for what is lost because entries are whole.
            assert!((asked.own * count).abs_diff(bytes) < count << 10, "{bytes}");
        }
    }

    #[test]
    fn who_starts_has_the_memory_of_those_who_do_not() {
        // No system has so large a stack.
        let mut threads = ThreadPool { stack: usize::MAX / 4, ..threads() };
        let (division, bytes) = threads.arrange(&Division::new(8, 3));
        assert_eq!((division, threads.threads()), (Division::new(8, 1), 1));
        assert!(bytes > 5 << 20, "{bytes}");
    }
}
