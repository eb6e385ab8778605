//! The squares that pieces attack.
//!
//! Steps come from a table. The squares of a slider come from one subtraction a ray (Mori Taikei's Qugiy, 2021): the
//! borrow runs through the empty squares up to the first blocker. A ray towards lower indices is made one towards higher
//! indices by reversing the bytes of the board; that works because each square of a rank or diagonal lies in a byte of
//! its own. The squares of a file do not, so the nine bits of the file index a small table.

use super::bitboard::Bitboard;
use super::color::Color;
use super::piece::{Piece, PieceKind};
use super::square::Square;

/// Steps as (files to the left, ranks down), seen by Black.
type Steps = &'static [(i8, i8)];

const GOLD: Steps = &[(0, -1), (1, -1), (-1, -1), (1, 0), (-1, 0), (0, 1)];
const SILVER: Steps = &[(0, -1), (1, -1), (-1, -1), (1, 1), (-1, 1)];
const KNIGHT: Steps = &[(1, -2), (-1, -2)];
const ORTHOGONAL: Steps = &[(0, -1), (0, 1), (1, 0), (-1, 0)];
const DIAGONAL: Steps = &[(1, -1), (-1, -1), (1, 1), (-1, 1)];
const FORWARD: Steps = &[(0, -1)];
const NONE: Steps = &[];

/// How a kind moves: its steps, and the directions in which it slides.
const fn movement(kind: PieceKind) -> (Steps, Steps) {
    match kind {
        PieceKind::Pawn => (FORWARD, NONE),
        PieceKind::Lance => (NONE, FORWARD),
        PieceKind::Knight => (KNIGHT, NONE),
        PieceKind::Silver => (SILVER, NONE),
        PieceKind::Bishop => (NONE, DIAGONAL),
        PieceKind::Rook => (NONE, ORTHOGONAL),
        PieceKind::King => (&[(0, -1), (0, 1), (1, 0), (-1, 0), (1, -1), (-1, -1), (1, 1), (-1, 1)], NONE),
        PieceKind::Horse => (ORTHOGONAL, DIAGONAL),
        PieceKind::Dragon => (DIAGONAL, ORTHOGONAL),
        _ => (GOLD, NONE),
    }
}

/// The squares from `square` in direction `step` to the edge of the board.
const fn ray(square: Square, step: (i8, i8)) -> u128 {
    let mut bits = 0;
    let mut at = square.offset(step.0, step.1);
    while let Some(next) = at {
        bits |= 1 << next.index();
        at = next.offset(step.0, step.1);
    }
    bits
}

/// The squares that a piece attacks on an empty board.
static ON_EMPTY_BOARD: [[Bitboard; Square::COUNT]; Piece::COUNT] = {
    let mut table = [[Bitboard::EMPTY; Square::COUNT]; Piece::COUNT];
    let mut index = 0;
    while index < PieceKind::COUNT * Square::COUNT {
        let (kind, at) = (PieceKind::ALL[index / Square::COUNT], index % Square::COUNT);
        let square = Square::from_index_bounded(at as u8);
        let (steps, slides) = movement(kind);
        let mut bits = 0;
        let mut n = 0;
        while n < steps.len() {
            if let Some(to) = square.offset(steps[n].0, steps[n].1) {
                bits |= 1 << to.index();
            }
            n += 1;
        }
        n = 0;
        while n < slides.len() {
            bits |= ray(square, slides[n]);
            n += 1;
        }
        table[kind.index()][at] = Bitboard::from_bits(bits);
        // White's piece on the rotated square attacks the rotated squares.
        table[PieceKind::COUNT + kind.index()][80 - at] = Bitboard::from_bits(bits.reverse_bits() >> 47);
        index += 1;
    }
    table
};

/// The rays from a square in two opposite directions: towards higher indices, and towards lower ones with the bytes
/// reversed.
#[derive(Clone, Copy)]
struct RayPair {
    up: u128,
    down_reversed: u128,
}

#[derive(Clone, Copy)]
struct Rays {
    rank: RayPair,
    diagonals: [RayPair; 2],
}

/// The rays along `step`, which points to higher indices, and against it.
const fn ray_pair(square: Square, step: (i8, i8)) -> RayPair {
    RayPair { up: ray(square, step), down_reversed: ray(square, (-step.0, -step.1)).swap_bytes() }
}

static RAYS: [Rays; Square::COUNT] = {
    let empty = RayPair { up: 0, down_reversed: 0 };
    let mut table = [Rays { rank: empty, diagonals: [empty; 2] }; Square::COUNT];
    let mut index = 0;
    while index < Square::COUNT {
        let square = Square::from_index_bounded(index as u8);
        table[index] = Rays {
            rank: ray_pair(square, (1, 0)),
            diagonals: [ray_pair(square, (1, -1)), ray_pair(square, (1, 1))],
        };
        index += 1;
    }
    table
};

/// The squares of `ray` up to the first occupied one, included. The ray must run towards higher indices.
const fn slide(ray: u128, occupied: u128) -> u128 {
    let blockers = ray & occupied;
    (blockers ^ blockers.wrapping_sub(1)) & ray
}

/// The attacked squares of a file as nine bits, by rank and by occupancy of ranks b to h.
static FILE_ATTACKS: [[u16; 128]; 9] = {
    let mut table = [[0; 128]; 9];
    let mut index = 0;
    while index < 9 * 128 {
        let (rank, occupied) = (index / 128, (index % 128) << 1);
        let mut bits: u16 = 0;
        let mut n = rank;
        while n > 0 {
            n -= 1;
            bits |= 1 << n;
            if occupied >> n & 1 != 0 {
                break;
            }
        }
        n = rank + 1;
        while n < 9 {
            bits |= 1 << n;
            if occupied >> n & 1 != 0 {
                break;
            }
            n += 1;
        }
        table[rank][index % 128] = bits;
        index += 1;
    }
    table
};

fn file_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    let shift = square.index() as u32 / 9 * 9;
    let inner = (occupied.bits() >> (shift + 1)) as usize & 127;
    Bitboard::from_bits((FILE_ATTACKS[square.rank() as usize][inner] as u128) << shift)
}

fn rank_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    let RayPair { up, down_reversed } = RAYS[square.index()].rank;
    let occupied = occupied.bits();
    Bitboard::from_bits(slide(up, occupied) | slide(down_reversed, occupied.swap_bytes()).swap_bytes())
}

/// The squares that a rook on `square` attacks.
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    file_attacks(square, occupied) | rank_attacks(square, occupied)
}

/// The squares that a bishop on `square` attacks.
pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    let [a, b] = RAYS[square.index()].diagonals;
    let occupied = occupied.bits();
    let reversed = occupied.swap_bytes();
    Bitboard::from_bits(
        slide(a.up, occupied)
            | slide(b.up, occupied)
            | (slide(a.down_reversed, reversed) | slide(b.down_reversed, reversed)).swap_bytes(),
    )
}

/// The squares that a lance of `color` on `square` attacks.
pub fn lance(color: Color, square: Square, occupied: Bitboard) -> Bitboard {
    file_attacks(square, occupied) & on_empty_board(Piece::new(color, PieceKind::Lance), square)
}

/// The squares that `piece` on `square` attacks on an empty board. For pieces that do not slide, these are always right.
pub fn on_empty_board(piece: Piece, square: Square) -> Bitboard {
    ON_EMPTY_BOARD[piece.index()][square.index()]
}

/// The squares that `piece` on `square` attacks, with the squares of `occupied` as blockers.
pub fn of(piece: Piece, square: Square, occupied: Bitboard) -> Bitboard {
    match piece.kind {
        PieceKind::Lance => lance(piece.color, square, occupied),
        PieceKind::Bishop => bishop(square, occupied),
        PieceKind::Rook => rook(square, occupied),
        PieceKind::Horse => bishop(square, occupied) | king(square),
        PieceKind::Dragon => rook(square, occupied) | king(square),
        _ => on_empty_board(piece, square),
    }
}

/// The squares around `square`, eight or fewer.
pub fn king(square: Square) -> Bitboard {
    on_empty_board(Piece::new(Color::Black, PieceKind::King), square)
}

/// What is known of two squares on one rank, file or diagonal.
#[derive(Clone, Copy)]
struct Aligned {
    /// The squares strictly between.
    between: Bitboard,
    /// The whole line through both, edge to edge.
    line: Bitboard,
}

static ALIGNED: [[Aligned; Square::COUNT]; Square::COUNT] = {
    let mut table =
        [[Aligned { between: Bitboard::EMPTY, line: Bitboard::EMPTY }; Square::COUNT]; Square::COUNT];
    let mut index = 0;
    while index < Square::COUNT {
        let from = Square::from_index_bounded(index as u8);
        let (directions, _) = movement(PieceKind::King);
        let mut n = 0;
        while n < directions.len() {
            let step = directions[n];
            let line = ray(from, step) | ray(from, (-step.0, -step.1)) | 1 << index;
            let mut between = 0;
            let mut at = from.offset(step.0, step.1);
            while let Some(to) = at {
                table[index][to.index()] =
                    Aligned { between: Bitboard::from_bits(between), line: Bitboard::from_bits(line) };
                between |= 1 << to.index();
                at = to.offset(step.0, step.1);
            }
            n += 1;
        }
        index += 1;
    }
    table
};

/// The squares strictly between two squares of one rank, file or diagonal; none for other pairs.
pub fn between(a: Square, b: Square) -> Bitboard {
    ALIGNED[a.index()][b.index()].between
}

/// Every square of the rank, file or diagonal through two different squares; none for other pairs.
pub fn line_through(a: Square, b: Square) -> Bitboard {
    ALIGNED[a.index()][b.index()].line
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The slow twin: walks square by square.
    fn walked(piece: Piece, square: Square, occupied: Bitboard) -> Bitboard {
        let turn = |n: i8| if piece.color == Color::Black { n } else { -n };
        let (steps, slides) = movement(piece.kind);
        let mut set: Bitboard = steps.iter().filter_map(|s| square.offset(turn(s.0), turn(s.1))).collect();
        for step in slides {
            let mut at = square.offset(turn(step.0), turn(step.1));
            while let Some(to) = at {
                set |= Bitboard::of(to);
                at = if occupied.contains(to) { None } else { to.offset(turn(step.0), turn(step.1)) };
            }
        }
        set
    }

    #[test]
    fn attacks_agree_with_walking_on_random_boards() {
        let mut rng = fastrand::Rng::with_seed(1);
        let mut random = || rng.u128(..);
        for round in 0..600 {
            // A sparse, a medium and a full board.
            let occupied = Bitboard::from_bits(match round % 3 {
                0 => random() & random() & random(),
                1 => random() & random(),
                _ => random() | random(),
            });
            for square in Square::all() {
                for color in Color::ALL {
                    for kind in PieceKind::ALL {
                        let piece = Piece::new(color, kind);
                        assert_eq!(
                            of(piece, square, occupied),
                            walked(piece, square, occupied),
                            "{piece:?} on {square}, occupied {occupied:?}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn lines_and_squares_between_are_symmetric_and_complete() {
        for a in Square::all() {
            for b in Square::all() {
                let aligned = a != b
                    && (a.file() == b.file()
                        || a.rank() == b.rank()
                        || a.file().abs_diff(b.file()) == a.rank().abs_diff(b.rank()));
                assert_eq!(between(a, b), between(b, a));
                assert_eq!(line_through(a, b), line_through(b, a));
                assert_eq!(aligned, line_through(a, b).contains(a) && line_through(a, b).contains(b));
                if aligned {
                    let steps = a.file().abs_diff(b.file()).max(a.rank().abs_diff(b.rank()));
                    assert_eq!(between(a, b).count(), u32::from(steps) - 1);
                    assert_eq!(between(a, b) & line_through(a, b), between(a, b));
                }
            }
        }
    }
}
