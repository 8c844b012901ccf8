//! Large zeroed memory that may fail to be had, on huge pages where the system gives them.
//!
//! A table of many megabytes is read at random. With small pages nearly every access also misses the address cache of
//! the CPU; huge pages make the search some twenty percent faster.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ops::Deref;
use std::ptr::NonNull;

/// Types for which all-zero bytes are a value.
///
/// # Safety
/// An implementor must be valid when every byte of it is zero, and must not need dropping.
pub unsafe trait Zeroable: Send + Sync {}

// SAFETY: an atomic word is a plain word in memory.
unsafe impl Zeroable for std::sync::atomic::AtomicU64 {}

/// A slice of zeros on the heap, aligned to a huge page if it is larger than one.
pub struct ZeroedSlice<T: Zeroable> {
    start: NonNull<T>,
    length: usize,
    layout: Layout,
}

/// The size of a huge page on x86-64 and most others.
const HUGE_PAGE: usize = 2 << 20;

impl<T: Zeroable> ZeroedSlice<T> {
    /// `length` zeros, at least one; none if the memory cannot be had.
    pub fn new(length: usize) -> Option<ZeroedSlice<T>> {
        let length = length.max(1);
        let layout = Layout::array::<T>(length).ok()?;
        let align = if layout.size() >= HUGE_PAGE { HUGE_PAGE } else { layout.align() };
        let layout = layout.align_to(align).ok()?.pad_to_align();
        if layout.size() == 0 {
            return None;
        }
        // SAFETY: the layout has a size above zero.
        let memory = unsafe { alloc_zeroed(layout) };
        let start = NonNull::new(memory.cast::<T>())?;
        advise_huge_pages(memory, layout.size());
        Some(ZeroedSlice { start, length, layout })
    }
}

/// Asks for huge pages; whether the system follows changes only the speed.
fn advise_huge_pages(memory: *mut u8, size: usize) {
    #[cfg(all(target_os = "linux", not(miri)))]
    if size >= HUGE_PAGE {
        // SAFETY: the range is memory of ours, just allocated, and the advice does not change its content.
        unsafe {
            libc::madvise(memory.cast(), size, libc::MADV_HUGEPAGE);
        }
    }
    #[cfg(not(all(target_os = "linux", not(miri))))]
    let _ = (memory, size);
}

impl<T: Zeroable> Deref for ZeroedSlice<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: `start` points to `length` values of T, zeroed and therefore valid, which live as long as `self`.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.length) }
    }
}

impl<T: Zeroable> Drop for ZeroedSlice<T> {
    fn drop(&mut self) {
        // SAFETY: the memory was allocated in `new` with this very layout and is freed once.
        unsafe { dealloc(self.start.as_ptr().cast(), self.layout) }
    }
}

// SAFETY: the slice owns its memory, and T may be sent and shared.
unsafe impl<T: Zeroable> Send for ZeroedSlice<T> {}
// SAFETY: as above; only shared access is given out.
unsafe impl<T: Zeroable> Sync for ZeroedSlice<T> {}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

    use super::*;

    #[test]
    fn memory_is_zero_and_shared() {
        for length in [0, 1, 1000, (HUGE_PAGE / 8) + 3] {
            // Miri takes long over megabytes.
            if cfg!(miri) && length > 1000 {
                continue;
            }
            let slice: ZeroedSlice<AtomicU64> = ZeroedSlice::new(length).expect("a little memory");
            assert_eq!(slice.len(), length.max(1));
            assert!(slice.iter().all(|word| word.load(Relaxed) == 0));
            slice[slice.len() - 1].store(7, Relaxed);
            assert_eq!(slice[slice.len() - 1].load(Relaxed), 7);
        }
    }

    #[test]
    fn too_much_is_refused() {
        assert!(ZeroedSlice::<AtomicU64>::new(usize::MAX).is_none());
        assert!(ZeroedSlice::<AtomicU64>::new(usize::MAX / 16).is_none());
    }
}
