//! Large zeroed memory that may fail to be had, on huge pages where the system gives them.
//!
//! A table of many megabytes is read at random. With small pages nearly every access also misses the address cache of
//! the CPU.

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
// SAFETY: an atomic byte is a plain byte in memory.
unsafe impl Zeroable for std::sync::atomic::AtomicU8 {}

/// A slice of zeros, on huge pages if it is large. The system may hand out the pages only when they are touched.
pub struct ZeroedSlice<T: Zeroable> {
    start: NonNull<T>,
    length: usize,
    origin: Origin,
}

/// Where memory came from and must go back to.
enum Origin {
    Heap(Layout),
    #[cfg(all(target_os = "linux", not(miri)))]
    Mapped {
        address: *mut libc::c_void,
        size: usize,
    },
}

impl<T: Zeroable> ZeroedSlice<T> {
    /// `length` zeros, at least one; none if the memory cannot be had.
    pub fn new(length: usize) -> Option<ZeroedSlice<T>> {
        let length = length.max(1);
        let layout = Layout::array::<T>(length).ok().filter(|layout| layout.size() > 0)?;
        #[cfg(all(target_os = "linux", not(miri)))]
        if layout.size() >= mapped::HUGE_PAGE {
            let (start, origin) = mapped::pages(layout.size())?;
            return Some(ZeroedSlice { start: start.cast(), length, origin });
        }
        // SAFETY: the layout has a size above zero.
        let start = NonNull::new(unsafe { alloc_zeroed(layout) })?.cast();
        Some(ZeroedSlice { start, length, origin: Origin::Heap(layout) })
    }
}

#[cfg(all(target_os = "linux", not(miri)))]
mod mapped {
    use std::ptr::NonNull;

    use super::Origin;

    /// The size of a huge page on x86-64 and most others.
    pub const HUGE_PAGE: usize = 2 << 20;

    /// The memory that can be had without pushing others out, as the system tells it.
    fn available_bytes() -> Option<usize> {
        let text = std::fs::read_to_string("/proc/meminfo").ok()?;
        let line = text.lines().find(|line| line.starts_with("MemAvailable:"))?;
        line.split_whitespace().nth(1)?.parse::<usize>().ok()?.checked_mul(1024)
    }

    /// Fresh zeroed pages, aligned so that they can be huge ones.
    pub fn pages(size: usize) -> Option<(NonNull<u8>, Origin)> {
        let whole = size.checked_add(HUGE_PAGE)?;
        // The system would promise more than it has and end the program later.
        if available_bytes().is_some_and(|available| whole > available) {
            return None;
        }
        let (access, kind) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        // SAFETY: a new anonymous mapping at an address of the system's choice touches no memory of ours.
        let address = unsafe { libc::mmap(std::ptr::null_mut(), whole, access, kind, -1, 0) };
        if address == libc::MAP_FAILED {
            return None;
        }
        let start = address.cast::<u8>();
        // SAFETY: the offset is below one huge page, which the mapping has to spare.
        let start = unsafe { start.add(start.align_offset(HUGE_PAGE)) };
        // SAFETY: the range lies inside the mapping; the advice changes only the speed, so its failure is no fault.
        unsafe { libc::madvise(start.cast(), size, libc::MADV_HUGEPAGE) };
        Some((NonNull::new(start)?, Origin::Mapped { address, size: whole }))
    }
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
        match self.origin {
            // SAFETY: the memory was allocated in `new` with this very layout and is freed once.
            Origin::Heap(layout) => unsafe { dealloc(self.start.as_ptr().cast(), layout) },
            #[cfg(all(target_os = "linux", not(miri)))]
            Origin::Mapped { address, size } => {
                // SAFETY: the mapping was made in `new` with this address and size and is removed once.
                unsafe { libc::munmap(address, size) };
            }
        }
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
        for length in [0, 1, 1000, (1 << 18) + 3] {
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
    #[cfg_attr(miri, ignore = "Miri ends the program where a system would say no")]
    fn too_much_is_refused() {
        assert!(ZeroedSlice::<AtomicU64>::new(usize::MAX).is_none());
        assert!(ZeroedSlice::<AtomicU64>::new(usize::MAX / 16).is_none());
    }
}
