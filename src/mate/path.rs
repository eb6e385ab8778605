//! The positions from the root to the current node.
//!
//! Disproofs that hold on one path only.
//!
//! A check that leads back to a position of the path gets the attacker nowhere. But the position that was disproven for
//! that reason may well be a mate when it is reached by another path, so its disproof must not go into the table (the
//! graph-history interaction, Kishimoto and Müller 2004). Here it is kept under a key of the whole path.

use std::io;

use bytemuck::Zeroable;
use bytemuck::allocation::try_zeroed_slice_box;

use super::node::NodeKey;
use super::proof::{Depth, Plies};
use crate::shogi::hand::Hand;
use crate::shogi::key::Key;
use crate::util::memory::Generation;

/// A position of the path.
#[derive(Clone, Copy)]
struct PathNode {
    key: NodeKey,
    /// 0 in a free slot.
    depth: Depth,
}

/// A set of positions that are added and removed last in, first out.
///
/// A hash table with open addressing: because only the last one added is ever removed, that breaks no chain.
pub struct Path {
    slots: Vec<PathNode>,
    /// The positions and their depths mixed into one word.
    mixed: u64,
}

/// The fewest slots and the most: for paths of some 150 plies and of 4,000.
const SLOTS: std::ops::RangeInclusive<usize> = 1 << 9..=1 << 13;
/// Half of all slots and this many more stay free, so that chains are short.
const SPARE_SLOTS: usize = 96;

impl Path {
    /// The fewest bytes that a path takes.
    pub const LEAST_BYTES: usize = *SLOTS.start() * size_of::<PathNode>();

    /// A path of at most `bytes` bytes, or [`Path::LEAST_BYTES`] where that is more.
    pub fn new(bytes: usize) -> Path {
        let free = PathNode { key: NodeKey { board: Key(0), hand: Hand::EMPTY }, depth: 0 };
        let mut slots = *SLOTS.start();
        while slots < *SLOTS.end() && 2 * slots * size_of::<PathNode>() <= bytes {
            slots *= 2;
        }
        Path { slots: vec![free; slots], mixed: 0 }
    }

    /// The bytes that the path takes.
    pub fn bytes(&self) -> usize {
        self.slots.len() * size_of::<PathNode>()
    }

    /// The depth at which the path is full.
    pub fn max_depth(&self) -> Depth {
        (self.slots.len() / 2 - SPARE_SLOTS) as Depth
    }

    fn slot(&self, key: Key, mut found: impl FnMut(&PathNode) -> bool) -> usize {
        // The number of slots is a power of two.
        let mask = self.slots.len() - 1;
        let mut slot = key.0 as usize & mask;
        while self.slots[slot].depth != 0 && !found(&self.slots[slot]) {
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn mix(key: NodeKey, depth: Depth) -> u64 {
        key.mixed().rotate_left(u32::from(depth) % 61).wrapping_mul(0xA24B_AED4_963E_E407)
            ^ u64::from(depth).wrapping_mul(0x9FB2_1C65_1E98_DF25)
    }

    pub fn enter(&mut self, key: NodeKey, depth: Depth) {
        let slot = self.slot(key.board, |_| false);
        self.slots[slot] = PathNode { key, depth };
        self.mixed ^= Path::mix(key, depth);
    }

    /// Leaves the node entered last.
    pub fn leave(&mut self, key: NodeKey, depth: Depth) {
        let slot = self.slot(key.board, |node| node.key == key && node.depth == depth);
        self.slots[slot].depth = 0;
        self.mixed ^= Path::mix(key, depth);
    }

    /// Leaves all nodes.
    pub fn clear(&mut self) {
        self.slots.iter_mut().for_each(|node| node.depth = 0);
        self.mixed = 0;
    }

    /// The depth at which the path has this position, or one with the same board in which the attacker held at least as
    /// much: coming back with less is of no use for a mate.
    pub fn repeats(&self, key: NodeKey) -> Option<Depth> {
        let slot = self.slot(key.board, |node| node.key.board == key.board && node.key.hand.covers(key.hand));
        Some(self.slots[slot].depth).filter(|&depth| depth != 0)
    }

    /// A hash of the whole path.
    pub const fn mixed(&self) -> u64 {
        self.mixed
    }
}

/// No mate within `plies`, because of the node at depth `since` of the path.
#[derive(Clone, Copy, Zeroable)]
struct PathDisproof {
    key: u64,
    plies: Plies,
    since: Depth,
}

/// The latest of these disproofs; a new one replaces whatever was in its slot.
pub struct PathDisproofs {
    slots: Box<[PathDisproof]>,
    generation: Generation,
}

impl PathDisproofs {
    /// The bytes that each takes.
    pub const SLOT_BYTES: usize = size_of::<PathDisproof>();

    /// Room for `slots` of them, one at least. The memory is not touched here, so that the system has to provide it
    /// only bit by bit, and no search waits for all of it.
    ///
    /// # Errors
    /// When the system grants no memory.
    pub fn new(slots: usize) -> io::Result<PathDisproofs> {
        let slots = try_zeroed_slice_box(slots).map_err(|()| io::ErrorKind::OutOfMemory)?;
        Ok(PathDisproofs { slots, generation: Generation::default() })
    }

    pub fn bytes(&self) -> usize {
        self.slots.len() * PathDisproofs::SLOT_BYTES
    }

    fn index(&self, key: u64) -> usize {
        ((u128::from(key) * self.slots.len() as u128) >> 64) as usize
    }

    /// Keeps that there is no mate within `plies`, because of the node at depth `since` of the path.
    pub fn store(&mut self, key: u64, plies: Plies, since: Depth) {
        let key = self.generation.mixed(key);
        let index = self.index(key);
        self.slots[index] = PathDisproof { key, plies, since };
    }

    pub fn look_up(&self, key: u64, plies: Plies) -> Option<(Plies, Depth)> {
        let key = self.generation.mixed(key);
        let slot = self.slots[self.index(key)];
        (slot.key == key && slot.plies >= plies).then_some((slot.plies, slot.since))
    }

    /// Empties every slot, which takes as long as there are many.
    pub fn clear(&mut self) {
        self.slots.fill(PathDisproof::zeroed());
        self.generation = Generation::default();
    }

    /// Forgets everything at once: old slots are no longer found.
    pub fn forget(&mut self) {
        self.generation.advance();
    }
}
