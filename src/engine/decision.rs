//! What a `go` is answered.

use std::sync::Arc;
use std::time::Instant;

use super::observer::{Answer, Info, Observer};
use super::reporter::Reporter;
use super::settings::Settings;
use super::shared_search::{Question, SharedSearch};
use super::signals::Signals;
use super::thread_pool::{BrokenDown, ThreadPool};
use super::time_manager::TimeManager;
use crate::eval::weights::Weights;
use crate::search::hash_moves::HashMoveTable;
use crate::search::value::{Mate, Value};
use crate::search::{Control, Line};
use crate::shogi::generate::{self, MoveList};
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
    pub book: Option<Line>,
    pub only: Vec<Move>,
    /// Whether only a mate was asked for.
    pub mate: bool,
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    pub settings: Settings,
    pub table: Arc<HashMoveTable>,
    /// `None` where not even the built-in evaluation fits in memory.
    pub weights: Option<Arc<Weights>>,
    pub since: Instant,
}

/// The one place where it is decided what a `go` is answered. Should it break down, `so_far` is the best answer that was
/// known.
pub fn decide(
    job: &Job,
    threads: &mut ThreadPool,
    signals: &Arc<Signals>,
    observer: &dyn Observer,
    so_far: &mut Answer,
) -> Answer {
    let root = match &job.root {
        Ok(root) => root,
        Err(reason) => {
            observer.note(reason);
            return Answer::Resign;
        }
    };
    if job.only.is_empty() && root.declaration(job.settings.rules.entering_king) == Some(Declaration::Win) {
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
    // For want of anything better.
    let any = only.first().copied().unwrap_or(first);
    *so_far = Answer::Move { best: any, ponder: None };
    if let Some(line) = &job.book {
        observer.info(&Info {
            line,
            nodes: 0,
            at_least: false,
            elapsed: job.since.elapsed(),
            permille_used: job.table.permille_used(),
        });
        return Answer::Move { best: line.moves[0], ponder: line.moves.get(1).copied() };
    }
    let Some(weights) = &job.weights else {
        observer.note("there is no evaluation, for want of memory");
        return Answer::Resign;
    };
    let mut search = Search { job, weights, threads, signals, observer };
    if let Some(before) = &job.before {
        search.prepare(before);
    }
    // What the search leaves out is no alternative.
    let mut choice = MoveList::new();
    generate::legal(root, job.settings.non_promotions, &mut choice);
    let sole_move = if only.is_empty() { choice.len() == 1 } else { only.len() == 1 };
    let best = search.best(root, only, sole_move, so_far);
    match best {
        Some(line) if gives_up(&line, job.settings.resign_at) => Answer::Resign,
        Some(line) => Answer::Move { best: line.moves[0], ponder: reply(root, &line, &job.table) },
        None => Answer::Move { best: any, ponder: None },
    }
}

/// What the searches of one job have in common.
struct Search<'a> {
    job: &'a Job,
    weights: &'a Arc<Weights>,
    threads: &'a mut ThreadPool,
    signals: &'a Arc<Signals>,
    observer: &'a dyn Observer,
}

impl Search<'_> {
    /// Searches the position before the opponent's move while the answer is kept back: what is found is in the table.
    fn prepare(&mut self, before: &Position) {
        let draw = -self.job.settings.draw[!before.side()];
        let shared = self.shared(before, Vec::new(), draw);
        let mut reporter = Reporter { until_release: true, ..self.reporter(&shared, false) };
        // Should it break down, the search proper still gives an answer.
        let _ = self.run(&shared, &mut reporter);
        // It may have looked at everything there is: the answer waits all the same.
        self.signals.wait_for_release();
    }

    fn best(
        &mut self,
        root: &Position,
        only: Vec<Move>,
        sole_move: bool,
        so_far: &mut Answer,
    ) -> Option<Line> {
        let shared = self.shared(root, only, self.job.settings.draw[root.side()]);
        let mut reporter = self.reporter(&shared, sole_move);
        if self.job.before.is_some() {
            // What is told of nodes and time is of this search alone.
            reporter.since = Instant::now();
        }
        let best = self.run(&shared, &mut reporter);
        if let Some(line) = &best {
            *so_far = Answer::Move { best: line.moves[0], ponder: None };
        }
        if let Some(line) = &best
            && reporter
                .best
                .as_ref()
                .is_none_or(|own| (own.depth, own.value, &own.moves) != (line.depth, line.value, &line.moves))
        {
            // Another thread knows better: what decides is what was told last.
            reporter.found(line);
        }
        reporter.tell_untold();
        best
    }

    /// Searches with all threads, and says where the leading one breaks down.
    fn run(&mut self, shared: &Arc<SharedSearch>, reporter: &mut Reporter) -> Option<Line> {
        self.threads.run(shared, reporter).unwrap_or_else(|BrokenDown| {
            self.observer.note("the search broke down: the answer is the best that it had found");
            shared.choose(reporter.best.clone())
        })
    }

    fn shared(&self, root: &Position, only: Vec<Move>, draw: Value) -> Arc<SharedSearch> {
        let Job { depth, nodes, settings, table, .. } = self.job;
        let question = Question {
            root: root.clone(),
            only,
            weights: Arc::clone(self.weights),
            table: Arc::clone(table),
            depth: *depth,
            nodes: *nodes,
            draw,
            settings: settings.clone(),
        };
        Arc::new(SharedSearch::new(question, self.threads.threads(), Arc::clone(self.signals)))
    }

    fn reporter<'a>(&self, shared: &'a SharedSearch, sole_move: bool) -> Reporter<'a>
    where
        Self: 'a,
    {
        Reporter {
            signals: self.signals,
            observer: self.observer,
            shared,
            since: self.job.since,
            telling: self.job.settings.telling,
            until_release: false,
            time_manager: TimeManager::new(sole_move, self.job.settings.lines > 1),
            best: None,
            told: None,
            is_due: false,
            untold: Vec::new(),
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
fn reply(root: &Position, line: &Line, table: &HashMoveTable) -> Option<Move> {
    let mut position = root.clone();
    position.play(line.moves[0], &mut ());
    let reply = line.moves.get(1).copied().or_else(|| table.probe(position.key()));
    reply.filter(|&reply| position.is_legal(reply))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reply_is_legal_or_none_at_all() {
        let root = Position::start();
        let [played, answer] = ["7g7f", "3c3d"].map(|text| text.parse::<Move>().unwrap());
        let mut after = root.clone();
        after.play(played, &mut ());
        let line = |moves: &[Move]| Line {
            multipv_index: 1,
            depth: 1,
            seldepth: 1,
            value: Value::DRAW,
            nodes: 1,
            moves: moves.to_vec(),
        };
        let table = HashMoveTable::new(1);
        assert_eq!(reply(&root, &line(&[played]), &table), None);
        // What a move of another position would look like.
        table.store(after.key(), played);
        assert_eq!(reply(&root, &line(&[played]), &table), None);
        assert_eq!(reply(&root, &line(&[played, answer]), &table), Some(answer));
        table.store(after.key(), answer);
        assert_eq!(reply(&root, &line(&[played]), &table), Some(answer));
    }
}
