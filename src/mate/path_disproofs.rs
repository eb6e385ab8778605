//! Disproofs that hold on one path only.
//!
//! A check that leads back to a position of the path gets the attacker nowhere. But the position that was disproven for
//! that reason may well be a mate when it is reached by another path, so its disproof must not go into the table (the
//! graph-history interaction, Kishimoto and Müller 2004). Here it is kept under a key of the whole path.

use std::io;

use bytemuck::Zeroable;
use bytemuck::allocation::try_zeroed_slice_box;

use super::proof::{Depth, Plies};
use crate::util::generation::Generation;

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
