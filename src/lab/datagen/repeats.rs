//! How many of very many things came before: exact for some millions, by sample beyond. `info` counts positions and
//! games with it.

/// So many keys are kept at most: 128 MB.
const MOST_KEYS: usize = 1 << 24;

/// Counts repeated keys. Keys must be well mixed: when there are too many, only those with zeros in their lowest bits
/// are kept. Equal keys are kept or dropped together, so the share of repeats stays a fair estimate.
#[derive(Default)]
pub(super) struct Repeats {
    keys: Vec<u64>,
    mask: u64,
}

impl Repeats {
    /// Takes in a key.
    pub(super) fn add(&mut self, key: u64) {
        self.add_within(key, MOST_KEYS);
    }

    fn add_within(&mut self, key: u64, most: usize) {
        if key & self.mask != 0 {
            return;
        }
        self.keys.push(key);
        while self.keys.len() > most {
            self.mask = self.mask << 1 | 1;
            let mask = self.mask;
            self.keys.retain(|key| key & mask == 0);
        }
    }

    /// The share of the keys that had come before, from 0 to 1.
    pub(super) fn share(mut self) -> f64 {
        let all = self.keys.len();
        self.keys.sort_unstable();
        self.keys.dedup();
        (all - self.keys.len()) as f64 / all.max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_keys_are_counted_exactly() {
        let mut repeats = Repeats::default();
        [1, 2, 3, 2, 2, 9, 10, 1].into_iter().for_each(|key| repeats.add(key));
        assert_eq!(repeats.share(), 3.0 / 8.0);
        assert_eq!(Repeats::default().share(), 0.0);
    }

    #[test]
    fn many_keys_are_sampled_fairly() {
        let mut repeats = Repeats::default();
        for number in 0..40_000u64 {
            // Every fourth key comes twice.
            let key = if number % 4 == 3 { number - 1 } else { number };
            repeats.add_within(key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20, 5_000);
        }
        assert!(repeats.keys.len() <= 5_000 && repeats.mask != 0);
        let share = repeats.share();
        assert!((0.23..0.27).contains(&share), "{share}");
    }
}
