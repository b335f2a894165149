//! Memory for a network.

use std::io;

use memmap2::MmapMut;
use zerocopy::{FromBytes, IntoBytes};

/// So many zeros, in pages as large as the system gives: look-ups are random, and with small pages each would miss the
/// processor's list of pages too. Never given back, because a process has one network.
///
/// # Errors
/// - When there is not so much memory.
pub(super) fn zeroed<T: FromBytes + IntoBytes>(count: usize) -> io::Result<&'static mut [T]> {
    let map = Box::leak(Box::new(MmapMut::map_anon(count * size_of::<T>())?));
    // A test touches little of it: large pages would make it touch all.
    #[cfg(all(target_os = "linux", not(debug_assertions)))]
    if let Err(error) = map.advise(memmap2::Advice::HugePage) {
        // A kernel without large pages is slower, with the same numbers.
        debug_assert!(error.raw_os_error().is_some());
    }
    let misplaced = |_| io::Error::other("memory at an odd place");
    <[T]>::mut_from_bytes(&mut map[..]).map_err(misplaced)
}
