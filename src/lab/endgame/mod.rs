//! `rosada endgame`: tables built, asked and counted at the terminal.
#![forbid(unsafe_code)]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod progress;

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::time::Instant;

use clap::value_parser;

use crate::base::Error;
use crate::chess::Position;
use crate::endgame::build::{build, file_of, memory_needed, plan};
use crate::endgame::ending::{Ending, MOST_MEN};
use crate::endgame::format::Table;
use crate::endgame::parallel::Crew;
use crate::endgame::solve::solve;
use crate::endgame::solved::{Library, Solved};
use crate::endgame::stats;
use crate::endgame::tables::Tables;
use crate::lab::interrupt::stop_flag;
use crate::lab::processors;
use progress::Progress;

/// The command line of `rosada endgame`.
#[derive(Clone, Debug, clap::Subcommand)]
pub enum Arguments {
    /// Build tables; what is there already stays, an interrupted build goes on
    Build {
        /// Endings, such as KQvKR; those they lead to are built first
        #[arg(required_unless_present = "men")]
        endings: Vec<String>,
        /// All endings with up to so many men
        #[arg(long, value_name = "N", value_parser = value_parser!(u8).range(3..=MOST_MEN as i64))]
        men: Option<u8>,
        /// Folder for the tables
        #[arg(long, value_name = "DIR")]
        dir: PathBuf,
        /// Threads
        #[arg(long, value_name = "N", default_value_t = processors(), value_parser = value_parser!(u32).range(1..=512))]
        threads: u32,
        /// Show no progress
        #[arg(long)]
        quiet: bool,
    },
    /// The value of a position and of every move: `win N`, `loss N` (plies to mate) or `draw`
    Probe {
        /// Folder with tables; without it three men are known
        #[arg(long, value_name = "DIR")]
        dir: Option<PathBuf>,
        /// The position
        fen: String,
    },
    /// Counts of an ending: positions, mates, stalemates, distances
    Stats {
        /// The ending, such as KQvKR
        ending: String,
        /// Folder with its table; without one the ending is solved first
        #[arg(long, value_name = "DIR")]
        dir: Option<PathBuf>,
    },
}

/// Carries out the command and returns what to print at the end.
pub fn run(arguments: &Arguments) -> Result<String, Error> {
    match arguments {
        Arguments::Build { endings, men, dir, threads, quiet } => {
            let mut wanted = Vec::new();
            for name in endings {
                wanted.push(Ending::parse(name)?);
            }
            wanted.extend((3..=men.map_or(0, usize::from)).flat_map(Ending::with_men));
            build_into(dir, &wanted, *threads as usize, *quiet)
        }
        Arguments::Probe { dir, fen } => probe(dir.as_deref(), fen),
        Arguments::Stats { ending, dir } => count(Ending::parse(ending)?, dir.as_deref()),
    }
}

/// Builds what is missing. The first Ctrl-C ends the work between two portions of it, the second at once.
fn build_into(folder: &Path, wanted: &[Ending], threads: usize, quiet: bool) -> Result<String, Error> {
    let stop = stop_flag()?;
    let plan = plan(wanted);
    let start = Instant::now();
    let progress = Progress::begin(&plan, quiet);
    progress.say(&format!(
        "{} endings into {}, with at most {} MB of memory",
        plan.len(),
        folder.display(),
        memory_needed(&plan).div_ceil(1 << 20)
    ));
    let crew = Crew { threads, stop: &stop, progress: &|stage, done, of| progress.show(stage, done, of) };
    let built = build(folder, &plan, &crew, &progress);
    progress.end();
    built.map_err(|error| match stop.load(SeqCst) {
        true => Error::new(format!("{error}; the same command goes on from here")),
        false => error,
    })?;
    let bytes: u64 = plan
        .iter()
        .filter_map(|&ending| file_of(folder, ending).metadata().ok())
        .map(|file| file.len())
        .sum();
    Ok(format!("{} tables, {bytes} bytes, {:.1} s\n", plan.len(), start.elapsed().as_secs_f64()))
}

fn probe(folder: Option<&Path>, fen: &str) -> Result<String, Error> {
    let position = Position::from_fen(fen).map_err(|error| error.within("FEN"))?;
    let folders: Vec<PathBuf> = folder.iter().map(|folder| folder.to_path_buf()).collect();
    let found = Tables::in_folders(&folders)?;
    if position.board().castling_rights() != 0 {
        return Err(Error::new("tables know no castling rights"));
    }
    let Some(value) = found.tables.probe(&position) else {
        let ending = Ending::of(position.board()).canonical().0;
        let faults = found.faults.iter().map(|fault| format!("\nrefused: {fault}"));
        return Err(Error::new(format!("there is no table of {ending}{}", faults.collect::<String>())));
    };
    let mut moves: Vec<(i32, String)> = Vec::new();
    for mv in position.legal_moves() {
        let mut after = position.clone();
        after.make(mv);
        let value = found.tables.probe(&after).map(|value| value.before());
        let text = value.map_or("unknown".to_string(), |value| value.to_string());
        moves.push((value.map_or(i32::MIN, |value| value.rank()), format!("{} {text}", position.uci(mv))));
    }
    moves.sort_by_key(|&(rank, _)| std::cmp::Reverse(rank));
    let mut text = format!("{value}\n");
    for (_, line) in moves {
        let _ = writeln!(text, "{line}");
    }
    for fault in found.faults {
        let _ = writeln!(text, "refused: {fault}");
    }
    Ok(text)
}

fn count(ending: Ending, folder: Option<&Path>) -> Result<String, Error> {
    let stop = AtomicBool::new(false);
    let crew = Crew { threads: processors() as usize, stop: &stop, progress: &|_, _, _| {} };
    let solved = match folder {
        Some(folder) => {
            let path = file_of(folder, ending);
            let table = Table::open(&path).map_err(|error| error.within(&path.display().to_string()))?;
            Arc::new(table.load(&crew)?)
        }
        None => solve_in_memory(ending, &crew)?,
    };
    stats::count(&solved, &crew).map(|stats| stats.table(&ending.to_string()))
}

fn solve_in_memory(ending: Ending, crew: &Crew<'_>) -> Result<Arc<Solved>, Error> {
    let mut library = Library::new();
    for smaller in plan(&[ending]) {
        let solved = solve(smaller, &library, crew)?;
        library.insert(smaller, Arc::new(solved));
    }
    library.remove(&ending).ok_or_else(|| Error::new(format!("{ending} was not solved")))
}
