//! What `rosada train` can be told on the command line.

use std::path::PathBuf;

use clap::value_parser;

use super::sample::Sample;
use super::schedule::Fall;
use crate::lab::{number, processors, share};

/// The arguments of `rosada train`.
#[derive(clap::Args, Clone, Debug)]
pub struct Arguments {
    /// Game files as `rosada datagen` writes them
    #[arg(required_unless_present = "info")]
    pub files: Vec<PathBuf>,
    /// File for the network, written after every epoch; the checkpoint is beside it
    #[arg(long, value_name = "FILE", default_value = "network.nnue")]
    pub out: PathBuf,
    /// Go on from the checkpoint, if there is one; the rest of the command must be the same
    #[arg(long)]
    pub resume: bool,
    /// Begin with the weights of a network or checkpoint instead of random ones
    #[arg(long, value_name = "FILE", conflicts_with = "resume")]
    pub start: Option<PathBuf>,
    /// How often to go through all positions
    #[arg(long, value_name = "N", default_value_t = 15, value_parser = value_parser!(u32).range(1..=1_000_000))]
    pub epochs: u32,
    /// How often the losses are measured in the whole run
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = value_parser!(u32).range(1..=100_000))]
    pub points: u32,
    /// Positions for one step
    #[arg(long, value_name = "N", default_value_t = 16_384, value_parser = value_parser!(u32).range(1..))]
    pub batch: u32,
    /// Highest learning rate
    #[arg(long, value_name = "N", default_value_t = 0.001, value_parser = positive)]
    pub rate: f64,
    /// Part of the rate that is left at the end
    #[arg(long, value_name = "N", default_value_t = 0.003, value_parser = positive)]
    pub rest: f64,
    /// Steps to the highest rate
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub warmup: u64,
    /// How the rate falls
    #[arg(long, value_enum, default_value_t = Fall::Cosine)]
    pub fall: Fall,
    /// Weight decay
    #[arg(long, value_name = "N", default_value_t = 0.01, value_parser = not_negative)]
    pub decay: f64,
    /// Weight of the game's result in the target; the rest is what the search said
    #[arg(long, value_name = "N", default_value_t = 0.3, value_parser = share)]
    pub lambda: f64,
    /// Weight of the game's result at the end of the run, if it shall change on the way
    #[arg(long, value_name = "N", value_parser = share)]
    pub lambda_end: Option<f64>,
    /// How much of a position's score is taken from the plies after it, the result at the end: a search a few plies
    /// later knows more
    #[arg(long, value_name = "N", default_value_t = 0.0, value_parser = share_below_one)]
    pub foresight: f64,
    /// Centipawns in a logistic unit; fitted to the games if not given
    #[arg(long, value_name = "N", value_parser = positive)]
    pub scale: Option<f64>,
    /// Plies at the start of each game to leave out
    #[arg(long, value_name = "N", default_value_t = 6)]
    pub skip_plies: usize,
    /// Leave out positions that the search values beyond this, in centipawns
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = value_parser!(i32).range(1..))]
    pub max_score: i32,
    /// Leave out positions with more plies than this since the last capture or pawn move
    #[arg(long, value_name = "PLIES", default_value_t = 30)]
    pub max_clock: u32,
    /// One game in so many is for validation; its moves decide which
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = value_parser!(u64).range(2..=1_000_000))]
    pub validation: u64,
    /// Megabytes that positions may take; what does not fit is read again for every epoch
    #[arg(long, value_name = "MB", default_value_t = 2048, value_parser = value_parser!(u32).range(1..=1_000_000))]
    pub memory: u32,
    /// Threads
    #[arg(long, value_name = "N", default_value_t = processors(), value_parser = value_parser!(u32).range(1..=512))]
    pub threads: u32,
    /// Seed of weights and order
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// File for a picture of the losses, drawn after every epoch
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Show no progress
    #[arg(long)]
    pub quiet: bool,
    /// Test set, as `rosada testset` makes it: the loss of the network as written is told at the end
    #[arg(long, value_name = "FILE")]
    pub test: Option<PathBuf>,
    /// Say what a network file holds, and whether it is sound; with --test, its loss there and how its neurons work
    #[arg(long, value_name = "FILE", conflicts_with_all = ["files", "resume", "start", "svg"])]
    pub info: Option<PathBuf>,
}

impl Arguments {
    /// How many positions fit into the memory they may take.
    pub fn max_samples(&self) -> usize {
        ((self.memory as usize) << 20) / size_of::<Sample>()
    }
}

fn share_below_one(text: &str) -> Result<f64, String> {
    number(text, |number| (0.0..1.0).contains(&number), "from 0 to less than 1")
}

fn positive(text: &str) -> Result<f64, String> {
    number(text, |number| number > 0.0, "above 0")
}

fn not_negative(text: &str) -> Result<f64, String> {
    number(text, |number| number >= 0.0, "of at least 0")
}
