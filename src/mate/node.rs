//! A node of the mate search.

use super::proof::{Depth, Plies};
use crate::shogi::color::Color;
use crate::shogi::hand::Hand;
use crate::shogi::key::{self, Key};
use crate::shogi::moves::{Move, Origin};
use crate::shogi::piece::{HandKind, Piece};
use crate::shogi::position::Position;

/// What identifies a position in a mate search: the board and the attacker's hand. The defender's hand follows from
/// these, because no piece leaves the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NodeKey {
    /// The pieces on the board, the side to move, and what stays the same throughout a search.
    pub board: Key,
    /// The attacker's hand.
    pub hand: Hand,
}

impl NodeKey {
    /// The key of `position`, in which `attacker` wants to mate.
    pub fn new(position: &Position, attacker: Color) -> NodeKey {
        let mut constant = if attacker == Color::White { 0x8F1B_BCDC_BFA5_3E0B } else { 0 };
        // The number of pieces in the game, so that one table can serve several problems.
        for kind in HandKind::ALL {
            let on_board = position.of_kind(kind.piece_kind()).count()
                + kind.piece_kind().promoted().map_or(0, |promoted| position.of_kind(promoted).count());
            let held = Color::ALL.map(|color| u64::from(position.hand(color).count(kind)));
            let total = u64::from(on_board) + held[0] + held[1];
            constant = (constant ^ total).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        }
        NodeKey { board: position.board_key() ^ Key(constant), hand: position.hand(attacker) }
    }

    /// The key after the legal move `mv` in `position`, whose key this is.
    pub fn after(self, position: &Position, attacker: Color, mv: Move) -> NodeKey {
        let us = position.side();
        let to = mv.to();
        let NodeKey { mut board, mut hand } = self;
        board ^= key::side();
        match mv.origin() {
            Origin::Hand(kind) => {
                board ^= key::board(Piece::new(us, kind.piece_kind()), to);
                if us == attacker {
                    hand = hand.without(kind);
                }
            }
            Origin::Board(from) => {
                let Some(piece) = position.piece_on(from) else { return self };
                let promoted = if mv.is_promotion() { piece.kind.promoted() } else { None };
                board ^=
                    key::board(piece, from) ^ key::board(Piece::new(us, promoted.unwrap_or(piece.kind)), to);
                if let Some(captured) = position.piece_on(to) {
                    board ^= key::board(captured, to);
                    if us == attacker
                        && let Some(kind) = captured.kind.hand_kind()
                    {
                        hand = hand.with(kind);
                    }
                }
            }
        }
        NodeKey { board, hand }
    }

    /// Both parts mixed into one word.
    pub const fn mixed(self) -> u64 {
        let word = (self.board.0 ^ (self.hand.word() as u64).wrapping_mul(0xD6E8_FEB8_6659_FD93))
            .wrapping_mul(0x9E37_79B9_7F4A_7C15);
        word ^ word >> 29
    }
}

/// A position and its place in the tree.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    pub key: NodeKey,
    /// 1 at the root.
    pub depth: Depth,
    /// How many plies the mate may take from here on.
    pub plies: Plies,
    /// Whether the attacker is to move.
    pub attacking: bool,
}
