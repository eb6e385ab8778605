//! How the memory that a user grants is divided.

/// Who gets how much of `USI_Hash`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Division {
    /// MiB in all.
    pub mebibytes: usize,
    /// Threads that search.
    pub threads: usize,
    /// MiB for the common table of moves.
    pub moves: usize,
    /// Bytes for what each thread has of its own: a [`Memory`](crate::search::Memory), which divides them further.
    pub own: usize,
}

impl Division {
    /// A quarter for the moves, which all threads share, the rest in equal parts for what each has of its own.
    pub fn new(mebibytes: usize, threads: usize) -> Division {
        let moves = (mebibytes / 4).max(1);
        let own = (mebibytes.saturating_sub(moves) << 20) / threads;
        Division { mebibytes, threads, moves, own }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
