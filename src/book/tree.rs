//! What a book knows from a position on, as a tree for people: as text, and as a drawing.

use std::cmp::Reverse;
use std::fmt::Write;

use super::choice::ChoiceOptions;
use super::{Book, BookError, BookMove};
use crate::record;
use crate::shogi::color::Color;
use crate::shogi::position::Position;
use crate::shogi::square::Square;

/// How a drawing begins.
pub const MAGIC: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" data-by=\"Jitsugen book\"";

/// The size of a drawing without its margin, and the height of the line above it.
const WIDTH: f64 = 1200.0;
const HEIGHT: f64 = 900.0;
const HEAD: f64 = 44.0;

/// The least height of a move that is drawn, and of one that has text.
const LEAST_HEIGHT: f64 = 1.5;
const TEXT_HEIGHT: f64 = 13.0;

/// The value at which a colour is full, in hundredths of a pawn.
const FULL_COLOR: f64 = 200.0;

/// How much of a book a tree has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TreeLimits {
    /// How many plies it goes on.
    pub plies: usize,
    /// How many moves a position has at most: the most played ones, and of these the best.
    pub moves: usize,
    /// How often a move was played at least.
    pub least: u64,
}

/// The moves of a book from a position on.
pub struct Tree {
    /// The side to move in the position.
    side: Color,
    branches: Vec<Branch>,
}

struct Branch {
    entry: BookMove,
    /// As people write the move: `▲７六歩`.
    words: String,
    branches: Vec<Branch>,
}

impl Tree {
    /// The part of `book` that the limits allow, from `position` on.
    ///
    /// # Errors
    /// When the book is broken at one of the positions.
    pub fn new(book: &Book, position: &Position, limits: TreeLimits) -> Result<Tree, BookError> {
        Ok(Tree { side: position.side(), branches: grow(book, position, None, limits)? })
    }

    /// One move a line, each below the one that it follows.
    pub fn text(&self) -> String {
        let mut text = String::new();
        write_branches(&self.branches, "", &mut text);
        text
    }

    /// A drawing (SVG): a column a ply, each move as high as its share of the games, in the colour of the side that it is
    /// good for.
    pub fn draw(&self, title: &str) -> String {
        let plies = self.branches.iter().map(Branch::plies).max().unwrap_or(1);
        // Writing to a string does not fail.
        let mut text = String::new();
        let _ = writeln!(
            text,
            "{MAGIC} viewBox=\"0 0 {WIDTH} {}\" font-family=\"sans-serif\" font-size=\"12\">\n\
             <rect width=\"{WIDTH}\" height=\"{}\" fill=\"#fff\"/>\n\
             <text x=\"4\" y=\"18\" font-size=\"15\">{}</text>\n\
             <text x=\"4\" y=\"36\" fill=\"#444\">Each column is a ply, each height a share of the games. Blue: good for Black; \
             orange: good for White. Numbers are values for the side that moves.</text>",
            HEIGHT + HEAD,
            HEIGHT + HEAD,
            title.replace('&', "&amp;").replace('<', "&lt;"),
        );
        let column = WIDTH / plies as f64;
        draw_branches(&self.branches, self.side, (0.0, HEAD, column, HEIGHT), &mut text);
        text.push_str("</svg>\n");
        text
    }
}

impl Branch {
    fn plies(&self) -> usize {
        1 + self.branches.iter().map(Branch::plies).max().unwrap_or(0)
    }

    fn weight(&self) -> f64 {
        self.entry.count.max(1) as f64
    }
}

fn grow(
    book: &Book,
    position: &Position,
    last_to: Option<Square>,
    limits: TreeLimits,
) -> Result<Vec<Branch>, BookError> {
    if limits.plies == 0 {
        return Ok(Vec::new());
    }
    let mut moves = book.look_up(position, &ChoiceOptions::default())?;
    moves.retain(|entry| entry.count >= limits.least);
    moves.sort_by_key(|entry| (Reverse(entry.count), Reverse(entry.value), entry.mv.word()));
    moves.truncate(limits.moves);
    let mut branches = Vec::new();
    for entry in moves {
        let words = record::words(position, entry.mv, last_to);
        let mut after = position.clone();
        after.play(entry.mv, &mut ());
        let limits = TreeLimits { plies: limits.plies - 1, ..limits };
        branches.push(Branch { entry, words, branches: grow(book, &after, Some(entry.mv.to()), limits)? });
    }
    Ok(branches)
}

fn write_branches(branches: &[Branch], indent: &str, text: &mut String) {
    for (index, branch) in branches.iter().enumerate() {
        let is_last = index + 1 == branches.len();
        let (mark, below) = if is_last { ("└ ", "  ") } else { ("├ ", "│ ") };
        let BookMove { mv, value, depth, count, results, .. } = branch.entry;
        let _ = write!(text, "{indent}{mark}{} {mv}", branch.words);
        if depth > 0 {
            let _ = write!(text, "  {value:+} (depth {depth})");
        }
        if count > 0 {
            let _ = write!(text, "  played {count}");
        }
        if let Some(score) = results.score() {
            let _ = write!(text, ", scored {:.0}%", score * 100.0);
        }
        text.push('\n');
        write_branches(&branch.branches, &format!("{indent}{below}"), text);
    }
}

/// Draws moves of `side` into a place: left, top, the width of a column, the height.
fn draw_branches(branches: &[Branch], side: Color, place: (f64, f64, f64, f64), text: &mut String) {
    let (left, mut top, column, whole) = place;
    let total: f64 = branches.iter().map(Branch::weight).sum();
    for branch in branches {
        let height = whole * branch.weight() / total;
        if height >= LEAST_HEIGHT {
            let BookMove { mv, value, depth, count, results, .. } = branch.entry;
            let value_text = if depth > 0 { format!(" {value:+}") } else { String::new() };
            let score = results.score().map(|score| format!(", scored {:.0}%", score * 100.0));
            let _ = writeln!(
                text,
                "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{column:.1}\" height=\"{height:.1}\" fill=\"{}\" \
                 stroke=\"#fff\"><title>{} {mv}{value_text}, played {count}{}</title></rect>",
                fill(value, side, depth > 0),
                branch.words,
                score.unwrap_or_default(),
            );
            if height >= TEXT_HEIGHT {
                let _ = writeln!(
                    text,
                    "<text x=\"{:.1}\" y=\"{:.1}\" pointer-events=\"none\">{}{value_text}</text>",
                    left + 4.0,
                    top + height / 2.0 + 4.0,
                    branch.words,
                );
            }
            draw_branches(&branch.branches, !side, (left + column, top, column, height), text);
        }
        top += height;
    }
}

/// The colour of a move: blue if it is good for Black, orange for White, grey without a value.
fn fill(value: i32, side: Color, is_known: bool) -> String {
    if !is_known {
        return "#e4e4e4".into();
    }
    let for_black = if side == Color::Black { value } else { -value };
    let share = (f64::from(for_black) / FULL_COLOR).clamp(-1.0, 1.0);
    let full: [f64; 3] = if share > 0.0 { [86.0, 180.0, 233.0] } else { [230.0, 159.0, 0.0] };
    let [r, g, b] = full.map(|part| (245.0 + (part - 245.0) * share.abs()).round() as u8);
    format!("#{r:02x}{g:02x}{b:02x}")
}
