//! Building a book from games.

use std::collections::{BTreeMap, HashMap};
use std::io::{self, Write};

use super::format::{self, BookMove, HEADER};
use crate::record::Record;
use crate::shogi::moves::Move;

/// Counts the moves of games by position.
#[derive(Debug)]
pub struct BookBuilder {
    /// How many moves of each game are counted.
    plies: usize,
    positions: BTreeMap<String, PositionCount>,
}

#[derive(Debug, Default)]
struct PositionCount {
    /// The lowest move number at which the position occurred.
    move_number: u32,
    moves: HashMap<Move, MoveCount>,
}

#[derive(Debug, Default)]
struct MoveCount {
    games: u64,
    replies: HashMap<Move, u64>,
}

impl BookBuilder {
    /// A builder that counts the first `plies` moves of each game.
    pub fn new(plies: usize) -> BookBuilder {
        BookBuilder { plies, positions: BTreeMap::new() }
    }

    /// Counts a game.
    pub fn add(&mut self, game: &Record) {
        let mut position = game.start_position();
        let mut moves = game.moves().peekable();
        for _ in 0..self.plies {
            let Some(mv) = moves.next() else { return };
            let number = position.move_number();
            let node = self.positions.entry(format::key(&position)).or_default();
            node.move_number = if node.moves.is_empty() { number } else { node.move_number.min(number) };
            let count = node.moves.entry(mv).or_default();
            count.games += 1;
            if let Some(&reply) = moves.peek() {
                *count.replies.entry(reply).or_default() += 1;
            }
            position.play(mv, &mut ());
        }
    }

    /// Writes the book, sorted, with the moves that were played at least `min_games` times. Returns the number of its
    /// positions.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write(&self, min_games: u64, out: &mut dyn Write) -> io::Result<usize> {
        writeln!(out, "{HEADER} 1.00")?;
        let mut written = 0;
        for (key, node) in &self.positions {
            let mut moves: Vec<BookMove> = node
                .moves
                .iter()
                .filter(|(_, count)| count.games >= min_games)
                .map(|(&mv, count)| {
                    // Equally frequent replies are ordered by their word, so that the file is the same each time.
                    let reply = count.replies.iter().max_by_key(|(mv, games)| (**games, mv.word()));
                    let reply = reply.map(|(&mv, _)| mv);
                    BookMove { mv, reply, value: 0, depth: 0, count: count.games }
                })
                .collect();
            if moves.is_empty() {
                continue;
            }
            moves.sort_by_key(|entry| (std::cmp::Reverse(entry.count), entry.mv.word()));
            writeln!(out, "sfen {key} {}", node.move_number)?;
            for entry in moves {
                writeln!(out, "{entry}")?;
            }
            written += 1;
        }
        Ok(written)
    }
}
