//! Asks the processor to fetch what will soon be read.
#![expect(
    unsafe_code,
    reason = "the intrinsic takes a pointer; it is made from a reference here, and a prefetch changes nothing anyway"
)]

/// Begins to fetch the cache line of `at`; nothing where there is no such instruction.
#[inline(always)]
pub(super) fn prefetch<T>(at: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: every x86-64 processor has SSE, and a prefetch has no effect but on time.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(at).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = at;
}
