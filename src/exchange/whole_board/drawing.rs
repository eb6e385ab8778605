//! The board with arrows: the predicted line, and what else hangs.

use std::fmt::{self, Write};

use super::WholeBoard;
use super::board::Board;
use crate::shogi::color::Color;
use crate::shogi::moves::{Move, Origin};
use crate::shogi::piece::{HandKind, PieceKind};
use crate::shogi::square::Square;

/// How a drawing begins.
pub const MAGIC: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" data-by=\"Jitsugen explanation\"";

/// The side of a square and the margin, in SVG units.
const CELL: i32 = 44;
const MARGIN: i32 = 60;
const TOP: i32 = 30;
const WIDTH: i32 = 2 * MARGIN + 9 * CELL;
const HEIGHT: i32 = 2 * TOP + 9 * CELL + 30;

/// How many moves of the predicted line are drawn: more arrows cannot be told apart.
const SHOWN: usize = 6;

/// Okabe and Ito 2008: Black's moves blue, White's vermilion.
const COLORS: [&str; 2] = ["#0072b2", "#d55e00"];

/// An SVG drawing of a position as Black sees it. Numbered arrows are the predicted line; thin dashed ones are the other
/// profitable moves of the table. Black's are blue, White's vermilion.
pub struct Drawing<'a>(pub &'a WholeBoard<'a>);

impl fmt::Display for Drawing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let WholeBoard { table, .. } = self.0;
        writeln!(
            f,
            "{MAGIC} width=\"{WIDTH}\" height=\"{HEIGHT}\" \
             viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\">"
        )?;
        f.write_str("<defs>")?;
        for (index, color) in COLORS.iter().enumerate() {
            write!(
                f,
                "<marker id=\"head{index}\" viewBox=\"0 0 10 10\" refX=\"8\" refY=\"5\" markerWidth=\"14\" \
                 markerHeight=\"14\" markerUnits=\"userSpaceOnUse\" orient=\"auto\">\
                 <path d=\"M0 0L10 5L0 10z\" fill=\"{color}\"/></marker>"
            )?;
        }
        writeln!(f, "</defs>\n<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>")?;
        grid(f)?;
        pieces(f, &table.board)?;
        hands(f, &table.board)?;
        let line: Vec<_> = self.0.line().moves().take(SHOWN).collect();
        let in_line = |mv: Move| line.iter().any(|step| step.mv == Some(mv));
        for entry in
            table.entries.iter().filter(|entry| entry.active && entry.value > 0 && !in_line(entry.mv))
        {
            arrow(f, entry.side, entry.mv, None)?;
        }
        for (number, step) in (1..).zip(&line) {
            if let Some(mv) = step.mv {
                arrow(f, step.side, mv, Some(number))?;
            }
        }
        let y = HEIGHT - 12;
        let mover = if self.0.side == Color::Black { "Black" } else { "White" };
        let net = table.values.shown(self.0.line().net);
        writeln!(
            f,
            "<text x=\"{MARGIN}\" y=\"{y}\" font-size=\"14\">{mover} to move, net value {net}</text>"
        )?;
        f.write_str("</svg>")
    }
}

/// The middle of a square.
fn middle(square: Square) -> (i32, i32) {
    let column = 8 - i32::from(square.file());
    (MARGIN + column * CELL + CELL / 2, TOP + i32::from(square.rank()) * CELL + CELL / 2)
}

fn grid(f: &mut fmt::Formatter) -> fmt::Result {
    let (right, bottom) = (MARGIN + 9 * CELL, TOP + 9 * CELL);
    let mut path = String::new();
    for n in 0..10 {
        let (x, y) = (MARGIN + n * CELL, TOP + n * CELL);
        write!(path, "M{x} {TOP}V{bottom}M{MARGIN} {y}H{right}")?;
    }
    writeln!(f, "<path d=\"{path}\" stroke=\"#555\" fill=\"none\"/>")?;
    for n in 0..9 {
        let x = MARGIN + (8 - n) * CELL + CELL / 2;
        writeln!(
            f,
            "<text x=\"{x}\" y=\"{}\" font-size=\"13\" text-anchor=\"middle\">{}</text>",
            TOP - 8,
            n + 1
        )?;
        let (letter, y) = ((b'a' + n as u8) as char, TOP + n * CELL + CELL / 2 + 5);
        writeln!(f, "<text x=\"{}\" y=\"{y}\" font-size=\"13\">{letter}</text>", right + 8)?;
    }
    Ok(())
}

/// The character of a piece: one kanji, as on diagrams.
const fn kanji(kind: PieceKind) -> char {
    match kind {
        PieceKind::Pawn => '歩',
        PieceKind::Lance => '香',
        PieceKind::Knight => '桂',
        PieceKind::Silver => '銀',
        PieceKind::Gold => '金',
        PieceKind::Bishop => '角',
        PieceKind::Rook => '飛',
        PieceKind::King => '玉',
        PieceKind::ProPawn => 'と',
        PieceKind::ProLance => '杏',
        PieceKind::ProKnight => '圭',
        PieceKind::ProSilver => '全',
        PieceKind::Horse => '馬',
        PieceKind::Dragon => '竜',
    }
}

fn pieces(f: &mut fmt::Formatter, board: &Board) -> fmt::Result {
    for square in board.occupied() {
        let Some(piece) = board.piece_on(square) else { continue };
        let (x, y) = middle(square);
        let turn = if piece.color == Color::White {
            format!(" transform=\"rotate(180 {x} {y})\"")
        } else {
            String::new()
        };
        let fill = if piece.kind.is_promoted() { "#b00020" } else { "black" };
        writeln!(
            f,
            "<text x=\"{x}\" y=\"{}\" font-size=\"28\" text-anchor=\"middle\" fill=\"{fill}\"{turn}>{}</text>",
            y + 10,
            kanji(piece.kind)
        )?;
    }
    Ok(())
}

fn hands(f: &mut fmt::Formatter, board: &Board) -> fmt::Result {
    for color in Color::ALL {
        let (x, mut y) = hand_place(color);
        for kind in HandKind::ALL.into_iter().rev() {
            let count = board.hand(color).count(kind);
            if count > 0 {
                let number = if count > 1 { count.to_string() } else { String::new() };
                let letter = kanji(kind.piece_kind());
                writeln!(
                    f,
                    "<text x=\"{x}\" y=\"{y}\" font-size=\"18\" text-anchor=\"middle\">{letter}{number}</text>"
                )?;
                y += if color == Color::Black { -22 } else { 22 };
            }
        }
    }
    Ok(())
}

/// Where a side's pieces in hand begin, and where the arrows of its drops do.
const fn hand_place(color: Color) -> (i32, i32) {
    match color {
        Color::Black => (MARGIN + 9 * CELL + 36, TOP + 9 * CELL - 4),
        Color::White => (MARGIN / 2, TOP + 18),
    }
}

fn arrow(f: &mut fmt::Formatter, side: Color, mv: Move, number: Option<u32>) -> fmt::Result {
    let (x1, y1) = match mv.origin() {
        Origin::Board(from) => middle(from),
        Origin::Hand(_) => hand_place(side),
    };
    let (x2, y2) = middle(mv.to());
    let (index, color) = (side.index(), COLORS[side.index()]);
    let style = if number.is_some() {
        "stroke-width=\"4\" opacity=\"0.75\""
    } else {
        "stroke-width=\"1.5\" stroke-dasharray=\"5 4\" opacity=\"0.7\""
    };
    writeln!(
        f,
        "<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" stroke=\"{color}\" {style} marker-end=\"url(#head{index})\"/>"
    )?;
    if let Some(number) = number {
        let (x, y) = ((x1 + 2 * x2) / 3, (y1 + 2 * y2) / 3);
        writeln!(
            f,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"9\" fill=\"{color}\"/><text x=\"{x}\" y=\"{}\" font-size=\"12\" \
             text-anchor=\"middle\" fill=\"white\">{number}</text>",
            y + 4
        )?;
    }
    Ok(())
}
