//! What the games of a self-play began with, which their positions do not show: these begin after the random moves.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use super::entry::{Entry, HEADING};
use crate::record::{self, Format, Record};
use crate::shogi::key::Key;

/// What `opening` says of the first `plies` moves of each game that was played, by the position from which both sides
/// played as they could. Nothing where no games of self-play lie beside the positions in `path`.
///
/// # Errors
/// When the games cannot be read.
pub fn openings(
    path: &Path,
    plies: usize,
    opening: impl Fn(&Record) -> Key,
) -> io::Result<HashMap<Key, Key>> {
    let mut openings = HashMap::new();
    let file = match File::open(path.with_extension("usi")) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(openings),
        Err(error) => return Err(error),
    };
    let mut known: HashMap<Vec<u8>, Option<Key>> = HashMap::new();
    let mut last = None;
    for (number, line) in BufReader::new(file).split(b'\n').enumerate() {
        let line = line?;
        if number == 0 && !line.starts_with(HEADING.as_bytes()) {
            break;
        }
        if !line.starts_with(b"#") {
            let moves = first_moves(&line, plies);
            // There are few openings and many games.
            last = *known.entry(moves.to_vec()).or_insert_with(|| {
                let game = record::read_each(moves, Some(Format::Usi)).into_iter().next()?.ok()?;
                Some(opening(&game))
            });
            continue;
        }
        let entry = std::str::from_utf8(&line).ok().and_then(Entry::parse);
        if let (Some(entry), Some(opening)) = (entry, last.take()) {
            openings.insert(entry.start, opening);
        }
    }
    Ok(openings)
}

/// The part of a line with a game that ends with its move number `plies`.
fn first_moves(line: &[u8], plies: usize) -> &[u8] {
    let moves = b" moves ";
    let Some(begin) = line.windows(moves.len()).position(|part| part == moves) else { return line };
    let begin = begin + moves.len();
    let end = line[begin..].iter().enumerate().filter(|(_, byte)| **byte == b' ').nth(plies - 1);
    end.map_or(line, |(end, _)| &line[..begin + end])
}
