//! Learning: epoch after epoch, batch after batch, on all threads. Called by `run` and by tests.
//!
//! Each thread takes its share of a batch and adds up gradients of its own; then each thread takes its share of the bands,
//! adds up what all have found and moves the weights. Nothing depends on who is faster: the same seed and number of
//! threads give the same weights, and a run that goes on from a checkpoint ends like one that was never interrupted.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use crossbeam_channel::Receiver;

use super::adam::Step;
use super::checkpoint::{Point, State};
use super::dataset::{Source, Survey};
use super::feed::{self, Feed};
use super::model::{Rows, Workspace, expectation};
use super::quantize;
use super::sample::Sample;
use super::schedule::Schedule;
use super::target::{Blend, BlendSchedule};
use crate::base::Error;
use crate::eval::nnue::network::{Network, Origin};

/// What shapes the learning.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// How often to go through all positions.
    pub epochs: u32,
    /// How often the losses are measured in the whole run.
    pub points: u32,
    /// Positions for one step.
    pub batch: usize,
    /// How long the steps are.
    pub schedule: Schedule,
    /// By which part of itself a weight shrinks, times the rate.
    pub decay: f32,
    /// How targets are made.
    pub blend: BlendSchedule,
    /// Threads.
    pub threads: usize,
}

/// How far a run has come within an epoch.
pub struct Moment {
    /// The epoch, from 1.
    pub epoch: u32,
    /// Positions of this epoch so far.
    pub positions: u64,
    /// Mean loss of this epoch so far.
    pub loss: f64,
    /// Positions learned since the run was started, or went on.
    pub learned: u64,
    /// Time that took, validation not counted.
    pub time: Duration,
    /// The part of it that was spent waiting for positions.
    pub waited: Duration,
}

/// Who follows a run.
pub trait Watcher {
    /// A batch is done.
    fn batch(&mut self, moment: &Moment);
    /// The losses have been measured.
    fn point(&mut self, state: &State, moment: &Moment);
    /// An epoch is done. The state may be saved now.
    fn epoch(&mut self, state: &State, moment: &Moment) -> Result<(), Error>;
}

/// Learns until the last epoch is done or `stop` is set; what has been learned of an epoch that is not finished is lost.
pub fn train(
    state: &mut State,
    source: &Source,
    survey: &Survey,
    plan: &Plan,
    stop: &AtomicBool,
    watcher: &mut impl Watcher,
) -> Result<(), Error> {
    let mut run = Run {
        survey,
        plan,
        gradients: vec![Rows::zero(); plan.threads.max(1)],
        stretch: Stretch::default(),
        learned: 0,
        time: Duration::ZERO,
        waited: Duration::ZERO,
    };
    // Ends the feeding threads when learning ends, for whatever reason.
    let ended = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let feeds = feed::start(scope, source, survey, (state.epoch + 1, plan.epochs), &ended);
        let mut done = Ok(());
        while state.epoch < plan.epochs && done.is_ok() && !stop.load(Relaxed) {
            done = run.epoch(state, &feeds, stop, watcher);
        }
        ended.store(true, Relaxed);
        done
    })
}

/// What a run needs and counts.
struct Run<'a> {
    survey: &'a Survey,
    plan: &'a Plan,
    gradients: Vec<Rows>,
    stretch: Stretch,
    learned: u64,
    time: Duration,
    waited: Duration,
}

impl Run<'_> {
    /// Learns from all positions once, unless it is stopped.
    fn epoch(
        &mut self,
        state: &mut State,
        feeds: &Receiver<Result<Feed, Error>>,
        stop: &AtomicBool,
        watcher: &mut impl Watcher,
    ) -> Result<(), Error> {
        let (mut positions, mut loss) = (0, 0.0);
        loop {
            let start = Instant::now();
            let feed = feeds.recv().map_err(|_| Error::new("no more positions came"))??;
            self.waited += start.elapsed();
            self.time += start.elapsed();
            let Feed::Block(samples) = feed else { break };
            // Batches of nearly one size: a short one at the end would count as much as the others.
            let batches = (samples.len() as f64 / self.plan.batch as f64).round().max(1.0) as usize;
            for batch in samples.chunks(samples.len().div_ceil(batches).max(1)) {
                if stop.load(Relaxed) {
                    return Ok(());
                }
                loss += self.step(state, batch);
                positions += batch.len() as u64;
                let moment = self.moment(state, positions, loss);
                watcher.batch(&moment);
                // The last point is the end of the run.
                let done = f64::from(state.epoch) + positions as f64 / self.survey.positions as f64;
                let points = done / f64::from(self.plan.epochs) * f64::from(self.plan.points);
                if points.min(f64::from(self.plan.points) - 0.5) >= state.curve.len() as f64 + 1.0 {
                    self.measure(state, done);
                    watcher.point(state, &moment);
                }
            }
        }
        state.epoch += 1;
        let moment = self.moment(state, positions, loss);
        if state.epoch == self.plan.epochs {
            self.measure(state, f64::from(state.epoch));
            watcher.point(state, &moment);
        }
        watcher.epoch(state, &moment)
    }

    /// Learns from a batch; returns the sum of the losses.
    fn step(&mut self, state: &mut State, batch: &[Sample]) -> f64 {
        let start = Instant::now();
        let steps = state.adam.steps;
        let blend = self.plan.blend.at(steps as f64 / self.plan.schedule.steps.max(1) as f64);
        let loss = learn_batch(&state.weights, batch, blend, &mut self.gradients);
        let step = Step {
            rate: self.plan.schedule.rate(steps),
            decay: self.plan.decay,
            share: 1.0 / batch.len() as f32,
        };
        state.adam.step(&mut state.weights, &mut self.gradients, step);
        self.stretch.add(loss, batch.len());
        self.learned += batch.len() as u64;
        self.time += start.elapsed();
        loss
    }

    fn moment(&self, state: &State, positions: u64, loss: f64) -> Moment {
        // Between the last batch of an epoch and the next epoch nothing is learned.
        let epoch = (state.epoch + 1).min(self.plan.epochs);
        let loss = loss / positions.max(1) as f64;
        let (learned, time, waited) = (self.learned, self.time, self.waited);
        Moment { epoch, positions, loss, learned, time, waited }
    }

    /// Adds a point to the curve, with which the next stretch begins. Targets are those of the end of the run.
    fn measure(&mut self, state: &mut State, epochs: f64) {
        let (plan, samples) = (self.plan, &self.survey.validation);
        let blend = plan.blend.at(1.0);
        let validation = mean_loss(samples, plan.threads, |_, sample| {
            f64::from(state.weights.loss(sample, blend.target(sample)))
        });
        let network = quantize::network(&state.weights, blend.scale_cp, Origin::UNKNOWN);
        let quantized = network_loss(&network, samples, plan.threads, blend);
        let training = self.stretch.loss / self.stretch.positions.max(1) as f64;
        state.curve.push(Point { epochs, training, validation, quantized });
        self.stretch = Stretch::default();
    }
}

/// The mean loss of a network in whole numbers.
pub fn network_loss(network: &Network, samples: &[Sample], threads: usize, blend: Blend) -> f64 {
    mean_loss(samples, threads, |_, sample| {
        let value = sample.value_by(network) as f32 / blend.scale_cp;
        f64::from(expectation(value) - blend.target(sample)).powi(2)
    })
}

/// What was learned since the losses were measured last.
#[derive(Default)]
struct Stretch {
    positions: u64,
    loss: f64,
}

impl Stretch {
    fn add(&mut self, loss: f64, positions: usize) {
        self.loss += loss;
        self.positions += positions as u64;
    }
}

/// Adds the gradients of a batch to those of the threads; returns the sum of the losses.
fn learn_batch(weights: &Rows, batch: &[Sample], blend: Blend, gradients: &mut [Rows]) -> f64 {
    let share = batch.len().div_ceil(gradients.len());
    std::thread::scope(|scope| {
        let tasks: Vec<_> = batch
            .chunks(share.max(1))
            .zip(gradients)
            .map(|(samples, gradients)| {
                scope.spawn(move || {
                    let mut workspace = Workspace::default();
                    let mut loss = 0.0;
                    for samples in samples.chunks(Workspace::POSITIONS) {
                        samples.iter().for_each(|sample| workspace.add(sample, blend.target(sample)));
                        loss += weights.learn(&mut workspace, gradients);
                    }
                    loss
                })
            })
            .collect();
        tasks.into_iter().map(joined).sum()
    })
}

/// The mean of a loss over positions, each with its number.
pub fn mean_loss(samples: &[Sample], threads: usize, loss: impl Fn(usize, &Sample) -> f64 + Sync) -> f64 {
    let share = samples.len().div_ceil(threads.max(1)).max(1);
    let loss = &loss;
    let total: f64 = std::thread::scope(|scope| {
        let parts = samples.chunks(share).enumerate();
        let tasks: Vec<_> = parts
            .map(|(part, samples)| {
                scope.spawn(move || {
                    let numbered = samples.iter().enumerate();
                    numbered.map(|(number, sample)| loss(part * share + number, sample)).sum::<f64>()
                })
            })
            .collect();
        tasks.into_iter().map(joined).sum()
    });
    total / samples.len().max(1) as f64
}

/// What a thread has found; if it panicked, so does this one.
pub fn joined<T>(task: std::thread::ScopedJoinHandle<'_, T>) -> T {
    task.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}
