//! Losses and agreement as curves.

use std::io::Write;
use std::path::Path;

use plotters::prelude::*;

use super::measure::Row;
use crate::whole_file::write_whole;

/// How a drawing begins.
pub const MAGIC: &[u8] = b"<svg";

const SIZE: (u32, u32) = (900, 1000);
const COLORS: [RGBColor; 6] = [BLUE, RED, GREEN, MAGENTA, CYAN, BLACK];

/// Writes a drawing with the held-back losses of judged positions, those of choices, and the agreement, by file.
///
/// # Errors
/// When it cannot be drawn or written.
pub fn write(history: &[Row], names: &[String], path: &Path) -> Result<(), String> {
    let text = draw(history, names).map_err(|error| format!("{}: {error}", path.display()))?;
    write_whole(path, |file| file.write_all(text.as_bytes())).map_err(|error| error.to_string())
}

/// A name, and numbers of epochs with values.
type Curve = (String, Vec<(f64, f64)>);

fn draw(history: &[Row], names: &[String]) -> Result<String, Box<dyn std::error::Error>> {
    let curves = |of: &dyn Fn(&Row, usize) -> Option<f64>| -> Vec<Curve> {
        let points = |file: usize| {
            let rows = history.iter().enumerate();
            rows.filter_map(|(place, row)| Some((place as f64, of(row, file)?))).collect()
        };
        let all = names.iter().enumerate().map(|(file, name)| (name.clone(), points(file)));
        all.filter(|(_, points): &Curve| !points.is_empty()).collect()
    };
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
            "held-back judged positions: loss above the least",
            "held-back choices: alternatives ahead",
            "held-back moves that are best",
        ];
        let epochs = history.len().max(2) as f64 - 1.0;
        for ((area, title), curves) in
            root.split_evenly((3, 1)).iter().zip(titles).zip([judged, choices, agreement])
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
                .build_cartesian_2d(0.0..epochs, least - room..most + room)?;
            chart.configure_mesh().x_desc("epoch").draw()?;
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
