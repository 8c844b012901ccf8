//! The network in floating point, and how wrong it is about a position and in which direction it should move.
//!
//! Everything is rows of one number for each neuron: a row for each input, one of biases, two for each output, and one
//! whose first numbers are the biases of the outputs. So values, slopes and the memories of the optimizer have the same
//! form, and every loop is over rows. `trainer` lets each thread add up slopes in its own [`Rows`].

use rand::Rng;

use super::sample::{Inputs, Sample};
use crate::eval::nnue::architecture::{
    HIDDEN, INPUT_LIMIT, INPUTS, OUTPUT_BUCKETS, OUTPUT_LIMIT, OUTPUT_UNIT, UNIT,
};

/// A number for each neuron.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub struct Row(pub [f32; HIDDEN]);

impl Row {
    /// Nothing.
    pub const ZERO: Row = Row([0.0; HIDDEN]);
}

/// The row of biases, behind those of the inputs.
pub const BIAS: usize = INPUTS;
/// The first row of the first output; the side to move first, then the other side, then the next output.
pub const OUTPUTS: usize = BIAS + 1;
/// The row with the biases of the outputs.
pub const OUTPUT_BIAS: usize = OUTPUTS + 2 * OUTPUT_BUCKETS;
/// How many rows there are.
pub const ROWS: usize = OUTPUT_BIAS + 1;

/// How far from zero input weights and biases may go, so that they can be written as whole numbers.
pub const INPUT_RANGE: f32 = INPUT_LIMIT as f32 / UNIT as f32;
/// The same for output weights.
pub const OUTPUT_RANGE: f32 = OUTPUT_LIMIT as f32 / OUTPUT_UNIT as f32;

/// Rows, all of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Rows(pub Vec<Row>);

impl Rows {
    /// Nothing anywhere.
    pub fn zero() -> Rows {
        Rows(vec![Row::ZERO; ROWS])
    }

    /// Where learning begins: small numbers by chance, so that no two neurons are alike.
    pub fn random(random: &mut impl Rng) -> Rows {
        const INPUT_SPREAD: f32 = 0.08;
        const BIAS: f32 = 0.15;
        let output_spread = (2.0 * HIDDEN as f32).sqrt().recip();
        let mut rows = Rows::zero();
        let mut fill = |rows: &mut [Row], center: f32, spread: f32| {
            let numbers = rows.iter_mut().flat_map(|row| &mut row.0);
            numbers.for_each(|number| *number = center + spread * random.random_range(-1.0..1.0));
        };
        fill(&mut rows.0[..INPUTS], 0.0, INPUT_SPREAD);
        fill(&mut rows.0[INPUTS..OUTPUTS], BIAS, INPUT_SPREAD);
        fill(&mut rows.0[OUTPUTS..OUTPUT_BIAS], 0.0, output_spread);
        rows
    }

    /// The neurons of one side before they are clipped.
    #[inline]
    fn neurons(&self, inputs: &Inputs) -> Row {
        // As many numbers as stay in registers while rows are added.
        const TILE: usize = 64;
        let mut neurons = Row::ZERO;
        for start in (0..HIDDEN).step_by(TILE) {
            let mut tile = [0.0; TILE];
            tile.copy_from_slice(&self.0[BIAS].0[start..start + TILE]);
            for &input in inputs {
                let row = &self.0[usize::from(input)].0[start..start + TILE];
                for (sum, weight) in tile.iter_mut().zip(row) {
                    *sum += weight;
                }
            }
            neurons.0[start..start + TILE].copy_from_slice(&tile);
        }
        neurons
    }

    /// What the network says about a position, in logistic units.
    pub fn value(&self, sample: &Sample) -> f32 {
        let bucket = sample.bucket();
        let [ours, theirs] = sample.inputs();
        let outputs = OUTPUTS + 2 * bucket;
        weigh(&self.neurons(&ours), &self.0[outputs])
            + weigh(&self.neurons(&theirs), &self.0[outputs + 1])
            + self.0[OUTPUT_BIAS].0[bucket]
    }

    /// How wrong the network is about a position: the square of the error of the expected result.
    pub fn loss(&self, sample: &Sample, target: f32) -> f32 {
        (expectation(self.value(sample)) - target).powi(2)
    }

    /// The same; beside it the slopes of the loss are added to `slopes`.
    pub fn learn(&self, sample: &Sample, target: f32, slopes: &mut Rows) -> f32 {
        let bucket = sample.bucket();
        let inputs = sample.inputs();
        let outputs = OUTPUTS + 2 * bucket;
        let neurons = [self.neurons(&inputs[0]), self.neurons(&inputs[1])];
        let value = weigh(&neurons[0], &self.0[outputs])
            + weigh(&neurons[1], &self.0[outputs + 1])
            + self.0[OUTPUT_BIAS].0[bucket];
        let expected = expectation(value);
        let error = expected - target;
        let slope = 2.0 * error * expected * (1.0 - expected);
        slopes.0[OUTPUT_BIAS].0[bucket] += slope;
        for (side, (inputs, neurons)) in inputs.iter().zip(&neurons).enumerate() {
            let at_neurons = backward(neurons, &self.0[outputs + side], slope, &mut slopes.0[outputs + side]);
            add(&mut slopes.0[BIAS], &at_neurons);
            for &input in inputs {
                add(&mut slopes.0[usize::from(input)], &at_neurons);
            }
        }
        error * error
    }
}

/// The expected result at a value.
#[inline(always)]
pub fn expectation(value: f32) -> f32 {
    1.0 / (1.0 + (-value).exp())
}

/// The sum of clipped and squared neurons times weights, in sums that vectors can hold.
#[inline(always)]
fn weigh(neurons: &Row, weights: &Row) -> f32 {
    const LANES: usize = 32;
    let mut sums = [0.0f32; LANES];
    let (neurons, _) = neurons.0.as_chunks::<LANES>();
    let (weights, _) = weights.0.as_chunks::<LANES>();
    for (neurons, weights) in neurons.iter().zip(weights) {
        for lane in 0..LANES {
            let activation = neurons[lane].clamp(0.0, 1.0);
            sums[lane] += activation * activation * weights[lane];
        }
    }
    sums.iter().sum()
}

/// Adds the slopes of the output weights to `weight_slopes`; returns those of the neurons.
#[inline(always)]
fn backward(neurons: &Row, weights: &Row, slope: f32, weight_slopes: &mut Row) -> Row {
    let mut at_neurons = Row::ZERO;
    for neuron in 0..HIDDEN {
        let activation = neurons.0[neuron].clamp(0.0, 1.0);
        weight_slopes.0[neuron] += slope * activation * activation;
        // Beyond the clip nothing changes any more.
        let open = if activation == neurons.0[neuron] { slope } else { 0.0 };
        at_neurons.0[neuron] = 2.0 * open * activation * weights.0[neuron];
    }
    at_neurons
}

#[inline(always)]
fn add(target: &mut Row, row: &Row) {
    for (sum, number) in target.0.iter_mut().zip(&row.0) {
        *sum += number;
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use rand::SeedableRng;
    use rand::rngs::StdRng;

    use super::*;
    use crate::chess::Position;

    /// Every kind of slope against the change of the loss when that number moves a little.
    #[test]
    fn slopes_are_what_small_steps_change() {
        let position =
            Position::from_fen("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1")
                .unwrap();
        let sample = Sample::new(position.board(), 0, 1).unwrap();
        let target = 0.9;
        let mut rows = Rows::random(&mut StdRng::seed_from_u64(4));
        let mut slopes = Rows::zero();
        let loss = rows.learn(&sample, target, &mut slopes);
        assert!((loss - rows.loss(&sample, target)).abs() < 1e-6);
        let [ours, theirs] = sample.inputs();
        let outputs = OUTPUTS + 2 * sample.bucket();
        let watched = [usize::from(ours[3]), usize::from(theirs[5]), BIAS, outputs, outputs + 1];
        let mut checked = 0;
        for row in watched {
            for neuron in (0..HIDDEN).step_by(17) {
                let step = 1e-2;
                let number = rows.0[row].0[neuron];
                let mut at = |value: f32| {
                    rows.0[row].0[neuron] = value;
                    rows.loss(&sample, target)
                };
                let slope = (at(number + step) - at(number - step)) / (2.0 * step);
                at(number);
                let found = slopes.0[row].0[neuron];
                assert!((slope - found).abs() < 2e-3 + 0.1 * found.abs(), "{row} {neuron}: {slope} {found}");
                checked += usize::from(found != 0.0);
            }
        }
        assert!(checked > 30, "only {checked} slopes were not zero");
        let silent =
            (0..INPUTS).find(|input| !ours.contains(&(*input as u16)) && !theirs.contains(&(*input as u16)));
        assert_eq!(slopes.0[silent.unwrap()], Row::ZERO);
    }
}
