//! The style that all drawings share: SVG, white, colours that colour-blind people can tell apart, ticks at whole
//! numbers, horizontal lines only, and the legend inside the frame, where it hides least.

use std::error::Error;
use std::ops::Range;

use plotters::coord::Shift;
use plotters::coord::ranged1d::{AsRangedCoord, Ranged, ValueFormatter};
pub use plotters::prelude::IntoLogRange;
use plotters::prelude::*;

/// How a drawing begins.
pub const MAGIC: &[u8] = HEAD.as_bytes();

/// The mark by which a drawing is known for ours.
const HEAD: &str = "<svg data-by=\"Jitsugen plot\"";

/// The size of a drawing with one chart.
pub const SIZE: (u32, u32) = (900, 480);

/// Okabe and Ito 2008, "Color universal design", without the yellow, which is hard to see on white.
const COLORS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(230, 159, 0),
    BLACK,
];

const GRID: RGBColor = RGBColor(221, 221, 221);

/// A part of a drawing that has room for a chart.
pub type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// The texts at a chart.
#[derive(Clone, Copy, Debug)]
pub struct Captions<'a> {
    /// Above it.
    pub title: &'a str,
    /// Along the horizontal axis.
    pub x: &'a str,
    /// Along the vertical axis.
    pub y: &'a str,
}

/// A line of a chart: its name, and its points from left to right.
#[derive(Clone, PartialEq, Debug)]
pub struct Curve {
    /// What the legend says; empty where the title says it all.
    pub name: String,
    /// Where it goes.
    pub points: Vec<(i32, f64)>,
}

/// Curves that belong together: pale ones, and one that stands for them.
#[derive(Clone, PartialEq, Debug)]
pub struct Bundle {
    /// What the legend says.
    pub name: String,
    /// The pale curves.
    pub curves: Vec<Vec<(i32, f64)>>,
    /// The one that stands for them.
    pub middle: Vec<(i32, f64)>,
}

/// The SVG text of a drawing.
///
/// # Errors
/// Those of `draw`.
pub fn drawing(
    size: (u32, u32),
    draw: impl FnOnce(&Area) -> Result<(), Box<dyn Error>>,
) -> Result<String, Box<dyn Error>> {
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, size).into_drawing_area();
        area.fill(&WHITE)?;
        draw(&area)?;
        area.present()?;
    }
    Ok(text.replacen("<svg", HEAD, 1))
}

/// Draws curves, with a legend where they have names.
///
/// # Errors
/// When something cannot be drawn.
pub fn curves<Y>(
    area: &Area,
    captions: Captions,
    (x, y): (Range<i32>, Y),
    curves: &[Curve],
) -> Result<(), Box<dyn Error>>
where
    Y: AsRangedCoord<Value = f64>,
    Y::CoordDescType: Ranged<ValueType = f64> + ValueFormatter<f64>,
{
    let mut chart = frame(area, captions, x, y)?;
    for (Curve { name, points }, color) in curves.iter().zip(COLORS.into_iter().cycle()) {
        let style = color.stroke_width(2);
        chart
            .draw_series(LineSeries::new(points.iter().copied(), style))?
            .label(name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], style));
    }
    if curves.iter().any(|curve| !curve.name.is_empty()) {
        let lines: Vec<(&str, &[(i32, f64)])> =
            curves.iter().map(|curve| (curve.name.as_str(), curve.points.as_slice())).collect();
        legend(&mut chart, &lines)?;
    }
    Ok(())
}

/// Draws bundles of curves that have one colour each, with a legend. Bundles without curves are left out.
///
/// # Errors
/// When something cannot be drawn.
pub fn bundles<Y>(
    area: &Area,
    captions: Captions,
    (x, y): (Range<i32>, Y),
    bundles: &[Bundle],
) -> Result<(), Box<dyn Error>>
where
    Y: AsRangedCoord<Value = f64>,
    Y::CoordDescType: Ranged<ValueType = f64> + ValueFormatter<f64>,
{
    let mut chart = frame(area, captions, x, y)?;
    let drawn = || bundles.iter().zip(COLORS).filter(|(bundle, _)| !bundle.curves.is_empty());
    for (bundle, color) in drawn() {
        for curve in &bundle.curves {
            chart.draw_series(LineSeries::new(curve.iter().copied(), color.mix(0.4).stroke_width(1)))?;
        }
    }
    // Above all the pale curves.
    for (Bundle { name, middle, .. }, color) in drawn() {
        let style = color.stroke_width(3);
        chart
            .draw_series(LineSeries::new(middle.iter().copied(), style))?
            .label(name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], style));
    }
    let lines: Vec<(&str, &[(i32, f64)])> =
        drawn().map(|(bundle, _)| (bundle.name.as_str(), bundle.middle.as_slice())).collect();
    legend(&mut chart, &lines)
}

/// Draws the legend of the series that have labels: `lines`, the names of the labels and what should not be hidden.
fn legend<'a, 'b: 'a, R>(
    chart: &mut OnAxes<'a, 'b, R>,
    lines: &[(&str, &[(i32, f64)])],
) -> Result<(), Box<dyn Error>>
where
    R: Ranged<ValueType = f64>,
{
    let to_pixels = |point| chart.plotting_area().map_coordinate(point);
    let pixels: Vec<Vec<(i32, i32)>> =
        lines.iter().map(|(_, points)| points.iter().map(to_pixels).collect()).collect();
    let longest = lines.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    let size = (LEGEND_MARK + longest as i32 * LEGEND_LETTER, LEGEND_EDGE + lines.len() as i32 * LEGEND_LINE);
    let (x, y) = chart.plotting_area().get_pixel_range();
    chart
        .configure_series_labels()
        .position(free_place((x, y), &pixels, size))
        .margin(8)
        .label_font(("sans-serif", 14))
        .border_style(GRID)
        .background_style(WHITE.mix(0.85))
        .draw()?;
    Ok(())
}

/// About the pixels that a legend takes: beside its names, for a letter, above and below, and for a line.
const LEGEND_MARK: i32 = 60;
const LEGEND_LETTER: i32 = 7;
const LEGEND_EDGE: i32 = 20;
const LEGEND_LINE: i32 = 18;

/// The place in a frame for a legend of a size where it hides the least of `lines`.
fn free_place(
    (x, y): (Range<i32>, Range<i32>),
    lines: &[Vec<(i32, i32)>],
    (width, height): (i32, i32),
) -> SeriesLabelPosition {
    use SeriesLabelPosition::{
        LowerLeft, LowerMiddle, LowerRight, MiddleLeft, MiddleRight, UpperLeft, UpperMiddle, UpperRight,
    };
    let (left, middle, right) = (x.start, (x.start + x.end - width) / 2, x.end - width);
    let (top, center, bottom) = (y.start, (y.start + y.end - height) / 2, y.end - height);
    let places = [
        (UpperRight, right, top),
        (UpperLeft, left, top),
        (MiddleRight, right, center),
        (LowerRight, right, bottom),
        (LowerLeft, left, bottom),
        (MiddleLeft, left, center),
        (UpperMiddle, middle, top),
        (LowerMiddle, middle, bottom),
    ];
    let steps = 50;
    let points = || {
        lines.iter().flat_map(|line| line.windows(2)).flat_map(move |ends| {
            let between = move |from: i32, to: i32, step| from + (to - from) * step / steps;
            (0..=steps)
                .map(move |step| (between(ends[0].0, ends[1].0, step), between(ends[0].1, ends[1].1, step)))
        })
    };
    let hidden = |&(_, left, top): &(SeriesLabelPosition, i32, i32)| {
        let (columns, rows) = (left..left + width, top..top + height);
        points().filter(|(x, y)| columns.contains(x) && rows.contains(y)).count()
    };
    places.into_iter().min_by_key(hidden).map_or(UpperRight, |(place, ..)| place)
}

/// Draws bars of one width from `begin` on, with the given heights.
///
/// # Errors
/// When something cannot be drawn.
pub fn bars(
    area: &Area,
    captions: Captions,
    begin: i32,
    width: i32,
    heights: &[f64],
) -> Result<(), Box<dyn Error>> {
    let least = heights.iter().copied().fold(0.0, f64::min) * 1.05;
    let most = heights.iter().copied().fold(0.0, f64::max) * 1.05;
    // An empty range has no scale.
    let most = if most - least > 0.0 { most } else { 1.0 };
    let end = begin + width * heights.len() as i32;
    let mut chart = frame(area, captions, begin..end, least..most)?;
    let lefts = (begin..).step_by(width as usize);
    chart.draw_series(lefts.zip(heights).map(|(left, &height)| {
        Rectangle::new([(left, 0.0), (left + width, height)], COLORS[0].mix(0.7).filled())
    }))?;
    Ok(())
}

/// A chart with numbered steps along the horizontal axis.
type OnAxes<'a, 'b, R> =
    ChartContext<'a, SVGBackend<'b>, Cartesian2d<plotters::coord::types::RangedCoordi32, R>>;

type Frame<'a, 'b, Y> = OnAxes<'a, 'b, <Y as AsRangedCoord>::CoordDescType>;

/// Title, axes and horizontal lines.
fn frame<'a, 'b, Y>(
    area: &'a Area<'b>,
    captions: Captions,
    x: Range<i32>,
    y: Y,
) -> Result<Frame<'a, 'b, Y>, Box<dyn Error>>
where
    Y: AsRangedCoord<Value = f64>,
    Y::CoordDescType: Ranged<ValueType = f64> + ValueFormatter<f64>,
{
    let mut chart = ChartBuilder::on(area)
        .caption(captions.title, ("sans-serif", 20))
        .margin(12)
        .x_label_area_size(44)
        .y_label_area_size(76)
        .build_cartesian_2d(x, y)?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .max_light_lines(1)
        .light_line_style(TRANSPARENT)
        .bold_line_style(GRID)
        .axis_style(BLACK)
        .label_style(("sans-serif", 13))
        .axis_desc_style(("sans-serif", 15))
        .x_labels(12)
        .y_labels(6)
        .x_desc(captions.x)
        .y_desc(captions.y)
        .y_label_formatter(&|value| short(*value))
        .draw()?;
    Ok(chart)
}

/// A number with up to four decimals, without zeros at the end.
fn short(value: f64) -> String {
    let text = format!("{value:.4}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_string() } else { text.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_no_needless_digits() {
        assert_eq!(
            [0.0, -0.00001, 10.0, 0.25, 0.1 + 0.2, -300.0].map(short),
            ["0", "0", "10", "0.25", "0.3", "-300"]
        );
    }

    #[test]
    fn a_legend_appears_where_curves_have_names() {
        let curve = |name: &str| Curve { name: name.to_string(), points: vec![(0, 0.0), (1, 1.0)] };
        let draw = |list: &[Curve]| {
            let captions = Captions { title: "title", x: "x", y: "y" };
            drawing(SIZE, |area| curves(area, captions, (0..1, 0.0..1.0), list)).unwrap()
        };
        let legends = |text: &str| text.matches("<rect").count();
        let [unnamed, first, second] = ["", "first", "second"].map(curve);
        let without = draw(&[unnamed]);
        let both = draw(&[first, second]);
        assert!(both.as_bytes().starts_with(MAGIC) && both.contains("first") && both.contains("second"));
        assert!(legends(&without) < legends(&both));
    }

    #[test]
    fn a_legend_hides_no_curve_where_there_is_room() {
        let place = |line: &[(i32, i32)]| free_place((0..300, 0..200), &[line.to_vec()], (100, 40));
        assert!(matches!(place(&[(0, 190), (300, 190)]), SeriesLabelPosition::UpperRight));
        assert!(matches!(place(&[(0, 190), (300, 10)]), SeriesLabelPosition::UpperLeft));
        assert!(matches!(place(&[(0, 10), (300, 10)]), SeriesLabelPosition::MiddleRight));
    }
}
