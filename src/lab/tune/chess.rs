//! The fit of the classical evaluation of chess. `run` of the module calls it for files of chess games.

use std::time::Instant;

use indicatif::HumanCount;

use super::features::FeatureStore;
use super::fit::{self, Sets, State};
use super::objective::{self, Objective};
use super::parameters::{self, GRAINS};
use super::samples::{Collector, Samples};
use super::{Arguments, Wording, count, logistic, loss_text, output, read, source, summarize};
use crate::base::{Error, files};
use crate::chess::Position;

/// The file that the evaluation is built from.
const VALUES: &str = "src/eval/classical/values.rs";

/// Reads, fits, writes.
pub fn run(arguments: &Arguments, say: &impl Fn(&str)) -> Result<(), Error> {
    if arguments.games > 0 {
        return Err(Error::new(
            "--games is for variants; values of chess are tested by a match of two binaries",
        ));
    }
    let output = output(arguments, VALUES)?;
    let games: Collector = read::<Position, _, _>(arguments, say)?;
    let (training, validation) = (&games.training, &games.validation);
    let start = parameters::built_in();
    let scale = fit_scale(training, &start, arguments);
    say(&format!(
        "{} positions to fit to, {} of other games to validate; {scale:.1} centipawns per logistic unit",
        count(training),
        count(validation)
    ));

    let sets = Sets {
        training: objective_of(training, arguments, scale),
        validation: objective_of(validation, arguments, scale),
        grains: &GRAINS,
    };
    let before = sets.measure(&start, 0);
    say(&format!("start      {}", loss_text(&before)));
    let clock = Instant::now();
    let best = fit::fit(&sets, before.clone(), &start, &arguments.plan(), |state, better| {
        let mark = if better { "" } else { " (no gain)" };
        let seconds = clock.elapsed().as_secs_f64();
        say(&format!("epoch {:4} {}, {seconds:.0} s{mark}", state.epoch, loss_text(state)));
        if let Some(path) = output.as_ref().filter(|_| better) {
            let origin = origin(&games, arguments, scale, &before, state);
            files::replace(path, source::text(&state.values, &origin).as_bytes())?;
        }
        Ok(())
    })?;
    let wording = Wording {
        names: parameters::names(),
        spreads: parameters::spreads(&before.values, arguments.spread, &GRAINS),
        as_written: &parameters::as_written,
    };
    summarize(&wording, &before, &best, output.as_deref(), say);
    Ok(())
}

/// The scale at which the evaluation as it is foretells results best. It is held during the fit: otherwise all values
/// could grow or shrink together.
fn fit_scale(samples: &Samples, start: &[f64], arguments: &Arguments) -> f64 {
    let values = objective::values(&samples.features, start, arguments.threads as usize);
    logistic::fit_scale(&values, &samples.results())
}

fn objective_of<'a>(samples: &'a Samples, arguments: &Arguments, scale: f64) -> Objective<'a, FeatureStore> {
    Objective {
        model: &samples.features,
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
