//! What the categories ask about a move, computed once for all of them.

use super::move_context::MoveContext;
use super::splits::{Manner, Outcome, PawnManner, Worth};
use crate::shogi::attacks;
use crate::shogi::bitboard::Bitboard;
use crate::shogi::moves::{Move, Origin};
use crate::shogi::piece::{HandKind, Piece, PieceKind};
use crate::shogi::square::Square;

/// A legal move and what several categories ask about it.
#[derive(Clone, Copy, Debug)]
pub(super) struct MoveFacts {
    /// The square it leaves; `None` for a drop.
    pub from: Option<Square>,
    pub to: Square,
    /// The moving piece before the move, and after it where the move promotes.
    pub before: PieceKind,
    pub after: PieceKind,
    pub captures: bool,
    pub promotes: bool,
    /// [`MoveContext::see`] of a capture or promotion; of other moves only its sign, 0 or -1.
    pub see: i32,
    in_check: bool,
    /// Gives check with the piece that moves.
    pub attacks_king: bool,
    /// Gives check with a piece behind the one that moves.
    pub discovers_check: bool,
    /// Every square that the moved piece attacks from its new place.
    pub attacks: Bitboard,
    /// Their pieces among those squares that it would gain by taking.
    pub targets: Bitboard,
}

impl MoveFacts {
    pub fn new(context: &MoveContext, mv: Move) -> MoveFacts {
        let position = context.plain.position;
        let (to, origin) = (mv.to(), mv.origin());
        let (from, before) = match origin {
            Origin::Hand(kind) => (None, kind.piece_kind()),
            Origin::Board(from) => {
                (Some(from), position.piece_on(from).map_or(PieceKind::King, |piece| piece.kind))
            }
        };
        let after = if mv.is_promotion() { before.promoted().unwrap_or(before) } else { before };
        let captures = context.plain.occupied.contains(to);
        let see = if captures || mv.is_promotion() {
            context.see(mv)
        } else if context.is_quiet_move_safe(mv) {
            0
        } else {
            -1
        };
        let vacated = from.map_or(Bitboard::EMPTY, Bitboard::of);
        let occupied = context.plain.occupied.without(vacated);
        let attacks = attacks::of(Piece::new(context.plain.us, after), to, occupied);
        let theirs = context.worth_at_least(Worth::Pawn);
        let targets = if attacks.meets(theirs) {
            attacks & context.worth_taking(Worth::of(after))
        } else {
            Bitboard::EMPTY
        };
        let attacks_king = context.plain.their_king.is_some_and(|king| attacks.contains(king));
        let discovers_check = from.is_some_and(|from| {
            context.discoverers.contains(from)
                && context
                    .plain
                    .their_king
                    .is_some_and(|king| !attacks::line_through(king, from).contains(to))
        });
        MoveFacts {
            from,
            to,
            before,
            after,
            captures,
            promotes: mv.is_promotion(),
            see,
            in_check: position.in_check(),
            attacks_king,
            discovers_check,
            attacks,
            targets,
        }
    }

    pub fn outcome(&self) -> Outcome {
        Outcome::of(self.see)
    }

    /// Loses nothing on the square it goes to.
    pub fn is_safe(&self) -> bool {
        self.see >= 0
    }

    pub fn gives_check(&self) -> bool {
        self.attacks_king || self.discovers_check
    }

    pub fn is_king(&self) -> bool {
        self.before == PieceKind::King
    }

    /// Whether the piece, as it will be, attacks along lines.
    pub fn slides(&self) -> bool {
        use PieceKind::{Bishop, Dragon, Horse, Lance, Rook};
        matches!(self.after, Lance | Bishop | Rook | Horse | Dragon)
    }

    /// The kind that is dropped.
    pub fn dropped(&self) -> Option<HandKind> {
        if self.from.is_none() { self.before.hand_kind() } else { None }
    }

    pub fn manner(&self) -> Manner {
        if self.from.is_none() { Manner::Drop } else { Manner::Step }
    }

    pub fn pawn_manner(&self) -> PawnManner {
        match (self.manner(), self.before) {
            (Manner::Drop, PieceKind::Pawn) => PawnManner::PawnDrop,
            (Manner::Drop, _) => PawnManner::Drop,
            (Manner::Step, PieceKind::Pawn) => PawnManner::PawnStep,
            (Manner::Step, _) => PawnManner::Step,
        }
    }

    /// What the piece attacked from its old square; nothing for a drop.
    pub fn attacks_before(&self, context: &MoveContext) -> Bitboard {
        let piece = Piece::new(context.plain.us, self.before);
        self.from.map_or(Bitboard::EMPTY, |from| attacks::of(piece, from, context.plain.occupied))
    }

    // The conditions of the groups in `category.rs`. A move is free when it does not have to answer a check.

    pub fn always(&self) -> bool {
        true
    }

    pub fn captures(&self) -> bool {
        self.captures
    }

    pub fn in_check(&self) -> bool {
        self.in_check
    }

    pub fn is_free(&self) -> bool {
        !self.in_check
    }

    pub fn is_free_capture(&self) -> bool {
        !self.in_check && self.captures
    }

    pub fn is_free_promotion(&self) -> bool {
        !self.in_check && self.promotes
    }

    /// A move on the board that neither captures nor promotes.
    pub fn is_free_step(&self) -> bool {
        !self.in_check && self.from.is_some() && !self.captures && !self.promotes
    }

    pub fn is_free_drop(&self) -> bool {
        !self.in_check && self.from.is_none()
    }
}
