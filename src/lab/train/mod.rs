//! `rosada train`: makes a network for `eval/nnue` out of games of the engine against itself.
//!
//! `dataset` takes positions (`sample`) from the games, `blocks` shuffles them, `feed` hands them on while others are
//! learned from, `target` says what should be expected of them, `model` is the network in floating point, `adam` moves its
//! weights, `schedule` says how far, `trainer` does it all again and again. `checkpoint` keeps the state of a run,
//! `quantize` turns weights into the whole numbers of a network file, `neurons` looks at what each neuron does, `report`
//! is what the person at the terminal sees. `main` calls [`run`].
#![forbid(unsafe_code)]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod adam;
mod arguments;
mod blocks;
mod checkpoint;
mod dataset;
mod feed;
mod model;
mod neurons;
mod quantize;
mod report;
mod sample;
mod schedule;
mod target;
#[cfg(test)]
mod tests;
mod trainer;

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

pub use arguments::Arguments;
use checkpoint::State;
use dataset::{Source, Survey};
use indicatif::HumanCount;
use model::Rows;
use rand::SeedableRng;
use rand::rngs::StdRng;
use report::Reporter;
use schedule::Schedule;
use target::BlendSchedule;
use trainer::Plan;

use crate::base::Error;
use crate::base::error::quote;
use crate::base::files;
use crate::eval::nnue::file;
use crate::lab::interrupt::stop_flag;
use crate::lab::testset;

/// With fewer positions than this on either side there is nothing to learn.
const MIN_POSITIONS: u64 = 100;

/// Carries out the command and returns what to print at the end. Ctrl-C ends it; the last finished epoch is in the
/// checkpoint.
pub fn run(arguments: &Arguments) -> Result<String, Error> {
    if let Some(path) = &arguments.info {
        return info(path, arguments.test.as_deref());
    }
    check_folder(&arguments.out)?;
    let stop = stop_flag()?;
    train(arguments, &stop)
}

/// What a network file holds; with a test set, how good and how awake it is.
fn info(path: &Path, test: Option<&Path>) -> Result<String, Error> {
    let network = file::load(path)?;
    let facts = file::facts(&network);
    match test {
        Some(test) => report::test(&network, test).map(|text| format!("{facts}{text}")),
        None => Ok(facts),
    }
}

/// Trains until the end or until `stop` is set.
pub fn train(arguments: &Arguments, stop: &AtomicBool) -> Result<String, Error> {
    // Better known before hours of work than after them.
    arguments.test.as_deref().map(testset::read).transpose()?;
    let source = source(arguments);
    let say = |line: &str| report::say(arguments, line);
    let survey = source.survey(say)?;
    if survey.positions < MIN_POSITIONS || (survey.validation.len() as u64) < MIN_POSITIONS {
        return Err(Error::new(format!(
            "too few quiet positions: {} to learn from and {} to validate, at least {MIN_POSITIONS} of each are \
             needed",
            survey.positions,
            survey.validation.len()
        )));
    }
    let plan = plan(arguments, &survey);
    say(&format!(
        "{} positions of {} games to learn from, {} of other games to validate; {:.1} centipawns in a logistic unit",
        HumanCount(survey.positions),
        HumanCount(survey.games()),
        HumanCount(survey.validation.len() as u64),
        plan.blend.scale_cp
    ));
    if survey.parts > 1 {
        say(&format!("they do not fit into {} MB: {} parts an epoch", arguments.memory, survey.parts));
    }
    let settings = settings_checksum(arguments, &plan, &survey);
    let mut state = begin(arguments, settings, say)?;
    let mut reporter = Reporter::new(arguments, &survey, &plan, settings, &state);
    trainer::train(&mut state, &source, &survey, &plan, stop, &mut reporter)?;
    drop(reporter);
    report::summary(arguments, &survey, &plan, &state)
}

fn source(arguments: &Arguments) -> Source {
    Source {
        files: arguments.files.clone(),
        skip_plies: arguments.skip_plies,
        max_cp: arguments.max_score,
        max_clock: arguments.max_clock,
        validation_share: arguments.validation,
        seed: arguments.seed,
        max_samples: arguments.max_samples(),
        foresight: arguments.foresight,
    }
}

fn plan(arguments: &Arguments, survey: &Survey) -> Plan {
    let batch = u64::from(arguments.batch);
    let steps = u64::from(arguments.epochs) * survey.positions.div_ceil(batch);
    let scale_cp = arguments.scale.unwrap_or_else(|| survey.tally.scale_cp());
    Plan {
        epochs: arguments.epochs,
        points: arguments.points,
        batch: arguments.batch as usize,
        schedule: Schedule {
            rate: arguments.rate,
            rest: arguments.rest,
            // Not more than a tenth of a short run.
            warmup_steps: arguments.warmup.min(steps / 10),
            steps,
            fall: arguments.fall,
        },
        decay: arguments.decay as f32,
        blend: BlendSchedule {
            lambda: [arguments.lambda, arguments.lambda_end.unwrap_or(arguments.lambda)],
            scale_cp: scale_cp as f32,
        },
        threads: arguments.threads as usize,
    }
}

/// A checksum of everything that shapes a run.
fn settings_checksum(arguments: &Arguments, plan: &Plan, survey: &Survey) -> u32 {
    let counts = (survey.games(), survey.positions, survey.validation.len(), survey.parts);
    let source = (
        arguments.skip_plies,
        arguments.max_score,
        arguments.max_clock,
        arguments.validation,
        arguments.foresight,
        arguments.seed,
    );
    crc32fast::hash(format!("{plan:?} {counts:?} {source:?}").as_bytes())
}

/// The state a run begins with.
fn begin(arguments: &Arguments, settings: u32, say: impl Fn(&str)) -> Result<State, Error> {
    let checkpoint = checkpoint_path(&arguments.out);
    if arguments.resume && checkpoint.exists() {
        let state = State::read(&checkpoint, settings)?;
        say(&format!("going on after epoch {}", state.epoch));
        return Ok(state);
    }
    let mut random = StdRng::seed_from_u64(arguments.seed);
    let weights = match &arguments.start {
        Some(path) => read_weights(path)?,
        None => Rows::random(&mut random),
    };
    Ok(State::new(weights))
}

/// The weights of a checkpoint or of a network.
fn read_weights(path: &Path) -> Result<Rows, Error> {
    let named = |error: Error| error.within(&quote(&path.to_string_lossy()));
    let bytes = files::read(path, checkpoint::MAX_BYTES).map_err(named)?;
    if checkpoint::is_checkpoint(&bytes) {
        return State::decode(&bytes).map(|(state, _)| state.weights).map_err(named);
    }
    file::decode(&bytes).map(|network| quantize::model(&network)).map_err(named)
}

/// The checkpoint of a run that writes its network to `out`.
fn checkpoint_path(out: &Path) -> PathBuf {
    let mut name = out.as_os_str().to_owned();
    name.push(".checkpoint");
    name.into()
}

/// Whether the folder of the output exists; better asked before hours of work.
fn check_folder(out: &Path) -> Result<(), Error> {
    match out.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        Some(folder) if !folder.is_dir() => {
            Err(Error::new(format!("there is no folder {} to write to", quote(&folder.to_string_lossy()))))
        }
        _ => Ok(()),
    }
}
