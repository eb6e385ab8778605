//! What the pieces are worth in the exchanges of the whole board: a parameter.

use crate::eval::material::board_value;
use crate::shogi::piece::PieceKind;

/// The values of the pieces on the board. A piece in hand is worth what its unpromoted kind is on the board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PieceValues {
    on_board: [i32; PieceKind::COUNT],
    /// How many of these values people read as 100.
    hundred: i32,
}

impl PieceValues {
    /// Ours: the customary values of KPPT files, a pawn is 90. The king is worth more than everything else together.
    pub const CUSTOMARY: PieceValues = {
        let mut on_board = [0; PieceKind::COUNT];
        let mut index = 0;
        while index < PieceKind::COUNT {
            on_board[index] = board_value(PieceKind::ALL[index]);
            index += 1;
        }
        on_board[PieceKind::King.index()] = 30_000;
        PieceValues { on_board, hundred: board_value(PieceKind::Pawn) }
    };

    /// Those of the paper on SUPER-SOMA (§7). It leaves the promoted silver out; its first example gains 20 by
    /// promoting a silver of 200.
    pub const PAPER: PieceValues = {
        use PieceKind::*;
        let mut on_board = [0; PieceKind::COUNT];
        let given = [
            (Pawn, 52),
            (Lance, 120),
            (Knight, 120),
            (Silver, 200),
            (Gold, 220),
            (Bishop, 360),
            (Rook, 480),
            (King, 3999),
            (ProPawn, 240),
            (ProLance, 230),
            (ProKnight, 230),
            (ProSilver, 220),
            (Horse, 460),
            (Dragon, 550),
        ];
        let mut index = 0;
        while index < given.len() {
            on_board[given[index].0.index()] = given[index].1;
            index += 1;
        }
        // To be compared with the paper.
        PieceValues { on_board, hundred: 100 }
    };

    /// A sum of these values as people read it: in hundredths of a pawn, toward zero; for [`PieceValues::PAPER`] as the
    /// paper has it.
    pub const fn shown(&self, value: i32) -> i32 {
        value * 100 / self.hundred
    }

    /// What a piece is worth on the board.
    pub const fn on_board(&self, kind: PieceKind) -> i32 {
        self.on_board[kind.index()]
    }

    /// What the capture of a piece is worth: its owner loses it, and the captor holds it unpromoted. For the king, what
    /// a mate is worth.
    pub const fn captured(&self, kind: PieceKind) -> i32 {
        match kind {
            PieceKind::King => self.on_board(kind),
            _ => self.on_board(kind) + self.on_board(kind.unpromoted()),
        }
    }

    /// What a piece gains by its promotion; 0 for kinds that do not promote.
    pub const fn promotion(&self, kind: PieceKind) -> i32 {
        match kind.promoted() {
            Some(promoted) => self.on_board(promoted) - self.on_board(kind),
            None => 0,
        }
    }

    /// What a mate is worth.
    pub const fn mate(&self) -> i32 {
        self.on_board(PieceKind::King)
    }
}
