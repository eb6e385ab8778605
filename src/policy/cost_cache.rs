//! A cache of what the moves of a position cost by the model. The search meets a position again in the next iteration,
//! in the re-search of a move and by transposition, and computing the costs takes longer than anything else in a node.

use bytemuck::{Pod, Zeroable};
use memmap2::MmapMut;

use super::packed_cost::PackedCost;
use crate::shogi::key::Key;
use crate::shogi::square::Square;
use crate::util::memory::{self, Generation, Pages, prefetch};

/// Positions with more moves than this are not kept; there are few. With it a slot has 512 bytes.
const MOVES: usize = 251;

/// The costs of one position's moves, in the order in which they are generated.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Slot {
    key: u64,
    /// How many moves; 0 in an empty slot.
    count: u16,
    costs: [PackedCost; MOVES],
}

/// Costs by position and last move; a new position replaces the old one of its slot. Each thread has its own.
pub struct CostCache {
    /// The slots; `None` where there is no room for one.
    memory: Option<MmapMut>,
    generation: Generation,
}

impl std::fmt::Debug for CostCache {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "CostCache({} positions)", self.slots().len())
    }
}

impl CostCache {
    /// A cache of `bytes` bytes. With less than a slot, or where the system has no memory, it keeps nothing.
    pub fn new(bytes: usize) -> CostCache {
        let bytes = bytes / size_of::<Slot>() * size_of::<Slot>();
        let memory = if bytes > 0 { memory::zeroed(bytes, Pages::Small).ok() } else { None };
        CostCache { memory, generation: Generation::default() }
    }

    /// The size in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(self.slots())
    }

    /// Empties every slot, which takes as long as the cache is large.
    pub fn clear(&mut self) {
        self.slots_mut().fill(Slot::zeroed());
        self.generation = Generation::default();
    }

    /// Forgets everything at once: old slots are no longer found.
    pub fn forget(&mut self) {
        self.generation.advance();
    }

    /// The costs of the `count` moves of a position that a move to `previous_to` led to, if they are cached.
    pub fn get(&self, position: Key, previous_to: Option<Square>, count: usize) -> Option<&[PackedCost]> {
        let key = self.generation.mixed(cache_key(position, previous_to));
        let slot = self.slots().get(self.index(key))?;
        (slot.key == key && usize::from(slot.count) == count).then(|| &slot.costs[..count])
    }

    /// Fetches the slot of a position that will be asked for soon.
    pub fn prefetch(&self, position: Key, previous_to: Option<Square>) {
        if let Some(slot) =
            self.slots().get(self.index(self.generation.mixed(cache_key(position, previous_to))))
        {
            prefetch(slot);
        }
    }

    /// Keeps the costs of a position's moves, in place of what its slot had.
    pub fn insert(&mut self, position: Key, previous_to: Option<Square>, costs: &[PackedCost]) {
        let key = self.generation.mixed(cache_key(position, previous_to));
        let index = self.index(key);
        let Some(slot) = self.slots_mut().get_mut(index) else { return };
        if costs.len() <= MOVES {
            (slot.key, slot.count) = (key, costs.len() as u16);
            slot.costs[..costs.len()].copy_from_slice(costs);
        }
    }

    fn slots(&self) -> &[Slot] {
        self.memory.as_deref().map_or(&[], bytemuck::cast_slice)
    }

    fn slots_mut(&mut self) -> &mut [Slot] {
        self.memory.as_deref_mut().map_or(&mut [], bytemuck::cast_slice_mut)
    }

    fn index(&self, key: u64) -> usize {
        ((u128::from(key) * self.slots().len() as u128) >> 64) as usize
    }
}

/// The key of a position and the square of the last move, on which categories depend.
fn cache_key(position: Key, previous_to: Option<Square>) -> u64 {
    /// Spreads the square over all bits (Knuth's multiplicative hashing, by the golden ratio).
    const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;
    position.0 ^ previous_to.map_or(0, |square| (square.index() as u64 + 1).wrapping_mul(SPREAD))
}

#[cfg(test)]
mod tests {
    use super::super::budget::Budget;
    use super::*;

    fn costs(count: usize) -> Vec<PackedCost> {
        (0..count).map(|n| PackedCost::new(Budget::new(10 * n as i32), n % 3 == 0)).collect()
    }

    #[test]
    fn costs_are_found_for_the_same_position_last_move_and_count() {
        let mut cache = CostCache::new(1 << 14);
        assert_eq!(cache.bytes(), 1 << 14);
        let (key, previous_to) = (Key(0x0123_4567_89AB_CDEF), Square::all().nth(40));
        assert_eq!(cache.get(key, previous_to, 0), None);
        for count in [MOVES, 30] {
            cache.insert(key, previous_to, &costs(count));
            assert_eq!(cache.get(key, previous_to, count), Some(&*costs(count)));
        }
        // Another last move, another number of moves or another position is a miss.
        assert_eq!(cache.get(key, None, 30), None);
        assert_eq!(cache.get(key, previous_to, 31), None);
        assert_eq!(cache.get(Key(key.0 ^ 1), previous_to, 30), None);
        // A position with too many moves leaves the slot as it is.
        cache.insert(key, previous_to, &costs(MOVES + 1));
        assert_eq!(cache.get(key, previous_to, 30), Some(&*costs(30)));
        cache.forget();
        assert_eq!(cache.get(key, previous_to, 30), None);
        cache.insert(key, previous_to, &costs(30));
        assert_eq!(cache.get(key, previous_to, 30), Some(&*costs(30)));
        cache.clear();
        assert_eq!(cache.get(key, previous_to, 30), None);
    }

    #[test]
    fn a_cache_without_room_keeps_nothing() {
        let mut cache = CostCache::new(size_of::<Slot>() - 1);
        cache.insert(Key(1), None, &costs(3));
        assert_eq!((cache.bytes(), cache.get(Key(1), None, 3)), (0, None));
    }
}
