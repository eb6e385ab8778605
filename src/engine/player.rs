//! The engine's face: what a front end can ask of it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::clock::{self, TimePolicy};
use super::decision::Job;
use super::division::Division;
use super::evaluation::Evaluation;
use super::grant::{self, affordable, withheld};
use super::keep_alive::{KEEP_ALIVE, kept_alive};
use super::limits::{Limits, TimeControl};
use super::main_thread::{Arranged, MainThread};
use super::observer::Observer;
use super::settings::Settings;
use super::signals::{Signals, Timer};
use crate::book::BookMove;
use crate::book::current::CurrentBook;
use crate::eval::report::Report;
use crate::search::Line;
use crate::search::hash_moves::HashMoveTable;
use crate::search::value::Value;
use crate::shogi::color::Color;
use crate::shogi::position::Position;

/// Plays shogi: one search at a time, in the background.
///
/// Every [`go`](Player::go) is answered exactly once, through the observer. No call waits for a search save `go`,
/// [`new_game`](Player::new_game) and dropping the player, which end a running one first, [`prepare`](Player::prepare),
/// which waits for one that was stopped, and those that wait by name.
pub struct Player {
    settings: Settings,
    root: Result<Position, String>,
    /// Empty until it is first needed, at `isready` or `go`.
    table: Arc<HashMoveTable>,
    /// The threads and the memory that there are; `None` until they are needed.
    division: Option<Division>,
    /// Likewise.
    evaluation: Evaluation,
    /// Likewise.
    book: CurrentBook,
    /// MiB and threads that `division` was made for: what there is may be less.
    divided_for: (usize, usize),
    /// MiB that the system has given for all of this memory.
    held: usize,
    /// Tells how many MiB more the system has.
    available: fn() -> Option<usize>,
    /// Whether the memory is to be emptied before the next search.
    forgets: bool,
    /// Whether nothing was searched since it was emptied.
    is_fresh: bool,
    /// Whether the game is over, so that what was found is of no use to the next one.
    is_over: bool,
    /// What the running or last search was asked, for `ponderhit`.
    limits: Limits,
    /// How its time is spent: what is set meanwhile counts from the next one on.
    time_policy: TimePolicy,
    /// Who was to move there, and the number of the move: the client may have stated another position since.
    asked: Option<(Color, u32)>,
    /// The clocks as last stated: some clients leave them out when they ponder.
    last_clock: Option<TimeControl>,
    /// Since when these clocks ran for a move of ours.
    clock_ran: Option<Instant>,
    /// Since when the search ponders on the position that it will have to answer.
    ponders_since: Option<Instant>,
    signals: Arc<Signals>,
    observer: Arc<dyn Observer>,
    main_thread: MainThread,
}

/// Ends the searches of a player from another thread than the one that has it.
#[derive(Clone)]
pub struct Stopper(Arc<Signals>);

impl Stopper {
    /// Ends the search that runs, if any. [`Player::stop`] is to follow: what the player itself goes by does not change.
    pub fn stop(&self) {
        self.0.stop();
    }
}

/// What a search gets that should have had a time and was told none.
const WITHOUT_CLOCK: Duration = Duration::from_secs(1);

impl Player {
    /// A player at the start of a game. Allocates nothing large.
    pub fn new(observer: Arc<dyn Observer>) -> Player {
        let signals = Arc::new(Signals::default());
        Player {
            settings: Settings::default(),
            root: Ok(Position::start()),
            table: Arc::new(HashMoveTable::empty()),
            division: None,
            divided_for: (0, 0),
            evaluation: Evaluation::default(),
            book: CurrentBook::default(),
            held: 0,
            available: grant::available,
            forgets: false,
            is_fresh: false,
            is_over: false,
            limits: Limits::default(),
            time_policy: TimePolicy::default(),
            asked: None,
            last_clock: None,
            clock_ran: None,
            ponders_since: None,
            main_thread: MainThread::new(Arc::clone(&signals), Arc::clone(&observer)),
            signals,
            observer,
        }
    }

    /// What searches from the next one on go by.
    pub fn settings_mut(&mut self) -> &mut Settings {
        &mut self.settings
    }

    /// Whether a search runs, or has an answer that is kept back.
    pub fn is_searching(&self) -> bool {
        self.signals.searching()
    }

    /// Loads and allocates what searches need, where it is not there already; where a search was stopped, after its
    /// answer. During one that goes on it does nothing: the next search sees to it.
    pub fn prepare(&mut self) {
        // Whoever asks whether we are ready once a search is over takes the next answer for that to the next `go`: this one
        // may still be on its way out.
        if self.signals.stopped() || !self.is_searching() {
            self.signals.wait_until_answered();
        }
        if !self.is_searching() {
            self.prepare_evaluation();
            self.forgets |= std::mem::take(&mut self.is_over);
            self.prepare_memory();
            self.book.close_if_changed();
            self.prepare_book();
        }
    }

    fn prepare_book(&mut self) {
        if let Err(message) = self.book.prepare(&self.settings.book) {
            self.observer.note(&message);
        }
    }

    fn prepare_evaluation(&mut self) {
        let loads = self.evaluation.loads();
        let (evaluation, folder) = (&mut self.evaluation, &self.settings.eval_dir);
        let result = kept_alive(&*self.observer, KEEP_ALIVE, || evaluation.prepare(folder));
        match result {
            Ok(None) => {}
            Ok(Some(message)) | Err(message) => self.observer.note(&message),
        }
        // What another evaluation has found is of no use.
        self.forgets |= self.evaluation.loads() != loads;
    }

    fn prepare_memory(&mut self) {
        let (hash, threads) = (self.settings.hash, self.settings.threads);
        if self.division.is_some() && self.divided_for == (hash, threads) {
            if self.forgets {
                self.forget_all();
            }
            return;
        }
        self.divided_for = (hash, threads);
        let (mebibytes, message) = affordable(hash, self.held, (self.available)());
        if let Some(message) = message {
            self.observer.note(&message);
        }
        self.arrange(Division::new(mebibytes, threads));
    }

    /// Makes the threads and the memory that are `asked` for, all forgotten.
    fn arrange(&mut self, asked: Division) {
        let old = std::mem::replace(&mut self.table, Arc::new(HashMoveTable::empty()));
        let observer = Arc::clone(&self.observer);
        let Some(arranged) = self.main_thread.arrange(asked, old, || observer.still_there()) else {
            self.observer.note("threads and memory could not be had: the next search tries again");
            (self.division, self.held) = (None, 0);
            return;
        };
        let Arranged { division, table, bytes } = arranged;
        if division.threads != asked.threads {
            let (asked, threads) = (asked.threads, division.threads);
            self.observer.note(&format!("the system has not started {asked} threads: {threads} search"));
        }
        let is_known = self.division == Some(asked) && bytes >> 20 == self.held;
        if let Some(message) = withheld(asked.mebibytes, bytes).filter(|_| !is_known) {
            self.observer.note(&message);
        }
        self.table = Arc::new(table);
        (self.forgets, self.is_fresh) = (false, true);
        (self.division, self.held) = (Some(division), bytes >> 20);
    }

    /// The game is over. Ends a running search; what was found is forgotten when somebody asks whether we are ready,
    /// and not on the clock of the next game.
    pub fn game_over(&mut self) {
        self.stop();
        self.is_over = true;
    }

    /// Forgets what belongs to the last game. Ends a running search.
    pub fn new_game(&mut self) {
        self.stop();
        self.signals.wait_until_idle();
        (self.last_clock, self.is_over) = (None, false);
        self.forget_all();
    }

    /// Forgets what was found so far: now, or before the next search where one runs.
    pub fn forget(&mut self) {
        if self.is_searching() {
            self.forgets = true;
        } else {
            self.forget_all();
        }
    }

    fn forget_all(&mut self) {
        if let Some(division) = self.division
            && !self.is_fresh
        {
            self.arrange(division);
        }
        self.forgets = false;
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
        if self.evaluation.is_prepared_for(&self.settings.eval_dir) {
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
        if let Some(clock) = limits.clock {
            self.last_clock = Some(clock);
            self.clock_ran = if limits.ponder { None } else { Some(since) };
        }
        self.asked = self.root.as_ref().ok().map(|root| (root.side(), root.move_number()));
        self.time_policy = self.settings.time;
        let hold = limits.ponder || limits.infinite || limits.is_open();
        let timer = if hold { None } else { self.timer(&limits, since) };
        let mut settings = self.settings.clone();
        if let Some(division) = self.division {
            (settings.hash, settings.threads) = (division.mebibytes, division.threads);
        }
        // Who analyses wants to see every change, but not ten lines with each.
        settings.telling.at_once |= limits.infinite && settings.lines == 1;
        let book = self.suggestion(&limits);
        // A search without end stays on its position when the move is played.
        let ponders_before = self.settings.stochastic_ponder && limits.ponder && !limits.infinite;
        let before = if ponders_before { self.before() } else { None };
        self.ponders_since = (limits.ponder && before.is_none()).then_some(since);
        self.is_fresh = false;
        self.signals.begin(hold, timer);
        self.main_thread.start(Job {
            book,
            before,
            root: self.root.clone(),
            only: limits.only.clone(),
            mate: limits.mate,
            depth: limits.depth.into_iter().chain(self.settings.depth).min(),
            nodes: limits.nodes.into_iter().chain(self.settings.nodes).min(),
            settings,
            table: Arc::clone(&self.table),
            weights: self.evaluation.weights().cloned(),
            since,
        });
        self.limits = limits;
    }

    /// A move from the book, for a game: who analyses wants to see the engine think.
    fn suggestion(&mut self, limits: &Limits) -> Option<Line> {
        let root = self.root.as_ref().ok()?;
        let analyses = limits.infinite || limits.mate || limits.is_open() && !limits.ponder;
        if analyses || !limits.only.is_empty() || root.move_number() > self.settings.book.moves {
            return None;
        }
        let suggested = self.book.suggest(root).unwrap_or_else(|message| {
            self.observer.note(&message);
            None
        });
        suggested.map(|BookMove { mv, reply, value, depth, .. }| Line {
            multipv_index: 1,
            depth,
            seldepth: depth,
            value: Value::new(value),
            nodes: 0,
            moves: [mv].into_iter().chain(reply).collect(),
        })
    }

    /// The position before the last move.
    fn before(&self) -> Option<Position> {
        let mut before = self.root.as_ref().ok()?.clone();
        let last = before.last_move()?;
        before.undo(last, &mut ());
        Some(before)
    }

    /// The move that was pondered on was played at `now`; `clock` replaces the clocks of `go`. Without a search that
    /// ponders nothing happens; one that was to be without end stays so where there are no clocks.
    pub fn ponderhit(&mut self, clock: Option<TimeControl>, now: Instant) {
        if !self.limits.ponder {
            return;
        }
        self.limits.ponder = false;
        self.limits.infinite &= clock.is_none();
        if self.limits.infinite {
            return;
        }
        self.limits.clock = clock.or(self.limits.clock);
        if self.limits.is_open() {
            self.limits.clock = self.clock_after_last_move();
        }
        if self.limits.is_open() {
            self.limits.move_time = Some(WITHOUT_CLOCK);
        }
        self.last_clock = self.limits.clock.or(self.last_clock);
        self.clock_ran = Some(now);
        let mut timer = self.timer(&self.limits, now);
        if let (Some(timer), Some(since)) = (&mut timer, self.ponders_since.take())
            && self.time_policy.ponders
        {
            timer.plan = timer.plan.after(now.saturating_duration_since(since));
        }
        self.signals.release(timer);
    }

    /// The clocks last stated, less what our own last move took: an increment that may have come since is left out.
    fn clock_after_last_move(&self) -> Option<TimeControl> {
        let mut clock = self.last_clock?;
        if let (Some(since), Some(answered), Some((side, _))) =
            (self.clock_ran, self.signals.last_answer(), self.asked)
        {
            let time = &mut clock.time[side];
            *time = time.saturating_sub(answered.saturating_duration_since(since));
        }
        Some(clock)
    }

    /// What ends the searches of this player while it is elsewhere.
    pub fn stopper(&self) -> Stopper {
        Stopper(Arc::clone(&self.signals))
    }

    /// Ends a running search, which then answers.
    pub fn stop(&mut self) {
        self.limits.ponder = false;
        self.signals.stop();
    }

    /// The static evaluation of the position, taken apart.
    ///
    /// # Errors
    /// The reason why there is no position, or no evaluation yet.
    pub fn report(&mut self) -> Result<Report, String> {
        if !self.signals.searching() && !self.evaluation.is_prepared_for(&self.settings.eval_dir) {
            self.prepare_evaluation();
        }
        let weights = self.evaluation.weights().ok_or("there is no evaluation in memory")?;
        let root = self.root.as_ref().map_err(Clone::clone)?;
        Ok(Report::new(weights, root))
    }

    /// Returns once no search runs.
    pub fn wait(&self) {
        self.signals.wait_until_idle();
    }

    /// Returns once no search runs, and true; or after `time`, and false.
    pub fn wait_for(&self, time: Duration) -> bool {
        self.signals.wait_until_idle_for(time)
    }

    fn timer(&self, limits: &Limits, since: Instant) -> Option<Timer> {
        let (side, move_number) = self.asked?;
        let plan = clock::plan(limits, side, move_number, self.time_policy, self.signals.reaction())?;
        Some(Timer { since, plan })
    }
}

impl Drop for Player {
    fn drop(&mut self) {
        self.stop();
        // Dropping the main_thread then waits for its thread.
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::testing::Ear;

    /// A player of one thread on a machine that has 40 MiB more than what is held.
    fn cramped() -> (Player, Arc<Ear>) {
        let ear = Arc::new(Ear::default());
        let mut player = Player::new(Arc::clone(&ear) as Arc<dyn Observer>);
        player.available = || Some(40);
        player.settings.threads = 1;
        (player, ear)
    }

    #[test]
    fn a_hash_is_cut_to_what_the_machine_has() {
        let (mut player, ear) = cramped();
        for (asked, given, notes) in [(1 << 20, 38, 1), (16, 16, 1), (1 << 20, 53, 2)] {
            player.settings.hash = asked;
            player.prepare_memory();
            let mebibytes = player.division.map(|division| division.mebibytes);
            assert_eq!((mebibytes, ear.notes()), (Some(given), notes));
        }
    }

    #[test]
    fn the_same_number_once_more_changes_nothing() {
        let (mut player, ear) = cramped();
        player.settings.hash = 1 << 10;
        player.prepare_memory();
        // As after a search.
        player.is_fresh = false;
        player.settings.hash = 1 << 10;
        player.prepare_memory();
        assert!(!player.is_fresh, "what was found is still there");
        assert_eq!(ear.notes(), 1, "it was told");
    }
}
