//! Where pieces can go, found in two ways: by walking over an array of squares, as programs of the paper's time did, and by
//! bitboards, as the engine does.

use jitsugen::shogi::attacks;
use jitsugen::shogi::bitboard::Bitboard;
use jitsugen::shogi::color::Color;
use jitsugen::shogi::piece::{Piece, PieceKind};
use jitsugen::shogi::position::Position;
use jitsugen::shogi::square::Square;

/// A way to find the squares that pieces reach.
pub trait Reach {
    /// Calls `visit` with every square that `piece` on `from` attacks.
    fn for_each_target(position: &Position, piece: Piece, from: Square, visit: impl FnMut(Square));

    /// `color`'s pieces that attack `square`.
    fn attackers(position: &Position, square: Square, color: Color) -> Bitboard;

    /// The squares that `piece` on `from` attacks beyond the empty square `through`, which it attacks: none for a step.
    fn beyond(position: &Position, piece: Piece, from: Square, through: Square) -> Bitboard;
}

/// The engine's bitboards.
#[derive(Clone, Copy, Debug)]
pub struct Bitboards;

impl Reach for Bitboards {
    #[inline]
    fn for_each_target(position: &Position, piece: Piece, from: Square, visit: impl FnMut(Square)) {
        attacks::of(piece, from, position.occupied()).for_each(visit);
    }

    #[inline]
    fn attackers(position: &Position, square: Square, color: Color) -> Bitboard {
        position.attackers(square, color, position.occupied())
    }

    #[inline]
    fn beyond(position: &Position, piece: Piece, from: Square, through: Square) -> Bitboard {
        if !slides(piece.kind) {
            return Bitboard::EMPTY;
        }
        let occupied = position.occupied();
        let up_to = attacks::of(piece, from, occupied | Bitboard::of(through));
        attacks::of(piece, from, occupied).without(up_to)
    }
}

/// Walks from square to square until it meets a piece.
#[derive(Clone, Copy, Debug)]
pub struct Walking;

impl Reach for Walking {
    #[inline]
    fn for_each_target(position: &Position, piece: Piece, from: Square, mut visit: impl FnMut(Square)) {
        let Movement { steps, slides } = MOVEMENTS[piece.index()];
        for direction in directions(steps) {
            if let Some(to) = next(from, direction) {
                visit(to);
            }
        }
        for direction in directions(slides) {
            walk(position, from, direction, &mut visit);
        }
    }

    fn attackers(position: &Position, square: Square, color: Color) -> Bitboard {
        let mut attackers = Bitboard::EMPTY;
        for direction in 0..DIRECTIONS {
            let back = 1 << opposite(direction);
            let Some(neighbour) = next(square, direction) else { continue };
            let mut last = neighbour;
            if direction < LINES && position.piece_on(neighbour).is_none() {
                walk(position, neighbour, direction, |at| last = at);
            }
            if let Some(piece) = position.piece_on(last)
                && piece.color == color
            {
                let Movement { steps, slides } = MOVEMENTS[piece.index()];
                if slides & back != 0 || last == neighbour && steps & back != 0 {
                    attackers |= Bitboard::of(last);
                }
            }
        }
        attackers
    }

    fn beyond(position: &Position, piece: Piece, from: Square, through: Square) -> Bitboard {
        let mut beyond = Bitboard::EMPTY;
        for direction in directions(MOVEMENTS[piece.index()].slides) {
            let mut is_beyond = false;
            walk(position, from, direction, |to| {
                if is_beyond {
                    beyond |= Bitboard::of(to);
                }
                is_beyond |= to == through;
            });
        }
        beyond
    }
}

/// Whether the piece attacks along lines.
pub fn slides(kind: PieceKind) -> bool {
    use PieceKind::{Bishop, Dragon, Horse, Lance, Rook};
    matches!(kind, Lance | Bishop | Rook | Horse | Dragon)
}

/// Calls `visit` with the squares in `direction` from `from` up to the first piece, included.
#[inline]
fn walk(position: &Position, from: Square, direction: usize, mut visit: impl FnMut(Square)) {
    let mut at = next(from, direction);
    while let Some(to) = at {
        visit(to);
        at = if position.piece_on(to).is_none() { next(to, direction) } else { None };
    }
}

/// The directions as (files to the left, ranks down): eight along lines, one after another around a square, then the
/// knight's jumps.
const STEPS: [(i8, i8); DIRECTIONS] = [
    (0, -1),
    (1, -1),
    (1, 0),
    (1, 1),
    (0, 1),
    (-1, 1),
    (-1, 0),
    (-1, -1),
    (1, -2),
    (-1, -2),
    (-1, 2),
    (1, 2),
];
const DIRECTIONS: usize = 12;
const LINES: usize = 8;

const fn opposite(direction: usize) -> usize {
    if direction < LINES { (direction + 4) % LINES } else { LINES + (direction - LINES + 2) % 4 }
}

/// The next square in each direction.
static NEXT: [[Option<Square>; Square::COUNT]; DIRECTIONS] = {
    let mut table = [[None; Square::COUNT]; DIRECTIONS];
    let mut index = 0;
    while index < DIRECTIONS * Square::COUNT {
        let (direction, at) = (index / Square::COUNT, index % Square::COUNT);
        if let Some(square) = Square::from_index(at) {
            table[direction][at] = square.offset(STEPS[direction].0, STEPS[direction].1);
        }
        index += 1;
    }
    table
};

#[inline]
fn next(square: Square, direction: usize) -> Option<Square> {
    NEXT[direction][square.index()]
}

/// The directions in which a piece steps and slides, as sets of bits.
#[derive(Clone, Copy)]
struct Movement {
    steps: u16,
    slides: u16,
}

static MOVEMENTS: [Movement; Piece::COUNT] = {
    let mut table = [Movement { steps: 0, slides: 0 }; Piece::COUNT];
    let mut index = 0;
    while index < PieceKind::COUNT {
        let Movement { steps, slides } = movement(PieceKind::ALL[index]);
        table[index] = Movement { steps, slides };
        table[PieceKind::COUNT + index] = Movement { steps: turned(steps), slides: turned(slides) };
        index += 1;
    }
    table
};

/// How Black's piece moves.
const fn movement(kind: PieceKind) -> Movement {
    const FORWARD: u16 = 1;
    const STRAIGHT: u16 = 1 | 1 << 2 | 1 << 4 | 1 << 6;
    const DIAGONAL: u16 = STRAIGHT << 1;
    const FORWARD_DIAGONAL: u16 = 1 << 1 | 1 << 7;
    let (steps, slides) = match kind {
        PieceKind::Pawn => (FORWARD, 0),
        PieceKind::Lance => (0, FORWARD),
        PieceKind::Knight => (1 << 8 | 1 << 9, 0),
        PieceKind::Silver => (FORWARD | DIAGONAL, 0),
        PieceKind::Bishop => (0, DIAGONAL),
        PieceKind::Rook => (0, STRAIGHT),
        PieceKind::King => (STRAIGHT | DIAGONAL, 0),
        PieceKind::Horse => (STRAIGHT, DIAGONAL),
        PieceKind::Dragon => (DIAGONAL, STRAIGHT),
        _ => (STRAIGHT | FORWARD_DIAGONAL, 0),
    };
    Movement { steps, slides }
}

/// The same directions for the other side.
const fn turned(directions: u16) -> u16 {
    let mut turned = 0;
    let mut direction = 0;
    while direction < DIRECTIONS {
        if directions & 1 << direction != 0 {
            turned |= 1 << opposite(direction);
        }
        direction += 1;
    }
    turned
}

#[inline]
fn directions(set: u16) -> impl Iterator<Item = usize> {
    let mut rest = set;
    std::iter::from_fn(move || {
        let direction = rest.trailing_zeros() as usize;
        rest &= rest.wrapping_sub(1);
        (direction < DIRECTIONS).then_some(direction)
    })
}
