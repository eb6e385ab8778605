//! Material: the values of the pieces by themselves.

use crate::shogi::color::Color;
use crate::shogi::piece::{HandKind, PieceKind};
use crate::shogi::position::Position;

/// The value of a piece on the board, in units (a pawn is 90); 0 for the king.
///
/// These are the customary values that KPPT files are trained with. The files hold corrections to them, so they are
/// part of the format.
pub const fn board_value(kind: PieceKind) -> i32 {
    match kind {
        PieceKind::Pawn => 90,
        PieceKind::Lance => 315,
        PieceKind::Knight => 405,
        PieceKind::Silver => 495,
        PieceKind::Bishop => 855,
        PieceKind::Rook => 990,
        PieceKind::Horse => 945,
        PieceKind::Dragon => 1395,
        PieceKind::King => 0,
        PieceKind::Gold
        | PieceKind::ProPawn
        | PieceKind::ProLance
        | PieceKind::ProKnight
        | PieceKind::ProSilver => 540,
    }
}

/// A score in hundredths of a pawn, toward zero: what people and other programs read, as with other engines that have KPPT
/// evaluations.
pub const fn hundredths(units: i32) -> i32 {
    units * 100 / board_value(PieceKind::Pawn)
}

/// The value of a piece in hand: that of the same piece on the board.
pub const fn hand_value(kind: HandKind) -> i32 {
    board_value(kind.piece_kind())
}

/// Black's pieces minus White's, on the board and in hand, in units.
pub fn balance(position: &Position) -> i32 {
    let of = |color: Color| -> i32 {
        let board: i32 = PieceKind::ALL
            .iter()
            .map(|&kind| {
                let pieces = position.of_kind(kind) & position.of_color(color);
                board_value(kind) * pieces.count() as i32
            })
            .sum();
        let hand: i32 = HandKind::ALL
            .iter()
            .map(|&kind| hand_value(kind) * i32::from(position.hand(color).count(kind)))
            .sum();
        board + hand
    };
    of(Color::Black) - of(Color::White)
}

#[cfg(test)]
mod tests {
    use crate::shogi::sfen;

    #[test]
    fn the_balance_counts_board_and_hands() {
        let balance = |text| super::balance(&sfen::parse(text).unwrap());
        assert_eq!(balance(sfen::START), 0);
        assert_eq!(balance("lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"), 855 + 990);
        assert_eq!(balance("4k4/9/9/4+P4/9/9/9/9/4K4 b R2Pg 1"), 540 + 990 + 180 - 540);
    }
}
