//! How long a mate may take.

/// A number of plies, or no bound at all.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, bytemuck::Zeroable)]
pub struct Plies(u16);

impl Plies {
    /// However long it takes.
    pub const UNBOUNDED: Plies = Plies(u16::MAX);
    /// No move at all.
    pub const ZERO: Plies = Plies(0);

    /// `plies`, cut to what is told apart from no bound.
    pub const fn new(plies: u32) -> Plies {
        Plies(if plies < u16::MAX as u32 { plies as u16 } else { u16::MAX - 1 })
    }

    /// One ply more.
    #[must_use]
    pub const fn longer(self) -> Plies {
        Plies(if self.0 >= u16::MAX - 1 { self.0 } else { self.0 + 1 })
    }

    /// One ply less, where there is one.
    #[must_use]
    pub const fn shorter(self) -> Plies {
        Plies(if self.0 == u16::MAX { self.0 } else { self.0.saturating_sub(1) })
    }

    /// The number; the largest there is where there is no bound.
    pub const fn get(self) -> u16 {
        self.0
    }

    /// What [`get`](Plies::get) gave.
    pub const fn from_word(word: u16) -> Plies {
        Plies(word)
    }
}
