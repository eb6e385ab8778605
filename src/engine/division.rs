//! How the memory that a user grants is divided.

use sysinfo::System;

/// Who gets how much of `USI_Hash`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Division {
    /// Threads that search.
    pub threads: usize,
    /// MiB for the common table of moves.
    pub moves: usize,
    /// Bytes for what each thread has of its own: bounds and a mate solver.
    pub own: usize,
}

impl Division {
    /// MiB in all.
    pub const fn mebibytes(&self) -> usize {
        self.moves + ((self.own * self.threads) >> 20)
    }

    /// A quarter for the moves, which all threads share, the rest in equal parts for what each has of its own.
    pub fn new(mebibytes: usize, threads: usize) -> Division {
        let moves = (mebibytes / 4).max(1);
        let own = (mebibytes.saturating_sub(moves) << 20) / threads;
        Division { threads, moves, own }
    }
}

/// How many of the `asked` MiB the machine can give beside what else is in memory, when `held` MiB of ours are freed.
///
/// Systems promise memory that they do not have, and end a process that then uses it. So this looks at what is
/// available, and leaves a sixteenth of it alone.
pub fn affordable(asked: usize, held: usize) -> usize {
    let Ok(mut system) = System::new() else { return asked };
    system.refresh_memory();
    let group = system.cgroup_limits().map_or(u64::MAX, |group| group.free_memory);
    match system.available_memory().min(group) {
        // The system does not tell.
        0 => asked,
        available => {
            let available = (available >> 20) as usize + held;
            asked.min(available - available / 16).max(1)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_gets_more_than_the_machine_has() {
        assert_eq!(affordable(1, 0), 1);
        let all = affordable(usize::MAX >> 20, 0);
        assert!(all < 1 << 40, "{all} MiB");
        assert!(affordable(usize::MAX >> 20, 1000) > all / 2);
    }

    #[test]
    fn nothing_is_lost_or_granted_twice() {
        for mebibytes in [1, 2, 3, 16, 256, 1000, 1 << 20] {
            for threads in [1, 2, 3, 16, 1024] {
                let division = Division::new(mebibytes, threads);
                let sum = (division.moves << 20) + division.own * threads;
                assert!(division.moves >= 1 && sum <= mebibytes << 20);
                assert!((mebibytes << 20) - sum < threads, "{mebibytes} MiB, {threads} threads");
            }
        }
    }
}
