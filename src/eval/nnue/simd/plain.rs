//! Vectors for machines of which nothing is known: arrays, which the compiler turns into what it may use.

use super::{Row, Vector};

#[derive(Clone, Copy)]
struct Lanes([i16; 16]);

impl Lanes {
    #[inline(always)]
    fn with(self, other: Lanes, function: impl Fn(i16, i16) -> i16) -> Lanes {
        Lanes(std::array::from_fn(|lane| function(self.0[lane], other.0[lane])))
    }
}

// SAFETY: no special instructions are used.
unsafe impl Vector for Lanes {
    const LANES: usize = 16;
    type Sums = [i32; 8];

    #[inline(always)]
    unsafe fn load(from: *const i16) -> Lanes {
        // SAFETY: the caller answers for the sixteen numbers.
        Lanes(unsafe { from.cast::<[i16; 16]>().read() })
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut i16) {
        // SAFETY: the caller answers for the room.
        unsafe { to.cast::<[i16; 16]>().write(self.0) }
    }

    #[inline(always)]
    unsafe fn splat(value: i16) -> Lanes {
        Lanes([value; 16])
    }

    #[inline(always)]
    unsafe fn add(self, other: Lanes) -> Lanes {
        self.with(other, i16::wrapping_add)
    }

    #[inline(always)]
    unsafe fn subtract(self, other: Lanes) -> Lanes {
        self.with(other, i16::wrapping_sub)
    }

    #[inline(always)]
    unsafe fn min(self, other: Lanes) -> Lanes {
        self.with(other, i16::min)
    }

    #[inline(always)]
    unsafe fn max(self, other: Lanes) -> Lanes {
        self.with(other, i16::max)
    }

    #[inline(always)]
    unsafe fn multiply(self, other: Lanes) -> Lanes {
        self.with(other, i16::wrapping_mul)
    }

    #[inline(always)]
    unsafe fn no_sums() -> [i32; 8] {
        [0; 8]
    }

    #[inline(always)]
    unsafe fn add_products(sums: [i32; 8], left: Lanes, right: Lanes) -> [i32; 8] {
        let product = |lane: usize| i32::from(left.0[lane]) * i32::from(right.0[lane]);
        std::array::from_fn(|sum| sums[sum].wrapping_add(product(2 * sum).wrapping_add(product(2 * sum + 1))))
    }

    #[inline(always)]
    unsafe fn total(sums: [i32; 8]) -> i64 {
        sums.into_iter().map(i64::from).sum()
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
    // SAFETY: the caller answers for the rows, and no special instructions are used.
    unsafe { super::update::<Lanes>(target, base, rows, added, removed) }
}

/// See [`super::weigh`].
pub(super) fn weigh(ours: &Row, theirs: &Row, weights: &[Row; 2]) -> i64 {
    // SAFETY: no special instructions are used.
    unsafe { super::weigh::<Lanes>(ours, theirs, weights) }
}
