//! A book that is being thought out: positions, the moves between them, what a search says of them, and the values that
//! follow from that.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap};
use std::io::{self, Write};

use super::book_move::BookMove;
use super::format;
use crate::shogi::moves::Move;
use crate::shogi::position::Position;
use crate::shogi::sfen;

/// What a ply away from the start costs where the book grows outward, in hundredths of a pawn: a position three plies
/// further on is looked at as early as one that takes moves worth so much less.
const PLY_COST: u64 = 20;

/// What a search says of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Thought {
    /// For the side to move, in hundredths of a pawn.
    pub value: i32,
    /// The last iteration; 0 where there is nothing to search.
    pub depth: u32,
    /// The best moves with their replies, the best first.
    pub lines: Vec<(Move, Option<Move>)>,
}

/// A place in a [`BookGraph`].
pub type Place = usize;

/// A book that is being thought out.
///
/// A position is of the book, or a move of the book leads to it. The value of a move is that of the position after it: the
/// best that the book has there for the other side, or, where the book ends, what a search says.
#[derive(Default, Debug)]
pub struct BookGraph {
    nodes: Vec<Node>,
    places: HashMap<String, Place>,
}

#[derive(Debug)]
struct Node {
    /// As the book writes it.
    key: String,
    /// The number of the next move.
    number: u32,
    is_in_book: bool,
    thought: Option<Thought>,
    edges: Vec<Edge>,
}

#[derive(Debug)]
struct Edge {
    entry: BookMove,
    /// Whether value, depth and reply of the entry are thought out.
    is_known: bool,
    to: Place,
}

impl Node {
    /// The best of the moves that are thought out.
    fn best(&self) -> Option<&Edge> {
        // Of equal ones the first: later ones have to be better.
        self.edges.iter().filter(|edge| edge.is_known).reduce(|best, edge| {
            let key = |edge: &Edge| (edge.entry.value, edge.entry.count);
            if key(edge) > key(best) { edge } else { best }
        })
    }

    /// The value for the side to move, the depth behind it, and the best move.
    fn value(&self) -> Option<(i32, u32, Option<Move>)> {
        if let Some(edge) = self.best().filter(|_| self.is_in_book) {
            return Some((edge.entry.value, edge.entry.depth, Some(edge.entry.mv)));
        }
        let thought = self.thought.as_ref()?;
        Some((thought.value, thought.depth, thought.lines.first().map(|&(mv, _)| mv)))
    }
}

impl BookGraph {
    /// A graph without a position.
    pub fn new() -> BookGraph {
        BookGraph::default()
    }

    /// Adds a position of a book with its moves. Illegal ones are left out.
    pub fn add_entry(&mut self, key: &str, number: u32, moves: &[BookMove]) {
        let Ok(position) = sfen::parse(key) else { return };
        let place = self.place(key.to_string(), number);
        self.nodes[place].is_in_book = true;
        for &entry in moves {
            self.add_edge(place, &position, entry);
        }
    }

    /// Adds a position that is not of the book yet. Returns its place.
    pub fn add_position(&mut self, position: &Position) -> Place {
        self.place(format::key(position), position.move_number())
    }

    fn place(&mut self, key: String, number: u32) -> Place {
        if let Some(&place) = self.places.get(&key) {
            let node = &mut self.nodes[place];
            node.number = node.number.min(number);
            return place;
        }
        self.places.insert(key.clone(), self.nodes.len());
        self.nodes.push(Node { key, number, is_in_book: false, thought: None, edges: Vec::new() });
        self.nodes.len() - 1
    }

    /// Adds a move unless it is known or illegal.
    fn add_edge(&mut self, place: Place, position: &Position, entry: BookMove) {
        if self.nodes[place].edges.iter().any(|edge| edge.entry.mv == entry.mv)
            || !position.is_legal(entry.mv)
        {
            return;
        }
        let mut after = position.clone();
        after.play(entry.mv, &mut ());
        let to = self.place(format::key(&after), self.nodes[place].number + 1);
        self.nodes[place].edges.push(Edge { entry, is_known: false, to });
    }

    /// The positions of the book, the most played first.
    pub fn by_games(&self) -> Vec<Place> {
        let games = |place: &Place| {
            let edges = &self.nodes[*place].edges;
            edges.iter().fold(0_u64, |sum, edge| sum.saturating_add(edge.entry.count))
        };
        let mut places: Vec<Place> =
            (0..self.nodes.len()).filter(|&place| self.nodes[place].is_in_book).collect();
        places.sort_by_cached_key(|place| (Reverse(games(place)), self.nodes[*place].number, *place));
        places
    }

    /// The position at a place, as a book writes it.
    pub fn key(&self, place: Place) -> &str {
        &self.nodes[place].key
    }

    /// Whether a search has said something of the position.
    pub fn is_thought(&self, place: Place) -> bool {
        self.nodes[place].thought.is_some()
    }

    /// Takes what a search says of a position.
    pub fn set_thought(&mut self, place: Place, thought: Thought) {
        self.nodes[place].thought = Some(thought);
    }

    /// Makes a position part of the book, with the best moves of its search beside those that it has.
    pub fn expand(&mut self, place: Place) {
        let node = &mut self.nodes[place];
        node.is_in_book = true;
        let lines = node.thought.as_ref().map(|thought| thought.lines.clone()).unwrap_or_default();
        let Ok(position) = sfen::parse(&node.key) else { return };
        for (mv, reply) in lines {
            self.add_edge(place, &position, BookMove { reply, ..BookMove::new(mv) });
        }
    }

    /// The positions after the moves of a position.
    pub fn after(&self, place: Place) -> Vec<Place> {
        self.nodes[place].edges.iter().map(|edge| edge.to).collect()
    }

    /// Sets value, depth and reply of every move by what comes after it, from the ends of the book back. A move to a
    /// position that is still open, in a circle of moves, is a draw: both sides can repeat it.
    pub fn min_max(&mut self) {
        #[derive(Clone, Copy, PartialEq)]
        enum State {
            New,
            Open,
            Done,
        }
        let mut states = vec![State::New; self.nodes.len()];
        for start in 0..self.nodes.len() {
            if states[start] != State::New {
                continue;
            }
            states[start] = State::Open;
            // Places with the next of their moves.
            let mut path = vec![(start, 0)];
            while let Some((place, next)) = path.pop() {
                let node = &self.nodes[place];
                let Some(edge) = node.edges.get(next) else {
                    states[place] = State::Done;
                    continue;
                };
                let to = &self.nodes[edge.to];
                if to.is_in_book && states[edge.to] == State::New {
                    path.extend([(place, next), (edge.to, 0)]);
                    states[edge.to] = State::Open;
                    continue;
                }
                let value = if states[edge.to] == State::Open {
                    to.thought
                        .as_ref()
                        .map(|thought| (0, thought.depth, thought.lines.first().map(|line| line.0)))
                } else {
                    to.value()
                };
                let edge = &mut self.nodes[place].edges[next];
                edge.is_known = value.is_some();
                if let Some((value, depth, reply)) = value {
                    edge.entry.value = -value;
                    edge.entry.depth = depth;
                    edge.entry.reply = reply.or(edge.entry.reply);
                }
                path.push((place, next + 1));
            }
        }
    }

    /// The position that the book should grow by next: of those where it ends, the one that is reached from `start` by
    /// the fewest and the best moves, for both sides. Each ply costs `PLY_COST`, each move what it is worth less than
    /// the best one ("drop-out expansion", Lincke 2000, "Strategies for the automatic construction of opening books").
    /// `None` where the book ends nowhere. To be called after [`min_max`](BookGraph::min_max).
    pub fn next_outward(&self, start: Place) -> Option<Place> {
        let mut costs = vec![u64::MAX; self.nodes.len()];
        let mut open = BinaryHeap::from([Reverse((0_u64, start))]);
        costs[start] = 0;
        while let Some(Reverse((cost, place))) = open.pop() {
            let node = &self.nodes[place];
            if cost > costs[place] {
                continue;
            }
            if !node.is_in_book {
                // Where there is nothing to search the game is over.
                if node.thought.as_ref().is_none_or(|thought| !thought.lines.is_empty()) {
                    return Some(place);
                }
                continue;
            }
            let Some(best) = node.best() else { continue };
            for edge in node.edges.iter().filter(|edge| edge.is_known) {
                let loss = best.entry.value.saturating_sub(edge.entry.value).unsigned_abs();
                let cost = cost + PLY_COST + u64::from(loss);
                if cost < costs[edge.to] {
                    costs[edge.to] = cost;
                    open.push(Reverse((cost, edge.to)));
                }
            }
        }
        None
    }

    /// Writes the book as far as it is thought out, the best moves first, without those that are worth more than `within`
    /// hundredths of a pawn less than the best. Returns the number of its positions.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write(&self, within: u32, out: &mut dyn Write) -> io::Result<usize> {
        let sorted: BTreeMap<&str, &Node> =
            self.nodes.iter().filter(|node| node.is_in_book).map(|node| (node.key.as_str(), node)).collect();
        let positions = sorted.into_iter().map(|(key, node)| {
            let known = node.edges.iter().filter(|edge| edge.is_known).map(|edge| edge.entry);
            let best = node.best().map_or(0, |edge| edge.entry.value);
            let mut moves: Vec<BookMove> =
                known.filter(|entry| best.saturating_sub(entry.value).unsigned_abs() <= within).collect();
            moves.sort_by_key(|entry| (Reverse(entry.value), Reverse(entry.count), entry.mv.word()));
            (key, node.number, moves)
        });
        format::write(positions, out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mv(text: &str) -> Move {
        text.parse().unwrap()
    }

    fn after(moves: &str) -> Position {
        let mut position = Position::start();
        for text in moves.split_whitespace() {
            position.play(mv(text), &mut ());
        }
        position
    }

    fn think(graph: &mut BookGraph, moves: &str, value: i32, best: &str) {
        let place = graph.add_position(&after(moves));
        graph.set_thought(place, Thought { value, depth: 9, lines: vec![(mv(best), None)] });
    }

    fn add(graph: &mut BookGraph, moves: &str, entries: &[&str]) {
        let position = after(moves);
        let entries: Vec<BookMove> = entries.iter().map(|text| BookMove::new(mv(text))).collect();
        graph.add_entry(&format::key(&position), position.move_number(), &entries);
    }

    fn text(graph: &BookGraph) -> String {
        let mut text = Vec::new();
        graph.write(u32::MAX, &mut text).unwrap();
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn values_come_back_from_the_ends_of_the_book() {
        let mut graph = BookGraph::new();
        add(&mut graph, "", &["7g7f", "2g2f"]);
        add(&mut graph, "7g7f", &["3c3d", "8c8d"]);
        // What a search says of the position after 7g7f does not count: the book goes on there.
        think(&mut graph, "7g7f", 500, "3c3d");
        think(&mut graph, "7g7f 3c3d", 40, "2g2f");
        think(&mut graph, "7g7f 8c8d", 70, "2g2f");
        think(&mut graph, "2g2f", -25, "8c8d");
        graph.min_max();
        let text = text(&graph);
        for line in ["2g2f 8c8d 25 9 0", "7g7f 3c3d 40 9 0", "3c3d 2g2f -40 9 0", "8c8d 2g2f -70 9 0"] {
            assert!(text.lines().any(|found| found == line), "{line} in {text}");
        }
        let first = text.lines().skip_while(|line| !line.contains(" b ")).nth(1);
        assert_eq!(first, Some("7g7f 3c3d 40 9 0"), "the best comes first: {text}");
    }

    #[test]
    fn moves_that_are_worth_far_less_are_left_out_and_the_answers_to_them_stay() {
        let mut graph = BookGraph::new();
        add(&mut graph, "", &["7g7f", "1g1f"]);
        add(&mut graph, "1g1f", &["3c3d"]);
        think(&mut graph, "7g7f", -50, "3c3d");
        think(&mut graph, "1g1f 3c3d", -30, "7g7f");
        graph.min_max();
        let mut text = Vec::new();
        assert_eq!(graph.write(79, &mut text).unwrap(), 2);
        let text = String::from_utf8(text).unwrap();
        assert!(!text.contains("1g1f 3c3d") && text.contains("3c3d 7g7f 30 9 0"), "{text}");
        let mut text = Vec::new();
        graph.write(80, &mut text).unwrap();
        assert!(String::from_utf8(text).unwrap().contains("1g1f 3c3d -30 9 0"));
    }

    #[test]
    fn moves_in_a_circle_are_a_draw() {
        let mut graph = BookGraph::new();
        add(&mut graph, "", &["2h3h"]);
        add(&mut graph, "2h3h", &["8b7b"]);
        add(&mut graph, "2h3h 8b7b", &["3h2h"]);
        add(&mut graph, "2h3h 8b7b 3h2h", &["7b8b"]);
        think(&mut graph, "", 77, "7g7f");
        graph.min_max();
        let text = text(&graph);
        assert!(text.contains("7b8b 7g7f 0 9 0") && text.contains("2h3h 8b7b 0 9 0"), "{text}");
    }

    #[test]
    fn what_is_not_thought_out_is_not_written() {
        let mut graph = BookGraph::new();
        add(&mut graph, "", &["7g7f", "2g2f"]);
        think(&mut graph, "2g2f", 3, "8c8d");
        graph.min_max();
        assert!(text(&graph).contains("2g2f 8c8d -3 9 0") && !text(&graph).contains("7g7f"));
    }

    #[test]
    fn a_book_grows_where_the_fewest_and_best_moves_lead() {
        let mut graph = BookGraph::new();
        let start = graph.add_position(&Position::start());
        assert_eq!(graph.next_outward(start), Some(start));
        let line = |text: &str| (mv(text), None);
        graph.set_thought(start, Thought { value: 0, depth: 9, lines: vec![line("7g7f"), line("1g1f")] });
        graph.expand(start);
        think(&mut graph, "7g7f", -30, "3c3d");
        think(&mut graph, "1g1f", 15, "3c3d");
        graph.min_max();
        let next = graph.next_outward(start).unwrap();
        assert_eq!(graph.key(next), format::key(&after("7g7f")));
        graph.expand(next);
        think(&mut graph, "7g7f 3c3d", 30, "2g2f");
        graph.min_max();
        // Two plies and nothing lost, before one ply and 45 lost.
        assert_eq!(graph.key(graph.next_outward(start).unwrap()), format::key(&after("7g7f 3c3d")));
        // A position without a move ends the book for good.
        let last = graph.add_position(&after("7g7f 3c3d"));
        graph.set_thought(last, Thought { value: 30, depth: 0, lines: Vec::new() });
        assert_eq!(graph.key(graph.next_outward(start).unwrap()), format::key(&after("1g1f")));
    }
}
