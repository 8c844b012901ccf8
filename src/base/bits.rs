//! Bit tricks: those that the hardware may know (parallel bit extraction, prefetching), which live outside the board
//! cores because the intrinsics are `unsafe` to name there, and the random bits of the hash keys.

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

/// One step of SplitMix64: the next state and its output. Both board cores draw their hash keys from it, at compile
/// time, so that keys are the same in every run and on every machine.
pub const fn split_mix(state: u64) -> (u64, u64) {
    let state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut z = state;
    z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    (state, z ^ z >> 31)
}
