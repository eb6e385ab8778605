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

    /// The best move: of the book if it has one that is thought out, else of the search.
    fn best_move(&self) -> Option<Move> {
        match self.best().filter(|_| self.is_in_book) {
            Some(edge) => Some(edge.entry.mv),
            None => self.thought.as_ref()?.lines.first().map(|&(mv, _)| mv),
        }
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

    /// Sets value, depth and reply of every move by what comes after it, from the ends of the book back.
    ///
    /// A line that goes round in a circle of moves for ever is a draw. So a position of a circle is worth 0 only where neither
    /// side has a better move that leaves the circle: whoever has one leaves.
    pub fn min_max(&mut self) {
        let order = self.ends_first();
        let values = self.values(&order);
        for place in 0..self.nodes.len() {
            for edge in 0..self.nodes[place].edges.len() {
                let edge = &mut self.nodes[place].edges[edge];
                edge.is_known = values[edge.to].is_some();
                if let Some(value) = values[edge.to] {
                    edge.entry.value = -value;
                }
            }
        }
        let depths = self.depths();
        for place in 0..self.nodes.len() {
            for index in 0..self.nodes[place].edges.len() {
                let edge = &self.nodes[place].edges[index];
                let reply = self.nodes[edge.to].best_move();
                let depth = depths[edge.to];
                let edge = &mut self.nodes[place].edges[index];
                if edge.is_known {
                    edge.entry.depth = depth;
                    edge.entry.reply = reply.or(edge.entry.reply);
                }
            }
        }
    }

    /// All places, those after a position before it as far as there are no circles.
    fn ends_first(&self) -> Vec<Place> {
        let mut order = Vec::with_capacity(self.nodes.len());
        let mut is_seen = vec![false; self.nodes.len()];
        for start in 0..self.nodes.len() {
            if std::mem::replace(&mut is_seen[start], true) {
                continue;
            }
            // Places with the next of their moves.
            let mut path = vec![(start, 0)];
            while let Some((place, next)) = path.pop() {
                let Some(edge) = self.nodes[place].edges.get(next) else {
                    order.push(place);
                    continue;
                };
                path.push((place, next + 1));
                if !std::mem::replace(&mut is_seen[edge.to], true) {
                    path.push((edge.to, 0));
                }
            }
        }
        order
    }

    /// What each position is worth for its side to move; `None` where that is not thought out.
    ///
    /// Positions of the book begin at 0, and become the best of what their moves are worth until nothing changes. After `n`
    /// rounds each has the value of a game that counts as a draw if it is still in the book after `n` moves, or a better
    /// one. Who can reach an end that is better than a draw can do so without a position coming twice, so within as many
    /// moves as there are positions: after so many rounds the values are right (a "deterministic graphical game",
    /// Washburn 1990). In the order of `ends_first` two rounds are enough where there are no circles.
    fn values(&self, order: &[Place]) -> Vec<Option<i32>> {
        let mut values: Vec<Option<i32>> =
            self.nodes.iter().map(|node| node.thought.as_ref().map(|thought| thought.value)).collect();
        let is_inner = |values: &[Option<i32>], place: Place| {
            let node = &self.nodes[place];
            node.is_in_book && node.edges.iter().any(|edge| values[edge.to].is_some())
        };
        // First which positions have a value at all, then which one.
        let mut is_known_inside = vec![false; self.nodes.len()];
        loop {
            let mut changes = false;
            for &place in order {
                if !is_known_inside[place] && is_inner(&values, place) {
                    is_known_inside[place] = true;
                    values[place] = Some(0);
                    changes = true;
                }
            }
            if !changes {
                break;
            }
        }
        for _ in 0..self.nodes.len() {
            let mut changes = false;
            for &place in order.iter().filter(|&&place| is_known_inside[place]) {
                let after = self.nodes[place].edges.iter().filter_map(|edge| values[edge.to]);
                let best = after.map(|value| -value).max();
                changes |= best != values[place];
                values[place] = best;
            }
            if !changes {
                break;
            }
        }
        values
    }

    /// The depth of the search behind the value of each position: that at the end of the best moves from there. Where they
    /// go round in a circle, that of the position itself.
    fn depths(&self) -> Vec<u32> {
        let own = |place: Place| self.nodes[place].thought.as_ref().map_or(0, |thought| thought.depth);
        let mut depths: Vec<Option<u32>> = vec![None; self.nodes.len()];
        let mut is_on_path = vec![false; self.nodes.len()];
        for start in 0..self.nodes.len() {
            let mut path = Vec::new();
            let mut place = start;
            while depths[place].is_none() && !is_on_path[place] {
                match self.nodes[place].best() {
                    Some(best) if self.nodes[place].is_in_book => {
                        is_on_path[place] = true;
                        path.push(place);
                        place = best.to;
                    }
                    _ => depths[place] = Some(own(place)),
                }
            }
            let mut is_circle = depths[place].is_none();
            let end = place;
            let mut depth = depths[end].unwrap_or_else(|| own(end));
            for &place in path.iter().rev() {
                if is_circle {
                    depth = own(place);
                    is_circle = place != end;
                }
                depths[place] = Some(depth);
                is_on_path[place] = false;
            }
        }
        depths.into_iter().map(Option::unwrap_or_default).collect()
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
    fn values_come_back_ends_first_of_the_book() {
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
        assert!(text.contains("7b8b 2h3h 0 9 0") && text.contains("2h3h 8b7b 0 0 0"), "{text}");
    }

    /// The moves of both rooks there and back.
    const CIRCLE: [&str; 4] = ["2h3h", "8b7b", "3h2h", "7b8b"];

    /// A circle of four positions, of which `first` is added first. Its players may leave it by `exits`: after so many of
    /// its moves, by this move, to a position that is worth so much to who moved there.
    fn circle(first: usize, exits: &[(usize, &str, i32)]) -> BookGraph {
        let mut graph = BookGraph::new();
        for ply in (first..first + 4).map(|ply| ply % 4) {
            let line = CIRCLE[..ply].join(" ");
            let leaving: Vec<_> = exits.iter().filter(|exit| exit.0 == ply).collect();
            let moves: Vec<&str> =
                CIRCLE[ply..=ply].iter().copied().chain(leaving.iter().map(|exit| exit.1)).collect();
            add(&mut graph, &line, &moves);
            for (_, exit, value) in leaving {
                think(&mut graph, &format!("{line} {exit}"), -value, "5g5f");
            }
        }
        graph.min_max();
        graph
    }

    #[test]
    fn who_has_a_better_move_leaves_a_circle() {
        let exits = [(0, "2g2f", 30), (1, "7a6b", 400)];
        let orders: std::collections::BTreeSet<String> =
            (0..4).map(|first| text(&circle(first, &exits))).collect();
        assert_eq!(orders.len(), 1, "the values do not depend on the order of the book: {orders:?}");
        let text = orders.first().unwrap();
        for line in [
            // White would answer 2h3h with 7a6b, so Black plays 2g2f; so the way back to 2h3h is worth 30 to Black.
            "2g2f 5g5f 30 9 0",
            "2h3h 7a6b -400 9 0",
            "7a6b 5g5f 400 9 0",
            "8b7b 3h2h -30 9 0",
            "3h2h 7b8b 30 9 0",
            "7b8b 2g2f -30 9 0",
        ] {
            assert!(text.lines().any(|found| found == line), "{line} in {text}");
        }
    }

    #[test]
    fn a_circle_is_worth_a_draw_where_leaving_it_is_worse() {
        for first in 0..4 {
            let text = text(&circle(first, &[(0, "2g2f", -30), (1, "7a6b", -400), (2, "3h1h", -1)]));
            for line in ["2h3h 8b7b 0 0 0", "8b7b 3h2h 0 0 0", "3h2h 7b8b 0 0 0", "7b8b 2h3h 0 0 0"] {
                assert!(text.lines().any(|found| found == line), "{line} in {text}");
            }
        }
    }

    #[test]
    fn values_of_circles_are_those_of_a_game_that_is_drawn_if_it_goes_on() {
        let mut random = fastrand::Rng::with_seed(48);
        for _ in 0..200 {
            let exits: Vec<(usize, &str, i32)> = [(0, "2g2f"), (1, "7a6b"), (2, "3h1h"), (3, "7a6b")]
                .into_iter()
                .filter(|_| random.bool())
                .collect::<Vec<_>>()
                .into_iter()
                .map(|(ply, exit)| (ply, exit, random.i32(-3..=3)))
                .collect();
            // Ten times round, and then a draw.
            let mut value = 0;
            let mut values = [0; 4];
            for ply in (0..40).rev() {
                let leaving = exits.iter().filter(|exit| exit.0 == ply % 4).map(|exit| exit.2).max();
                value = leaving.map_or(-value, |leaving| leaving.max(-value));
                values[ply % 4] = value;
            }
            let graph = circle(random.usize(..4), &exits);
            for ply in 0..4 {
                let place = graph.places[&format::key(&after(&CIRCLE[..ply].join(" ")))];
                assert_eq!(
                    graph.nodes[place].best().map(|best| best.entry.value),
                    exits.first().map(|_| values[ply])
                );
            }
        }
    }

    #[test]
    fn the_built_in_book_is_min_maxed() {
        let book = crate::book::Book::built_in().unwrap();
        let entries = book.entries().unwrap();
        let mut graph = BookGraph::new();
        for (key, number, moves) in &entries {
            graph.add_entry(key, *number, moves);
        }
        let places = graph.by_games();
        assert_eq!(places.len(), entries.len());
        // Where the book ends, a search has said what the move that leads there has.
        let ends: Vec<(Place, BookMove)> = places
            .iter()
            .flat_map(|&place| &graph.nodes[place].edges)
            .filter(|edge| !graph.nodes[edge.to].is_in_book)
            .map(|edge| (edge.to, edge.entry))
            .collect();
        for (place, BookMove { value, depth, reply, .. }) in ends {
            let lines = reply.map(|reply| (reply, None)).into_iter().collect();
            graph.set_thought(place, Thought { value: -value, depth, lines });
        }
        graph.min_max();
        for (place, (key, _, moves)) in entries.iter().map(|entry| (graph.places[entry.0], entry)) {
            let found: Vec<BookMove> = graph.nodes[place].edges.iter().map(|edge| edge.entry).collect();
            assert_eq!(found, *moves, "{key}");
        }
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
