//! The weights of the plain features of drops, arranged so that all seven kinds are scored at once.
//!
//! Most moves of a middle game are drops, and a square to which one kind can be dropped mostly takes the others as well. What
//! tells its drops apart lies side by side, a row of eight numbers of 16 bits, which one instruction adds to another row.

use super::features::{
    ANSWERS, CONTROL, CONTROLS, DESTINATION, FIRST_DROP, FROM_OUR_KING, FROM_THEIR_KING, Group, KINDS,
    MOVERS, NEIGHBOUR, OFFSETS, SQUARES,
};
use super::mailbox::Mailbox;
use super::plain_context::{PlainContext, Viewpoint};
use super::scores::{Scores, zeros};
use crate::shogi::moves::Move;
use crate::shogi::piece::HandKind;
use crate::shogi::square::Square;

/// A number for each kind that can be dropped, by its index, and one more, which is 0.
type Row = [i16; HandKind::COUNT + 1];

/// Rows by destination, as the side to move sees it.
type Destinations = [Row; SQUARES];

/// The place of a king that is not on the board.
const NO_KING: usize = SQUARES;

/// The weights of the plain features of drops, in 1/256 bit.
pub(super) struct DropWeights {
    /// By the square of their king: the weights of a destination by itself and as seen from that king.
    by_their_king: Box<[Destinations]>,
    /// By the square of our king.
    by_our_king: Box<[Destinations]>,
    /// By neighbour of the destination and what stands there.
    neighbours: Box<[[Row; Mailbox::ROOM]; 8]>,
    /// By how the destination is attacked.
    controls: [Row; CONTROLS.next_power_of_two()],
    /// By the kind that moved last and the offset of the destination from there.
    answers: Box<[[Row; OFFSETS]]>,
}

impl DropWeights {
    /// Arranges weights by feature.
    pub fn new(weights: &[i16]) -> DropWeights {
        let row = |weight: &dyn Fn(usize) -> i16| -> Row {
            std::array::from_fn(|kind| if kind < HandKind::COUNT { weight(FIRST_DROP + kind) } else { 0 })
        };
        let of = |group: Group, place: usize| weights[group.feature(place)];
        let from_king = |group: Group, king: usize, to: Square| -> Row {
            match Square::from_index(king).map(Viewpoint::new) {
                Some(king) => row(&|mover| of(group, mover * OFFSETS + king.offset(to))),
                None => Row::default(),
            }
        };
        let destinations = |row: &dyn Fn(Square) -> Row| -> Destinations {
            let mut found = [Row::default(); SQUARES];
            found.iter_mut().zip(Square::all()).for_each(|(found, to)| *found = row(to));
            found
        };
        let by_their_king = (0..=NO_KING).map(|king| {
            destinations(&|to| {
                let by_itself = row(&|mover| of(DESTINATION, mover * SQUARES + to.index()));
                sum(by_itself, &from_king(FROM_THEIR_KING, king, to))
            })
        });
        let by_our_king = (0..=NO_KING).map(|king| destinations(&|to| from_king(FROM_OUR_KING, king, to)));
        let neighbour = |nth: usize, content: usize| match content {
            ..Mailbox::COUNT => {
                row(&|mover| of(NEIGHBOUR, (nth * MOVERS + mover) * Mailbox::COUNT + content))
            }
            _ => Row::default(),
        };
        let control = |control: usize| match control {
            ..CONTROLS => row(&|mover| of(CONTROL, mover * CONTROLS + control)),
            _ => Row::default(),
        };
        let answer = |last: usize, offset: usize| {
            row(&|mover| of(ANSWERS, (last * MOVERS + mover) * OFFSETS + offset))
        };
        DropWeights {
            by_their_king: by_their_king.collect(),
            by_our_king: by_our_king.collect(),
            neighbours: Box::new(std::array::from_fn(|nth| {
                std::array::from_fn(|content| neighbour(nth, content))
            })),
            controls: std::array::from_fn(control),
            answers: (0..KINDS).map(|last| std::array::from_fn(|offset| answer(last, offset))).collect(),
        }
    }

    /// Appends the scores of legal drops to `scores`, each cut where 16 bits cannot hold it.
    pub fn scores(&self, plain: &PlainContext, drops: &[Move], scores: &mut Scores) {
        // A little larger than the board, so that no bounds need to be checked.
        const ROOM: usize = SQUARES.next_power_of_two();
        let (mut wanted, mut rows) = ([false; ROOM], [Row::default(); ROOM]);
        drops.iter().for_each(|drop| wanted[drop.to().index() % ROOM] = true);
        let place = |king: Option<Square>| king.map_or(NO_KING, |king| plain.ours_first(king).index());
        let their_king = &self.by_their_king[place(plain.their_king)];
        let our_king = &self.by_our_king[place(plain.our_king)];
        let answers = plain.last.map(|(last, kind)| (last, &self.answers[kind.index()]));
        for ((row, square), _) in rows.iter_mut().zip(Square::all()).zip(wanted).filter(|(_, wanted)| *wanted)
        {
            let to = plain.ours_first(square);
            *row = sum(their_king[to.index()], &our_king[to.index()]);
            *row = sum(*row, &self.controls[plain.control(square) % self.controls.len()]);
            // One by one, as the compiler leaves a loop of eight a loop.
            let around = plain.mailbox.neighbours(to);
            let neighbour = |nth: usize| &self.neighbours[nth][around[nth] % Mailbox::ROOM];
            *row = sum(*row, neighbour(0));
            *row = sum(*row, neighbour(1));
            *row = sum(*row, neighbour(2));
            *row = sum(*row, neighbour(3));
            *row = sum(*row, neighbour(4));
            *row = sum(*row, neighbour(5));
            *row = sum(*row, neighbour(6));
            *row = sum(*row, neighbour(7));
            if let Some((last, answers)) = answers {
                *row = sum(*row, &answers[last.offset(to)]);
            }
        }
        let scores = zeros(scores, drops.len());
        for (score, drop) in scores.iter_mut().zip(drops) {
            let kind = drop.origin_index() - Square::COUNT;
            *score = rows[drop.to().index() % ROOM][kind % (HandKind::COUNT + 1)];
        }
    }
}

/// The sums of two rows' numbers, each cut to 16 bits.
fn sum(mut row: Row, other: &Row) -> Row {
    row.iter_mut().zip(other).for_each(|(sum, &other)| *sum = sum.saturating_add(other));
    row
}
