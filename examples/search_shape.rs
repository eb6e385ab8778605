//! Shows what the two searches look like: how deep their leaves lie, and how many nodes each iteration takes.
//!
//!     cargo run --release --example search_shape -- balanced36.sfen docs
//!
//! The file has positions as USI has them (`startpos moves ...`) or as SFEN, one a line; every 25th is searched. The
//! folder gets leaf-depth.svg and nodes-by-threshold.svg, in the manner of YSS 7.0's table 7.

mod common;

use std::error::Error;
use std::path::Path;
use std::sync::Arc;

use common::{AS_IN_THE_PAPER, Setting};
use jitsugen::eval::compact;
use jitsugen::learn::selfplay::openings::Openings;
use jitsugen::search::hash_moves::HashMoveTable;
use jitsugen::search::{self, Control, Line, MAX_PLY, Memory, Policy, SearchRequest};
use jitsugen::shogi::position::Position;
use plotters::prelude::*;

/// One position of so many is searched.
const EVERY: usize = 25;

/// A search that is not through with its iteration by then goes to no further one.
const NODES: u64 = 300_000;

/// All kinds of search, the first also without what the paper has not.
const SEARCHES: [(&str, Policy, &[Setting]); 3] = [
    ("realization probability", Policy::RealizationProbability, &[]),
    ("realization probability as in the paper", Policy::RealizationProbability, AS_IN_THE_PAPER),
    ("depth, plausible moves near leaves", Policy::Depth, &[]),
];

/// What one kind of search has done in all positions.
#[derive(Default)]
struct Shape {
    /// Leaves by their ply, of the last whole iteration of each position.
    leaves: Vec<u64>,
    /// By iteration: the sum of the logarithms of the nodes from the beginning, and of how many positions.
    nodes: Vec<(f64, u32)>,
}

struct Watching<'a> {
    shape: &'a mut Shape,
    running: Vec<u64>,
    last_whole: Vec<u64>,
    iteration: u32,
    stopped: bool,
}

impl Control for Watching<'_> {
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
        if self.shape.nodes.len() <= index {
            self.shape.nodes.resize(index + 1, (0.0, 0));
        }
        self.shape.nodes[index].0 += (line.nodes as f64).ln();
        self.shape.nodes[index].1 += 1;
        self.stopped = line.nodes >= NODES;
    }

    fn starts(&mut self, iteration: u32) -> bool {
        self.iteration = iteration;
        !self.stopped
    }
}

/// The shape of one kind of search over all positions.
fn measure(positions: &[Position], policy: Policy, settings: &[Setting]) -> Result<Shape, Box<dyn Error>> {
    let weights = Arc::new(compact::built_in()?.expand()?);
    let params = common::params(settings)?;
    let mut shape = Shape { leaves: vec![0; MAX_PLY + 1], ..Shape::default() };
    for position in positions {
        // Nothing is known from the position before, so that their order does not matter.
        let table = Arc::new(HashMoveTable::new(16));
        let mut memory = Memory::new(32 << 20);
        let request = SearchRequest { policy, params, ..SearchRequest::new(position, &weights, &table) };
        let mut watching = Watching {
            shape: &mut shape,
            running: vec![0; MAX_PLY + 1],
            last_whole: Vec::new(),
            iteration: 0,
            stopped: false,
        };
        search::think(&request, &mut memory, &mut watching);
        let last_whole = watching.last_whole;
        shape.leaves.iter_mut().zip(last_whole).for_each(|(sum, leaves)| *sum += leaves);
    }
    Ok(shape)
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, positions, folder] = arguments.as_slice() else {
        return Err("expected a file of positions and the folder for the plots".into());
    };
    let (openings, bad) = Openings::parse(&std::fs::read_to_string(positions)?);
    if let Some(bad) = bad.first() {
        return Err(format!("{positions}, {bad}").into());
    }
    let positions: Vec<Position> =
        (0..openings.len()).step_by(EVERY).map(|nth| openings.get(nth).1.position().clone()).collect();
    let mut shapes = Vec::new();
    for (name, policy, settings) in SEARCHES {
        let shape = measure(&positions, policy, settings)?;
        let all = shape.leaves.iter().sum::<u64>().max(1) as f64;
        let shares: Vec<f64> = shape.leaves.iter().map(|&leaves| 100.0 * leaves as f64 / all).collect();
        let deepest = shape.leaves.iter().rposition(|&leaves| leaves > 0).unwrap_or(0);
        // Iterations that every position has finished, so that the easy ones do not stand for all.
        let nodes: Vec<(f64, f64)> = shape
            .nodes
            .iter()
            .enumerate()
            .filter(|(_, (_, count))| *count as usize == positions.len())
            .map(|(iteration, (logarithms, count))| {
                (iteration as f64, (logarithms / f64::from(*count)).exp())
            })
            .collect();
        let mean: f64 = shares.iter().enumerate().map(|(ply, share)| ply as f64 * share / 100.0).sum();
        println!("{name}: mean ply of a leaf {mean:.1}, deepest {deepest}");
        shares.iter().enumerate().filter(|(_, share)| **share >= 0.005).for_each(|(ply, share)| {
            println!("  ply {ply:2}: {share:5.2}%");
        });
        nodes.iter().for_each(|(iteration, nodes)| println!("  iteration {iteration}: {nodes:.0} nodes"));
        shapes.push((name, shares, nodes));
    }
    draw_leaves(&Path::new(folder).join("leaf-depth.svg"), &shapes)?;
    draw_nodes(&Path::new(folder).join("nodes-by-threshold.svg"), &shapes)
}

/// A name, shares of leaves in percent by ply, and mean nodes by iteration.
type Drawn<'a> = (&'a str, Vec<f64>, Vec<(f64, f64)>);

const COLORS: [RGBColor; 3] = [BLUE, GREEN, RED];

fn draw_leaves(path: &Path, shapes: &[Drawn]) -> Result<(), Box<dyn Error>> {
    let root = SVGBackend::new(path, (900, 480)).into_drawing_area();
    root.fill(&WHITE)?;
    let seen = |shares: &Vec<f64>| shares.iter().rposition(|&share| share >= 0.005).unwrap_or(1);
    let last = shapes.iter().map(|(_, shares, _)| seen(shares)).max().unwrap_or(1);
    let highest = shapes.iter().flat_map(|(_, shares, _)| shares).copied().fold(1.0, f64::max);
    let mut chart = ChartBuilder::on(&root)
        .caption("Where leaves lie in the last whole iteration", ("sans-serif", 20))
        .margin(10)
        .x_label_area_size(40)
        .y_label_area_size(50)
        .build_cartesian_2d(0.0..last as f64 + 1.0, 0.0..highest * 1.1)?;
    chart.configure_mesh().x_desc("plies from the root").y_desc("% of the leaves").draw()?;
    for ((name, shares, _), color) in shapes.iter().zip(COLORS) {
        let points = shares.iter().take(last + 1).enumerate().map(|(ply, &share)| (ply as f64, share));
        chart
            .draw_series(LineSeries::new(points, color.stroke_width(2)))?
            .label(*name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], color.stroke_width(2)));
    }
    chart.configure_series_labels().border_style(BLACK).background_style(WHITE).draw()?;
    root.present()?;
    Ok(())
}

fn draw_nodes(path: &Path, shapes: &[Drawn]) -> Result<(), Box<dyn Error>> {
    let root = SVGBackend::new(path, (900, 480)).into_drawing_area();
    root.fill(&WHITE)?;
    let points = || shapes.iter().flat_map(|(_, _, nodes)| nodes);
    let last = points().map(|point| point.0).fold(1.0, f64::max);
    let most = points().map(|point| point.1).fold(10.0, f64::max);
    let mut chart = ChartBuilder::on(&root)
        .caption("Nodes from the beginning to the end of an iteration (geometric mean)", ("sans-serif", 20))
        .margin(10)
        .x_label_area_size(40)
        .y_label_area_size(70)
        .build_cartesian_2d(0.0..last + 1.0, (10.0..most * 2.0).log_scale())?;
    chart
        .configure_mesh()
        .x_desc("iteration: plies, or pairs of bits (a threshold of 4 to the power of minus the number)")
        .y_desc("nodes")
        .draw()?;
    for ((name, _, nodes), color) in shapes.iter().zip(COLORS) {
        chart
            .draw_series(LineSeries::new(nodes.iter().copied(), color.stroke_width(2)).point_size(3))?
            .label(*name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], color.stroke_width(2)));
    }
    chart.configure_series_labels().border_style(BLACK).background_style(WHITE).draw()?;
    root.present()?;
    Ok(())
}
