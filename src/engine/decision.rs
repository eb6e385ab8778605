//! What a `go` is answered.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::deadline::Deadline;
use super::observer::{Answer, Info, Observer};
use super::options::InfoOptions;
use super::reporter::Reporter;
use super::shared_search::SharedSearch;
use super::signals::Signals;
use super::thread_pool::{Panicked, ThreadPool};
use crate::eval::full;
use crate::search::hash_moves::HashMoveTable;
use crate::search::tt::Bound;
use crate::search::value::{Mate, Value};
use crate::search::{Control, Line, SearchRequest};
use crate::shogi::generate::{self, MoveList};
use crate::shogi::moves::Move;
use crate::shogi::position::Position;
use crate::shogi::position::declaration::Declaration;

/// What the user is told where a `go` names moves, and none of them is legal.
pub const NONE_LEGAL: &str = "none of the moves to choose from is legal: all moves are looked at";

/// One `go`: the search, and what the engine needs beside it.
pub struct Go {
    /// What to search, or why nothing is searched.
    pub request: Result<SearchRequest, NoPosition>,
    /// The book's line for the root.
    pub book: Option<Line>,
    /// The position before the opponent's move, where that is searched until the answer may go.
    pub before: Option<Position>,
    /// Resign when the own value is this or worse, in hundredths of a pawn.
    pub resign_value: i32,
    /// Below full strength, what that changes.
    pub limited: Option<LimitedStrength>,
    /// What is reported.
    pub info: InfoOptions,
    /// When the clock of the `go` began to run.
    pub since: Instant,
    /// When the search has to end.
    pub deadline: Deadline,
}

/// A search below full strength: it takes one thread, so that its nodes decide how strong it is, and chooses among the
/// moves that came to mind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LimitedStrength {
    /// What the answer takes at least, as far as the clock has it.
    pub delay: Duration,
    /// Whether the client has left the choice to the engine: then a declaration is an answer, too.
    pub chooses_freely: bool,
}

/// There is no position to search, for this reason.
pub struct NoPosition(pub String);

/// The one place where it is decided what a `go` is answered. `fallback` is always the best answer that is known so far,
/// for the case of a panic.
pub fn decide(
    go: Go,
    threads: &mut ThreadPool,
    signals: &Arc<Signals>,
    observer: &dyn Observer,
    fallback: &mut Answer,
) -> Answer {
    let Go { request, book, before, resign_value, limited, info, since, deadline } = go;
    let mut request = match request {
        Ok(request) => request,
        Err(NoPosition(reason)) => {
            observer.note(&reason);
            return Answer::Resign;
        }
    };
    let SearchRequest { root, only, rules, .. } = &request;
    let chooses_freely = limited.map_or(only.is_empty(), |limited| limited.chooses_freely);
    if chooses_freely && root.declaration(rules.entering_king) == Some(Declaration::Win) {
        observer.nothing_to_search(Mate::Gives(1));
        return Answer::Declare;
    }
    let legal = generate::all_legal(root);
    let Some(&first) = legal.first() else {
        observer.nothing_to_search(Mate::Suffers(0));
        return Answer::Resign;
    };
    let allowed = only.iter().copied().find(|mv| legal.contains(mv));
    if allowed.is_none() && !only.is_empty() {
        observer.note(NONE_LEGAL);
    }
    // Better than none.
    let any = allowed.unwrap_or(first);
    *fallback = Answer::Move { best: any, ponder: None };
    if let Some(line) = &book {
        observer.info(&Info {
            line,
            nodes: 0,
            bound: Bound::Exact,
            elapsed: since.elapsed(),
            hashfull: request.table.permille_used(),
        });
        return Answer::Move { best: line.moves[0], ponder: line.moves.get(1).copied() };
    }
    request.only.retain(|mv| legal.contains(mv));
    let mut search =
        Search { threads, is_alone: limited.is_some(), signals, observer, info, since, deadline };
    if let Some(before) = before {
        search.ponder_before(before, &request);
        // Reported nodes and time are those of the search proper.
        search.since = Instant::now();
    }
    let shared = search.share(request);
    match search.best(&shared, fallback) {
        Some(line) if gives_up(&line, resign_value, limited, shared.request()) => Answer::Resign,
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
    /// Whether the main thread searches alone.
    is_alone: bool,
    signals: &'a Arc<Signals>,
    observer: &'a dyn Observer,
    info: InfoOptions,
    since: Instant,
    deadline: Deadline,
}

impl Search<'_> {
    /// Searches the position before the opponent's move while the answer is kept back. What is found stays in the tables.
    fn ponder_before(&mut self, before: Position, request: &SearchRequest) {
        let request = SearchRequest {
            root: before,
            only: Vec::new(),
            draw_value: -request.draw_value,
            ..request.clone()
        };
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
        let threads = if self.is_alone { 1 } else { self.threads.threads() };
        Arc::new(SharedSearch::new(request, threads, signals, deadline))
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

/// A mate in sight that the opponent has yet to find is no reason to resign, unless the user sets it.
fn should_resign(line: &Line, resign_value: i32) -> bool {
    let value = match line.value.mate_distance() {
        Some(Mate::Suffers(_)) => -Value::WON,
        _ => line.value,
    };
    line.depth > 0 && value.cp() <= resign_value
}

/// Whether to resign after a search that found `line`. Below full strength the position itself has to be worth so little
/// as well, without a search: a player that has looked at a few moves, and not far, does not know that the others are as
/// bad. One that does not look at all goes by the position alone.
fn gives_up(
    line: &Line,
    resign_value: i32,
    limited: Option<LimitedStrength>,
    request: &SearchRequest,
) -> bool {
    let is_lost_as_it_stands =
        || Value::new(full::value(&request.evaluator, &request.root)).cp() <= resign_value;
    match limited {
        None => should_resign(line, resign_value),
        Some(_) => is_lost_as_it_stands() && (line.depth == 0 || should_resign(line, resign_value)),
    }
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
    use crate::engine::options::EngineOptions;
    use crate::engine::testing::{CountingObserver, request};
    use crate::eval::evaluator::Evaluator;
    use crate::shogi::sfen;

    /// What is answered, and how many notes are made.
    fn decided(request: Result<SearchRequest, NoPosition>, book: Option<Line>) -> (Answer, usize) {
        let observer = Arc::new(CountingObserver::default());
        let go = Go {
            request,
            book,
            before: None,
            resign_value: -99_999,
            limited: None,
            info: EngineOptions::default().info,
            since: Instant::now(),
            deadline: Deadline::default(),
        };
        let mut threads = ThreadPool::new(Arc::clone(&observer) as Arc<dyn Observer>);
        let answer = decide(go, &mut threads, &Arc::default(), &*observer, &mut Answer::Resign);
        (answer, observer.notes())
    }

    #[test]
    fn what_needs_no_search_is_answered_without_one() {
        let mated = "4k4/9/9/9/9/9/4g4/4g4/4K4 b - 1";
        let declares = "K+N5+L1/G+L+P+B1+R+P2/3+P2G2/9/2+p+n5/3s2+ss1/3+p+p1+s1+r/7g+n/6g+nk b 2L8Pb4p 1";
        let book = line_of(&["7g7f", "3c3d"]);
        let [best, reply] = [book.moves[0], book.moves[1]];
        let no_position = Err(NoPosition("this is the test's own reason".to_string()));
        let at = |text: &str| Ok(SearchRequest { root: sfen::parse(text).expect("a position"), ..request() });
        for (request, book, expected, notes) in [
            (at(sfen::START), Some(book), Answer::Move { best, ponder: Some(reply) }, 0),
            (at(declares), None, Answer::Declare, 0),
            (at(mated), None, Answer::Resign, 0),
            // The reason is given where a position is missing, and not where the side to move is mated.
            (no_position, None, Answer::Resign, 1),
        ] {
            assert_eq!(decided(request, book), (expected, notes));
        }
    }

    #[test]
    fn without_room_for_tables_there_is_a_move_all_the_same() {
        let request = SearchRequest { evaluator: Evaluator::pieces_and_kings(), depth: 3, ..request() };
        let (answer, _) = decided(Ok(request), None);
        assert!(matches!(answer, Answer::Move { .. }), "{answer:?}");
    }

    fn line_of(moves: &[&str]) -> Line {
        let moves: Vec<Move> = moves.iter().map(|mv| mv.parse().expect("a move")).collect();
        Line { multipv_index: 1, depth: 1, seldepth: 1, value: Value::DRAW, nodes: 1, moves }
    }

    #[test]
    fn the_reply_to_ponder_on_is_legal() {
        let root = Position::start();
        let [played, answer] = ["7g7f", "3c3d"].map(|text| text.parse::<Move>().unwrap());
        let mut after = root.clone();
        after.play(played, &mut ());
        let (without_reply, with_reply) = (line_of(&["7g7f"]), line_of(&["7g7f", "3c3d"]));
        let table = HashMoveTable::new(1);
        assert_eq!(reply(&root, &without_reply, &table), None);
        // What a move of another position would look like.
        table.store(after.key(), played);
        assert_eq!(reply(&root, &without_reply, &table), None);
        assert_eq!(reply(&root, &with_reply, &table), Some(answer));
        table.store(after.key(), answer);
        assert_eq!(reply(&root, &without_reply, &table), Some(answer));
    }
}
