//! Large blocks of memory from the system.

use std::io;

use memmap2::MmapMut;

/// `bytes` bytes of zeros, given by the system as they are touched, on large pages where it grants them.
///
/// # Errors
/// When there is not enough memory.
pub fn zeroed(bytes: usize) -> io::Result<MmapMut> {
    let memory = MmapMut::map_anon(bytes)?;
    // Refused where large pages are switched off; small ones serve as well, only slower. Miri has none.
    #[cfg(all(target_os = "linux", not(miri)))]
    let _ = memory.advise(memmap2::Advice::HugePage);
    Ok(memory)
}
