//! One search as all its threads see it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use crossbeam::utils::CachePadded;
use parking_lot::Mutex;

use super::deadline::Deadline;
use super::signals::Signals;
use crate::policy::budget::Budget;
use crate::search::value::Mate;
use crate::search::{Control, Line, SearchRequest};
use crate::shogi::moves::Move;

/// A request, and what its threads share: two flags, and the nodes and the best line of each thread so far. Threads are
/// numbered, the main thread is number 0.
pub struct SharedSearch {
    request: SearchRequest,
    /// What the front end signals to all threads.
    signals: Arc<Signals>,
    deadline: Deadline,
    /// Whether the main thread has ended the search.
    is_over: AtomicBool,
    /// Whether a helper thread panicked.
    panicked: AtomicBool,
    progress: Box<[CachePadded<Progress>]>,
}

/// What one thread writes.
#[derive(Default)]
struct Progress {
    nodes: AtomicU64,
    line: Mutex<Option<Line>>,
}

impl SharedSearch {
    /// A search with `threads` threads, the main thread included.
    pub fn new(
        request: SearchRequest,
        threads: usize,
        signals: Arc<Signals>,
        deadline: Deadline,
    ) -> SharedSearch {
        SharedSearch {
            request,
            signals,
            deadline,
            is_over: AtomicBool::new(false),
            panicked: AtomicBool::new(false),
            progress: (0..threads).map(|_| CachePadded::default()).collect(),
        }
    }

    /// How many threads search, the main thread included.
    pub fn threads(&self) -> usize {
        self.progress.len()
    }

    /// What is searched, as the main thread does it.
    pub fn request(&self) -> &SearchRequest {
        &self.request
    }

    /// What helper thread number `thread` searches: the best line alone, with a head start of its own. A helper searches
    /// no more than its equal part of the nodes: the lines that are reported are the main thread's, however late the
    /// system lets it begin.
    pub fn helper_request(&self, thread: usize) -> SearchRequest {
        let nodes = match self.request.nodes {
            u64::MAX => u64::MAX,
            all => all.div_ceil(self.progress.len() as u64),
        };
        SearchRequest {
            multi_pv: 1,
            nodes,
            head_start: head_start(thread),
            report_bounds: false,
            root_mates: false,
            ..self.request.clone()
        }
    }

    /// The timer of the search, once its clock runs.
    pub fn deadline(&self) -> &Deadline {
        &self.deadline
    }

    /// Notes that a thread has searched `nodes` so far.
    pub fn count(&self, thread: usize, nodes: u64) {
        self.progress[thread].nodes.store(nodes, Relaxed);
    }

    /// Whether the threads together have searched as many nodes as the request says, to within a
    /// [`POLL_INTERVAL`](crate::search::POLL_INTERVAL) each. One thread alone sees to it by itself, and exactly.
    pub fn has_enough_nodes(&self) -> bool {
        self.progress.len() > 1 && self.nodes() >= self.request.nodes
    }

    /// Nodes of all threads, as last counted.
    pub fn nodes(&self) -> u64 {
        self.progress.iter().map(|progress| progress.nodes.load(Relaxed)).sum()
    }

    /// Ends the search of the helper threads.
    pub fn end(&self) {
        self.is_over.store(true, Relaxed);
    }

    /// Whether a helper thread has nothing more to do. Where the front end or the clock ends the search, each thread sees
    /// it by itself: on a busy machine the main thread may have to wait for a processor before it can end the search.
    pub fn is_over(&self) -> bool {
        self.is_over.load(Relaxed)
            || self.signals.stopped()
            || self.has_panicked()
            || self.deadline.has_passed()
    }

    /// A helper thread panicked: the search ends with what was found. Returns whether it is the first.
    pub fn report_panic(&self) -> bool {
        !self.panicked.swap(true, Relaxed)
    }

    /// Whether a helper thread panicked.
    pub fn has_panicked(&self) -> bool {
        self.panicked.load(Relaxed)
    }

    /// The best line of all threads; `own` is that of the main thread, unless it panicked before it had any.
    ///
    /// A thread that has not finished an iteration has no vote. A mate that was found wins, the nearest first. A move that
    /// a thread knows to be mated is left out, as long as another move was searched nearly as deep. Then each thread votes
    /// for its best move with the number of its last iteration, and the line is that of the deepest thread among those
    /// that voted for the winner. Where votes are equal the main thread's move stays. Where several lines are reported
    /// (MultiPV), they are the main thread's.
    pub fn choose(&self, own: Option<Line>) -> Option<Line> {
        if own.is_some() && self.request.multi_pv > 1 {
            return own;
        }
        let nodes = own.as_ref().map(|line| line.nodes);
        let helpers = self.progress.iter().skip(1).filter_map(|progress| progress.line.lock().take());
        let helpers = helpers.filter(|line| line.depth > 0);
        let best = choose(own.into_iter().chain(helpers).collect())?;
        Some(Line { nodes: nodes.unwrap_or(best.nodes), ..best })
    }
}

fn choose(mut lines: Vec<Line>) -> Option<Line> {
    if lines.is_empty() {
        return None;
    }
    let mates = |line: &Line| match line.value.mate_distance() {
        Some(Mate::Gives(plies)) => Some(plies),
        _ => None,
    };
    if let Some(nearest) = lines.iter().filter_map(mates).min() {
        lines.retain(|line| mates(line) == Some(nearest));
        return Some(lines.swap_remove(0));
    }
    let is_mated = |line: &Line| matches!(line.value.mate_distance(), Some(Mate::Suffers(_)));
    let lost: Vec<Move> = lines.iter().filter(|line| is_mated(line)).map(|line| line.moves[0]).collect();
    let deepest = lines.iter().map(|line| line.depth).max().unwrap_or_default();
    let is_not_lost = |line: &Line| !lost.contains(&line.moves[0]);
    if lines.iter().any(|line| is_not_lost(line) && line.depth + NEARLY_AS_DEEP >= deepest) {
        lines.retain(is_not_lost);
    }
    let votes =
        |mv: Move| -> u32 { lines.iter().filter(|line| line.moves[0] == mv).map(|line| line.depth).sum() };
    let winner = lines[first_max_by_key(&lines, |line| votes(line.moves[0]))].moves[0];
    lines.retain(|line| line.moves[0] == winner);
    let deepest = first_max_by_key(&lines, |line| line.depth);
    Some(lines.swap_remove(deepest))
}

/// The index of the first of the lines with the greatest `key`, where `max_by_key` would have the last.
fn first_max_by_key(lines: &[Line], key: impl Fn(&Line) -> u32) -> usize {
    (1..lines.len()).fold(0, |best, n| if key(&lines[n]) > key(&lines[best]) { n } else { best })
}

/// A line that was searched for at most so many iterations less may be preferred to being mated. A shallower one has not
/// looked far enough to see its own mate.
const NEARLY_AS_DEEP: u32 = 2;

/// What a thread spends beyond the budget of its iteration, so that the threads do not search the same tree: parts of an
/// iteration as far from each other as can be, by the golden ratio. (The first 233 threads all have different ones.)
fn head_start(thread: usize) -> Budget {
    const GOLDEN: f64 = 0.618_033_988_749_895;
    let part = (thread as f64 * GOLDEN).fract();
    Budget::new((part * f64::from(Budget::ITERATION.units())) as i32)
}

/// How a helper thread takes part: silently, until the search is over.
pub struct HelperControl<'a> {
    shared: &'a SharedSearch,
    thread: usize,
}

impl<'a> HelperControl<'a> {
    /// Helper thread number `thread` of `shared`.
    pub fn new(shared: &'a SharedSearch, thread: usize) -> HelperControl<'a> {
        HelperControl { shared, thread }
    }
}

impl Control for HelperControl<'_> {
    fn stops(&mut self, nodes: u64) -> bool {
        self.shared.count(self.thread, nodes);
        // The nodes are not exceeded by more, however late the main thread looks.
        self.shared.is_over() || self.shared.has_enough_nodes()
    }

    fn found(&mut self, line: &Line) {
        let progress = &self.shared.progress[self.thread];
        progress.nodes.store(line.nodes, Relaxed);
        *progress.line.lock() = Some(line.clone());
    }

    fn starts(&mut self, _: u32) -> bool {
        !self.shared.is_over()
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;
    use crate::engine::clock::Plan;
    use crate::engine::deadline::Timer;
    use crate::engine::testing::request;
    use crate::search::value::Value;

    fn line(mv: &str, depth: u32, value: Value) -> Line {
        Line { multipv_index: 1, depth, seldepth: depth, value, nodes: 0, moves: vec![mv.parse().unwrap()] }
    }

    fn chosen(lines: &[(&str, u32, Value)]) -> (String, u32) {
        let line = choose(lines.iter().map(|&(mv, depth, value)| line(mv, depth, value)).collect());
        let line = line.expect("there are lines");
        (line.moves[0].to_string(), line.depth)
    }

    #[test]
    fn the_move_with_most_votes_is_chosen() {
        let even = Value::DRAW;
        for (lines, expected) in [
            (vec![("7g7f", 5, even)], ("7g7f", 5)),
            (vec![("7g7f", 5, even), ("2g2f", 5, Value::new(90))], ("7g7f", 5)),
            (vec![("7g7f", 5, even), ("2g2f", 6, even)], ("2g2f", 6)),
            (vec![("7g7f", 5, even), ("2g2f", 6, even), ("7g7f", 4, even)], ("7g7f", 5)),
            (vec![("7g7f", 5, even), ("2g2f", 6, even), ("7g7f", 6, even)], ("7g7f", 6)),
            (vec![("7g7f", 9, even), ("2g2f", 3, Value::mate_in(5))], ("2g2f", 3)),
            (vec![("7g7f", 9, Value::mate_in(7)), ("2g2f", 3, Value::mate_in(5))], ("2g2f", 3)),
            (vec![("7g7f", 9, Value::mated_in(6)), ("2g2f", 3, even)], ("7g7f", 9)),
            (vec![("7g7f", 9, Value::mated_in(6)), ("2g2f", 7, even)], ("2g2f", 7)),
            (
                vec![("7g7f", 9, Value::mated_in(6)), ("7g7f", 9, even), ("2g2f", 8, Value::new(-900))],
                ("2g2f", 8),
            ),
            (
                vec![("7g7f", 9, Value::mated_in(6)), ("2g2f", 9, Value::mated_in(8)), ("7g7f", 8, even)],
                ("7g7f", 9),
            ),
            // Six iterations for each: the main thread's move stays.
            (vec![("7g7f", 5, even), ("2g2f", 6, even), ("7g7f", 1, even)], ("7g7f", 5)),
        ] {
            assert_eq!(chosen(&lines), (expected.0.to_string(), expected.1), "{lines:?}");
        }
    }

    fn shared(threads: usize) -> SharedSearch {
        SharedSearch::new(request(), threads, Arc::default(), Deadline::default())
    }

    #[test]
    fn lines_found_before_a_panic_count() {
        let shared = shared(3);
        let (mut panics, mut goes_on) = (HelperControl::new(&shared, 1), HelperControl::new(&shared, 2));
        panics.found(&line("2g2f", 6, Value::DRAW));
        assert!(goes_on.starts(6) && !goes_on.stops(32));
        assert!(shared.report_panic() && !shared.report_panic(), "only the first is reported");
        assert!(!goes_on.starts(7) && goes_on.stops(64));
        let best = shared.choose(Some(line("7g7f", 5, Value::DRAW))).expect("there are lines");
        assert_eq!(best.moves[0].to_string(), "2g2f");
    }

    #[test]
    fn a_thread_without_a_finished_iteration_has_no_vote() {
        let shared = shared(2);
        HelperControl::new(&shared, 1).found(&line("2g2f", 0, Value::DRAW));
        let best = shared.choose(Some(line("7g7f", 2, Value::mated_in(6)))).expect("there are lines");
        assert_eq!(best.moves[0].to_string(), "7g7f");
    }

    #[test]
    fn every_thread_sees_the_end_of_the_time() {
        let now = Instant::now();
        for (stop, ends) in
            [(None, false), (Some(Duration::from_secs(3600)), false), (Some(Duration::ZERO), true)]
        {
            let deadline = Deadline::default();
            let shared = SharedSearch::new(request(), 2, Arc::default(), deadline.clone());
            let mut helper = HelperControl::new(&shared, 1);
            assert!(!helper.stops(32) && helper.starts(5), "the clock does not run yet");
            // As with a ponderhit.
            if let Some(stop) = stop {
                let plan = Plan { ideal: stop, least: stop, stop, use_all: true, full_seconds: None };
                deadline.start(Timer { since: now, plan });
            }
            assert_eq!((helper.stops(64), helper.starts(5)), (ends, !ends), "{stop:?}");
        }
    }

    #[test]
    fn only_the_main_thread_reports_and_looks_for_mate_in_the_root() {
        let all = SearchRequest { multi_pv: 3, nodes: 1000, report_bounds: true, ..request() };
        let shared = SharedSearch::new(all, 3, Arc::default(), Deadline::default());
        assert_eq!((shared.request().nodes, shared.request().head_start), (1000, Budget::ZERO));
        let helper = shared.helper_request(1);
        assert_eq!(
            (helper.multi_pv, helper.report_bounds, helper.root_mates, helper.nodes),
            (1, false, false, 334)
        );
        assert_eq!(helper.head_start, head_start(1));
    }

    #[test]
    fn no_two_of_many_threads_have_the_same_head_start() {
        assert_eq!(head_start(0), Budget::ZERO);
        let mut all: Vec<Budget> = (0..233).map(head_start).collect();
        all.sort();
        all.dedup();
        assert_eq!(all.len(), 233);
        assert!(*all.last().unwrap() < Budget::ITERATION);
    }
}
