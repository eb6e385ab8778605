//! Building a book from games.

use std::collections::{BTreeMap, HashMap};
use std::io::{self, Write};

use super::book_move::{BookMove, Results};
use super::format;
use crate::record::{Ending, Record};
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
    results: Results,
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
        let winner = game.winner();
        let is_draw = game.ending().is_some_and(Ending::is_draw);
        for _ in 0..self.plies {
            let Some(mv) = moves.next() else { return };
            let number = position.move_number();
            let node = self.positions.entry(format::key(&position)).or_default();
            node.move_number = if node.moves.is_empty() { number } else { node.move_number.min(number) };
            let count = node.moves.entry(mv).or_default();
            count.games += 1;
            count.results.add(Results {
                wins: u64::from(winner == Some(position.side())),
                losses: u64::from(winner == Some(!position.side())),
                draws: u64::from(is_draw),
            });
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
        let positions = self.positions.iter().map(|(key, node)| {
            let mut moves: Vec<BookMove> = node
                .moves
                .iter()
                .filter(|(_, count)| count.games >= min_games)
                .map(|(&mv, count)| {
                    // Equally frequent replies are ordered by their word, so that the file is the same each time.
                    let reply = count.replies.iter().max_by_key(|(mv, games)| (**games, mv.word()));
                    let reply = reply.map(|(&mv, _)| mv);
                    let results = count.results;
                    BookMove { reply, count: count.games, results, ..BookMove::new(mv) }
                })
                .collect();
            moves.sort_by_key(|entry| (std::cmp::Reverse(entry.count), entry.mv.word()));
            (key.as_str(), node.move_number, moves)
        });
        format::write(positions, out)
    }
}
