//! What the main thread's search reports, and when it ends.

use std::time::{Duration, Instant};

use super::observer::{Info, Observer};
use super::options::InfoOptions;
use super::shared_search::SharedSearch;
use super::signals::Signals;
use super::time_manager::TimeManager;
use crate::search::hash_moves::HashMoveTable;
use crate::search::tt::Bound;
use crate::search::{Control, Line, MAX_PLY};
use crate::shogi::position::Position;

/// The main thread's control: it ends the search by signals, clock and nodes, and reports lines to the observer.
pub struct Reporter<'a> {
    signals: &'a Signals,
    observer: &'a dyn Observer,
    /// What all threads share.
    shared: &'a SharedSearch,
    /// When the search began, which pondering does not change.
    since: Instant,
    info: InfoOptions,
    /// Whether the search ends when its answer may go: it only prepares another one.
    pub until_release: bool,
    time_manager: TimeManager,
    /// The best line so far, for when the search cannot return it.
    pub best: Option<Line>,
    /// When the observer last had a report, and the last line that was reported of each MultiPV index.
    reported: Option<(Instant, Vec<Line>)>,
    /// Whether all lines of the iteration are reported: when its first one came, the last report was long enough ago.
    is_due: bool,
    /// Lines of the last iteration that are held back: they say nothing new and the last report is recent, or the search
    /// has only begun.
    held_back: Vec<Line>,
    /// Whether lines are held back because the search has only begun.
    is_early: bool,
    /// How many lines the last iteration has found.
    lines: usize,
}

/// The first iterations take a few milliseconds each, and nobody can read them: they are reported from then on, unless
/// the search ends before.
const FIRST_REPORT: Duration = Duration::from_millis(50);

impl<'a> Reporter<'a> {
    /// For a search that began at `since`; `sole_move` says whether there is one move to choose from.
    pub fn new(
        signals: &'a Signals,
        observer: &'a dyn Observer,
        shared: &'a SharedSearch,
        since: Instant,
        info: InfoOptions,
        sole_move: bool,
    ) -> Reporter<'a> {
        Reporter {
            signals,
            observer,
            shared,
            since,
            info,
            until_release: false,
            time_manager: TimeManager::new(sole_move, shared.request().multi_pv > 1),
            best: None,
            reported: None,
            is_due: false,
            held_back: Vec::new(),
            is_early: false,
            lines: 0,
        }
    }

    /// Reports the lines that were held back.
    pub fn report_held_back(&mut self) {
        self.report_held_back_at(Instant::now());
    }

    fn report_held_back_at(&mut self, now: Instant) {
        let lines = std::mem::take(&mut self.held_back);
        self.is_early = false;
        self.report(&lines, now);
    }

    /// Whether it is too early to report anything. Somebody who asks for each line gets each.
    fn is_too_early(&self, now: Instant) -> bool {
        !self.info.interval().is_zero() && now.saturating_duration_since(self.since) < FIRST_REPORT
    }

    fn ends(&self) -> bool {
        self.signals.stopped() || self.is_past()
    }

    /// Whether the client's position is another one by now: the search only prepares for that.
    fn is_past(&self) -> bool {
        self.until_release && !self.signals.holds()
    }

    fn report(&mut self, lines: &[Line], now: Instant) {
        if self.is_past() {
            return;
        }
        for line in lines {
            self.send_info(line, Bound::Exact);
        }
        if !lines.is_empty() {
            let (_, mut reported) = self.reported.take().unwrap_or((now, Vec::new()));
            reported.retain(|known| lines.iter().all(|line| line.multipv_index != known.multipv_index));
            reported.extend_from_slice(lines);
            self.reported = Some((now, reported));
        }
    }

    fn send_info(&self, line: &Line, bound: Bound) {
        self.shared.count(0, line.nodes);
        let request = self.shared.request();
        let extended;
        let mut line = line;
        if self.info.consideration_mode {
            extended = extend_pv(line, &request.root, &request.table);
            line = &extended;
        }
        self.observer.info(&Info {
            line,
            nodes: self.shared.nodes(),
            bound,
            elapsed: self.since.elapsed(),
            hashfull: request.table.permille_used(),
        });
    }

    fn report_bound(&self, line: &Line, bound: Bound) {
        if !self.is_past() && !self.is_too_early(Instant::now()) {
            self.send_info(line, bound);
        }
    }

    fn has_reported_within(&self, interval: Duration, now: Instant) -> bool {
        self.reported.as_ref().is_some_and(|(last, _)| now.saturating_duration_since(*last) < interval)
    }

    /// An iteration has found this line, at `now`.
    fn found_at(&mut self, line: &Line, now: Instant) {
        if line.multipv_index == 1 {
            self.time_manager.finished(line.moves[0], line.value);
            self.best = Some(line.clone());
            self.held_back.clear();
            self.lines = 0;
            self.is_due = !self.has_reported_within(self.info.interval(), now);
        }
        self.held_back.push(line.clone());
        self.lines += 1;
        if self.is_too_early(now) {
            self.is_early = true;
            return;
        }
        let is_news = |(_, reported): &(_, Vec<Line>)| {
            let known = reported.iter().find(|known| known.multipv_index == line.multipv_index);
            known.is_none_or(|known| (known.value, &known.moves) != (line.value, &line.moves))
        };
        // Endgames have iterations by the dozen that change nothing.
        if self.is_due || self.reported.as_ref().is_none_or(is_news) {
            self.report_held_back_at(now);
        }
    }
}

impl Control for Reporter<'_> {
    fn stops(&mut self, nodes: u64) -> bool {
        self.shared.count(0, nodes);
        // A short while, in which the clock is looked at more often than otherwise.
        if self.is_early {
            let now = Instant::now();
            if !self.is_too_early(now) {
                self.report_held_back_at(now);
            }
        }
        let out_of_time = || {
            let timer = self.shared.deadline().timer();
            timer.is_some_and(|timer| self.time_manager.must_stop(&timer.plan, timer.elapsed()))
        };
        // However little time there is, the search goes on until it has a move: that takes less than a millisecond.
        self.ends()
            || self.shared.has_enough_nodes()
            || self.best.is_some() && (self.shared.has_panicked() || out_of_time())
    }

    fn found(&mut self, line: &Line) {
        self.found_at(line, Instant::now());
    }

    fn improved(&mut self, lines: &[Line]) {
        self.time_manager.improved(lines[0].value);
        self.best = Some(lines[0].clone());
        let (interval, now) = (self.info.interval(), Instant::now());
        // Of several lines some may still be those of the iteration before.
        let is_whole = self.shared.request().multi_pv == 1
            || lines.len() >= self.lines
                && lines.iter().all(|line| line.depth == lines[0].depth)
                && self.lines > 0;
        if !is_whole {
            return;
        }
        if self.is_too_early(now) {
            self.held_back = lines.to_vec();
            self.is_early = true;
            return;
        }
        let at_once = self.info.every_improvement || interval.is_zero();
        if at_once || self.reported.is_some() && !self.has_reported_within(interval, now) {
            self.report(lines, now);
        }
    }

    fn fails_high(&mut self, line: &Line) {
        self.report_bound(line, Bound::Lower);
    }

    fn fails_low(&mut self, line: &Line) {
        self.report_bound(line, Bound::Upper);
    }

    fn starts(&mut self, depth: u32) -> bool {
        let timer = self.shared.deadline().timer();
        depth == 1
            || !self.ends()
                && !self.shared.has_panicked()
                && timer.is_none_or(|timer| self.time_manager.may_start(&timer.plan, timer.elapsed(), depth))
    }
}

/// The line, extended by the moves that the table has for the positions that follow, up to a repetition.
fn extend_pv(line: &Line, root: &Position, table: &HashMoveTable) -> Line {
    let mut line = line.clone();
    if line.value.mate_distance().is_some() {
        // A mate ends where it ends.
        return line;
    }
    let mut position = root.clone();
    for &mv in &line.moves {
        position.play(mv, &mut ());
    }
    while line.moves.len() < MAX_PLY && position.repetition().is_none() {
        let Some(mv) = table.probe(position.key()).filter(|&mv| position.is_legal(mv)) else { break };
        line.moves.push(mv);
        position.play(mv, &mut ());
    }
    line
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::engine::deadline::Deadline;
    use crate::engine::options::EngineOptions;
    use crate::engine::testing::{CountingObserver, request};
    use crate::search::value::Value;
    use crate::shogi::moves::Move;

    /// Calls `search` with a reporter over two threads, and the observer that it reports to.
    fn with_reporter(search: impl FnOnce(&mut Reporter, &CountingObserver)) {
        let (signals, observer) = (Arc::new(Signals::default()), CountingObserver::default());
        let shared = SharedSearch::new(request(), 2, Arc::clone(&signals), Deadline::default());
        let info = EngineOptions::default().info;
        // The search has gone on for a while.
        let since = Instant::now().checked_sub(FIRST_REPORT).expect("the machine was not started just now");
        search(&mut Reporter::new(&signals, &observer, &shared, since, info, false), &observer);
    }

    /// The line of an iteration that finds nothing new.
    fn same_line(iteration: u32) -> Line {
        let moves = vec!["7g7f".parse().unwrap()];
        Line { multipv_index: 1, depth: iteration, seldepth: iteration, value: Value::DRAW, nodes: 70, moves }
    }

    #[test]
    fn consideration_mode_reports_lines_that_change_nothing() {
        for (consideration_mode, expected) in [(false, 1), (true, 4)] {
            with_reporter(|reporter, observer| {
                let pv_interval = Duration::from_secs(60);
                reporter.info = InfoOptions { pv_interval, consideration_mode, ..reporter.info };
                (1..=4).for_each(|iteration| reporter.found(&same_line(iteration)));
                assert_eq!(observer.lines(), expected);
            });
        }
    }

    #[test]
    fn the_first_iterations_are_not_shown_unless_the_search_ends() {
        with_reporter(|reporter, observer| {
            let begin = Instant::now();
            reporter.since = begin;
            for iteration in 1..=3 {
                reporter.found_at(&same_line(iteration), begin + FIRST_REPORT / 2);
            }
            assert_eq!(observer.lines(), 0);
            reporter.report_held_back_at(begin + FIRST_REPORT / 2);
            assert_eq!(observer.lines(), 1, "the last one");
            reporter.found_at(&Line { value: Value::new(7), ..same_line(4) }, begin + FIRST_REPORT);
            assert_eq!(observer.lines(), 2);
            // Somebody who asks for each line gets each.
            reporter.info.pv_interval = Duration::ZERO;
            reporter.found_at(&same_line(1), begin);
            assert_eq!(observer.lines(), 3);
        });
    }

    #[test]
    fn what_is_held_back_is_shown_while_an_iteration_takes_long() {
        with_reporter(|reporter, observer| {
            reporter.since = Instant::now();
            reporter.found(&same_line(1));
            let is_shown = |reporter: &mut Reporter| !reporter.stops(32) && observer.lines() > 0;
            while !is_shown(reporter) {
                assert!(reporter.since.elapsed() < Duration::from_secs(60), "it is never shown");
            }
            assert!(reporter.since.elapsed() >= FIRST_REPORT);
        });
    }

    #[test]
    fn several_lines_are_shown_within_an_iteration_once_all_are_of_it() {
        let (signals, observer) = (Arc::new(Signals::default()), CountingObserver::default());
        let request = crate::search::SearchRequest { multi_pv: 2, ..request() };
        let shared = SharedSearch::new(request, 1, Arc::clone(&signals), Deadline::default());
        let info = InfoOptions { pv_interval: Duration::ZERO, ..EngineOptions::default().info };
        let mut reporter = Reporter::new(&signals, &observer, &shared, Instant::now(), info, false);
        let second = |iteration| Line { multipv_index: 2, ..same_line(iteration) };
        reporter.improved(&[same_line(1)]);
        assert_eq!(observer.lines(), 0, "there may be another");
        [same_line(1), second(1)].iter().for_each(|line| reporter.found(line));
        assert_eq!(observer.lines(), 2);
        reporter.improved(&[same_line(2), second(1)]);
        assert_eq!(observer.lines(), 2);
        reporter.improved(&[same_line(2), second(2)]);
        assert_eq!(observer.lines(), 4);
    }

    #[test]
    fn all_lines_of_an_iteration_are_reported_together() {
        with_reporter(|reporter, observer| {
            let interval = Duration::from_millis(20);
            reporter.info = InfoOptions { pv_interval: interval, ..reporter.info };
            let begin = Instant::now();
            for (iteration, now, expected) in
                [(1, begin, 3), (2, begin + interval / 2, 3), (3, begin + interval, 6)]
            {
                for multipv_index in 1..=3 {
                    reporter.found_at(&Line { multipv_index, ..same_line(iteration) }, now);
                }
                assert_eq!(observer.lines(), expected);
            }
        });
    }

    #[test]
    fn a_panic_of_a_helper_ends_the_search_once_there_is_a_move() {
        with_reporter(|reporter, _| {
            assert!(reporter.starts(1) && reporter.starts(2) && !reporter.stops(32));
            reporter.shared.report_panic();
            assert!(reporter.starts(1) && !reporter.stops(64), "there is nothing to answer yet");
            reporter.found(&same_line(1));
            assert!(!reporter.starts(2) && reporter.stops(96));
        });
    }

    #[test]
    fn an_illegal_move_of_the_table_does_not_extend_a_line() {
        let table = HashMoveTable::new(1);
        let mut position = Position::start();
        let mv: Move = "7g7f".parse().unwrap();
        position.play(mv, &mut ());
        table.store(position.key(), mv);
        let line =
            Line { multipv_index: 1, depth: 1, seldepth: 1, value: Value::DRAW, nodes: 1, moves: vec![mv] };
        assert_eq!(extend_pv(&line, &Position::start(), &table), line);
    }

    #[test]
    fn lines_are_extended_by_the_table_up_to_a_repetition() {
        let table = HashMoveTable::new(1);
        let mut position = Position::start();
        let round: Vec<Move> =
            ["7g7f", "2h3h", "8b7b", "3h2h", "7b8b"].iter().map(|mv| mv.parse().unwrap()).collect();
        position.play(round[0], &mut ());
        let reply: Move = "3c3d".parse().unwrap();
        table.store(position.key(), reply);
        position.play(reply, &mut ());
        // Both rooks go there and back: without the limit the line would have no end.
        for &mv in &round[1..] {
            table.store(position.key(), mv);
            position.play(mv, &mut ());
        }
        let value = Value::new(10);
        let line = Line { multipv_index: 1, depth: 1, seldepth: 1, value, nodes: 1, moves: vec![round[0]] };
        let longer = extend_pv(&line, &Position::start(), &table);
        let expected: Vec<Move> = [&round[..1], &[reply], &round[1..]].concat();
        assert_eq!(longer.moves, expected);
        let mate = Line { value: Value::mate_in(1), ..line };
        assert_eq!(extend_pv(&mate, &Position::start(), &table).moves, mate.moves);
    }
}
