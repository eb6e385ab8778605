//! A position of the search for mate.

use super::plies::Plies;
use super::proof::Depth;
use crate::shogi::color::Color;
use crate::shogi::hand::Hand;
use crate::shogi::key::{self, Key};
use crate::shogi::moves::{Move, Origin};
use crate::shogi::piece::{HandKind, Piece};
use crate::shogi::position::Position;

/// A position as the table knows it: with the pieces of the board and the attacker's hand the defender's is known,
/// because no piece leaves the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Identity {
    /// The pieces on the board, the side to move, and what is the same throughout a search.
    pub key: Key,
    /// The attacker's hand.
    pub hand: Hand,
}

impl Identity {
    /// The identity of `position` where `attacker` is to mate.
    pub fn new(position: &Position, attacker: Color) -> Identity {
        let mut constant = if attacker == Color::White { 0x8F1B_BCDC_BFA5_3E0B } else { 0 };
        // The pieces of both sides, so that a table may serve several problems.
        for kind in HandKind::ALL {
            let on_board = position.of_kind(kind.piece_kind()).count()
                + kind.piece_kind().promoted().map_or(0, |promoted| position.of_kind(promoted).count());
            let held = Color::ALL.map(|color| u64::from(position.hand(color).count(kind)));
            let total = u64::from(on_board) + held[0] + held[1];
            constant = (constant ^ total).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        }
        Identity { key: position.board_key() ^ Key(constant), hand: position.hand(attacker) }
    }

    /// The identity after `mv`, a legal move in `position`, whose identity this is.
    pub fn after(self, position: &Position, attacker: Color, mv: Move) -> Identity {
        let us = position.side();
        let to = mv.to();
        let Identity { mut key, mut hand } = self;
        key ^= key::side();
        match mv.origin() {
            Origin::Hand(kind) => {
                key ^= key::board(Piece::new(us, kind.piece_kind()), to);
                if us == attacker {
                    hand = hand.without(kind);
                }
            }
            Origin::Board(from) => {
                let Some(piece) = position.piece_on(from) else { return self };
                let promoted = if mv.is_promotion() { piece.kind.promoted() } else { None };
                key ^=
                    key::board(piece, from) ^ key::board(Piece::new(us, promoted.unwrap_or(piece.kind)), to);
                if let Some(captured) = position.piece_on(to) {
                    key ^= key::board(captured, to);
                    if us == attacker
                        && let Some(kind) = captured.kind.hand_kind()
                    {
                        hand = hand.with(kind);
                    }
                }
            }
        }
        Identity { key, hand }
    }

    /// One word for both parts.
    pub const fn mixed(self) -> u64 {
        let word = (self.key.0 ^ (self.hand.word() as u64).wrapping_mul(0xD6E8_FEB8_6659_FD93))
            .wrapping_mul(0x9E37_79B9_7F4A_7C15);
        word ^ word >> 29
    }
}

/// Where in the tree a position stands.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    pub identity: Identity,
    /// 1 at the root.
    pub depth: Depth,
    /// How many plies the mate may take from here.
    pub plies: Plies,
    /// Whether the attacker is to move.
    pub attacking: bool,
}
