//! Large blocks of memory from the system, and prefetching.

use std::io;

use memmap2::MmapMut;

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
