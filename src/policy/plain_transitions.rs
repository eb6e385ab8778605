//! The weights of the plain features, arranged for the moves of one node.
//!
//! Finding costs is the largest single part of a node's time, and it goes where the weights lie rather than into adding them
//! (docs/experiments/044-what-moves-cost-remembered.md). The moves of a node share the kings' squares, and many of them the
//! mover. So the weights of a destination that depend on a king lie side by side for each square of that king, and all other
//! small tables of a mover lie together; drops have their own arrangement (`drop_weights.rs`). The sums are those of
//! [`PlainContext::features`].

use std::sync::LazyLock;

use super::drop_weights::DropWeights;
use super::features::{
    ANSWERS, CAPTURES, CONTROL, CONTROLS, DESTINATION, FIRST_DROP, FROM_OUR_KING, FROM_THEIR_KING, Group,
    MOVERS, NEIGHBOUR, OFFSETS, SQUARES,
};
use super::mailbox::Mailbox;
use super::plain_context::{PlainContext, Viewpoint};
use super::scores::Scores;
use super::transition::Transitions;
use crate::shogi::generate;
use crate::shogi::moves::Move;
use crate::shogi::piece::PieceKind;
use crate::shogi::square::Square;

/// Scores by mover on the board and destination, as the side to move sees it.
type Destinations = [[i16; SQUARES]; FIRST_DROP];

/// The place of a king that is not on the board.
const NO_KING: usize = SQUARES;

/// What depends on the mover and little else.
#[derive(Clone)]
#[repr(align(64))]
struct MoverWeights {
    /// By neighbour of the destination and what stands there.
    neighbours: [[i16; Mailbox::ROOM]; 8],
    /// By how the destination is attacked.
    controls: [i16; CONTROLS.next_power_of_two()],
    /// By what stands on the destination; 0 where nothing is captured.
    captures: [i16; Mailbox::ROOM],
}

/// The weights of the plain features, in 1/256 bit.
pub struct PlainTransitions {
    weights: Transitions,
    /// By the square of their king: the weights of a destination by itself and as seen from that king.
    by_their_king: Box<[Destinations]>,
    /// By the square of our king.
    by_our_king: Box<[Destinations]>,
    by_mover: Box<[MoverWeights]>,
    drops: DropWeights,
}

impl std::fmt::Debug for PlainTransitions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("PlainTransitions")
    }
}

impl PlainTransitions {
    /// The built-in weights.
    pub fn built_in() -> &'static PlainTransitions {
        static WEIGHTS: LazyLock<PlainTransitions> =
            LazyLock::new(|| PlainTransitions::new(Transitions::built_in_plain().clone()));
        &WEIGHTS
    }

    /// Arranges `weights`. A destination's two weights are summed in 16 bits; a sum that does not fit is cut.
    pub fn new(weights: Transitions) -> PlainTransitions {
        let all = weights.as_slice();
        let weight = |feature: usize| all[feature];
        // The weights of a mover's destinations as seen from a king on the square with this index.
        let from_king = |group: Group, king: usize, mover: usize| -> [i16; SQUARES] {
            let Some(viewpoint) = Square::from_index(king).map(Viewpoint::new) else { return [0; SQUARES] };
            let first = group.feature(mover * OFFSETS);
            let row = &all[first..first + OFFSETS];
            let mut found = [0; SQUARES];
            found.iter_mut().zip(Square::all()).for_each(|(found, to)| *found = row[viewpoint.offset(to)]);
            found
        };
        let by_their_king = (0..=NO_KING).map(|king| -> Destinations {
            std::array::from_fn(|mover| {
                let mut found = from_king(FROM_THEIR_KING, king, mover);
                let first = DESTINATION.feature(mover * SQUARES);
                let by_itself = &all[first..first + SQUARES];
                found
                    .iter_mut()
                    .zip(by_itself)
                    .for_each(|(found, &by_itself)| *found = found.saturating_add(by_itself));
                found
            })
        });
        let by_our_king = (0..=NO_KING).map(|king| -> Destinations {
            std::array::from_fn(|mover| from_king(FROM_OUR_KING, king, mover))
        });
        let by_mover = (0..FIRST_DROP).map(|mover| {
            let mut captures = [0; Mailbox::ROOM];
            for kind in PieceKind::ALL {
                captures[Mailbox::theirs(kind)] =
                    weight(CAPTURES.feature(mover * PieceKind::COUNT + kind.index()));
            }
            MoverWeights {
                neighbours: std::array::from_fn(|nth| {
                    padded(Mailbox::COUNT, |content| {
                        weight(NEIGHBOUR.feature((nth * MOVERS + mover) * Mailbox::COUNT + content))
                    })
                }),
                controls: padded(CONTROLS, |control| weight(CONTROL.feature(mover * CONTROLS + control))),
                captures,
            }
        });
        PlainTransitions {
            by_their_king: by_their_king.collect(),
            by_our_king: by_our_king.collect(),
            by_mover: by_mover.collect(),
            drops: DropWeights::new(all),
            weights,
        }
    }

    /// Appends the score of each of the legal `moves` of a position, drops last as they are generated, to `scores`: the sum of
    /// the weights of its plain features, in 1/256 bit, cut where 16 bits cannot hold it. Consecutive moves of one piece share
    /// what depends on the origin alone, drops to one square are scored together.
    pub fn scores(&self, plain: &PlainContext, moves: &[Move], scores: &mut Scores) {
        let (on_board, drops) = generate::split_drops(moves);
        self.board_scores(plain, on_board, scores);
        if !drops.is_empty() {
            self.drops.scores(plain, drops, scores);
        }
    }

    /// The same for moves on the board.
    fn board_scores(&self, plain: &PlainContext, moves: &[Move], scores: &mut Scores) {
        let weights = self.weights.as_slice();
        let place = |king: Option<Square>| king.map_or(NO_KING, |king| plain.ours_first(king).index());
        let their_king = &self.by_their_king[place(plain.their_king)];
        let our_king = &self.by_our_king[place(plain.our_king)];
        for moves in moves.chunk_by(|one, next| one.origin_index() == next.origin_index()) {
            let Some(from) = moves[0].from() else { continue };
            let kind = plain.position.piece_on(from).map_or(PieceKind::King, |piece| piece.kind);
            let mut of_origin = 0;
            plain.visit_origin(kind, from, |feature| of_origin += i32::from(weights[feature]));
            let first = plain.first_step(from);
            let steps = &weights[first..first + SQUARES];
            for &mv in moves {
                let number = 2 * kind.index() + usize::from(mv.is_promotion());
                let by_mover = &self.by_mover[number];
                let to = plain.ours_first(mv.to());
                let mut score = of_origin + i32::from(steps[to.index()]);
                score += i32::from(their_king[number][to.index()]) + i32::from(our_king[number][to.index()]);
                score += i32::from(by_mover.controls[plain.control(mv.to()) % by_mover.controls.len()]);
                score += i32::from(by_mover.captures[plain.mailbox.content(to) % Mailbox::ROOM]);
                for (weights, content) in by_mover.neighbours.iter().zip(plain.mailbox.neighbours(to)) {
                    score += i32::from(weights[content % Mailbox::ROOM]);
                }
                if let Some((last, last_kind)) = plain.last {
                    let answer = (last_kind.index() * MOVERS + number) * OFFSETS + last.offset(to);
                    score += i32::from(weights[ANSWERS.feature(answer)]);
                }
                scores.push(score.clamp(i16::MIN.into(), i16::MAX.into()) as i16);
            }
        }
    }
}

/// The first `count` weights, and zeros after them.
fn padded<const N: usize>(count: usize, weight: impl Fn(usize) -> i16) -> [i16; N] {
    std::array::from_fn(|index| if index < count { weight(index) } else { 0 })
}
