//! A log of a session, one line for each thing that happens.

use std::io::Write;

use chrono::Local;
use jitsugen::csa::protocol::GameResult;
use jitsugen::csa::report::{Report, State, Watcher};
use jitsugen::shogi::color::{Color, PerColor};
use jitsugen::util::text::printable;

/// Writes reports to a stream.
pub struct PlainLog<W> {
    out: W,
    /// Whether it has every line of the protocol.
    has_lines: bool,
}

impl<W: Write> PlainLog<W> {
    /// Writes to `out`; `has_lines` says whether every line of the protocol is written as well.
    pub fn new(out: W, has_lines: bool) -> PlainLog<W> {
        PlainLog { out, has_lines }
    }
}

impl<W: Write> Watcher for PlainLog<W> {
    fn report(&mut self, report: Report) {
        if let Some(text) = line(&report, self.has_lines) {
            let time = Local::now().format("%Y-%m-%d %H:%M:%S%.3f");
            // In one piece and at once. A log that nobody reads any more must not end a game.
            let _ = self.out.write_all(format!("{time} {text}\n").as_bytes());
            let _ = self.out.flush();
        }
    }
}

/// What the log has of a report; `None` for nothing.
fn line(report: &Report, has_lines: bool) -> Option<String> {
    Some(match report {
        Report::Sent(text) => return has_lines.then(|| format!("> {text}")),
        Report::Received(text) => return has_lines.then(|| format!("< {text}")),
        Report::Thinking { .. } => return None,
        Report::Note(text) => text.clone(),
        Report::Warning(text) => format!("warning: {text}"),
        Report::State(state) => words(state),
        Report::Begun(begun) => {
            let [black, white] = begun.names.0.each_ref().map(|name| printable(name));
            let sides = if begun.our_side == Color::Black { "Black" } else { "White" };
            format!("game {}: {black} against {white}, we are {sides}", printable(&begun.game_id))
        }
        Report::Moved(moved) => {
            let left = PerColor(moved.left.0.map(|left| left.as_secs_f64()));
            let value = moved.value.map_or(String::new(), |value| format!(", value for Black {value}"));
            let number = moved.position.move_number() - 1;
            let (time, black, white) = (moved.time.as_secs_f64(), left[Color::Black], left[Color::White]);
            format!("{number} {} {time} s (left: {black} s, {white} s){value}", moved.text)
        }
        Report::Ended(ended) => {
            let result = result_word(ended.result);
            let (moves, score) = (ended.moves, ended.score);
            format!(
                "{result} against {} after {moves} moves: {} (so far {score}): {}",
                printable(&ended.opponent),
                ended.reason,
                ended.record.display()
            )
        }
    })
}

/// A state in words.
pub fn words(state: &State) -> String {
    match state {
        State::Loading => "loading".to_string(),
        State::Connecting(server) => format!("connecting to {server}"),
        State::LoggingIn => "logging in".to_string(),
        State::Waiting => "waiting for a game".to_string(),
        State::Agreed => "agreed to a game".to_string(),
        State::Playing => "playing".to_string(),
        State::Pausing(pause) => format!("connecting again in {} s", pause.as_secs_f64()),
        State::LoggingOut => "logging out".to_string(),
    }
}

/// A result in a word.
pub fn result_word(result: Option<GameResult>) -> &'static str {
    match result {
        Some(GameResult::Win) => "won",
        Some(GameResult::Lose) => "lost",
        Some(GameResult::Draw | GameResult::Censored) => "drawn",
        Some(GameResult::Chudan) | None => "broken off",
    }
}

#[cfg(test)]
mod tests {
    use jitsugen::csa::report::{Ended, Score};

    use super::*;

    #[test]
    fn names_from_a_server_cannot_steer_the_terminal() {
        let ended = Report::Ended(Box::new(Ended {
            game_id: "game".into(),
            opponent: "them\x1b[2J\n".into(),
            result: None,
            reason: "broken off".into(),
            moves: 0,
            record: "game.csa".into(),
            score: Score::default(),
        }));
        let text = line(&ended, true).expect("it is in the log");
        assert!(text.contains("them\u{FFFD}[2J\u{FFFD} after") && !text.contains(char::is_control), "{text}");
    }
}
