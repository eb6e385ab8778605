//! What the moves of a position cost by what they are, kept for when the position is met again: in the next iteration,
//! in the second search of a move, by another order of moves. To find them out takes longer than anything else in a
//! node.

use bytemuck::{Pod, Zeroable};
use memmap2::MmapMut;

use super::usual_cost::UsualCost;
use crate::shogi::key::Key;
use crate::shogi::square::Square;
use crate::util::generation::Generation;
use crate::util::memory::prefetch;
use crate::util::memory::{self, Pages};

/// More moves than so many are not kept; few positions have them.
const MOVES: usize = 251;

/// The moves of one position in the order in which they are generated.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Entry {
    key: u64,
    /// Moves; 0 in an empty place.
    count: u16,
    costs: [UsualCost; MOVES],
}

/// Costs by position and last move, the latest of each place. Never shared between threads.
pub struct CostCache {
    /// The entries; nothing where there is not even room for one.
    memory: Option<MmapMut>,
    generation: Generation,
}

impl std::fmt::Debug for CostCache {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "CostCache({} positions)", self.entries().len())
    }
}

impl CostCache {
    /// A table of `bytes` bytes; with less than an entry, or where the system has no memory, it keeps nothing.
    pub fn new(bytes: usize) -> CostCache {
        let bytes = bytes / size_of::<Entry>() * size_of::<Entry>();
        let memory = if bytes > 0 { memory::zeroed(bytes, Pages::Small).ok() } else { None };
        CostCache { memory, generation: Generation::default() }
    }

    /// The size in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(self.entries())
    }

    /// Forgets everything and is as new, which takes as long as the table is large.
    pub fn clear(&mut self) {
        self.entries_mut().fill(Entry::zeroed());
        self.generation = Generation::default();
    }

    /// Forgets everything at once: what lies there is found no more.
    pub fn forget(&mut self) {
        self.generation.advance();
    }

    /// What the `count` moves of a position cost that was entered by a move to `previous_to`, if that is known.
    pub fn of(&self, position: Key, previous_to: Option<Square>, count: usize) -> Option<&[UsualCost]> {
        let key = self.generation.mixed(met(position, previous_to));
        let entry = self.entries().get(self.index(key))?;
        (entry.key == key && usize::from(entry.count) == count).then(|| &entry.costs[..count])
    }

    /// The moves of this position will be asked for soon.
    pub fn prefetch(&self, position: Key, previous_to: Option<Square>) {
        if let Some(entry) = self.entries().get(self.index(self.generation.mixed(met(position, previous_to))))
        {
            prefetch(entry);
        }
    }

    /// Keeps what the moves of a position cost, in place of another one.
    pub fn keep(
        &mut self,
        position: Key,
        previous_to: Option<Square>,
        costs: impl ExactSizeIterator<Item = UsualCost>,
    ) {
        let key = self.generation.mixed(met(position, previous_to));
        let index = self.index(key);
        let Some(entry) = self.entries_mut().get_mut(index) else { return };
        if costs.len() <= MOVES {
            (entry.key, entry.count) = (key, costs.len() as u16);
            entry.costs.iter_mut().zip(costs).for_each(|(kept, cost)| *kept = cost);
        }
    }

    fn entries(&self) -> &[Entry] {
        self.memory.as_deref().map_or(&[], bytemuck::cast_slice)
    }

    fn entries_mut(&mut self) -> &mut [Entry] {
        self.memory.as_deref_mut().map_or(&mut [], bytemuck::cast_slice_mut)
    }

    fn index(&self, key: u64) -> usize {
        ((u128::from(key) * self.entries().len() as u128) >> 64) as usize
    }
}

/// The key of a position that was entered by a move to `previous_to`, on which categories depend.
fn met(position: Key, previous_to: Option<Square>) -> u64 {
    /// Spreads the few numbers of squares over all bits (Knuth's multiplicative hashing, by the golden ratio).
    const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;
    position.0 ^ previous_to.map_or(0, |square| (square.index() as u64 + 1).wrapping_mul(SPREAD))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::budget::Budget;

    fn costs(count: usize) -> Vec<UsualCost> {
        (0..count).map(|n| UsualCost::new(Budget::new(10 * n as i32), n % 3 == 0)).collect()
    }

    #[test]
    fn the_same_moves_are_found_again() {
        let mut known = CostCache::new(1 << 14);
        assert_eq!(known.bytes(), 1 << 14);
        let (key, previous_to) = (Key(0x0123_4567_89AB_CDEF), Square::all().nth(40));
        assert_eq!(known.of(key, previous_to, 0), None);
        for count in [MOVES, 30] {
            known.keep(key, previous_to, costs(count).into_iter());
            assert_eq!(known.of(key, previous_to, count), Some(&*costs(count)));
        }
        // Another last move, another number of moves, another position: nothing is known.
        assert_eq!(known.of(key, None, 30), None);
        assert_eq!(known.of(key, previous_to, 31), None);
        assert_eq!(known.of(Key(key.0 ^ 1), previous_to, 30), None);
        // Too many moves leave what is there.
        known.keep(key, previous_to, costs(MOVES + 1).into_iter());
        assert_eq!(known.of(key, previous_to, 30), Some(&*costs(30)));
        known.forget();
        assert_eq!(known.of(key, previous_to, 30), None);
        known.keep(key, previous_to, costs(30).into_iter());
        assert_eq!(known.of(key, previous_to, 30), Some(&*costs(30)));
        known.clear();
        assert_eq!(known.of(key, previous_to, 30), None);
    }

    #[test]
    fn none_at_all_is_no_harm() {
        let mut known = CostCache::new(size_of::<Entry>() - 1);
        known.keep(Key(1), None, costs(3).into_iter());
        assert_eq!((known.bytes(), known.of(Key(1), None, 3)), (0, None));
    }
}
