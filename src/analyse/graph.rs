//! The graph of a game: the value of every position, from Black's side.

use std::fmt::Write;

use super::annotated::fallback_name;
use super::game_analysis::{EDGE, GameAnalysis, Grade};
use crate::shogi::color::Color;

/// How a graph begins.
pub const MAGIC: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" data-by=\"Jitsugen analysis\"";

/// The size of the drawing, and of the frame in it.
const SIZE: (f64, f64) = (900.0, 360.0);
const FRAME: (f64, f64, f64, f64) = (70.0, 40.0, 880.0, 310.0);

/// The colours of curve and grades: those that colour-blind people can tell apart (Okabe and Ito 2008).
const CURVE: &str = "#0072b2";

const fn color(grade: Grade) -> &'static str {
    match grade {
        Grade::Inaccuracy => "#e69f00",
        Grade::Mistake => "#d55e00",
        Grade::Blunder => "#cc0033",
    }
}

/// The drawing (SVG). Values beyond 3,000 are drawn at the edge. A dot marks a mistake, and says what it was.
pub fn draw(analysis: &GameAnalysis) -> String {
    let (left, top, right, bottom) = FRAME;
    let plies = analysis.judgements().len();
    let x = |ply: usize| left + (right - left) * ply as f64 / plies.max(1) as f64;
    let y = |cp: i32| {
        let share = f64::from(cp.clamp(-EDGE, EDGE)) / f64::from(2 * EDGE);
        (top + bottom) / 2.0 - (bottom - top) * share
    };
    // Writing to a string does not fail.
    let mut text = String::new();
    let (width, height) = SIZE;
    let _ = writeln!(
        text,
        "{MAGIC} viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>"
    );
    let names = Color::ALL.map(|color| analysis.name(color, fallback_name(color)));
    let title = escape(&format!("▲ {}   △ {}", names[0], names[1]));
    let _ = writeln!(text, "<text x=\"{left}\" y=\"24\" font-size=\"16\">{title}</text>");
    for cp in (-EDGE..=EDGE).step_by(1000) {
        let (y, shade) = (y(cp), if cp == 0 { "#666" } else { "#ddd" });
        let _ = writeln!(
            text,
            "<line x1=\"{left}\" y1=\"{y:.1}\" x2=\"{right}\" y2=\"{y:.1}\" stroke=\"{shade}\"/>\n\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"#444\">{cp}</text>",
            left - 8.0,
            y + 4.0,
        );
    }
    for ply in (0..=plies).step_by(if plies > 60 { 20 } else { 10 }) {
        let _ = writeln!(
            text,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"#444\">{ply}</text>",
            x(ply),
            bottom + 20.0
        );
    }
    let _ = writeln!(
        text,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"#444\">move; value for Black, a pawn is 100</text>",
        (left + right) / 2.0,
        bottom + 40.0
    );
    let points: Vec<String> = (0..=plies)
        .map(|ply| format!("{:.1},{:.1}", x(ply), y(analysis.value_for_black(ply).cp())))
        .collect();
    let _ = writeln!(
        text,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{CURVE}\" stroke-width=\"2\" stroke-linejoin=\"round\"/>",
        points.join(" ")
    );
    for (ply, judgement) in (1..).zip(analysis.judgements()) {
        let Some(grade) = judgement.grade else { continue };
        let _ = writeln!(
            text,
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"4\" fill=\"{}\"><title>{ply} {}: {}, {} lost</title></circle>",
            x(ply),
            y(analysis.value_for_black(ply).cp()),
            color(grade),
            judgement.words,
            grade.name(),
            judgement.loss,
        );
    }
    text.push_str("</svg>\n");
    text
}

/// Text as XML has it.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
