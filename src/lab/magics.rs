//! The search for magic multipliers.
//!
//! A magic multiplies the blockers on a slider's lines so that the top bits of the product number them: every two
//! blocker sets with different attacks get different numbers. Nobody knows how to compute such multipliers, but
//! random ones with few bits set do it often enough to be found in seconds. The tables of `chess/magics.rs` were
//! printed by [`run`].
#![forbid(unsafe_code)]

use std::fmt::Write;

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

use crate::chess::attacks::{BISHOP_DIRECTIONS, ROOK_DIRECTIONS, relevant_blockers, walk};

/// Finds magics for both sliders on all squares and returns the text of `chess/magics.rs`.
pub fn run(seed: u64) -> String {
    let mut random = StdRng::seed_from_u64(seed);
    let mut text = format!(
        "//! Magic multipliers for the sliders, for CPUs without PEXT.\n//!\n\
         //! Found by `lab::magics` with seed {seed}, which prints this file.\n"
    );
    for (name, piece, directions) in
        [("ROOK_MAGICS", "rooks", &ROOK_DIRECTIONS), ("BISHOP_MAGICS", "bishops", &BISHOP_DIRECTIONS)]
    {
        let _ = write!(
            text,
            "\n/// Multipliers for {piece}, a1 first.\n#[rustfmt::skip]\npub const {name}: [u64; 64] = [\n"
        );
        let magics: Vec<u64> = (0..64).map(|square| find(square, directions, &mut random)).collect();
        for row in magics.chunks(4) {
            let row: Vec<String> = row.iter().map(|&magic| literal(magic)).collect();
            let _ = writeln!(text, "    {},", row.join(", "));
        }
        text.push_str("];\n");
    }
    text
}

/// A magic for a slider on `square`, whose product needs no more bits than there are relevant blockers.
fn find(square: u8, directions: &[(i8, i8); 4], random: &mut StdRng) -> u64 {
    let mask = relevant_blockers(square, directions);
    let shift = 64 - mask.count_ones();
    let pairs = blocker_attacks(square, mask, directions);
    // Each place remembers the try that filled it last, so that a new try need not wipe the table.
    let mut table = vec![(0u32, 0u64); 1 << mask.count_ones()];
    let mut attempt = 0;
    loop {
        let magic = random.random::<u64>() & random.random::<u64>() & random.random::<u64>();
        // Too few bits at the top of the product cannot number the sets; sorting these out early saves time.
        if (mask.wrapping_mul(magic) >> 56).count_ones() < 6 {
            continue;
        }
        attempt += 1;
        let separates = pairs.iter().all(|&(blockers, attacks)| {
            let place = &mut table[(blockers.wrapping_mul(magic) >> shift) as usize];
            let fits = place.0 != attempt || place.1 == attacks;
            *place = (attempt, attacks);
            fits
        });
        if separates {
            return magic;
        }
    }
}

/// Every set of relevant blockers with the attacks it leaves.
fn blocker_attacks(square: u8, mask: u64, directions: &[(i8, i8); 4]) -> Vec<(u64, u64)> {
    let mut pairs = Vec::with_capacity(1 << mask.count_ones());
    let mut blockers = 0u64;
    loop {
        pairs.push((blockers, walk(square, blockers, directions)));
        blockers = blockers.wrapping_sub(mask) & mask;
        if blockers == 0 {
            return pairs;
        }
    }
}

/// A number as the source writes it: `0x0123_4567_89AB_CDEF`.
fn literal(number: u64) -> String {
    let parts: Vec<String> = (0..4).rev().map(|i| format!("{:04X}", number >> (16 * i) & 0xFFFF)).collect();
    format!("0x{}", parts.join("_"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_found_magic_separates_the_blocker_sets() {
        let mut random = StdRng::seed_from_u64(7);
        for square in [0, 27, 63] {
            let mask = relevant_blockers(square, &BISHOP_DIRECTIONS);
            let magic = find(square, &BISHOP_DIRECTIONS, &mut random);
            let mut seen = std::collections::HashMap::new();
            for (blockers, attacks) in blocker_attacks(square, mask, &BISHOP_DIRECTIONS) {
                let place = blockers.wrapping_mul(magic) >> (64 - mask.count_ones());
                assert_eq!(*seen.entry(place).or_insert(attacks), attacks);
            }
        }
    }

    #[test]
    fn the_tables_in_the_tree_are_the_ones_that_are_found() {
        let seed = 2024;
        assert_eq!(run(seed), include_str!("../chess/magics.rs"));
    }
}
