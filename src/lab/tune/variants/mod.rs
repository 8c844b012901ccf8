//! The fit of the variants' evaluation: one row of its numbers at a time (`rows`), that of the variants in the files.
//!
//! The evaluation itself is the model. What each number does to the value of a position is found by changing it a little
//! (`slopes`); as if the value went on like this, the numbers are fitted (`fit`); then the evaluation with the new
//! numbers is asked again, and as long as it foretells games that were not fitted to better, the same begins once more
//! from there. `duel` lets the new numbers play against the old ones. `run` of the module above calls [`run`].

mod duel;
mod rows;
mod slopes;
#[cfg(test)]
mod tests;

use std::path::Path;

use indicatif::HumanCount;
use slopes::{Boards, Slopes};

use super::fit::{self, Losses, Sets, State};
use super::objective::Objective;
use super::samples::{Collector, Samples};
use super::{Arguments, Wording, count, logistic, loss_text, output, parameters, read, summarize};
use crate::base::{Error, files};
use crate::eval::Fairy;
use crate::eval::fairy::numbers::{ROWS, row_of};
use crate::fairy::{Position, Rules};

/// The file that the evaluation is built from.
const VALUES: &str = "src/eval/fairy/values.rs";
/// How often the evaluation is asked anew at most.
const MOST_ROUNDS: u32 = 4;

type Games = Collector<Boards, Fairy>;

/// Reads, fits, writes. `rules` are those of the files.
pub fn run(arguments: &Arguments, rules: &[&'static Rules], say: &impl Fn(&str)) -> Result<(), Error> {
    let row = common_row(rules)?;
    let output = output(arguments, VALUES)?;
    let games: Games = read::<Position, _, _>(arguments, say)?;
    let (training, validation) = (&games.training, &games.validation);
    let start = rows::flat(&ROWS[row].numbers);
    let values = training.features.values(&start, arguments.threads as usize);
    let scale = logistic::fit_scale(&values, &training.results());
    say(&format!(
        "{} positions to fit to, {} of other games to validate; {scale:.1} centipawns per logistic unit",
        count(training),
        count(validation)
    ));
    let fitting = Fitting { arguments, games: &games, scale, anchor: &start };
    let before = fitting.measure(&start, 0);
    say(&format!("start      {}", loss_text(&before)));
    let mut best = before.clone();
    for round in 1..=MOST_ROUNDS {
        let state = fitting.round(&best, round, say)?;
        let better = state.losses.validation < best.losses.validation;
        let mark = if better { "" } else { " (no gain)" };
        say(&format!("round {round:4} {}{mark}", loss_text(&state)));
        if !better {
            break;
        }
        best = state;
        if let Some(path) = &output {
            write(path, row, &fitting, &before, &best)?;
        }
    }
    let wording = Wording {
        names: rows::names(),
        spreads: parameters::spreads(&start, arguments.spread, &rows::grains()),
        as_written: &rows::as_written,
    };
    summarize(&wording, &before, &best, output.as_deref(), say);
    if arguments.games > 0 && best.epoch > 0 {
        let mut variants = rules.to_vec();
        variants.dedup_by_key(|rules| rules.variant.name);
        for rules in variants {
            let score = duel::play(rules, &rows::values(&best.values), &ROWS[row].numbers, arguments)?;
            say(&format!("new against old values in {}: {score}", rules.variant.name));
        }
    }
    Ok(())
}

/// The row of numbers that all these variants go by.
fn common_row(rules: &[&Rules]) -> Result<usize, Error> {
    let Some(first) = rules.first() else { return Err(Error::new("there are no games")) };
    match rules.iter().find(|other| other.is_chess() || row_of(other) != row_of(first)) {
        None => Ok(row_of(first)),
        Some(other) => Err(Error::new(format!(
            "games of {} and of {} in one fit; they do not share their numbers",
            first.variant.name, other.variant.name
        ))),
    }
}

/// What stays the same during a fit.
struct Fitting<'a> {
    arguments: &'a Arguments,
    games: &'a Games,
    scale: f64,
    /// The numbers before the first round.
    anchor: &'a [f64],
}

impl Fitting<'_> {
    fn targets(&self, samples: &Samples<Boards>) -> Vec<f32> {
        samples.targets(self.arguments.lambda, self.scale)
    }

    fn threads(&self) -> usize {
        self.arguments.threads as usize
    }

    /// Rounds the numbers and measures how wrong the evaluation is with them.
    fn measure(&self, values: &[f64], epoch: u32) -> State {
        let values = parameters::rounded(values, &rows::grains());
        let loss = |samples: &Samples<Boards>| {
            let judged = samples.features.values(&values, self.threads());
            let targets = self.targets(samples);
            let losses = judged.iter().zip(&targets);
            let sum: f64 =
                losses.map(|(value, &target)| logistic::loss(value / self.scale, f64::from(target))).sum();
            sum / targets.len().max(1) as f64
        };
        let losses =
            Losses { training: loss(&self.games.training), validation: loss(&self.games.validation) };
        State { values, losses, epoch }
    }

    /// One fit with the slopes that the numbers of `start` have, measured by the evaluation.
    fn round(&self, start: &State, round: u32, say: &impl Fn(&str)) -> Result<State, Error> {
        let slopes =
            |samples: &Samples<Boards>| Slopes::new(&samples.features, &start.values, self.threads());
        let models = [slopes(&self.games.training), slopes(&self.games.validation)];
        let objective = |model, samples| Objective {
            model,
            targets: self.targets(samples),
            scale: self.scale,
            threads: self.threads(),
        };
        let sets = Sets {
            training: objective(&models[0], &self.games.training),
            validation: objective(&models[1], &self.games.validation),
            grains: &rows::grains(),
        };
        let plan = self.arguments.plan();
        let first = State { epoch: 0, ..start.clone() };
        let best = fit::fit(&sets, first, self.anchor, &plan, |state, better| {
            let mark = if better { "" } else { " (no gain)" };
            say(&format!("epoch {:4} {}{mark}", state.epoch, loss_text(state)));
            Ok(())
        })?;
        Ok(self.measure(&best.values, round * plan.epochs))
    }
}

/// Writes the file with the new row.
fn write(path: &Path, row: usize, fitting: &Fitting, before: &State, after: &State) -> Result<(), Error> {
    let origin = format!(
        "fitted to {} positions of {} games, validation loss {:.6} before, {:.6} after",
        count(&fitting.games.training),
        HumanCount(fitting.games.games),
        before.losses.validation,
        after.losses.validation
    );
    files::replace(path, rows::text(row, &after.values, &origin).as_bytes())
}
