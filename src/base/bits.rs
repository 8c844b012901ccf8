//! Bit tricks that the hardware may know: parallel bit extraction and prefetching.
//!
//! They live outside the board cores because the intrinsics are `unsafe` to name there.

/// Gathers the bits of `value` under `mask` into the low bits of the result.
#[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
#[inline(always)]
pub fn extract_bits(value: u64, mask: u64) -> usize {
    #[allow(unused_unsafe)]
    // SAFETY: compiled only for CPUs with BMI2, and `cpu::missing_features` verifies at start that this is one.
    unsafe {
        std::arch::x86_64::_pext_u64(value, mask) as usize
    }
}

/// Asks the CPU to bring the cache line of `place` closer; has no effect on what the program computes.
#[inline(always)]
pub fn prefetch<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        #[allow(unused_unsafe)]
        // SAFETY: prefetching any address is harmless, and this one comes from a live reference.
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast::<i8>());
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}
