//! The lines that say what belongs together in the two files of a self-play.

use std::fmt;

use super::adjudication::Ending;
use crate::shogi::key::Key;

/// How the first line of the games begins; the version and the settings follow.
pub const HEADING: &str = "# jitsugen selfplay";

/// What the line after a game says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The game's number, from 0.
    pub number: u64,
    /// The line of its opening in the file, from 1.
    pub opening: usize,
    /// How many random moves came after the opening.
    pub random_moves: u32,
    /// The position from which both sides played as they could: the first that is written.
    pub start: Key,
    /// How it ended.
    pub ending: Ending,
    /// How many positions are written.
    pub positions: u64,
    /// Their CRC-32.
    pub checksum: u32,
}

impl Entry {
    /// What a line says; `None` where it is not one of ours.
    pub fn parse(line: &str) -> Option<Entry> {
        let mut fields = line.strip_prefix("# ")?.trim_end().split(' ');
        let mut field = |name: &str| fields.next()?.strip_prefix(name)?.strip_prefix('=');
        Some(Entry {
            number: field("game")?.parse().ok()?,
            opening: field("opening")?.parse().ok()?,
            random_moves: field("random")?.parse().ok()?,
            start: Key(u64::from_str_radix(field("start")?, 16).ok()?),
            ending: field("end").and_then(|word| Ending::ALL.into_iter().find(|end| end.name() == word))?,
            // A game has no more positions than plies are counted.
            positions: u64::from(field("positions")?.parse::<u16>().ok()?),
            checksum: u32::from_str_radix(field("checksum")?, 16).ok()?,
        })
    }
}

/// The line, with its end.
impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Entry { number, opening, random_moves, start, ending, positions, checksum } = self;
        write!(f, "# game={number} opening={opening} random={random_moves} start={:016x}", start.0)?;
        writeln!(f, " end={} positions={positions} checksum={checksum:08x}", ending.name())
    }
}
