//! The network in floating point, and how wrong it is about positions and in which direction it should move.
//!
//! Everything is rows of one number for each neuron: a row for each input, one of biases, two for each output, and one
//! whose first numbers are the biases of the outputs. So values, gradients and the memories of the optimizer have the same
//! form, and every loop is over rows.
//!
//! A row is cut into bands of neurons, and all rows of a band lie together. Many positions at a time ([`Workspace`]) go
//! through one band and then the next: the rows of one band fit into a core's own cache, those of all bands do not, and
//! fetching them takes longer than adding them up. `trainer` lets each thread add up gradients in its own [`Rows`].

use rand::Rng;

use super::sample::{Inputs, Sample};
use crate::eval::nnue::architecture::{
    HIDDEN, INPUT_LIMIT, INPUTS, KING_BUCKETS, MEN_INPUTS, OUTPUT_BUCKETS, OUTPUT_LIMIT, OUTPUT_UNIT, UNIT,
};

/// Neurons of a band: as many sums as stay in registers while rows are added.
pub const BAND: usize = 64;
/// How many bands there are.
pub const BANDS: usize = HIDDEN / BAND;
const _: () = assert!(HIDDEN.is_multiple_of(BAND) && OUTPUT_BUCKETS <= BAND);

/// A number for each neuron of a band.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub struct Row(pub [f32; BAND]);

impl Row {
    /// Nothing.
    pub const ZERO: Row = Row([0.0; BAND]);

    /// Adds another row.
    #[inline(always)]
    pub fn add(&mut self, other: &Row) {
        self.0.iter_mut().zip(&other.0).for_each(|(sum, number)| *sum += number);
    }

    /// Takes another row away.
    #[inline(always)]
    pub fn subtract(&mut self, other: &Row) {
        self.0.iter_mut().zip(&other.0).for_each(|(sum, number)| *sum -= number);
    }
}

/// The row of biases, behind those of the inputs.
pub const BIAS: usize = INPUTS;
/// The first row of the first output; the side to move first, then the other side, then the next output.
pub const OUTPUTS: usize = BIAS + 1;
/// The row with the biases of the outputs, in the first band; those of the others mean nothing.
pub const OUTPUT_BIAS: usize = OUTPUTS + 2 * OUTPUT_BUCKETS;
/// The first row of the factorizer: what all sets of input weights for king squares have in common, a row for each input
/// of a set. The rows of the inputs already contain it. With a single set there is none.
pub const FACTORIZER: usize = OUTPUT_BIAS + 1;
/// How many rows a band has.
pub const ROWS: usize = FACTORIZER + if KING_BUCKETS > 1 { MEN_INPUTS } else { 0 };

/// How far from zero input weights and biases may go, so that they can be written as whole numbers.
pub const INPUT_RANGE: f32 = INPUT_LIMIT as f32 / UNIT as f32;
/// How far from zero output weights may go.
pub const OUTPUT_RANGE: f32 = OUTPUT_LIMIT as f32 / OUTPUT_UNIT as f32;

/// The rows of all bands, one band after the other.
#[derive(Clone, Debug, PartialEq)]
pub struct Rows(pub Vec<Row>);

impl Rows {
    /// Nothing anywhere.
    pub fn zero() -> Rows {
        Rows(vec![Row::ZERO; BANDS * ROWS])
    }

    /// Where learning begins: small random numbers, so that no two neurons are alike. All sets of input weights begin
    /// as one.
    pub fn random(random: &mut impl Rng) -> Rows {
        const INPUT_SPREAD: f32 = 0.08;
        const INPUT_BIAS: f32 = 0.15;
        let output_spread = (2.0 * HIDDEN as f32).sqrt().recip();
        let mut rows = Rows::zero();
        for band in rows.0.chunks_mut(ROWS) {
            for (place, row) in band.iter_mut().enumerate() {
                let (center, spread) = match place {
                    ..MEN_INPUTS => (0.0, INPUT_SPREAD),
                    BIAS => (INPUT_BIAS, INPUT_SPREAD),
                    OUTPUTS..OUTPUT_BIAS => (0.0, output_spread),
                    _ => continue,
                };
                row.0.fill_with(|| center + spread * random.random_range(-1.0..1.0));
            }
            let (first_set, others) = band.split_at_mut(MEN_INPUTS);
            let others = others[..INPUTS - MEN_INPUTS].chunks_mut(MEN_INPUTS);
            others.for_each(|set| set.copy_from_slice(first_set));
        }
        rows.share_sets();
        rows
    }

    /// Fills the factorizer with the mean of all sets of input weights.
    pub fn share_sets(&mut self) {
        for band in self.0.chunks_mut(ROWS) {
            let (inputs, rest) = band.split_at_mut(INPUTS);
            for (input, shared) in rest[FACTORIZER - INPUTS..].iter_mut().enumerate() {
                *shared = Row::ZERO;
                inputs.iter().skip(input).step_by(MEN_INPUTS).for_each(|row| shared.add(row));
                shared.0.iter_mut().for_each(|number| *number /= KING_BUCKETS as f32);
            }
        }
    }

    /// The rows of a band.
    #[inline(always)]
    fn band(&self, band: usize) -> &[Row] {
        &self.0[band * ROWS..(band + 1) * ROWS]
    }

    #[inline(always)]
    fn band_mut(&mut self, band: usize) -> &mut [Row] {
        &mut self.0[band * ROWS..(band + 1) * ROWS]
    }

    /// The number of a row for a neuron.
    pub fn number(&self, row: usize, neuron: usize) -> f32 {
        self.band(neuron / BAND)[row].0[neuron % BAND]
    }

    /// The number of a row for a neuron, to change.
    pub fn number_mut(&mut self, row: usize, neuron: usize) -> &mut f32 {
        &mut self.band_mut(neuron / BAND)[row].0[neuron % BAND]
    }

    /// What the network says about a position, in logistic units.
    pub fn value(&self, sample: &Sample) -> f32 {
        let inputs = sample.inputs();
        let outputs = OUTPUTS + 2 * sample.bucket();
        let mut value = self.number(OUTPUT_BIAS, sample.bucket());
        for band in 0..BANDS {
            let rows = self.band(band);
            for (side, inputs) in inputs.iter().enumerate() {
                value += weigh(&neurons(rows, inputs), &rows[outputs + side]);
            }
        }
        value
    }

    /// How wrong the network is about a position: the square of the error of the expected result.
    pub fn loss(&self, sample: &Sample, target: f32) -> f32 {
        (expectation(self.value(sample)) - target).powi(2)
    }

    /// The sum of the losses of all positions in the workspace, which is cleared; their gradients are added to `gradients`.
    pub fn learn(&self, workspace: &mut Workspace, gradients: &mut Rows) -> f64 {
        for band in 0..BANDS {
            let rows = self.band(band);
            for example in &mut workspace.examples {
                for (side, inputs) in example.inputs.iter().enumerate() {
                    let neurons = neurons(rows, inputs);
                    example.value += weigh(&neurons, &rows[example.outputs + side]);
                    workspace.neurons.push(neurons);
                }
            }
        }
        let mut loss = 0.0;
        for example in &mut workspace.examples {
            let bucket = (example.outputs - OUTPUTS) / 2;
            let expected = expectation(example.value + self.number(OUTPUT_BIAS, bucket));
            let error = expected - example.target;
            example.gradient = 2.0 * error * expected * (1.0 - expected);
            *gradients.number_mut(OUTPUT_BIAS, bucket) += example.gradient;
            loss += f64::from(error * error);
        }
        let mut neurons = workspace.neurons.iter();
        for band in 0..BANDS {
            let (rows, gradients) = (self.band(band), gradients.band_mut(band));
            for example in &workspace.examples {
                for ((side, inputs), neurons) in example.inputs.iter().enumerate().zip(&mut neurons) {
                    let output = example.outputs + side;
                    let at_neurons =
                        backward(neurons, &rows[output], example.gradient, &mut gradients[output]);
                    gradients[BIAS].add(&at_neurons);
                    for &input in inputs {
                        gradients[usize::from(input)].add(&at_neurons);
                    }
                }
            }
        }
        workspace.examples.clear();
        workspace.neurons.clear();
        loss
    }
}

/// A position that is being learned from.
struct Example {
    inputs: [Inputs; 2],
    /// The first row of the output that judges it.
    outputs: usize,
    target: f32,
    /// What the network says about it, as far as that is added up.
    value: f32,
    /// The gradient of its loss in the value.
    gradient: f32,
}

/// Positions that are learned from together, and their neurons.
#[derive(Default)]
pub struct Workspace {
    examples: Vec<Example>,
    /// By band, position and side.
    neurons: Vec<Row>,
}

impl Workspace {
    /// Positions worth learning from together: enough that most rows of a band are used several times.
    pub const POSITIONS: usize = 128;

    /// Adds a position and the result to expect of it.
    pub fn add(&mut self, sample: &Sample, target: f32) {
        let outputs = OUTPUTS + 2 * sample.bucket();
        self.examples.push(Example { inputs: sample.inputs(), outputs, target, value: 0.0, gradient: 0.0 });
    }
}

/// The neurons of one side in a band, before they are clipped.
#[inline(always)]
fn neurons(rows: &[Row], inputs: &Inputs) -> Row {
    let mut sums = rows[BIAS];
    for &input in inputs {
        sums.add(&rows[usize::from(input)]);
    }
    sums
}

/// The expected result at a value.
#[inline(always)]
pub fn expectation(value: f32) -> f32 {
    1.0 / (1.0 + (-value).exp())
}

/// The sum of clipped and squared neurons times weights, in sums that vectors can hold.
#[inline(always)]
fn weigh(neurons: &Row, weights: &Row) -> f32 {
    const LANES: usize = 16;
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

/// Adds the gradients of the output weights to `weight_gradients`; returns those of the neurons.
#[inline(always)]
fn backward(neurons: &Row, weights: &Row, gradient: f32, weight_gradients: &mut Row) -> Row {
    let mut at_neurons = Row::ZERO;
    for neuron in 0..BAND {
        let activation = neurons.0[neuron].clamp(0.0, 1.0);
        weight_gradients.0[neuron] += gradient * activation * activation;
        // Beyond the clip nothing changes any more.
        let open = if activation == neurons.0[neuron] { gradient } else { 0.0 };
        at_neurons.0[neuron] = 2.0 * open * activation * weights.0[neuron];
    }
    at_neurons
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use rand::SeedableRng;
    use rand::rngs::StdRng;

    use super::*;
    use crate::chess::Position;

    /// Every kind of gradient against the change of the loss when that number moves a little.
    #[test]
    fn gradients_are_what_small_steps_change() {
        let fens = [
            ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1", 0.9),
            ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 0.2),
        ];
        let examples = fens.map(|(fen, target)| {
            (Sample::new(Position::from_fen(fen).unwrap().board(), 0, 1).unwrap(), target)
        });
        let mut rows = Rows::random(&mut StdRng::seed_from_u64(4));
        let (mut gradients, mut workspace) = (Rows::zero(), Workspace::default());
        examples.iter().for_each(|(sample, target)| workspace.add(sample, *target));
        let loss = rows.learn(&mut workspace, &mut gradients);
        let sum =
            |rows: &Rows| examples.iter().map(|(sample, target)| rows.loss(sample, *target)).sum::<f32>();
        assert!((loss - f64::from(sum(&rows))).abs() < 1e-6);
        assert_eq!(workspace.examples.len() + workspace.neurons.len(), 0);
        let all: Vec<u16> = examples.iter().flat_map(|(sample, _)| sample.inputs()).flatten().collect();
        let outputs = examples.each_ref().map(|(sample, _)| OUTPUTS + 2 * sample.bucket());
        assert_ne!(outputs[0], outputs[1]);
        let watched =
            [usize::from(all[3]), usize::from(all[all.len() - 5]), BIAS, outputs[0], outputs[1] + 1];
        let mut checked = 0;
        for row in watched {
            for neuron in (0..HIDDEN).step_by(17) {
                let step = 1e-2;
                let number = rows.number(row, neuron);
                let mut at = |value: f32| {
                    *rows.number_mut(row, neuron) = value;
                    sum(&rows)
                };
                let gradient = (at(number + step) - at(number - step)) / (2.0 * step);
                at(number);
                let found = gradients.number(row, neuron);
                assert!(
                    (gradient - found).abs() < 2e-3 + 0.1 * found.abs(),
                    "{row} {neuron}: {gradient} {found}"
                );
                checked += usize::from(found != 0.0);
            }
        }
        assert!(checked > 30, "only {checked} gradients were not zero");
        let silent = (0..INPUTS).find(|input| !all.contains(&(*input as u16))).unwrap();
        assert!((0..HIDDEN).all(|neuron| gradients.number(silent, neuron) == 0.0));
    }
}
