//! A game in play: what a line from the server means for it, and what is sent.

use std::fmt;
use std::time::{Duration, Instant};

use super::connection::Connection;
use super::game::{Game, GameEnd};
use super::journal::Written;
use super::latency::Latency;
use super::protocol::{self, GameResult, Notice, Reason};
use super::report::{Moved, Report, Watcher};
use super::settings::{Comments, Settings};
use super::thinker::{Considered, Task, Thinker, Thought};
use crate::engine::observer::Answer;
use crate::record::{csa_move, parse_csa_move, value_of_comment};
use crate::shogi::color::{Color, PerColor};
use crate::shogi::moves::Move;
use crate::util::text::excerpt;

/// What a game is played with.
pub struct Means<'a, T> {
    /// Where lines go.
    pub connection: &'a mut Connection,
    /// What thinks.
    pub thinker: &'a mut T,
    /// How many tasks it was given.
    pub tasks: &'a mut u64,
    /// What is lost on the way.
    pub latency: &'a mut Latency,
    /// Who is told.
    pub watcher: &'a mut dyn Watcher,
    /// What the user sets.
    pub settings: &'a Settings,
}

impl<T> Means<'_, T> {
    /// Sends a line, and reports it.
    ///
    /// # Errors
    /// When the connection is lost.
    pub fn send(&mut self, line: &str) -> Result<(), Lost> {
        self.watcher.report(Report::Sent(line.to_string()));
        self.connection.send(line).map_err(|error| Lost(format!("cannot send: {error}")))
    }

    /// Reports something that went wrong.
    pub fn warn(&mut self, text: String) {
        self.watcher.report(Report::Warning(text));
    }

    /// Reports what came of writing a record, where that is not as ever.
    pub fn written(&mut self, written: Written, game: &Game) {
        let path = game.journal.path().display();
        match written {
            Written::Yes | Written::StillNot => {}
            Written::Again => {
                self.watcher.report(Report::Note(format!("{path}: everything is written again")));
            }
            Written::No(error) => {
                self.warn(format!(
                    "{path}: cannot be written: {error}; the game goes on, and it is tried again"
                ));
            }
        }
    }
}

/// The connection is of no use any more, for this reason.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lost(pub String);

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A game in play.
pub struct Play {
    /// The game.
    pub game: Game,
    turn: Turn,
    /// The number of the task that is thought on or was last.
    task: u64,
    /// What the task has found.
    considered: Option<Considered>,
    /// The expected reply, while it is pondered on.
    expected: Option<Move>,
    /// The answer to the task, where it came while the opponent's clock ran.
    early_answer: Option<Answer>,
    /// Our last move in the protocol's letters, where the opponent's answer came before the server repeated it.
    late: Option<String>,
    /// What is known of the end.
    end: GameEnd,
}

/// What is waited for.
enum Turn {
    /// Our answer. The clock runs since then.
    Ours { since: Instant },
    /// That the server repeats our move.
    Sent { mv: Move, comment: Option<String>, since: Instant, sent_at: Instant },
    /// The opponent's move. Its clock runs since then.
    Theirs { since: Instant },
    /// The result: the game has ended, for this reason.
    Over { since: Instant, reason: String },
}

impl Play {
    /// A game that begins at `now`, the time of `START`.
    pub fn begin<T: Thinker>(game: Game, now: Instant, means: &mut Means<T>) -> Play {
        let mut play = Play {
            game,
            turn: Turn::Theirs { since: now },
            task: 0,
            considered: None,
            expected: None,
            early_answer: None,
            late: None,
            end: GameEnd::default(),
        };
        if play.game.is_our_turn() {
            play.think(now, means);
        }
        play
    }

    /// When something has to come at last; `None` where nothing limits the wait.
    pub fn deadline(&self, answer: Duration) -> Option<Instant> {
        match &self.turn {
            // The engine keeps its own time.
            Turn::Ours { .. } => None,
            Turn::Sent { sent_at, .. } => sent_at.checked_add(answer),
            Turn::Theirs { since } => {
                let theirs = !self.game.summary.our_side;
                let available = self.game.clock.available(theirs)?;
                // A server that cuts a unit gives one more.
                let most = available + self.game.clock.rule(theirs).unit + answer;
                since.checked_add(most)
            }
            Turn::Over { since, .. } => since.checked_add(answer),
        }
    }

    /// What was waited for when the deadline passed.
    pub fn missing(&self) -> String {
        match &self.turn {
            Turn::Ours { .. } => "our own move did not come".to_string(),
            Turn::Sent { .. } => "the server is silent: it does not repeat our move".to_string(),
            Turn::Theirs { .. } => "the server is silent: the opponent's time is over".to_string(),
            Turn::Over { reason, .. } => format!("the server gives no result after {reason}"),
        }
    }

    /// What is known of the end, where the game is broken off.
    pub fn broken_off(&self) -> GameEnd {
        GameEnd { result: None, ..self.end }
    }

    /// Asks the server to break the game off.
    ///
    /// # Errors
    /// When the connection is lost.
    pub fn break_off<T: Thinker>(&mut self, means: &mut Means<T>) -> Result<(), Lost> {
        self.over("%CHUDAN", means);
        means.send("%CHUDAN")
    }

    /// No more moves are played: the server's result is waited for.
    fn over<T: Thinker>(&mut self, reason: &str, means: &mut Means<T>) {
        self.stop(means);
        self.turn = Turn::Over { since: Instant::now(), reason: reason.to_string() };
    }

    /// Stops thinking. What was thought on is not answered to any more.
    pub fn stop<T: Thinker>(&mut self, means: &mut Means<T>) {
        if self.task > 0 {
            means.thinker.stop();
        }
        (self.task, self.expected, self.early_answer) = (0, None, None);
    }

    /// A move came from the server.
    ///
    /// # Errors
    /// When the connection is lost.
    pub fn server_move<T: Thinker>(
        &mut self,
        color: Color,
        text: &str,
        units: Option<u64>,
        now: Instant,
        means: &mut Means<T>,
    ) -> Result<(), Lost> {
        if let Turn::Over { reason, .. } = &self.turn {
            means.warn(format!("a move after {reason} is left alone: '{}'", excerpt(text)));
            return Ok(());
        }
        if color == self.game.summary.our_side && self.is_late(text) {
            self.late = None;
            means.watcher.report(Report::Note(format!("the server repeats our move late: '{text}'")));
            return Ok(());
        }
        if self.game.last_move.as_deref() == Some(text) && color != self.game.side() {
            means.warn(format!("a move that comes twice is left alone: '{}'", excerpt(text)));
            return Ok(());
        }
        if color != self.game.side() && matches!(self.turn, Turn::Sent { .. }) {
            means.warn("the opponent has moved before the server repeated our move".to_string());
            self.take_our_own(None, now, means);
            self.late.clone_from(&self.game.last_move);
        }
        if color != self.game.side() {
            means.warn(format!("a move of the wrong side is left alone: '{}'", excerpt(text)));
            return Ok(());
        }
        let mv = match parse_csa_move(text, &self.game.position) {
            Ok(mv) => mv,
            Err(error) => {
                let whose = if color == self.game.summary.our_side { "our" } else { "the opponent's" };
                let message = format!("{whose} move is illegal: {error}: the server has to decide");
                let written = self.game.comment(&format!(" {message}"));
                means.written(written, &self.game);
                means.warn(message);
                self.over("an illegal move", means);
                return Ok(());
            }
        };
        if color != self.game.summary.our_side {
            self.their_move(mv, units, now, means)?;
        } else if matches!(self.turn, Turn::Sent { mv: sent, .. } if sent == mv) {
            self.take_our_own(units, now, means);
        } else {
            means.warn(format!("the server plays '{}' for us: the game goes on with it", excerpt(text)));
            self.stop(means);
            let used = self.elapsed(now);
            self.apply(mv, units, used, None, now, means);
        }
        Ok(())
    }

    /// Whether the server repeats a move of ours that counts already, and not the same one sent again.
    fn is_late(&self, text: &str) -> bool {
        let is_sent = matches!(self.turn, Turn::Sent { mv, .. } if csa_move(&self.game.position, mv) == text);
        self.late.as_deref() == Some(text) && !is_sent
    }

    /// The server has repeated our move, or it has gone on as if it had.
    fn take_our_own<T: Thinker>(&mut self, units: Option<u64>, now: Instant, means: &mut Means<T>) {
        let Turn::Sent { mv, comment, since, sent_at } = &mut self.turn else { return };
        let (mv, comment, sent_at) = (*mv, comment.take(), *sent_at);
        let used = sent_at.saturating_duration_since(*since);
        means.latency.add(now.saturating_duration_since(sent_at));
        self.apply(mv, units, used, comment, now, means);
    }

    fn their_move<T: Thinker>(
        &mut self,
        mv: Move,
        units: Option<u64>,
        now: Instant,
        means: &mut Means<T>,
    ) -> Result<(), Lost> {
        let used = self.elapsed(now);
        self.apply(mv, units, used, None, now, means);
        if self.expected.take() != Some(mv) {
            self.think(now, means);
            return Ok(());
        }
        self.turn = Turn::Ours { since: now };
        if let Some(answer) = self.early_answer.take() {
            return self.answer(answer, means);
        }
        means.thinker.ponderhit(self.game.clock.control(self.game.side()), now);
        Ok(())
    }

    /// How long the clock of the side to move has run.
    fn elapsed(&self, now: Instant) -> Duration {
        match &self.turn {
            Turn::Ours { since } | Turn::Theirs { since } | Turn::Sent { since, .. } => {
                now.saturating_duration_since(*since)
            }
            Turn::Over { .. } => Duration::ZERO,
        }
    }

    /// Plays a move on our board. `used` is what we measured.
    fn apply<T: Thinker>(
        &mut self,
        mv: Move,
        units: Option<u64>,
        used: Duration,
        comment: Option<String>,
        now: Instant,
        means: &mut Means<T>,
    ) {
        let side = self.game.side();
        let rule = *self.game.clock.rule(side);
        let time = match units {
            Some(units) => rule.time(units),
            None => {
                means
                    .warn("the server gives no time with the move: it counts as it was measured here".into());
                rule.charged(used)
            }
        };
        // The way, a unit that is cut and a busy machine make a difference.
        let tolerance = means.latency.worst() + rule.unit + STALL;
        let difference = time.abs_diff(rule.charged(used));
        if side == self.game.summary.our_side && difference > tolerance {
            let (time, used) = (time.as_secs_f64(), used.as_secs_f64());
            means
                .warn(format!("times do not add up: the server counts {time} s for our move of {used:.3} s"));
        }
        let value = comment.as_deref().and_then(value_of_comment);
        let (adds_up, written) = self.game.play(mv, time, comment.as_deref());
        means.written(written, &self.game);
        if !adds_up {
            let time = time.as_secs_f64();
            means.warn(format!("times do not add up: {time} s for a move is more than its side had"));
        }
        self.turn = Turn::Theirs { since: now };
        means.watcher.report(Report::Moved(Box::new(Moved {
            position: self.game.position.clone(),
            text: self.game.last_move.clone().unwrap_or_default(),
            time,
            left: PerColor(Color::ALL.map(|color| self.game.clock.left(color))),
            since: now,
            value,
        })));
    }

    /// Begins to think on our move.
    fn think<T: Thinker>(&mut self, since: Instant, means: &mut Means<T>) {
        self.turn = Turn::Ours { since };
        self.go(None, since, means);
    }

    /// Gives the thinker a task: our move, or that after `played` and the reply that is expected to it.
    fn go<T: Thinker>(&mut self, ponder: Option<(Move, Move)>, since: Instant, means: &mut Means<T>) {
        let mut position = self.game.position.clone();
        let our_side = self.game.summary.our_side;
        if let Some((played, reply)) = ponder {
            position.play(played, &mut ());
            position.play(reply, &mut ());
        }
        let rule = self.game.clock.rule(our_side);
        let (average, worst) = (means.latency.average(), means.latency.worst());
        let task = Task {
            position,
            clock: self.game.clock.control(our_side),
            policy: rule.policy(means.settings.policy, average, worst),
            ponder: ponder.is_some(),
        };
        self.expected = ponder.map(|(_, reply)| reply);
        (self.considered, self.early_answer) = (None, None);
        *means.tasks += 1;
        self.task = *means.tasks;
        means.thinker.go(task, since);
    }

    /// Something came from the thinker, for the task of this number.
    ///
    /// # Errors
    /// When the connection is lost.
    pub fn thought<T: Thinker>(
        &mut self,
        task: u64,
        thought: Thought,
        means: &mut Means<T>,
    ) -> Result<(), Lost> {
        if task != self.task {
            return Ok(());
        }
        let ponders = !matches!(self.turn, Turn::Ours { .. });
        match thought {
            Thought::Note(_) => {}
            Thought::Line(considered) => {
                let mut position = self.game.position.clone();
                // The line of a task that is pondered on begins after the expected reply.
                if let (Turn::Sent { mv, .. }, true) = (&self.turn, ponders) {
                    position.play(*mv, &mut ());
                }
                if let Some(reply) = self.expected.filter(|&reply| ponders && position.is_legal(reply)) {
                    position.play(reply, &mut ());
                }
                means.watcher.report(Report::Thinking {
                    ponders,
                    position: Box::new(position),
                    considered: considered.clone(),
                });
                self.considered = Some(considered);
            }
            Thought::Answer(answer) if ponders => self.early_answer = Some(answer),
            Thought::Answer(answer) => return self.answer(answer, means),
        }
        Ok(())
    }

    /// Sends our answer.
    fn answer<T: Thinker>(&mut self, answer: Answer, means: &mut Means<T>) -> Result<(), Lost> {
        match answer {
            Answer::Move { best, ponder } if self.game.position.is_legal(best) => {
                self.send_move(best, ponder, means)
            }
            Answer::Declare => {
                self.over("%KACHI", means);
                means.send("%KACHI")
            }
            Answer::Move { best, .. } => {
                means.warn(format!("our own move {best} is illegal, which is an error of ours: we resign"));
                self.resign(means)
            }
            _ => self.resign(means),
        }
    }

    fn resign<T: Thinker>(&mut self, means: &mut Means<T>) -> Result<(), Lost> {
        self.over("%TORYO", means);
        means.send("%TORYO")
    }

    fn send_move<T: Thinker>(
        &mut self,
        best: Move,
        reply: Option<Move>,
        means: &mut Means<T>,
    ) -> Result<(), Lost> {
        let position = &self.game.position;
        let comment = self
            .considered
            .as_ref()
            .filter(|considered| considered.line.first() == Some(&best))
            .map(|considered| considered.comment(position));
        let sends_comment = match means.settings.comments {
            Comments::Auto => self.game.summary.is_floodgate(),
            Comments::Always => true,
            Comments::Never => false,
        };
        let line = protocol::played(position, best, comment.as_deref().filter(|_| sends_comment));
        let since = match &self.turn {
            Turn::Ours { since } => *since,
            _ => Instant::now(),
        };
        means.send(&line)?;
        self.turn = Turn::Sent { mv: best, comment, since, sent_at: Instant::now() };
        (self.task, self.expected) = (0, None);
        let mut after = self.game.position.clone();
        after.play(best, &mut ());
        if let Some(reply) = reply.filter(|&reply| means.settings.ponder && after.is_legal(reply)) {
            self.go(Some((best, reply)), Instant::now(), means);
        }
        Ok(())
    }

    /// A player did something in place of a move, and the server says so.
    pub fn action<T: Thinker>(&mut self, word: &str, units: Option<u64>, means: &mut Means<T>) {
        if !ACTIONS.contains(&word) {
            means.warn(format!("'%{}' is not known: the game goes on", excerpt(word)));
            return;
        }
        let rule = self.game.clock.rule(self.game.side());
        self.end.time = units.map(|units| rule.time(units));
        self.over(&format!("%{word}"), means);
    }

    /// A line with `#` came. Returns the end where the game has ended with it.
    pub fn notice<T: Thinker>(&mut self, notice: &Notice, means: &mut Means<T>) -> Option<GameEnd> {
        match notice {
            Notice::Unknown(word) => {
                means.warn(format!("'#{word}' is not known: the game goes on"));
                None
            }
            Notice::Reason(reason) => {
                self.end.reason = Some(*reason);
                self.over(&format!("#{}", reason.word()), means);
                None
            }
            Notice::Result(result) => {
                self.stop(means);
                self.end.result = Some(*result);
                Some(self.end)
            }
        }
    }

    /// Why the game ended, for people.
    pub fn reason(&self, end: GameEnd) -> String {
        match (end.reason, end.result) {
            (Some(reason), _) => words(reason).to_string(),
            (None, Some(GameResult::Censored)) => "ended by the server".to_string(),
            (None, Some(GameResult::Chudan)) => "broken off".to_string(),
            (None, _) => "the server gives no reason".to_string(),
        }
    }
}

/// What a player may do in place of a move. Older servers know a draw by agreement.
const ACTIONS: [&str; 4] = ["TORYO", "KACHI", "CHUDAN", "HIKIWAKE"];

/// A busy machine lets a thread wait so long now and then.
const STALL: Duration = Duration::from_secs(1);

fn words(reason: Reason) -> &'static str {
    match reason {
        Reason::Resign => "resignation",
        Reason::Sennichite => "repetition",
        Reason::OuteSennichite => "perpetual check",
        Reason::IllegalMove => "illegal move",
        Reason::IllegalAction => "illegal action",
        Reason::TimeUp => "time",
        Reason::Jishogi => "declaration",
        Reason::MaxMoves => "maximum of moves",
    }
}
