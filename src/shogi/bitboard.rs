//! Sets of squares.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use super::color::Color;
use super::square::Square;

/// A set of squares. Bit n stands for the square with index n; the 47 high bits are zero.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Bitboard(u128);

const ALL_SQUARES: u128 = (1 << Square::COUNT) - 1;
const RANK_A: u128 = {
    let mut bits = 0;
    let mut file = 0;
    while file < 9 {
        bits |= 1 << (9 * file);
        file += 1;
    }
    bits
};
const RANK_I: u128 = RANK_A << 8;

/// The sets of one square. Reading one is faster than a shift of 128 bits.
static SINGLE: [Bitboard; Square::COUNT] = {
    let mut table = [Bitboard::EMPTY; Square::COUNT];
    let mut index = 0;
    while index < Square::COUNT {
        table[index] = Bitboard(1 << index);
        index += 1;
    }
    table
};

impl Bitboard {
    /// No square.
    pub const EMPTY: Bitboard = Bitboard(0);
    /// Every square.
    pub const FULL: Bitboard = Bitboard(ALL_SQUARES);

    /// The set with these bits; bits beyond the board are cleared.
    pub const fn from_bits(bits: u128) -> Bitboard {
        Bitboard(bits & ALL_SQUARES)
    }

    /// The set's bits.
    pub const fn bits(self) -> u128 {
        self.0
    }

    /// The set of one square.
    pub const fn of(square: Square) -> Bitboard {
        SINGLE[square.index()]
    }

    /// The nine squares of a rank, 0 for a.
    pub const fn rank(rank: u8) -> Bitboard {
        Bitboard::from_bits(RANK_A << rank)
    }

    /// The nine squares of a file, 0 for 1.
    pub const fn file(file: u8) -> Bitboard {
        Bitboard::from_bits(0x1FF << (9 * file))
    }

    /// The `ranks` ranks furthest from `color`'s own side; three are the promotion zone.
    pub const fn far_ranks(color: Color, ranks: u8) -> Bitboard {
        let mut bits = 0;
        let mut n = 0;
        while n < ranks {
            bits |= match color {
                Color::Black => RANK_A << n,
                Color::White => RANK_I >> n,
            };
            n += 1;
        }
        Bitboard::from_bits(bits)
    }

    /// Whether `square` is in the set.
    pub const fn contains(self, square: Square) -> bool {
        // Only one half is looked at: a shift of 128 bits takes several instructions.
        let index = square.index();
        let half = if index < 64 { self.0 as u64 } else { (self.0 >> 64) as u64 };
        half >> (index % 64) & 1 != 0
    }

    /// Whether no square is in the set.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the sets share a square.
    pub const fn meets(self, other: Bitboard) -> bool {
        self.0 & other.0 != 0
    }

    /// How many squares are in the set.
    pub const fn count(self) -> u32 {
        (self.0 as u64).count_ones() + ((self.0 >> 64) as u64).count_ones()
    }

    /// Whether there are two squares or more.
    pub const fn has_several(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// The square with the lowest index.
    pub const fn first(self) -> Option<Square> {
        if self.is_empty() { None } else { Some(Square::from_index_bounded(self.0.trailing_zeros() as u8)) }
    }

    /// The squares in `self` that are not in `other`.
    #[must_use]
    pub const fn without(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 & !other.0)
    }

    /// Every square moved one step forward, as `color` sees it. No square of the set may be on the last rank, from where it
    /// would move to another file or off the board.
    #[must_use]
    pub const fn forward(self, color: Color) -> Bitboard {
        match color {
            Color::Black => Bitboard(self.0 >> 1),
            Color::White => Bitboard::from_bits(self.0 << 1),
        }
    }

    /// All squares of the files without a square of the set.
    #[must_use]
    pub const fn empty_files(self) -> Bitboard {
        // In the nine bits of a file, 0x100 - (the lower eight bits) has its top bit set only if those are all clear.
        let free = (RANK_I - (self.0 & !RANK_I)) & RANK_I & !self.0;
        Bitboard(free | (free - (free >> 8)))
    }

    /// Calls `visit` for every square, in the order of their indices.
    pub fn for_each(self, mut visit: impl FnMut(Square)) {
        let (mut low, mut high) = (self.0 as u64, (self.0 >> 64) as u64);
        while low != 0 {
            visit(Square::from_index_bounded(low.trailing_zeros() as u8));
            low &= low - 1;
        }
        while high != 0 {
            visit(Square::from_index_bounded(64 + high.trailing_zeros() as u8));
            high &= high - 1;
        }
    }
}

macro_rules! set_operators {
    ($($trait:ident $method:ident $assign_trait:ident $assign:ident $op:tt),+) => {$(
        impl $trait for Bitboard {
            type Output = Bitboard;
            fn $method(self, other: Bitboard) -> Bitboard {
                Bitboard(self.0 $op other.0)
            }
        }
        impl $assign_trait for Bitboard {
            fn $assign(&mut self, other: Bitboard) {
                *self = *self $op other;
            }
        }
    )+};
}
set_operators!(BitAnd bitand BitAndAssign bitand_assign &,
               BitOr bitor BitOrAssign bitor_assign |,
               BitXor bitxor BitXorAssign bitxor_assign ^);

impl Not for Bitboard {
    type Output = Bitboard;

    fn not(self) -> Bitboard {
        Bitboard(self.0 ^ ALL_SQUARES)
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Bitboard {
        squares.into_iter().fold(Bitboard::EMPTY, |set, square| set | Bitboard::of(square))
    }
}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    fn into_iter(self) -> Squares {
        Squares(self)
    }
}

/// The squares of a [`Bitboard`], in the order of their indices.
pub struct Squares(Bitboard);

impl Iterator for Squares {
    type Item = Square;

    fn next(&mut self) -> Option<Square> {
        let square = self.0.first()?;
        self.0.0 &= self.0.0 - 1;
        Some(square)
    }
}

/// Nine rows of `.` and `x` as Black sees the board: file 9 left, rank a on top.
impl fmt::Display for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in 0..9 {
            for file in (0..9).rev() {
                f.write_str(if self.contains(Square::new(file, rank)) { "x" } else { "." })?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\n{self}")
    }
}

/// Reads a drawing in the form of [`Bitboard`]'s `Display`; white space is ignored. For tests and constants.
///
/// # Panics
/// When the drawing does not consist of 81 characters `.` or `x`.
pub fn drawn(drawing: &str) -> Bitboard {
    let cells: Vec<char> = drawing.chars().filter(|c| !c.is_whitespace()).collect();
    assert_eq!(cells.len(), Square::COUNT, "a drawing has 81 cells");
    let square_of = |cell: usize| Square::new(8 - (cell % 9) as u8, (cell / 9) as u8);
    let marked = |&(_, c): &(usize, char)| match c {
        'x' => true,
        '.' => false,
        other => panic!("a drawing consists of '.' and 'x', not '{other}'"),
    };
    cells.into_iter().enumerate().filter(marked).map(|(cell, _)| square_of(cell)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn iteration_visits_each_square_once_in_order() {
        let set = drawn(
            "x.......x
             .........
             ..x......
             .........
             xxxxxxxxx
             .........
             ......x..
             .........
             x.......x",
        );
        let squares: Vec<Square> = set.into_iter().collect();
        let mut visited = Vec::new();
        set.for_each(|square| visited.push(square));
        assert_eq!(squares, visited);
        assert!(squares.is_sorted());
        assert_eq!(squares.len() as u32, set.count());
        assert_eq!(squares.iter().copied().collect::<Bitboard>(), set);
        assert_eq!(drawn(&set.to_string()), set);
    }

    #[test]
    fn empty_files_are_those_without_a_square_of_the_set() {
        for rank in 0..9 {
            let set = Bitboard::of(Square::new(0, rank)) | Bitboard::of(Square::new(7, rank));
            let expected: Bitboard = Square::all().filter(|s| s.file() != 0 && s.file() != 7).collect();
            assert_eq!(set.empty_files(), expected);
        }
        assert_eq!(Bitboard::EMPTY.empty_files(), Bitboard::FULL);
        assert_eq!(Bitboard::rank(4).empty_files(), Bitboard::EMPTY);
        for file in 0..9 {
            let rest = Bitboard::FULL.without(Bitboard::file(file));
            for (a, b) in [(8, 0), (8, 7), (6, 7), (0, 1)] {
                let set = Bitboard::of(Square::new(file, a)) | Bitboard::of(Square::new(file, b));
                assert_eq!(set.empty_files(), rest);
            }
        }
    }

    #[test]
    fn far_ranks_are_the_promotion_zone_and_forward_is_one_rank() {
        for color in Color::ALL {
            let zone: Bitboard = Square::all().filter(|s| s.in_promotion_zone(color)).collect();
            assert_eq!(Bitboard::far_ranks(color, 3), zone);
        }
        assert_eq!(Bitboard::rank(6).forward(Color::Black), Bitboard::rank(5));
        assert_eq!(Bitboard::rank(2).forward(Color::White), Bitboard::rank(3));
    }
}
