//! Large blocks of memory from the system, prefetching, and clearing a large table at once.

use std::hint::black_box;
use std::io;

use memmap2::{Mmap, MmapMut};

/// The size of the pages of a block. The system provides each page when it is first touched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pages {
    /// Small pages: the first touch of each is quick.
    Small,
    /// Large pages if the system grants them. Random access is faster, but the first touch of a page may take tens of
    /// milliseconds. A caller that must not wait later touches the whole block at once.
    Large,
}

/// A block of `bytes` bytes, all zero.
///
/// # Errors
/// When there is not enough memory.
pub fn zeroed(bytes: usize, pages: Pages) -> io::Result<MmapMut> {
    let memory = MmapMut::map_anon(bytes)?;
    // The system refuses where large pages are switched off; small ones serve too, only slower. Miri has no large ones.
    #[cfg(all(target_os = "linux", not(miri)))]
    if pages == Pages::Large {
        let _ = memory.advise(memmap2::Advice::HugePage);
    }
    #[cfg(not(all(target_os = "linux", not(miri))))]
    let _ = pages;
    Ok(memory)
}

/// Asks the system to keep mapped files in large pages where it can (Linux 6.16 and later on some file systems).
pub fn advise_large_pages(map: &Mmap) {
    #[cfg(all(target_os = "linux", not(miri)))]
    {
        let _ = map.advise(memmap2::Advice::HugePage);
    }
    #[cfg(not(all(target_os = "linux", not(miri))))]
    let _ = map;
}

/// Bytes of addresses that have to be left beside the stack of a thread for it to be started. The stacks of many threads
/// could take all addresses that a shell or a batch system allows (`ulimit -v`), and a thread that cannot have the little
/// that it needs beside ends the process. (The system's allocator reserves up to 128 MiB for a new thread.)
const ADDRESSES_BESIDE_A_STACK: usize = 160 << 20;

/// Bytes of stack that a thread has which asks for no other number, and more.
pub const USUAL_STACK: usize = 8 << 20;

/// Whether there are addresses for another thread with `stack` bytes of stack. None are taken.
pub fn has_addresses(stack: usize) -> bool {
    let mut memory = Vec::<u8>::new();
    let has_addresses = memory.try_reserve_exact(stack.saturating_add(ADDRESSES_BESIDE_A_STACK)).is_ok();
    // Without this a compiler may assume that unused memory can always be had.
    black_box(&memory);
    has_addresses
}

/// Asks the processor to load `place` into its cache before it is read. Does nothing on processors other than x86-64.
#[inline]
pub fn prefetch<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: every x86-64 processor has the instruction; it changes nothing that a program can see and cannot fail,
        // whatever the address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}

/// How often a table was cleared. The number is mixed into its keys: entries from before are no longer found, and are
/// overwritten in the ordinary course.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Generation(u64);

impl Generation {
    /// Clears the table: the next generation begins.
    pub fn advance(&mut self) {
        self.0 = self.0.wrapping_add(1);
    }

    /// The key under which the table keeps `key` in this generation: itself in the first one.
    pub const fn mixed(self, key: u64) -> u64 {
        // The factor (one of SplitMix64's) is odd, so that no two generations change a key in the same way.
        key ^ self.0.wrapping_mul(0xBF58_476D_1CE4_E5B9)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_generation_has_its_own_keys() {
        let (mut generation, mut seen) = (Generation::default(), vec![0x0123_4567_89AB_CDEF]);
        assert_eq!(generation.mixed(seen[0]), seen[0]);
        for _ in 0..1000 {
            generation.advance();
            let key = generation.mixed(seen[0]);
            assert!(!seen.contains(&key));
            seen.push(key);
        }
    }
}
