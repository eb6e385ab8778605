//! The table of hash moves, the only one that all threads share. It holds moves and nothing else.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread::Builder;

use bytemuck::Zeroable;
use bytemuck::allocation::try_zeroed_slice_box;
use parking_lot::Mutex;

use crate::shogi::key::Key;
use crate::shogi::moves::Move;
use crate::util::memory::{USUAL_STACK, has_addresses, prefetch};

/// One slot: 48 bits of key and 16 of move in a single word.
///
/// A slot is only ever loaded or stored whole, so that a reader sees an old entry or a new one and never half of each.
#[derive(Default, Zeroable)]
#[repr(transparent)]
struct Slot(AtomicU64);

impl Slot {
    fn probe(&self, key: Key) -> Option<Move> {
        let word = self.0.load(Relaxed);
        if word >> 16 == key.0 >> 16 { Move::from_word(word as u16) } else { None }
    }

    fn store(&self, key: Key, mv: Move) {
        self.0.store(key.0 >> 16 << 16 | u64::from(mv.word()), Relaxed);
    }
}

/// One thread clears so many in a few milliseconds.
const SLOTS_WORTH_A_THREAD: usize = 1 << 22;

/// Hash moves by the key of their position: the moves that were best when it was last searched.
///
/// A hash move is a suggestion. Another position may share the slot, so the move has to pass
/// [`Position::is_legal`](crate::shogi::position::Position::is_legal) before it is played.
pub struct HashMoveTable {
    slots: Box<[Slot]>,
}

impl std::fmt::Debug for HashMoveTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "HashMoveTable({} slots)", self.slots.len())
    }
}

impl HashMoveTable {
    /// A table of `mebibytes` MiB; where the system refuses so much, of a half, a quarter and so on.
    pub fn new(mebibytes: usize) -> HashMoveTable {
        let mut count = (mebibytes.max(1) << 20) / size_of::<Slot>();
        let slots = loop {
            match try_zeroed_slice_box(count) {
                Ok(slots) => break slots,
                Err(()) => count /= 2,
            }
        };
        let mut table = HashMoveTable { slots };
        // Writing to all of it makes the system find the memory now and not in the middle of a search.
        table.clear();
        table
    }

    /// A table without a slot, which finds nothing.
    pub fn empty() -> HashMoveTable {
        HashMoveTable { slots: Box::default() }
    }

    /// The size in MiB, which is less than asked for where there was not enough memory.
    pub fn mebibytes(&self) -> usize {
        (self.slots.len() * size_of::<Slot>()) >> 20
    }

    /// The move last stored for `key`.
    pub fn probe(&self, key: Key) -> Option<Move> {
        self.slots.get(self.index(key))?.probe(key)
    }

    /// The position with this key will be probed soon.
    pub fn prefetch(&self, key: Key) {
        if let Some(slot) = self.slots.get(self.index(key)) {
            prefetch(slot);
        }
    }

    /// Stores `mv` for `key`, whatever was in its slot.
    pub fn store(&self, key: Key, mv: Move) {
        if let Some(slot) = self.slots.get(self.index(key)) {
            slot.store(key, mv);
        }
    }

    /// Empties the table; a large one with several threads at once, as far as the system has them.
    pub fn clear(&mut self) {
        let threads = num_cpus::get().min(self.slots.len() / SLOTS_WORTH_A_THREAD);
        self.clear_with(threads, SLOTS_WORTH_A_THREAD, Builder::new);
    }

    /// Empties the table with `threads` threads, this one among them. Each takes `at_once` slots at a time; `builder`
    /// makes the other threads.
    fn clear_with(&mut self, threads: usize, at_once: usize, builder: impl Fn() -> Builder) {
        let parts = Mutex::new(self.slots.chunks_mut(at_once));
        let next = || parts.lock().next();
        let clear = || {
            while let Some(part) = next() {
                part.fill_with(Slot::default);
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..threads {
                // The threads there are do the work of one that the system refuses.
                if !has_addresses(USUAL_STACK) || builder().spawn_scoped(scope, clear).is_err() {
                    break;
                }
            }
            clear();
        });
    }

    /// How many of a thousand slots hold a move.
    pub fn permille_used(&self) -> u32 {
        self.slots.iter().take(1000).filter(|slot| slot.0.load(Relaxed) != 0).count() as u32
    }

    /// The low bits choose the slot by multiplication: the size need not be a power of two.
    fn index(&self, key: Key) -> usize {
        ((u128::from(key.0.rotate_left(32)) * self.slots.len() as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn a_move_is_found_until_the_table_is_cleared() {
        let mut table = HashMoveTable::new(1);
        assert_eq!(table.mebibytes(), 1);
        let mv: Move = "7g7f".parse().unwrap();
        let key = Key(0x0123_4567_89AB_CDEF);
        assert_eq!(table.probe(key), None);
        table.store(key, mv);
        assert_eq!(table.probe(key), Some(mv));
        assert_eq!(table.probe(Key(key.0 ^ 1 << 63)), None);
        table.clear();
        assert_eq!(table.probe(key), None);
    }

    /// With threads, and where the system refuses them: none has so large a stack.
    #[test]
    fn several_threads_clear_a_table_to_the_last_slot() {
        let asked = Cell::new(0);
        let mut table = HashMoveTable { slots: std::iter::repeat_with(Slot::default).take(1000).collect() };
        let mv: Move = "7g7f".parse().unwrap();
        let used =
            |table: &HashMoveTable| table.slots.iter().filter(|slot| slot.0.load(Relaxed) != 0).count();
        let builders: [fn() -> Builder; 2] = [Builder::new, || Builder::new().stack_size(usize::MAX / 4)];
        for builder in builders {
            for (threads, at_once) in [(3, 64), (4, 1), (2, 999), (1, 1000), (0, 1 << 20)] {
                table.slots.iter().for_each(|slot| slot.store(Key(1 << 16), mv));
                assert_eq!(used(&table), 1000);
                asked.set(0);
                table.clear_with(threads, at_once, || {
                    asked.set(asked.get() + 1);
                    builder()
                });
                assert_eq!(used(&table), 0, "{threads} threads, {at_once} slots at once");
                // This thread is one of them. After the first refusal no other is asked for.
                let others = threads.saturating_sub(1);
                assert!(asked.get() == others || asked.get() == 1, "{} of {others} threads", asked.get());
            }
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "the table is large")]
    fn a_large_table_is_cleared_to_the_last_slot() {
        let mut table = HashMoveTable::new(96);
        assert!(table.slots.len() / SLOTS_WORTH_A_THREAD >= 3);
        let mv: Move = "7g7f".parse().unwrap();
        table.slots.iter().step_by(1000).for_each(|slot| slot.store(Key(1 << 16), mv));
        table.slots.last().unwrap().store(Key(1 << 16), mv);
        table.clear();
        assert!(table.slots.iter().all(|slot| slot.0.load(Relaxed) == 0));
    }

    /// Two threads write other moves for two keys that share a slot while a third reads: it finds for a key only what
    /// was stored for it. (Miri runs this with many interleavings: docs/guide/building.md.)
    #[test]
    fn a_reader_never_finds_half_of_an_entry() {
        let table = HashMoveTable { slots: [Slot::default()].into() };
        let stored =
            [(Key(0x1111_2222_3333_4444), ["7g7f", "2g2f"]), (Key(0x5555_6666_7777_8888), ["P*5e", "8h2b+"])]
                .map(|(key, moves)| (key, moves.map(|mv| mv.parse::<Move>().unwrap())));
        std::thread::scope(|scope| {
            for (key, moves) in stored {
                let table = &table;
                scope.spawn(move || (0..20).for_each(|nth| table.store(key, moves[nth % 2])));
            }
            for _ in 0..20 {
                for (key, moves) in stored {
                    assert!(table.probe(key).is_none_or(|found| moves.contains(&found)));
                }
            }
        });
        let last = stored.map(|(key, _)| table.probe(key));
        assert_eq!(last.iter().flatten().count(), 1, "one slot holds one of both");
    }
}
