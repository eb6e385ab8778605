//! What is known of a position: proof and disproof numbers, or a verdict with its reach.

use super::plies::Plies;
use crate::shogi::hand::Hand;

/// A proof or disproof number that no effort reaches.
pub const INFINITE: u32 = 1 << 30;

/// The largest proof or disproof number of a position without a verdict. Where lines meet again, what lies beyond is
/// counted once for each line, and sums of sums would grow without end: they are cut to this. A threshold above it
/// counts as no threshold at all.
pub const MOST: u32 = 1 << 22;

/// How deep in the path a disproof reaches back, counted as the depth of nodes; the root's is 1.
pub type Depth = u16;

/// A disproof that depends on no node of the path.
pub const ANYWHERE: Depth = Depth::MAX;
/// A disproof that depends on more than the path from the root: the game before it, or a limit of depth.
pub const OUTSIDE: Depth = 0;

/// What is known of a node.
#[derive(Clone, Copy, Debug)]
pub struct Proof {
    /// The least number of leaves that have to be proven for a mate to be proven; 0 where it is.
    pub pn: u32,
    /// The least number of leaves that have to be disproven for the mate to be disproven; 0 where it is.
    pub dn: u32,
    /// With a verdict: the attacker's hand that is enough for the mate, or not enough even so.
    pub hand: Hand,
    /// With a verdict: the mate takes this many plies at most, or more than these.
    pub plies: Plies,
    /// With a disproof: the first node of the path that it depends on, as a position that must not come again.
    pub since: Depth,
}

impl Proof {
    /// No verdict yet.
    pub const fn open(pn: u32, dn: u32) -> Proof {
        Proof { pn, dn, hand: Hand::EMPTY, plies: Plies::UNBOUNDED, since: ANYWHERE }
    }

    /// A mate.
    pub const fn proven(hand: Hand, plies: Plies) -> Proof {
        Proof { pn: 0, dn: INFINITE, hand, plies, since: ANYWHERE }
    }

    /// No mate.
    pub const fn disproven(hand: Hand, plies: Plies, since: Depth) -> Proof {
        Proof { pn: INFINITE, dn: 0, hand, plies, since }
    }

    pub const fn is_proven(&self) -> bool {
        self.pn == 0
    }

    pub const fn is_disproven(&self) -> bool {
        self.dn == 0
    }

    /// Whether there is a mate, if that is known whatever the path.
    pub const fn verdict(&self) -> Option<bool> {
        match self {
            Proof { pn: 0, .. } => Some(true),
            Proof { dn: 0, since: 1.., .. } => Some(false),
            _ => None,
        }
    }

    pub const fn is_open(&self) -> bool {
        self.pn != 0 && self.dn != 0
    }

    /// The number that the side to move wants small: the attacker's proof number, the defender's disproof number.
    pub const fn wanted(&self, attacking: bool) -> u32 {
        if attacking { self.pn } else { self.dn }
    }

    /// The number that the side to move wants large.
    pub const fn unwanted(&self, attacking: bool) -> u32 {
        if attacking { self.dn } else { self.pn }
    }
}
