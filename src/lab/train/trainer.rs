//! Learning: epoch after epoch, batch after batch, on all threads. Called by `run` and by tests.
//!
//! Each thread takes its share of a batch and adds up slopes of its own; then each thread takes its share of the rows,
//! adds up what all have found and moves the weights. Nothing depends on who is faster: the same seed and number of
//! threads give the same weights, and a run that goes on from a checkpoint ends like one that was never interrupted.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;

use super::adam::Step;
use super::checkpoint::{Point, State};
use super::dataset::{Source, Survey, mix};
use super::model::{Desk, Rows};
use super::sample::Sample;
use super::schedule::Schedule;
use super::target::Blend;
use crate::base::Error;

/// What shapes the learning.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// How often to go through all positions.
    pub epochs: u32,
    /// How often the losses are measured in each epoch.
    pub points: u32,
    /// Positions for one step.
    pub batch: usize,
    /// How long the steps are.
    pub schedule: Schedule,
    /// By which part of itself a weight shrinks, times the rate.
    pub decay: f32,
    /// How targets are made.
    pub blend: Blend,
    /// Seed of the order.
    pub seed: u64,
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
    /// Time that took, reading and validation not counted.
    pub time: Duration,
}

/// Who follows a run.
pub trait Watcher {
    /// A batch is done.
    fn batch(&mut self, moment: &Moment);
    /// The losses have been measured within an epoch.
    fn point(&mut self, state: &State, moment: &Moment);
    /// An epoch is done and the losses have been measured; `better` if validation has never been as good at the end of
    /// one. The state may be saved now.
    fn epoch(&mut self, state: &State, moment: &Moment, better: bool) -> Result<(), Error>;
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
    let mut slopes = vec![Rows::zero(); plan.threads.max(1)];
    let (mut learned, mut time) = (0, Duration::ZERO);
    while state.epoch < plan.epochs {
        let epoch = state.epoch + 1;
        let (mut positions, mut loss) = (0, 0.0);
        let mut stretch = Stretch::default();
        let mut moment = Moment { epoch, positions, loss, learned, time };
        for part in 0..survey.parts {
            let samples = source.part(survey, epoch, part)?;
            let order = order(samples.len(), plan.seed, epoch, part);
            // Batches of nearly one size: a short one at the end would count as much as the others.
            let batches = (samples.len() as f64 / plan.batch as f64).round().max(1.0) as usize;
            for batch in order.chunks(order.len().div_ceil(batches).max(1)) {
                if stop.load(Relaxed) {
                    return Ok(());
                }
                let start = Instant::now();
                let of_batch = learn_batch(&state.weights, &samples, batch, plan.blend, &mut slopes);
                let step = Step {
                    rate: plan.schedule.rate(state.adam.steps),
                    decay: plan.decay,
                    share: 1.0 / batch.len() as f32,
                };
                state.adam.step(&mut state.weights, &mut slopes, step);
                loss += of_batch;
                stretch.add(of_batch, batch.len());
                positions += batch.len() as u64;
                learned += batch.len() as u64;
                time += start.elapsed();
                moment = Moment { epoch, positions, loss: loss / positions as f64, learned, time };
                watcher.batch(&moment);
                // The last point of an epoch is its end.
                let part = positions as f64 / survey.positions as f64;
                if stretch.is_over(part, plan.points) && part < 1.0 - 0.5 / f64::from(plan.points) {
                    measure(state, survey, plan, f64::from(epoch - 1) + part, &mut stretch);
                    watcher.point(state, &moment);
                }
            }
        }
        let validation = measure(state, survey, plan, f64::from(epoch), &mut stretch);
        let better = validation < state.best;
        state.best = state.best.min(validation);
        state.epoch = epoch;
        watcher.epoch(state, &moment, better)?;
    }
    Ok(())
}

/// What was learned since the losses were measured last in an epoch.
#[derive(Default)]
struct Stretch {
    points: u32,
    positions: u64,
    loss: f64,
}

impl Stretch {
    fn add(&mut self, loss: f64, positions: usize) {
        self.loss += loss;
        self.positions += positions as u64;
    }

    /// Whether it is time for the next of so many points, with this part of the epoch done.
    fn is_over(&self, part: f64, points: u32) -> bool {
        part >= f64::from(self.points + 1) / f64::from(points)
    }
}

/// Adds a point to the curve, with which the next stretch begins; returns the loss on the positions of other games.
fn measure(state: &mut State, survey: &Survey, plan: &Plan, epochs: f64, stretch: &mut Stretch) -> f64 {
    let validation = mean_loss(&survey.validation, plan.threads, |_, sample| {
        f64::from(state.weights.loss(sample, plan.blend.target(sample)))
    });
    let training = stretch.loss / stretch.positions.max(1) as f64;
    state.curve.push(Point { epochs, training, validation });
    *stretch = Stretch { points: stretch.points + 1, ..Stretch::default() };
    validation
}

/// The order of the positions of a part: by chance, but the same every time.
fn order(count: usize, seed: u64, epoch: u32, part: u64) -> Vec<u32> {
    let mut order: Vec<u32> = (0..count as u32).collect();
    order.shuffle(&mut StdRng::seed_from_u64(mix(seed ^ mix(u64::from(epoch) << 32 | part))));
    order
}

/// Adds the slopes of a batch to those of the threads; returns the sum of the losses.
fn learn_batch(weights: &Rows, samples: &[Sample], batch: &[u32], blend: Blend, slopes: &mut [Rows]) -> f64 {
    let share = batch.len().div_ceil(slopes.len());
    std::thread::scope(|scope| {
        let tasks: Vec<_> = batch
            .chunks(share.max(1))
            .zip(slopes)
            .map(|(numbers, slopes)| {
                scope.spawn(move || {
                    let mut desk = Desk::default();
                    let mut loss = 0.0;
                    for numbers in numbers.chunks(Desk::POSITIONS) {
                        for &number in numbers {
                            let sample = &samples[number as usize];
                            desk.lay(sample, blend.target(sample));
                        }
                        loss += weights.learn(&mut desk, slopes);
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
