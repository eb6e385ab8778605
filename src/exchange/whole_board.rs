//! The whole board: which tactical moves there are, what they do to each other, and what will be played.
//!
//! SUPER-SOMA (Rollason, "SUPER-SOMA – Solving Tactical Exchanges in Shogi without Tree Searching") with its table XREF.
//! docs/internals/whole-board-exchange.md goes through its steps with the paper in hand.

pub mod board;
pub mod cross_reference;
pub mod drawing;
pub mod entry;
pub mod explain;
mod find_ties;
pub mod line;
mod mate_threat;
pub mod neutralise;
pub mod piece_values;
pub mod soma;
pub mod table;
pub mod tie;
mod valuation;

use crate::shogi::color::Color;
use crate::shogi::moves::Move;
use crate::shogi::position::Position;
use board::Board;
use entry::Entry;
use line::{Line, make_table, predict};
use neutralise::neutralise;
use piece_values::PieceValues;
use table::Table;

/// What is known of a position without searching it.
#[derive(Clone)]
pub struct WholeBoard<'a> {
    /// The side to move.
    pub side: Color,
    /// The table before the first move, cross-referenced.
    pub table: Table<'a>,
    /// The line of the first run.
    pub first_run: Line,
    /// The line of the second run, which rejects the first choice; where there was another move worth playing.
    pub second_run: Option<Line>,
}

impl<'a> WholeBoard<'a> {
    /// Looks at `position` with the pieces worth `values`, in two runs (the paper's section on errors).
    pub fn new(position: &Position, values: &'a PieceValues) -> WholeBoard<'a> {
        let side = position.side();
        let table = make_table(Board::new(position), values);
        let first_run = predict(&table, side, None);
        let second_run = first_run
            .first_move()
            .map(|mv| predict(&table, side, Some(mv)))
            .filter(|line| line.first_move().is_some());
        WholeBoard { side, table, first_run, second_run }
    }

    /// Whether the first choice is kept: the second comes to no more.
    pub fn first_is_kept(&self) -> bool {
        self.second_run.as_ref().is_none_or(|second| second.net <= self.first_run.net)
    }

    /// The better line of the two runs.
    pub fn line(&self) -> &Line {
        match &self.second_run {
            Some(second) if !self.first_is_kept() => second,
            _ => &self.first_run,
        }
    }

    /// The move that is predicted; `None` for a pass.
    pub fn best_move(&self) -> Option<Move> {
        self.line().first_move()
    }

    /// Finds out how each profitable entry can be answered: the columns B, D, R and I.
    pub fn find_answers(&mut self) {
        for place in 0..self.table.entries.len() {
            let entry: &Entry = &self.table.entries[place];
            if entry.value > 0 || entry.first > 0 {
                let (answers, _) = neutralise(&self.table, entry);
                self.table.entries[place].answers = answers;
            }
        }
    }
}

/// The line of the first run alone, which is what a search has time for.
pub fn predict_once(position: &Position, values: &PieceValues) -> Line {
    predict(&make_table(Board::new(position), values), position.side(), None)
}
