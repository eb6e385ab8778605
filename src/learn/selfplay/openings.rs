//! Where games begin: the openings that a user gives, and the start positions after the random moves that follow them.

use std::collections::HashMap;

use parking_lot::Mutex;

use crate::record::{Format, ReadError, Record, RecordBuilder, read_text};
use crate::shogi::color::Color;
use crate::shogi::generate;
use crate::shogi::key::Key;
use crate::shogi::sfen;

/// The first moves of games.
#[derive(Clone, Debug)]
pub struct Openings {
    /// Each with the number of its line in the file, from 1.
    lines: Vec<(usize, Record)>,
    checksum: u32,
}

/// An opening that cannot be played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadOpening {
    /// The line in the file, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub problem: String,
}

impl std::fmt::Display for BadOpening {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}: {}", self.line, self.problem)
    }
}

impl Openings {
    /// The start of an even game alone.
    pub fn start() -> Openings {
        let (openings, _) = Openings::parse(&format!("sfen {}", sfen::START));
        openings
    }

    /// Reads lines with a position in USI form (`startpos moves 7g7f`, `sfen ... moves ...`) or as a bare SFEN. Blank
    /// lines and those that begin with `#` are skipped. Openings that cannot be played are left out and returned.
    pub fn parse(text: &str) -> (Openings, Vec<BadOpening>) {
        let mut lines = Vec::new();
        let mut bad = Vec::new();
        for (line, text) in (1..).zip(text.lines()) {
            let text = text.trim();
            if text.is_empty() || text.starts_with('#') {
                continue;
            }
            match read(text) {
                Ok(record) => lines.push((line, record)),
                Err(problem) => bad.push(BadOpening { line, problem }),
            }
        }
        (Openings { lines, checksum: crc32fast::hash(text.as_bytes()) }, bad)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// A checksum of the text that they were read from.
    pub const fn checksum(&self) -> u32 {
        self.checksum
    }

    /// The opening with this index: its line in the file, and the game so far.
    pub fn get(&self, index: usize) -> (usize, RecordBuilder) {
        let (line, record) = &self.lines[index];
        let mut builder = RecordBuilder::new(record.start()).expect("it was accepted before");
        for mv in record.moves() {
            builder.play(mv, None).expect("records have legal moves");
        }
        (*line, builder)
    }

    /// The indices in an order that `seed` decides.
    pub fn shuffled(&self, seed: u64) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.len()).collect();
        fastrand::Rng::with_seed(seed).shuffle(&mut order);
        order
    }
}

fn read(text: &str) -> Result<Record, String> {
    let bare = !["startpos", "sfen", "position"].iter().any(|word| text.contains(word));
    let line = if bare { format!("sfen {text}") } else { text.to_string() };
    let problem = |error: ReadError| error.problem.to_string();
    let record = read_text(&line, Some(Format::Usi)).map_err(problem)?.pop().ok_or("expected a game")?;
    let position = record.final_position();
    if let Some(color) = Color::ALL.into_iter().find(|&color| position.king(color).is_none()) {
        return Err(format!("{color:?} has no king: expected both"));
    }
    if !generate::any_legal(&position) {
        return Err("the game is over: expected a position with a legal move".to_string());
    }
    Ok(record)
}

/// The positions from which both sides play to win, each with the lowest number of a game that begins there.
///
/// Threads are at different games, so a game with a lower number may come later. Once all games before it have claimed
/// their start, it is settled which game is the first, with any number of threads.
pub struct StartPositions(Mutex<HashMap<Key, u64>>);

impl StartPositions {
    /// The start positions of games that were played before.
    pub fn new(known: HashMap<Key, u64>) -> StartPositions {
        StartPositions(Mutex::new(known))
    }

    /// Notes that game `number` begins from `start`. Whether no game with a lower number is known to begin there.
    pub fn claim(&self, start: Key, number: u64) -> bool {
        let mut known = self.0.lock();
        let first = known.entry(start).or_insert(number);
        *first = number.min(*first);
        *first == number
    }

    /// Whether game `number` is the first that begins from `start`, as far as is known.
    pub fn is_first(&self, start: Key, number: u64) -> bool {
        self.0.lock().get(&start).is_none_or(|&first| first == number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_game_with_the_lowest_number_is_the_first_in_any_order() {
        let starts = StartPositions::new(HashMap::from([(Key(1), 3)]));
        assert!(!starts.claim(Key(1), 5));
        assert!(starts.claim(Key(2), 9));
        assert!(starts.claim(Key(2), 8));
        assert!(!starts.is_first(Key(2), 9));
        assert!(starts.is_first(Key(2), 8));
    }

    #[test]
    fn lines_that_cannot_be_played_are_returned() {
        let text = "startpos moves 7g7f 3c3d\n\n# a comment\nposition startpos\r\n\
                    lnsgkgsnl/1r7/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1\n\
                    startpos moves 7g7e\nnonsense\nsfen 4k4/9/9/9/9/9/9/9/9 w P 1\n\
                    sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1\n";
        let (openings, bad) = Openings::parse(text);
        assert_eq!(openings.len(), 3);
        assert_eq!(openings.get(0).1.plies(), 2);
        assert_eq!(openings.get(2).0, 5);
        assert_eq!(bad.iter().map(|bad| bad.line).collect::<Vec<_>>(), [6, 7, 8, 9]);
        assert!(bad[2].to_string().contains("Black has no king"), "{}", bad[2]);
        assert_eq!(Openings::start().len(), 1);
    }

    #[test]
    fn shuffling_keeps_every_opening() {
        let (openings, _) = Openings::parse(&"startpos\n".repeat(100));
        let mut order = openings.shuffled(1);
        assert_eq!(order, openings.shuffled(1));
        assert_ne!(order, openings.shuffled(2));
        order.sort();
        assert_eq!(order, (0..100).collect::<Vec<_>>());
    }
}
