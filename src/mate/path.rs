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

/// Slots of the shortest path and of the longest: for some 150 plies and for 4,000.
const SLOTS: std::ops::RangeInclusive<usize> = 1 << 9..=1 << 13;
/// That many slots more than half of all stay free, so that chains are short.
const SPARE_SLOTS: usize = 96;

impl Path {
    /// The least bytes that a path takes.
    pub const LEAST_BYTES: usize = *SLOTS.start() * size_of::<Step>();

    /// A path of at most `bytes` bytes, or [`Path::LEAST_BYTES`] where that is more.
    pub fn new(bytes: usize) -> Path {
        let free = Step { identity: Identity { key: Key(0), hand: Hand::EMPTY }, depth: 0 };
        let mut slots = *SLOTS.start();
        while slots < *SLOTS.end() && 2 * slots * size_of::<Step>() <= bytes {
            slots *= 2;
        }
        Path { slots: vec![free; slots], mixed: 0 }
    }

    /// Bytes that the path takes.
    pub fn bytes(&self) -> usize {
        self.slots.len() * size_of::<Step>()
    }

    /// No path is longer.
    pub fn max_depth(&self) -> Depth {
        (self.slots.len() / 2 - SPARE_SLOTS) as Depth
    }

    fn slot(&self, key: Key, mut found: impl FnMut(&Step) -> bool) -> usize {
        // The number of slots is a power of two.
        let mask = self.slots.len() - 1;
        let mut slot = key.0 as usize & mask;
        while self.slots[slot].depth != 0 && !found(&self.slots[slot]) {
            slot = (slot + 1) & mask;
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

    /// Leaves all nodes.
    pub fn clear(&mut self) {
        self.slots.iter_mut().for_each(|step| step.depth = 0);
        self.mixed = 0;
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
