//! The positions between the root and the node that is looked at.

use super::node::Identity;
use super::proof::Depth;
use crate::shogi::hand::Hand;
use crate::shogi::key::Key;

#[derive(Clone, Copy)]
struct Step {
    identity: Identity,
    /// 0 in a free slot.
    depth: Depth,
}

/// A set of positions that are added and removed last in, first out.
///
/// Open addressing: because only the last one added is ever removed, no chain is broken by it.
pub struct Path {
    slots: Vec<Step>,
    /// One word for the positions and their depths.
    mixed: u64,
}

/// No path is longer.
pub const MAX_DEPTH: Depth = 4000;
const SLOTS: usize = 1 << 13;

impl Path {
    pub fn new() -> Path {
        let free = Step { identity: Identity { key: Key(0), hand: Hand::EMPTY }, depth: 0 };
        Path { slots: vec![free; SLOTS], mixed: 0 }
    }

    /// Bytes that a path takes.
    pub const BYTES: usize = SLOTS * size_of::<Step>();

    fn slot(&self, key: Key, mut found: impl FnMut(&Step) -> bool) -> usize {
        let mut slot = key.0 as usize % SLOTS;
        while self.slots[slot].depth != 0 && !found(&self.slots[slot]) {
            slot = (slot + 1) % SLOTS;
        }
        slot
    }

    fn mix(identity: Identity, depth: Depth) -> u64 {
        identity.mixed().rotate_left(u32::from(depth) % 61).wrapping_mul(0xA24B_AED4_963E_E407)
            ^ u64::from(depth).wrapping_mul(0x9FB2_1C65_1E98_DF25)
    }

    pub fn enter(&mut self, identity: Identity, depth: Depth) {
        let slot = self.slot(identity.key, |_| false);
        self.slots[slot] = Step { identity, depth };
        self.mixed ^= Path::mix(identity, depth);
    }

    /// Leaves the node entered last.
    pub fn leave(&mut self, identity: Identity, depth: Depth) {
        let slot = self.slot(identity.key, |step| step.identity == identity && step.depth == depth);
        self.slots[slot].depth = 0;
        self.mixed ^= Path::mix(identity, depth);
    }

    /// The depth of the position, or of one with the same board in which the attacker held at least as much: for a mate
    /// there is no point in coming back with less.
    pub fn repeats(&self, identity: Identity) -> Option<Depth> {
        let slot = self.slot(identity.key, |step| {
            step.identity.key == identity.key && step.identity.hand.covers(identity.hand)
        });
        Some(self.slots[slot].depth).filter(|&depth| depth != 0)
    }

    /// One word that differs between paths.
    pub const fn mixed(&self) -> u64 {
        self.mixed
    }
}
