//! What the person who waits for a network sees, and the files that are written on the way.

use std::io::Write;
use std::path::{Path, PathBuf};

use indicatif::HumanCount;

use super::arguments::Arguments;
use super::checkpoint::{Point, State};
use super::dataset::Survey;
use super::model::expectation;
use super::neurons::Neurons;
use super::sample::Sample;
use super::target::Blend;
use super::trainer::{Moment, Plan, Watcher, mean_loss};
use super::{checkpoint_path, quantize};
use crate::base::{Error, files};
use crate::eval::nnue::file;
use crate::eval::nnue::network::{Network, Origin};
use crate::lab::display::Display;
use crate::lab::plot::{self, Plot, Scale, Series};
use crate::lab::processors;
use crate::lab::testset;

/// How positions of a test set are judged: mostly by their scores, which come from deep searches.
const TEST_LAMBDA: f32 = 0.2;
/// Centipawns in a logistic unit there.
const TEST_SCALE_CP: f32 = 250.0;

/// Says something before the run begins.
pub fn say(arguments: &Arguments, line: &str) {
    if !arguments.quiet {
        // Nobody may be listening any more, which is no reason to end.
        let _ = writeln!(std::io::stderr(), "{line}");
    }
}

/// Follows a run: shows progress, writes network, checkpoint and picture.
pub struct Reporter {
    display: Display,
    plan: Plan,
    positions: u64,
    settings: u32,
    out: PathBuf,
    svg: Option<PathBuf>,
    last: Option<Point>,
}

impl Reporter {
    /// For a run that goes on from `state`.
    pub fn new(
        arguments: &Arguments,
        survey: &Survey,
        plan: &Plan,
        settings: u32,
        state: &State,
    ) -> Reporter {
        let all = survey.positions * u64::from(plan.epochs);
        Reporter {
            display: Display::new(arguments.quiet, all, survey.positions * u64::from(state.epoch)),
            plan: *plan,
            positions: survey.positions,
            settings,
            out: arguments.out.clone(),
            svg: arguments.svg.clone(),
            last: state.curve.last().copied(),
        }
    }
}

impl Watcher for Reporter {
    fn batch(&mut self, moment: &Moment) {
        let done = u64::from(moment.epoch - 1) * self.positions + moment.positions;
        let (epochs, last) = (self.plan.epochs, self.last);
        self.display.show(done, |_| {
            let before = last.map_or(String::new(), |point| format!(" (before {:.6})", point.validation));
            format!(
                "epoch {} of {epochs}, loss {:.6}{before}, {} positions a second",
                moment.epoch,
                moment.loss,
                HumanCount(speed(moment))
            )
        });
    }

    fn point(&mut self, state: &State, moment: &Moment) {
        let Some(&point) = state.curve.last() else { return };
        self.last = Some(point);
        self.display.say(&format!(
            "epoch {:6.2}: training {:.6}, validation {:.6}, quantized {:.6}, rate {:.6}, {} positions a second, {:.1} % \
             of the time waited for positions",
            point.epochs,
            point.training,
            point.validation,
            point.quantized,
            self.plan.schedule.rate(state.adam.steps),
            HumanCount(speed(moment)),
            100.0 * moment.waited.as_secs_f64() / moment.time.as_secs_f64().max(1e-9)
        ));
    }

    fn epoch(&mut self, state: &State, _: &Moment) -> Result<(), Error> {
        files::replace(&self.out, &file::encode(&network(state, &self.plan, self.positions)))?;
        files::replace(&checkpoint_path(&self.out), &state.encode(self.settings))?;
        match &self.svg {
            Some(path) => files::replace(path, picture(&state.curve).as_bytes()),
            None => Ok(()),
        }
    }
}

fn speed(moment: &Moment) -> u64 {
    (moment.learned as f64 / moment.time.as_secs_f64().max(1e-9)) as u64
}

/// The network of a state.
fn network(state: &State, plan: &Plan, positions: u64) -> Network {
    let validation_loss = state.curve.last().map_or(0.0, |point| point.quantized) as f32;
    let origin = Origin { positions, epochs: state.epoch, validation_loss };
    quantize::network(&state.weights, plan.blend.scale_cp, origin)
}

/// The losses over the epochs.
fn picture(curve: &[Point]) -> String {
    let line = |name: &str, loss: fn(&Point) -> f64| Series {
        name: name.to_string(),
        points: curve.iter().map(|point| (point.epochs, loss(point))).collect(),
    };
    let series = vec![
        line("training", |point| point.training),
        line("validation", |point| point.validation),
        line("quantized", |point| point.quantized),
    ];
    let title = "loss: mean square error of the expected result";
    plot::svg(&[Plot { title, x_name: "epoch", scale: Scale::Plain, series }])
}

/// What the run has brought: the written network beside the classical evaluation, on positions that neither has learned
/// from.
pub fn summary(arguments: &Arguments, survey: &Survey, plan: &Plan, state: &State) -> Result<String, Error> {
    let mut text: String = survey.damages.iter().map(|damage| format!("{damage}\n")).collect();
    if state.epoch == 0 {
        return Ok(text + "ended before the first epoch was finished\n");
    }
    let network = file::load(&arguments.out)?;
    let blend = plan.blend.at(1.0);
    let by_network = |_: usize, sample: &Sample| sample.value_by(&network);
    let by_classical = |number: usize, _: &Sample| i32::from(survey.classical_cp[number]);
    text.push_str(&losses_head("validation loss"));
    text.push_str(&losses("network as written", &survey.validation, blend, &by_network));
    text.push_str(&losses("classical evaluation", &survey.validation, blend, &by_classical));
    if let Some(path) = &arguments.test {
        text.push_str(&test(&network, path)?);
    }
    text.push_str(&format!("written to {}: {}", arguments.out.display(), file::facts(&network)));
    if state.epoch < plan.epochs {
        text.push_str(&format!(
            "ended after epoch {} of {}; the same command with --resume goes on\n",
            state.epoch, plan.epochs
        ));
    }
    Ok(text)
}

/// How wrong a network is about a test set, and what its neurons do there. Every network is measured with one scale,
/// so that all can be compared.
pub fn test(network: &Network, path: &Path) -> Result<String, Error> {
    let blend = Blend { lambda: TEST_LAMBDA, scale_cp: TEST_SCALE_CP };
    let positions = testset::read(path)?;
    let samples: Vec<Sample> = positions
        .iter()
        .filter_map(|test| Sample::new(test.position.board(), test.score_cp, test.half_points))
        .collect();
    let row = losses("network", &samples, blend, &|_, sample: &Sample| sample.value_by(network));
    Ok(format!("{}{row}{}", losses_head("loss on the test set"), Neurons::watch(network, &samples)))
}

fn losses_head(title: &str) -> String {
    format!("{title:<22} {:<8}  {:<8}  {:<8}\n", "blend", "results", "scores")
}

/// The losses of an evaluation by what the blend expects, by results and by scores.
fn losses(
    name: &str,
    samples: &[Sample],
    blend: Blend,
    value: &(dyn Fn(usize, &Sample) -> i32 + Sync),
) -> String {
    let loss = |lambda: f32| {
        let blend = Blend { lambda, ..blend };
        mean_loss(samples, processors() as usize, |number, sample| {
            let expected = expectation(value(number, sample) as f32 / blend.scale_cp);
            f64::from(expected - blend.target(sample)).powi(2)
        })
    };
    format!("{name:<22} {:.6}  {:.6}  {:.6}\n", loss(blend.lambda), loss(1.0), loss(0.0))
}
