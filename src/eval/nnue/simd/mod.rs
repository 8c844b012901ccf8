//! The two things a network computes again and again, on vectors of whatever width this CPU has.
//!
//! There is one kernel for each, written in terms of [`Vector`]; `plain`, `x86` and `neon` say what a vector is. All of
//! them compute the same whole numbers, so every path gives the same value to the last bit. [`Path::best`] asks the
//! CPU once; the choice is made at each call, outside the loops, so one binary serves every machine.

#[cfg(target_arch = "aarch64")]
mod neon;
mod plain;
#[cfg(test)]
mod tests;
#[cfg(target_arch = "x86_64")]
mod x86;

use std::fmt;

use super::architecture::{HIDDEN, UNIT};
use super::network::Row;
#[cfg(target_arch = "x86_64")]
use x86::{avx2, avx512};

/// A vector of sixteen-bit numbers.
///
/// # Safety
/// Every function may only be called where the CPU has the instructions of the implementation.
unsafe trait Vector: Copy {
    /// Numbers in a vector; divides [`HIDDEN`].
    const LANES: usize;
    /// Eight sums of thirty-two bits, or more.
    type Sums: Copy;

    /// Reads [`Vector::LANES`] numbers; `from` is aligned to their size.
    unsafe fn load(from: *const i16) -> Self;
    /// Writes as many.
    unsafe fn store(self, to: *mut i16);
    /// The same number in every lane.
    unsafe fn splat(value: i16) -> Self;
    /// Sums modulo 2^16.
    unsafe fn add(self, other: Self) -> Self;
    /// Differences modulo 2^16.
    unsafe fn subtract(self, other: Self) -> Self;
    /// The smaller of each two.
    unsafe fn min(self, other: Self) -> Self;
    /// The larger of each two.
    unsafe fn max(self, other: Self) -> Self;
    /// Products modulo 2^16.
    unsafe fn multiply(self, other: Self) -> Self;
    /// No sums yet.
    unsafe fn no_sums() -> Self::Sums;
    /// Adds full products, at most two of them to each sum.
    unsafe fn add_products(sums: Self::Sums, left: Self, right: Self) -> Self::Sums;
    /// All sums together.
    unsafe fn total(sums: Self::Sums) -> i64;
}

/// Vectors that stay in registers while rows are added.
const TILE: usize = if HIDDEN.is_multiple_of(256) { 8 } else { 4 };

/// `target` becomes `base` with some rows added and some taken away; the two may be the same row.
///
/// # Safety
/// `base` and `target` are rows, and the CPU has what `V` needs.
#[inline(always)]
unsafe fn update<V: Vector>(
    target: *mut i16,
    base: *const i16,
    rows: &[Row],
    added: &[u16],
    removed: &[u16],
) {
    // What nearly every move does: a man leaves and arrives, and perhaps one is captured.
    if let (&[to], &[from]) = (added, removed) {
        // SAFETY: the caller answers for rows and CPU.
        return unsafe { update_few::<V, 1>(target, base, rows, to, [from]) };
    }
    if let (&[to], &[from, victim]) = (added, removed) {
        // SAFETY: as above.
        return unsafe { update_few::<V, 2>(target, base, rows, to, [from, victim]) };
    }
    for start in (0..HIDDEN).step_by(TILE * V::LANES) {
        // SAFETY: all offsets are below `HIDDEN`, a multiple of the tile, and rows are aligned to 64 bytes; the caller
        // answers for the CPU.
        unsafe {
            let mut tile = [V::splat(0); TILE];
            for (number, vector) in tile.iter_mut().enumerate() {
                *vector = V::load(base.add(start + number * V::LANES));
            }
            for &index in added {
                let row = rows[usize::from(index)].0.as_ptr().add(start);
                for (number, vector) in tile.iter_mut().enumerate() {
                    *vector = vector.add(V::load(row.add(number * V::LANES)));
                }
            }
            for &index in removed {
                let row = rows[usize::from(index)].0.as_ptr().add(start);
                for (number, vector) in tile.iter_mut().enumerate() {
                    *vector = vector.subtract(V::load(row.add(number * V::LANES)));
                }
            }
            for (number, vector) in tile.iter().enumerate() {
                vector.store(target.add(start + number * V::LANES));
            }
        }
    }
}

/// `target` becomes `base` with one row added and a fixed number taken away, in one go.
///
/// # Safety
/// As for [`update`].
#[inline(always)]
unsafe fn update_few<V: Vector, const REMOVED: usize>(
    target: *mut i16,
    base: *const i16,
    rows: &[Row],
    added: u16,
    removed: [u16; REMOVED],
) {
    let row = |index: u16| rows[usize::from(index)].0.as_ptr();
    let (added, removed) = (row(added), removed.map(row));
    for start in (0..HIDDEN).step_by(V::LANES) {
        // SAFETY: all offsets are below `HIDDEN`, a multiple of the lanes, and rows are aligned to 64 bytes; the caller
        // answers for the CPU.
        unsafe {
            let mut vector = V::load(base.add(start)).add(V::load(added.add(start)));
            for removed in removed {
                vector = vector.subtract(V::load(removed.add(start)));
            }
            vector.store(target.add(start));
        }
    }
}

/// The sum over all neurons of both sides: activation squared times weight.
///
/// # Safety
/// The CPU has what `V` needs.
#[inline(always)]
unsafe fn weigh<V: Vector>(ours: &Row, theirs: &Row, weights: &[Row; 2]) -> i64 {
    // SAFETY: all offsets are below `HIDDEN`, a multiple of the lanes, and rows are aligned to 64 bytes; the caller
    // answers for the CPU.
    unsafe {
        let (lowest, highest) = (V::splat(0), V::splat(UNIT));
        let mut sums = V::no_sums();
        for (neurons, weights) in [ours, theirs].into_iter().zip(weights) {
            for start in (0..HIDDEN).step_by(V::LANES) {
                let activation = V::load(neurons.0.as_ptr().add(start)).max(lowest).min(highest);
                let weighed = activation.multiply(V::load(weights.0.as_ptr().add(start)));
                sums = V::add_products(sums, weighed, activation);
            }
        }
        V::total(sums)
    }
}

/// Which instructions are used. A path that the CPU lacks cannot be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Path(Kind);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Plain,
    #[cfg(target_arch = "aarch64")]
    Neon,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Path {
    /// The one that every machine has.
    pub const fn plain() -> Path {
        Path(Kind::Plain)
    }

    /// All that this machine has, the best last.
    pub fn all() -> Vec<Path> {
        let mut kinds = vec![Kind::Plain];
        #[cfg(target_arch = "aarch64")]
        kinds.push(Kind::Neon);
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") {
                kinds.push(Kind::Avx2);
            }
            if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw") {
                kinds.push(Kind::Avx512);
            }
        }
        kinds.into_iter().map(Path).collect()
    }

    /// The fastest that this machine has.
    pub fn best() -> Path {
        Path::all().pop().unwrap_or(Path::plain())
    }

    /// `target` becomes `base` with some of `rows` added and some taken away.
    #[inline(always)]
    pub(super) fn update(self, target: &mut Row, base: &Row, rows: &[Row], [added, removed]: [&[u16]; 2]) {
        self.update_pointers(target.0.as_mut_ptr(), base.0.as_ptr(), rows, added, removed);
    }

    /// Adds some of `rows` to `target` and takes some away.
    #[inline(always)]
    pub(super) fn update_in_place(self, target: &mut Row, rows: &[Row], [added, removed]: [&[u16]; 2]) {
        let pointer = target.0.as_mut_ptr();
        self.update_pointers(pointer, pointer, rows, added, removed);
    }

    /// Both of the above: `target` and `base` are rows.
    #[inline(always)]
    fn update_pointers(
        self,
        target: *mut i16,
        base: *const i16,
        rows: &[Row],
        added: &[u16],
        removed: &[u16],
    ) {
        match self.0 {
            // SAFETY: both pointers come from rows, `target` from an exclusive one.
            Kind::Plain => unsafe { plain::update(target, base, rows, added, removed) },
            #[cfg(target_arch = "aarch64")]
            // SAFETY: as above.
            Kind::Neon => unsafe { neon::update(target, base, rows, added, removed) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: as above, and `Path::all` has seen that the CPU has AVX2.
            Kind::Avx2 => unsafe { avx2::update(target, base, rows, added, removed) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: as above, and `Path::all` has seen that the CPU has AVX-512 F and BW.
            Kind::Avx512 => unsafe { avx512::update(target, base, rows, added, removed) },
        }
    }

    /// The sum over all neurons of both sides: activation squared times weight.
    #[inline(always)]
    pub(super) fn weigh(self, ours: &Row, theirs: &Row, weights: &[Row; 2]) -> i64 {
        match self.0 {
            Kind::Plain => plain::weigh(ours, theirs, weights),
            #[cfg(target_arch = "aarch64")]
            Kind::Neon => neon::weigh(ours, theirs, weights),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `Path::all` has seen that the CPU has AVX2.
            Kind::Avx2 => unsafe { avx2::weigh(ours, theirs, weights) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `Path::all` has seen that the CPU has AVX-512 F and BW.
            Kind::Avx512 => unsafe { avx512::weigh(ours, theirs, weights) },
        }
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Kind::Plain => "plain",
            #[cfg(target_arch = "aarch64")]
            Kind::Neon => "NEON",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => "AVX2",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => "AVX-512",
        })
    }
}
