//! The paper's table 3 for ours: in how many positions each kind of search finds the stated move, by threshold, and in
//! what time.
//!
//!     cargo run --release --example next_moves -- nextmove/sunfish4_32.txt nextmove/shogihome_lab_222.txt
//!
//! A line of a file is an SFEN, a tab, the best move, and what else it has after another tab. One thread, and each
//! position by itself.

mod common;

use std::error::Error;
use std::sync::Arc;
use std::time::{Duration, Instant};

use common::{AS_IN_THE_PAPER, Setting};
use jitsugen::eval::compact;
use jitsugen::search::hash_moves::HashMoveTable;
use jitsugen::search::{self, Control, Line, Memory, Policy, SearchRequest};
use jitsugen::shogi::moves::Move;
use jitsugen::shogi::position::Position;
use jitsugen::shogi::sfen;

/// Each kind of search, and the last of its four iterations that are told of.
const SEARCHES: [(&str, Policy, &[Setting], u32); 3] = [
    ("realization probability", Policy::RealizationProbability, &[], 7),
    ("realization probability as in the paper", Policy::RealizationProbability, AS_IN_THE_PAPER, 5),
    ("depth, plausible moves near leaves", Policy::Depth, &[], 7),
];

/// Iterations that are told of.
const ROWS: usize = 4;

/// What a search has found by the end of an iteration, in one position or in all.
#[derive(Clone, Copy, Default)]
struct Row {
    right: usize,
    nodes: u64,
    time: Duration,
}

struct Watching {
    wanted: Move,
    begin: Instant,
    first: u32,
    /// What was found last.
    latest: Row,
    /// By iteration, from the first that is told of.
    rows: Vec<Row>,
}

impl Control for Watching {
    fn stops(&mut self, _: u64) -> bool {
        false
    }

    fn found(&mut self, line: &Line) {
        let right = usize::from(line.moves[0] == self.wanted);
        self.latest = Row { right, nodes: line.nodes, time: self.begin.elapsed() };
        if line.depth >= self.first {
            self.rows.push(self.latest);
        }
    }

    fn starts(&mut self, _: u32) -> bool {
        true
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let files: Vec<String> = std::env::args().skip(1).collect();
    if files.is_empty() {
        return Err("expected files of positions with their best moves".into());
    }
    let weights = Arc::new(compact::built_in()?.expand()?);
    for file in files {
        let problems = read(&file)?;
        println!("{file}: {} positions", problems.len());
        for (name, policy, settings, last) in SEARCHES {
            let params = common::params(settings)?;
            let mut sums = [Row::default(); ROWS];
            for (position, wanted) in &problems {
                let table = Arc::new(HashMoveTable::new(16));
                let mut memory = Memory::new(32 << 20);
                let request = SearchRequest {
                    policy,
                    params,
                    depth: last,
                    ..SearchRequest::new(position, &weights, &table)
                };
                let mut watching = Watching {
                    wanted: *wanted,
                    begin: Instant::now(),
                    first: last + 1 - ROWS as u32,
                    latest: Row::default(),
                    rows: Vec::new(),
                };
                search::think(&request, &mut memory, &mut watching);
                // A search that knows the end of the game goes to no further iteration.
                watching.rows.resize(ROWS, watching.latest);
                for (sum, row) in sums.iter_mut().zip(&watching.rows) {
                    sum.right += row.right;
                    sum.nodes += row.nodes;
                    sum.time += row.time;
                }
            }
            println!("{name}");
            for (iteration, Row { right, nodes, time }) in (last + 1 - ROWS as u32..).zip(sums) {
                println!(
                    "  iteration {iteration}: {right:3} right, {nodes:10} nodes, {:6.1} s",
                    time.as_secs_f64()
                );
            }
        }
    }
    Ok(())
}

/// Positions and their best moves.
fn read(file: &str) -> Result<Vec<(Position, Move)>, Box<dyn Error>> {
    let text = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
    let mut problems = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let place = |error: &dyn std::fmt::Display| format!("{file}, line {number}: {error}");
        let mut fields = line.split('\t');
        let position = sfen::parse(fields.next().unwrap_or_default()).map_err(|error| place(&error))?;
        let wanted = fields.next().ok_or_else(|| place(&"expected a move after a tab"))?;
        problems.push((position, wanted.parse().map_err(|error| place(&error))?));
    }
    Ok(problems)
}
