//! The fit: Adam on batches of positions, held near the start where there is little data, stopped when positions of
//! other games get no better.
//!
//! Every number has a spread, the distance from its start that we would not be surprised by: steps are measured in
//! spreads, and the loss has a term that grows with the squared distance in spreads, as if each start value had been
//! measured once with that error. A number that few positions know stays where it was; one that many know does not
//! care. `run` calls [`fit`].

use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;

use super::objective::{Model, Objective};
use super::parameters;
use crate::base::Error;

/// How to fit.
pub struct Plan {
    /// How often to go through all positions.
    pub epochs: u32,
    /// After how many epochs without gain to stop.
    pub patience: u32,
    /// The length of the first steps, in spreads; the steps shrink to nothing along half a cosine.
    pub rate: f64,
    /// Positions for one step.
    pub batch: usize,
    /// The spread of a number that starts at zero, in its smallest steps; see [`parameters::spreads`].
    pub spread: f64,
    /// Seed of the order in which positions are visited.
    pub seed: u64,
}

/// The mean losses on both sets.
#[derive(Clone, Copy, Debug)]
pub struct Losses {
    /// On the positions that are fitted to.
    pub training: f64,
    /// On the positions of other games.
    pub validation: f64,
}

/// The numbers at some point of the fit, rounded as the engine will use them.
#[derive(Clone, Debug)]
pub struct State {
    /// The numbers.
    pub values: Vec<f64>,
    /// How wrong they are.
    pub losses: Losses,
    /// After how many epochs.
    pub epoch: u32,
}

/// Both sets.
pub struct Sets<'a, M: Model> {
    /// The positions to fit to.
    pub training: Objective<'a, M>,
    /// The positions that decide when to stop.
    pub validation: Objective<'a, M>,
    /// The smallest step of each number that the engine knows.
    pub grains: &'a [f64],
}

impl<M: Model> Sets<'_, M> {
    /// Rounds the numbers and measures them.
    pub fn measure(&self, values: &[f64], epoch: u32) -> State {
        let values = parameters::rounded(values, self.grains);
        let losses =
            Losses { training: self.training.loss(&values), validation: self.validation.loss(&values) };
        State { values, losses, epoch }
    }
}

/// Epochs between two measurements.
const MEASURE_EVERY: u32 = 5;

/// Fits and returns the best numbers found. `listen` hears every measurement and whether it is the best so far.
///
/// The numbers are held near `anchor`, which is where they start unless they have come some way already.
pub fn fit<M: Model>(
    sets: &Sets<M>,
    start: State,
    anchor: &[f64],
    plan: &Plan,
    mut listen: impl FnMut(&State, bool) -> Result<(), Error>,
) -> Result<State, Error> {
    let mut values = start.values.clone();
    let mut adam =
        Adam::new(anchor, parameters::spreads(anchor, plan.spread, sets.grains), sets.training.model.len());
    let mut order: Vec<u32> = (0..sets.training.model.len() as u32).collect();
    let mut random = StdRng::seed_from_u64(plan.seed);
    let mut best = start;
    for epoch in 1..=plan.epochs {
        order.shuffle(&mut random);
        let progress = (epoch - 1) as f64 / plan.epochs as f64;
        let rate = plan.rate * (1.0 + (std::f64::consts::PI * progress).cos()) / 2.0;
        for batch in order.chunks(plan.batch.max(1)) {
            let gradient = sets.training.gradient(batch, &values);
            adam.step(&mut values, &gradient, rate);
        }
        if epoch % MEASURE_EVERY == 0 || epoch == plan.epochs {
            let state = sets.measure(&values, epoch);
            let better = state.losses.validation < best.losses.validation;
            listen(&state, better)?;
            if better {
                best = state;
            } else if epoch - best.epoch >= plan.patience {
                break;
            }
        }
    }
    Ok(best)
}

/// The optimizer: steps of about equal length for every number, in its own spread, in the direction in which its slope
/// points steadily.
struct Adam {
    anchor: Vec<f64>,
    spreads: Vec<f64>,
    positions: f64,
    mean: Vec<f64>,
    square: Vec<f64>,
    steps: i32,
}

impl Adam {
    const MEAN_DECAY: f64 = 0.9;
    const SQUARE_DECAY: f64 = 0.999;
    /// Slopes much smaller than this are not blown up to full steps.
    const FLOOR: f64 = 1e-8;

    fn new(anchor: &[f64], spreads: Vec<f64>, positions: usize) -> Adam {
        Adam {
            anchor: anchor.to_vec(),
            spreads,
            positions: positions.max(1) as f64,
            mean: vec![0.0; anchor.len()],
            square: vec![0.0; anchor.len()],
            steps: 0,
        }
    }

    fn step(&mut self, values: &mut [f64], gradient: &[f64], rate: f64) {
        self.steps += 1;
        let mean_share = 1.0 - Adam::MEAN_DECAY.powi(self.steps);
        let square_share = 1.0 - Adam::SQUARE_DECAY.powi(self.steps);
        for (i, value) in values.iter_mut().enumerate() {
            let pull = (*value - self.anchor[i]) / self.spreads[i] / self.positions;
            let slope = gradient[i] * self.spreads[i] + pull;
            self.mean[i] += (1.0 - Adam::MEAN_DECAY) * (slope - self.mean[i]);
            self.square[i] += (1.0 - Adam::SQUARE_DECAY) * (slope * slope - self.square[i]);
            let typical = (self.square[i] / square_share).sqrt() + Adam::FLOOR;
            *value -= rate * self.spreads[i] * self.mean[i] / mean_share / typical;
        }
    }
}
