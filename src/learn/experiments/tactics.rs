//! How tactical positions of games are, and how well the whole-board exchange predicts what is played: figures 9 and 10
//! of the paper on SUPER-SOMA, and the numbers of its §11 and §15.

use std::error::Error;

use crate::exchange::whole_board::WholeBoard;
use crate::exchange::whole_board::entry::EntryKind;
use crate::exchange::whole_board::piece_values::PieceValues;
use crate::learn::plot::{self, Captions, Curve};
use crate::record::Record;
use crate::shogi::bitboard::Bitboard;
use crate::shogi::color::Color;
use crate::shogi::moves::Move;
use crate::shogi::piece::PieceKind;
use crate::shogi::position::Position;

/// The move from which the paper counts: before it is the opening.
pub const FROM_MOVE: u32 = 50;

/// The columns of figures 9 and 10: 0 to 11 squares, the last one with all above.
pub const COLUMNS: usize = 12;

/// The paper's figure 9: 2,365 positions of 50 human games.
pub const FIGURE_9: [u32; COLUMNS] = [233, 357, 457, 406, 329, 214, 168, 101, 54, 26, 14, 6];

/// The paper's figure 10: 4,450 positions of 50 games of its program.
pub const FIGURE_10: [u32; COLUMNS] = [919, 873, 778, 654, 540, 341, 181, 99, 34, 18, 10, 3];

/// What was counted in games.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Tactics {
    /// Games.
    pub games: u32,
    /// Positions from [`FROM_MOVE`] on by the number of squares where the side to move has a profitable capture,
    /// promotion or fork.
    pub of_mover: [u32; COLUMNS],
    /// The same for both sides together.
    pub of_both: [u32; COLUMNS],
    /// Positions from [`FROM_MOVE`] on where an active move was predicted or played.
    pub active: u32,
    /// Those where the move played was the one predicted.
    pub predicted: u32,
    /// Of the others, those where the capture of a pawn was predicted and no pawn was taken.
    pub pawn_left: u32,
    /// Positions where two first moves seem worth playing.
    pub two_runs: u32,
    /// Those where the first choice is kept.
    pub kept: u32,
    /// All positions.
    pub positions: u32,
    /// The plies of their predicted lines together, passes between moves included.
    pub plies: u64,
    /// The same from [`FROM_MOVE`] on.
    pub late_plies: u64,
}

impl Tactics {
    /// Adds the positions of a game, in which a move was played.
    pub fn add(&mut self, game: &Record, values: &PieceValues) {
        self.games += 1;
        let mut position = game.start_position();
        for mv in game.moves() {
            self.add_position(&position, mv, values);
            position.play(mv, &mut ());
        }
    }

    fn add_position(&mut self, position: &Position, played: Move, values: &PieceValues) {
        let whole = WholeBoard::new(position, values);
        let plies = whole.line().moves().count() as u64;
        self.positions += 1;
        self.plies += plies;
        if position.move_number() < FROM_MOVE {
            return;
        }
        self.late_plies += plies;
        let (us, them) = (position.side(), !position.side());
        let own = profitable_squares(&whole, us);
        let theirs = profitable_squares(&whole, them);
        self.of_mover[(own.count() as usize).min(COLUMNS - 1)] += 1;
        self.of_both[((own | theirs).count() as usize).min(COLUMNS - 1)] += 1;
        if whole.second_run.is_some() {
            self.two_runs += 1;
            self.kept += u32::from(whole.first_is_kept());
        }
        let best = whole.best_move();
        if best.is_some() || is_active(&whole, played) {
            self.active += 1;
            if best.is_some_and(|best| is_same(best, played)) {
                self.predicted += 1;
            } else if best.is_some_and(|best| takes_pawn(position, best)) && !takes_pawn(position, played) {
                self.pawn_left += 1;
            }
        }
    }

    /// Positions from [`FROM_MOVE`] on.
    pub fn late(&self) -> u32 {
        self.of_mover.iter().sum()
    }
}

/// The share of the positions with at least so many squares, in percent.
pub fn at_least(columns: &[u32; COLUMNS], number: usize) -> f64 {
    percent(columns[number..].iter().sum(), columns.iter().sum())
}

/// A share in percent; 0 of nothing.
pub fn percent(part: u32, whole: u32) -> f64 {
    100.0 * f64::from(part) / f64::from(whole.max(1))
}

/// The squares of profitable captures, promotions and forks: of what is taken, and where the others go.
fn profitable_squares(whole: &WholeBoard, color: Color) -> Bitboard {
    let counts = [EntryKind::Capture, EntryKind::Promotion, EntryKind::Fork];
    let entries = whole.table.entries.iter().filter(|entry| {
        entry.active && entry.side == color && entry.value > 0 && counts.contains(&entry.kind)
    });
    entries.map(|entry| entry.mv.to()).collect()
}

/// Whether a move of the side to move is tactical: it is in the table, takes a piece, or promotes.
fn is_active(whole: &WholeBoard, played: Move) -> bool {
    let in_table = |entry: &&_| is_entry(entry, whole.side, played);
    whole.table.board.piece_on(played.to()).is_some()
        || played.is_promotion()
        || whole.table.entries.iter().find(in_table).is_some_and(|entry| entry.active)
}

fn is_entry(entry: &crate::exchange::whole_board::entry::Entry, side: Color, mv: Move) -> bool {
    entry.side == side && is_same(entry.mv, mv)
}

/// Whether two moves are the same but for a promotion.
fn is_same(one: Move, other: Move) -> bool {
    one.origin() == other.origin() && one.to() == other.to()
}

fn takes_pawn(position: &Position, mv: Move) -> bool {
    position.piece_on(mv.to()).is_some_and(|victim| victim.kind == PieceKind::Pawn)
}

/// Draws the shares of positions by the number of squares, beside the paper's.
///
/// # Errors
/// When they cannot be drawn.
pub fn draw(title: &str, counted: &Tactics, paper: &[u32; COLUMNS]) -> Result<String, Box<dyn Error>> {
    let curve = |name: &str, columns: &[u32; COLUMNS]| Curve {
        name: name.to_string(),
        points: (0..).zip(columns).map(|(n, &count)| (n, percent(count, columns.iter().sum()))).collect(),
    };
    let curves = [
        curve("both sides", &counted.of_both),
        curve("the side to move", &counted.of_mover),
        curve("the paper", paper),
    ];
    let most = curves.iter().flat_map(|curve| &curve.points).map(|&(_, share)| share).fold(1.0, f64::max);
    let captions = Captions {
        title,
        x: "squares with a profitable capture, promotion or fork",
        y: "positions from move 50 on, %",
    };
    plot::drawing((plot::SIZE.0, 360), |area| {
        plot::curves(area, captions, (0..COLUMNS as i32 - 1, 0.0..most * 1.05), &curves)
    })
}
