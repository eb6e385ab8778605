//! The squares that one side attacks.

use crate::shogi::attacks;
use crate::shogi::bitboard::Bitboard;
use crate::shogi::color::Color;
use crate::shogi::piece::{Piece, PieceKind};
use crate::shogi::position::Position;
use crate::shogi::square::Square;

/// What one side's pieces other than the king attack.
#[derive(Default)]
pub(super) struct AttackMap {
    /// By any piece.
    pub all: Bitboard,
    /// By two pieces or more.
    pub twice: Bitboard,
    /// By a slider along its lines.
    pub sliding: Bitboard,
    /// Behind the first opposing piece on a slider's line: attacked if that piece were not there.
    pub through: Bitboard,
    pub by_pawn: Bitboard,
}

impl AttackMap {
    /// Of the side to move. `through` is found for the first of `others` on each line.
    pub fn ours(position: &Position, others: Bitboard) -> AttackMap {
        AttackMap::by(position, position.side(), position.occupied(), others)
    }

    /// Of the opponent. Sliders see through our king, which may not step back along their line.
    pub fn theirs(position: &Position) -> AttackMap {
        let us = position.side();
        let through_king =
            position.occupied().without(position.king(us).map_or(Bitboard::EMPTY, Bitboard::of));
        AttackMap::by(position, !us, through_king, Bitboard::EMPTY)
    }

    /// Of `color`, with the pieces on `occupied`; `through` as in [`ours`](AttackMap::ours).
    fn by(position: &Position, color: Color, occupied: Bitboard, others: Bitboard) -> AttackMap {
        let side = position.of_color(color);
        let of = |kind| position.of_kind(kind) & side;
        let by_pawn = of(PieceKind::Pawn).forward(color);
        let mut found = AttackMap { all: by_pawn, by_pawn, ..AttackMap::default() };
        let mut stepping = |pieces: Bitboard, kind| {
            pieces.for_each(|from| found.add(attacks::on_empty_board(Piece::new(color, kind), from)));
        };
        stepping(of(PieceKind::Knight), PieceKind::Knight);
        stepping(of(PieceKind::Silver), PieceKind::Silver);
        let promoted = of(PieceKind::ProPawn)
            | of(PieceKind::ProLance)
            | of(PieceKind::ProKnight)
            | of(PieceKind::ProSilver);
        stepping(of(PieceKind::Gold) | promoted, PieceKind::Gold);
        found.slide(of(PieceKind::Lance), occupied, others, |from, on| attacks::lance(color, from, on));
        let (horses, dragons) = (of(PieceKind::Horse), of(PieceKind::Dragon));
        found.slide(of(PieceKind::Bishop) | horses, occupied, others, attacks::bishop);
        found.slide(of(PieceKind::Rook) | dragons, occupied, others, attacks::rook);
        // A square that a horse or a dragon reaches both by sliding and by stepping counts once.
        let steps = |from, lines: PieceKind| {
            attacks::king(from).without(attacks::on_empty_board(Piece::new(color, lines), from))
        };
        horses.for_each(|from| found.add(steps(from, PieceKind::Bishop)));
        dragons.for_each(|from| found.add(steps(from, PieceKind::Rook)));
        found
    }

    fn slide(
        &mut self,
        pieces: Bitboard,
        occupied: Bitboard,
        others: Bitboard,
        attacks: impl Fn(Square, Bitboard) -> Bitboard,
    ) {
        pieces.for_each(|from| {
            let squares = attacks(from, occupied);
            self.sliding |= squares;
            self.add(squares);
            let met = squares & others;
            if !met.is_empty() {
                self.through |= attacks(from, occupied.without(met));
            }
        });
    }

    fn add(&mut self, squares: Bitboard) {
        self.twice |= self.all & squares;
        self.all |= squares;
    }
}
