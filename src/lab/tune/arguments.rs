//! What `rosada tune` can be told on the command line.

use std::path::PathBuf;

use clap::value_parser;

use super::fit::Plan;

/// The arguments of `rosada tune`.
#[derive(clap::Args, Clone, Debug)]
pub struct Arguments {
    /// Game files as `rosada datagen` writes them: of chess, or of variants that share a row of numbers
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// Weight of the game's result in the target; the rest is what the search said
    #[arg(long, value_name = "N", default_value_t = 0.6, value_parser = share)]
    pub lambda: f64,
    /// Most positions to take from one game
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = value_parser!(u32).range(1..=1000))]
    pub per_game: u32,
    /// Leave out positions whose evaluation is further than this from what the search said, in centipawns
    #[arg(long, value_name = "N", default_value_t = 150, value_parser = value_parser!(i32).range(0..=10_000))]
    pub gap: i32,
    /// How often to go through all positions, at most
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = value_parser!(u32).range(1..=100_000))]
    pub epochs: u32,
    /// Stop after this many epochs without gain in validation
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = value_parser!(u32).range(1..=100_000))]
    pub patience: u32,
    /// Positions for one step
    #[arg(long, value_name = "N", default_value_t = 16_384, value_parser = value_parser!(u32).range(1..))]
    pub batch: u32,
    /// Length of the first steps, in spreads
    #[arg(long, value_name = "N", default_value_t = 0.02, value_parser = positive)]
    pub rate: f64,
    /// How far from its start a value may be expected, in units of the source; a quarter of the start is added
    #[arg(long, value_name = "N", default_value_t = 10.0, value_parser = positive)]
    pub spread: f64,
    /// Threads; the result does not depend on their number
    #[arg(long, value_name = "N", default_value_t = all_threads(), value_parser = value_parser!(u32).range(1..=1024))]
    pub threads: u32,
    /// Seed of every choice by chance
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// File for the values, written whenever they get better; without it the one that the engine is built from
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Write nothing
    #[arg(long)]
    pub dry_run: bool,
    /// In variants: let the new values play so many games against the old ones
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub games: u32,
    /// Nodes of a search in these games
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = value_parser!(u64).range(1..))]
    pub nodes: u64,
}

impl Arguments {
    /// The part that concerns the fit.
    pub fn plan(&self) -> Plan {
        Plan {
            epochs: self.epochs,
            patience: self.patience,
            rate: self.rate,
            batch: self.batch as usize,
            spread: self.spread,
            seed: self.seed,
        }
    }
}

fn all_threads() -> u32 {
    std::thread::available_parallelism().map_or(1, |threads| threads.get() as u32)
}

/// A number from 0 to 1.
fn share(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(number) if (0.0..=1.0).contains(&number) => Ok(number),
        _ => Err("not a number from 0 to 1".to_string()),
    }
}

/// A number above 0.
fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number > 0.0 && number.is_finite() => Ok(number),
        _ => Err("not a number above 0".to_string()),
    }
}
