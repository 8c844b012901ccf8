//! Vectors of x86-64 CPUs: 256 bits wide with AVX2, 512 bits with AVX-512 F and BW.

/// A module with the vector of one width and both kernels on it: the instructions differ in nothing but their names.
macro_rules! width {
    (
        $(#[$about:meta])*
        mod $module:ident($features:literal, $register:ident of $lanes:literal);
        $load:ident $store:ident $splat:ident $min:ident $max:ident;
        $add:ident $subtract:ident $multiply:ident;
        $no_sums:ident $add_sums:ident $multiply_pairs:ident $store_sums:ident;
    ) => {
        $(#[$about])*
        pub(super) mod $module {
            use std::arch::x86_64::*;

            use crate::eval::nnue::network::Row;
            use crate::eval::nnue::simd::{self, Vector};

            #[derive(Clone, Copy)]
            struct Lanes($register);

            // SAFETY: all instructions belong to the features of this module, which the users of the trait answer for.
            unsafe impl Vector for Lanes {
                const LANES: usize = $lanes;
                type Sums = $register;

                #[inline(always)]
                unsafe fn load(from: *const i16) -> Lanes {
                    // SAFETY: the caller answers for CPU, alignment and length.
                    Lanes(unsafe { $load(from.cast()) })
                }

                #[inline(always)]
                unsafe fn store(self, to: *mut i16) {
                    // SAFETY: the caller answers for CPU, alignment and room.
                    unsafe { $store(to.cast(), self.0) }
                }

                #[inline(always)]
                unsafe fn splat(value: i16) -> Lanes {
                    // SAFETY: the caller answers for the CPU.
                    Lanes(unsafe { $splat(value) })
                }

                #[inline(always)]
                unsafe fn add(self, other: Lanes) -> Lanes {
                    // SAFETY: the caller answers for the CPU.
                    Lanes(unsafe { $add(self.0, other.0) })
                }

                #[inline(always)]
                unsafe fn subtract(self, other: Lanes) -> Lanes {
                    // SAFETY: the caller answers for the CPU.
                    Lanes(unsafe { $subtract(self.0, other.0) })
                }

                #[inline(always)]
                unsafe fn min(self, other: Lanes) -> Lanes {
                    // SAFETY: the caller answers for the CPU.
                    Lanes(unsafe { $min(self.0, other.0) })
                }

                #[inline(always)]
                unsafe fn max(self, other: Lanes) -> Lanes {
                    // SAFETY: the caller answers for the CPU.
                    Lanes(unsafe { $max(self.0, other.0) })
                }

                #[inline(always)]
                unsafe fn multiply(self, other: Lanes) -> Lanes {
                    // SAFETY: the caller answers for the CPU.
                    Lanes(unsafe { $multiply(self.0, other.0) })
                }

                #[inline(always)]
                unsafe fn no_sums() -> $register {
                    // SAFETY: the caller answers for the CPU.
                    unsafe { $no_sums() }
                }

                #[inline(always)]
                unsafe fn add_products(sums: $register, left: Lanes, right: Lanes) -> $register {
                    // SAFETY: the caller answers for the CPU.
                    unsafe { $add_sums(sums, $multiply_pairs(left.0, right.0)) }
                }

                #[inline(always)]
                unsafe fn total(sums: $register) -> i64 {
                    let mut parts = [0i32; $lanes / 2];
                    // SAFETY: the caller answers for the CPU; the array has room for all sums, at any alignment.
                    unsafe { $store_sums(parts.as_mut_ptr().cast(), sums) };
                    parts.into_iter().map(i64::from).sum()
                }
            }

            /// See [`simd::update`].
            ///
            /// # Safety
            /// `base` and `target` are rows, and the CPU has the features of this module.
            #[target_feature(enable = $features)]
            pub(in crate::eval::nnue::simd) unsafe fn update(
                target: *mut i16,
                base: *const i16,
                rows: &[Row],
                added: &[u16],
                removed: &[u16],
            ) {
                // SAFETY: the caller answers for rows and CPU.
                unsafe { simd::update::<Lanes>(target, base, rows, added, removed) }
            }

            /// See [`simd::weigh`].
            ///
            /// # Safety
            /// The CPU has the features of this module.
            #[target_feature(enable = $features)]
            pub(in crate::eval::nnue::simd) unsafe fn weigh(
                ours: &Row,
                theirs: &Row,
                weights: &[Row; 2],
            ) -> i64 {
                // SAFETY: the caller answers for the CPU.
                unsafe { simd::weigh::<Lanes>(ours, theirs, weights) }
            }
        }
    };
}

width! {
    /// 256 bits.
    mod avx2("avx2", __m256i of 16);
    _mm256_load_si256 _mm256_store_si256 _mm256_set1_epi16 _mm256_min_epi16 _mm256_max_epi16;
    _mm256_add_epi16 _mm256_sub_epi16 _mm256_mullo_epi16;
    _mm256_setzero_si256 _mm256_add_epi32 _mm256_madd_epi16 _mm256_storeu_si256;
}

width! {
    /// 512 bits.
    mod avx512("avx512f,avx512bw", __m512i of 32);
    _mm512_load_si512 _mm512_store_si512 _mm512_set1_epi16 _mm512_min_epi16 _mm512_max_epi16;
    _mm512_add_epi16 _mm512_sub_epi16 _mm512_mullo_epi16;
    _mm512_setzero_si512 _mm512_add_epi32 _mm512_madd_epi16 _mm512_storeu_si512;
}
