//! `rosada book build`: games in, a book out.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::value_parser;
use indicatif::HumanCount;

use super::describe;
use crate::base::{Color, Error};
use crate::book::build::{Builder, Settings, Totals, Watcher};
use crate::lab::display::Display;

/// The command line of `rosada book build`.
#[derive(Clone, Debug, clap::Args)]
pub struct Arguments {
    /// Games (.pgn) and lists (.tsv, .epd), plain, .gz or .zst; - is standard input
    #[arg(required = true)]
    games: Vec<PathBuf>,
    /// File for the book
    #[arg(long, value_name = "BOOK")]
    out: PathBuf,
    /// Plies of each game that are counted
    #[arg(long, value_name = "N", default_value_t = 28, value_parser = value_parser!(u32).range(1..=1000))]
    max_ply: u32,
    /// Leave out moves that were played in fewer games
    #[arg(long, value_name = "N", default_value_t = 1)]
    min_games: u64,
    /// Leave out games unless both players are rated at least this
    #[arg(long, value_name = "ELO", default_value_t = 0)]
    min_elo: u32,
    /// Take moves of one side only
    #[arg(long, value_enum)]
    side: Option<Side>,
    /// Memory for counting; what does not fit goes to temporary files beside the book
    #[arg(long, value_name = "MB", default_value_t = 256, value_parser = value_parser!(u32).range(1..=1_048_576))]
    memory: u32,
    /// Show no progress; broken games are still named
    #[arg(long)]
    quiet: bool,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Side {
    White,
    Black,
}

/// Builds the book and says what became of the games.
pub fn run(arguments: &Arguments) -> Result<String, Error> {
    let settings = Settings {
        max_ply: arguments.max_ply as usize,
        min_games: arguments.min_games,
        min_elo: arguments.min_elo,
        side: arguments.side.map(|side| match side {
            Side::White => Color::White,
            Side::Black => Color::Black,
        }),
        memory_bytes: (arguments.memory as usize) << 20,
    };
    let start = Instant::now();
    let sizes: Vec<u64> =
        arguments.games.iter().map(|path| std::fs::metadata(path).map_or(0, |data| data.len())).collect();
    let display = Display::new(arguments.quiet, sizes.iter().sum(), 0);
    let mut progress = Progress { display, bytes_before: 0, quiet: arguments.quiet };
    let mut builder = Builder::new(settings, &arguments.out);
    for (path, size) in arguments.games.iter().zip(sizes) {
        builder.add_file(path, &mut progress)?;
        progress.bytes_before += size;
    }
    drop(progress);
    let totals = *builder.totals();
    let written = builder
        .finish(&arguments.out)
        .map_err(|error| Error::new(format!("{error}\n{}", report(&totals, start.elapsed()))))?;
    Ok(format!(
        "{}\n{}",
        report(&totals, start.elapsed()),
        describe(&arguments.out.to_string_lossy(), &written)
    ))
}

/// Shows progress and names broken games.
struct Progress {
    display: Display,
    /// Size of the files that are done.
    bytes_before: u64,
    quiet: bool,
}

impl Watcher for Progress {
    fn broken(&mut self, place: &str, why: &Error) {
        let line = format!("{place}: {why}");
        if self.quiet {
            eprintln!("{line}");
        } else {
            self.display.say(&line);
        }
    }

    fn progress(&mut self, totals: &Totals, bytes: u64) {
        self.display.show(self.bytes_before + bytes, |time| {
            format!("{} games, {} a second", HumanCount(totals.games), HumanCount(speed(totals, time)))
        });
    }
}

fn speed(totals: &Totals, time: Duration) -> u64 {
    (totals.games as f64 / time.as_secs_f64().max(1e-9)) as u64
}

/// What became of the games.
fn report(totals: &Totals, time: Duration) -> String {
    let count = |number: u64| HumanCount(number).to_string();
    let mut text = format!(
        "{} games read in {:.2} s, {} a second: {} counted with {} moves",
        count(totals.games),
        time.as_secs_f64(),
        count(speed(totals, time)),
        count(totals.used),
        count(totals.plies)
    );
    for (number, what) in [
        (totals.broken, "broken, see above"),
        (totals.weak, "of players rated too low or not at all"),
        (totals.other_variants, "of other variants"),
        (totals.without_moves, "without moves"),
    ] {
        if number > 0 {
            text.push_str(&format!("\n{} left out: {what}", count(number)));
        }
    }
    text
}
