//! Incremental generation of moves (Suzuki, Inui and Kotani), measured: docs/internals/incremental-generation.md explains
//! it, docs/experiments/072-incremental-generation.md has the results.
//!
//!     cargo bench --bench incremental                                the paper's experiment, some minutes
//!     cargo bench --bench incremental -- --games games.usi           on games of a file
//!     cargo bench --bench incremental -- --plot new.svg              with a drawing
//!     cargo bench --bench incremental -- --prices                    prices of moves in searches of the engine

mod alpha_beta;
mod cpu_time;
mod games;
mod move_lists;
mod prices;
mod reach;
mod types;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use alpha_beta::{Limits, Material, Random};
use clap::Parser;
use jitsugen::learn::plot::{self, Captions, Curve};
use jitsugen::shogi::generate;
use jitsugen::shogi::position::Position;
use jitsugen::util::atomic_file::write_atomically;
use types::{Cost, Way};

/// The paper's figure for types 3 and 4: nodes a second relative to type 1.
const PAPER: f64 = 1.28;

/// Compares ways to generate moves.
#[derive(Parser)]
struct Arguments {
    /// A file of games; without it the bench plays games with itself.
    #[arg(long, value_name = "FILE")]
    games: Option<PathBuf>,
    /// How many games.
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..))]
    count: u32,
    /// Only each N-th position of a game.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,
    /// Depths in plies.
    #[arg(long, value_name = "PLIES", num_args = 1.., default_values_t = [3, 4, 5, 6, 7])]
    depths: Vec<u32>,
    /// Nodes after which the search of a position ends.
    #[arg(long, value_name = "N", default_value_t = 2000)]
    nodes: u64,
    /// Only these ways, such as walking-1, bitboards-3 or engine.
    #[arg(long, value_name = "WAY", num_args = 1.., value_parser = way)]
    ways: Vec<Way>,
    /// Searches with the values of pieces only, or with random values only.
    #[arg(long, value_name = "VALUES", value_parser = ["material", "random"])]
    values: Option<String>,
    /// Looks at prices of moves instead, in so many searches of the engine.
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "24")]
    prices: Option<usize>,
    /// Nodes of each of those.
    #[arg(long, value_name = "N", default_value_t = 200_000)]
    price_nodes: u64,
    /// Makes lists at leaves as well.
    #[arg(long)]
    lists_at_leaves: bool,
    /// Draws nodes a second by depth.
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// `cargo bench` says this to every bench.
    #[arg(long, hide = true)]
    bench: bool,
}

fn way(name: &str) -> Result<Way, String> {
    let known = || Way::ALL.map(Way::name).join(", ");
    Way::ALL.into_iter().find(|way| way.name() == name).ok_or_else(|| format!("expected one of {}", known()))
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<(), String> {
    let count = arguments.count as usize;
    let games = match &arguments.games {
        Some(path) => games::of_file(path, count)?,
        None => games::played(count),
    };
    describe(&games);
    if let Some(searches) = arguments.prices {
        // From all of the games, and from all parts of a game.
        let positions: Vec<&Position> = games.iter().flatten().collect();
        let step = (positions.len() / searches.max(1)).max(1);
        let roots: Vec<&Position> =
            positions.into_iter().skip(step / 2).step_by(step).take(searches).collect();
        return prices::measure(&roots, arguments.price_nodes);
    }
    let every = arguments.every as usize;
    let games: Vec<Vec<Position>> =
        games.into_iter().map(|game| game.into_iter().step_by(every).collect()).collect();
    let ways = if arguments.ways.is_empty() { Way::ALL.to_vec() } else { arguments.ways.clone() };
    let mut charts = Vec::new();
    for values in ["random", "material"] {
        if arguments.values.as_deref().is_some_and(|wanted| wanted != values) {
            continue;
        }
        let mut ratios = vec![Vec::new(); ways.len()];
        for &depth in &arguments.depths {
            let limits = Limits { depth, nodes: arguments.nodes, lists_at_leaves: arguments.lists_at_leaves };
            let costs = match values {
                "random" => types::measure::<Random>(&games, &ways, limits),
                _ => types::measure::<Material>(&games, &ways, limits),
            };
            report(values, depth, &ways, &costs);
            for (way, ratios) in ratios.iter_mut().enumerate() {
                if let Some((ratio, _)) = relative(way, &ways, &costs) {
                    ratios.push((depth as i32, ratio));
                }
            }
        }
        // The drawing has colours for the types and the paper.
        let drawn = |way: Way| way.baseline() != way && way != Way::Engine;
        let curve = |(way, points): (&Way, _)| Curve { name: way.name(), points };
        let curves = ways.iter().zip(ratios).filter(|(way, _)| drawn(**way)).map(curve).collect();
        charts.push((values, curves));
    }
    match &arguments.plot {
        Some(path) => draw(path, arguments, charts),
        None => Ok(()),
    }
}

/// What the games are like, beside the paper's.
fn describe(games: &[Vec<Position>]) {
    let positions: usize = games.iter().map(Vec::len).sum();
    let moves: u64 = games.iter().flatten().map(|position| u64::from(generate::count_legal(position))).sum();
    println!(
        "{} games, {positions} positions: {:.0} plies a game (paper: 97), {:.0} moves a position (paper: 82)",
        games.len(),
        positions as f64 / games.len() as f64,
        moves as f64 / positions.max(1) as f64
    );
    println!("time: {}", if cpu_time::is_of_processor() { "of the processor" } else { "of the wall" });
}

fn report(values: &str, depth: u32, ways: &[Way], costs: &[Vec<Cost>]) {
    println!("\n{values} values, depth {depth}");
    println!("{:<14}{:>12}{:>14}  relative to type 1", "", "nodes", "nodes/s");
    for (way, row) in costs.iter().enumerate() {
        let nodes: u64 = row.iter().map(|cost| cost.nodes).sum();
        let time: f64 = row.iter().map(|cost| cost.time.as_secs_f64()).sum();
        let ratio = relative(way, ways, costs)
            .map_or(String::new(), |(ratio, spread)| format!("{ratio:.3} ± {spread:.3}"));
        println!("{:<14}{nodes:>12}{:>14.0}  {ratio}", ways[way].name(), nodes as f64 / time.max(1e-9));
    }
}

/// Nodes a second of a way relative to its baseline, if that was measured and is another one.
fn relative(way: usize, ways: &[Way], costs: &[Vec<Cost>]) -> Option<(f64, f64)> {
    let baseline = ways.iter().position(|other| *other == ways[way].baseline())?;
    (baseline != way).then(|| types::speed_ratio(&costs[way], &costs[baseline]))
}

/// Draws a chart for each kind of values.
fn draw(path: &Path, arguments: &Arguments, charts: Vec<(&str, Vec<Curve>)>) -> Result<(), String> {
    let (Some(&first), Some(&last)) = (arguments.depths.iter().min(), arguments.depths.iter().max()) else {
        return Ok(());
    };
    let (first, last) = (first as i32, last as i32);
    let ratios = charts.iter().flat_map(|(_, curves)| curves).flat_map(|curve| &curve.points);
    let (least, most) =
        ratios.fold((1.0, PAPER), |(least, most): (f64, f64), point| (least.min(point.1), most.max(point.1)));
    let drawing = plot::drawing((1200, 480), |area| {
        let areas = area.split_evenly((1, charts.len()));
        for (area, (values, mut curves)) in areas.iter().zip(charts) {
            curves.push(Curve { name: "the paper".to_string(), points: vec![(first, PAPER), (last, PAPER)] });
            let title = format!("{values} values");
            let captions =
                Captions { title: &title, x: "depth (plies)", y: "nodes a second relative to type 1" };
            plot::curves(area, captions, (first..last, least * 0.95..most * 1.05), &curves)?;
        }
        Ok(())
    });
    let text = drawing.map_err(|error| error.to_string())?;
    write_atomically(path, |file| file.write_all(text.as_bytes())).map_err(|error| error.to_string())
}
