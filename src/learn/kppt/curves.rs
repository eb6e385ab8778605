//! Losses and agreement as curves.

use std::io::Write;
use std::path::Path;

use plotters::prelude::*;

use super::measure::Row;
use crate::util::atomic_file::write_atomically;

/// How a drawing begins.
pub const MAGIC: &[u8] = b"<svg";

const SIZE: (u32, u32) = (900, 1300);
const COLORS: [RGBColor; 6] = [BLUE, RED, GREEN, MAGENTA, CYAN, BLACK];

/// Writes a drawing with the loss on what is learned from and, by file, the held-back losses of judged positions, those of
/// choices, and the agreement.
///
/// # Errors
/// When it cannot be drawn or written.
pub fn write(history: &[Row], names: &[String], path: &Path) -> Result<(), String> {
    let text = draw(history, names).map_err(|error| format!("{}: {error}", path.display()))?;
    write_atomically(path, |file| file.write_all(text.as_bytes())).map_err(|error| error.to_string())
}

/// A name, and numbers of epochs with values.
type Curve = (String, Vec<(f64, f64)>);

fn draw(history: &[Row], names: &[String]) -> Result<String, Box<dyn std::error::Error>> {
    let epochs = epochs(history);
    let points = |of: &dyn Fn(&Row) -> Option<f64>| -> Vec<(f64, f64)> {
        epochs.iter().zip(history).filter_map(|(&epoch, row)| Some((f64::from(epoch), of(row)?))).collect()
    };
    let curves = |of: &dyn Fn(&Row, usize) -> Option<f64>| -> Vec<Curve> {
        let points = |file: usize| points(&|row| of(row, file));
        let all = names.iter().enumerate().map(|(file, name)| (name.clone(), points(file)));
        all.filter(|(_, points): &Curve| !points.is_empty()).collect()
    };
    let learned = vec![("all".to_string(), points(&|row| row.training))];
    let judged = curves(&|row, file| {
        row.held_back.get(file).filter(|measure| measure.judged > 0).map(|measure| measure.judged_loss)
    });
    let choices = curves(&|row, file| {
        row.held_back.get(file).filter(|measure| measure.choices > 0).map(|measure| measure.choice_loss)
    });
    let agreement =
        curves(&|row, file| row.agreement.as_ref()?.get(file).copied().filter(|share| share.is_finite()));
    let mut text = String::new();
    {
        let root = SVGBackend::with_string(&mut text, SIZE).into_drawing_area();
        root.fill(&WHITE)?;
        let titles = [
            "what is learned from: loss on the way",
            "held-back judged positions: loss above the least",
            "held-back choices: alternatives ahead",
            "held-back moves that are best",
        ];
        let last = f64::from(epochs.iter().copied().max().unwrap_or(0).max(1));
        for ((area, title), curves) in
            root.split_evenly((4, 1)).iter().zip(titles).zip([learned, judged, choices, agreement])
        {
            let values = || curves.iter().flat_map(|(_, points)| points.iter().map(|&(_, value)| value));
            let (least, most) = (values().fold(f64::MAX, f64::min), values().fold(f64::MIN, f64::max));
            if least > most {
                continue;
            }
            let room = ((most - least) * 0.1).max(1e-4);
            let mut chart = ChartBuilder::on(area)
                .caption(title, ("sans-serif", 18))
                .margin(10)
                .x_label_area_size(30)
                .y_label_area_size(70)
                .build_cartesian_2d(0.0..last, least - room..most + room)?;
            chart.configure_mesh().x_desc("epochs, of all rounds").draw()?;
            for (nth, (name, points)) in curves.into_iter().enumerate() {
                let color = COLORS[nth % COLORS.len()];
                chart
                    .draw_series(LineSeries::new(points, &color))?
                    .label(name)
                    .legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], color));
            }
            chart.configure_series_labels().border_style(BLACK).background_style(WHITE).draw()?;
        }
        root.present()?;
    }
    Ok(text)
}

/// After how many epochs of all rounds each row was measured. A round begins where the one before has ended, with other
/// leaves.
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
    fn what_is_learned_from_is_drawn_where_nothing_is_held_back() {
        let rows = |training: Option<f64>| {
            let held_back = vec![Measure::default()];
            [Row { round: 1, epoch: 1, training, held_back, agreement: None }]
        };
        let names = ["games.usi".to_string()];
        let drawn = |training| draw(&rows(training), &names).unwrap().contains("what is learned from");
        assert!(drawn(Some(0.5)) && !drawn(None));
    }
}
