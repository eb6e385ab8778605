//! The values of games, drawn.

use std::error::Error;

use super::game::{Game, Outcome};
use crate::learn::plot::{self, Bundle, Captions};
use crate::shogi::color::Color;

/// Values beyond this are as good as won.
const EDGE: i32 = 3000;

/// So many moves share one point of the median.
const STEP: i32 = 10;

/// The values of a player's games and of his games' results.
struct Curves {
    won: Vec<Vec<(i32, f64)>>,
    drawn: Vec<Vec<(i32, f64)>>,
    lost: Vec<Vec<(i32, f64)>>,
    unfinished: Vec<Vec<(i32, f64)>>,
}

/// Draws the values that the player `name` sent, from the player's side: a curve for each game, and the median of the games
/// won, lost, drawn and without a result. `None` where no game has values.
///
/// # Errors
/// When it cannot be drawn.
pub fn draw(games: &[Game], name: &str) -> Result<Option<String>, Box<dyn Error>> {
    let mut curves = Curves { won: Vec::new(), drawn: Vec::new(), lost: Vec::new(), unfinished: Vec::new() };
    for game in games {
        let Some(color) = game.color_of(name) else { continue };
        let own_side = |value: i32| if color == Color::Black { value } else { value.saturating_neg() };
        let points: Vec<(i32, f64)> = game.values[color]
            .iter()
            .map(|&(number, value)| (number, f64::from(own_side(value).clamp(-EDGE, EDGE))))
            .collect();
        let group = match game.outcome {
            Outcome::Won(winner) if winner == color => &mut curves.won,
            Outcome::Won(_) => &mut curves.lost,
            Outcome::Drawn => &mut curves.drawn,
            Outcome::Unfinished => &mut curves.unfinished,
        };
        if !points.is_empty() {
            group.push(points);
        }
    }
    let bundles = [
        ("won", curves.won),
        ("lost", curves.lost),
        ("drawn", curves.drawn),
        ("without a result", curves.unfinished),
    ]
    .map(|(word, curves)| Bundle {
        name: format!("{word}: {}", curves.len()),
        middle: medians(&curves),
        curves,
    });
    let last =
        bundles.iter().flat_map(|bundle| bundle.curves.iter().flatten()).map(|&(number, _)| number).max();
    let Some(last) = last else { return Ok(None) };
    let title = format!("Values of {name}, game by game, and their median by result");
    let captions = Captions { title: &title, x: "move", y: "value for the player (a pawn is 100)" };
    let edge = f64::from(EDGE);
    plot::drawing(plot::SIZE, |area| plot::bundles(area, captions, (0..last + 1, -edge..edge), &bundles))
        .map(Some)
}

/// The median of all values of each step of moves, as far as a quarter of the games goes: beyond that it would be that of
/// a few long games.
fn medians(curves: &[Vec<(i32, f64)>]) -> Vec<(i32, f64)> {
    let last = curves.iter().flatten().map(|&(number, _)| number).max().unwrap_or(0);
    let mut medians = Vec::new();
    for begin in (0..=last).step_by(STEP as usize) {
        let step = begin..begin + STEP;
        let of_step = |curve: &Vec<(i32, f64)>| curve.iter().any(|(number, _)| step.contains(number));
        if curves.iter().filter(|curve| of_step(curve)).count() * 4 < curves.len() {
            break;
        }
        let mut values: Vec<f64> = curves
            .iter()
            .flatten()
            .filter(|(number, _)| step.contains(number))
            .map(|&(_, value)| value)
            .collect();
        values.sort_by(f64::total_cmp);
        if let (Some(low), Some(high)) =
            (values.get(values.len().saturating_sub(1) / 2), values.get(values.len() / 2))
        {
            medians.push((begin + STEP / 2, f64::midpoint(*low, *high)));
        }
    }
    medians
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_goes_as_far_as_a_quarter_of_the_games() {
        let game = |value: f64, moves: i32| (1..moves).step_by(2).map(|number| (number, value)).collect();
        let mut games: Vec<Vec<(i32, f64)>> =
            vec![game(100.0, 30), game(200.0, 30), game(900.0, 20), game(0.0, 60)];
        assert_eq!(medians(&games[..3]), [(5, 200.0), (15, 200.0), (25, 150.0)]);
        // One of four games goes on, which is a quarter.
        assert_eq!(medians(&games).last(), Some(&(55, 0.0)));
        games.push(game(0.0, 10));
        assert_eq!(medians(&games).last(), Some(&(25, 100.0)));
        assert_eq!(medians(&[]), []);
    }
}
