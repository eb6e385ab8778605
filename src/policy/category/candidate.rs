//! A move as the categories see it.

use super::splits::{Manner, Outcome, PawnManner, Worth};
use super::view::View;
use crate::shogi::attacks;
use crate::shogi::bitboard::Bitboard;
use crate::shogi::moves::{Move, Origin};
use crate::shogi::piece::{HandKind, Piece, PieceKind};
use crate::shogi::square::Square;

/// A legal move with what several categories ask about it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    /// The square it leaves; `None` for a drop.
    pub from: Option<Square>,
    pub to: Square,
    /// The kind that moves, as it was and as it will be.
    pub before: PieceKind,
    pub after: PieceKind,
    pub captures: bool,
    pub promotes: bool,
    /// See [`View::gain`]; of a loss by a move that neither captures nor promotes only that it is one.
    pub gain: i32,
    in_check: bool,
    /// Gives check with the piece that moves.
    pub attacks_king: bool,
    /// Gives check with a piece behind it.
    pub discovers_check: bool,
    /// Every square that the moved piece attacks from its new place.
    pub attacks: Bitboard,
    /// Those of their pieces among them that it gains by taking.
    pub targets: Bitboard,
}

impl Candidate {
    pub fn new(view: &View, mv: Move) -> Candidate {
        let position = view.glance.position;
        let (to, origin) = (mv.to(), mv.origin());
        let (from, before) = match origin {
            Origin::Hand(kind) => (None, kind.piece_kind()),
            Origin::Board(from) => {
                (Some(from), position.piece_on(from).map_or(PieceKind::King, |piece| piece.kind))
            }
        };
        let after = if mv.is_promotion() { before.promoted().unwrap_or(before) } else { before };
        let captures = view.glance.occupied.contains(to);
        let gain = if captures || mv.is_promotion() {
            view.gain(mv)
        } else if view.is_quiet_move_safe(mv) {
            0
        } else {
            -1
        };
        let vacated = from.map_or(Bitboard::EMPTY, Bitboard::of);
        let occupied = view.glance.occupied.without(vacated);
        let attacks = attacks::of(Piece::new(view.glance.us, after), to, occupied);
        let theirs = view.worth_at_least(Worth::Pawn);
        let targets = if attacks.meets(theirs) {
            attacks & view.worth_taking(Worth::of(after))
        } else {
            Bitboard::EMPTY
        };
        let attacks_king = view.glance.their_king.is_some_and(|king| attacks.contains(king));
        let discovers_check = from.is_some_and(|from| {
            view.discoverers.contains(from)
                && view.glance.their_king.is_some_and(|king| !attacks::line_through(king, from).contains(to))
        });
        Candidate {
            from,
            to,
            before,
            after,
            captures,
            promotes: mv.is_promotion(),
            gain,
            in_check: position.in_check(),
            attacks_king,
            discovers_check,
            attacks,
            targets,
        }
    }

    pub fn outcome(&self) -> Outcome {
        Outcome::of(self.gain)
    }

    /// Loses nothing on the square it goes to.
    pub fn is_safe(&self) -> bool {
        self.gain >= 0
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

    /// The kind dropped.
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

    /// What the piece attacked from where it came; nothing for a drop.
    pub fn attacks_before(&self, view: &View) -> Bitboard {
        let piece = Piece::new(view.glance.us, self.before);
        self.from.map_or(Bitboard::EMPTY, |from| attacks::of(piece, from, view.glance.occupied))
    }

    // The conditions of the groups of categories. A move is free when it need not answer a check.

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

    /// A step on the board that neither captures nor promotes.
    pub fn is_free_step(&self) -> bool {
        !self.in_check && self.from.is_some() && !self.captures && !self.promotes
    }

    pub fn is_free_drop(&self) -> bool {
        !self.in_check && self.from.is_none()
    }
}
