//! The evaluation kept up to date from move to move.

use arrayvec::ArrayVec;

use super::full::{self, Parts};
use super::index::Index;
use super::king_cache::KingCache;
use super::list::{List, MAX_PIECES};
use super::material;
use super::table::{Pair, Table, add, subtract};
use crate::shogi::color::{Color, PerColor};
use crate::shogi::moves::Move;
use crate::shogi::piece::{HandKind, Piece};
use crate::shogi::position::Changes;
use crate::shogi::position::Position;
use crate::shogi::square::Square;

/// Beyond so many pieces changed since the last sum, summing anew is cheaper than correcting.
const MAX_CHANGED: usize = 6;

/// How many plies there is room for at first. Few lines are longer, and making room costs a short search more than it
/// gains.
const PLIES: usize = 32;

/// The evaluation of a position that moves are played on and taken back from.
///
/// Playing only notes which pieces changed. The sum is taken when [`value`](Accumulator::value) is first asked for, from that of
/// the nearest position before which has one, and kept for as long as the move stands, so that taking back costs
/// nothing. Moves have to go through [`play`](Accumulator::play) and [`undo`](Accumulator::undo); a pass changes no pieces, and is made
/// on the position alone.
///
/// ```
/// # use jitsugen::eval::{sum::Accumulator, index::Index, table::{Pair, Table}};
/// # use jitsugen::shogi::{position::Position, square::Square};
/// # struct Nothing;
/// # impl Table for Nothing {
/// #     fn kk(&self, _: Square, _: Square) -> Pair<i32> { [0; 2] }
/// #     fn kkp(&self, _: Square, _: Square, _: Index) -> Pair<i32> { [0; 2] }
/// #     fn kpp(&self, _: Square, _: Index, _: Index) -> Pair<i16> { [0; 2] }
/// # }
/// # let weights = Nothing;
/// let mut position = Position::start();
/// let mut sum = Accumulator::new(weights, &position);
/// let mv = "7g7f".parse()?;
/// sum.play(&mut position, mv);
/// let for_white = sum.value(&position);
/// sum.undo(&mut position, mv);
/// # assert_eq!(for_white, 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Accumulator<T> {
    table: T,
    list: List,
    king_cache: KingCache,
    /// Whether both kings are there: without one, only material counts.
    kings_present: bool,
    /// The position the sum was made for, then one entry a move; those past `depth` are left from moves taken back.
    plies: Vec<Ply>,
    depth: usize,
}

/// What a move changed and what is known of the position after it.
#[derive(Clone)]
struct Ply {
    /// Which slots got another piece, and what was there before.
    changed: ArrayVec<Change, 2>,
    /// Where the kings stand, each as its own side sees it; the board's first square where there is none.
    kings: PerColor<Square>,
    /// Black's pieces less White's.
    material: i32,
    /// Everything else, once it was asked for.
    tables: Option<Tables>,
    /// For each king, each piece with all others: every move of a piece, and every capture of it, takes that out.
    rows: PerColor<KnownRows>,
}

#[derive(Clone, Copy)]
struct Change {
    slot: u8,
    before: Index,
}

#[derive(Clone, Copy)]
struct Tables {
    /// Both kings with each piece, and both kings alone.
    kkp: Pair<i32>,
    /// Each king with each pair of pieces.
    kpp: PerColor<Pair<i32>>,
}

/// Sums of a piece with all others, by slot, as far as they have been needed.
#[derive(Clone)]
struct KnownRows {
    /// One bit a slot: whether its sum is known.
    known: u64,
    sums: [Pair<i32>; MAX_PIECES],
}

impl<T: Table> Accumulator<T> {
    /// The evaluation of `position` by `table`.
    pub fn new(table: T, position: &Position) -> Accumulator<T> {
        let mut sum = Accumulator {
            table,
            list: List::new(position),
            king_cache: KingCache::new(),
            kings_present: false,
            plies: vec![Ply::EMPTY; PLIES],
            depth: 0,
        };
        sum.reset(position);
        sum
    }

    /// Forgets everything and starts again from `position`.
    pub fn reset(&mut self, position: &Position) {
        self.list = List::new(position);
        // Another position may have fewer pieces.
        self.king_cache.clear();
        self.kings_present = Color::ALL.iter().all(|&color| position.king(color).is_some());
        self.depth = 0;
        let king = |color: Color| position.king(color).map_or(NOWHERE, |square| square.seen_by(color));
        let kings = PerColor(Color::ALL.map(king));
        self.plies[0].begin(kings, material::balance(position));
    }

    /// The tables that the evaluation is taken from.
    pub fn table(&self) -> &T {
        &self.table
    }

    /// Plays a legal move on `position`, which has to be the one that this is the evaluation of.
    pub fn play(&mut self, position: &mut Position, mv: Move) {
        let Ply { kings, material, .. } = self.plies[self.depth];
        self.depth += 1;
        if self.depth == self.plies.len() {
            self.plies.push(Ply::EMPTY);
        }
        let ply = &mut self.plies[self.depth];
        ply.begin(kings, material);
        let mut noting = Noting { list: &mut self.list, ply, lifted: ArrayVec::new() };
        position.play(mv, &mut noting);
    }

    /// Takes back `mv`, the last move played.
    ///
    /// # Panics
    /// When no move was played.
    pub fn undo(&mut self, position: &mut Position, mv: Move) {
        assert!(self.depth > 0, "a move was played");
        position.undo(mv, &mut ());
        for change in self.plies[self.depth].changed.iter().rev() {
            self.list.set(usize::from(change.slot), change.before);
        }
        self.depth -= 1;
    }

    /// The score for the side to move, in centipawn-like units.
    ///
    /// Trained tables stay within a few thousand. A file's contents are anyone's, so that nothing smaller than 2²⁶ is
    /// certain and a search has to clamp.
    pub fn value(&mut self, position: &Position) -> i32 {
        let value = self.parts().value(position.side());
        debug_assert_eq!(value, full::value(&self.table, position), "{position:?}");
        value
    }

    /// The same sums as [`full::parts`], except that king–king and king–king–piece come as one, in `kkp`.
    fn parts(&mut self) -> Parts {
        let Ply { material, tables, .. } = self.plies[self.depth];
        if !self.kings_present {
            return Parts { material, ..Parts::default() };
        }
        let tables = tables.unwrap_or_else(|| {
            let tables = self.corrected().unwrap_or_else(|| self.summed());
            self.plies[self.depth].tables = Some(tables);
            tables
        });
        Parts { material, kk: [0; 2], kkp: tables.kkp, kpp: tables.kpp }
    }

    /// The sums from nothing.
    fn summed(&mut self) -> Tables {
        let kings = self.plies[self.depth].kings;
        Tables {
            kkp: self.kkp_summed(kings),
            kpp: PerColor(Color::ALL.map(|view| self.side_summed(view, kings[view]))),
        }
    }

    /// The sums from those of the nearest position before that has them; `None` if none has or too much changed since.
    fn corrected(&mut self) -> Option<Tables> {
        let base = self.plies[..self.depth].iter().rposition(|ply| ply.tables.is_some())?;
        let mut tables = self.plies[base].tables?;
        let mut changed: ArrayVec<Change, MAX_CHANGED> = ArrayVec::new();
        let since = &self.plies[base + 1..=self.depth];
        for change in since.iter().rev().flat_map(|ply| ply.changed.iter().rev()) {
            match changed.iter_mut().find(|known| known.slot == change.slot) {
                Some(known) => known.before = change.before,
                None => changed.try_push(*change).ok()?,
            }
        }
        changed.sort_unstable_by_key(|change| std::cmp::Reverse(change.slot));
        let (kings, kings_before) = (self.plies[self.depth].kings, self.plies[base].kings);
        if kings == kings_before {
            let (black, white) = squares(kings);
            for change in &changed {
                let now = self.list.pieces(Color::Black)[usize::from(change.slot)].piece();
                subtract(&mut tables.kkp, self.table.kkp(black, white, change.before));
                add(&mut tables.kkp, self.table.kkp(black, white, now));
            }
        } else {
            tables.kkp = self.kkp_summed(kings);
        }
        for view in Color::ALL {
            if kings[view] == kings_before[view] {
                self.correct_side(&mut tables.kpp[view], base, view, &changed);
            } else {
                tables.kpp[view] = self.side_summed(view, kings[view]);
            }
        }
        Some(tables)
    }

    /// Both kings with each piece, and both kings alone.
    fn kkp_summed(&self, kings: PerColor<Square>) -> Pair<i32> {
        let (black, white) = squares(kings);
        let mut sum = self.table.kk(black, white);
        for &piece in self.list.pieces(Color::Black) {
            add(&mut sum, self.table.kkp(black, white, piece.piece()));
        }
        sum
    }

    /// One king with every pair of pieces.
    fn side_summed(&mut self, view: Color, king: Square) -> Pair<i32> {
        self.king_cache.sum(&self.table, view, king, self.list.pieces(view))
    }

    /// Takes the pairs with a changed piece out of a king's sum as they were at ply `base`, and puts them in as they
    /// are.
    fn correct_side(&mut self, sum: &mut Pair<i32>, base: usize, view: Color, changed: &[Change]) {
        debug_assert!(changed.is_sorted_by(|one, other| one.slot > other.slot));
        let king = self.plies[self.depth].kings[view];
        let kpp = |one, other| self.table.kpp(king, one, other).map(i32::from);
        let seen = |piece: Index| if view == Color::Black { piece } else { piece.inverted() };
        let (until_base, after) = self.plies.split_at_mut(base + 1);
        let rows_before = &mut until_base[base].rows[view];
        let rows_now = &mut after[self.depth - base - 1].rows[view];
        // The changed pieces wait at the end, the last slot first, while the others are looked at.
        let pieces = self.list.pieces_mut(view);
        let length = pieces.len();
        for (nth, change) in changed.iter().enumerate() {
            pieces.swap(usize::from(change.slot), length - 1 - nth);
        }
        let same = &pieces[..length - changed.len()];
        for (nth, change) in changed.iter().enumerate() {
            let slot = usize::from(change.slot);
            let (before, now) = (seen(change.before), pieces[length - 1 - nth].piece());
            let mut row_now = self.table.row(king, now, same);
            let row_before = rows_before.get(slot).unwrap_or_else(|| {
                let mut row = self.table.row(king, before, same);
                for other in changed.iter().filter(|other| other.slot != change.slot) {
                    add(&mut row, kpp(before, seen(other.before)));
                }
                rows_before.set(slot, row);
                row
            });
            for (other, known) in changed.iter().enumerate() {
                if other == nth {
                    continue;
                }
                let pair = kpp(now, pieces[length - 1 - other].piece());
                add(&mut row_now, pair);
                // Pairs of two changed pieces are in the rows of both.
                if other < nth {
                    subtract(sum, pair);
                    add(sum, kpp(before, seen(known.before)));
                }
            }
            rows_now.set(slot, row_now);
            subtract(sum, row_before);
            add(sum, row_now);
        }
        for (nth, change) in changed.iter().enumerate().rev() {
            pieces.swap(usize::from(change.slot), length - 1 - nth);
        }
    }
}

impl Ply {
    const EMPTY: Ply = Ply {
        changed: ArrayVec::new_const(),
        kings: PerColor([NOWHERE; 2]),
        material: 0,
        tables: None,
        rows: PerColor([KnownRows::NONE; 2]),
    };

    /// Makes this the entry of a position before anything is known of it.
    fn begin(&mut self, kings: PerColor<Square>, material: i32) {
        self.changed.clear();
        self.kings = kings;
        self.material = material;
        self.tables = None;
        for rows in &mut self.rows.0 {
            rows.known = 0;
        }
    }
}

impl KnownRows {
    const NONE: KnownRows = KnownRows { known: 0, sums: [[0; 2]; MAX_PIECES] };

    fn get(&self, slot: usize) -> Option<Pair<i32>> {
        (self.known & 1 << slot != 0).then(|| self.sums[slot])
    }

    fn set(&mut self, slot: usize, sum: Pair<i32>) {
        self.known |= 1 << slot;
        self.sums[slot] = sum;
    }
}

/// Stands for the square of a king that is not there.
const NOWHERE: Square = Square::new(0, 0);

/// The kings' squares on the board as it is.
fn squares(kings: PerColor<Square>) -> (Square, Square) {
    (kings[Color::Black], kings[Color::White].rotated())
}

/// Notes what a move does to the pieces.
struct Noting<'a> {
    list: &'a mut List,
    ply: &'a mut Ply,
    /// Slots whose piece has been lifted and not yet put down.
    lifted: ArrayVec<usize, 2>,
}

impl Noting<'_> {
    fn lift(&mut self, piece: Index) {
        self.lifted.push(self.list.slot(piece));
    }

    /// The piece lifted last becomes `piece`.
    fn put(&mut self, piece: Index) {
        let Some(slot) = self.lifted.pop() else { return };
        self.ply
            .changed
            .push(Change { slot: slot as u8, before: self.list.pieces(Color::Black)[slot].piece() });
        self.list.set(slot, piece);
    }
}

impl Changes for Noting<'_> {
    fn board(&mut self, piece: Piece, square: Square, on: bool) {
        let Some(index) = Index::board(Color::Black, piece, square) else {
            if on {
                self.ply.kings[piece.color] = square.seen_by(piece.color);
            }
            return;
        };
        let value = signed(piece.color, material::board_value(piece.kind));
        if on {
            self.ply.material += value;
            self.put(index);
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
