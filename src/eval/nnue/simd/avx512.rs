//! Vectors of 512 bits, for x86-64 CPUs with AVX-512 F and BW.

use std::arch::x86_64::*;

use super::{Row, Vector};

#[derive(Clone, Copy)]
struct Lanes(__m512i);

// SAFETY: the instructions are AVX-512 F and BW's, which the users of the trait answer for.
unsafe impl Vector for Lanes {
    const LANES: usize = 32;
    type Sums = __m512i;

    #[inline(always)]
    unsafe fn load(from: *const i16) -> Lanes {
        // SAFETY: the caller answers for CPU, alignment and length.
        Lanes(unsafe { _mm512_load_si512(from.cast()) })
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut i16) {
        // SAFETY: the caller answers for CPU, alignment and room.
        unsafe { _mm512_store_si512(to.cast(), self.0) }
    }

    #[inline(always)]
    unsafe fn splat(value: i16) -> Lanes {
        // SAFETY: the caller answers for the CPU.
        Lanes(unsafe { _mm512_set1_epi16(value) })
    }

    #[inline(always)]
    unsafe fn add(self, other: Lanes) -> Lanes {
        // SAFETY: the caller answers for the CPU.
        Lanes(unsafe { _mm512_add_epi16(self.0, other.0) })
    }

    #[inline(always)]
    unsafe fn subtract(self, other: Lanes) -> Lanes {
        // SAFETY: the caller answers for the CPU.
        Lanes(unsafe { _mm512_sub_epi16(self.0, other.0) })
    }

    #[inline(always)]
    unsafe fn min(self, other: Lanes) -> Lanes {
        // SAFETY: the caller answers for the CPU.
        Lanes(unsafe { _mm512_min_epi16(self.0, other.0) })
    }

    #[inline(always)]
    unsafe fn max(self, other: Lanes) -> Lanes {
        // SAFETY: the caller answers for the CPU.
        Lanes(unsafe { _mm512_max_epi16(self.0, other.0) })
    }

    #[inline(always)]
    unsafe fn multiply(self, other: Lanes) -> Lanes {
        // SAFETY: the caller answers for the CPU.
        Lanes(unsafe { _mm512_mullo_epi16(self.0, other.0) })
    }

    #[inline(always)]
    unsafe fn no_sums() -> __m512i {
        // SAFETY: the caller answers for the CPU.
        unsafe { _mm512_setzero_si512() }
    }

    #[inline(always)]
    unsafe fn add_products(sums: __m512i, left: Lanes, right: Lanes) -> __m512i {
        // SAFETY: the caller answers for the CPU.
        unsafe { _mm512_add_epi32(sums, _mm512_madd_epi16(left.0, right.0)) }
    }

    #[inline(always)]
    unsafe fn total(sums: __m512i) -> i64 {
        let mut parts = [0i32; 16];
        // SAFETY: the caller answers for the CPU; the array has room for all sums, at any alignment.
        unsafe { _mm512_storeu_si512(parts.as_mut_ptr().cast(), sums) };
        parts.into_iter().map(i64::from).sum()
    }
}

/// See [`super::update`].
///
/// # Safety
/// `base` and `target` are rows, and the CPU has AVX-512 F and BW.
#[target_feature(enable = "avx512f,avx512bw")]
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
/// The CPU has AVX-512 F and BW.
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) unsafe fn weigh(ours: &Row, theirs: &Row, weights: &[Row; 2]) -> i64 {
    // SAFETY: the caller answers for the CPU.
    unsafe { super::weigh::<Lanes>(ours, theirs, weights) }
}
