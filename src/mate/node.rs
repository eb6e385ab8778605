//! A node of the mate search: its moves, what is known of the positions they lead to, and the numbers that follow.

use super::proof::{Depth, INFINITE, MAX_OPEN, Plies, Proof};
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

/// [`Child::next`] where no child follows.
pub const NONE: u16 = u16::MAX;

/// A move and what is known of the position that it leads to.
#[derive(Clone, Copy)]
pub struct Child {
    pub proof: Proof,
    pub key: NodeKey,
    pub mv: Move,
    /// The number of the child that becomes active once this one has failed: a similar move.
    pub next: u16,
    /// Whether the move counts yet.
    pub active: bool,
    /// Whether the position was searched before.
    pub visited: Visited,
    /// Whether its δ is added to those of others; of the moves for which it is not, only the largest counts.
    pub adds_up: bool,
}

/// Whether and where a position was searched before.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Visited {
    /// Not as far as the table knows.
    Never,
    /// At this depth or deeper.
    Before,
    /// Closer to the root: the path may lead back to itself.
    Closer,
}

/// The numbers of a node by those of its children, and the child to search next.
#[derive(Clone, Copy, Debug)]
pub struct NodeSummary {
    /// The node's φ: the smallest of its children's numbers of that kind.
    pub phi: u32,
    /// The node's δ: the sum of its children's numbers of that kind.
    pub delta: u32,
    /// The number of the child with the smallest φ.
    pub best: usize,
    /// The second smallest φ.
    pub second_phi: u32,
    /// What the children other than the best add to δ.
    pub other_delta: u32,
    /// Whether a child may lead back to a node of the path.
    pub may_loop: bool,
}

/// Sums up the `children` of a node where the attacker is to move, or the defender.
pub fn summary(children: &[Child], attacking: bool) -> NodeSummary {
    let mut best = usize::MAX;
    let (mut phi, mut second_phi) = (INFINITE, INFINITE);
    let mut tie = u32::MAX;
    let (mut sum, mut largest) = (0u32, 0u32);
    let mut may_loop = false;
    for (index, child) in children.iter().enumerate().filter(|(_, child)| child.active) {
        let (a, b) = (child.proof.phi(attacking), child.proof.delta(attacking));
        if (a, b) < (phi, tie) || best == usize::MAX {
            second_phi = second_phi.min(if best == usize::MAX { INFINITE } else { phi });
            (phi, tie, best) = (a, b, index);
        } else {
            second_phi = second_phi.min(a);
        }
        may_loop |= child.visited == Visited::Closer && child.proof.is_open();
        if child.adds_up {
            sum = sum.saturating_add(b);
        } else {
            largest = largest.max(b);
        }
    }
    let total = |largest: u32| sum.saturating_add(largest);
    let other_delta = match children.get(best) {
        Some(child) => {
            let own = child.proof.delta(attacking);
            if child.adds_up { total(largest).saturating_sub(own) } else { total(0) }
        }
        None => 0,
    };
    let mut delta = total(largest);
    if phi == 0 {
        delta = INFINITE;
    } else if delta > 0 {
        delta = delta.min(MAX_OPEN);
    }
    if delta == 0 {
        phi = INFINITE;
    }
    NodeSummary { phi, delta, best, second_phi, other_delta, may_loop }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mate::proof::{ANYWHERE, Plies};
    use crate::shogi::hand::Hand;
    use crate::shogi::key::Key;

    fn child(pn: u32, dn: u32) -> Child {
        Child {
            proof: Proof::open(pn, dn),
            key: NodeKey { board: Key(1), hand: Hand::EMPTY },
            mv: "7g7f".parse().expect("a move"),
            next: NONE,
            active: true,
            visited: Visited::Before,
            adds_up: true,
        }
    }

    #[test]
    fn sums_of_open_numbers_are_cut_to_the_largest_open_number() {
        let children: Vec<Child> = (1..=593).map(|pn| child(pn, MAX_OPEN)).collect();
        let now = summary(&children, true);
        assert_eq!((now.phi, now.second_phi, now.delta, now.other_delta), (1, 2, MAX_OPEN, 592 * MAX_OPEN));
        // A child that is decided against the side to move adds nothing; the node is decided once all are.
        let failed =
            Child { proof: Proof::disproven(Hand::EMPTY, Plies::UNBOUNDED, ANYWHERE), ..children[0] };
        let now = summary(&[failed, children[1]], true);
        assert_eq!((now.phi, now.second_phi, now.delta), (2, INFINITE, MAX_OPEN));
        let now = summary(&[failed], true);
        assert_eq!((now.phi, now.delta), (INFINITE, 0));
    }
}
