//! `rosada tune`: fits every value of the classical evaluation to games of the engine against itself.
//!
//! Positions are taken from the games (`samples`), written down as how often each number counts in them (`features`)
//! and evaluated by a differentiable copy of the evaluation (`model`). The expected score that follows from the value
//! (`logistic`) is compared with the result of the game and the verdict of the search (`objective`), the numbers are
//! moved until positions of other games get no better (`fit`), and the best of them become the file that the
//! evaluation is built from (`source`). `main` calls [`run`].
#![forbid(unsafe_code)]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod arguments;
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

use std::time::Instant;

pub use arguments::Arguments;
use fit::{Sets, State};
use indicatif::HumanCount;
use objective::Objective;
use samples::{Collector, Samples};

use crate::base::Error;
use crate::base::error::quote;
use crate::lab::games::GameReader;

/// With fewer positions than this on either side a fit would follow chance.
const FEWEST_POSITIONS: usize = 1000;
/// How many of the largest changes are shown.
const CHANGES_SHOWN: usize = 20;

/// Reads, fits, writes. `say` hears a line for everything worth knowing.
pub fn run(arguments: &Arguments, say: impl Fn(&str)) -> Result<(), Error> {
    if !arguments.dry_run {
        check_folder(arguments)?;
    }
    let games = read(arguments, &say)?;
    let (training, validation) = (&games.training, &games.validation);
    let start = parameters::built_in();
    let scale = fit_scale(training, &start, arguments);
    say(&format!(
        "{} positions to fit to, {} of other games to validate; {scale:.1} centipawns per logistic unit",
        count(training),
        count(validation)
    ));

    let objective = |samples| objective_of(samples, arguments, scale);
    let sets = Sets { training: objective(training), validation: objective(validation) };
    let before = sets.measure(&start, 0);
    say(&format!("start      {}", loss_text(&before)));
    let clock = Instant::now();
    let best = fit::fit(&sets, before.clone(), &arguments.plan(), |state, better| {
        let mark = if better { "" } else { " (no gain)" };
        let seconds = clock.elapsed().as_secs_f64();
        say(&format!("epoch {:4} {}, {seconds:.0} s{mark}", state.epoch, loss_text(state)));
        if better && !arguments.dry_run {
            let origin = origin(&games, arguments, scale, &before, state);
            source::replace_file(&arguments.out, &source::text(&state.values, &origin))?;
        }
        Ok(())
    })?;
    summarize(arguments, &before, &best, &say);
    Ok(())
}

/// Whether the folder of the output exists; better asked before hours of work.
fn check_folder(arguments: &Arguments) -> Result<(), Error> {
    let folder = arguments.out.parent().filter(|folder| !folder.as_os_str().is_empty());
    match folder {
        Some(folder) if !folder.is_dir() => Err(Error::new(format!(
            "there is no folder {} to write to; start in the source tree or use --out",
            quote(&folder.to_string_lossy())
        ))),
        _ => Ok(()),
    }
}

/// Takes the positions of all files.
fn read(arguments: &Arguments, say: &impl Fn(&str)) -> Result<Collector, Error> {
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

/// The scale at which the evaluation as it is foretells results best. It is held during the fit: otherwise all values
/// could grow or shrink together.
fn fit_scale(samples: &Samples, start: &[f64], arguments: &Arguments) -> f64 {
    let values = objective::values(&samples.features, start, arguments.threads as usize);
    let results: Vec<f64> = samples.labels.iter().map(|label| label.result as f64).collect();
    logistic::fit_scale(&values, &results)
}

fn objective_of<'a>(samples: &'a Samples, arguments: &Arguments, scale: f64) -> Objective<'a> {
    Objective {
        features: &samples.features,
        targets: samples.targets(arguments.lambda, scale),
        scale,
        threads: arguments.threads as usize,
    }
}

/// The lines of the written file that say where its numbers come from.
fn origin(
    games: &Collector,
    arguments: &Arguments,
    scale: f64,
    before: &State,
    after: &State,
) -> Vec<String> {
    vec![
        format!("Fitted to {} positions and validated on", count(&games.training)),
        format!("{} of other games, {} games in all;", count(&games.validation), HumanCount(games.games)),
        format!("lambda {}, {scale:.1} centipawns per logistic unit.", arguments.lambda),
        format!("Logistic loss at the start: {}.", loss_text(before)),
        format!("After {} epochs: {}.", after.epoch, loss_text(after)),
    ]
}

fn count(samples: &Samples) -> HumanCount {
    HumanCount(samples.labels.len() as u64)
}

fn loss_text(state: &State) -> String {
    format!("training {:.6}, validation {:.6}", state.losses.training, state.losses.validation)
}

/// What the fit has brought: losses and the numbers that moved most, measured in their spreads.
fn summarize(arguments: &Arguments, before: &State, best: &State, say: &impl Fn(&str)) {
    if best.epoch == 0 {
        say("no better values were found");
        return;
    }
    say(&format!("before     {}", loss_text(before)));
    say(&format!("best       {} (epoch {})", loss_text(best), best.epoch));
    let names = parameters::names();
    let spreads = parameters::spreads(&before.values, arguments.spread);
    let moved = |i: usize| (best.values[i] - before.values[i]).abs() / spreads[i];
    let mut places: Vec<usize> = (0..names.len()).collect();
    places.sort_by(|&a, &b| moved(b).total_cmp(&moved(a)));
    let (was, is) = (parameters::as_written(&before.values), parameters::as_written(&best.values));
    say("largest changes:");
    for &i in places.iter().take(CHANGES_SHOWN) {
        say(&format!("{:>8} to {:>6}  {}", was[i], is[i], names[i]));
    }
    if arguments.dry_run {
        say("nothing was written");
    } else {
        say(&format!("written to {}; rebuild and run `rosada bench`", arguments.out.display()));
    }
}
