//! What the pieces are worth in an exchange: the field's customary values, those that go with KPPT files.
//!
//! All values are in units (a pawn is 90). A piece in hand is worth what its unpromoted kind is on the
//! board.

use crate::eval::material::board_value;
use crate::shogi::piece::PieceKind;

/// What the capture of a piece is worth: its owner loses it, and the captor holds it unpromoted. The king is never
/// captured, and worth 0.
pub const fn captured(kind: PieceKind) -> i32 {
    CAPTURED[kind.index()]
}

/// What a piece gains by its promotion; 0 for kinds that do not promote.
pub const fn promotion(kind: PieceKind) -> i32 {
    PROMOTION[kind.index()]
}

/// The most that any piece gains by its promotion.
pub const LARGEST_PROMOTION: i32 = {
    let mut largest = 0;
    let mut index = 0;
    while index < PieceKind::COUNT {
        // Exchanges promote wherever they can.
        assert!(PROMOTION[index] >= 0, "a promoted piece is worth no less than before");
        if PROMOTION[index] > largest {
            largest = PROMOTION[index];
        }
        index += 1;
    }
    largest
};

static CAPTURED: [i32; PieceKind::COUNT] = {
    let mut values = [0; PieceKind::COUNT];
    let mut index = 0;
    while index < PieceKind::COUNT {
        let kind = PieceKind::ALL[index];
        values[index] = board_value(kind) + board_value(kind.unpromoted());
        index += 1;
    }
    values
};

static PROMOTION: [i32; PieceKind::COUNT] = {
    let mut values = [0; PieceKind::COUNT];
    let mut index = 0;
    while index < PieceKind::COUNT {
        let kind = PieceKind::ALL[index];
        if let Some(promoted) = kind.promoted() {
            values[index] = board_value(promoted) - board_value(kind);
        }
        index += 1;
    }
    values
};
