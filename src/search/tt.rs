//! What one thread knows of the values of positions it has searched. Never shared: the threads' common table holds moves
//! only.

use bytemuck::{Pod, Zeroable};
use memmap2::MmapMut;

use super::value::Value;
use crate::policy::budget::Budget;
use crate::shogi::key::Key;
use crate::util::generation::Generation;
use crate::util::memory::prefetch;
use crate::util::memory::{self, Pages};

/// Which side of the truth a value is on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Side {
    /// The position is worth at most this.
    Upper = 1,
    /// At least this.
    Lower = 2,
    /// Exactly this, as far as the search went.
    Exact = 3,
}

impl Side {
    fn from_bits(bits: u8) -> Side {
        match bits {
            1 => Side::Upper,
            2 => Side::Lower,
            _ => Side::Exact,
        }
    }
}

/// The value of a position and how it was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bound {
    /// For the side to move; a mate counts from the root of the search that asks.
    pub value: Value,
    /// What could be spent below the position.
    pub left: Budget,
    /// What the value says about the truth.
    pub side: Side,
    /// The static value.
    pub stand_pat: Value,
}

impl Bound {
    /// Whether a search of the window from `alpha` to `beta` with `left` to spend would find nothing else.
    pub fn answers(&self, left: Budget, alpha: Value, beta: Value) -> bool {
        // As coarse as what is kept.
        self.left.units() >= coarse(left) * UNIT
            && match self.side {
                Side::Exact => true,
                Side::Lower => self.value >= beta,
                Side::Upper => self.value <= alpha,
            }
    }
}

/// One position; sixteen bytes, four to a cache line.
#[derive(Clone, Copy, Default, Pod, Zeroable)]
#[repr(C)]
struct Entry {
    key: u64,
    value: i16,
    stand_pat: i16,
    /// In units of 1/64 bit: an iteration's budget fits.
    left: i16,
    /// A [`Side`], or 0 in an empty place.
    side: u8,
    search: u8,
}

impl Entry {
    /// What it is worth to keep: budget, less for every search since.
    fn merit(&self, search: u8) -> i32 {
        if self.side == 0 {
            return i32::MIN;
        }
        i32::from(self.left) - i32::from(search.wrapping_sub(self.search)) * AGE
    }
}

/// Entries that a position may be in.
const WAYS: usize = 4;

/// A search that lies back takes as much from an entry's merit as two iterations of budget, in 1/64 bit.
const AGE: i32 = 256;

/// What was forgotten is as old as after so many searches: it gives way before all else.
const FORGOTTEN: u8 = 32;

type Bucket = [Entry; WAYS];

/// Bounds by position, four entries to a bucket.
pub struct Bounds {
    /// The buckets; nothing where there is not even room for one.
    memory: Option<MmapMut>,
    search: u8,
    generation: Generation,
}

impl std::fmt::Debug for Bounds {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Bounds({} buckets)", self.buckets().len())
    }
}

impl Bounds {
    /// A table of `bytes` bytes, or as many halvings of it as it takes for the memory to be granted; with less than a
    /// bucket it finds nothing.
    pub fn new(bytes: usize) -> Bounds {
        let mut count = bytes / size_of::<Bucket>();
        while count > 0 {
            if let Ok(memory) = memory::zeroed(count * size_of::<Bucket>(), Pages::Large) {
                return Bounds { memory: Some(memory), search: 0, generation: Generation::default() };
            }
            count /= 2;
        }
        Bounds { memory: None, search: 0, generation: Generation::default() }
    }

    fn buckets(&self) -> &[Bucket] {
        self.memory.as_deref().map_or(&[], bytemuck::cast_slice)
    }

    fn buckets_mut(&mut self) -> &mut [Bucket] {
        self.memory.as_deref_mut().map_or(&mut [], bytemuck::cast_slice_mut)
    }

    /// How much of `bytes` bytes is used: whole buckets.
    pub const fn rounded(bytes: usize) -> usize {
        bytes / size_of::<Bucket>() * size_of::<Bucket>()
    }

    /// The size in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(self.buckets())
    }

    /// Forgets everything and is as new, which takes as long as the table is large.
    pub fn clear(&mut self) {
        self.buckets_mut().fill(Bucket::default());
        (self.search, self.generation) = (0, Generation::default());
    }

    /// Forgets everything at once: what lies there is found no more.
    pub fn forget(&mut self) {
        self.generation.advance();
        self.search = self.search.wrapping_add(FORGOTTEN);
    }

    /// Another search begins: what earlier ones have left gives way first.
    pub fn age(&mut self) {
        self.search = self.search.wrapping_add(1);
    }

    /// What is known of the position `ply` plies from the root.
    pub fn probe(&self, key: Key, ply: usize) -> Option<Bound> {
        let key = self.mixed(key);
        let bucket = self.buckets().get(self.index(key))?;
        let entry = bucket.iter().find(|entry| entry.key == key.0 && entry.side != 0)?;
        Some(Bound {
            value: Value::from_stored(entry.value, ply),
            left: Budget::new(i32::from(entry.left) * UNIT),
            side: Side::from_bits(entry.side),
            stand_pat: Value::from_stored(entry.stand_pat, 0),
        })
    }

    /// The position with this key will be asked for soon.
    pub fn prefetch(&self, key: Key) {
        if let Some(bucket) = self.buckets().get(self.index(self.mixed(key))) {
            prefetch(bucket);
        }
    }

    /// Keeps `bound` for the position `ply` plies from the root, in the place of the same position or of the entry that
    /// is worth least.
    pub fn store(&mut self, key: Key, ply: usize, bound: Bound) {
        let key = self.mixed(key);
        let (index, search) = (self.index(key), self.search);
        let Some(bucket) = self.buckets_mut().get_mut(index) else { return };
        let left = coarse(bound.left).clamp(-1, i32::from(i16::MAX)) as i16;
        let place = match bucket.iter_mut().position(|entry| entry.key == key.0) {
            Some(same) => {
                // A deeper bound of this search outlives a shallower one that says no more.
                if bucket[same].search == search && bucket[same].left > left && bound.side != Side::Exact {
                    return;
                }
                &mut bucket[same]
            }
            None => {
                let worst = bucket.iter_mut().min_by_key(|entry| entry.merit(search));
                worst.expect("a bucket has entries")
            }
        };
        *place = Entry {
            key: key.0,
            value: bound.value.to_stored(ply),
            stand_pat: bound.stand_pat.to_stored(0),
            left,
            side: bound.side as u8,
            search,
        };
    }

    fn mixed(&self, key: Key) -> Key {
        Key(self.generation.mixed(key.0))
    }

    fn index(&self, key: Key) -> usize {
        ((u128::from(key.0) * self.buckets().len() as u128) >> 64) as usize
    }
}

/// 1/256 bits to one unit of an entry.
const UNIT: i32 = 4;

/// A budget in an entry's units, rounded down.
const fn coarse(left: Budget) -> i32 {
    left.units().div_euclid(UNIT)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bound(value: Value, left: i32, side: Side) -> Bound {
        Bound { value, left: Budget::new(left), side, stand_pat: Value::DRAW }
    }

    #[test]
    fn keeps_the_same_and_forgets() {
        let mut bounds = Bounds::new(1 << 12);
        assert_eq!(bounds.bytes(), 1 << 12);
        let key = Key(0x0123_4567_89AB_CDEF);
        assert_eq!(bounds.probe(key, 3), None);
        let kept = bound(Value::new(-77), 1024, Side::Lower);
        bounds.store(key, 3, kept);
        assert_eq!(bounds.probe(key, 5), Some(kept));
        assert_eq!(bounds.probe(Key(key.0 ^ 1), 3), None);
        bounds.clear();
        assert_eq!(bounds.probe(key, 3), None);
    }

    #[test]
    fn a_mate_is_as_far_from_the_position_as_before() {
        let mut bounds = Bounds::new(1 << 12);
        bounds.store(Key(9), 10, bound(Value::mates_at(15), 0, Side::Exact));
        bounds.store(Key(8), 10, bound(Value::mated_at(14), 0, Side::Exact));
        assert_eq!(bounds.probe(Key(9), 2).unwrap().value, Value::mates_at(7));
        assert_eq!(bounds.probe(Key(8), 3).unwrap().value, Value::mated_at(7));
    }

    #[test]
    fn what_is_worth_least_goes_first() {
        let mut bounds = Bounds::new(size_of::<Bucket>());
        for n in 1..=4 {
            bounds.store(Key(n), 0, bound(Value::DRAW, 512 * n as i32, Side::Lower));
        }
        bounds.store(Key(5), 0, bound(Value::DRAW, 512, Side::Lower));
        assert!(bounds.probe(Key(1), 0).is_none() && bounds.probe(Key(2), 0).is_some());
        for _ in 0..3 {
            bounds.age();
        }
        bounds.store(Key(3), 0, bound(Value::DRAW, 0, Side::Upper));
        bounds.store(Key(6), 0, bound(Value::DRAW, 0, Side::Lower));
        assert!(bounds.probe(Key(4), 0).is_some(), "the deepest of the old ones");
    }

    #[test]
    fn what_is_forgotten_is_not_found_and_gives_way_first() {
        let mut bounds = Bounds::new(size_of::<Bucket>());
        for n in 1..=4 {
            bounds.store(Key(n), 0, bound(Value::DRAW, 512 * 40, Side::Exact));
        }
        bounds.forget();
        assert!((1..=4).all(|n| bounds.probe(Key(n), 0).is_none()));
        assert!(bounds.buckets()[0].iter().all(|entry| entry.side != 0), "nothing was emptied");
        bounds.age();
        for n in 1..=4 {
            let kept = bound(Value::new(n), 0, Side::Lower);
            bounds.store(Key(n as u64), 0, kept);
            assert_eq!(bounds.probe(Key(n as u64), 0), Some(kept));
        }
        assert!((1..=4).all(|n| bounds.probe(Key(n), 0).is_some()), "all the old ones were in their way");
    }

    #[test]
    fn none_at_all_is_no_harm() {
        let mut bounds = Bounds::new(0);
        bounds.store(Key(1), 0, bound(Value::DRAW, 0, Side::Exact));
        assert_eq!(bounds.probe(Key(1), 0), None);
    }

    #[test]
    fn answers_only_what_it_knows() {
        let (low, high) = (Value::new(10), Value::new(11));
        let lower = bound(Value::new(50), 512, Side::Lower);
        assert!(lower.answers(Budget::new(512), low, high) && !lower.answers(Budget::new(516), low, high));
        assert!(!lower.answers(Budget::ZERO, Value::new(50), Value::new(51)));
        let upper = bound(Value::new(10), 512, Side::Upper);
        assert!(upper.answers(Budget::ZERO, low, high));
    }
}
