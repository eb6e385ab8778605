//! Disproofs that hold on one path only.
//!
//! A check that leads back to a position of the path gets the attacker nowhere. But the position that was disproven for
//! that reason may well be a mate when it is reached otherwise, so its disproof must not go into the table (the
//! graph-history interaction, Kishimoto and Müller 2004). Here it is kept with the whole path as its key.

use std::io;

use bytemuck::Zeroable;
use bytemuck::allocation::try_zeroed_slice_box;

use super::plies::Plies;
use super::proof::Depth;
use crate::util::generation::Generation;

#[derive(Clone, Copy, Zeroable)]
struct Slot {
    key: u64,
    plies: Plies,
    since: Depth,
}

/// The latest of these disproofs; a new one takes the place of whatever was there.
pub struct Returns {
    slots: Box<[Slot]>,
    generation: Generation,
}

impl Returns {
    /// Bytes for each.
    pub const SLOT: usize = size_of::<Slot>();

    /// Room for `slots` of them, one at least. The system gives the memory as it is touched: a search must not have to
    /// wait for all of it.
    ///
    /// # Errors
    /// When it does not.
    pub fn new(slots: usize) -> io::Result<Returns> {
        let slots = try_zeroed_slice_box(slots).map_err(|()| io::ErrorKind::OutOfMemory)?;
        Ok(Returns { slots, generation: Generation::default() })
    }

    pub fn bytes(&self) -> usize {
        self.slots.len() * Returns::SLOT
    }

    fn index(&self, key: u64) -> usize {
        ((u128::from(key) * self.slots.len() as u128) >> 64) as usize
    }

    /// Keeps that there is no mate within `plies`, because of the node at depth `since` of the path.
    pub fn store(&mut self, key: u64, plies: Plies, since: Depth) {
        let key = self.generation.mixed(key);
        let index = self.index(key);
        self.slots[index] = Slot { key, plies, since };
    }

    pub fn look_up(&self, key: u64, plies: Plies) -> Option<(Plies, Depth)> {
        let key = self.generation.mixed(key);
        let slot = self.slots[self.index(key)];
        (slot.key == key && slot.plies >= plies).then_some((slot.plies, slot.since))
    }

    /// Forgets everything and is as new, which takes as long as there is room.
    pub fn clear(&mut self) {
        self.slots.fill(Slot::zeroed());
        self.generation = Generation::default();
    }

    /// Forgets everything at once.
    pub fn forget(&mut self) {
        self.generation.advance();
    }
}
