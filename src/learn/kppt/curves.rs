//! A drawing of losses and agreement by epoch.

use std::error::Error;
use std::io::Write;
use std::path::Path;

use super::measure::Row;
use crate::learn::plot::{self, Captions, Curve};
use crate::util::atomic_file::write_atomically;

const SIZE: (u32, u32) = (900, 1400);

/// Writes a drawing with the training loss and, by file, the held-back losses of judged positions and of choices, and the
/// agreement.
///
/// # Errors
/// When it cannot be drawn or written.
pub fn write(history: &[Row], names: &[String], path: &Path) -> Result<(), String> {
    let text = draw(history, names).map_err(|error| format!("{}: {error}", path.display()))?;
    write_atomically(path, |file| file.write_all(text.as_bytes())).map_err(|error| error.to_string())
}

fn draw(history: &[Row], names: &[String]) -> Result<String, Box<dyn Error>> {
    let epochs = epochs(history);
    let points = |of: &dyn Fn(&Row) -> Option<f64>| -> Vec<(i32, f64)> {
        epochs.iter().zip(history).filter_map(|(&epoch, row)| Some((epoch as i32, of(row)?))).collect()
    };
    let by_file = |of: &dyn Fn(&Row, usize) -> Option<f64>| -> Vec<Curve> {
        let points = |file: usize| points(&|row| of(row, file));
        let all =
            names.iter().enumerate().map(|(file, name)| Curve { name: name.clone(), points: points(file) });
        all.filter(|curve| !curve.points.is_empty()).collect()
    };
    let training = vec![Curve { name: String::new(), points: points(&|row| row.training) }];
    let judged = by_file(&|row, file| {
        row.held_back.get(file).filter(|measure| measure.judged > 0).map(|measure| measure.judged_loss)
    });
    let choices = by_file(&|row, file| {
        row.held_back.get(file).filter(|measure| measure.choices > 0).map(|measure| measure.choice_loss)
    });
    let agreement =
        by_file(&|row, file| row.agreement.as_ref()?.get(file).copied().filter(|share| share.is_finite()));
    let charts = [
        ("Training loss", "mean loss", training),
        ("Judged positions held back: loss above the least", "mean loss", judged),
        ("Choices held back: alternatives ahead of the played move", "alternatives", choices),
        ("Moves held back: agreement with the best move", "share", agreement),
    ];
    let last = epochs.iter().copied().max().unwrap_or(0).max(1) as i32;
    plot::drawing(SIZE, |area| {
        for (area, (title, y, curves)) in area.split_evenly((charts.len(), 1)).iter().zip(&charts) {
            let values = || curves.iter().flat_map(|curve| curve.points.iter().map(|&(_, value)| value));
            let (least, most) = (values().fold(f64::MAX, f64::min), values().fold(f64::MIN, f64::max));
            if least > most {
                continue;
            }
            let room = ((most - least) * 0.1).max(1e-4);
            let captions = Captions { title, x: "epochs of all rounds", y };
            let ranges = (0..last, least - room..most + room);
            plot::curves(area, captions, ranges, curves)?;
        }
        Ok(())
    })
}

/// After how many epochs of all rounds each row was measured. A round begins where the one before ended, with new leaves.
fn epochs(history: &[Row]) -> Vec<u32> {
    let (mut before, mut last) = (0, (0, 0));
    let count = |row: &Row| {
        if row.round != last.0 {
            before += last.1;
        }
        last = (row.round, row.epoch);
        before + row.epoch
    };
    history.iter().map(count).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::kppt::measure::Measure;

    #[test]
    fn rounds_follow_one_another() {
        let row =
            |(round, epoch)| Row { round, epoch, training: None, held_back: Vec::new(), agreement: None };
        let history = [(1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (2, 2), (3, 0)].map(row);
        assert_eq!(epochs(&history), [0, 1, 2, 2, 3, 4, 4]);
    }

    #[test]
    fn the_training_loss_is_drawn_where_nothing_is_held_back() {
        let rows = |training: Option<f64>| {
            let held_back = vec![Measure::default()];
            [Row { round: 1, epoch: 1, training, held_back, agreement: None }]
        };
        let names = ["games.usi".to_string()];
        let drawn = |training| draw(&rows(training), &names).unwrap().contains("Training loss");
        assert!(drawn(Some(0.5)) && !drawn(None));
    }
}
