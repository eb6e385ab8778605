//! What a `go` is answered.

use std::sync::Arc;
use std::time::Instant;

use super::deadline::Deadline;
use super::observer::{Answer, Info, Observer};
use super::options::InfoOptions;
use super::reporter::Reporter;
use super::shared_search::SharedSearch;
use super::signals::Signals;
use super::thread_pool::{Panicked, ThreadPool};
use crate::search::hash_moves::HashMoveTable;
use crate::search::value::{Mate, Value};
use crate::search::{Control, Line, SearchRequest};
use crate::shogi::generate::{self, MoveList};
use crate::shogi::moves::Move;
use crate::shogi::position::Position;
use crate::shogi::position::declaration::Declaration;

/// One `go`: the search, and what the engine needs beside it.
pub struct Go {
    /// What to search, or why nothing can be searched.
    pub request: Result<SearchRequest, String>,
    /// The book's line for the root.
    pub book: Option<Line>,
    /// The position before the opponent's move, where that is searched until the answer may go.
    pub before: Option<Position>,
    /// Resign when the own value is this or worse, in hundredths of a pawn.
    pub resign_value: i32,
    /// What is reported.
    pub info: InfoOptions,
    /// When the clock of the `go` began to run.
    pub since: Instant,
    /// When the search has to end.
    pub deadline: Deadline,
}

/// The one place where it is decided what a `go` is answered. `fallback` is always the best answer that is known so far,
/// for the case of a panic.
pub fn decide(
    go: Go,
    threads: &mut ThreadPool,
    signals: &Arc<Signals>,
    observer: &dyn Observer,
    fallback: &mut Answer,
) -> Answer {
    let Go { request, book, before, resign_value, info, since, deadline } = go;
    let mut request = match request {
        Ok(request) => request,
        Err(reason) => {
            observer.note(&reason);
            return Answer::Resign;
        }
    };
    let root = &request.root;
    if request.only.is_empty() && root.declaration(request.rules.entering_king) == Some(Declaration::Win) {
        observer.settled(Mate::Gives(1));
        return Answer::Declare;
    }
    let legal = generate::all_legal(root);
    let Some(&first) = legal.first() else {
        observer.settled(Mate::Suffers(0));
        return Answer::Resign;
    };
    let is_restricted = !request.only.is_empty();
    request.only.retain(|mv| legal.contains(mv));
    if is_restricted && request.only.is_empty() {
        observer.note("none of the moves to choose from is legal: all moves are looked at");
    }
    // Better than none.
    let any = request.only.first().copied().unwrap_or(first);
    *fallback = Answer::Move { best: any, ponder: None };
    if let Some(line) = &book {
        observer.info(&Info {
            line,
            nodes: 0,
            is_lower_bound: false,
            elapsed: since.elapsed(),
            hashfull: request.table.permille_used(),
        });
        return Answer::Move { best: line.moves[0], ponder: line.moves.get(1).copied() };
    }
    let mut search = Search { threads, signals, observer, info, since, deadline };
    if let Some(before) = before {
        search.ponder_before(before, &request);
        // Reported nodes and time are those of the search proper.
        search.since = Instant::now();
    }
    let shared = search.share(request);
    match search.best(&shared, fallback) {
        Some(line) if should_resign(&line, resign_value) => Answer::Resign,
        Some(line) => {
            let SearchRequest { root, table, .. } = shared.request();
            Answer::Move { best: line.moves[0], ponder: reply(root, &line, table) }
        }
        None => Answer::Move { best: any, ponder: None },
    }
}

/// What the searches of one `go` have in common.
struct Search<'a> {
    threads: &'a mut ThreadPool,
    signals: &'a Arc<Signals>,
    observer: &'a dyn Observer,
    info: InfoOptions,
    since: Instant,
    deadline: Deadline,
}

impl Search<'_> {
    /// Searches the position before the opponent's move while the answer is kept back. What is found stays in the tables.
    fn ponder_before(&mut self, before: Position, request: &SearchRequest) {
        let request =
            SearchRequest { root: before, only: Vec::new(), draw: -request.draw, ..request.clone() };
        let shared = self.share(request);
        let mut reporter = self.reporter(&shared, false);
        reporter.until_release = true;
        // After a panic in it the search proper still gives an answer.
        let _ = self.run(&shared, &mut reporter);
        // It may have searched everything there is: the answer waits all the same.
        self.signals.wait_for_release();
    }

    fn best(&mut self, shared: &Arc<SharedSearch>, fallback: &mut Answer) -> Option<Line> {
        let mut reporter = self.reporter(shared, has_sole_move(shared.request()));
        let best = self.run(shared, &mut reporter);
        if let Some(line) = &best {
            *fallback = Answer::Move { best: line.moves[0], ponder: None };
        }
        if let Some(line) = &best
            && reporter
                .best
                .as_ref()
                .is_none_or(|own| (own.depth, own.value, &own.moves) != (line.depth, line.value, &line.moves))
        {
            // A helper thread knows better: the line reported last has to be the one that is played.
            reporter.found(line);
        }
        reporter.report_held_back();
        best
    }

    /// Searches with all threads, and says so where the main thread panics.
    fn run(&mut self, shared: &Arc<SharedSearch>, reporter: &mut Reporter) -> Option<Line> {
        self.threads.run(shared, reporter).unwrap_or_else(|Panicked| {
            self.observer.note("the search broke down: the answer is the best that it had found");
            shared.choose(reporter.best.clone())
        })
    }

    fn share(&self, request: SearchRequest) -> Arc<SharedSearch> {
        let (signals, deadline) = (Arc::clone(self.signals), self.deadline.clone());
        Arc::new(SharedSearch::new(request, self.threads.threads(), signals, deadline))
    }

    fn reporter<'a>(&self, shared: &'a SharedSearch, sole_move: bool) -> Reporter<'a>
    where
        Self: 'a,
    {
        Reporter::new(self.signals, self.observer, shared, self.since, self.info, sole_move)
    }
}

/// Whether there is one move to choose from. Moves that the search leaves out are no alternative.
fn has_sole_move(request: &SearchRequest) -> bool {
    if !request.only.is_empty() {
        return request.only.len() == 1;
    }
    let mut moves = MoveList::new();
    generate::legal(&request.root, request.non_promotions, &mut moves);
    moves.len() == 1
}

/// A mate in sight that the opponent has yet to find is no reason to resign, save by the user's own measure.
fn should_resign(line: &Line, resign_value: i32) -> bool {
    let value = match line.value.mate_distance() {
        Some(Mate::Suffers(_)) => -Value::WON,
        _ => line.value,
    };
    line.depth > 0 && value.centipawns() <= resign_value
}

/// The expected reply, from the line or from the table. It is checked to be legal: a client does not ponder on an illegal
/// one.
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
    fn the_reply_to_ponder_on_is_legal() {
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
