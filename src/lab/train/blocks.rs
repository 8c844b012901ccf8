//! Positions in random order, without random access to gigabytes.
//!
//! Positions are dealt at random into blocks as they are read, so each block is a fair sample of all. A pass takes an
//! equal part of every block, another one each time, and shuffles what it took: memory is read from front to back, and
//! what is shuffled fits into the cache. `dataset` fills blocks, `feed` hands them to the trainer.

use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};

use super::dataset::mix;
use super::sample::Sample;

/// Positions of a block, near enough.
const BLOCK_SAMPLES: u64 = 1 << 20;

/// Positions, dealt at random.
pub struct Blocks {
    blocks: Vec<Vec<Sample>>,
    random: StdRng,
    samples: usize,
}

impl Blocks {
    /// No positions yet, with room for some `expected` ones.
    pub fn new(expected: u64, seed: u64) -> Blocks {
        let count = expected.div_ceil(BLOCK_SAMPLES).max(1);
        let blocks = (0..count).map(|_| Vec::new()).collect();
        Blocks { blocks, random: StdRng::seed_from_u64(seed), samples: 0 }
    }

    /// Deals a position.
    pub fn push(&mut self, sample: Sample) {
        let block = self.random.random_range(0..self.blocks.len());
        self.blocks[block].push(sample);
        self.samples += 1;
    }

    /// All positions are dealt: no block keeps the order in which they came.
    pub fn shuffled(mut self) -> Blocks {
        self.blocks.iter_mut().for_each(|block| block.shuffle(&mut self.random));
        self
    }

    /// How many positions there are.
    pub fn samples(&self) -> usize {
        self.samples
    }

    /// All of them in random order, a block at a time; another order for each seed.
    pub fn pass(&self, seed: u64) -> impl Iterator<Item = Vec<Sample>> {
        let count = self.blocks.len();
        let mut random = StdRng::seed_from_u64(seed);
        let offsets: Vec<usize> = self.blocks.iter().map(|_| random.random_range(0..count)).collect();
        (0..count).map(move |number| {
            let mut taken = Vec::with_capacity(self.samples / count + count);
            for (block, offset) in self.blocks.iter().zip(&offsets) {
                let part = (number + offset) % count;
                taken.extend_from_slice(&block[block.len() * part / count..block.len() * (part + 1) / count]);
            }
            taken.shuffle(&mut StdRng::seed_from_u64(mix(seed ^ mix(number as u64))));
            taken
        })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::chess::Position;

    #[test]
    fn every_pass_gives_all_positions_in_another_order() {
        let sample = Sample::new(Position::start().board(), 0, 1).unwrap();
        let mut blocks = Blocks::new(5 * BLOCK_SAMPLES, 3);
        for score_cp in 0..1000 {
            blocks.push(sample.with_score(score_cp));
        }
        let blocks = blocks.shuffled();
        let pass = |seed| -> Vec<Vec<i16>> {
            let scores = |block: Vec<Sample>| block.iter().map(|sample| sample.score_cp).collect();
            blocks.pass(seed).map(scores).collect()
        };
        let (first, second) = (pass(1), pass(2));
        assert_eq!((first.len(), blocks.samples()), (5, 1000));
        assert!(first.iter().all(|block| (170..230).contains(&block.len())));
        assert_eq!(first, pass(1));
        assert_ne!(first, second);
        for pass in [first, second] {
            // A block has positions from everywhere.
            assert!(pass.iter().all(|block| *block.iter().max().unwrap() > 900));
            let mut all = pass.concat();
            assert!(!all.is_sorted());
            all.sort_unstable();
            assert!(all.into_iter().eq(0..1000));
        }
    }
}
