//! Text to values and back.

use std::fmt::{self, Write};
use std::time::Duration;

use crate::engine::limits::{Limits, TimeControl};
use crate::engine::observer::{Answer, Info};
use crate::search::tt::Bound;
use crate::search::value::{Mate, Value};
use crate::shogi::color::Color;
use crate::shogi::moves::Move;
use crate::shogi::position::Position;
use crate::shogi::sfen;
use crate::util::text::excerpt;

/// A line from the client.
#[derive(Clone, PartialEq, Debug)]
pub enum Command {
    /// Name the engine and its options.
    Usi,
    /// Be ready.
    IsReady,
    /// `setoption name N [value V]`; the value keeps its inner blanks.
    SetOption {
        /// As written: options are found without regard to case.
        name: String,
        /// `None` for a button, and for clients that leave an empty value out.
        value: Option<String>,
    },
    /// A game begins.
    NewGame,
    /// Everything after the word `position`, for [`parse_position`].
    Position(String),
    /// Search. What was not understood is listed, and left out of the limits.
    Go {
        /// What was understood.
        limits: Limits,
        /// One message for each part that was not.
        refused: Vec<String>,
    },
    /// A command about the position, for people and scripts.
    Debug(DebugCommand),
    /// Count the leaves of the tree of legal moves.
    Perft(u32),
    /// Measure the engine.
    Bench,
    /// End the search.
    Stop,
    /// The pondered move was played.
    PonderHit {
        /// The clocks, where they are stated.
        clock: Option<TimeControl>,
        /// One message for each part that was not understood.
        refused: Vec<String>,
    },
    /// The game is over.
    GameOver,
    /// Leave.
    Quit,
    /// A blank line, or one of those that need no answer.
    Nothing,
}

/// Commands about the position, beside USI.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DebugCommand {
    /// Show the board.
    Board,
    /// Show the static evaluation.
    Eval,
    /// Say why the position is tactical.
    Explain,
    /// List the legal moves.
    Moves,
    /// Show the position's key in tables.
    Key,
    /// Show the SFEN.
    Sfen,
    /// Name the side to move.
    Side,
    /// Say how the program was built.
    Compiler,
}

/// Reads a line.
///
/// # Errors
/// A message that names what was not understood.
pub fn parse(line: &str) -> Result<Command, String> {
    let line = line.trim();
    let (word, rest) = split_word(line);
    Ok(match word {
        "usi" => Command::Usi,
        "isready" => Command::IsReady,
        "setoption" => parse_setoption(rest)?,
        "usinewgame" => Command::NewGame,
        "position" => Command::Position(rest.to_string()),
        "go" => match split_word(rest) {
            ("perft", depth) => Command::Perft(parse_perft(depth)?),
            _ => parse_go(rest),
        },
        "eval" | "e" => Command::Debug(DebugCommand::Eval),
        "d" => Command::Debug(DebugCommand::Board),
        "explain" => Command::Debug(DebugCommand::Explain),
        "moves" => Command::Debug(DebugCommand::Moves),
        "key" => Command::Debug(DebugCommand::Key),
        "side" => Command::Debug(DebugCommand::Side),
        "compiler" => Command::Debug(DebugCommand::Compiler),
        "sfen" if rest.is_empty() => Command::Debug(DebugCommand::Sfen),
        "sfen" => Command::Position(line.to_string()),
        "bench" => Command::Bench,
        "stop" => Command::Stop,
        "ponderhit" => {
            let GoWords { limits, refused, .. } = GoWords::read("ponderhit", rest);
            Command::PonderHit { clock: limits.clock, refused }
        }
        "gameover" => Command::GameOver,
        "quit" => Command::Quit,
        "" | "debug" | "register" => Command::Nothing,
        _ => return Err(format!("unknown command: '{}'", excerpt(line))),
    })
}

/// The first word and what follows it.
fn split_word(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    match text.find(char::is_whitespace) {
        Some(end) => (&text[..end], text[end..].trim_start()),
        None => (text, ""),
    }
}

fn parse_setoption(rest: &str) -> Result<Command, String> {
    let (word, rest) = split_word(rest);
    if word != "name" || rest.is_empty() {
        return Err(format!("setoption '{}': expected 'name NAME [value VALUE]'", excerpt(word)));
    }
    let (name, rest) = split_word(rest);
    let (word, value) = split_word(rest);
    match word {
        "" => Ok(Command::SetOption { name: name.to_string(), value: None }),
        // Some clients write the literal <empty> of the option's declaration.
        "value" => {
            let value = if value == "<empty>" { "" } else { value };
            Ok(Command::SetOption { name: name.to_string(), value: Some(value.to_string()) })
        }
        _ => Err(format!("setoption name {}: expected 'value' but found '{}'", excerpt(name), excerpt(word))),
    }
}

fn parse_perft(depth: &str) -> Result<u32, String> {
    // More would take days.
    const DEEPEST: u32 = 9;
    match depth.parse() {
        Ok(depth) if depth <= DEEPEST => Ok(depth),
        _ => Err(format!("go perft '{}': expected a number from 0 to {DEEPEST}", excerpt(depth))),
    }
}

fn parse_go(rest: &str) -> Command {
    if rest.split_whitespace().any(|word| word == "mate") {
        return parse_go_mate(rest);
    }
    let GoWords { mut limits, refused, .. } = GoWords::read("go", rest);
    if limits.is_open() && !limits.ponder && !limits.infinite && !refused.is_empty() {
        // The client meant a limit that was not understood: a quick answer is better than none.
        limits.move_time = Some(WITHOUT_LIMIT);
    }
    Command::Go { limits, refused }
}

/// `go mate` with milliseconds, `infinite`, nothing, which means the same, or `nodes` and their number.
fn parse_go_mate(rest: &str) -> Command {
    let mut read = GoWords::of("go");
    let mut words = rest.split_whitespace();
    while let Some(word) = words.next() {
        match word {
            "mate" | "infinite" => {}
            "nodes" => {
                let nodes = read.number("mate nodes", words.next());
                read.limits.nodes = nodes.map(|n| n.max(0).unsigned_abs());
            }
            _ => read.limits.move_time = read.milliseconds("mate", Some(word)).or(read.limits.move_time),
        }
    }
    let GoWords { mut limits, refused, .. } = read;
    if limits.is_open() && !refused.is_empty() {
        limits.move_time = Some(WITHOUT_LIMIT);
    }
    limits.mate = true;
    Command::Go { limits, refused }
}

/// The time of a search whose only limits were not understood.
const WITHOUT_LIMIT: Duration = Duration::from_secs(1);

/// The words after `go` or `ponderhit`.
struct GoWords {
    /// `go` or `ponderhit`.
    command: &'static str,
    limits: Limits,
    refused: Vec<String>,
}

impl GoWords {
    /// None yet.
    fn of(command: &'static str) -> GoWords {
        GoWords { command, limits: Limits::default(), refused: Vec::new() }
    }

    fn read(command: &'static str, text: &str) -> GoWords {
        let mut read = GoWords::of(command);
        let mut words = text.split_whitespace().peekable();
        while let Some(word) = words.next() {
            let clock = |limits: &mut Limits| *limits.clock.get_or_insert_default();
            match word {
                "ponder" => read.limits.ponder = true,
                "infinite" => read.limits.infinite = true,
                "btime" | "wtime" | "binc" | "winc" | "byoyomi" => {
                    let Some(time) = read.milliseconds(word, words.next()) else { continue };
                    let mut clock = clock(&mut read.limits);
                    match word {
                        "btime" => clock.time[Color::Black] = time,
                        "wtime" => clock.time[Color::White] = time,
                        "binc" => clock.increment[Color::Black] = time,
                        "winc" => clock.increment[Color::White] = time,
                        _ => clock.byoyomi = time,
                    }
                    read.limits.clock = Some(clock);
                }
                "movetime" => read.limits.move_time = read.milliseconds(word, words.next()),
                "rtime" => read.limits.varied_time = read.milliseconds(word, words.next()),
                "nodes" => {
                    read.limits.nodes = read.number(word, words.next()).map(|n| n.max(0).unsigned_abs());
                }
                "depth" => {
                    let depth = read.number(word, words.next());
                    read.limits.depth = depth.map(|n| n.clamp(1, i64::from(u32::MAX)) as u32);
                }
                // Shogi's clocks do not start again after a number of moves.
                "movestogo" => drop(words.next()),
                "searchmoves" => {
                    while let Some(mv) = words.peek().and_then(|word| word.parse::<Move>().ok()) {
                        words.next();
                        read.limits.only.push(mv);
                    }
                }
                _ => read
                    .refused
                    .push(format!("{command}: '{}' is not understood, and left out", excerpt(word))),
            }
        }
        read
    }

    /// Negative times, which clients send when a clock has run out, count as zero.
    fn milliseconds(&mut self, name: &str, word: Option<&str>) -> Option<Duration> {
        self.number(name, word).map(|ms| Duration::from_millis(ms.max(0).unsigned_abs()))
    }

    fn number(&mut self, name: &str, word: Option<&str>) -> Option<i64> {
        let found = word.unwrap_or_default();
        let digits = found.strip_prefix('-').unwrap_or(found);
        if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
            let (command, found) = (self.command, excerpt(found));
            self.refused.push(format!("{command} {name} '{found}': expected a whole number; left out"));
            return None;
        }
        // Only the size can be wrong now. A millennium in milliseconds is as good as any larger number.
        const LARGEST: i64 = 1_000 * 366 * 24 * 3_600 * 1_000;
        let number = digits.parse().unwrap_or(LARGEST).min(LARGEST);
        Some(if digits.len() < found.len() { -number } else { number })
    }
}

/// Reads what follows the word `position`: `startpos` or `[sfen] SFEN`, then `moves` and the moves, all of which are
/// played. Two pawns of a side may stand on one file, as in some mate problems.
///
/// # Errors
/// A message that names the first thing that is wrong, and the move by its number.
pub fn parse_position(text: &str) -> Result<Position, String> {
    let (setup, moves) = split_at_moves(text);
    let (word, rest) = split_word(setup);
    let mut position = match word {
        "startpos" if rest.trim().is_empty() => Position::start(),
        "startpos" => {
            return Err(format!("position startpos: expected 'moves' but found '{}'", excerpt(rest)));
        }
        // Some clients put the word before the start position as well.
        "sfen" if rest.trim() == "startpos" => Position::start(),
        "sfen" => sfen::parse_problem(rest).map_err(|error| format!("position: {error}"))?,
        "" => return Err("position: expected 'startpos' or 'sfen'".into()),
        // Some scripts leave the word out.
        _ => sfen::parse_problem(setup).map_err(|error| format!("position: {error}"))?,
    };
    for (number, word) in (1..).zip(moves.split_whitespace()) {
        let mv: Move = word.parse().map_err(|error| format!("position: move {number}: {error}"))?;
        if !position.is_legal(mv) {
            return Err(format!("position: move {number}, {mv}, is illegal in {}", sfen::write(&position)));
        }
        position.play(mv, &mut ());
    }
    Ok(position)
}

/// What stands before and after the word `moves`.
fn split_at_moves(text: &str) -> (&str, &str) {
    let mut rest = text;
    loop {
        let (word, after) = split_word(rest);
        if word.is_empty() {
            return (text, "");
        }
        if word == "moves" {
            let before = text.len() - rest.trim_start().len();
            return (&text[..before], after);
        }
        rest = after;
    }
}

/// Writes an `info` line, in the order that the strictest clients read.
pub fn info(info: &Info) -> String {
    let line = info.line;
    let milliseconds = info.elapsed.as_millis();
    let per_second = (info.nodes as f64 / info.elapsed.as_secs_f64().max(1e-6)) as u64;
    let mut text = format!(
        "info depth {} seldepth {} multipv {} score {}{} nodes {} nps {per_second} hashfull {} time {milliseconds} pv",
        line.depth,
        line.seldepth.max(line.depth),
        line.multipv_index,
        Score(line.value),
        match info.bound {
            Bound::Exact => "",
            Bound::Lower => " lowerbound",
            Bound::Upper => " upperbound",
        },
        info.nodes,
        info.hashfull,
    );
    for mv in &line.moves {
        // Writing to a string does not fail.
        let _ = write!(text, " {mv}");
    }
    text
}

/// Writes the `info` line of a position with nothing to search.
pub fn nothing_to_search(result: Mate) -> String {
    format!("info depth 0 score {} pv", Distance(result))
}

struct Score(Value);

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.mate_distance() {
            Some(mate) => Distance(mate).fmt(f),
            None => write!(f, "cp {}", self.0.cp()),
        }
    }
}

struct Distance(Mate);

/// A side that is mated already has `mate -0`, which clients read as mated (`mate 0` would be mating).
impl fmt::Display for Distance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Mate::Gives(plies) => write!(f, "mate {plies}"),
            Mate::Suffers(plies) => write!(f, "mate -{plies}"),
        }
    }
}

/// Writes the answer to a `go`.
pub fn answer(answer: Answer) -> String {
    match answer {
        Answer::Move { best, ponder: Some(reply) } => format!("bestmove {best} ponder {reply}"),
        Answer::Move { best, ponder: None } => format!("bestmove {best}"),
        Answer::Resign => "bestmove resign".into(),
        Answer::Declare => "bestmove win".into(),
        Answer::Checkmate(line) => {
            let moves: Vec<String> = line.iter().map(ToString::to_string).collect();
            format!("checkmate {}", moves.join(" "))
        }
        Answer::NoMate => "checkmate nomate".into(),
        Answer::MateUnknown => "checkmate timeout".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shogi::color::PerColor;

    fn go(text: &str) -> (Limits, Vec<String>) {
        match parse(text) {
            Ok(Command::Go { limits, refused }) => (limits, refused),
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn limits_of_go_are_read() {
        let (limits, refused) = go("go btime 60000 wtime  50000 binc 0 winc 2000");
        let clock = limits.clock.unwrap();
        assert_eq!(clock.time, PerColor([Duration::from_secs(60), Duration::from_secs(50)]));
        assert_eq!(clock.increment[Color::White], Duration::from_secs(2));
        assert!(refused.is_empty());
        let (limits, _) = go("go ponder btime 0 wtime 0 byoyomi 500");
        assert!(limits.ponder && limits.clock.unwrap().byoyomi == Duration::from_millis(500));
        assert!(go("go ponder").0.is_open());
        assert!(go("go").0.is_open());
        assert_eq!(go("go nodes 5000000000").0.nodes, Some(5_000_000_000));
        assert_eq!(go("go btime -200 wtime 1").0.clock.unwrap().time[Color::Black], Duration::ZERO);
        assert_eq!(go("go searchmoves 7g7f 2g2f depth 3").0.only.len(), 2);
        assert_eq!(go("go movetime 99999999999999999999999").1, Vec::<String>::new());
        assert_eq!(go("go rtime 300").0.varied_time, Some(Duration::from_millis(300)));
        assert!(!go("go rtime 300").0.is_open());
    }

    #[test]
    fn limits_of_go_mate_are_read() {
        let of = |text| {
            let (limits, refused) = go(text);
            assert!(limits.mate && !limits.infinite, "{text}");
            (limits.move_time.map(|time| time.as_millis()), limits.nodes, refused.len())
        };
        assert_eq!(of("go mate"), (None, None, 0));
        assert_eq!(of("go mate infinite"), (None, None, 0));
        assert_eq!(of("go mate 30000"), (Some(30_000), None, 0));
        assert_eq!(of("go mate  nodes 5000000000"), (None, Some(5_000_000_000), 0));
        assert_eq!(of("go mate soon"), (Some(WITHOUT_LIMIT.as_millis()), None, 1));
        assert_eq!(of("go mate nodes"), (Some(WITHOUT_LIMIT.as_millis()), None, 1));
    }

    #[test]
    fn a_limit_that_is_not_understood_is_named_and_replaced() {
        let (limits, refused) = go("go depth three");
        assert_eq!(refused, ["go depth 'three': expected a whole number; left out"]);
        assert_eq!(limits.move_time, Some(WITHOUT_LIMIT));
        let (limits, refused) = go("go byoyomi 100 nodes");
        assert_eq!(refused.len(), 1);
        assert_eq!(limits.move_time, None);
        let Ok(Command::PonderHit { clock, refused }) = parse("ponderhit btime 5:00 wtime 300 now") else {
            panic!("it is a ponderhit");
        };
        assert_eq!(clock.map(|clock| clock.time[Color::White]), Some(Duration::from_millis(300)));
        let expected = [
            "ponderhit btime '5:00': expected a whole number; left out",
            "ponderhit: 'now' is not understood, and left out",
        ];
        assert_eq!(refused, expected);
    }

    #[test]
    fn positions_are_read_and_faults_named() {
        for good in [
            "startpos",
            "startpos moves",
            "startpos  moves  7g7f 3c3d",
            "sfen startpos moves 7g7f 3c3d",
            "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1 moves 7g7f",
            "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -",
            "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - moves 7g7f",
            // GUIs send mate problems this way, and some have two pawns on a file.
            "sfen k8/9/P8/P8/9/9/9/9/K8 b - 1",
        ] {
            assert!(parse_position(good).is_ok(), "{good}");
        }
        for (bad, part) in [
            ("", "expected 'startpos' or 'sfen'"),
            ("startpos 7g7f", "expected 'moves' but found '7g7f'"),
            ("startpos moves 7g7f 3c3d 7g7f", "move 3, 7g7f, is illegal in"),
            ("startpos moves 7g7f nonsense", "move 2: 'nonsense' is not a move"),
            ("sfen 9/9/9/9/9/9/9/9/9", "1 field: "),
            ("sfen 9 b - 1", "1 rank: "),
            ("sfen 9/9 b - 1", "2 ranks: "),
            ("sfen k8/9/9/9/4k4/9/9/9/K8 b - 1", "White has 2 kings"),
            ("sfen k8/9/9/9/4k4/9/9/k8/K8 b - 1", "White has 3 kings"),
            ("sfen k8/9/9/9/9/9/9/9/K8 b 19P 1", "hands '19P'"),
            ("sfen k8/9/9/9/9/9/9/P8/K8 b 18P 1", "19 pieces of kind Pawn"),
            ("sfen k7P/9/9/9/9/9/9/9/K8 b - 1", "Black's Pawn on 1a can never move"),
            ("sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b", "2 fields"),
            ("sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b 1", "hands '1'"),
            ("sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL x - 1", "side to move 'x'"),
            ("sfen 9/9/9/9/9/9/9/9/10 b - 1", "rank i"),
            ("sfen k8/9/9/9/9/9/9/9/K8 b - 1 2", "after the move number"),
            ("sfen k8/R8/9/9/9/9/9/9/K8 b - 1", "could take the king"),
        ] {
            let error = parse_position(bad).unwrap_err();
            assert!(error.contains(part), "{bad}: {error}");
        }
    }

    #[test]
    fn option_values_keep_blanks_and_may_be_empty() {
        let set_option = |name: &str, value: &str| {
            Ok(Command::SetOption { name: name.to_string(), value: Some(value.to_string()) })
        };
        assert_eq!(
            parse("setoption name EvalDir value C:\\将棋 engine\\eval  \r\n"),
            set_option("EvalDir", "C:\\将棋 engine\\eval")
        );
        assert_eq!(parse("setoption name BookFile value <empty>"), set_option("BookFile", ""));
        assert_eq!(parse("setoption name X value "), set_option("X", ""));
        assert!(parse("setoption").is_err());
        assert!(parse("setoption name").is_err());
        assert!(parse("setoption nam X").is_err());
    }
}
