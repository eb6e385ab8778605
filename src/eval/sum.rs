//! The evaluation kept up to date from move to move.

use arrayvec::ArrayVec;

use super::full::{self, Parts};
use super::index::Index;
use super::list::{List, MAX_PIECES};
use super::material;
use super::table::{Pair, Table, add, subtract};
use crate::shogi::changes::Changes;
use crate::shogi::color::{Color, PerColor};
use crate::shogi::moves::Move;
use crate::shogi::piece::{HandKind, Piece};
use crate::shogi::position::Position;
use crate::shogi::square::Square;

/// Beyond so many pieces changed since the last sum, summing anew is cheaper than correcting.
const MAX_CHANGED: usize = 6;

/// How many plies there is room for without allocating.
const PLIES: usize = 256;

/// The evaluation of a position that moves are played on and taken back from.
///
/// Playing only notes which pieces changed. The sum is taken when [`value`](Sum::value) is first asked for, from that of
/// the nearest position before which has one, and kept for as long as the move stands, so that taking back costs
/// nothing. Moves have to go through [`play`](Sum::play) and [`undo`](Sum::undo); a pass changes no pieces, and is made
/// on the position alone.
///
/// ```
/// # use jitsugen::eval::{sum::Sum, index::Index, table::{Pair, Table}};
/// # use jitsugen::shogi::{position::Position, square::Square};
/// # struct Nothing;
/// # impl Table for Nothing {
/// #     fn kk(&self, _: Square, _: Square) -> Pair<i32> { [0; 2] }
/// #     fn kkp(&self, _: Square, _: Square, _: Index) -> Pair<i32> { [0; 2] }
/// #     fn kpp(&self, _: Square, _: Index, _: Index) -> Pair<i16> { [0; 2] }
/// # }
/// # let weights = Nothing;
/// let mut position = Position::start();
/// let mut sum = Sum::new(weights, &position);
/// let mv = "7g7f".parse()?;
/// sum.play(&mut position, mv);
/// let for_white = sum.value(&position);
/// sum.undo(&mut position, mv);
/// # assert_eq!(for_white, 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Sum<T> {
    table: T,
    list: List,
    /// Whether both kings are there: without one, only material counts.
    kings_present: bool,
    /// The position the sum was made for, then one entry a move.
    plies: Vec<Ply>,
}

/// What a move changed and what is known of the position after it.
#[derive(Clone, Default)]
struct Ply {
    /// Which slots got another piece, and what was there before.
    changed: ArrayVec<Change, 2>,
    /// Where the kings stand, each as its own side sees it.
    kings: PerColor<Place>,
    /// Black's pieces less White's.
    material: i32,
    /// Everything else, once it was asked for.
    tables: Option<Tables>,
}

#[derive(Clone, Copy)]
struct Change {
    slot: u8,
    before: Index,
}

/// A king's square; the board's first where there is no king.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Place(Square);

impl Default for Place {
    fn default() -> Self {
        Place(Square::new(0, 0))
    }
}

#[derive(Clone, Copy)]
struct Tables {
    /// Both kings, and both kings with each piece.
    kings: Pair<i32>,
    /// Each king with each pair of pieces.
    kpp: PerColor<Pair<i32>>,
}

impl<T: Table> Sum<T> {
    /// The evaluation of `position` by `table`.
    pub fn new(table: T, position: &Position) -> Sum<T> {
        let mut plies = Vec::with_capacity(PLIES);
        plies.push(Ply::root(position));
        Sum { table, list: List::new(position), kings_present: kings_present(position), plies }
    }

    /// Forgets everything and starts again from `position`.
    pub fn reset(&mut self, position: &Position) {
        self.list = List::new(position);
        self.kings_present = kings_present(position);
        self.plies.clear();
        self.plies.push(Ply::root(position));
    }

    /// The tables that the evaluation is taken from.
    pub fn table(&self) -> &T {
        &self.table
    }

    /// Plays a legal move on `position`, which has to be the one that this is the evaluation of.
    pub fn play(&mut self, position: &mut Position, mv: Move) {
        let last = self.last();
        let ply = Ply { changed: ArrayVec::new(), kings: last.kings, material: last.material, tables: None };
        let mut noting = Noting { list: &mut self.list, table: &self.table, ply, lifted: ArrayVec::new() };
        position.play(mv, &mut noting);
        let ply = noting.ply;
        self.plies.push(ply);
    }

    /// Takes back `mv`, the last move played.
    ///
    /// # Panics
    /// When no move was played.
    pub fn undo(&mut self, position: &mut Position, mv: Move) {
        assert!(self.plies.len() > 1, "a move was played");
        position.undo(mv, &mut ());
        if let Some(ply) = self.plies.pop() {
            for change in ply.changed.iter().rev() {
                self.list.set(usize::from(change.slot), change.before);
            }
        }
    }

    /// The score for the side to move, in centipawn-like units.
    ///
    /// Trained tables stay within a few thousand; a file's contents are anyone's, so that nothing smaller than 2²⁶ is
    /// certain and a search has to clamp.
    pub fn value(&mut self, position: &Position) -> i32 {
        let value = self.parts().value(position.side());
        debug_assert_eq!(value, full::value(&self.table, position), "{position:?}");
        value
    }

    /// The same sums as [`full::parts`], except that king–king and king–king–piece come as one, in `kkp`.
    fn parts(&mut self) -> Parts {
        let material = self.last().material;
        if !self.kings_present {
            return Parts { material, ..Parts::default() };
        }
        let tables = match self.last().tables {
            Some(tables) => tables,
            None => {
                let tables = self.corrected().unwrap_or_else(|| self.summed());
                if let Some(ply) = self.plies.last_mut() {
                    ply.tables = Some(tables);
                }
                tables
            }
        };
        Parts { material, kk: [0; 2], kkp: tables.kings, kpp: tables.kpp }
    }

    fn last(&self) -> &Ply {
        self.plies.last().expect("there is always the position it was made for")
    }

    /// The sums from nothing.
    fn summed(&self) -> Tables {
        let kings = self.last().kings;
        Tables {
            kings: self.kings_summed(kings),
            kpp: PerColor(Color::ALL.map(|view| self.side_summed(view, kings[view]))),
        }
    }

    /// The sums from those of the nearest position before that has them; `None` if none has or too much changed since.
    fn corrected(&self) -> Option<Tables> {
        let base = self.plies.iter().rposition(|ply| ply.tables.is_some())?;
        let (base, since) = (&self.plies[base], &self.plies[base + 1..]);
        let mut tables = base.tables?;
        let mut changed: ArrayVec<Change, MAX_CHANGED> = ArrayVec::new();
        for change in since.iter().rev().flat_map(|ply| ply.changed.iter().rev()) {
            match changed.iter_mut().find(|known| known.slot == change.slot) {
                Some(known) => known.before = change.before,
                None => changed.try_push(*change).ok()?,
            }
        }
        let kings = self.last().kings;
        if kings == base.kings {
            let (black, white) = squares(kings);
            for change in &changed {
                let now = self.list.pieces(Color::Black)[usize::from(change.slot)];
                subtract(&mut tables.kings, self.table.kkp(black, white, change.before));
                add(&mut tables.kings, self.table.kkp(black, white, now));
            }
        } else {
            tables.kings = self.kings_summed(kings);
        }
        for view in Color::ALL {
            if kings[view] == base.kings[view] {
                self.correct_side(&mut tables.kpp[view], view, kings[view], &changed);
            } else {
                tables.kpp[view] = self.side_summed(view, kings[view]);
            }
        }
        Some(tables)
    }

    /// Both kings, and both kings with each piece.
    fn kings_summed(&self, kings: PerColor<Place>) -> Pair<i32> {
        let (black, white) = squares(kings);
        let mut sum = self.table.kk(black, white);
        for &piece in self.list.pieces(Color::Black) {
            add(&mut sum, self.table.kkp(black, white, piece));
        }
        sum
    }

    /// One king with every pair of pieces.
    fn side_summed(&self, view: Color, king: Place) -> Pair<i32> {
        let pieces = self.list.pieces(view);
        let mut sum = [0; 2];
        for (slot, &piece) in pieces.iter().enumerate() {
            add(&mut sum, self.table.row(king.0, piece, &pieces[..slot]));
        }
        sum
    }

    /// Takes the pairs with a changed piece out of a king's sum as they were, and puts them in as they are.
    fn correct_side(&self, sum: &mut Pair<i32>, view: Color, king: Place, changed: &[Change]) {
        let mut same: ArrayVec<Index, MAX_PIECES> = self.list.pieces(view).iter().copied().collect();
        let mut slots: ArrayVec<usize, MAX_CHANGED> =
            changed.iter().map(|change| usize::from(change.slot)).collect();
        slots.sort_unstable();
        for &slot in slots.iter().rev() {
            same.swap_remove(slot);
        }
        let seen = |piece: Index| if view == Color::Black { piece } else { piece.inverted() };
        for (nth, change) in changed.iter().enumerate() {
            let before = seen(change.before);
            let now = self.list.pieces(view)[usize::from(change.slot)];
            subtract(sum, self.table.row(king.0, before, &same));
            add(sum, self.table.row(king.0, now, &same));
            for other in &changed[..nth] {
                let other_now = self.list.pieces(view)[usize::from(other.slot)];
                subtract(sum, self.table.kpp(king.0, before, seen(other.before)).map(i32::from));
                add(sum, self.table.kpp(king.0, now, other_now).map(i32::from));
            }
        }
    }
}

impl Ply {
    fn root(position: &Position) -> Ply {
        let king = |color: Color| {
            position.king(color).map_or_else(Place::default, |square| Place(seen_by(color, square)))
        };
        Ply {
            changed: ArrayVec::new(),
            kings: PerColor(Color::ALL.map(king)),
            material: material::balance(position),
            tables: None,
        }
    }
}

fn kings_present(position: &Position) -> bool {
    Color::ALL.iter().all(|&color| position.king(color).is_some())
}

/// `square` as `view` sees it.
fn seen_by(view: Color, square: Square) -> Square {
    match view {
        Color::Black => square,
        Color::White => square.rotated(),
    }
}

/// The kings' squares on the board as it is.
fn squares(kings: PerColor<Place>) -> (Square, Square) {
    (kings[Color::Black].0, kings[Color::White].0.rotated())
}

/// Notes what a move does to the pieces.
struct Noting<'a, T> {
    list: &'a mut List,
    table: &'a T,
    ply: Ply,
    /// Slots whose piece has been lifted and not yet put down.
    lifted: ArrayVec<usize, 2>,
}

impl<T: Table> Noting<'_, T> {
    fn lift(&mut self, piece: Index) {
        self.lifted.push(self.list.slot(piece));
    }

    /// The piece lifted last becomes `piece`.
    fn put(&mut self, piece: Index) {
        let Some(slot) = self.lifted.pop() else { return };
        self.ply.changed.push(Change { slot: slot as u8, before: self.list.pieces(Color::Black)[slot] });
        self.list.set(slot, piece);
    }

    /// Has the rows fetched that the next sum will read for the first time.
    fn prefetch(&self) {
        for view in Color::ALL {
            let pieces = self.list.pieces(view);
            for change in &self.ply.changed {
                let piece = pieces[usize::from(change.slot)];
                self.table.prefetch_row(self.ply.kings[view].0, piece, pieces);
            }
        }
    }
}

impl<T: Table> Changes for Noting<'_, T> {
    fn board(&mut self, piece: Piece, square: Square, on: bool) {
        let Some(index) = Index::board(Color::Black, piece, square) else {
            if on {
                self.ply.kings[piece.color] = Place(seen_by(piece.color, square));
            }
            return;
        };
        let value = signed(piece.color, material::board_value(piece.kind));
        if on {
            self.ply.material += value;
            self.put(index);
            self.prefetch();
        } else {
            self.ply.material -= value;
            self.lift(index);
        }
    }

    fn hand(&mut self, color: Color, kind: HandKind, count: u8) {
        let value = signed(color, material::hand_value(kind));
        // A move begins with what is lifted: with nothing lifted yet, this is the piece that will be dropped.
        if self.lifted.is_empty() {
            self.ply.material -= value;
            self.lift(Index::hand(Color::Black, color, kind, count + 1));
        } else {
            self.ply.material += value;
            self.put(Index::hand(Color::Black, color, kind, count));
        }
    }
}

fn signed(color: Color, value: i32) -> i32 {
    if color == Color::Black { value } else { -value }
}
