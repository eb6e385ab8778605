//! Checks a conversation as the strictest of clients would: single blanks, fields in one order, only moves that are legal
//! where they are played, all lines of an iteration together, one answer for each `go`.

use std::collections::VecDeque;

use jitsugen::shogi::generate;
use jitsugen::shogi::moves::Move;
use jitsugen::shogi::position::Position;
use jitsugen::usi::protocol::{self, Command};

/// What the client has sent and the engine has not answered yet.
pub struct Strict {
    root: Option<Position>,
    searches: VecDeque<Search>,
    stochastic: bool,
    /// Whether the client asked for something whose answer is meant for people.
    questions: bool,
    /// The `multipv` of the last line; 0 where another kind of line came after it.
    multipv: u32,
}

/// One `go`.
struct Search {
    /// `None` where the engine refused the position.
    root: Option<Position>,
    /// The position before the last move, where the engine may search that instead.
    before: Option<Position>,
    mate: bool,
    /// The last line of `multipv 1`: its first move, or `Some(None)` for a score alone.
    best_line: Option<Option<Move>>,
}

type Checked = Result<(), String>;

impl Strict {
    pub fn new() -> Strict {
        let root = Some(Position::start());
        Strict { root, searches: VecDeque::new(), stochastic: false, questions: false, multipv: 0 }
    }

    /// How many searches the engine has not answered yet.
    pub fn unanswered(&self) -> usize {
        self.searches.len()
    }

    /// Notes a line that the client sends.
    pub fn sends(&mut self, line: &str) {
        match protocol::parse(line) {
            Ok(Command::Position(text)) => self.root = protocol::parse_position(&text).ok(),
            Ok(Command::SetOption { name, value }) if name == "Stochastic_Ponder" => {
                self.stochastic = value.as_deref() == Some("true")
            }
            Ok(Command::Go { limits, .. }) => {
                let root = self.root.clone();
                let before =
                    root.clone().filter(|_| self.stochastic && limits.ponder).and_then(|mut root| {
                        let last = root.last_move()?;
                        root.undo(last, &mut ());
                        Some(root)
                    });
                self.searches.push_back(Search { root, before, mate: limits.mate, best_line: None });
            }
            Ok(Command::Debug(_) | Command::Perft(_) | Command::Bench) => self.questions = true,
            _ => {}
        }
    }

    /// Checks a line that the engine says.
    ///
    /// # Errors
    /// What a client could not understand or would not allow.
    pub fn hears(&mut self, line: &str) -> Checked {
        if line.len() > 60_000 || line.chars().any(char::is_control) {
            return Err("too long, or with control characters".into());
        }
        let words: Vec<&str> = line.split(' ').collect();
        let checked = match words[..] {
            // An empty line says that the engine is still there.
            [""] => return Ok(()),
            ["readyok" | "usiok"] => Ok(()),
            ["info", "string", ..] if !line.ends_with(' ') => return Ok(()),
            ["id", "name" | "author", ..] if line.is_ascii() => Ok(()),
            ["option", "name", name, "type", ref kind @ ..] => option(name, kind),
            ["info", ref rest @ ..] => return self.info(rest),
            ["bestmove", ref rest @ ..] => self.best(rest),
            ["checkmate", ref rest @ ..] => self.checkmate(rest),
            _ if self.questions => Ok(()),
            _ => Err("no line that USI knows".into()),
        };
        self.multipv = 0;
        checked
    }

    fn info(&mut self, words: &[&str]) -> Checked {
        let search = self.searches.front_mut().ok_or("nothing is searched")?;
        let root = search.root.as_ref().ok_or("there is no position")?;
        if let ["depth", "0", "score", "mate", distance, "pv"] = words {
            search.best_line = Some(None);
            let declares = root.side();
            let expected = if generate::all_legal(root).is_empty() { "-0" } else { "1" };
            return check(*distance == expected, || format!("{declares:?} has mate {distance}"));
        }
        let mut words = words.iter().copied();
        let mut number = |name: &str| field(&mut words, name);
        let (depth, seldepth, multipv) = (number("depth")?, number("seldepth")?, number("multipv")?);
        check(seldepth >= depth && multipv >= 1, || "seldepth or multipv".into())?;
        expect(&mut words, "score")?;
        let kind = words.next().unwrap_or_default();
        let value: i64 = parsed(words.next())?;
        // The side that mates plays the last move: its distance is odd, the other's is even.
        let fits = match kind {
            "cp" => value.abs() < 100_000,
            "mate" => value != 0 && (value % 2 != 0) == (value > 0) && value.abs() < 1_000,
            _ => false,
        };
        check(fits, || format!("{kind} {value}"))?;
        let mut words = words.peekable();
        let bound = words.next_if_eq(&"lowerbound").is_some();
        let mut number = |name: &str| field(&mut words, name);
        let (_, _, permille, _) = (number("nodes")?, number("nps")?, number("hashfull")?, number("time")?);
        check(permille <= 1000, || format!("hashfull {permille}"))?;
        expect(&mut words, "pv")?;
        let moves = words.map(|word| parsed(Some(word))).collect::<Result<Vec<Move>, String>>()?;
        let first = *moves.first().ok_or("no moves")?;
        if playable(root, &moves).is_ok() {
            if multipv == 1 && !bound {
                search.best_line = Some(Some(first));
            }
        } else {
            let before = search.before.as_ref();
            playable(before.ok_or_else(|| playable(root, &moves).unwrap_err())?, &moves)?;
        }
        if !bound {
            check(multipv == 1 || i64::from(self.multipv) + 1 == multipv, || {
                format!("multipv {multipv} after {}", self.multipv)
            })?;
            self.multipv = multipv as u32;
        }
        Ok(())
    }

    fn best(&mut self, words: &[&str]) -> Checked {
        let search = self.searches.pop_front().ok_or("nothing was asked")?;
        check(!search.mate, || "go mate is answered by checkmate".into())?;
        let Some(root) = search.root else {
            return check(words == ["resign"], || "there was no position".into());
        };
        let best_line = search.best_line.ok_or("no score before the answer")?;
        let moves = match words {
            ["resign" | "win"] => return Ok(()),
            [best] => vec![parsed(Some(best))?],
            [best, "ponder", reply] => vec![parsed(Some(best))?, parsed(Some(reply))?],
            _ => return Err("no answer that USI knows".into()),
        };
        playable(&root, &moves)?;
        check(best_line == Some(moves[0]) || search.before.is_some(), || {
            format!("the last line has {best_line:?}")
        })
    }

    fn checkmate(&mut self, words: &[&str]) -> Checked {
        let search = self.searches.pop_front().ok_or("nothing was asked")?;
        check(search.mate, || "go is answered by bestmove".into())?;
        if matches!(words, ["nomate" | "timeout"]) {
            return Ok(());
        }
        let moves = words.iter().map(|word| parsed(Some(word))).collect::<Result<Vec<Move>, _>>()?;
        let last = playable(&search.root.ok_or("there was no position")?, &moves)?;
        let mated = last.in_check() && generate::all_legal(&last).is_empty();
        check(mated && moves.len() % 2 == 1, || "that is no mate".into())
    }
}

fn check(holds: bool, message: impl FnOnce() -> String) -> Checked {
    if holds { Ok(()) } else { Err(message()) }
}

fn parsed<T: std::str::FromStr>(word: Option<&str>) -> Result<T, String> {
    word.and_then(|word| word.parse().ok()).ok_or_else(|| format!("{word:?} is not understood"))
}

fn expect<'a>(words: &mut impl Iterator<Item = &'a str>, name: &str) -> Checked {
    let word = words.next();
    check(word == Some(name), || format!("{name} expected, found {word:?}"))
}

/// A name and its number, which is not negative.
fn field<'a>(words: &mut impl Iterator<Item = &'a str>, name: &str) -> Result<i64, String> {
    expect(words, name)?;
    let value = parsed(words.next())?;
    check(value >= 0, || format!("{name} {value}")).map(|()| value)
}

/// The position after the moves, which must be legal.
fn playable(root: &Position, moves: &[Move]) -> Result<Position, String> {
    let mut position = root.clone();
    for &mv in moves {
        check(position.is_legal(mv), || format!("{mv} is illegal"))?;
        position.play(mv, &mut ());
    }
    Ok(position)
}

/// Checks the declaration of an option as clients read it: word by word, in pairs.
fn option(name: &str, kind: &[&str]) -> Checked {
    let fits = match kind {
        ["check", "default", "true" | "false"] | ["button"] => true,
        ["string" | "filename", "default", text] => !text.is_empty(),
        ["spin", "default", default, "min", min, "max", max] => {
            let (default, min, max): (i64, i64, i64) =
                (parsed(Some(default))?, parsed(Some(min))?, parsed(Some(max))?);
            min <= default && default <= max
        }
        ["combo", "default", default, choices @ ..] => {
            choices.chunks(2).all(|pair| matches!(pair, ["var", choice] if !choice.is_empty()))
                && choices.iter().any(|choice| choice == default)
        }
        _ => false,
    };
    check(fits && !name.is_empty(), || format!("option {name}: {kind:?}"))
}
