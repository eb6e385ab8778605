//! Large blocks of memory from the system.

use std::io;

use memmap2::MmapMut;

/// On what pages the system gives a block, each when it is first touched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pages {
    /// Nobody waits long for one.
    Small,
    /// Where the system grants them: what lies scattered is reached faster, but until a page is found and cleared, tens
    /// of milliseconds may pass. So who must not wait later touches all of the block at once.
    Large,
}

/// `bytes` bytes of zeros, given by the system as they are touched.
///
/// # Errors
/// When there is not enough memory.
pub fn zeroed(bytes: usize, pages: Pages) -> io::Result<MmapMut> {
    let memory = MmapMut::map_anon(bytes)?;
    // Refused where large pages are switched off; small ones serve as well, only slower. Miri has none.
    #[cfg(all(target_os = "linux", not(miri)))]
    if pages == Pages::Large {
        let _ = memory.advise(memmap2::Advice::HugePage);
    }
    #[cfg(not(all(target_os = "linux", not(miri))))]
    let _ = pages;
    Ok(memory)
}
