//! Board diagrams (BOD) of KIF and KI2 files.

use super::error::ReadError;
use super::japanese::{self, piece_on_board};
use crate::shogi::color::Color;
use crate::shogi::piece::{HandKind, Piece};
use crate::shogi::setup::Setup;
use crate::shogi::square::Square;

const ROW: &str = "nine squares between bars, each a blank or v and then a piece or ・";
const HAND: &str = "pieces with their numbers, like 飛　歩十二, or なし";

/// A diagram that is being read.
pub(super) struct Diagram {
    pub setup: Setup,
    rows: u8,
}

impl Diagram {
    pub fn new() -> Diagram {
        Diagram { setup: Setup::EMPTY, rows: 0 }
    }

    /// How many rows were read.
    pub const fn rows(&self) -> u8 {
        self.rows
    }

    /// Reads a row: `|v香v桂 ・ ...|一`.
    pub fn row(&mut self, line: usize, text: &str) -> Result<(), ReadError> {
        let error = |expected| ReadError::unexpected(line, text, expected);
        if self.rows == 9 {
            return Err(error("nine rows at most"));
        }
        let mut rest = text.strip_prefix('|').ok_or_else(|| error(ROW))?;
        for file in (0..9).rev() {
            let (piece, after) = cell(rest).ok_or_else(|| error(ROW))?;
            self.setup.board[Square::new(file, self.rows).index()] = piece;
            rest = after;
        }
        let rank = rest.strip_prefix('|').ok_or_else(|| error(ROW))?.trim();
        // The name of the rank may be missing, but must not be wrong.
        if let Some(named) = rank.chars().next().and_then(japanese::digit)
            && named != self.rows + 1
        {
            return Err(error("the rows in order"));
        }
        self.rows += 1;
        Ok(())
    }

    /// Reads a hand, the text after `先手の持駒：`.
    pub fn hand(&mut self, line: usize, color: Color, text: &str) -> Result<(), ReadError> {
        let error = || ReadError::unexpected(line, text, HAND);
        let mut rest = text.trim();
        if rest == "なし" {
            return Ok(());
        }
        while !rest.is_empty() {
            let (kind, after) = japanese::piece(rest).ok_or_else(error)?;
            let kind = kind.hand_kind().filter(|_| !kind.is_promoted()).ok_or_else(error)?;
            let (count, after) = match after.chars().next() {
                Some(c) if c == '十' || japanese::digit(c).is_some() => {
                    japanese::number(after).ok_or_else(error)?
                }
                _ => (1, after),
            };
            let held = &mut self.setup.hands[color][kind.index()];
            *held = held.saturating_add(count);
            rest = after.trim_start();
        }
        Ok(())
    }
}

/// The content of the square at the start of `text`, and the rest of the text.
fn cell(text: &str) -> Option<(Option<Piece>, &str)> {
    let (color, text) = match text.strip_prefix(['v', 'V', 'ｖ']) {
        Some(rest) => (Color::White, rest),
        None => (Color::Black, text.strip_prefix([' ', '^']).unwrap_or(text)),
    };
    if let Some(rest) = text.strip_prefix(['・', '･', '．', '.', '　', ' ']) {
        return Some((None, rest));
    }
    let (kind, rest) = japanese::piece(text)?;
    Some((Some(Piece::new(color, kind)), rest))
}

/// A diagram of the board (BOD) with hands, side to move and move number, as KIF has it.
pub fn board_diagram(setup: &Setup) -> String {
    let mut text = String::new();
    text.push_str(&format!("後手の持駒：{}\n", hand(setup, Color::White)));
    text.push(' ');
    for file in (0..9).rev() {
        text.push(' ');
        text.push(japanese::file_name(file));
    }
    text.push_str("\n+---------------------------+\n");
    for rank in 0..9 {
        text.push('|');
        for file in (0..9).rev() {
            match setup.board[Square::new(file, rank).index()] {
                None => text.push_str(" ・"),
                Some(Piece { color, kind }) => {
                    text.push(if color == Color::Black { ' ' } else { 'v' });
                    text.push_str(piece_on_board(kind));
                }
            }
        }
        text.push('|');
        text.push(japanese::rank_name(rank));
        text.push('\n');
    }
    text.push_str("+---------------------------+\n");
    text.push_str(&format!("先手の持駒：{}\n", hand(setup, Color::Black)));
    text.push_str(if setup.side == Color::Black { "先手番\n" } else { "後手番\n" });
    if setup.move_number > 1 {
        text.push_str(&format!("手数＝{}\n", setup.move_number - 1));
    }
    text
}

fn hand(setup: &Setup, color: Color) -> String {
    let mut held = Vec::new();
    for kind in HandKind::ALL.into_iter().rev() {
        let count = setup.hands[color][kind.index()];
        let name = piece_on_board(kind.piece_kind());
        match count {
            0 => {}
            1 => held.push(name.to_string()),
            _ => held.push(format!("{name}{}", japanese::number_name(count))),
        }
    }
    if held.is_empty() { "なし".to_string() } else { held.join("　") }
}
