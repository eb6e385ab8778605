//! Draws how a game went: the engine's own value of every position, from Black's side.
//!
//!     cargo run --release --example analysis_graph -- docs/guide/first-game.kif 20000 docs/guide/first-game.svg

use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use jitsugen::engine::limits::Limits;
use jitsugen::engine::observer::{Answer, Info, Observer};
use jitsugen::engine::player::Player;
use jitsugen::record::{self, Format};
use jitsugen::search::value::Mate;
use jitsugen::shogi::color::Color;
use parking_lot::Mutex;
use plotters::prelude::*;
use plotters::style::Color as _;

/// Values beyond are as good as won.
const EDGE: i32 = 3000;

/// Keeps the last value.
#[derive(Default)]
struct Ear(Mutex<i32>);

impl Observer for Ear {
    fn info(&self, info: &Info) {
        *self.0.lock() = info.line.value.centipawns();
    }
    fn settled(&self, mate: Mate) {
        *self.0.lock() = if matches!(mate, Mate::Gives(_)) { EDGE } else { -EDGE };
    }
    fn note(&self, _: &str) {}
    fn still_there(&self) {}
    fn answer(&self, _: Answer) {}
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, path, nodes, plot] = arguments.as_slice() else {
        return Err("expected a game record, nodes for each position, and the name of the plot".into());
    };
    let nodes = Some(nodes.parse()?);
    let games = record::read(&std::fs::read(path)?, Format::of_path(Path::new(path)))?;
    let game = games.first().ok_or("no game in the file")?;
    let ear = Arc::new(Ear::default());
    let mut player = Player::new(Arc::clone(&ear) as Arc<dyn Observer>);
    player.prepare();
    let mut position = game.start_position();
    let mut values = Vec::new();
    for mv in game.moves() {
        player.set_position(Ok(position.clone()));
        player.go(Limits { nodes, ..Limits::default() }, Instant::now());
        player.wait();
        let value = *ear.0.lock();
        values.push(if position.side() == Color::Black { value } else { -value }.clamp(-EDGE, EDGE));
        position.play(mv, &mut ());
    }
    let root = SVGBackend::new(plot, (900, 360)).into_drawing_area();
    root.fill(&WHITE)?;
    let names = |color| game.players()[color].as_deref().unwrap_or("?");
    let title = format!("{} – {}", names(Color::Black), names(Color::White));
    let mut chart = ChartBuilder::on(&root)
        .caption(title, ("sans-serif", 18))
        .margin(10)
        .x_label_area_size(35)
        .y_label_area_size(55)
        .build_cartesian_2d(0..values.len() as i32, -EDGE..EDGE)?;
    chart.configure_mesh().x_desc("move").y_desc("value for Black (pawn = 90)").draw()?;
    let points = values.iter().enumerate().map(|(ply, &value)| (ply as i32, value));
    chart.draw_series(LineSeries::new(points, BLUE.stroke_width(2)))?;
    chart.draw_series(LineSeries::new([(0, 0), (values.len() as i32, 0)], BLACK))?;
    root.present()?;
    Ok(())
}
