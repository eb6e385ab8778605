//! How the memory of `USI_Hash` is divided, and how much of it the machine can give.

use crate::util::available_memory::AvailableMemory;

/// The parts of `USI_Hash`: a quarter for the table of hash moves, which all threads share, the rest in equal parts
/// for the threads' own [`Memory`](crate::search::Memory), which divides its part among its tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HashBudget {
    /// MiB in all.
    pub mebibytes: usize,
    /// Threads that search.
    pub threads: usize,
    /// MiB for the table of hash moves.
    pub hash_moves: usize,
    /// Bytes for each thread.
    pub per_thread: usize,
}

impl HashBudget {
    /// Divides `mebibytes` MiB among the table of hash moves and `threads` threads.
    pub fn new(mebibytes: usize, threads: usize) -> HashBudget {
        let hash_moves = (mebibytes / 4).max(1);
        let per_thread = (mebibytes.saturating_sub(hash_moves) << 20) / threads;
        HashBudget { mebibytes, threads, hash_moves, per_thread }
    }
}

/// How many of the `requested` MiB are used on a machine with `available` MiB once `held` MiB of ours are freed, and a
/// message where these are fewer.
///
/// Systems promise memory that they do not have, and end a process that then uses it. So this goes by what is
/// [`available`].
pub fn affordable(requested: usize, held: usize, available: Option<usize>) -> (usize, Option<String>) {
    let Some(available) = available else { return (requested, None) };
    let used = limited(requested, held, available);
    let message = || {
        format!(
            "not enough memory for {requested} MiB: {} MiB are available, {used} MiB are used",
            available + held
        )
    };
    (used, (used < requested).then(message))
}

/// The message where the system has given only `bytes` bytes of `requested` MiB. Less than a MiB is lost in any case, as
/// tables have whole entries.
pub fn shortfall(requested: usize, bytes: usize) -> Option<String> {
    let message = || format!("the system has not given {requested} MiB: {} MiB are used", bytes >> 20);
    (bytes + (1 << 20) <= requested << 20).then(message)
}

/// MiB that are used however little the system says it has: the engine cannot play without some.
const MIN_MEBIBYTES: usize = 16;

/// How many of the `requested` MiB are used where `available` are free: a sixteenth is left to the system. Memory that is
/// held already can be used in any case.
fn limited(requested: usize, held: usize, available: usize) -> usize {
    let all = available + held;
    requested.min((all - all / 16).max(held).max(MIN_MEBIBYTES))
}

/// MiB that are available beside what else is in memory, what `threads` threads take, and `mapped` bytes of files; `None` where
/// the system does not say.
pub fn available(threads: usize, mapped: usize) -> Option<usize> {
    let reserved = ADDRESSES_FOR_ALL + threads as u64 * ADDRESSES_FOR_A_THREAD;
    AvailableMemory::now().map(|available| (available.at_ease(reserved, mapped as u64) >> 20) as usize)
}

/// The bytes of addresses that are kept back for what is allocated later.
const ADDRESSES_FOR_ALL: u64 = 128 << 20;

/// The same for each thread: its stack, and what the C library maps for a thread that allocates.
const ADDRESSES_FOR_A_THREAD: u64 = 96 << 20;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_add_up_to_the_whole() {
        for mebibytes in [1, 2, 3, 16, 256, 1000, 1 << 20] {
            for threads in [1, 2, 3, 16, 1024] {
                let budget = HashBudget::new(mebibytes, threads);
                let sum = (budget.hash_moves << 20) + budget.per_thread * threads;
                assert!(budget.hash_moves >= 1 && sum <= mebibytes << 20);
                assert!((mebibytes << 20) - sum < threads, "{mebibytes} MiB, {threads} threads");
            }
        }
    }

    #[test]
    fn no_more_is_used_than_the_machine_has() {
        let available = available(1, 0);
        assert_eq!(affordable(1, 0, available), (1, None));
        let (all, message) = affordable(usize::MAX >> 20, 0, available);
        assert!(all < 1 << 40, "{all} MiB");
        assert!(message.is_some_and(|text| text.ends_with(&format!("available, {all} MiB are used"))));
        assert!(affordable(usize::MAX >> 20, 1000, available).0 > all / 2);
    }

    #[test]
    fn all_but_a_sixteenth_of_the_available_memory_is_used() {
        for (requested, held, available, used) in [
            (512, 0, 100_000, 512),
            (1 << 20, 0, 1600, 1500),
            (1 << 20, 600, 1000, 1500),
            // With nothing available there is the memory that is held already, or little.
            (512, 0, 0, 16),
            (8, 0, 0, 8),
            (512, 256, 0, 256),
            (128, 256, 0, 128),
            (512, 256, 8, 256),
        ] {
            assert_eq!(limited(requested, held, available), used, "{requested}, {held}, {available}");
        }
    }
}
