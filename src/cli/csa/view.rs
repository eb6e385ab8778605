//! A view of a session on a terminal: board, clocks, what is thought, the score, and what has happened.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::time::{Duration, Instant};

use crossbeam::channel::{Receiver, TryRecvError};
use jitsugen::csa::report::{Moved, Report, Score, State};
use jitsugen::csa::session::Leave;
use jitsugen::csa::thinker::Considered;
use jitsugen::record::{board_diagram, csa_move};
use jitsugen::shogi::color::{Color, PerColor};
use jitsugen::shogi::position::Position;
use ratatui::Frame;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use ratatui::layout::{Constraint, Layout};
use ratatui::widgets::{Block, Paragraph, Wrap};

use super::plain::{result_word, words};

/// How often the clocks are drawn anew.
const INTERVAL: Duration = Duration::from_millis(200);

/// How many lines of what has happened are kept.
const KEPT: usize = 200;

/// How many warnings are kept for the time after the view.
const KEPT_WARNINGS: usize = 20;

/// The width of the board, and its height with both hands.
const BOARD: (u16, u16) = (36, 17);

/// Shows what is reported until there is nothing more to come; `leave` is called when the user wants to leave. The last
/// warnings are said once more when the view is gone: a record that could not be written is in one of them.
///
/// # Errors
/// When the terminal cannot be drawn on.
pub fn show(reports: &Receiver<Report>, leave: impl Fn(Leave)) -> io::Result<()> {
    let mut terminal = ratatui::try_init()?;
    let mut screen = Screen::default();
    let result = loop {
        let is_over = loop {
            match reports.try_recv() {
                Ok(report) => screen.take(report),
                Err(TryRecvError::Empty) => break false,
                Err(TryRecvError::Disconnected) => break true,
            }
        };
        if is_over {
            break Ok(());
        }
        let drawn = terminal.draw(|frame| screen.draw(frame, Instant::now()));
        match drawn.and_then(|_| wish()) {
            Ok(Some(wish)) => leave(wish),
            Ok(None) => {}
            Err(error) => break Err(error),
        }
    };
    ratatui::restore();
    // Whoever has closed the terminal reads nothing any more.
    let _ = screen.say_warnings(&mut io::stderr());
    result
}

/// What the user wants, if anything within the interval.
fn wish() -> io::Result<Option<Leave>> {
    if !event::poll(INTERVAL)? {
        return Ok(None);
    }
    Ok(match event::read()? {
        Event::Key(key) if key.kind != KeyEventKind::Release => wish_of(key),
        _ => None,
    })
}

fn wish_of(key: KeyEvent) -> Option<Leave> {
    match key.code {
        KeyCode::Char('c') if key.modifiers.contains(KeyModifiers::CONTROL) => Some(Leave::Now),
        KeyCode::Char('q') => Some(Leave::AfterGame),
        _ => None,
    }
}

/// What is shown.
#[derive(Default)]
struct Screen {
    state: String,
    game: Option<GameView>,
    score: Score,
    happened: VecDeque<String>,
    /// The last warnings, whole and with their time.
    warnings: VecDeque<String>,
}

/// The game that runs, or was last.
struct GameView {
    game_id: String,
    names: PerColor<String>,
    our_side: Color,
    position: Position,
    last_move: String,
    left: PerColor<Duration>,
    /// When the clock of the side to move began to run; `None` once the game is over.
    since: Option<Instant>,
    thought: String,
}

impl Screen {
    fn take(&mut self, report: Report) {
        match report {
            Report::Sent(_) | Report::Received(_) => {}
            Report::Note(text) => self.happen(text),
            Report::Warning(text) => {
                let time = chrono::Local::now().format("%Y-%m-%d %H:%M:%S");
                keep(&mut self.warnings, format!("{time} warning: {text}"), KEPT_WARNINGS);
                self.happen(format!("warning: {text}"));
            }
            Report::State(state) => {
                if let State::Pausing(_) | State::Connecting(_) = state {
                    self.happen(words(&state));
                }
                self.state = words(&state);
            }
            Report::Begun(begun) => {
                let begun = *begun;
                self.happen(format!("game {} has begun", begun.game_id));
                self.game = Some(GameView {
                    game_id: begun.game_id,
                    names: begun.names,
                    our_side: begun.our_side,
                    position: begun.position,
                    last_move: String::new(),
                    left: begun.left,
                    since: Some(Instant::now()),
                    thought: String::new(),
                });
            }
            Report::Moved(moved) => {
                if let Some(game) = &mut self.game {
                    let Moved { position, text, left, since, .. } = *moved;
                    (game.position, game.left, game.since) = (position, left, Some(since));
                    game.last_move = text;
                }
            }
            Report::Thinking { ponders, position, considered } => {
                if let Some(game) = &mut self.game {
                    game.thought = thought(ponders, &position, &considered);
                }
            }
            Report::Ended(ended) => {
                self.score = ended.score;
                if let Some(game) = &mut self.game {
                    game.since = None;
                }
                let (result, opponent) = (result_word(ended.result), &ended.opponent);
                self.happen(format!("{result} against {opponent}: {}", ended.reason));
            }
        }
    }

    fn happen(&mut self, text: String) {
        let time = chrono::Local::now().format("%H:%M:%S");
        for line in text.lines() {
            keep(&mut self.happened, format!("{time} {line}"), KEPT);
        }
    }

    /// Writes the last warnings.
    fn say_warnings(&self, out: &mut dyn Write) -> io::Result<()> {
        self.warnings.iter().try_for_each(|warning| writeln!(out, "{}", warning.trim_end()))
    }

    fn draw(&self, frame: &mut Frame, now: Instant) {
        let [title, game, happened] =
            Layout::vertical([Constraint::Length(1), Constraint::Length(BOARD.1), Constraint::Min(3)])
                .areas(frame.area());
        let keys = "q: leave after the game, Ctrl-C: break off";
        let text = format!("Jitsugen: {}. So far {}. {keys}", self.state, self.score);
        frame.render_widget(Paragraph::new(text), title);
        if let Some(view) = &self.game {
            let [board, facts] =
                Layout::horizontal([Constraint::Length(BOARD.0), Constraint::Min(20)]).areas(game);
            let diagram = board_diagram(&view.position.setup());
            frame.render_widget(Paragraph::new(diagram).block(Block::bordered()), board);
            let block = Block::bordered().title(view.game_id.as_str());
            let facts_text = view.facts(now);
            frame.render_widget(Paragraph::new(facts_text).wrap(Wrap { trim: false }).block(block), facts);
        }
        let rows = usize::from(happened.height.saturating_sub(2));
        let skipped = self.happened.len().saturating_sub(rows);
        let lines: Vec<&str> = self.happened.iter().skip(skipped).map(String::as_str).collect();
        frame.render_widget(Paragraph::new(lines.join("\n")).block(Block::bordered()), happened);
    }
}

/// Adds a text to the last ones, of which there are at most so many.
fn keep(texts: &mut VecDeque<String>, text: String, most: usize) {
    if texts.len() == most {
        texts.pop_front();
    }
    texts.push_back(text);
}

impl GameView {
    /// Players, clocks, the last move and what is thought.
    fn facts(&self, now: Instant) -> String {
        let player = |color: Color| {
            let runs = self.since.filter(|_| self.position.side() == color);
            let used = runs.map_or(Duration::ZERO, |since| now.saturating_duration_since(since));
            let mark = if runs.is_some() { ">" } else { " " };
            let sign = PerColor(["▲", "△"])[color];
            let us = if color == self.our_side { " (we)" } else { "" };
            format!(
                "{mark}{sign} {}{us}  {}",
                self.names[color],
                clock(self.left[color].saturating_sub(used))
            )
        };
        format!(
            "{}\n{}\n\nmove {}: {}\n\n{}",
            player(Color::White),
            player(Color::Black),
            self.position.move_number().saturating_sub(1),
            self.last_move,
            self.thought
        )
    }
}

/// Hours, minutes and seconds.
fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    format!("{}:{:02}:{:02}", seconds / 3_600, seconds / 60 % 60, seconds % 60)
}

/// The value as Black sees it, depth, speed and line.
fn thought(ponders: bool, position: &Position, considered: &Considered) -> String {
    let sign = if position.side() == Color::Black { 1 } else { -1 };
    let value = match considered.mate {
        Some(plies) => format!("mate {}", sign * plies),
        None => format!("{:+}", sign * considered.centipawns),
    };
    let rate = (considered.nodes as f64 / considered.elapsed.as_secs_f64().max(1e-3)) as u64;
    let mut position = position.clone();
    let mut line = String::new();
    for &mv in &considered.line {
        if !position.is_legal(mv) {
            break;
        }
        line.push_str(&format!(" {}", csa_move(&position, mv)));
        position.play(mv, &mut ());
    }
    let begin = if ponders { "pondering, for Black" } else { "for Black" };
    format!("{begin} {value}, depth {}, {rate} nodes/s\n{}", considered.depth, line.trim_start())
}

#[cfg(test)]
mod tests {
    use jitsugen::csa::report::Begun;
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;

    use super::*;

    fn drawn(screen: &Screen, (width, height): (u16, u16)) -> String {
        let mut terminal = Terminal::new(TestBackend::new(width, height)).expect("it is in memory");
        terminal.draw(|frame| screen.draw(frame, Instant::now())).expect("it is in memory");
        // A wide letter takes two cells, of which the second is empty.
        let buffer = terminal.backend().buffer();
        buffer.content().iter().map(ratatui::buffer::Cell::symbol).collect::<String>().replace("  ", " ")
    }

    #[test]
    fn the_view_shows_board_clocks_value_line_and_score() {
        let mut screen = Screen::default();
        screen.take(Report::State(State::Playing));
        let position = Position::start();
        screen.take(Report::Begun(Box::new(Begun {
            game_id: "floodgate+1".into(),
            names: PerColor(["us".into(), "them".into()]),
            our_side: Color::Black,
            position: position.clone(),
            left: PerColor([Duration::from_secs(3_725); 2]),
            record: "a.csa".into(),
        })));
        let considered = Considered {
            centipawns: 123,
            depth: 9,
            line: vec!["7g7f".parse().expect("a move"), "3c3d".parse().expect("a move")],
            ..Considered::default()
        };
        screen.take(Report::Thinking { ponders: false, position: Box::new(position), considered });
        screen.score.wins = 3;
        let text = drawn(&screen, (100, 24));
        for expected in [
            "floodgate+1",
            "us (we)",
            "them",
            "1:02:0",
            "+123",
            "+7776FU -3334FU",
            "3-0-0",
            "後",
            "has begun",
        ] {
            assert!(text.contains(expected), "{expected}: {text}");
        }
        // However small the terminal is.
        for size in [(1, 1), (20, 5), (40, 10), (300, 90)] {
            drawn(&screen, size);
            drawn(&Screen::default(), size);
        }
    }

    #[test]
    fn the_last_warnings_are_said_whole_after_the_view() {
        let mut screen = Screen::default();
        for number in 0..30 {
            screen.take(Report::Warning(format!("number {number}, what is missing:\n+7776FU\nT1\n")));
        }
        let mut said = Vec::new();
        screen.say_warnings(&mut said).expect("it is in memory");
        let said = String::from_utf8(said).expect("UTF-8");
        assert_eq!(said.matches("warning: number").count(), KEPT_WARNINGS);
        assert!(said.ends_with("warning: number 29, what is missing:\n+7776FU\nT1\n"), "{said}");
    }

    #[test]
    fn keys_leave() {
        let key = |code, modifiers| wish_of(KeyEvent::new(code, modifiers));
        assert_eq!(key(KeyCode::Char('c'), KeyModifiers::CONTROL), Some(Leave::Now));
        assert_eq!(key(KeyCode::Char('q'), KeyModifiers::NONE), Some(Leave::AfterGame));
        assert_eq!(key(KeyCode::Char('c'), KeyModifiers::NONE), None);
    }
}
