//! Follows a conversation as the strictest of clients: single blanks, fields in one order, only moves that are legal where
//! they are played, all lines of an iteration together, one answer for each `go`.

use std::collections::VecDeque;

use jitsugen::shogi::generate;
use jitsugen::shogi::moves::Move;
use jitsugen::shogi::position::Position;
use jitsugen::usi::protocol::{self, Command};

/// What has been asked and not answered yet.
pub struct Strict {
    root: Option<Position>,
    searches: VecDeque<Search>,
    stochastic: bool,
    /// Whether something was asked that is answered as people read it.
    questions: bool,
    /// The rank of the last line, 0 where none comes before the next.
    rank: u32,
}

/// One `go`.
struct Search {
    /// `None` where the position was refused.
    root: Option<Position>,
    /// The position before the last move, where that may be searched instead.
    before: Option<Position>,
    mate: bool,
    /// The first move of the last best line, or nothing but a score; `None` before there is any.
    told: Option<Option<Move>>,
}

type Checked = Result<(), String>;

impl Strict {
    pub fn new() -> Strict {
        let root = Some(Position::start());
        Strict { root, searches: VecDeque::new(), stochastic: false, questions: false, rank: 0 }
    }

    /// How many searches have no answer yet.
    pub fn unanswered(&self) -> usize {
        self.searches.len()
    }

    /// The client sends a line.
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
                self.searches.push_back(Search { root, before, mate: limits.mate, told: None });
            }
            Ok(Command::Debug(_) | Command::Perft(_) | Command::Bench) => self.questions = true,
            _ => {}
        }
    }

    /// The engine says a line.
    ///
    /// # Errors
    /// What a client could not understand, or does not allow.
    pub fn hears(&mut self, line: &str) -> Checked {
        if line.len() > 60_000 || line.chars().any(char::is_control) {
            return Err("too long, or with control characters".into());
        }
        let words: Vec<&str> = line.split(' ').collect();
        let checked = match words[..] {
            // A sign of life.
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
        self.rank = 0;
        checked
    }

    fn info(&mut self, words: &[&str]) -> Checked {
        let search = self.searches.front_mut().ok_or("nothing is searched")?;
        let root = search.root.as_ref().ok_or("there is no position")?;
        if let ["depth", "0", "score", "mate", distance, "pv"] = words {
            search.told = Some(None);
            let declares = root.side();
            let expected = if generate::all_legal(root).is_empty() { "-0" } else { "1" };
            return check(*distance == expected, || format!("{declares:?} has mate {distance}"));
        }
        let mut words = words.iter().copied();
        let mut number = |name: &str| field(&mut words, name);
        let (depth, seldepth, rank) = (number("depth")?, number("seldepth")?, number("multipv")?);
        check(seldepth >= depth && rank >= 1, || "seldepth or multipv".into())?;
        expect(&mut words, "score")?;
        let kind = words.next().unwrap_or_default();
        let value: i64 = parsed(words.next())?;
        // Who mates plays the last move, who is mated does not.
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
            if rank == 1 && !bound {
                search.told = Some(Some(first));
            }
        } else {
            let before = search.before.as_ref();
            playable(before.ok_or_else(|| playable(root, &moves).unwrap_err())?, &moves)?;
        }
        if !bound {
            check(rank == 1 || i64::from(self.rank) + 1 == rank, || {
                format!("multipv {rank} after {}", self.rank)
            })?;
            self.rank = rank as u32;
        }
        Ok(())
    }

    fn best(&mut self, words: &[&str]) -> Checked {
        let search = self.searches.pop_front().ok_or("nothing was asked")?;
        check(!search.mate, || "go mate is answered by checkmate".into())?;
        let Some(root) = search.root else {
            return check(words == ["resign"], || "there was no position".into());
        };
        let told = search.told.ok_or("no score before the answer")?;
        let moves = match words {
            ["resign" | "win"] => return Ok(()),
            [best] => vec![parsed(Some(best))?],
            [best, "ponder", reply] => vec![parsed(Some(best))?, parsed(Some(reply))?],
            _ => return Err("no answer that USI knows".into()),
        };
        playable(&root, &moves)?;
        check(told == Some(moves[0]) || search.before.is_some(), || format!("the last line has {told:?}"))
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

/// The position after the moves.
fn playable(root: &Position, moves: &[Move]) -> Result<Position, String> {
    let mut position = root.clone();
    for &mv in moves {
        check(position.is_legal(mv), || format!("{mv} is illegal"))?;
        position.play(mv, &mut ());
    }
    Ok(position)
}

/// The declaration of an option, as clients take it apart: word by word, in pairs.
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
