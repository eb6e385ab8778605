//! Watches over a search: the clock, the signals, and what the observer is told.

use std::time::{Duration, Instant};

use super::observer::{Info, Observer};
use super::settings::Telling;
use super::shared_search::SharedSearch;
use super::signals::Signals;
use super::time_manager::TimeManager;
use crate::search::hash_moves::HashMoveTable;
use crate::search::{Control, Line, MAX_PLY};
use crate::shogi::position::Position;

/// The search's link to the world.
pub struct Reporter<'a> {
    pub signals: &'a Signals,
    pub observer: &'a dyn Observer,
    /// What all threads share.
    pub shared: &'a SharedSearch,
    /// When the search began, which pondering does not move.
    pub since: Instant,
    pub telling: Telling,
    /// Whether the search ends when its answer may go: it only prepares for another one.
    pub until_release: bool,
    pub time_manager: TimeManager,
    /// The best line so far, for when the search cannot return it.
    pub best: Option<Line>,
    /// When the observer was last told something, and the last line told of each rank.
    pub told: Option<(Instant, Vec<Line>)>,
    /// Whether all lines of the iteration are told: when its first one came, nothing had been for a while.
    pub is_due: bool,
    /// Lines of the last iteration that are kept back: they say nothing new, and something was told shortly before.
    pub untold: Vec<Line>,
}

impl Reporter<'_> {
    /// Tells what was kept back.
    pub fn tell_untold(&mut self) {
        let lines = std::mem::take(&mut self.untold);
        self.tell(&lines);
    }

    fn ends(&self) -> bool {
        self.signals.stopped() || self.is_past()
    }

    /// Whether the client's position is another one by now: what is found only prepares for that.
    fn is_past(&self) -> bool {
        self.until_release && !self.signals.holds()
    }

    fn tell(&mut self, lines: &[Line]) {
        if self.is_past() {
            return;
        }
        for line in lines {
            self.say(line, false);
        }
        if !lines.is_empty() {
            let (_, mut told) = self.told.take().unwrap_or((Instant::now(), Vec::new()));
            told.retain(|known| lines.iter().all(|line| line.multipv_index != known.multipv_index));
            told.extend_from_slice(lines);
            self.told = Some((Instant::now(), told));
        }
    }

    fn say(&self, line: &Line, at_least: bool) {
        self.shared.count(0, line.nodes);
        let longer;
        let mut line = line;
        if self.telling.considers {
            longer = lengthened(line, &self.shared.question().root, &self.shared.question().table);
            line = &longer;
        }
        self.observer.info(&Info {
            line,
            nodes: self.shared.nodes(),
            at_least,
            elapsed: self.since.elapsed(),
            permille_used: self.shared.question().table.permille_used(),
        });
    }

    fn told_within(&self, interval: Duration) -> bool {
        self.told.as_ref().is_some_and(|(last, _)| last.elapsed() < interval)
    }
}

impl Control for Reporter<'_> {
    fn stops(&mut self, nodes: u64) -> bool {
        self.shared.count(0, nodes);
        // However little time there is, the answer was thought about: a first move takes less than a millisecond.
        let out_of_time = || {
            self.signals
                .timer()
                .is_some_and(|timer| self.time_manager.must_stop(&timer.plan, timer.elapsed()))
        };
        self.ends()
            || self.shared.has_enough()
            || self.best.is_some() && (self.shared.is_broken() || out_of_time())
    }

    fn found(&mut self, line: &Line) {
        if line.multipv_index == 1 {
            self.time_manager.finished(line.moves[0], line.value);
            self.best = Some(line.clone());
            self.untold.clear();
            self.is_due = !self.told_within(self.telling.interval());
        }
        self.untold.push(line.clone());
        let news = |(_, told): &(_, Vec<Line>)| {
            let known = told.iter().find(|known| known.multipv_index == line.multipv_index);
            known.is_none_or(|known| (known.value, &known.moves) != (line.value, &line.moves))
        };
        // Endgames have iterations by the dozen that change nothing.
        if self.is_due || self.told.as_ref().is_none_or(news) {
            self.tell_untold();
        }
    }

    fn improved(&mut self, lines: &[Line]) {
        self.time_manager.improved(lines[0].value);
        self.best = Some(lines[0].clone());
        let interval = self.telling.interval();
        let at_once = self.telling.at_once || interval.is_zero();
        if at_once || self.told.is_some() && !self.told_within(interval) {
            self.tell(lines);
        }
    }

    fn fails_high(&mut self, line: &Line) {
        if !self.is_past() {
            self.say(line, true);
        }
    }

    fn starts(&mut self, depth: u32) -> bool {
        depth == 1
            || !self.ends()
                && !self.shared.is_broken()
                && self
                    .signals
                    .timer()
                    .is_none_or(|timer| self.time_manager.may_start(&timer.plan, timer.elapsed(), depth))
    }
}

/// The line with the moves that the table has for what follows, as far as nothing is repeated.
fn lengthened(line: &Line, root: &Position, table: &HashMoveTable) -> Line {
    let mut line = line.clone();
    if line.value.mate_distance().is_some() {
        // A mate has its length.
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
    use crate::engine::testing::{Ear, question};
    use crate::search::value::Value;
    use crate::shogi::moves::Move;

    /// Calls `search` with a reporter over two threads, and what it tells to.
    fn watched(search: impl FnOnce(&mut Reporter, &Ear)) {
        let (signals, ear) = (Arc::new(Signals::default()), Ear::default());
        let shared = SharedSearch::new(question(), 2, Arc::clone(&signals));
        let mut reporter = Reporter {
            signals: &signals,
            observer: &ear,
            shared: &shared,
            since: Instant::now(),
            telling: question().settings.telling,
            until_release: false,
            time_manager: TimeManager::default(),
            best: None,
            told: None,
            is_due: false,
            untold: Vec::new(),
        };
        search(&mut reporter, &ear);
    }

    /// The line of an iteration that finds nothing new.
    fn same_line(iteration: u32) -> Line {
        let moves = vec!["7g7f".parse().unwrap()];
        Line { multipv_index: 1, depth: iteration, seldepth: iteration, value: Value::DRAW, nodes: 70, moves }
    }

    #[test]
    fn who_considers_is_told_what_changes_nothing_as_well() {
        for (considers, expected) in [(false, 1), (true, 4)] {
            watched(|reporter, ear| {
                reporter.telling =
                    Telling { pv_interval: Duration::from_secs(60), considers, ..reporter.telling };
                (1..=4).for_each(|iteration| reporter.found(&same_line(iteration)));
                assert_eq!(ear.lines(), expected);
            });
        }
    }

    #[test]
    fn all_lines_of_an_iteration_are_told_together() {
        watched(|reporter, ear| {
            reporter.telling = Telling { pv_interval: Duration::from_millis(20), ..reporter.telling };
            let tell = |reporter: &mut Reporter, iteration| {
                for multipv_index in 1..=3 {
                    reporter.found(&Line { multipv_index, ..same_line(iteration) });
                }
            };
            tell(reporter, 1);
            assert_eq!(ear.lines(), 3);
            std::thread::sleep(Duration::from_millis(30));
            tell(reporter, 2);
            assert_eq!(ear.lines(), 6);
        });
    }

    #[test]
    fn the_breakdown_of_a_thread_ends_the_search_once_there_is_a_move() {
        watched(|reporter, _| {
            assert!(reporter.starts(1) && reporter.starts(2) && !reporter.stops(32));
            reporter.shared.break_down();
            assert!(reporter.starts(1) && !reporter.stops(64), "there is nothing to answer yet");
            reporter.found(&same_line(1));
            assert!(!reporter.starts(2) && reporter.stops(96));
        });
    }

    #[test]
    fn what_the_table_has_that_is_not_legal_lengthens_nothing() {
        let table = HashMoveTable::new(1);
        let mut position = Position::start();
        let mv: Move = "7g7f".parse().unwrap();
        position.play(mv, &mut ());
        table.store(position.key(), mv);
        let line =
            Line { multipv_index: 1, depth: 1, seldepth: 1, value: Value::DRAW, nodes: 1, moves: vec![mv] };
        assert_eq!(lengthened(&line, &Position::start(), &table), line);
    }

    #[test]
    fn lines_go_on_with_the_table_as_far_as_nothing_is_repeated() {
        let table = HashMoveTable::new(1);
        let mut position = Position::start();
        let round: Vec<Move> =
            ["7g7f", "2h3h", "8b7b", "3h2h", "7b8b"].iter().map(|mv| mv.parse().unwrap()).collect();
        position.play(round[0], &mut ());
        let reply: Move = "3c3d".parse().unwrap();
        table.store(position.key(), reply);
        position.play(reply, &mut ());
        // Both rooks go there and back, for ever if nobody stops them.
        for &mv in &round[1..] {
            table.store(position.key(), mv);
            position.play(mv, &mut ());
        }
        let value = Value::new(10);
        let line = Line { multipv_index: 1, depth: 1, seldepth: 1, value, nodes: 1, moves: vec![round[0]] };
        let longer = lengthened(&line, &Position::start(), &table);
        let expected: Vec<Move> = [&round[..1], &[reply], &round[1..]].concat();
        assert_eq!(longer.moves, expected);
        let mate = Line { value: Value::mate_in(1), ..line };
        assert_eq!(lengthened(&mate, &Position::start(), &table).moves, mate.moves);
    }
}
