//! Lines of the protocol as values, and back. Nothing here has a state.
//!
//! Version 1.2.1 of the protocol: <http://www2.computer-shogi.org/protocol/tcp_ip_server_121.html>. The comment with value
//! and line is floodgate's: <http://wdoor.c.u-tokyo.ac.jp/shogi/floodgate.html>.

use crate::record::csa_move;
use crate::shogi::color::Color;
use crate::shogi::moves::Move;
use crate::shogi::position::Position;
use crate::util::text::excerpt;

/// A line from the server, outside a summary of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ServerLine {
    /// Nothing: a sign of life.
    Blank,
    /// `LOGIN:name OK`
    LoginOk,
    /// `LOGIN:incorrect`: a wrong name or password, or a name that is in play already.
    LoginIncorrect,
    /// `LOGOUT:completed`
    LogoutCompleted,
    /// `BEGIN Game_Summary`
    BeginSummary,
    /// `START:ID`
    Start(String),
    /// `REJECT:ID by NAME`
    Reject {
        /// The game.
        game_id: String,
        /// Who does not want to play it; empty where the server does not say.
        by: String,
    },
    /// A move that was played: `+7776FU,T12`
    Move {
        /// Whose.
        color: Color,
        /// `+7776FU`
        text: String,
        /// What the server counts for it, in units of its clock; `None` where it does not say.
        time: Option<u64>,
    },
    /// What a player did in place of a move: `%TORYO,T4`
    Action {
        /// `TORYO`
        word: String,
        /// As of a move.
        time: Option<u64>,
    },
    /// How the game goes on or ends: `#RESIGN`
    Notice(Notice),
    /// Anything else. Servers add lines of their own.
    Other(String),
}

/// A line that begins with `#`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Notice {
    /// Why the game ends. A result follows.
    Reason(Reason),
    /// What it ends with.
    Result(GameResult),
    /// A word that is not known.
    Unknown(String),
}

/// Why a game ends, in the protocol's words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The side to move resigned.
    Resign,
    /// The same position for the fourth time.
    Sennichite,
    /// The same, by perpetual check.
    OuteSennichite,
    /// A move or a declaration that the rules do not allow.
    IllegalMove,
    /// Something else that is not allowed.
    IllegalAction,
    /// A player ran out of time.
    TimeUp,
    /// A declaration was made.
    Jishogi,
    /// The game has its maximum of moves.
    MaxMoves,
}

/// The result of a game, as we see it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameResult {
    /// We won.
    Win,
    /// We lost.
    Lose,
    /// Neither.
    Draw,
    /// The server ended the game without a result.
    Censored,
    /// The game was broken off.
    Chudan,
}

const REASONS: [(&str, Reason); 8] = [
    ("RESIGN", Reason::Resign),
    ("SENNICHITE", Reason::Sennichite),
    ("OUTE_SENNICHITE", Reason::OuteSennichite),
    ("ILLEGAL_MOVE", Reason::IllegalMove),
    ("ILLEGAL_ACTION", Reason::IllegalAction),
    ("TIME_UP", Reason::TimeUp),
    ("JISHOGI", Reason::Jishogi),
    ("MAX_MOVES", Reason::MaxMoves),
];

const RESULTS: [(&str, GameResult); 5] = [
    ("WIN", GameResult::Win),
    ("LOSE", GameResult::Lose),
    ("DRAW", GameResult::Draw),
    ("CENSORED", GameResult::Censored),
    ("CHUDAN", GameResult::Chudan),
];

impl Reason {
    /// The word after `#`.
    pub fn word(self) -> &'static str {
        REASONS.iter().find(|(_, reason)| *reason == self).map_or("", |(word, _)| word)
    }
}

impl GameResult {
    /// The word after `#`.
    pub fn word(self) -> &'static str {
        RESULTS.iter().find(|(_, result)| *result == self).map_or("", |(word, _)| word)
    }
}

/// The value of a line. No line is an error: what is not known is [`ServerLine::Other`].
pub fn parse(line: &str) -> ServerLine {
    let line = line.trim_end();
    match line {
        "" => ServerLine::Blank,
        "LOGIN:incorrect" => ServerLine::LoginIncorrect,
        "LOGOUT:completed" => ServerLine::LogoutCompleted,
        "BEGIN Game_Summary" => ServerLine::BeginSummary,
        _ => parse_with_contents(line).unwrap_or_else(|| ServerLine::Other(line.to_string())),
    }
}

fn parse_with_contents(line: &str) -> Option<ServerLine> {
    if let Some(game_id) = line.strip_prefix("START:") {
        return Some(ServerLine::Start(game_id.to_string()));
    }
    if let Some(rest) = line.strip_prefix("REJECT:") {
        let (game_id, by) = rest.split_once(" by ").unwrap_or((rest, ""));
        return Some(ServerLine::Reject { game_id: game_id.to_string(), by: by.to_string() });
    }
    if let Some(rest) = line.strip_prefix("LOGIN:") {
        return rest.ends_with(" OK").then_some(ServerLine::LoginOk);
    }
    match line.as_bytes()[0] {
        sign @ (b'+' | b'-') => {
            let (text, time) = statement(line);
            // shogi-server has lines of its own that begin with a sign.
            if !text[1..].starts_with(|c: char| c.is_ascii_digit()) {
                return None;
            }
            let color = if sign == b'+' { Color::Black } else { Color::White };
            Some(ServerLine::Move { color, text, time })
        }
        b'%' => {
            let (text, time) = statement(line);
            Some(ServerLine::Action { word: text[1..].to_string(), time })
        }
        // shogi-server's own lines begin with two.
        b'#' if !line.starts_with("##") => Some(ServerLine::Notice(notice(&line[1..]))),
        _ => None,
    }
}

fn notice(word: &str) -> Notice {
    if let Some((_, reason)) = REASONS.iter().find(|(known, _)| *known == word) {
        return Notice::Reason(*reason);
    }
    match RESULTS.iter().find(|(known, _)| *known == word) {
        Some((_, result)) => Notice::Result(*result),
        None => Notice::Unknown(excerpt(word)),
    }
}

/// A move or an action, and its time: `+7776FU,T12`. A comment takes the rest of the line.
fn statement(line: &str) -> (String, Option<u64>) {
    let mut fields = line.split(',');
    let text = fields.next().unwrap_or_default().trim_end();
    let time = fields
        .take_while(|field| !field.starts_with('\''))
        .find_map(|field| field.trim().strip_prefix('T')?.parse().ok());
    (text.to_string(), time)
}

/// `LOGIN name password`
pub fn login(name: &str, password: &str) -> String {
    format!("LOGIN {name} {password}")
}

/// Why `text` cannot be a name or a password; `None` where it can. `longest` is in bytes, `name` says whether only
/// letters, digits, `_` and `-` may be in it.
pub fn objection(text: &str, longest: usize, name: bool) -> Option<String> {
    let allowed = |c: char| match name {
        true => c.is_ascii_alphanumeric() || matches!(c, '_' | '-'),
        false => c.is_ascii_graphic(),
    };
    let characters = if name { "letters, digits, _ and -" } else { "ASCII characters without blanks" };
    (text.is_empty() || text.len() > longest || !text.chars().all(allowed))
        .then(|| format!("expected 1 to {longest} {characters}"))
}

/// Our move. Where `comment` has a value and a line, they go along.
pub fn played(position: &Position, mv: Move, comment: Option<&str>) -> String {
    let mv = csa_move(position, mv);
    match comment {
        Some(comment) => format!("{mv},'{comment}"),
        None => mv,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line_of(text: &str, color: Color, time: Option<u64>) -> ServerLine {
        ServerLine::Move { color, text: text.to_string(), time }
    }

    #[test]
    fn every_line_of_the_protocol_has_its_value() {
        let action = |word: &str, time| ServerLine::Action { word: word.to_string(), time };
        let reject = |game_id: &str, by: &str| ServerLine::Reject { game_id: game_id.into(), by: by.into() };
        for (line, expected) in [
            ("", ServerLine::Blank),
            ("\r", ServerLine::Blank),
            ("LOGIN:jitsugen OK", ServerLine::LoginOk),
            ("LOGIN:incorrect", ServerLine::LoginIncorrect),
            ("LOGOUT:completed", ServerLine::LogoutCompleted),
            ("BEGIN Game_Summary\r", ServerLine::BeginSummary),
            ("START:20060505-CSA14-3-5-7", ServerLine::Start("20060505-CSA14-3-5-7".into())),
            ("REJECT:id by TANUKI", reject("id", "TANUKI")),
            ("REJECT:id", reject("id", "")),
            ("+7776FU,T12", line_of("+7776FU", Color::Black, Some(12))),
            ("-3334FU", line_of("-3334FU", Color::White, None)),
            ("-3334FU,'T9,T3", line_of("-3334FU", Color::White, None)),
            ("+0055KA,Tmuch", line_of("+0055KA", Color::Black, None)),
            ("%TORYO,T4", action("TORYO", Some(4))),
            ("%KACHI", action("KACHI", None)),
            ("#OUTE_SENNICHITE", ServerLine::Notice(Notice::Reason(Reason::OuteSennichite))),
            ("#WIN", ServerLine::Notice(Notice::Result(GameResult::Win))),
            ("#SOMETHING_NEW", ServerLine::Notice(Notice::Unknown("SOMETHING_NEW".into()))),
            ("##[LOGIN] +OK x1", ServerLine::Other("##[LOGIN] +OK x1".into())),
            ("+OK", ServerLine::Other("+OK".into())),
            ("+", ServerLine::Other("+".into())),
            ("LOGIN:", ServerLine::Other("LOGIN:".into())),
            ("login:x OK", ServerLine::Other("login:x OK".into())),
        ] {
            assert_eq!(parse(line), expected, "{line}");
        }
        for (word, reason) in REASONS {
            assert_eq!(parse(&format!("#{word}")), ServerLine::Notice(Notice::Reason(reason)));
            assert_eq!(reason.word(), word);
        }
        for (word, result) in RESULTS {
            assert_eq!(parse(&format!("#{word}")), ServerLine::Notice(Notice::Result(result)));
            assert_eq!(result.word(), word);
        }
    }

    #[test]
    fn a_comment_goes_along_with_the_move() {
        let position = Position::start();
        let mv = "7g7f".parse().unwrap();
        assert_eq!(played(&position, mv, Some("* 123 +7776FU -3334FU")), "+7776FU,'* 123 +7776FU -3334FU");
        assert_eq!(played(&position, mv, None), "+7776FU");
    }

    #[test]
    fn names_and_passwords_are_those_of_the_protocol() {
        for (text, longest, name, is_good) in [
            ("Jitsugen_1-a", 32, true, true),
            ("", 32, true, false),
            ("a b", 32, true, false),
            ("名前", 32, true, false),
            ("a,b", 32, true, false),
            ("floodgate-300-10F,secret", 64, false, true),
            ("two words", 64, false, false),
            ("line\nLOGIN", 64, false, false),
        ] {
            assert_eq!(objection(text, longest, name).is_none(), is_good, "{text}");
        }
        assert!(objection(&"a".repeat(33), 32, true).is_some());
    }
}
