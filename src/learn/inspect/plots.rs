//! The distributions as pictures.

use std::error::Error;

use plotters::prelude::*;

use super::{Bin, Histogram, Statistics};

/// A picture's name and its text, which is SVG.
pub type Plot = (&'static str, String);

/// The names.
pub const NAMES: [&str; 3] = ["score.svg", "ply.svg", "result.svg"];

/// How the scores are distributed, how the numbers of moves are, and how games ended by score.
///
/// # Errors
/// When something cannot be drawn.
pub fn draw(statistics: &Statistics) -> Result<[Plot; 3], Box<dyn Error>> {
    let count = |bin: &Bin| bin.count as f64;
    let result = |bin: &Bin| bin.mean_result().unwrap_or(0.0);
    let [score, ply, mean] = NAMES;
    Ok([
        (score, bars("Positions by score", &statistics.scores, count)?),
        (ply, bars("Positions by number of the move", &statistics.plies, count)?),
        (mean, bars("Mean result (1 won, -1 lost) by score", &statistics.scores, result)?),
    ])
}

fn bars(title: &str, histogram: &Histogram, height: impl Fn(&Bin) -> f64) -> Result<String, Box<dyn Error>> {
    let mut text = String::new();
    {
        let root = SVGBackend::with_string(&mut text, (900, 500)).into_drawing_area();
        root.fill(&WHITE)?;
        let heights: Vec<f64> = histogram.bins().map(|bin| height(&bin)).collect();
        let least = heights.iter().copied().fold(0.0, f64::min) * 1.05;
        let most = heights.iter().copied().fold(0.0, f64::max) * 1.05;
        // An empty range has no scale.
        let most = if most - least > 0.0 { most } else { 1.0 };
        // The bins at the ends stand where ones of the same width would.
        let begin = histogram.from - histogram.width;
        let end = begin + histogram.width * heights.len() as i32;
        let mut chart = ChartBuilder::on(&root)
            .caption(title, ("sans-serif", 22))
            .margin(12)
            .x_label_area_size(36)
            .y_label_area_size(80)
            .build_cartesian_2d(begin..end, least..most)?;
        chart.configure_mesh().disable_x_mesh().draw()?;
        chart.draw_series((begin..).step_by(histogram.width as usize).zip(heights).map(
            |(left, height)| {
                Rectangle::new([(left, 0.0), (left + histogram.width, height)], BLUE.mix(0.6).filled())
            },
        ))?;
        root.present()?;
    }
    Ok(text)
}
