//! The machine: how many threads it runs, and whether its CPU has what the binary was compiled for.
//!
//! A binary built with `target-cpu=native` dies with an illegal instruction on an older machine. `missing_features`
//! runs first in `main`, asks the CPU itself and lets the program end with a sentence instead.

/// How many threads this machine runs at the same time.
pub fn processors() -> u32 {
    std::thread::available_parallelism().map_or(1, |count| count.get().min(512) as u32)
}

/// The CPU features the binary needs and this machine lacks; empty when all is well.
#[inline(never)]
pub fn missing_features() -> Vec<&'static str> {
    #[cfg(target_arch = "x86_64")]
    let features = x86::features();
    // Elsewhere nothing is built that only some CPUs can run.
    #[cfg(not(target_arch = "x86_64"))]
    let features: [(&str, bool, bool); 0] = [];
    let missing = features.into_iter().filter(|&(_, needed, present)| needed && !present);
    missing.map(|(name, ..)| name).collect()
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::{__cpuid, __cpuid_count};

    /// Bit `bit` of `word`.
    fn has(word: u32, bit: u32) -> bool {
        word >> bit & 1 == 1
    }

    /// Every feature the compiler may have used: name, compiled in, present. `is_x86_feature_detected!`
    /// cannot be asked: it answers "yes" for whatever was compiled in.
    pub fn features() -> Vec<(&'static str, bool, bool)> {
        #[allow(unused_unsafe)]
        // SAFETY: CPUID exists on every x86-64 processor.
        let (highest, basic, extended) = unsafe { (__cpuid(0).eax, __cpuid(1), __cpuid(0x8000_0001)) };
        #[allow(unused_unsafe)]
        // SAFETY: as above, and leaf 7 is only asked for when the CPU says it exists.
        let seven = (highest >= 7).then(|| unsafe { __cpuid_count(7, 0) });
        let (ebx7, ecx7) = seven.map_or((0, 0), |leaf| (leaf.ebx, leaf.ecx));
        vec![
            ("sse3", cfg!(target_feature = "sse3"), has(basic.ecx, 0)),
            ("ssse3", cfg!(target_feature = "ssse3"), has(basic.ecx, 9)),
            ("fma", cfg!(target_feature = "fma"), has(basic.ecx, 12)),
            ("sse4.1", cfg!(target_feature = "sse4.1"), has(basic.ecx, 19)),
            ("sse4.2", cfg!(target_feature = "sse4.2"), has(basic.ecx, 20)),
            ("pclmulqdq", cfg!(target_feature = "pclmulqdq"), has(basic.ecx, 1)),
            ("aes", cfg!(target_feature = "aes"), has(basic.ecx, 25)),
            ("f16c", cfg!(target_feature = "f16c"), has(basic.ecx, 29)),
            ("sse4a", cfg!(target_feature = "sse4a"), has(extended.ecx, 6)),
            ("adx", cfg!(target_feature = "adx"), has(ebx7, 19)),
            ("sha", cfg!(target_feature = "sha"), has(ebx7, 29)),
            ("gfni", cfg!(target_feature = "gfni"), has(ecx7, 8)),
            ("vaes", cfg!(target_feature = "vaes"), has(ecx7, 9)),
            ("vpclmulqdq", cfg!(target_feature = "vpclmulqdq"), has(ecx7, 10)),
            ("avx512ifma", cfg!(target_feature = "avx512ifma"), has(ebx7, 21)),
            ("avx512vbmi2", cfg!(target_feature = "avx512vbmi2"), has(ecx7, 6)),
            ("avx512bitalg", cfg!(target_feature = "avx512bitalg"), has(ecx7, 12)),
            ("avx512vpopcntdq", cfg!(target_feature = "avx512vpopcntdq"), has(ecx7, 14)),
            ("movbe", cfg!(target_feature = "movbe"), has(basic.ecx, 22)),
            ("popcnt", cfg!(target_feature = "popcnt"), has(basic.ecx, 23)),
            ("avx", cfg!(target_feature = "avx"), has(basic.ecx, 28)),
            ("lzcnt", cfg!(target_feature = "lzcnt"), has(extended.ecx, 5)),
            ("bmi1", cfg!(target_feature = "bmi1"), has(ebx7, 3)),
            ("avx2", cfg!(target_feature = "avx2"), has(ebx7, 5)),
            ("bmi2", cfg!(target_feature = "bmi2"), has(ebx7, 8)),
            ("avx512f", cfg!(target_feature = "avx512f"), has(ebx7, 16)),
            ("avx512dq", cfg!(target_feature = "avx512dq"), has(ebx7, 17)),
            ("avx512cd", cfg!(target_feature = "avx512cd"), has(ebx7, 28)),
            ("avx512bw", cfg!(target_feature = "avx512bw"), has(ebx7, 30)),
            ("avx512vl", cfg!(target_feature = "avx512vl"), has(ebx7, 31)),
            ("avx512vbmi", cfg!(target_feature = "avx512vbmi"), has(ecx7, 1)),
            ("avx512vnni", cfg!(target_feature = "avx512vnni"), has(ecx7, 11)),
        ]
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_machine_that_runs_the_test_can_run_the_test() {
        assert_eq!(super::missing_features(), Vec::<&str>::new());
    }
}
