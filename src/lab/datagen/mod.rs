//! `rosada datagen`: games of the engine against itself, in chess or a variant, recorded for tuning and training.
//!
//! What a file holds follows from the seed and the options alone: game number `n` is played from an opening of its own
//! random stream, with empty memories, and games are written in the order of their numbers. So any number of threads
//! gives the same bytes, and a run that was interrupted goes on, when the same command is given again, as if nothing
//! had happened.
//!
//! [`generate()`] runs the players, `play` is one game, `adjudicate` ends games that are decided, `progress` is what
//! the person at the terminal sees, `info` looks into a finished file. [`import`](import::import) takes games that were
//! played elsewhere from PGN instead.
#![forbid(unsafe_code)]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub(super) mod adjudicate;
mod generate;
pub mod import;
pub mod info;
mod play;
mod progress;
mod repeats;
mod totals;

use std::path::{Path, PathBuf};

use clap::value_parser;

use crate::base::Error;
use crate::base::error::quote;
use crate::engine::evaluation::Evaluation;
use crate::fairy::Rules;
use crate::lab::evaluation::EvaluationArguments;
use crate::lab::interrupt::stop_flag;
use crate::lab::{number, processors, share, variant};
pub use generate::{Summary, generate};
use import::ImportSettings;
pub use totals::Totals;

/// The command line of `rosada datagen`.
#[derive(Clone, Debug, clap::Args)]
pub struct Arguments {
    /// File for the games; one that is there is continued
    #[arg(required_unless_present = "info")]
    output: Option<PathBuf>,
    /// Go on until the file holds so many games
    #[arg(long, value_name = "N", conflicts_with = "positions")]
    #[arg(required_unless_present_any = ["positions", "import", "info"])]
    games: Option<u64>,
    /// Go on until the file holds so many positions
    #[arg(long, value_name = "N")]
    positions: Option<u64>,
    /// The game: chess, or one of the variants that `uci` lists
    #[arg(long, value_name = "NAME", default_value = "chess")]
    variant: String,
    /// Nodes after which a search begins no new iteration; it is broken off at eight times as many
    #[arg(long, value_name = "N", default_value_t = 5_000, value_parser = value_parser!(u64).range(1..))]
    nodes: u64,
    /// Games played at the same time
    #[arg(long, value_name = "N", default_value_t = processors(), value_parser = value_parser!(u32).range(1..=512))]
    threads: u32,
    /// Seed of the openings; a random one if none is given
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// File to start from instead of the start position: a position (FEN or EPD) in each line, or games of datagen, of
    /// each of which a position is taken
    #[arg(long, value_name = "FILE")]
    book: Option<String>,
    /// Share of the games that begin with an array of Chess960, from 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, value_parser = share)]
    chess960: f64,
    /// Megabytes of hash table for each thread; one for every 500 nodes of a move if not given: a small table stays in
    /// the cache
    #[arg(long, value_name = "MB", value_parser = value_parser!(u32).range(1..=65_536))]
    hash: Option<u32>,
    #[command(flatten)]
    evaluation: EvaluationArguments,
    /// Play no games, take those of PGN files with scores in the comments, plain or packed (gzip, bzip2, zstd), or of
    /// archives of OpenBench (tar); the file for them must be new
    #[arg(long, value_name = "PGN", num_args = 1.., conflicts_with_all = PLAYING)]
    import: Vec<PathBuf>,
    /// Multiply imported scores by this, if the engine's centipawns are worth more or less than ours
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0, requires = "import", value_parser = factor)]
    scale: f64,
    /// Show no progress, and of games that are left out of an import only how many there are
    #[arg(long)]
    quiet: bool,
    /// Say what a file of games holds
    #[arg(long, value_name = "FILE", exclusive = true)]
    info: Option<PathBuf>,
}

/// The arguments that say how games are played, which is settled already where they are imported.
const PLAYING: [&str; 11] = [
    "games",
    "positions",
    "variant",
    "nodes",
    "threads",
    "seed",
    "book",
    "chess960",
    "hash",
    "evaluation",
    "eval_file",
];

/// A factor of the command line.
fn factor(text: &str) -> Result<f64, String> {
    number(text, |number| (0.01..=100.0).contains(&number), "from 0.01 to 100")
}

/// When a file holds enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// With so many games.
    Games(u64),
    /// With the game that brings it to so many positions.
    Positions(u64),
}

/// What to generate.
#[derive(Clone, Debug)]
pub struct Settings {
    /// File for the games.
    pub output: PathBuf,
    /// What is played.
    pub rules: &'static Rules,
    /// When it holds enough, games that were there before included.
    pub target: Target,
    /// Soft node limit of a move.
    pub nodes: u64,
    /// Games played at the same time.
    pub threads: usize,
    /// Seed of the openings.
    pub seed: u64,
    /// Positions to start from: an EPD or FEN file, or a file of games.
    pub book: Option<String>,
    /// Share of the games that begin with an array of Chess960.
    pub chess960: f64,
    /// Hash table of each thread.
    pub hash_mb: usize,
    /// What the players judge positions of chess by.
    pub evaluation: Evaluation,
    /// Show no progress.
    pub quiet: bool,
}

impl Settings {
    /// Everything that shapes the games, in one line. It is noted in their file, and only games of one kind go into it.
    pub fn description(&self) -> String {
        let book = self.book.as_ref().map(Path::new).and_then(Path::file_name);
        let mut openings =
            book.map_or("the start position".to_string(), |name| quote(&name.to_string_lossy()));
        if self.chess960 > 0.0 {
            openings.push_str(&format!(", {} of them from Chess960", self.chess960));
        }
        let evaluation = match self.rules.variant.name {
            "chess" => format!("by {}, ", self.evaluation),
            _ => String::new(),
        };
        format!(
            "seed {}, {} nodes a move, {evaluation}{} MB of hash, openings from {openings}",
            self.seed, self.nodes, self.hash_mb
        )
    }
}

impl Arguments {
    fn settings(&self) -> Result<Settings, Error> {
        let target = self.games.map(Target::Games).or(self.positions.map(Target::Positions));
        let (Some(output), Some(target)) = (self.output.clone(), target) else {
            return Err(Error::new("datagen needs a file and a number of games or positions"));
        };
        let rules = variant(&self.variant)?;
        if !rules.is_chess() && self.evaluation.names_file() {
            return Err(Error::new("networks know chess only, no variants"));
        }
        if !rules.is_chess() && self.chess960 > 0.0 {
            return Err(Error::new("--chess960 is for games of chess"));
        }
        Ok(Settings {
            output,
            rules,
            target,
            nodes: self.nodes,
            threads: self.threads as usize,
            // Short enough to be typed again.
            seed: self.seed.unwrap_or_else(|| u64::from(rand::random::<u32>())),
            book: self.book.clone(),
            chess960: self.chess960,
            hash_mb: self.hash.map_or((self.nodes / 500).clamp(1, 64) as usize, |hash| hash as usize),
            evaluation: self.evaluation.choose()?,
            quiet: self.quiet,
        })
    }
}

/// Carries out the command and returns what to print at the end. The first Ctrl-C lets the games in progress finish,
/// the second ends the program.
pub fn run(arguments: &Arguments) -> Result<String, Error> {
    if let Some(path) = &arguments.info {
        return info::read(path).map(|info| info.to_string());
    }
    if !arguments.import.is_empty() {
        return run_import(arguments);
    }
    let settings = arguments.settings()?;
    let stop = stop_flag()?;
    generate(&settings, &stop).map(|summary| summary.to_string())
}

/// Imports games. Those that could be read are kept if a file is damaged, but then the command has failed.
fn run_import(arguments: &Arguments) -> Result<String, Error> {
    let (Some(output), files) = (arguments.output.clone(), arguments.import.clone()) else {
        return Err(Error::new("the import needs a file for the games"));
    };
    let settings = ImportSettings { output, files, scale: arguments.scale, quiet: arguments.quiet };
    let stop = stop_flag()?;
    let imported = import::import(&settings, &stop)?;
    match imported.damaged {
        0 => Ok(imported.to_string()),
        _ => Err(Error::new(format!("not everything could be read\n{imported}"))),
    }
}
