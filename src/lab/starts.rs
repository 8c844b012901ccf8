//! `rosada starts`: start positions of Capablanca Random chess, drawn at random or all of them.

use clap::Args;
use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;

use crate::fairy::shuffle::{Arrays, arrays, start_fen};

/// Which start positions.
#[derive(Args)]
pub struct Arguments {
    /// How many, drawn at random; all of them in order if not given
    #[arg(long)]
    count: Option<usize>,
    /// Seed of the random numbers
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Only the 12,118 without neighboring bishops and near copies of Gothic chess, not all 21,836
    #[arg(long)]
    strict: bool,
}

/// The FENs.
pub fn run(arguments: &Arguments) -> Vec<String> {
    let all = arrays(if arguments.strict { Arrays::Strict } else { Arrays::All });
    let Some(count) = arguments.count else { return all.iter().map(|array| start_fen(array)).collect() };
    let mut random = StdRng::seed_from_u64(arguments.seed);
    (0..count).filter_map(|_| all.choose(&mut random)).map(|array| start_fen(array)).collect()
}
