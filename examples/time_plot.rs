//! Simulates how time is spent: walks through recorded games as if the engine had to move in each position, with a clock
//! that runs by nodes, and plots the time of each move.
//!
//!     cargo run --release --example time_plot -- games.usi docs/experiments/time.svg
//!
//! The clock is virtual, so that the plot does not depend on the machine: SPEED nodes are a second. Both sides spend by the
//! engine's own rules, each from a clock of its own; no move may take more than it has.

use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use jitsugen::engine::clock::{self, Plan, TimePolicy};
use jitsugen::engine::limits::{Limits, TimeControl};
use jitsugen::engine::time_manager::TimeManager;
use jitsugen::eval::compact;
use jitsugen::record::{self, Format};
use jitsugen::search::hash_moves::HashMoveTable;
use jitsugen::search::{self, Control, Line, Memory, SearchRequest};
use jitsugen::shogi::color::PerColor;
use jitsugen::shogi::generate;
use plotters::prelude::*;

/// Nodes in a second of the virtual clock: little, so that a game is played through in seconds.
const SPEED: f64 = 300.0;

/// Games that are walked through.
const GAMES: usize = 5;

/// What the simulation shows.
const CONTROLS: [(&str, u64, u64, u64); 4] = [
    ("10 min sudden death", 600, 0, 0),
    ("5 min + 5 s a move", 300, 5, 0),
    ("2 min, then byoyomi 10 s", 120, 0, 10),
    ("byoyomi 5 s", 0, 0, 5),
];

struct Virtual {
    plan: Plan,
    time_manager: TimeManager,
    nodes: u64,
    moved: bool,
}

impl Virtual {
    fn elapsed(&self) -> Duration {
        Duration::from_secs_f64(self.nodes as f64 / SPEED)
    }
}

impl Control for Virtual {
    fn stops(&mut self, nodes: u64) -> bool {
        self.nodes = nodes;
        self.moved && self.time_manager.must_stop(&self.plan, self.elapsed())
    }

    fn found(&mut self, line: &Line) {
        self.nodes = line.nodes;
        self.moved = true;
        self.time_manager.finished(line.moves[0], line.value);
    }

    fn improved(&mut self, lines: &[Line]) {
        self.moved = true;
        self.time_manager.improved(lines[0].value);
    }

    fn starts(&mut self, depth: u32) -> bool {
        self.time_manager.may_start(&self.plan, self.elapsed(), depth)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, games, plot] = arguments.as_slice() else {
        return Err("expected a file of games and the name of the plot".into());
    };
    let games = record::read_each(&std::fs::read(games)?, Format::of_path(Path::new(games)));
    let games: Vec<_> = games
        .into_iter()
        .flatten()
        .filter(|game| (80..250).contains(&game.moves().len()))
        .take(GAMES)
        .collect();
    let weights = Arc::new(compact::built_in()?.expand()?);
    let table = Arc::new(HashMoveTable::new(16));
    let mut memory = Memory::new(32 << 20);
    let mut curves = Vec::new();
    for (name, main, increment, byoyomi) in CONTROLS {
        // Seconds and number of moves, by move number.
        let mut spent: Vec<(f64, u32)> = Vec::new();
        let mut least_left = f64::INFINITY;
        for game in &games {
            let mut left = PerColor([Duration::from_secs(main); 2]);
            let mut position = game.start_position();
            for (ply, mv) in game.moves().enumerate() {
                let side = position.side();
                let clock = TimeControl {
                    time: left,
                    increment: PerColor([Duration::from_secs(increment); 2]),
                    byoyomi: Duration::from_secs(byoyomi),
                };
                let limits = Limits { clock: Some(clock), ..Limits::default() };
                let policy = TimePolicy::default();
                let plan = clock::plan(&limits, side, position.move_number(), policy, Duration::ZERO)
                    .ok_or("a clock has a plan")?;
                let sole_move = generate::all_legal(&position).len() == 1;
                let mut control = Virtual {
                    plan,
                    time_manager: TimeManager::new(sole_move, false),
                    nodes: 0,
                    moved: false,
                };
                let nodes = (plan.stop.as_secs_f64() * SPEED) as u64;
                let request = SearchRequest { nodes, ..SearchRequest::new(&position, &weights, &table) };
                search::think(&request, &mut memory, &mut control);
                let time = control.elapsed();
                if spent.len() <= ply {
                    spent.push((0.0, 0));
                }
                spent[ply].0 += time.as_secs_f64();
                spent[ply].1 += 1;
                let usable = left[side] + Duration::from_secs(increment + byoyomi);
                least_left = least_left.min(usable.as_secs_f64() - time.as_secs_f64());
                if time > usable {
                    return Err(format!("{name}: a move took {time:?} of {usable:?}").into());
                }
                let paid = time.saturating_sub(Duration::from_secs(byoyomi));
                let paid = if left[side] >= time { time } else { paid };
                left[side] = left[side].saturating_sub(paid) + Duration::from_secs(increment);
                position.play(mv, &mut ());
            }
        }
        println!("{name}: least left {least_left:.2} s");
        curves.push((name, spent));
    }
    draw(plot, &curves)
}

/// The mean of ten moves at a time.
fn smoothed(spent: &[(f64, u32)]) -> Vec<(f64, f64)> {
    let group = |(index, group): (usize, &[(f64, u32)])| {
        let (seconds, moves) = group.iter().fold((0.0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        (index as f64 * 10.0 + 5.0, seconds / f64::from(moves.max(1)))
    };
    spent.chunks(10).take(16).enumerate().map(group).collect()
}

fn draw(path: &str, curves: &[(&str, Vec<(f64, u32)>)]) -> Result<(), Box<dyn Error>> {
    let root = SVGBackend::new(path, (900, 480)).into_drawing_area();
    root.fill(&WHITE)?;
    let highest = curves.iter().flat_map(|(_, spent)| smoothed(spent)).map(|(_, y)| y).fold(1.0, f64::max);
    let mut chart = ChartBuilder::on(&root)
        .caption("Time spent by move number", ("sans-serif", 20))
        .margin(10)
        .x_label_area_size(40)
        .y_label_area_size(50)
        .build_cartesian_2d(0.0..160.0, 0.0..highest * 1.1)?;
    chart.configure_mesh().x_desc("move of the game").y_desc("seconds (mean of ten moves)").draw()?;
    for ((name, spent), color) in curves.iter().zip([BLUE, RED, GREEN, MAGENTA]) {
        chart
            .draw_series(LineSeries::new(smoothed(spent), color.stroke_width(2)))?
            .label(*name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], color.stroke_width(2)));
    }
    chart.configure_series_labels().border_style(BLACK).background_style(WHITE).draw()?;
    root.present()?;
    Ok(())
}
