//! The cheap part of what a position's moves are judged by: where the pieces stand and what they attack, but no
//! exchange.

use super::attack_map::AttackMap;
use super::mailbox::Mailbox;
use crate::shogi::attacks;
use crate::shogi::bitboard::Bitboard;
use crate::shogi::color::Color;
use crate::shogi::piece::PieceKind;
use crate::shogi::position::Position;
use crate::shogi::square::Square;

/// A position as the side to move sees it, as far as the plain features need it.
///
/// "Ours" is the side to move, "theirs" the opponent. Everything is computed from the pieces alone, so that the same
/// position gives the same wherever it is met; only the square of the last move comes from the game.
#[derive(Clone, Debug)]
pub struct PlainContext<'a> {
    pub(super) position: &'a Position,
    pub(super) us: Color,
    pub(super) occupied: Bitboard,
    pub(super) our_king: Option<Square>,
    pub(super) their_king: Option<Square>,
    /// Where the opponent's last move went.
    pub(super) last_to: Option<Square>,
    /// That square as the side to move sees it, and the kind of piece on it.
    pub(super) last: Option<(Viewpoint, PieceKind)>,
    /// The kings' squares as the side to move sees them.
    pub(super) from_our_king: Option<Viewpoint>,
    pub(super) from_their_king: Option<Viewpoint>,
    /// What we attack; own pieces count, so this is also what we defend.
    pub(super) ours: Bitboard,
    /// What we attack at least twice.
    pub(super) ours_twice: Bitboard,
    /// What they attack, with sliders seeing through our king: where it may not go.
    pub(super) theirs: Bitboard,
    /// What their pawns attack.
    pub(super) theirs_by_pawn: Bitboard,
    /// How each square is attacked, by its index: three times how often by us (not at all, once, or more), and by them not at
    /// all, without a pawn (1), or by a pawn (2).
    pub(super) controls: SquareBytes,
    pub(super) mailbox: Mailbox,
}

impl<'a> PlainContext<'a> {
    /// The context of `position` after an opponent's move to `last_to` (`None` at the start of a game or after a pass).
    pub fn new(position: &'a Position, last_to: Option<Square>) -> PlainContext<'a> {
        let ours = AttackMap::ours(position, Bitboard::EMPTY);
        PlainContext::with(position, last_to, &ours, &AttackMap::theirs(position))
    }

    /// The same with both sides' attacks known.
    pub(super) fn with(
        position: &'a Position,
        last_to: Option<Square>,
        ours: &AttackMap,
        theirs: &AttackMap,
    ) -> PlainContext<'a> {
        let us = position.side();
        let (our_king, their_king) = (position.king(us), position.king(!us));
        let seen = |square: Square| Viewpoint::new(square.seen_by(us));
        let around_ours = our_king.map_or(Bitboard::EMPTY, attacks::king);
        let (our_attacks, twice) = (ours.all | around_ours, ours.twice | ours.all & around_ours);
        let their_attacks = theirs.all | their_king.map_or(Bitboard::EMPTY, attacks::king);
        PlainContext {
            position,
            us,
            occupied: position.occupied(),
            our_king,
            their_king,
            last_to,
            last: last_to.and_then(|square| Some((seen(square), position.piece_on(square)?.kind))),
            from_our_king: our_king.map(seen),
            from_their_king: their_king.map(seen),
            ours: our_attacks,
            ours_twice: twice,
            theirs: their_attacks,
            theirs_by_pawn: theirs.by_pawn,
            controls: controls([our_attacks, twice], [their_attacks, theirs.by_pawn]),
            mailbox: Mailbox::of(position),
        }
    }
}

/// A number for each square, by its index; the last ones belong to no square.
type SquareBytes = [u8; 88];

/// Three for each set of `ours` that a square is in, and one for each of `theirs`.
fn controls(ours: [Bitboard; 2], theirs: [Bitboard; 2]) -> SquareBytes {
    let mut found = [0; 88];
    let [ours, theirs] = [ours, theirs].map(|sets| sets.map(|set| set.bits().to_le_bytes()));
    for (nth, eight) in found.as_chunks_mut::<8>().0.iter_mut().enumerate() {
        let [ours, theirs] = [ours, theirs].map(|[one, other]| spread(one[nth]) + spread(other[nth]));
        *eight = (3 * ours + theirs).to_le_bytes();
    }
    found
}

/// The bits of `byte` as bytes of 0 or 1, the lowest first.
fn spread(byte: u8) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    // One bit is left in each byte, at another place in each; 127 more carries it to the highest place.
    let bits = (u64::from(byte) * ONES) & 0x8040_2010_0804_0201;
    (bits + 127 * ONES) >> 7 & ONES
}

/// A square that others are seen from: their offset from it, in files and ranks, is one number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Viewpoint(usize);

/// Files and ranks differ by -8 to 8.
const WIDTH: usize = 17;

/// The number of each square on a board of that width.
const PLACES: [u8; Square::COUNT] = {
    let mut places = [0; Square::COUNT];
    let mut index = 0;
    while index < Square::COUNT {
        places[index] = (index / 9 * WIDTH + index % 9) as u8;
        index += 1;
    }
    places
};

impl Viewpoint {
    /// How many offsets there are.
    pub const OFFSETS: usize = WIDTH * WIDTH;

    pub fn new(square: Square) -> Viewpoint {
        Viewpoint(8 * WIDTH + 8 - usize::from(PLACES[square.index()]))
    }

    /// The offset of `square` from here: under [`OFFSETS`](Self::OFFSETS).
    pub fn offset(self, square: Square) -> usize {
        self.0 + usize::from(PLACES[square.index()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_control_counts_the_sets_that_a_square_is_in() {
        let mut random = fastrand::Rng::with_seed(1);
        for _ in 0..100 {
            let sets: [Bitboard; 4] =
                std::array::from_fn(|_| Square::all().filter(|_| random.bool()).collect());
            let [a, b, c, d] = sets;
            let found = controls([a, b], [c, d]);
            for square in Square::all() {
                let [a, b, c, d] = sets.map(|set| u8::from(set.contains(square)));
                assert_eq!(found[square.index()], 3 * (a + b) + c + d, "{square}");
            }
        }
    }

    #[test]
    fn an_offset_is_the_difference_in_files_and_ranks() {
        for from in Square::all() {
            for to in Square::all() {
                let [file, rank] =
                    [8 + to.file() - from.file(), 8 + to.rank() - from.rank()].map(usize::from);
                assert_eq!(Viewpoint::new(from).offset(to), file * 17 + rank, "{to} from {from}");
            }
        }
    }
}
