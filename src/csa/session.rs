//! A session: logs in, plays game after game, and connects again where the connection is lost.

use std::fmt;
use std::time::{Duration, Instant};

use crossbeam::channel::{Receiver, RecvTimeoutError, Sender};

use super::connection::{Connection, Incoming};
use super::game::{Game, GameEnd};
use super::journal::Written;
use super::latency::Latency;
use super::pauses::Pauses;
use super::play::{Lost, Means, Play};
use super::protocol::{self, ServerLine};
use super::refusals::Refusals;
use super::report::{Begun, Ended, Report, Score, State, Watcher};
use super::settings::Settings;
use super::summary::{GameSummary, SummaryReader};
use super::thinker::{Thinker, Thought};
use crate::shogi::color::{Color, PerColor};
use crate::shogi::position::declaration::Rules;
use crate::util::text::{excerpt, printable};

/// What a session reacts to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// From the connection of this number: what comes from one that is closed does not count.
    Server(u64, Incoming),
    /// From the thinker, for the task of this number.
    Thought(u64, Thought),
    /// From the user.
    Leave(Leave),
}

/// How the user leaves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Leave {
    /// At once. A running game is broken off, with the server's agreement; asked a second time, without it.
    Now,
    /// After the running game.
    AfterGame,
}

/// Why a session ends before its games are played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SessionError {
    /// The settings cannot be used.
    Settings(String),
    /// The server does not take the name with this password.
    Refused {
        /// How often it was asked.
        logins: u32,
    },
}

impl fmt::Display for SessionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SessionError::Settings(objection) => f.write_str(objection),
            SessionError::Refused { logins } => write!(
                f,
                "the server has refused {logins} logins: expected the right password, and a name that is not in play"
            ),
        }
    }
}

impl std::error::Error for SessionError {}

/// How a connection ended.
enum ConnectionEnd {
    /// All is done: the session ends.
    Done,
    /// The name or the password was not taken.
    Refused,
    /// The server closed it where no game runs, as servers do after a game.
    Closed(String),
    /// It is of no use any more.
    Lost(Lost),
}

/// What a connection is about.
enum Phase {
    /// The answer to the login is to come.
    LoggingIn { since: Instant },
    /// A game is to come.
    Waiting,
    /// The lines of a summary come.
    Summary { reader: Box<SummaryReader>, since: Instant },
    /// We have agreed to a game.
    Agreed { summary: Box<GameSummary>, since: Instant },
    /// A game runs.
    Playing(Box<Play>),
    /// The answer to the logout is to come.
    LoggingOut { since: Instant },
}

/// A session with a server.
pub struct Session<'a, T> {
    settings: &'a Settings,
    thinker: T,
    watcher: &'a mut dyn Watcher,
    sender: Sender<Event>,
    events: Receiver<Event>,
    /// How many tasks the thinker was given.
    tasks: u64,
    /// The number of the last connection.
    connections: u64,
    latency: Latency,
    score: Score,
    refusals: Refusals,
    leaves: Option<Leave>,
    pauses: Pauses,
    /// The time now, in CSA's form: `2026/01/31 23:59:59`.
    date: fn() -> String,
}

/// How long the answer to a logout is waited for.
const LOGOUT: Duration = Duration::from_secs(3);

impl<'a, T: Thinker> Session<'a, T> {
    /// A session that has not begun. What happens comes over `events`, into which `sender` sends; `date` says what time it
    /// is, in CSA's form.
    pub fn new(
        settings: &'a Settings,
        thinker: T,
        watcher: &'a mut dyn Watcher,
        (sender, events): (Sender<Event>, Receiver<Event>),
        date: fn() -> String,
    ) -> Session<'a, T> {
        let patience = settings.patience;
        Session {
            settings,
            thinker,
            watcher,
            sender,
            events,
            tasks: 0,
            connections: 0,
            latency: Latency::new(settings.margin),
            score: Score::default(),
            refusals: Refusals::default(),
            leaves: None,
            pauses: Pauses::new(patience.first_pause, patience.longest_pause),
            date,
        }
    }

    /// Plays until the wanted games are played or the user leaves, and returns the score.
    ///
    /// # Errors
    /// When the settings cannot be used, or the server never takes the name.
    pub fn run(mut self) -> Result<Score, SessionError> {
        if let Some(objection) = self.settings.objection() {
            return Err(SessionError::Settings(objection));
        }
        self.watcher.report(Report::State(State::Loading));
        self.thinker.prepare();
        while !self.is_done() {
            match self.connect() {
                Ok(ConnectionEnd::Done) => break,
                Ok(ConnectionEnd::Refused) => {
                    let most = self.settings.games.map(|_| self.settings.patience.refusals);
                    let (text, last) = self.refusals.add(most);
                    self.warn(&text);
                    if let Some(logins) = last {
                        return Err(SessionError::Refused { logins });
                    }
                }
                Ok(ConnectionEnd::Closed(reason)) => {
                    self.watcher.report(Report::Note(format!("the connection has ended: {reason}")));
                }
                Ok(ConnectionEnd::Lost(lost)) => self.warn(&format!("the connection is lost: {lost}")),
                Err(error) => self.warn(&format!("cannot connect to {}: {error}", self.settings.server)),
            }
            if !self.is_done() {
                self.pause();
            }
        }
        Ok(self.score)
    }

    /// Whether the user leaves, or the wanted games are played.
    fn is_done(&self) -> bool {
        self.leaves.is_some() || self.settings.games.is_some_and(|games| self.score.finished() >= games)
    }

    /// Talks over a connection that is there already until it ends, and returns the score. What comes in is that of connection
    /// number 0.
    pub fn talk_over(mut self, connection: Connection) -> Score {
        let end = self.converse(connection);
        if let Err(lost) = end {
            self.warn(&format!("the connection is lost: {lost}"));
        }
        self.score
    }

    fn warn(&mut self, text: &str) {
        self.watcher.report(Report::Warning(text.to_string()));
    }

    /// Waits before the next attempt, unless the user leaves.
    fn pause(&mut self) {
        let pause = self.pauses.take();
        self.watcher.report(Report::State(State::Pausing(pause)));
        let end = Instant::now() + pause;
        while self.leaves.is_none() {
            match self.events.recv_deadline(end) {
                Ok(Event::Leave(leave)) => self.leaves = Some(leave),
                Ok(Event::Server(..) | Event::Thought(..)) => {}
                Err(_) => return,
            }
        }
    }

    fn connect(&mut self) -> std::io::Result<ConnectionEnd> {
        let Settings { server, port, patience, .. } = self.settings;
        self.watcher.report(Report::State(State::Connecting(format!("{server}, port {port}"))));
        self.connections += 1;
        let (number, sender) = (self.connections, self.sender.clone());
        // The session may have ended.
        let each = move |incoming| drop(sender.send(Event::Server(number, incoming)));
        let connection = Connection::open(server, *port, patience.connect, each)?;
        self.latency.add(connection.round_trip);
        Ok(self.converse(connection).unwrap_or_else(ConnectionEnd::Lost))
    }

    /// Talks over a connection until it ends.
    fn converse(&mut self, mut connection: Connection) -> Result<ConnectionEnd, Lost> {
        self.watcher.report(Report::State(State::LoggingIn));
        let Settings { name, password, patience, .. } = self.settings;
        self.watcher.report(Report::Sent(protocol::login(name, "***")));
        let sent = connection.send(&protocol::login(name, &password.0));
        sent.map_err(|error| Lost(format!("cannot send: {error}")))?;
        let mut phase = Phase::LoggingIn { since: Instant::now() };
        loop {
            let deadline = match &phase {
                Phase::LoggingIn { since } | Phase::Summary { since, .. } => {
                    since.checked_add(patience.answer)
                }
                Phase::Agreed { since, .. } => since.checked_add(patience.agreement),
                Phase::Playing(play) => play.deadline(patience.answer),
                Phase::LoggingOut { since } => since.checked_add(LOGOUT.min(patience.answer)),
                Phase::Waiting => None,
            };
            let keep_alive = connection.last_sent() + patience.keep_alive;
            let until = deadline.map_or(keep_alive, |deadline| deadline.min(keep_alive));
            let event = match self.events.recv_deadline(until) {
                Ok(event) => event,
                Err(RecvTimeoutError::Disconnected) => return Ok(ConnectionEnd::Done),
                Err(RecvTimeoutError::Timeout) => {
                    if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                        return self.give_up(phase, connection);
                    }
                    if let Err(error) = connection.send("") {
                        return self.lose(phase, connection, Lost(format!("cannot send: {error}")));
                    }
                    continue;
                }
            };
            match event {
                Event::Thought(_, Thought::Note(text)) => self.watcher.report(Report::Note(text)),
                Event::Thought(task, thought) => {
                    if let Phase::Playing(play) = &mut phase
                        && let Err(lost) = play.thought(task, thought, &mut self.means(&mut connection))
                    {
                        return self.lose(phase, connection, lost);
                    }
                }
                Event::Server(number, incoming) if number == self.connections => match incoming {
                    Incoming::Line(line, now) => match self.line(&line, now, phase, &mut connection) {
                        Ok(Next::Phase(next)) => phase = next,
                        Ok(Next::End(end)) => return Ok(end),
                        Err((phase, lost)) => return self.lose(phase, connection, lost),
                    },
                    Incoming::TooLong => self.warn("a line that is too long is left out"),
                    Incoming::Closed { reason, half_line } => {
                        if let Some(half) = half_line {
                            self.warn(&format!("half a line is left out: '{}'", excerpt(&half)));
                        }
                        return self.closed(phase, connection, reason);
                    }
                },
                Event::Server(..) => {}
                Event::Leave(leave) => {
                    let again = self.leaves == Some(Leave::Now);
                    self.leaves = Some(leave);
                    match self.leave(leave, again, phase, &mut connection) {
                        Ok(Next::Phase(next)) => phase = next,
                        Ok(Next::End(end)) => return Ok(end),
                        Err((phase, lost)) => return self.lose(phase, connection, lost),
                    }
                }
            }
        }
    }

    fn means<'m>(&'m mut self, connection: &'m mut Connection) -> Means<'m, T> {
        Means {
            connection,
            thinker: &mut self.thinker,
            tasks: &mut self.tasks,
            latency: &mut self.latency,
            watcher: &mut *self.watcher,
            settings: self.settings,
        }
    }

    /// Something did not come in time.
    fn give_up(&mut self, phase: Phase, connection: Connection) -> Result<ConnectionEnd, Lost> {
        let missing = match &phase {
            Phase::LoggingIn { .. } => "the server is silent: it does not answer the login".to_string(),
            Phase::Summary { .. } => "the server is silent: the summary of the game has no end".to_string(),
            Phase::Agreed { .. } => "the other side does not agree to the game".to_string(),
            Phase::Playing(play) => play.missing(),
            Phase::LoggingOut { .. } => return Ok(ConnectionEnd::Done),
            Phase::Waiting => String::new(),
        };
        self.lose(phase, connection, Lost(missing))
    }

    /// The server has closed the connection.
    fn closed(
        &mut self,
        phase: Phase,
        connection: Connection,
        reason: String,
    ) -> Result<ConnectionEnd, Lost> {
        match phase {
            Phase::LoggingOut { .. } => Ok(ConnectionEnd::Done),
            Phase::Waiting => Ok(ConnectionEnd::Closed(reason)),
            phase => self.lose(phase, connection, Lost(reason)),
        }
    }

    /// The connection is of no use any more. A game is broken off and saved.
    fn lose(&mut self, phase: Phase, mut connection: Connection, lost: Lost) -> Result<ConnectionEnd, Lost> {
        if let Phase::Playing(mut play) = phase {
            play.stop(&mut self.means(&mut connection));
            let end = play.broken_off();
            self.end_game(*play, end, &format!("broken off: {lost}"));
        }
        Err(lost)
    }

    /// A line came.
    fn line(
        &mut self,
        line: &str,
        now: Instant,
        phase: Phase,
        connection: &mut Connection,
    ) -> Result<Next, (Phase, Lost)> {
        self.watcher.report(Report::Received(printable(line)));
        if let Phase::Summary { mut reader, since } = phase {
            return match reader.line(line) {
                None => Ok(Next::Phase(Phase::Summary { reader, since })),
                Some(Ok(summary)) => self.agree(summary, connection),
                Some(Err(unplayable)) => {
                    self.warn(&unplayable.to_string());
                    let reject = format!("REJECT {}", unplayable.game_id);
                    let sent = self.means(connection).send(reject.trim_end());
                    sent.map_err(|lost| (Phase::Waiting, lost))?;
                    self.wait()
                }
            };
        }
        match protocol::parse(line) {
            ServerLine::Blank => Ok(Next::Phase(phase)),
            ServerLine::LoginOk => {
                self.refusals.accept();
                match phase {
                    Phase::LoggingIn { .. } => self.wait(),
                    phase => Ok(Next::Phase(phase)),
                }
            }
            ServerLine::LoginIncorrect => match phase {
                Phase::LoggingIn { .. } => Ok(Next::End(ConnectionEnd::Refused)),
                phase => {
                    self.warn(&format!("we are logged in: left alone: '{}'", excerpt(line)));
                    Ok(Next::Phase(phase))
                }
            },
            ServerLine::LogoutCompleted => {
                let reason = "the server has logged us out".to_string();
                match phase {
                    Phase::LoggingOut { .. } => Ok(Next::End(ConnectionEnd::Done)),
                    Phase::Waiting => Ok(Next::End(ConnectionEnd::Closed(reason))),
                    phase => Err((phase, Lost(reason))),
                }
            }
            ServerLine::BeginSummary => {
                if let Phase::LoggingOut { .. } = phase {
                    self.watcher
                        .report(Report::Note("a game is offered that we do not wait for".to_string()));
                    return Ok(Next::Phase(phase));
                }
                if let Phase::Playing(mut play) = phase {
                    // The server has forgotten the game.
                    play.stop(&mut self.means(connection));
                    let end = play.broken_off();
                    self.end_game(*play, end, "broken off: the server begins another game");
                }
                Ok(Next::Phase(Phase::Summary { reader: Box::default(), since: now }))
            }
            ServerLine::Start(game_id) => match phase {
                Phase::Agreed { summary, .. } => {
                    Ok(Next::Phase(self.start(&game_id, *summary, now, connection)))
                }
                phase => {
                    self.warn("a game starts that we have not agreed to: it is left alone");
                    Ok(Next::Phase(phase))
                }
            },
            ServerLine::Reject { game_id, by } => {
                let (game_id, by) = (excerpt(&game_id), excerpt(&by));
                self.watcher.report(Report::Note(format!("game {game_id} was rejected by {by}")));
                match phase {
                    Phase::Agreed { .. } => self.wait(),
                    phase => Ok(Next::Phase(phase)),
                }
            }
            ServerLine::Move { .. } | ServerLine::Action { .. } | ServerLine::Notice(_) => match phase {
                Phase::Playing(play) => self.game_line(protocol::parse(line), now, *play, connection),
                phase => {
                    self.warn(&format!("no game runs: left alone: '{}'", excerpt(line)));
                    Ok(Next::Phase(phase))
                }
            },
            ServerLine::Other(_) => Ok(Next::Phase(phase)),
        }
    }

    /// A line of a running game came.
    fn game_line(
        &mut self,
        line: ServerLine,
        now: Instant,
        mut play: Play,
        connection: &mut Connection,
    ) -> Result<Next, (Phase, Lost)> {
        let mut means = self.means(connection);
        let end = match line {
            ServerLine::Move { color, text, time } => {
                match play.server_move(color, &text, time, now, &mut means) {
                    Ok(()) => None,
                    Err(lost) => return Err((Phase::Playing(Box::new(play)), lost)),
                }
            }
            ServerLine::Action { word, time } => {
                play.action(&word, time, &mut means);
                None
            }
            ServerLine::Notice(notice) => play.notice(&notice, &mut means),
            _ => None,
        };
        match end {
            None => Ok(Next::Phase(Phase::Playing(Box::new(play)))),
            Some(end) => {
                let reason = play.reason(end);
                self.end_game(play, end, &reason);
                self.next_game(connection)
            }
        }
    }

    /// Agrees to a game, once everything is ready for it.
    fn agree(&mut self, summary: GameSummary, connection: &mut Connection) -> Result<Next, (Phase, Lost)> {
        for remark in &summary.remarks {
            self.watcher.report(Report::Note(format!("summary of the game: {remark}")));
        }
        self.thinker.new_game(Rules { entering_king: summary.declaration, max_moves: summary.max_moves });
        let sent = self.means(connection).send(&format!("AGREE {}", summary.game_id));
        sent.map_err(|lost| (Phase::Waiting, lost))?;
        self.watcher.report(Report::State(State::Agreed));
        Ok(Next::Phase(Phase::Agreed { summary: Box::new(summary), since: Instant::now() }))
    }

    fn start(
        &mut self,
        game_id: &str,
        summary: GameSummary,
        now: Instant,
        connection: &mut Connection,
    ) -> Phase {
        if game_id != summary.game_id {
            let (found, expected) = (excerpt(game_id), excerpt(&summary.game_id));
            self.warn(&format!("the game that starts is called '{found}': expected '{expected}'"));
        }
        self.pauses.reset();
        let (game, written) =
            Game::begin(summary, &self.settings.records, &self.settings.server, &(self.date)());
        self.watcher.report(Report::State(State::Playing));
        self.watcher.report(Report::Begun(Box::new(Begun {
            game_id: game.summary.game_id.clone(),
            names: game.summary.names.clone(),
            our_side: game.summary.our_side,
            position: game.position.clone(),
            left: PerColor(Color::ALL.map(|color| game.clock.left(color))),
            record: game.journal.path().to_path_buf(),
        })));
        let mut means = self.means(connection);
        means.written(written, &game);
        Phase::Playing(Box::new(Play::begin(game, now, &mut means)))
    }

    /// A game has ended: its record is finished, and the score counts it.
    fn end_game(&mut self, mut play: Play, end: GameEnd, reason: &str) {
        let game = &mut play.game;
        if end.result.is_none() {
            // What cannot be written now is written with the end.
            drop(game.comment(&format!(" {reason}")));
        }
        match game.finish(end, &(self.date)()) {
            Written::Yes | Written::Again => {}
            written => {
                let error = match written {
                    Written::No(error) => format!(": {error}"),
                    _ => String::new(),
                };
                let missing = String::from_utf8_lossy(game.journal.waiting()).into_owned();
                let path = game.journal.path().display();
                self.watcher.report(Report::Warning(format!(
                    "{path}: the record cannot be written{error}; what is missing:\n{missing}"
                )));
            }
        }
        self.score.add(end.outcome());
        self.watcher.report(Report::Ended(Box::new(Ended {
            game_id: game.summary.game_id.clone(),
            opponent: game.opponent().to_string(),
            result: end.outcome(),
            reason: reason.to_string(),
            moves: game.moves,
            record: game.journal.path().to_path_buf(),
            score: self.score,
        })));
    }

    /// Waits for the next game, or logs out after the last one.
    fn next_game(&mut self, connection: &mut Connection) -> Result<Next, (Phase, Lost)> {
        self.pauses.reset();
        if self.is_done() { self.log_out(connection) } else { self.wait() }
    }

    fn wait(&mut self) -> Result<Next, (Phase, Lost)> {
        self.watcher.report(Report::State(State::Waiting));
        Ok(Next::Phase(Phase::Waiting))
    }

    fn log_out(&mut self, connection: &mut Connection) -> Result<Next, (Phase, Lost)> {
        self.watcher.report(Report::State(State::LoggingOut));
        match self.means(connection).send("LOGOUT") {
            Ok(()) => Ok(Next::Phase(Phase::LoggingOut { since: Instant::now() })),
            // There is nobody to say good-bye to.
            Err(_) => Ok(Next::End(ConnectionEnd::Done)),
        }
    }

    /// The user leaves.
    fn leave(
        &mut self,
        leave: Leave,
        again: bool,
        phase: Phase,
        connection: &mut Connection,
    ) -> Result<Next, (Phase, Lost)> {
        match (phase, leave) {
            (Phase::Playing(play), Leave::AfterGame) => {
                self.watcher.report(Report::Note("the session ends after this game".to_string()));
                Ok(Next::Phase(Phase::Playing(play)))
            }
            (Phase::Playing(mut play), Leave::Now) if again => {
                play.stop(&mut self.means(connection));
                let end = play.broken_off();
                self.end_game(*play, end, "broken off by the user");
                Ok(Next::End(ConnectionEnd::Done))
            }
            (Phase::Playing(mut play), Leave::Now) => {
                let broken_off = play.break_off(&mut self.means(connection));
                let phase = Phase::Playing(play);
                match broken_off {
                    Ok(()) => Ok(Next::Phase(phase)),
                    Err(lost) => Err((phase, lost)),
                }
            }
            (Phase::LoggingIn { .. } | Phase::LoggingOut { .. }, _) => Ok(Next::End(ConnectionEnd::Done)),
            (Phase::Agreed { summary, .. }, _) => {
                let sent = self.means(connection).send(&format!("REJECT {}", summary.game_id));
                sent.map_err(|lost| (Phase::Waiting, lost))?;
                self.log_out(connection)
            }
            (Phase::Waiting | Phase::Summary { .. }, _) => self.log_out(connection),
        }
    }
}

/// What follows a line.
enum Next {
    Phase(Phase),
    End(ConnectionEnd),
}
