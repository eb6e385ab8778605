//! The two sides.

use std::ops::{Index, IndexMut, Not};

/// A side. Black (sente) moves up the board, and first in an even game; White is gote.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Color {
    /// Sente; promotes on ranks a to c.
    Black,
    /// Gote, in handicap games uwate; promotes on ranks g to i.
    White,
}

impl Color {
    /// Both sides, Black first.
    pub const ALL: [Color; 2] = [Color::Black, Color::White];

    /// 0 for Black, 1 for White.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The other side.
    pub const fn opponent(self) -> Color {
        match self {
            Color::Black => Color::White,
            Color::White => Color::Black,
        }
    }
}

impl Not for Color {
    type Output = Color;

    fn not(self) -> Color {
        self.opponent()
    }
}

/// One value for each side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PerColor<T>(pub [T; 2]);

impl<T> Index<Color> for PerColor<T> {
    type Output = T;

    fn index(&self, color: Color) -> &T {
        &self.0[color.index()]
    }
}

impl<T> IndexMut<Color> for PerColor<T> {
    fn index_mut(&mut self, color: Color) -> &mut T {
        &mut self.0[color.index()]
    }
}
