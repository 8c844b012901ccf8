//! Vectors of 128 bits on AArch64, where every CPU has them.

use std::arch::aarch64::*;

use super::{Row, Vector};

#[derive(Clone, Copy)]
struct Lanes(int16x8_t);

// SAFETY: all instructions belong to NEON, which is part of AArch64.
unsafe impl Vector for Lanes {
    const LANES: usize = 8;
    type Sums = [int32x4_t; 2];

    #[inline(always)]
    unsafe fn load(from: *const i16) -> Lanes {
        // SAFETY: the caller answers for the eight numbers.
        Lanes(unsafe { vld1q_s16(from) })
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut i16) {
        // SAFETY: the caller answers for the room.
        unsafe { vst1q_s16(to, self.0) }
    }

    #[inline(always)]
    unsafe fn splat(value: i16) -> Lanes {
        // SAFETY: every CPU has the instruction.
        Lanes(unsafe { vdupq_n_s16(value) })
    }

    #[inline(always)]
    unsafe fn add(self, other: Lanes) -> Lanes {
        // SAFETY: as above.
        Lanes(unsafe { vaddq_s16(self.0, other.0) })
    }

    #[inline(always)]
    unsafe fn subtract(self, other: Lanes) -> Lanes {
        // SAFETY: as above.
        Lanes(unsafe { vsubq_s16(self.0, other.0) })
    }

    #[inline(always)]
    unsafe fn min(self, other: Lanes) -> Lanes {
        // SAFETY: as above.
        Lanes(unsafe { vminq_s16(self.0, other.0) })
    }

    #[inline(always)]
    unsafe fn max(self, other: Lanes) -> Lanes {
        // SAFETY: as above.
        Lanes(unsafe { vmaxq_s16(self.0, other.0) })
    }

    #[inline(always)]
    unsafe fn multiply(self, other: Lanes) -> Lanes {
        // SAFETY: as above.
        Lanes(unsafe { vmulq_s16(self.0, other.0) })
    }

    #[inline(always)]
    unsafe fn no_sums() -> [int32x4_t; 2] {
        // SAFETY: as above.
        unsafe { [vdupq_n_s32(0); 2] }
    }

    #[inline(always)]
    unsafe fn add_products([low, high]: [int32x4_t; 2], left: Lanes, right: Lanes) -> [int32x4_t; 2] {
        // SAFETY: as above.
        unsafe {
            let low = vmlal_s16(low, vget_low_s16(left.0), vget_low_s16(right.0));
            [low, vmlal_high_s16(high, left.0, right.0)]
        }
    }

    #[inline(always)]
    unsafe fn total([low, high]: [int32x4_t; 2]) -> i64 {
        // SAFETY: as above.
        unsafe { vaddlvq_s32(low) + vaddlvq_s32(high) }
    }
}

/// See [`super::update`].
///
/// # Safety
/// `base` and `target` are rows.
pub(super) unsafe fn update(
    target: *mut i16,
    base: *const i16,
    rows: &[Row],
    added: &[u16],
    removed: &[u16],
) {
    // SAFETY: the caller answers for the rows, and every CPU has the instructions.
    unsafe { super::update::<Lanes>(target, base, rows, added, removed) }
}

/// See [`super::weigh`].
pub(super) fn weigh(ours: &Row, theirs: &Row, weights: &[Row; 2]) -> i64 {
    // SAFETY: every CPU has the instructions.
    unsafe { super::weigh::<Lanes>(ours, theirs, weights) }
}
