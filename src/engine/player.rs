//! The engine's face: what a front end can ask of it.

use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::clock;
use super::decision::{Go, LimitedStrength, NONE_LEGAL, NoPosition};
use super::evaluation::Evaluation;
use super::game_clock::GameClock;
use super::limits::{Limits, TimeControl};
use super::main_thread::MainThread;
use super::mate_search::MateRequest;
use super::observer::{KEEP_ALIVE, Observer, kept_alive};
use super::options::{EngineOptions, InfoOptions};
use super::search_memory::SearchMemory;
use super::signals::Signals;
use super::skill::{self, Approach, FULL_STRENGTH};
use crate::book::current::CurrentBook;
use crate::eval::evaluator::Evaluator;
use crate::eval::report::Report;
use crate::policy::budget::Budget;
use crate::search::value::Value;
use crate::search::{Line, SearchRequest};
use crate::shogi::generate;
use crate::shogi::moves::Move;
use crate::shogi::position::Position;

/// Plays shogi: one search at a time, in the background.
///
/// Every [`go`](Player::go) is answered exactly once, through the observer. These calls wait for a search: `go`,
/// [`new_game`](Player::new_game) and dropping the player end a running one first; [`prepare`](Player::prepare) waits for
/// one that was stopped; [`wait`](Player::wait) and [`wait_for`](Player::wait_for) wait by name. No other call does.
pub struct Player {
    options: EngineOptions,
    /// The position of the next search, or why there is none.
    root: Result<Position, String>,
    /// Loaded when it is first needed, at `isready` or `go`.
    evaluation: Evaluation,
    /// Opened likewise.
    book: CurrentBook,
    memory: SearchMemory,
    clock: GameClock,
    signals: Arc<Signals>,
    observer: Arc<dyn Observer>,
    main_thread: MainThread,
    /// Whether the last search has limits of its own that end it.
    has_limit: bool,
}

/// Stops the searches of a player from another thread than the one that owns the player.
#[derive(Clone)]
pub struct Stopper(Arc<Signals>);

impl Stopper {
    /// Ends the search that runs, if any. [`Player::stop`] is to follow: the player's own state does not change here.
    pub fn stop(&self) {
        self.0.stop();
    }
}

impl Player {
    /// A player at the start of a game. Allocates nothing large.
    ///
    /// # Errors
    /// When the system cannot start a thread.
    pub fn new(observer: Arc<dyn Observer>) -> io::Result<Player> {
        let signals = Arc::new(Signals::default());
        Ok(Player {
            options: EngineOptions::default(),
            root: Ok(Position::start()),
            evaluation: Evaluation::default(),
            book: CurrentBook::default(),
            memory: SearchMemory::default(),
            clock: GameClock::default(),
            main_thread: MainThread::new(Arc::clone(&signals), Arc::clone(&observer))?,
            signals,
            observer,
            has_limit: false,
        })
    }

    /// The options of searches from the next one on.
    pub fn options_mut(&mut self) -> &mut EngineOptions {
        &mut self.options
    }

    /// Whether a search runs, or has an answer that is kept back.
    pub fn is_searching(&self) -> bool {
        self.signals.searching()
    }

    /// Loads and allocates what searches need, where it is not there already; where a search was stopped, after its
    /// answer. During a search that goes on it does nothing: the next search sees to it.
    pub fn prepare(&mut self) {
        // A client that asks for `readyok` after a search takes any later answer for that of its next `go`. So the last
        // answer, which may still be on its way out, comes first.
        if self.signals.stopped() || !self.is_searching() {
            self.signals.wait_until_answered();
        }
        if !self.is_searching() {
            self.prepare_evaluation();
            self.memory.clear_after_game();
            self.prepare_memory();
            self.book.close_if_changed();
            self.prepare_book();
        }
    }

    fn prepare_book(&mut self) {
        if let Err(message) = self.book.prepare(&self.options.book) {
            self.observer.note(&message);
        }
    }

    fn prepare_evaluation(&mut self) {
        let loads = self.evaluation.loads();
        let observer = &*self.observer;
        let EngineOptions { eval_dir: folder, eval_cache, .. } = &self.options;
        let (evaluation, eval_cache) = (&mut self.evaluation, *eval_cache);
        let mut messages: Vec<String> = evaluation.take_mended().into_iter().collect();
        messages.extend(kept_alive(observer, KEEP_ALIVE, || evaluation.prepare(folder, eval_cache)));
        // The evaluation comes before what searches remember.
        if evaluation.lacks_tables() && self.memory.give_back(&self.main_thread, observer) {
            let again = kept_alive(observer, KEEP_ALIVE, || evaluation.prepare(folder, eval_cache));
            if !evaluation.lacks_tables() {
                messages = again;
            }
        }
        messages.iter().for_each(|message| observer.note(message));
        // Values that another evaluation gave are of no use.
        if self.evaluation.loads() != loads {
            self.memory.clear_later();
        }
    }

    fn is_evaluation_prepared(&self) -> bool {
        self.evaluation.is_prepared_for(&self.options.eval_dir, self.options.eval_cache)
    }

    /// Whether there was no room for the tables of the evaluation: then searches play on with a simple one, which is said to
    /// the observer.
    pub fn lacks_evaluation(&self) -> bool {
        self.evaluation.lacks_tables()
    }

    fn prepare_memory(&mut self) {
        let EngineOptions { hash, threads, .. } = self.options;
        let mapped = self.evaluation.mapped_bytes();
        self.memory.prepare(hash, threads, mapped, &self.main_thread, &*self.observer);
    }

    /// The game is over. Ends a running search. What was found is forgotten at the next [`prepare`](Player::prepare), and
    /// not on the clock of the next game.
    pub fn game_over(&mut self) {
        self.stop();
        self.memory.game_over();
    }

    /// Forgets what belongs to the last game. Ends a running search.
    pub fn new_game(&mut self) {
        self.stop();
        self.signals.wait_until_idle();
        self.clock.new_game();
        self.memory.new_game(&self.main_thread, &*self.observer);
    }

    /// Forgets what was found so far: now, or before the next search where one runs.
    pub fn forget(&mut self) {
        if self.is_searching() {
            self.memory.clear_later();
        } else {
            self.memory.clear(&self.main_thread, &*self.observer);
        }
    }

    /// Sets the position that the next search starts from, or the reason why there is none: then the next search
    /// gives the reason and resigns, rather than playing a move from an older position.
    pub fn set_position(&mut self, position: Result<Position, String>) {
        self.root = position;
    }

    /// The position that the next search starts from, or the reason why there is none.
    ///
    /// # Errors
    /// The reason.
    pub fn position(&self) -> Result<&Position, &str> {
        self.root.as_ref().map_err(String::as_str)
    }

    /// Begins a search whose clock runs since `since`. A running search is ended first, and answers first.
    pub fn go(&mut self, mut limits: Limits, since: Instant) {
        self.stop();
        self.signals.wait_until_idle();
        self.has_limit = !limits.holds_answer()
            && (limits.nodes.is_some() || limits.depth.is_some() || limits.move_time.is_some());
        if self.is_evaluation_prepared() {
            if let Some(message) = self.evaluation.take_mended() {
                self.observer.note(&message);
                self.memory.clear_later();
            }
            if let Some(message) = self.evaluation.take_refusal() {
                self.observer.note(&message);
            }
        } else {
            self.prepare_evaluation();
        }
        self.prepare_memory();
        self.prepare_book();
        if let (Some(time), Ok(root)) = (limits.varied_time, &self.root) {
            limits.move_time = Some(clock::varied(time, root.move_number(), fastrand::f64()));
        }
        let book = self.book_line(&limits);
        let approach = self.approach(&limits);
        // A search without end stays on its position when the pondered move is played.
        let ponders_before =
            self.options.stochastic_ponder && limits.ponder && !limits.infinite && approach.is_none();
        let before = if ponders_before { self.position_before() } else { None };
        let request = self.request(&limits, approach.as_ref());
        let info = InfoOptions {
            // Somebody who analyses wants to see every change, but not ten lines with each.
            every_improvement: self.options.info.every_improvement
                || limits.infinite && self.options.multi_pv == 1,
            ..self.options.info
        };
        let chooses_freely = limits.only.is_empty();
        let (hold, mate, nodes) = (limits.holds_answer(), limits.mate, self.nodes(&limits));
        let ponders_on_root = limits.ponder && before.is_none();
        let deadline = self.clock.begin(
            limits,
            self.root.as_ref().ok(),
            self.options.time,
            since,
            self.signals.reaction(),
            ponders_on_root,
        );
        self.memory.begin_search();
        self.signals.begin(hold);
        if mate {
            let mebibytes = self.memory.mebibytes().unwrap_or(self.options.hash);
            self.main_thread.search_mate(MateRequest { root: self.root.clone(), nodes, mebibytes, deadline });
        } else {
            let limited = approach.map(|Approach { delay, .. }| LimitedStrength { delay, chooses_freely });
            let resign_value = self.resign_value(limited.is_some());
            self.main_thread.search(Go {
                request,
                book,
                before,
                resign_value,
                limited,
                info,
                since,
                deadline,
            });
        }
    }

    /// How a move of a game is thought about below full strength.
    fn approach(&self, limits: &Limits) -> Option<Approach> {
        let root = self.root.as_ref().ok()?;
        // No search begins where there is nothing to choose from, and `searchmoves` may name nothing legal.
        let legal = generate::all_legal(root);
        let only: Vec<Move> = limits.only.iter().copied().filter(|mv| legal.contains(mv)).collect();
        if limits.is_analysis() || legal.is_empty() {
            return None;
        }
        let approach = self.options.skill.approach(root, &only)?;
        if only.is_empty() && !limits.only.is_empty() {
            self.observer.note(NONE_LEGAL);
        }
        Some(approach)
    }

    /// Resign at this value or a worse one, in hundredths of a pawn. Below full strength it counts from what a side had at
    /// the start of a handicap game: it does not give up a game because it gave a handicap.
    fn resign_value(&self, is_limited: bool) -> i32 {
        let resign_value = self.options.resign_value;
        match &self.root {
            Ok(root) if is_limited => resign_value - skill::handicap(root),
            _ => resign_value,
        }
    }

    /// What a `go` with these limits asks of the search, or why nothing is searched.
    fn request(&self, limits: &Limits, approach: Option<&Approach>) -> Result<SearchRequest, NoPosition> {
        let root = self.root.clone().map_err(NoPosition)?;
        let options = &self.options;
        let only = approach.map_or(&limits.only, |approach| &approach.candidates).clone();
        let evaluator = self.evaluation.evaluator().cloned().unwrap_or_else(Evaluator::pieces_and_kings);
        Ok(SearchRequest {
            draw_value: options.draw_value[root.side()],
            root,
            evaluator,
            table: Arc::clone(self.memory.table()),
            only,
            multi_pv: options.multi_pv,
            depth: limits.depth.into_iter().chain(options.depth_limit).min().unwrap_or(u32::MAX),
            nodes: self.nodes(limits).min(approach.map_or(u64::MAX, |approach| approach.nodes)),
            head_start: Budget::ZERO,
            non_promotions: options.non_promotions,
            policy: options.policy,
            params: options.params,
            rules: options.rules,
            // A move that is better than the last of several lines need not be better than the first.
            report_bounds: options.info.bounds && options.multi_pv == 1,
            root_mates: true,
        })
    }

    /// Nodes after which a search with these limits ends.
    fn nodes(&self, limits: &Limits) -> u64 {
        limits.nodes.into_iter().chain(self.options.nodes_limit).min().unwrap_or(u64::MAX)
    }

    /// A line from the book, for a game: somebody who analyses wants to see the engine think.
    fn book_line(&mut self, limits: &Limits) -> Option<Line> {
        let root = self.root.as_ref().ok()?;
        if limits.is_analysis() || !limits.only.is_empty() || root.move_number() > self.options.book.moves {
            return None;
        }
        // The moves of a level are those that people play, from the first one on. A book that the user has named is used.
        if self.options.skill.level() < FULL_STRENGTH && self.options.book.is_built_in() {
            return None;
        }
        let chosen = self.book.choose(root, &self.options.book).unwrap_or_else(|message| {
            self.observer.note(&message);
            None
        });
        chosen.map(|(choice, moves)| Line {
            multipv_index: 1,
            depth: choice.depth,
            seldepth: choice.depth,
            value: Value::from_cp(choice.value),
            nodes: 0,
            moves,
        })
    }

    /// The position before the last move.
    fn position_before(&self) -> Option<Position> {
        let mut before = self.root.as_ref().ok()?.clone();
        let last = before.last_move()?;
        before.undo(last, &mut ());
        Some(before)
    }

    /// The pondered move was played at `now`; `clock` replaces the clocks of `go`. Without a search that ponders nothing
    /// happens. A search without end goes on where no clocks are stated.
    pub fn ponderhit(&mut self, clock: Option<TimeControl>, now: Instant) {
        let (last_answer, reaction) = (self.signals.last_answer(), self.signals.reaction());
        if self.clock.ponderhit(clock, now, last_answer, reaction) {
            self.signals.release();
        }
    }

    /// What stops the searches of this player from another thread.
    pub fn stopper(&self) -> Stopper {
        Stopper(Arc::clone(&self.signals))
    }

    /// Ends a running search, which then answers.
    pub fn stop(&mut self) {
        self.clock.stop();
        self.signals.stop();
    }

    /// The static evaluation of the position, taken apart.
    ///
    /// # Errors
    /// The reason why there is no position, or no evaluation yet.
    pub fn report(&mut self) -> Result<Report, String> {
        if !self.signals.searching() && !self.is_evaluation_prepared() {
            self.prepare_evaluation();
        }
        let evaluator = self.evaluation.evaluator().ok_or("there is no evaluation in memory")?;
        let root = self.root.as_ref().map_err(Clone::clone)?;
        Ok(Report::new(evaluator, root))
    }

    /// Returns once the search that runs has come to the limit that its `go` states: nodes, iterations or a time. Ends a search
    /// without such a limit.
    pub fn finish(&mut self) {
        if !self.has_limit {
            self.stop();
        }
        self.wait();
    }

    /// Returns once no search runs.
    pub fn wait(&self) {
        self.signals.wait_until_idle();
    }

    /// Returns once no search runs, and true; or after `time`, and false.
    pub fn wait_for(&self, time: Duration) -> bool {
        self.signals.wait_until_idle_for(time)
    }
}

impl Drop for Player {
    fn drop(&mut self) {
        self.stop();
        // Dropping the main thread then waits for it to end.
    }
}
