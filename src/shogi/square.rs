//! Squares of the board.

use std::fmt;

use super::color::Color;

/// One of the 81 squares, file by file from Black's right: 1a is 0, 1i is 8, 9i is 80.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// How many squares the board has.
    pub const COUNT: usize = 81;

    /// The square on `file` and `rank`, both counted from 0 (1a is file 0, rank 0).
    ///
    /// # Panics
    /// When either is over 8.
    pub const fn new(file: u8, rank: u8) -> Square {
        assert!(file < 9 && rank < 9);
        Square(file * 9 + rank)
    }

    /// The square with this index; `None` from 81 on.
    pub const fn from_index(index: usize) -> Option<Square> {
        if index < Self::COUNT { Some(Square(index as u8)) } else { None }
    }

    /// The square with this index, which must be under 81.
    pub(super) const fn from_index_bounded(index: u8) -> Square {
        debug_assert!((index as usize) < Self::COUNT);
        Square(index)
    }

    /// The index, 0 to 80.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// 0 for file 1 (Black's right) to 8 for file 9.
    pub const fn file(self) -> u8 {
        self.0 / 9
    }

    /// 0 for rank a (White's last rank) to 8 for rank i.
    pub const fn rank(self) -> u8 {
        self.0 % 9
    }

    /// The square rotated by half a turn: the same one as the other side sees it.
    pub const fn rotated(self) -> Square {
        Square(80 - self.0)
    }

    /// The square as `color` sees it: itself for Black, rotated for White.
    pub const fn seen_by(self, color: Color) -> Square {
        match color {
            Color::Black => self,
            Color::White => self.rotated(),
        }
    }

    /// The rank as `color` counts it: 0 is the one furthest from its own side.
    pub const fn rank_from(self, color: Color) -> u8 {
        match color {
            Color::Black => self.rank(),
            Color::White => 8 - self.rank(),
        }
    }

    /// Whether the square lies in the three ranks where `color` promotes.
    pub const fn in_promotion_zone(self, color: Color) -> bool {
        self.rank_from(color) < 3
    }

    /// The square `files` to the left and `ranks` down, as Black sees it; `None` if that is off the board.
    pub const fn offset(self, files: i8, ranks: i8) -> Option<Square> {
        let (file, rank) = (self.file() as i8 + files, self.rank() as i8 + ranks);
        if file < 0 || file > 8 || rank < 0 || rank > 8 {
            return None;
        }
        Some(Square::new(file as u8, rank as u8))
    }

    /// Every square, in the order of their indices.
    pub fn all() -> impl DoubleEndedIterator<Item = Square> + ExactSizeIterator {
        (0..Self::COUNT as u8).map(Square)
    }
}

/// As in USI: the file as a digit, the rank as a letter (`7g`).
impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file() + 1, (b'a' + self.rank()) as char)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::str::FromStr for Square {
    type Err = NotASquare;

    fn from_str(text: &str) -> Result<Square, NotASquare> {
        match text.as_bytes() {
            [file @ b'1'..=b'9', rank @ b'a'..=b'i'] => Ok(Square::new(file - b'1', rank - b'a')),
            _ => Err(NotASquare),
        }
    }
}

/// The text is not a file digit 1 to 9 followed by a rank letter a to i.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotASquare;

impl fmt::Display for NotASquare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a file 1 to 9 and a rank a to i")
    }
}

impl std::error::Error for NotASquare {}
