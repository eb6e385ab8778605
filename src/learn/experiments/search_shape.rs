//! What searches look like: how deep their leaves lie, and how many nodes each iteration takes, in the manner of YSS
//! 7.0's table 7.

use std::error::Error;
use std::sync::Arc;

use super::search_kinds::Kind;
use crate::eval::weights::Weights;
use crate::learn::plot::{self, Captions, Curve, IntoLogRange};
use crate::search::hash_moves::HashMoveTable;
use crate::search::{self, Control, Line, MAX_PLY, Memory, SearchRequest};
use crate::shogi::position::Position;

/// A search that has taken so many nodes goes to no further iteration.
const NODES: u64 = 300_000;

/// The least share of the leaves that is shown, in percent.
const LEAST: f64 = 0.005;

/// What one kind of search does in all positions.
#[derive(Clone, Debug)]
pub struct Shape {
    /// By ply, the share of the leaves in percent, in the last whole iteration of each position.
    pub leaves: Vec<f64>,
    /// The iterations that all positions have finished, with the nodes from the beginning (geometric mean).
    pub nodes: Vec<(i32, f64)>,
}

/// The counts behind a shape.
#[derive(Default)]
struct Counts {
    /// Leaves by ply, in the last whole iteration of each position.
    leaves: Vec<u64>,
    /// By iteration: the sum of the logarithms of the nodes from the beginning, and the number of positions.
    nodes: Vec<(f64, u32)>,
}

/// Counts the leaves of one search by ply, and its nodes by iteration.
struct LeafCounter<'a> {
    counts: &'a mut Counts,
    running: Vec<u64>,
    last_whole: Vec<u64>,
    iteration: u32,
    stopped: bool,
}

impl Control for LeafCounter<'_> {
    fn stops(&mut self, nodes: u64) -> bool {
        self.stopped = nodes >= 4 * NODES;
        self.stopped
    }

    fn leaf(&mut self, ply: usize) {
        self.running[ply] += 1;
    }

    fn found(&mut self, line: &Line) {
        if self.stopped {
            return;
        }
        self.last_whole = std::mem::replace(&mut self.running, vec![0; MAX_PLY + 1]);
        let index = self.iteration as usize;
        if self.counts.nodes.len() <= index {
            self.counts.nodes.resize(index + 1, (0.0, 0));
        }
        self.counts.nodes[index].0 += (line.nodes as f64).ln();
        self.counts.nodes[index].1 += 1;
        self.stopped = line.nodes >= NODES;
    }

    fn starts(&mut self, iteration: u32) -> bool {
        self.iteration = iteration;
        !self.stopped
    }
}

/// The shape of one kind of search over all positions. `progress` is called after each position.
pub fn measure(
    positions: &[Position],
    kind: Kind,
    weights: &Arc<Weights>,
    mut progress: impl FnMut(),
) -> Shape {
    let mut counts = Counts { leaves: vec![0; MAX_PLY + 1], ..Counts::default() };
    for position in positions {
        // Nothing is known from the position before, so that their order does not matter.
        let table = Arc::new(HashMoveTable::new(16));
        let mut memory = Memory::new(32 << 20);
        let request = SearchRequest {
            policy: kind.policy,
            params: kind.params,
            ..SearchRequest::new(position, weights, &table)
        };
        let mut counter = LeafCounter {
            counts: &mut counts,
            running: vec![0; MAX_PLY + 1],
            last_whole: Vec::new(),
            iteration: 0,
            stopped: false,
        };
        search::think(&request, &mut memory, &mut counter);
        let last_whole = counter.last_whole;
        counts.leaves.iter_mut().zip(last_whole).for_each(|(sum, leaves)| *sum += leaves);
        progress();
    }
    let all = counts.leaves.iter().sum::<u64>().max(1) as f64;
    // Iterations that only the easy positions have finished would not stand for all.
    let finished =
        counts.nodes.iter().enumerate().filter(|(_, (_, count))| *count as usize == positions.len());
    Shape {
        leaves: counts.leaves.iter().map(|&leaves| 100.0 * leaves as f64 / all).collect(),
        nodes: finished
            .map(|(iteration, (logarithms, count))| {
                (iteration as i32, (logarithms / f64::from(*count)).exp())
            })
            .collect(),
    }
}

impl Shape {
    /// The mean ply of a leaf.
    pub fn mean_ply(&self) -> f64 {
        self.leaves.iter().enumerate().map(|(ply, share)| ply as f64 * share / 100.0).sum()
    }

    /// The ply of the deepest leaf.
    pub fn deepest(&self) -> usize {
        self.leaves.iter().rposition(|&share| share > 0.0).unwrap_or(0)
    }

    /// The plies with a share of leaves that is worth showing.
    pub fn shown_leaves(&self) -> impl Iterator<Item = (usize, f64)> {
        self.leaves.iter().copied().enumerate().filter(|&(_, share)| share >= LEAST)
    }
}

/// Draws where the leaves of each kind of search lie.
///
/// # Errors
/// When it cannot be drawn.
pub fn draw_leaves(shapes: &[(Kind, Shape)]) -> Result<String, Box<dyn Error>> {
    let last = shapes.iter().filter_map(|(_, shape)| shape.shown_leaves().last()).map(|(ply, _)| ply);
    let last = last.max().unwrap_or(1);
    let highest = shapes.iter().flat_map(|(_, shape)| &shape.leaves).copied().fold(1.0, f64::max);
    let curve = |(kind, shape): &(Kind, Shape)| Curve {
        name: kind.name.to_string(),
        points: (0..).zip(shape.leaves[..=last].iter().copied()).collect(),
    };
    let curves: Vec<Curve> = shapes.iter().map(curve).collect();
    let captions = Captions {
        title: "Where leaves lie in the last whole iteration",
        x: "plies from the root",
        y: "% of the leaves",
    };
    plot::drawing(plot::SIZE, |area| {
        let ranges = (0..last as i32 + 1, 0.0..highest * 1.1);
        plot::curves(area, captions, ranges, &curves)
    })
}

/// Draws how many nodes each kind of search takes to the end of an iteration.
///
/// # Errors
/// When it cannot be drawn.
pub fn draw_nodes(shapes: &[(Kind, Shape)]) -> Result<String, Box<dyn Error>> {
    let points = || shapes.iter().flat_map(|(_, shape)| shape.nodes.iter().copied());
    let last = points().map(|(iteration, _)| iteration).max().unwrap_or(1);
    let most = points().map(|(_, nodes)| nodes).fold(10.0, f64::max);
    let curve =
        |(kind, shape): &(Kind, Shape)| Curve { name: kind.name.to_string(), points: shape.nodes.clone() };
    let curves: Vec<Curve> = shapes.iter().map(curve).collect();
    let captions = Captions {
        title: "Nodes from the beginning to the end of an iteration (geometric mean)",
        x: "iteration: plies, or pairs of bits (a threshold of 4 to the power of minus the number)",
        y: "nodes",
    };
    plot::drawing(plot::SIZE, |area| {
        let ranges = (0..last + 1, (10.0..most * 2.0).log_scale());
        plot::curves(area, captions, ranges, &curves)
    })
}
