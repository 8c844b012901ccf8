//! Vectors of 256 bits, for x86-64 CPUs with AVX2.

use std::arch::x86_64::*;

use super::{Row, Vector};

#[derive(Clone, Copy)]
struct Lanes(__m256i);

// SAFETY: the instructions are AVX2's, which the users of the trait answer for.
unsafe impl Vector for Lanes {
    const LANES: usize = 16;
    type Sums = __m256i;

    #[inline(always)]
    unsafe fn load(from: *const i16) -> Lanes {
        // SAFETY: the caller answers for CPU, alignment and length.
        Lanes(unsafe { _mm256_load_si256(from.cast()) })
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut i16) {
        // SAFETY: the caller answers for CPU, alignment and room.
        unsafe { _mm256_store_si256(to.cast(), self.0) }
    }

    #[inline(always)]
    unsafe fn splat(value: i16) -> Lanes {
        // SAFETY: the caller answers for the CPU.
        Lanes(unsafe { _mm256_set1_epi16(value) })
    }

    #[inline(always)]
    unsafe fn add(self, other: Lanes) -> Lanes {
        // SAFETY: the caller answers for the CPU.
        Lanes(unsafe { _mm256_add_epi16(self.0, other.0) })
    }

    #[inline(always)]
    unsafe fn subtract(self, other: Lanes) -> Lanes {
        // SAFETY: the caller answers for the CPU.
        Lanes(unsafe { _mm256_sub_epi16(self.0, other.0) })
    }

    #[inline(always)]
    unsafe fn min(self, other: Lanes) -> Lanes {
        // SAFETY: the caller answers for the CPU.
        Lanes(unsafe { _mm256_min_epi16(self.0, other.0) })
    }

    #[inline(always)]
    unsafe fn max(self, other: Lanes) -> Lanes {
        // SAFETY: the caller answers for the CPU.
        Lanes(unsafe { _mm256_max_epi16(self.0, other.0) })
    }

    #[inline(always)]
    unsafe fn multiply(self, other: Lanes) -> Lanes {
        // SAFETY: the caller answers for the CPU.
        Lanes(unsafe { _mm256_mullo_epi16(self.0, other.0) })
    }

    #[inline(always)]
    unsafe fn no_sums() -> __m256i {
        // SAFETY: the caller answers for the CPU.
        unsafe { _mm256_setzero_si256() }
    }

    #[inline(always)]
    unsafe fn add_products(sums: __m256i, left: Lanes, right: Lanes) -> __m256i {
        // SAFETY: the caller answers for the CPU.
        unsafe { _mm256_add_epi32(sums, _mm256_madd_epi16(left.0, right.0)) }
    }

    #[inline(always)]
    unsafe fn total(sums: __m256i) -> i64 {
        let mut parts = [0i32; 8];
        // SAFETY: the caller answers for the CPU; the array has room for all sums, at any alignment.
        unsafe { _mm256_storeu_si256(parts.as_mut_ptr().cast(), sums) };
        parts.into_iter().map(i64::from).sum()
    }
}

/// See [`super::update`].
///
/// # Safety
/// `base` and `target` are rows, and the CPU has AVX2.
#[target_feature(enable = "avx2")]
pub(super) unsafe fn update(
    target: *mut i16,
    base: *const i16,
    rows: &[Row],
    added: &[u16],
    removed: &[u16],
) {
    // SAFETY: the caller answers for rows and CPU.
    unsafe { super::update::<Lanes>(target, base, rows, added, removed) }
}

/// See [`super::weigh`].
///
/// # Safety
/// The CPU has AVX2.
#[target_feature(enable = "avx2")]
pub(super) unsafe fn weigh(ours: &Row, theirs: &Row, weights: &[Row; 2]) -> i64 {
    // SAFETY: the caller answers for the CPU.
    unsafe { super::weigh::<Lanes>(ours, theirs, weights) }
}
