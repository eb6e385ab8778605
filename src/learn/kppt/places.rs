//! The places of the three tables that positions have, and how often.
//!
//! Places of pairs are those of a view: the king on a file from 1 to 5, the smaller piece second.

use super::snapshot::Snapshot;
use super::view::{VIEW_KINGS, View, view_king};
use crate::eval::index::Index;
use crate::shogi::color::Color;
use crate::shogi::square::Square;
use crate::util::workers::share_out;

/// How many pairs of different pieces there are.
const PAIRS: usize = Index::COUNT * (Index::COUNT - 1) / 2;

/// How many places of KKP belong to one king of Black's.
pub const KINGS_PIECES: usize = Square::COUNT * Index::COUNT;

/// Where the pairs begin whose larger piece is this one.
pub const fn pair_row(larger: usize) -> usize {
    larger * larger.saturating_sub(1) / 2
}

/// The larger and the smaller piece of a pair, by its number as [`Seen`] has it.
pub const fn pair_at(place: u32) -> (usize, usize) {
    ((place >> 16) as usize, (place & 0xFFFF) as usize)
}

/// The tables that places are of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlaceKind {
    /// KPP, as the king's side sees it: two pieces and a king on one of the files 1 to 5.
    Pair,
    /// KKP.
    KingsPiece,
    /// KK.
    Kings,
}

/// A place that positions have, and how often.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Seen {
    /// Its number: for a pair, the larger piece times 65,536 plus the smaller; for KKP, White's king times 1,548 plus
    /// the piece; for KK, White's king.
    pub place: u32,
    /// In how many positions; a pair counts for either side's view.
    pub count: u32,
}

/// The places that some positions have.
pub struct Places {
    /// By the king of a view.
    pairs: Vec<Vec<Seen>>,
    /// By Black's king.
    kkp: Vec<Vec<Seen>>,
    /// By Black's king.
    kk: Vec<Vec<Seen>>,
}

/// Which of some positions have a king where, by their numbers.
pub struct ByKing {
    /// By the king of a view: a position's number times two, plus one for White's view.
    pub views: Vec<Vec<u32>>,
    /// By Black's king.
    pub black: Vec<Vec<u32>>,
}

impl ByKing {
    /// Sorts positions by their kings; each list keeps their order.
    pub fn new(positions: &[&Snapshot]) -> ByKing {
        let mut sorted =
            ByKing { views: vec![Vec::new(); VIEW_KINGS], black: vec![Vec::new(); Square::COUNT] };
        for (position, number) in positions.iter().zip(0u32..) {
            for color in Color::ALL {
                sorted.views[view_king(position, color)].push(2 * number + u32::from(color == Color::White));
            }
            sorted.black[position.kings().0.index()].push(number);
        }
        sorted
    }
}

/// The side whose view such a number is.
pub fn viewer(number: u32) -> Color {
    if number & 1 == 0 { Color::Black } else { Color::White }
}

impl PlaceKind {
    /// All of them.
    pub const ALL: [PlaceKind; 3] = [PlaceKind::Pair, PlaceKind::KingsPiece, PlaceKind::Kings];

    /// Where in a king's table a place is.
    pub const fn slot(self, place: u32) -> usize {
        match self {
            PlaceKind::Pair => {
                let (larger, smaller) = pair_at(place);
                pair_row(larger) + smaller
            }
            PlaceKind::KingsPiece | PlaceKind::Kings => place as usize,
        }
    }

    /// How many slots a king's table has.
    pub const fn slots(self) -> usize {
        match self {
            PlaceKind::Pair => PAIRS,
            PlaceKind::KingsPiece => KINGS_PIECES,
            PlaceKind::Kings => Square::COUNT,
        }
    }
}

impl Places {
    /// The lists of these tables, by king.
    pub fn of(&self, kind: PlaceKind) -> &[Vec<Seen>] {
        match kind {
            PlaceKind::Pair => &self.pairs,
            PlaceKind::KingsPiece => &self.kkp,
            PlaceKind::Kings => &self.kk,
        }
    }

    /// The places of `positions`; those of pairs only where `with_pairs`.
    pub fn new(positions: &[&Snapshot], with_pairs: bool, threads: usize) -> Places {
        let sorted = ByKing::new(positions);
        let pairs = share_out(threads, 0..VIEW_KINGS, |king| {
            if !with_pairs || sorted.views[king].is_empty() {
                return Vec::new();
            }
            let mut counts = vec![0; PAIRS];
            for &number in &sorted.views[king] {
                let view = View::new(positions[number as usize / 2], viewer(number));
                for (nth, &larger) in view.pieces().iter().enumerate() {
                    let row = &mut counts[pair_row(larger.into())..][..larger.into()];
                    // Two pieces in one place are no pair: only a position that cannot be has them.
                    view.pieces()[..nth].iter().for_each(|&smaller| row[usize::from(smaller)] += 1);
                }
            }
            let pairs = (1..Index::COUNT as u32).flat_map(|one| (0..one).map(move |other| one << 16 | other));
            seen(pairs.zip(counts))
        });
        let kings = share_out(threads, 0..Square::COUNT, |king| {
            let (mut pieces, mut kings) = (vec![0; KINGS_PIECES], vec![0; Square::COUNT]);
            for &number in &sorted.black[king] {
                let position = positions[number as usize];
                let white = position.kings().1.index();
                kings[white] += 1;
                let row = &mut pieces[white * Index::COUNT..][..Index::COUNT];
                position.pieces().iter().for_each(|&piece| row[usize::from(piece)] += 1);
            }
            (seen((0..).zip(pieces)), seen((0..).zip(kings)))
        });
        let (kkp, kk) = kings.into_iter().unzip();
        Places { pairs, kkp, kk }
    }
}

fn seen(counts: impl Iterator<Item = (u32, u32)>) -> Vec<Seen> {
    counts.filter(|&(_, count)| count > 0).map(|(place, count)| Seen { place, count }).collect()
}
