//! The distributions as drawings.

use std::error::Error;

use super::{Bin, Histogram, Statistics};
use crate::learn::plot::{self, Captions};

/// The name of a drawing and its text, which is SVG.
pub type Plot = (&'static str, String);

/// The names.
pub const NAMES: [&str; 3] = ["score.svg", "ply.svg", "result.svg"];

/// Draws how the scores and the numbers of moves are distributed, and how games ended by score.
///
/// # Errors
/// When something cannot be drawn.
pub fn draw(statistics: &Statistics) -> Result<[Plot; 3], Box<dyn Error>> {
    let count = |bin: &Bin| bin.count as f64;
    let result = |bin: &Bin| bin.mean_result().unwrap_or(0.0);
    let [score, ply, mean] = NAMES;
    let by_score =
        Captions { title: "Positions by score", x: "score, in units (a pawn is 90)", y: "positions" };
    let by_ply = Captions { title: "Positions by number of the move", x: "move", y: "positions" };
    let by_result = Captions {
        title: "Mean result by score",
        x: "score, in units (a pawn is 90)",
        y: "mean result (1 won, -1 lost)",
    };
    Ok([
        (score, bars(by_score, &statistics.scores, count)?),
        (ply, bars(by_ply, &statistics.plies, count)?),
        (mean, bars(by_result, &statistics.scores, result)?),
    ])
}

fn bars(
    captions: Captions,
    histogram: &Histogram,
    height: impl Fn(&Bin) -> f64,
) -> Result<String, Box<dyn Error>> {
    let heights: Vec<f64> = histogram.bins().map(|bin| height(&bin)).collect();
    // The bins at the ends stand where ones of the same width would.
    let begin = histogram.from - histogram.width;
    plot::drawing(plot::SIZE, |area| plot::bars(area, captions, begin, histogram.width, &heights))
}
