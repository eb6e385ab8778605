//! One search as all its threads see it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use crossbeam::utils::CachePadded;
use parking_lot::Mutex;

use super::settings::Settings;
use super::signals::Signals;
use crate::eval::weights::Weights;
use crate::policy::budget::Budget;
use crate::search::hash_moves::HashMoveTable;
use crate::search::value::{Mate, Value};
use crate::search::{Control, Line, MAX_PLY, SearchRequest};
use crate::shogi::moves::Move;
use crate::shogi::position::Position;

/// What is searched.
pub struct Question {
    /// Where to start.
    pub root: Position,
    /// The moves to choose from; empty for all.
    pub only: Vec<Move>,
    /// What positions are worth.
    pub weights: Arc<Weights>,
    /// The table of moves.
    pub table: Arc<HashMoveTable>,
    /// The last iteration.
    pub depth: Option<u32>,
    /// Nodes of all threads together after which the search ends: exact for one thread, for more to within a
    /// [`POLL_INTERVAL`](crate::search::POLL_INTERVAL) each. No thread but the leading one searches more than its equal
    /// part: the lines that are told are the leading one's, however late the system lets it begin.
    pub nodes: Option<u64>,
    /// What a drawn game is worth to the side to move at the root.
    pub draw: Value,
    /// What holds for more than one search.
    pub settings: Settings,
}

/// A question, and what its threads tell each other: two flags, and for each the nodes and the best line so far.
pub struct SharedSearch {
    question: Question,
    /// What the front end tells all of them.
    signals: Arc<Signals>,
    halt: AtomicBool,
    /// Whether a thread beside the leading one broke down.
    broken: AtomicBool,
    lanes: Box<[CachePadded<Lane>]>,
}

/// What one thread writes.
#[derive(Default)]
struct Lane {
    nodes: AtomicU64,
    line: Mutex<Option<Line>>,
}

impl SharedSearch {
    /// A shared of `threads` threads, the leading one among them.
    pub fn new(question: Question, threads: usize, signals: Arc<Signals>) -> SharedSearch {
        let lanes = (0..threads).map(|_| CachePadded::default()).collect();
        SharedSearch {
            question,
            signals,
            halt: AtomicBool::new(false),
            broken: AtomicBool::new(false),
            lanes,
        }
    }

    /// What is searched.
    pub fn question(&self) -> &Question {
        &self.question
    }

    /// What thread number `lane` is asked; the leading one is 0.
    pub fn request(&self, lane: usize) -> SearchRequest<'_> {
        let Question { root, only, weights, table, depth, nodes, draw, settings } = &self.question;
        let leads = lane == 0;
        SearchRequest {
            root,
            weights,
            only,
            lines: if leads { settings.lines } else { 1 },
            depth: depth.unwrap_or(MAX_PLY as u32),
            nodes: nodes
                .map_or(u64::MAX, |all| if leads { all } else { all.div_ceil(self.lanes.len() as u64) }),
            head_start: head_start(lane),
            non_promotions: settings.non_promotions,
            policy: settings.policy,
            params: settings.params,
            rules: settings.rules,
            draw: *draw,
            // What is better than the last of several lines need not be better than the first.
            bounds: leads && settings.telling.bounds && settings.lines == 1,
            root_mates: leads,
            table,
        }
    }

    /// Notes that thread `lane` has searched `nodes` so far.
    pub fn count(&self, lane: usize, nodes: u64) {
        self.lanes[lane].nodes.store(nodes, Relaxed);
    }

    /// Whether the threads together have searched enough. For one thread its request says so.
    pub fn has_enough(&self) -> bool {
        self.lanes.len() > 1 && self.question.nodes.is_some_and(|limit| self.nodes() >= limit)
    }

    /// Nodes of all threads, as they last told.
    pub fn nodes(&self) -> u64 {
        self.lanes.iter().map(|lane| lane.nodes.load(Relaxed)).sum()
    }

    /// Tells the threads beside the leading one to end.
    pub fn halt(&self) {
        self.halt.store(true, Relaxed);
    }

    /// Whether a thread beside the leading one has nothing more to do. Where the front end or the clock ends the search,
    /// each sees it by itself: on a busy machine the leading thread may have to wait for a processor before it could tell.
    pub fn is_over(&self) -> bool {
        self.halt.load(Relaxed) || self.signals.stopped() || self.is_broken() || self.signals.is_out_of_time()
    }

    /// A thread beside the leading one broke down: the search ends with what was found. Returns whether it is the first.
    pub fn break_down(&self) -> bool {
        !self.broken.swap(true, Relaxed)
    }

    /// Whether a thread beside the leading one broke down.
    pub fn is_broken(&self) -> bool {
        self.broken.load(Relaxed)
    }

    /// The best line of all threads, and `own`, that of the leading one: the move that most stand behind. Where the
    /// leading one broke down before it had any, the others choose among theirs.
    ///
    /// Who has not ended an iteration has no say. A mate that was found wins, the nearest first. A move that a thread knows
    /// to be mated is left out, as long as one looked at nearly as far is not. Then each thread votes for its best move
    /// with the number of its last iteration, and the line is that of the thread that looked furthest among those that
    /// voted for the winner. Where votes are equal the leading thread's move stays. Where several lines are told, they
    /// are its own.
    pub fn choose(&self, own: Option<Line>) -> Option<Line> {
        if own.is_some() && self.question.settings.lines > 1 {
            return own;
        }
        let nodes = own.as_ref().map(|line| line.nodes);
        let others = self.lanes.iter().skip(1).filter_map(|lane| lane.line.lock().take());
        let others = others.filter(|line| line.depth > 0);
        let best = choose(own.into_iter().chain(others).collect())?;
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
    let furthest = lines.iter().map(|line| line.depth).max().unwrap_or_default();
    let holds = |line: &Line| !lost.contains(&line.moves[0]);
    if lines.iter().any(|line| holds(line) && line.depth + NEARLY >= furthest) {
        lines.retain(holds);
    }
    let votes =
        |mv: Move| -> u32 { lines.iter().filter(|line| line.moves[0] == mv).map(|line| line.depth).sum() };
    let winner = lines[first_greatest(&lines, |line| votes(line.moves[0]))].moves[0];
    lines.retain(|line| line.moves[0] == winner);
    let furthest = first_greatest(&lines, |line| line.depth);
    Some(lines.swap_remove(furthest))
}

/// The number of the first of the lines that have the greatest `rank`, where `max_by_key` would have the last.
fn first_greatest(lines: &[Line], rank: impl Fn(&Line) -> u32) -> usize {
    (1..lines.len()).fold(0, |best, n| if rank(&lines[n]) > rank(&lines[best]) { n } else { best })
}

/// A line that was looked at for so many iterations less may be preferred to a mate: one of many less has not looked far
/// enough to see its own.
const NEARLY: u32 = 2;

/// What a thread spends beyond the budget of its iteration, so that they do not search the same tree: parts of an
/// iteration as far from each other as can be, by the golden ratio. (The first 233 threads all have different ones.)
fn head_start(lane: usize) -> Budget {
    const GOLDEN: f64 = 0.618_033_988_749_895;
    let part = (lane as f64 * GOLDEN).fract();
    Budget::new((part * f64::from(Budget::ITERATION.units())) as i32)
}

/// How a thread beside the leading one takes part: silently, until it is told to halt.
pub struct Follower<'a> {
    shared: &'a SharedSearch,
    lane: usize,
}

impl<'a> Follower<'a> {
    /// Thread number `lane` of `shared`.
    pub fn new(shared: &'a SharedSearch, lane: usize) -> Follower<'a> {
        Follower { shared, lane }
    }
}

impl Control for Follower<'_> {
    fn stops(&mut self, nodes: u64) -> bool {
        self.shared.count(self.lane, nodes);
        // However late the leading thread looks up, the nodes are not exceeded by more.
        self.shared.is_over() || self.shared.has_enough()
    }

    fn found(&mut self, line: &Line) {
        self.shared.lanes[self.lane].nodes.store(line.nodes, Relaxed);
        *self.shared.lanes[self.lane].line.lock() = Some(line.clone());
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
    use crate::engine::signals::Timer;
    use crate::engine::testing::question;

    fn line(mv: &str, depth: u32, value: Value) -> Line {
        Line { multipv_index: 1, depth, seldepth: depth, value, nodes: 0, moves: vec![mv.parse().unwrap()] }
    }

    fn chosen(lines: &[(&str, u32, Value)]) -> (String, u32) {
        let line = choose(lines.iter().map(|&(mv, depth, value)| line(mv, depth, value)).collect());
        let line = line.expect("there are lines");
        (line.moves[0].to_string(), line.depth)
    }

    #[test]
    fn the_move_that_most_stand_behind_is_chosen() {
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
            // Six iterations for each: the leading thread's stays.
            (vec![("7g7f", 5, even), ("2g2f", 6, even), ("7g7f", 1, even)], ("7g7f", 5)),
        ] {
            assert_eq!(chosen(&lines), (expected.0.to_string(), expected.1), "{lines:?}");
        }
    }

    #[test]
    fn what_a_thread_had_found_counts_when_it_breaks_down() {
        let shared = SharedSearch::new(question(), 3, Arc::default());
        let (mut breaks, mut goes_on) = (Follower::new(&shared, 1), Follower::new(&shared, 2));
        breaks.found(&line("2g2f", 6, Value::DRAW));
        assert!(goes_on.starts(6) && !goes_on.stops(32));
        assert!(shared.break_down() && !shared.break_down(), "the first alone is told");
        assert!(!goes_on.starts(7) && goes_on.stops(64));
        let best = shared.choose(Some(line("7g7f", 5, Value::DRAW))).expect("there are lines");
        assert_eq!(best.moves[0].to_string(), "2g2f");
    }

    #[test]
    fn who_has_looked_at_nothing_has_no_vote() {
        let shared = SharedSearch::new(question(), 2, Arc::default());
        Follower::new(&shared, 1).found(&line("2g2f", 0, Value::DRAW));
        let best = shared.choose(Some(line("7g7f", 2, Value::mated_in(6)))).expect("there are lines");
        assert_eq!(best.moves[0].to_string(), "7g7f");
    }

    #[test]
    fn every_thread_sees_the_end_of_the_time() {
        let signals = Arc::new(Signals::default());
        let shared = SharedSearch::new(question(), 2, Arc::clone(&signals));
        let mut follower = Follower::new(&shared, 1);
        let plan = |stop| Plan { ideal: stop, least: stop, stop, use_all: true, full_seconds: None };
        let timer = |stop| Some(Timer { since: Instant::now(), plan: plan(stop) });
        for (hold, timer, ends) in [
            (false, None, false),
            (false, timer(Duration::from_secs(3600)), false),
            (false, timer(Duration::ZERO), true),
            (true, None, false),
        ] {
            signals.begin(hold, timer);
            assert_eq!((follower.stops(32), follower.starts(5)), (ends, !ends), "{ends}");
            signals.finish();
        }
        // As after a ponderhit.
        signals.begin(true, None);
        signals.release(timer(Duration::ZERO));
        assert!(follower.stops(64));
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
