//! What pieces attack.
//!
//! Steps are tables. A slider's squares come from one subtraction along each ray (Mori Taikei's Qugiy, 2021): below
//! the first blocker a borrow runs through the empty squares, and reversing the bytes of the board turns a ray that
//! runs downwards into one that runs upwards, because the squares of a rank or a diagonal lie in different bytes.
//! On files, where they do not, the nine bits of the file index a small table.

use super::bitboard::Bitboard;
use super::color::Color;
use super::piece::{Piece, PieceKind};
use super::square::Square;

/// Steps as (files to the left, ranks down), as Black sees them.
type Steps = &'static [(i8, i8)];

const GOLD: Steps = &[(0, -1), (1, -1), (-1, -1), (1, 0), (-1, 0), (0, 1)];
const SILVER: Steps = &[(0, -1), (1, -1), (-1, -1), (1, 1), (-1, 1)];
const KNIGHT: Steps = &[(1, -2), (-1, -2)];
const ORTHOGONAL: Steps = &[(0, -1), (0, 1), (1, 0), (-1, 0)];
const DIAGONAL: Steps = &[(1, -1), (-1, -1), (1, 1), (-1, 1)];
const FORWARD: Steps = &[(0, -1)];
const NONE: Steps = &[];

/// How a kind moves: squares it steps to and directions it slides in.
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

/// The squares that a piece alone on the board attacks.
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

/// A line through a square in two opposite directions, the half that runs downwards stored byte-reversed.
#[derive(Clone, Copy)]
struct Line {
    up: u128,
    down_reversed: u128,
}

#[derive(Clone, Copy)]
struct Lines {
    rank: Line,
    /// From the lower left to the upper right and from the upper left to the lower right.
    diagonals: [Line; 2],
}

/// `step` points to higher indices.
const fn line(square: Square, step: (i8, i8)) -> Line {
    Line { up: ray(square, step), down_reversed: ray(square, (-step.0, -step.1)).swap_bytes() }
}

static LINES: [Lines; Square::COUNT] = {
    let empty = Line { up: 0, down_reversed: 0 };
    let mut table = [Lines { rank: empty, diagonals: [empty; 2] }; Square::COUNT];
    let mut index = 0;
    while index < Square::COUNT {
        let square = Square::from_index_bounded(index as u8);
        table[index] =
            Lines { rank: line(square, (1, 0)), diagonals: [line(square, (1, -1)), line(square, (1, 1))] };
        index += 1;
    }
    table
};

/// The squares of `ray` up to and with the first occupied one; the ray runs towards higher bits.
const fn slide(ray: u128, occupied: u128) -> u128 {
    let blockers = ray & occupied;
    (blockers ^ blockers.wrapping_sub(1)) & ray
}

/// By rank and by occupancy of ranks b to h: the nine bits of the file.
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
    let Line { up, down_reversed } = LINES[square.index()].rank;
    let occupied = occupied.bits();
    Bitboard::from_bits(slide(up, occupied) | slide(down_reversed, occupied.swap_bytes()).swap_bytes())
}

/// The squares a rook on `square` attacks.
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    file_attacks(square, occupied) | rank_attacks(square, occupied)
}

/// The squares a bishop on `square` attacks.
pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    let [a, b] = LINES[square.index()].diagonals;
    let occupied = occupied.bits();
    let reversed = occupied.swap_bytes();
    Bitboard::from_bits(
        slide(a.up, occupied)
            | slide(b.up, occupied)
            | (slide(a.down_reversed, reversed) | slide(b.down_reversed, reversed)).swap_bytes(),
    )
}

/// The squares a lance of `color` on `square` attacks.
pub fn lance(color: Color, square: Square, occupied: Bitboard) -> Bitboard {
    file_attacks(square, occupied) & on_empty_board(Piece::new(color, PieceKind::Lance), square)
}

/// The squares `piece` would attack from `square` on a board without other pieces; exact for pieces that only step.
pub fn on_empty_board(piece: Piece, square: Square) -> Bitboard {
    ON_EMPTY_BOARD[piece.index()][square.index()]
}

/// The squares `piece` attacks from `square`, blocked by `occupied` beyond the first piece met.
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

/// The up to eight squares around `square`.
pub fn king(square: Square) -> Bitboard {
    on_empty_board(Piece::new(Color::Black, PieceKind::King), square)
}

/// For each pair of squares on one rank, file or diagonal.
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

/// Every square of the rank, file or diagonal that two different squares share; none for other pairs.
pub fn line_through(a: Square, b: Square) -> Bitboard {
    ALIGNED[a.index()][b.index()].line
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Walks step by step: the slow twin.
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
    fn agree_with_walking_on_random_boards() {
        let mut rng = fastrand::Rng::with_seed(1);
        let mut random = || rng.u128(..);
        for round in 0..600 {
            // From nearly empty to nearly full.
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
    fn lines_and_gaps() {
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
