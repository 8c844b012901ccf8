//! `rosada tune`: fits every value of the classical evaluation, or of the variants' evaluation, to games of the engine
//! against itself.
//!
//! Positions are taken from the games (`samples`). The expected score that follows from the value of a position
//! (`logistic`) is compared with the result of the game and the verdict of the search (`objective`), the numbers are
//! moved until positions of other games get no better (`fit`), and the best of them become the file that the
//! evaluation is built from (`source`). In chess a position is written down as how often each number counts in it
//! (`features`) and evaluated by a differentiable copy of the evaluation (`model`); for the variants see `variants`.
//! `main` calls [`run`].
#![forbid(unsafe_code)]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod arguments;
mod chess;
mod features;
mod fit;
mod logistic;
mod model;
mod objective;
mod parameters;
mod samples;
mod source;
#[cfg(test)]
mod tests;
mod variants;

use std::path::{Path, PathBuf};

pub use arguments::Arguments;
use fit::State;
use indicatif::HumanCount;
use samples::{Collector, Samples, Store};

use crate::base::Error;
use crate::base::error::quote;
use crate::game::Evaluator;
use crate::lab::games::{GameReader, Recorded, rules_of};

/// With fewer positions than this on either side a fit would follow chance.
const FEWEST_POSITIONS: usize = 1000;
/// How many of the largest changes are shown.
const CHANGES_SHOWN: usize = 20;

/// Reads, fits, writes. `say` hears a line for everything worth knowing. The first file tells what is fitted.
pub fn run(arguments: &Arguments, say: impl Fn(&str)) -> Result<(), Error> {
    let rules = arguments.files.iter().map(|path| rules_of(path)).collect::<Result<Vec<_>, Error>>()?;
    if rules.first().is_none_or(|rules| rules.is_chess()) {
        chess::run(arguments, &say)
    } else {
        variants::run(arguments, &rules, &say)
    }
}

/// The file to write to, none if nothing is to be written. Its folder must exist; better asked before hours of work.
fn output(arguments: &Arguments, usual: &str) -> Result<Option<PathBuf>, Error> {
    if arguments.dry_run {
        return Ok(None);
    }
    let path = arguments.out.clone().unwrap_or_else(|| PathBuf::from(usual));
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    match folder {
        Some(folder) if !folder.is_dir() => Err(Error::new(format!(
            "there is no folder {} to write to; start in the source tree or use --out",
            quote(&folder.to_string_lossy())
        ))),
        _ => Ok(Some(path)),
    }
}

/// Takes the positions of all files.
fn read<G, S, E>(arguments: &Arguments, say: &impl Fn(&str)) -> Result<Collector<S, E>, Error>
where
    G: Recorded,
    S: Store<G>,
    E: Evaluator<G> + Default,
{
    let mut collector = Collector::new(arguments.per_game as usize, arguments.gap, arguments.seed);
    for path in &arguments.files {
        let mut reader = GameReader::open(path)?;
        for game in reader.by_ref() {
            collector.add(&game);
        }
        let name = path.display();
        say(&format!("{name}: {} games", HumanCount(reader.games())));
        if let Some(damage) = reader.damage() {
            say(&format!("{name} is damaged: {damage}"));
        }
    }
    let counts = [collector.training.labels.len(), collector.validation.labels.len()];
    if counts.iter().any(|&count| count < FEWEST_POSITIONS) {
        return Err(Error::new(format!(
            "too few quiet positions: {} to fit to and {} to validate, at least {FEWEST_POSITIONS} of each are needed",
            counts[0], counts[1]
        )));
    }
    Ok(collector)
}

fn count<S>(samples: &Samples<S>) -> HumanCount {
    HumanCount(samples.labels.len() as u64)
}

fn loss_text(state: &State) -> String {
    format!("training {:.6}, validation {:.6}", state.losses.training, state.losses.validation)
}

/// What the numbers that were fitted are called, and how they are written.
struct Wording<'a> {
    names: Vec<String>,
    spreads: Vec<f64>,
    as_written: &'a dyn Fn(&[f64]) -> Vec<i32>,
}

/// What the fit has brought: losses and the numbers that moved most, measured in their spreads.
fn summarize(wording: &Wording, before: &State, best: &State, output: Option<&Path>, say: &impl Fn(&str)) {
    if best.epoch == 0 {
        say("no better values were found");
        return;
    }
    say(&format!("before     {}", loss_text(before)));
    say(&format!("best       {} (epoch {})", loss_text(best), best.epoch));
    let names = &wording.names;
    let moved = |i: usize| (best.values[i] - before.values[i]).abs() / wording.spreads[i];
    let mut places: Vec<usize> = (0..names.len()).collect();
    places.sort_by(|&a, &b| moved(b).total_cmp(&moved(a)));
    let (was, is) = ((wording.as_written)(&before.values), (wording.as_written)(&best.values));
    say("largest changes:");
    for &i in places.iter().take(CHANGES_SHOWN) {
        say(&format!("{:>8} to {:>6}  {}", was[i], is[i], names[i]));
    }
    match output {
        None => say("nothing was written"),
        Some(path) => say(&format!("written to {}; rebuild and run `rosada bench`", path.display())),
    }
}
