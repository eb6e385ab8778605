//! Making moves and taking them back.

use super::Position;
use crate::shogi::bitboard::Bitboard;
use crate::shogi::changes::Changes;
use crate::shogi::color::PerColor;
use crate::shogi::hand::Hand;
use crate::shogi::key::{self, Key};
use crate::shogi::moves::{Move, Origin};
use crate::shogi::piece::{Piece, PieceKind};

/// What a position was before a move: enough to take the move back, and to recognise the position later.
#[derive(Clone)]
pub(super) struct Past {
    pub(super) checkers: Bitboard,
    pub(super) board_key: Key,
    pub(super) black_hand: Hand,
    pub(super) white_hand: Hand,
    pub(super) check_runs: PerColor<u16>,
    pub(super) reversible: u32,
    pub(super) captured: Option<PieceKind>,
}

impl Position {
    /// Plays a legal move and tells `changes` what it does to the pieces: lifted from the board or the hand first,
    /// then the captured piece, then what is put down.
    ///
    /// An illegal move panics in debug builds; in release builds it leaves an undefined position, though no undefined
    /// behaviour.
    pub fn play<C: Changes>(&mut self, mv: Move, changes: &mut C) {
        debug_assert!(self.is_legal(mv), "{mv} is not legal in {self:?}");
        let us = self.side;
        let (origin, to) = (mv.origin(), mv.to());
        self.remember();
        let piece = match origin {
            Origin::Hand(kind) => {
                let rest = self.hands[us].without(kind);
                self.set_hand(us, kind, rest, changes);
                Piece::new(us, kind.piece_kind())
            }
            Origin::Board(from) => {
                let Some(mut piece) = self.piece_on(from) else { return };
                self.lift(piece, from, changes);
                if let Some(captured) = self.piece_on(to) {
                    self.lift(captured, to, changes);
                    if let Some(kind) = captured.kind.hand_kind() {
                        let more = self.hands[us].with(kind);
                        self.set_hand(us, kind, more, changes);
                    }
                    if let Some(past) = self.past.last_mut() {
                        past.captured = Some(captured.kind);
                    }
                }
                if mv.is_promotion()
                    && let Some(promoted) = piece.kind.promoted()
                {
                    piece.kind = promoted;
                }
                piece
            }
        };
        self.put(piece, to, changes);
        self.checkers = self.checkers_after(piece, origin, to);
        self.check_runs[us] = if self.in_check() { self.check_runs[us] + 1 } else { 0 };
        self.reversible += 1;
        self.hand_over();
        self.debug_check();
    }

    /// Takes back `mv`, the last move played.
    ///
    /// # Panics
    /// When no move was played.
    pub fn undo<C: Changes>(&mut self, mv: Move, changes: &mut C) {
        let past = self.recall();
        let us = self.side;
        let to = mv.to();
        let Some(piece) = self.piece_on(to) else { return };
        self.lift(piece, to, changes);
        match mv.origin() {
            Origin::Hand(kind) => {
                let more = self.hands[us].with(kind);
                self.set_hand(us, kind, more, changes);
            }
            Origin::Board(from) => {
                if let Some(captured) = past.captured {
                    if let Some(kind) = captured.hand_kind() {
                        let rest = self.hands[us].without(kind);
                        self.set_hand(us, kind, rest, changes);
                    }
                    self.put(Piece::new(!us, captured), to, changes);
                }
                let kind = if mv.is_promotion() { piece.kind.unpromoted() } else { piece.kind };
                self.put(Piece::new(us, kind), from, changes);
            }
        }
        self.debug_check();
    }

    /// Lets the side to move pass, which the rules do not allow: for null-move searches. It must not be in check.
    pub fn pass(&mut self) {
        debug_assert!(!self.in_check());
        self.remember();
        self.check_runs[self.side] = 0;
        self.reversible = 0;
        self.hand_over();
        // The side that passed may still be aimed at; the side now to move was not in check before either.
        self.checkers = Bitboard::EMPTY;
        self.debug_check();
    }

    /// Takes back a pass.
    ///
    /// # Panics
    /// When no move was played.
    pub fn undo_pass(&mut self) {
        self.recall();
        self.debug_check();
    }

    fn remember(&mut self) {
        self.past_keys.add(self.board_key);
        self.past.push(Past {
            checkers: self.checkers,
            board_key: self.board_key,
            black_hand: self.hands.0[0],
            white_hand: self.hands.0[1],
            check_runs: self.check_runs,
            reversible: self.reversible,
            captured: None,
        });
    }

    /// Goes back to the state before the last move in everything but the pieces.
    fn recall(&mut self) -> Past {
        let past = self.past.pop().expect("a move was played");
        self.side = !self.side;
        self.board_key ^= key::side();
        self.past_keys.remove(past.board_key);
        self.checkers = past.checkers;
        self.check_runs = past.check_runs;
        self.reversible = past.reversible;
        past
    }

    fn hand_over(&mut self) {
        self.side = !self.side;
        self.board_key ^= key::side();
    }
}
