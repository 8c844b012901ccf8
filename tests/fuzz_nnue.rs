//! Any bytes may be called a network: nothing panics, and nothing but the very network is taken for one.
//!
//! `ROSADA_FUZZ_CASES=1000000 cargo test --release --test fuzz_nnue` runs a million cases of each property.

use once_cell::sync::Lazy;
use proptest::prelude::*;
use proptest::sample::Index;
use rosada::eval::nnue::{embedded, file};

fn cases() -> u32 {
    std::env::var("ROSADA_FUZZ_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(300)
}

static SOUND: Lazy<Vec<u8>> = Lazy::new(|| file::encode(&embedded().expect("the embedded network")));

/// Changes bytes, inserts some, removes some, cuts off the end.
fn mangle(edits: &[(u8, Index, Vec<u8>)]) -> Vec<u8> {
    let mut bytes = SOUND.clone();
    for (kind, place, new) in edits {
        // Half of all edits are in the header, which is a small part of the file.
        let end = if kind & 4 == 0 { bytes.len().min(64) } else { bytes.len() };
        if end == 0 {
            break;
        }
        let place = place.index(end);
        match kind % 4 {
            0 | 1 => bytes[place..].iter_mut().zip(new).for_each(|(byte, new)| *byte = *new),
            2 => drop(bytes.splice(place..place, new.iter().copied())),
            _ if kind & 8 == 0 => bytes.truncate(place),
            _ => drop(bytes.drain(place..(place + new.len()).min(end))),
        }
    }
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn mangled_networks_are_refused(
        edits in prop::collection::vec((any::<u8>(), any::<Index>(), prop::collection::vec(any::<u8>(), 1..8)), 1..4)
    ) {
        let bytes = mangle(&edits);
        prop_assert_eq!(file::decode(&bytes).is_ok(), bytes == *SOUND);
    }

    #[test]
    fn any_bytes_are_refused(bytes in prop::collection::vec(any::<u8>(), 0..4096), with_magic in any::<bool>()) {
        let bytes = if with_magic { [b"ROSADANN", &bytes[..]].concat() } else { bytes };
        prop_assert!(file::decode(&bytes).is_err());
    }
}
