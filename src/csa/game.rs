//! A game: its board, its clocks and its record.

use std::path::Path;
use std::time::Duration;

use super::journal::{Journal, Written};
use super::protocol::{GameResult, Reason};
use super::summary::GameSummary;
use super::time_rule::ServerClock;
use crate::record::{self, Encoding, Format, RecordBuilder, csa_move};
use crate::shogi::color::{Color, PerColor};
use crate::shogi::moves::Move;
use crate::shogi::position::Position;

/// A game in play.
pub struct Game {
    /// What it was announced with.
    pub summary: GameSummary,
    /// After the last move, with all moves before.
    pub position: Position,
    /// What each side has left.
    pub clock: ServerClock,
    /// The last move in the protocol's letters.
    pub last_move: Option<String>,
    /// How many moves there are, those played before among them.
    pub moves: usize,
    /// Its record.
    pub journal: Journal<std::fs::File>,
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct GameEnd {
    /// What the server gave as the reason.
    pub reason: Option<Reason>,
    /// With which result; `None` where it was broken off.
    pub result: Option<GameResult>,
    /// What the last action took, where it took time.
    pub time: Option<Duration>,
}

impl GameEnd {
    /// The result as it counts; `None` for a game that was broken off. Servers say `#CENSORED` of a game that reached its
    /// maximum of moves, which is a draw, but also, without a reason, of one that they break off.
    pub fn outcome(self) -> Option<GameResult> {
        match (self.reason, self.result) {
            (_, Some(GameResult::Chudan)) | (None, Some(GameResult::Censored)) => None,
            (_, result) => result,
        }
    }
}

impl Game {
    /// A game that begins now, with its record in `folder`; `start_time` is when that is, in CSA's form. What came of
    /// writing the record's beginning is returned with it.
    pub fn begin(summary: GameSummary, folder: &Path, site: &str, start_time: &str) -> (Game, Written) {
        let (mut journal, begun) = Journal::begin(folder, &summary.game_id);
        let written = journal.write(&opening(&summary, site, start_time));
        let position = summary.opening.final_position();
        let moves = summary.opening.moves().len();
        let clock = summary.clock();
        let game = Game { position, clock, last_move: None, moves, journal, summary };
        (game, if matches!(begun, Written::Yes) { written } else { begun })
    }

    /// The side to move.
    pub fn side(&self) -> Color {
        self.position.side()
    }

    /// Whether it is our turn.
    pub fn is_our_turn(&self) -> bool {
        self.side() == self.summary.our_side
    }

    /// The opponent's name.
    pub fn opponent(&self) -> &str {
        &self.summary.names[!self.summary.our_side]
    }

    /// Plays a legal move that took `time`, and writes it down with the comment on it. Returns whether the time adds up, and
    /// what came of writing.
    pub fn play(&mut self, mv: Move, time: Duration, comment: Option<&str>) -> (bool, Written) {
        let side = self.side();
        let text = csa_move(&self.position, mv);
        let adds_up = self.clock.charge(side, time);
        let mut lines = format!("{text}\n{}\n", self.time_line(time));
        if let Some(comment) = comment {
            lines.push_str(&format!("'*{comment}\n"));
        }
        self.position.play(mv, &mut ());
        self.moves += 1;
        self.last_move = Some(text);
        (adds_up, self.journal.write(&lines))
    }

    /// A comment of ours, for people who read the record.
    pub fn comment(&mut self, text: &str) -> Written {
        self.journal.write(&format!("'{text}\n"))
    }

    /// Writes the end, and what there is still to write.
    pub fn finish(&mut self, end: GameEnd, end_time: &str) -> Written {
        let mut text = String::new();
        if let Some(word) = self.end_word(end) {
            text.push_str(&format!("%{word}\n"));
            if let Some(time) = end.time {
                text.push_str(&format!("{}\n", self.time_line(time)));
            }
        }
        if let Some(summary) = self.result_summary(end) {
            text.push_str(&format!("'summary:{summary}\n"));
        }
        text.push_str(&format!("'$END_TIME:{end_time}\n"));
        // What cannot be written now may be so when the file is finished.
        drop(self.journal.write(&text));
        self.journal.finish()
    }

    /// A time as records have it: version 2.2 has whole seconds.
    fn time_line(&self, time: Duration) -> String {
        let millis = time.subsec_millis();
        if has_fractions(&self.summary) && millis > 0 {
            format!("T{}.{millis:03}", time.as_secs())
        } else {
            format!("T{}", time.as_secs())
        }
    }

    /// The word of the end in a record.
    fn end_word(&self, end: GameEnd) -> Option<String> {
        let loser = self.loser(end.result);
        let illegal = |loser| if loser == Color::Black { "+ILLEGAL_ACTION" } else { "-ILLEGAL_ACTION" };
        let word = match (end.reason, end.outcome()) {
            (_, None) => "CHUDAN",
            (Some(Reason::Resign), _) => "TORYO",
            (Some(Reason::TimeUp), _) => "TIME_UP",
            (Some(Reason::Sennichite), _) => "SENNICHITE",
            (Some(Reason::Jishogi), Some(GameResult::Draw)) => "JISHOGI",
            (Some(Reason::Jishogi), _) => "KACHI",
            (Some(Reason::MaxMoves), _) => "MAX_MOVES",
            (Some(Reason::IllegalMove), _) if loser == Some(self.side()) => "ILLEGAL_MOVE",
            (Some(Reason::IllegalMove | Reason::IllegalAction | Reason::OuteSennichite), _) => {
                illegal(loser?)
            }
            (None, Some(GameResult::Draw)) => "HIKIWAKE",
            // The summary says who won.
            (None, Some(_)) => return None,
        };
        Some(word.to_string())
    }

    fn loser(&self, result: Option<GameResult>) -> Option<Color> {
        match result? {
            GameResult::Win => Some(!self.summary.our_side),
            GameResult::Lose => Some(self.summary.our_side),
            _ => None,
        }
    }

    /// The result as shogi-server writes it in a comment: `toryo:BLACK win:WHITE lose`.
    fn result_summary(&self, end: GameEnd) -> Option<String> {
        let loser = self.loser(end.result);
        let of = |color| match (loser, end.outcome()?) {
            (Some(loser), _) => Some(if loser == color { "lose" } else { "win" }),
            (None, GameResult::Draw | GameResult::Censored) => Some("draw"),
            (None, _) => None,
        };
        let reason = match end.reason {
            Some(Reason::Resign) => "toryo",
            Some(Reason::TimeUp) => "time up",
            Some(Reason::Sennichite) => "sennichite",
            Some(Reason::OuteSennichite) => "oute_sennichite",
            Some(Reason::Jishogi) => "kachi",
            Some(Reason::MaxMoves) => "max_moves",
            Some(Reason::IllegalMove) => "illegal move",
            Some(Reason::IllegalAction) => "illegal action",
            None => "unknown",
        };
        let named = |color: Color| {
            // The colon separates the players.
            Some(format!("{} {}", self.summary.names[color].replace(':', " "), of(color)?))
        };
        Some(format!("{reason}:{}:{}", named(Color::Black)?, named(Color::White)?))
    }
}

/// Whether times have fractions of a second.
fn has_fractions(summary: &GameSummary) -> bool {
    Color::ALL.iter().any(|&color| summary.time[color].unit < Duration::from_secs(1))
}

/// The beginning of a record, with the moves that were played before.
fn opening(summary: &GameSummary, site: &str, start_time: &str) -> String {
    let start = summary.opening.start();
    let mut builder = RecordBuilder::new(start).expect("a record has accepted this start");
    for color in Color::ALL {
        builder.player(color, &summary.names[color]);
    }
    for (name, value) in [("EVENT", summary.game_id.as_str()), ("SITE", site), ("START_TIME", start_time)] {
        builder.header(name, value);
    }
    for color in Color::ALL {
        builder.comment(&time_words(summary, color));
    }
    for played in &summary.opening.main().moves {
        builder.play(played.mv, played.time).expect("a record has accepted this move");
    }
    let format = if has_fractions(summary) { Format::Csa3 } else { Format::Csa };
    let bytes = record::write(&[builder.finish()], format, Encoding::Utf8).unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The time of a side for people: ` time of +: 600 s, 10 s byoyomi`
fn time_words(summary: &GameSummary, color: Color) -> String {
    let rule = &summary.time[color];
    let sign = PerColor(["+", "-"])[color];
    let mut text = match rule.total {
        Some(total) => format!(" time of {sign}: {} s", total.as_secs_f64()),
        None => format!(" time of {sign}: without limit"),
    };
    for (part, name) in [
        (rule.byoyomi, "byoyomi"),
        (rule.increment, "increment"),
        (rule.delay, "delay"),
        (rule.least, "least"),
    ] {
        if !part.is_zero() {
            text.push_str(&format!(", {} s {name}", part.as_secs_f64()));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::csa::summary::SummaryReader;
    use crate::record::Ending;

    fn summary(time_unit: &str) -> GameSummary {
        let mut reader = SummaryReader::default();
        let text = format!(
            "Game_ID:id\nName+:us\nName-:th:em\nYour_Turn:+\nBEGIN Time\nTime_Unit:{time_unit}\nTotal_Time:60000\n\
             Increment:10\nEND Time\nBEGIN Position\nPI\n+\n+2726FU,T12\n-3334FU,T6\nEND Position\nEND Game_Summary"
        );
        text.lines().find_map(|line| reader.line(line)).expect("it ends").expect("it can be played")
    }

    /// The ending that is read from a record with this end.
    fn ending(
        name: &str,
        time_unit: &str,
        reason: Option<Reason>,
        result: Option<GameResult>,
    ) -> record::Record {
        let folder = std::env::temp_dir().join(format!("jitsugen csa game {} {name}", std::process::id()));
        let (mut game, begun) = Game::begin(summary(time_unit), &folder, "here", "2026/01/02 03:04:05");
        assert!(matches!(begun, Written::Yes));
        let mv = "7g7f".parse().expect("a move");
        let (adds_up, written) = game.play(mv, Duration::from_millis(1_250), Some("* 12 +7776FU"));
        assert!(adds_up && matches!(written, Written::Yes));
        let end = GameEnd { reason, result, time: Some(Duration::from_secs(3)) };
        assert!(matches!(game.finish(end, "2026/01/02 03:14:05"), Written::Yes));
        let bytes = std::fs::read(game.journal.path()).expect("there is a record");
        std::fs::remove_dir_all(&folder).expect("our own folder can be removed");
        record::read(&bytes, None).expect("it is a record").remove(0)
    }

    #[test]
    fn a_record_has_what_was_played() {
        let record = ending("all", "1msec", Some(Reason::Resign), Some(GameResult::Win));
        assert_eq!(record.header("EVENT"), Some("id"));
        let times: Vec<_> = record.main().moves.iter().map(|played| played.time).collect();
        let ms = |n| Some(Duration::from_millis(n));
        // The fractions that version 3 has.
        assert_eq!(times, [ms(12), ms(6), ms(1_250)]);
        assert_eq!(record.main().moves[2].comments, ["* 12 +7776FU"]);
        let record = ending("seconds", "1sec", None, None);
        assert_eq!(record.main().moves[2].time, Some(Duration::from_secs(1)));
        assert_eq!(record.ending(), Some(&Ending::BrokenOff));
    }

    #[test]
    fn every_end_is_read_back_with_its_winner() {
        use GameResult::{Censored, Chudan, Draw, Lose, Win};
        // White is to move, and we are Black.
        for (number, (reason, result, expected)) in [
            (Some(Reason::Resign), Win, Some(Color::Black)),
            (Some(Reason::TimeUp), Win, Some(Color::Black)),
            (Some(Reason::IllegalMove), Win, Some(Color::Black)),
            (Some(Reason::IllegalMove), Lose, Some(Color::White)),
            (Some(Reason::IllegalAction), Lose, Some(Color::White)),
            (Some(Reason::OuteSennichite), Lose, Some(Color::White)),
            (Some(Reason::OuteSennichite), Win, Some(Color::Black)),
            (Some(Reason::Jishogi), Lose, Some(Color::White)),
            (Some(Reason::Sennichite), Draw, None),
            (Some(Reason::Jishogi), Draw, None),
            (Some(Reason::MaxMoves), Censored, None),
            (None, Win, Some(Color::Black)),
            (None, Lose, Some(Color::White)),
            (None, Draw, None),
            (None, Censored, None),
            (None, Chudan, None),
        ]
        .into_iter()
        .enumerate()
        {
            let record = ending(&format!("end {number}"), "1sec", reason, Some(result));
            assert_eq!(record.winner(), expected, "{reason:?} {result:?}");
            assert!(record.ending().is_some(), "{reason:?} {result:?}");
            let is_draw = matches!(result, Draw) || reason == Some(Reason::MaxMoves);
            assert_eq!(record.ending().is_some_and(Ending::is_draw), is_draw, "{reason:?} {result:?}");
        }
    }
}
