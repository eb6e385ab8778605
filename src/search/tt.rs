//! The transposition table of one thread: values of positions that it has searched.
//!
//! It is never shared. The table that all threads share holds moves only ([`hash_moves`](super::hash_moves)).

use bytemuck::{Pod, Zeroable};
use memmap2::MmapMut;

use super::value::Value;
use super::window::Window;
use crate::policy::budget::Budget;
use crate::shogi::key::Key;
use crate::util::memory::{self, Generation, Pages, prefetch};

/// What a value says about the true value of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Bound {
    /// The position is worth at most this.
    Upper = 1,
    /// The position is worth at least this.
    Lower = 2,
    /// The position is worth exactly this, as far as the search went.
    Exact = 3,
}

impl Bound {
    /// What `value` is, as the result of a search of `window`.
    pub fn of(value: Value, window: Window) -> Bound {
        if value >= window.beta {
            Bound::Lower
        } else if value <= window.alpha {
            Bound::Upper
        } else {
            Bound::Exact
        }
    }

    fn from_bits(bits: u8) -> Bound {
        match bits {
            1 => Bound::Upper,
            2 => Bound::Lower,
            _ => Bound::Exact,
        }
    }
}

/// The value of a position and how it was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TtEntry {
    /// For the side to move; a mate counts from the root of the search that probes.
    pub value: Value,
    /// What could be spent below the position.
    pub left: Budget,
    /// What the value says about the true one.
    pub bound: Bound,
    /// The static evaluation.
    pub static_eval: Value,
}

impl TtEntry {
    /// Whether a mate in one would be known. A leaf that is good enough as it stands does not look for one.
    pub fn knows_mate_in_one(&self) -> bool {
        self.left >= Budget::ZERO || self.bound != Bound::Lower
    }

    /// Whether a search of `window` with `left` to spend would find nothing else.
    pub fn causes_cutoff(&self, left: Budget, window: Window) -> bool {
        // As coarse as what is stored.
        self.left.units() >= coarse(left) * UNIT
            && match self.bound {
                Bound::Exact => true,
                Bound::Lower => self.value >= window.beta,
                Bound::Upper => self.value <= window.alpha,
            }
    }
}

/// An entry as the table stores it; sixteen bytes, four to a cache line.
#[derive(Clone, Copy, Default, Pod, Zeroable)]
#[repr(C)]
struct PackedEntry {
    key: u64,
    value: i16,
    static_eval: i16,
    /// In units of 1/64 bit, so that an iteration's budget fits.
    left: i16,
    /// A [`Bound`], or 0 in an empty place.
    bound: u8,
    /// The search that stored it.
    age: u8,
}

impl PackedEntry {
    /// What it is worth to keep: its budget, less for every search since.
    fn merit(&self, age: u8) -> i32 {
        if self.bound == 0 {
            return i32::MIN;
        }
        i32::from(self.left) - i32::from(age.wrapping_sub(self.age)) * AGING
    }
}

/// Places that a position may be stored in.
const WAYS: usize = 4;

/// Each later search takes this much from an entry's merit: two iterations of budget, in 1/64 bit.
const AGING: i32 = 256;

/// A forgotten entry counts as this many searches old: it is replaced before all others.
const FORGOTTEN: u8 = 32;

type Bucket = [PackedEntry; WAYS];

/// Values by position, four entries to a bucket.
pub struct TranspositionTable {
    /// The buckets; nothing where there is not even room for one.
    memory: Option<MmapMut>,
    /// The number of the running search.
    age: u8,
    generation: Generation,
}

impl std::fmt::Debug for TranspositionTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "TranspositionTable({} buckets)", self.buckets().len())
    }
}

impl TranspositionTable {
    /// A table of `bytes` bytes; where the system refuses so much, of a half, a quarter and so on. With less than a bucket
    /// it stores nothing.
    pub fn new(bytes: usize) -> TranspositionTable {
        let mut count = bytes / size_of::<Bucket>();
        while count > 0 {
            if let Ok(memory) = memory::zeroed(count * size_of::<Bucket>(), Pages::Large) {
                return TranspositionTable {
                    memory: Some(memory),
                    age: 0,
                    generation: Generation::default(),
                };
            }
            count /= 2;
        }
        TranspositionTable { memory: None, age: 0, generation: Generation::default() }
    }

    fn buckets(&self) -> &[Bucket] {
        self.memory.as_deref().map_or(&[], bytemuck::cast_slice)
    }

    fn buckets_mut(&mut self) -> &mut [Bucket] {
        self.memory.as_deref_mut().map_or(&mut [], bytemuck::cast_slice_mut)
    }

    /// How many of `bytes` bytes a table uses: whole buckets.
    pub const fn rounded(bytes: usize) -> usize {
        bytes / size_of::<Bucket>() * size_of::<Bucket>()
    }

    /// The size in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(self.buckets())
    }

    /// Empties the table, so that it is as new. Takes the longer the larger the table is.
    pub fn clear(&mut self) {
        self.buckets_mut().fill(Bucket::default());
        (self.age, self.generation) = (0, Generation::default());
    }

    /// Forgets everything at once: the entries stay where they are, but are not found any more.
    pub fn forget(&mut self) {
        self.generation.advance();
        self.age = self.age.wrapping_add(FORGOTTEN);
    }

    /// Another search begins: entries of earlier ones are replaced first.
    pub fn new_search(&mut self) {
        self.age = self.age.wrapping_add(1);
    }

    /// The entry of the position `ply` plies from the root.
    pub fn probe(&self, key: Key, ply: usize) -> Option<TtEntry> {
        let key = self.mixed(key);
        let bucket = self.buckets().get(self.index(key))?;
        let entry = bucket.iter().find(|entry| entry.key == key.0 && entry.bound != 0)?;
        Some(TtEntry {
            value: Value::from_stored(entry.value, ply),
            left: Budget::new(i32::from(entry.left) * UNIT),
            bound: Bound::from_bits(entry.bound),
            static_eval: Value::from_stored(entry.static_eval, 0),
        })
    }

    /// The position with this key will be probed soon.
    pub fn prefetch(&self, key: Key) {
        if let Some(bucket) = self.buckets().get(self.index(self.mixed(key))) {
            prefetch(bucket);
        }
    }

    /// Stores `entry` for the position `ply` plies from the root, in place of the same position or of the entry that is
    /// worth least.
    pub fn store(&mut self, key: Key, ply: usize, entry: TtEntry) {
        let key = self.mixed(key);
        let (index, age) = (self.index(key), self.age);
        let Some(bucket) = self.buckets_mut().get_mut(index) else { return };
        let left = coarse(entry.left).clamp(-1, i32::from(i16::MAX)) as i16;
        let place = match bucket.iter_mut().position(|old| old.key == key.0) {
            Some(same) => {
                // A deeper entry of this search is kept, unless the new one is exact.
                if bucket[same].age == age && bucket[same].left > left && entry.bound != Bound::Exact {
                    return;
                }
                &mut bucket[same]
            }
            None => {
                let worst = bucket.iter_mut().min_by_key(|old| old.merit(age));
                worst.expect("a bucket has entries")
            }
        };
        *place = PackedEntry {
            key: key.0,
            value: entry.value.to_stored(ply),
            static_eval: entry.static_eval.to_stored(0),
            left,
            bound: entry.bound as u8,
            age,
        };
    }

    fn mixed(&self, key: Key) -> Key {
        Key(self.generation.mixed(key.0))
    }

    fn index(&self, key: Key) -> usize {
        ((u128::from(key.0) * self.buckets().len() as u128) >> 64) as usize
    }
}

/// One unit of a stored budget, in 1/256 bit.
const UNIT: i32 = 4;

/// A budget as it is stored, rounded down.
const fn coarse(left: Budget) -> i32 {
    left.units().div_euclid(UNIT)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(value: Value, left: i32, bound: Bound) -> TtEntry {
        TtEntry { value, left: Budget::new(left), bound, static_eval: Value::DRAW }
    }

    #[test]
    fn an_entry_is_found_until_the_table_is_cleared() {
        let mut table = TranspositionTable::new(1 << 12);
        assert_eq!(table.bytes(), 1 << 12);
        let key = Key(0x0123_4567_89AB_CDEF);
        assert_eq!(table.probe(key, 3), None);
        let kept = entry(Value::new(-77), 1024, Bound::Lower);
        table.store(key, 3, kept);
        assert_eq!(table.probe(key, 5), Some(kept));
        assert_eq!(table.probe(Key(key.0 ^ 1), 3), None);
        table.clear();
        assert_eq!(table.probe(key, 3), None);
    }

    #[test]
    fn a_mate_keeps_its_distance_from_the_position() {
        let mut table = TranspositionTable::new(1 << 12);
        table.store(Key(9), 10, entry(Value::mate_in(15), 0, Bound::Exact));
        table.store(Key(8), 10, entry(Value::mated_in(14), 0, Bound::Exact));
        assert_eq!(table.probe(Key(9), 2).unwrap().value, Value::mate_in(7));
        assert_eq!(table.probe(Key(8), 3).unwrap().value, Value::mated_in(7));
    }

    #[test]
    fn the_least_worthy_entry_is_replaced_first() {
        let mut table = TranspositionTable::new(size_of::<Bucket>());
        for n in 1..=4 {
            table.store(Key(n), 0, entry(Value::DRAW, 512 * n as i32, Bound::Lower));
        }
        table.store(Key(5), 0, entry(Value::DRAW, 512, Bound::Lower));
        assert!(table.probe(Key(1), 0).is_none() && table.probe(Key(2), 0).is_some());
        for _ in 0..3 {
            table.new_search();
        }
        table.store(Key(3), 0, entry(Value::DRAW, 0, Bound::Upper));
        table.store(Key(6), 0, entry(Value::DRAW, 0, Bound::Lower));
        assert!(table.probe(Key(4), 0).is_some(), "the deepest of the old ones stays");
    }

    #[test]
    fn forgotten_entries_are_not_found_and_are_replaced_first() {
        let mut table = TranspositionTable::new(size_of::<Bucket>());
        for n in 1..=4 {
            table.store(Key(n), 0, entry(Value::DRAW, 512 * 40, Bound::Exact));
        }
        table.forget();
        assert!((1..=4).all(|n| table.probe(Key(n), 0).is_none()));
        assert!(table.buckets()[0].iter().all(|entry| entry.bound != 0), "nothing was emptied");
        table.new_search();
        for n in 1..=4 {
            let kept = entry(Value::new(n), 0, Bound::Lower);
            table.store(Key(n as u64), 0, kept);
            assert_eq!(table.probe(Key(n as u64), 0), Some(kept));
        }
        assert!((1..=4).all(|n| table.probe(Key(n), 0).is_some()), "only old ones were replaced");
    }

    #[test]
    fn a_table_without_room_stores_nothing() {
        let mut table = TranspositionTable::new(0);
        table.store(Key(1), 0, entry(Value::DRAW, 0, Bound::Exact));
        assert_eq!(table.probe(Key(1), 0), None);
    }

    #[test]
    fn only_a_deep_enough_bound_outside_the_window_causes_a_cutoff() {
        let null = |alpha: i32| Window::new(Value::new(alpha), Value::new(alpha + 1));
        let lower = entry(Value::new(50), 512, Bound::Lower);
        assert!(lower.causes_cutoff(Budget::new(512), null(10)));
        assert!(!lower.causes_cutoff(Budget::new(516), null(10)));
        assert!(!lower.causes_cutoff(Budget::ZERO, null(50)));
        let upper = entry(Value::new(10), 512, Bound::Upper);
        assert!(upper.causes_cutoff(Budget::ZERO, null(10)));
    }
}
