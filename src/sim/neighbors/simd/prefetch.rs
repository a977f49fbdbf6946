//! A word to the processor of what will be read soon.

/// Has the line of memory in which `from[index]` stands brought near, where processors of this kind can be told to;
/// nothing waits for it. What stands beyond the end is left alone.
#[inline(always)]
pub(crate) fn prefetch<T>(from: &[T], index: usize) {
    #[cfg(target_arch = "x86_64")]
    if let Some(soon) = from.get(index) {
        use std::arch::x86_64::{_MM_HINT_T1, _mm_prefetch};
        // SAFETY: every x86-64 processor has the instruction, which changes nothing and never fails.
        unsafe { _mm_prefetch::<_MM_HINT_T1>(std::ptr::from_ref(soon).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (from, index);
}
