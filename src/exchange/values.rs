//! What the pieces are worth.

use crate::eval::material::board_value;
use crate::shogi::piece::PieceKind;

/// The worth of each kind of piece on the board, in hundredths of about a pawn. A piece in hand is worth what its
/// unpromoted kind is on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Values {
    pieces: [i32; PieceKind::COUNT],
    largest_promotion: i32,
}

impl Values {
    /// The field's customary values, those that go with KPPT files.
    pub const CUSTOMARY: Values = {
        let mut pieces = [0; PieceKind::COUNT];
        let mut index = 0;
        while index < PieceKind::COUNT {
            pieces[index] = board_value(PieceKind::ALL[index]);
            index += 1;
        }
        Values::new(pieces)
    };

    /// Values by [`PieceKind`] index. The king's is not used: kings are never captured.
    ///
    /// # Panics
    /// When a value is negative, or a piece loses by its promotion: exchanges count on promotion to be never worse.
    pub const fn new(pieces: [i32; PieceKind::COUNT]) -> Values {
        let mut largest_promotion = 0;
        let mut index = 0;
        while index < PieceKind::COUNT {
            assert!(pieces[index] >= 0, "a piece is worth nothing at least");
            if let Some(promoted) = PieceKind::ALL[index].promoted() {
                let more = pieces[promoted.index()] - pieces[index];
                assert!(more >= 0, "a promoted piece is worth no less than before");
                if more > largest_promotion {
                    largest_promotion = more;
                }
            }
            index += 1;
        }
        Values { pieces, largest_promotion }
    }

    /// A piece on the board.
    pub const fn piece(&self, kind: PieceKind) -> i32 {
        self.pieces[kind.index()]
    }

    /// What the capture of a piece is worth: its owner loses it and the captor holds what it is unpromoted.
    pub const fn captured(&self, kind: PieceKind) -> i32 {
        self.piece(kind) + self.piece(kind.unpromoted())
    }

    /// What a piece gains by its promotion; 0 for kinds that do not promote.
    pub const fn promotion(&self, kind: PieceKind) -> i32 {
        match kind.promoted() {
            Some(promoted) => self.piece(promoted) - self.piece(kind),
            None => 0,
        }
    }

    /// The most that any piece gains by promoting.
    pub const fn largest_promotion(&self) -> i32 {
        self.largest_promotion
    }
}

impl Default for Values {
    fn default() -> Self {
        Values::CUSTOMARY
    }
}
