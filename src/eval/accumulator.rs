//! The accumulator: the evaluation kept up to date from move to move.

use arrayvec::ArrayVec;

use super::full::{self, Parts};
use super::index::{Index, MAX_PIECES};
use super::king_cache::KingCache;
use super::material;
use super::piece_list::PieceList;
use super::table::{Pair, Table, add, subtract};
use crate::shogi::color::{Color, PerColor};
use crate::shogi::moves::Move;
use crate::shogi::piece::{HandKind, Piece};
use crate::shogi::position::{Changes, Position};
use crate::shogi::square::Square;

/// With more pieces changed since the last sum than this, summing anew is cheaper than correcting.
const MAX_CHANGED: usize = 6;

/// The number of plies that there is room for at first. Few lines are longer, and in a short search more room costs
/// more than it gains.
const PLIES: usize = 32;

/// The evaluation of a position, through moves played and taken back.
///
/// Playing a move only notes which pieces changed. The sum is computed when [`value`](Accumulator::value) is first
/// called, from that of the nearest earlier position that has one, and kept until the move is taken back, which costs
/// nothing. Moves have to go through [`play`](Accumulator::play) and [`undo`](Accumulator::undo); a pass changes no
/// pieces, and is made on the position alone.
///
/// ```
/// # use jitsugen::eval::{accumulator::Accumulator, index::Index, table::{Pair, Table}};
/// # use jitsugen::shogi::{position::Position, square::Square};
/// # struct Nothing;
/// # impl Table for Nothing {
/// #     fn kk(&self, _: Square, _: Square) -> Pair<i32> { [0; 2] }
/// #     fn kkp(&self, _: Square, _: Square, _: Index) -> Pair<i32> { [0; 2] }
/// #     fn kpp(&self, _: Square, _: Index, _: Index) -> Pair<i16> { [0; 2] }
/// # }
/// # let weights = Nothing;
/// let mut position = Position::start();
/// let mut accumulator = Accumulator::new(weights, &position);
/// let mv = "7g7f".parse()?;
/// accumulator.play(&mut position, mv);
/// let for_white = accumulator.value(&position);
/// accumulator.undo(&mut position, mv);
/// # assert_eq!(for_white, 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Accumulator<T> {
    table: T,
    list: PieceList,
    king_cache: KingCache,
    /// Whether both kings are on the board: without one, only material counts.
    kings_present: bool,
    /// The position that the accumulator was made for, then one element a move; those past `depth` are left from moves
    /// taken back.
    plies: Vec<Ply>,
    depth: usize,
}

/// What a move changed, and what is known of the position after it.
#[derive(Clone)]
struct Ply {
    /// The slots that got another piece, with the piece before.
    changed: ArrayVec<Change, 2>,
    /// The kings' squares, each as its own side sees it; the first square where there is no king.
    kings: PerColor<Square>,
    /// Black's pieces less White's.
    material: i32,
    /// Everything else, once it was needed.
    tables: Option<Tables>,
    /// For each king, the sum of each piece with all others, which every move or capture of the piece subtracts.
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

/// The sum of each piece with all others, by slot, as far as it was needed.
#[derive(Clone)]
struct KnownRows {
    /// One bit a slot: whether the sum is known.
    known: u64,
    sums: [Pair<i32>; MAX_PIECES],
}

impl<T: Table> Accumulator<T> {
    /// The evaluation of `position` by `table`.
    pub fn new(table: T, position: &Position) -> Accumulator<T> {
        let mut accumulator = Accumulator {
            table,
            list: PieceList::new(position),
            king_cache: KingCache::new(),
            kings_present: false,
            plies: vec![Ply::EMPTY; PLIES],
            depth: 0,
        };
        accumulator.reset(position);
        accumulator
    }

    /// Starts again from `position`.
    pub fn reset(&mut self, position: &Position) {
        self.list = PieceList::new(position);
        // Another position may have fewer pieces.
        self.king_cache.clear();
        self.kings_present = Color::ALL.iter().all(|&color| position.king(color).is_some());
        self.depth = 0;
        let king = |color: Color| position.king(color).map_or(NOWHERE, |square| square.seen_by(color));
        let kings = PerColor(Color::ALL.map(king));
        self.plies[0].begin(kings, material::balance(position));
    }

    /// The tables that the evaluation comes from.
    pub fn table(&self) -> &T {
        &self.table
    }

    /// Plays a legal move on `position`, which has to be the one that this evaluates.
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

    /// The score for the side to move, in units.
    ///
    /// Trained tables stay within a few thousand. A file may hold anything, so only 2²⁶ is a certain bound, and the
    /// search has to clamp.
    pub fn value(&mut self, position: &Position) -> i32 {
        let value = self.parts().value(position.side());
        debug_assert_eq!(value, full::value(&self.table, position), "{position:?}");
        value
    }

    /// The same as [`full::parts`], except that KK and KKP are one sum, in `kkp`.
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

    /// The sums, computed anew.
    fn summed(&mut self) -> Tables {
        let kings = self.plies[self.depth].kings;
        Tables {
            kkp: self.kkp_summed(kings),
            kpp: PerColor(Color::ALL.map(|view| self.side_summed(view, kings[view]))),
        }
    }

    /// The sums, corrected from those of the nearest earlier position that has them; `None` if there is none or too
    /// much has changed since.
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
                let now = self.list.pieces(Color::Black)[usize::from(change.slot)].index();
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
        add(&mut sum, self.table.kkp_sum(black, white, self.list.pieces(Color::Black)));
        sum
    }

    /// One king with every pair of pieces.
    fn side_summed(&mut self, view: Color, king: Square) -> Pair<i32> {
        self.king_cache.sum(&self.table, view, king, self.list.pieces(view))
    }

    /// Corrects a king's sum from ply `base`: subtracts the pairs with a changed piece as they were and adds them as
    /// they are.
    fn correct_side(&mut self, sum: &mut Pair<i32>, base: usize, view: Color, changed: &[Change]) {
        debug_assert!(changed.is_sorted_by(|one, other| one.slot > other.slot));
        let king = self.plies[self.depth].kings[view];
        let kpp = |one, other| self.table.kpp(king, one, other).map(i32::from);
        let seen = |piece: Index| if view == Color::Black { piece } else { piece.inverted() };
        let (until_base, after) = self.plies.split_at_mut(base + 1);
        let rows_before = &mut until_base[base].rows[view];
        let rows_now = &mut after[self.depth - base - 1].rows[view];
        // The changed pieces go to the end, the last slot first, so that the others are one slice.
        let pieces = self.list.pieces_mut(view);
        let length = pieces.len();
        for (nth, change) in changed.iter().enumerate() {
            pieces.swap(usize::from(change.slot), length - 1 - nth);
        }
        let same = &pieces[..length - changed.len()];
        for (nth, change) in changed.iter().enumerate() {
            let slot = usize::from(change.slot);
            let (before, now) = (seen(change.before), pieces[length - 1 - nth].index());
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
                let pair = kpp(now, pieces[length - 1 - other].index());
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

    /// Makes this the element of a position of which nothing is known yet.
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

/// Stands for the square of a missing king.
const NOWHERE: Square = Square::new(0, 0);

/// The kings' squares on the board as it is.
fn squares(kings: PerColor<Square>) -> (Square, Square) {
    (kings[Color::Black], kings[Color::White].rotated())
}

/// Records what a move does to the pieces.
struct Noting<'a> {
    list: &'a mut PieceList,
    ply: &'a mut Ply,
    /// Slots whose piece was lifted and not yet put down.
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
            .push(Change { slot: slot as u8, before: self.list.pieces(Color::Black)[slot].index() });
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
        // A move lifts a piece first: with none lifted yet, this is the piece that will be dropped.
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
