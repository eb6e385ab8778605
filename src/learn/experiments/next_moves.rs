//! The paper's table 3 for our search: in how many positions each kind of search finds the best move, by iteration, and
//! in what time.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::search_kinds::Kind;
use crate::eval::weights::Weights;
use crate::search::hash_moves::HashMoveTable;
use crate::search::{self, Control, Line, Memory, SearchRequest};
use crate::shogi::moves::Move;
use crate::shogi::position::Position;
use crate::shogi::sfen;
use crate::util::input_file;

/// The number of iterations that are shown: the last ones.
pub const ROWS: usize = 4;

/// A position and its best move.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The position.
    pub position: Position,
    /// Its best move.
    pub best: Move,
}

/// What a search has found by the end of an iteration, in one position or in all.
#[derive(Clone, Copy, Default, Debug)]
pub struct Row {
    /// Positions in which it has the best move.
    pub right: usize,
    /// Nodes from the beginning.
    pub nodes: u64,
    /// Time from the beginning.
    pub time: Duration,
}

/// Notes what the iterations of a search find.
struct IterationRecorder {
    best: Move,
    begin: Instant,
    first: u32,
    /// What was found last.
    latest: Row,
    /// By iteration, from the first that is shown.
    rows: Vec<Row>,
}

impl Control for IterationRecorder {
    fn stops(&mut self, _: u64) -> bool {
        false
    }

    fn found(&mut self, line: &Line) {
        let right = usize::from(line.moves[0] == self.best);
        self.latest = Row { right, nodes: line.nodes, time: self.begin.elapsed() };
        if line.depth >= self.first {
            self.rows.push(self.latest);
        }
    }

    fn starts(&mut self, _: u32) -> bool {
        true
    }
}

/// Searches every position by itself, with one thread, and adds up what the last iterations find. `progress` is called
/// after each position.
pub fn measure(
    problems: &[Problem],
    kind: Kind,
    weights: &Arc<Weights>,
    mut progress: impl FnMut(),
) -> [Row; ROWS] {
    let mut sums = [Row::default(); ROWS];
    for Problem { position, best } in problems {
        let table = Arc::new(HashMoveTable::new(16));
        let mut memory = Memory::new(32 << 20);
        let request = SearchRequest {
            policy: kind.policy,
            params: kind.params,
            depth: kind.last,
            ..SearchRequest::new(position, weights, &table)
        };
        let mut recorder = IterationRecorder {
            best: *best,
            begin: Instant::now(),
            first: first(kind),
            latest: Row::default(),
            rows: Vec::new(),
        };
        search::think(&request, &mut memory, &mut recorder);
        // A search that knows the end of the game stops after an earlier iteration.
        recorder.rows.resize(ROWS, recorder.latest);
        for (sum, row) in sums.iter_mut().zip(&recorder.rows) {
            sum.right += row.right;
            sum.nodes += row.nodes;
            sum.time += row.time;
        }
        progress();
    }
    sums
}

/// The first iteration that is shown.
pub const fn first(kind: Kind) -> u32 {
    kind.last + 1 - ROWS as u32
}

/// Reads positions and their best moves: a line has an SFEN, a tab, the move, and anything after another tab.
///
/// # Errors
/// Which file cannot be read, or which line is wrong.
pub fn read(path: &Path) -> Result<Vec<Problem>, String> {
    let file = path.display();
    let text = input_file::read_text(path).map_err(|error| format!("{file}: {error}"))?;
    let mut problems = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let wrong = |error: &dyn std::fmt::Display| format!("{file}: line {number}: {error}");
        let mut fields = line.split('\t');
        let position = sfen::parse(fields.next().unwrap_or_default()).map_err(|error| wrong(&error))?;
        let best = fields.next().ok_or_else(|| wrong(&"expected a move after a tab"))?;
        let best: Move = best.parse().map_err(|error| wrong(&error))?;
        if !position.is_legal(best) {
            return Err(wrong(&format_args!("{best}: expected a legal move")));
        }
        problems.push(Problem { position, best });
    }
    if problems.is_empty() {
        return Err(format!("{file}: expected positions, one a line"));
    }
    Ok(problems)
}
