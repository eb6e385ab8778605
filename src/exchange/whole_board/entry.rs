//! An entry of the table XREF, and what it is credited with.

use crate::shogi::bitboard::Bitboard;
use crate::shogi::color::Color;
use crate::shogi::moves::Move;
use crate::shogi::square::Square;

/// What kind of tactical move an entry is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EntryKind {
    /// Takes a piece.
    Capture,
    /// Promotes on an empty square.
    Promotion,
    /// Attacks two pieces at once, or a piece with check.
    Fork,
    /// Attacks a piece that cannot get away.
    Attack,
    /// Mates.
    Mate,
}

/// What an inactive entry waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trigger {
    /// A piece on one of these squares leaves it or is taken: it was tied, or in the way.
    Leaves(Bitboard),
    /// This move of the same side is played: the entry is what the piece can take next.
    Follows(Move),
}

/// Why one entry adds to the weight of another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Reason {
    /// The piece that makes the other move is our target.
    TakesCapturer,
    /// Our piece is the target of the other move.
    Escapes,
    /// Our piece gets in the way of the other move.
    Blocks,
    /// Our piece defends the target of the other move, or guards the square it goes to.
    Defends,
    /// The other entry becomes possible by this move of the same side.
    Triggers,
    /// The piece taken was tied; the other entry, or the square, is set free.
    Unties,
    /// Another piece of ours can do the same, and this one would leave something undone.
    Committed,
    /// The move gives check, so that the opponent has no time for anything else.
    Check,
}

/// What an entry adds to the weight of another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Credit {
    /// The place of the other entry in the table; `None` where it is a square or the check itself.
    pub from: Option<usize>,
    /// The square that matters: the target of the other entry.
    pub square: Square,
    /// How much, in the units of the piece values; negative for [`Reason::Committed`].
    pub amount: i32,
    /// Why.
    pub reason: Reason,
}

/// How a threat can be answered: the columns of the paper's table.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Answers {
    /// B: a piece can be put in its way.
    pub block: bool,
    /// D: another piece can defend.
    pub defend: bool,
    /// R: the threatened piece can run.
    pub run: bool,
    /// I: the threatened piece has no safe square to go to.
    pub immobile: bool,
}

impl Answers {
    /// S: the threat can be neutralised by some means.
    pub const fn any(self) -> bool {
        self.block || self.defend || self.run
    }
}

/// A tactical move of either side.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Whose move it is.
    pub side: Color,
    /// The move.
    pub mv: Move,
    /// What it does.
    pub kind: EntryKind,
    /// What it wins or threatens: the square of a piece, or where it promotes.
    pub target: Square,
    /// What it gains by itself.
    pub first: i32,
    /// What it nets as a tactical move by itself.
    pub value: i32,
    /// Its weight after cross-referencing.
    pub weight: i32,
    /// Whether it can be played now.
    pub active: bool,
    /// What makes it active, if it is not.
    pub trigger: Option<Trigger>,
    /// Whether it gives check.
    pub check: bool,
    /// Whether the target is tied to defending something.
    pub target_tied: bool,
    /// How the opponent can answer it.
    pub answers: Answers,
    /// What was added to its value to make its weight.
    pub credits: Vec<Credit>,
}

impl Entry {
    /// The square the move comes from; `None` for a drop.
    pub fn from(&self) -> Option<Square> {
        self.mv.from()
    }

    /// Whether it waits for the piece on `square` to leave.
    pub fn waits_for(&self, square: Square) -> bool {
        !self.active && matches!(self.trigger, Some(Trigger::Leaves(squares)) if squares.contains(square))
    }

    /// Whether what it gains is not at once in danger.
    pub const fn is_lasting(&self) -> bool {
        self.value >= self.first
    }

    /// Whether it wins nothing at once, but threatens to (the paper's D behind S).
    pub const fn is_delayed(&self) -> bool {
        matches!(self.kind, EntryKind::Fork | EntryKind::Attack)
    }

    /// The squares that the move leaves and reaches.
    pub fn squares(&self) -> Bitboard {
        self.from().map_or(Bitboard::EMPTY, Bitboard::of) | Bitboard::of(self.mv.to())
    }
}
