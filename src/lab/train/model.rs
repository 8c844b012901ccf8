//! The network in floating point, and how wrong it is about positions and in which direction it should move.
//!
//! Everything is rows of one number for each neuron: a row for each input, one of biases, two for each output, and one
//! whose first numbers are the biases of the outputs. So values, slopes and the memories of the optimizer have the same
//! form, and every loop is over rows.
//!
//! A row is cut into bands of neurons, and all rows of a band lie together. Many positions at a time ([`Desk`]) go
//! through one band and then the next: the rows of one band fit into a core's own cache, those of all bands do not, and
//! fetching them takes longer than adding them up. `trainer` lets each thread add up slopes in its own [`Rows`].

use rand::Rng;

use super::sample::{Inputs, Sample};
use crate::eval::nnue::architecture::{
    HIDDEN, INPUT_LIMIT, INPUTS, OUTPUT_BUCKETS, OUTPUT_LIMIT, OUTPUT_UNIT, UNIT,
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
}

/// The row of biases, behind those of the inputs.
pub const BIAS: usize = INPUTS;
/// The first row of the first output; the side to move first, then the other side, then the next output.
pub const OUTPUTS: usize = BIAS + 1;
/// The row with the biases of the outputs, in the first band; those of the others mean nothing.
pub const OUTPUT_BIAS: usize = OUTPUTS + 2 * OUTPUT_BUCKETS;
/// How many rows a band has.
pub const ROWS: usize = OUTPUT_BIAS + 1;

/// How far from zero input weights and biases may go, so that they can be written as whole numbers.
pub const INPUT_RANGE: f32 = INPUT_LIMIT as f32 / UNIT as f32;
/// The same for output weights.
pub const OUTPUT_RANGE: f32 = OUTPUT_LIMIT as f32 / OUTPUT_UNIT as f32;

/// The rows of all bands, one band after the other.
#[derive(Clone, Debug, PartialEq)]
pub struct Rows(pub Vec<Row>);

impl Rows {
    /// Nothing anywhere.
    pub fn zero() -> Rows {
        Rows(vec![Row::ZERO; BANDS * ROWS])
    }

    /// Where learning begins: small numbers by chance, so that no two neurons are alike.
    pub fn random(random: &mut impl Rng) -> Rows {
        const INPUT_SPREAD: f32 = 0.08;
        const INPUT_BIAS: f32 = 0.15;
        let output_spread = (2.0 * HIDDEN as f32).sqrt().recip();
        let mut rows = Rows::zero();
        for (place, row) in rows.0.iter_mut().enumerate() {
            let (center, spread) = match place % ROWS {
                ..BIAS => (0.0, INPUT_SPREAD),
                BIAS => (INPUT_BIAS, INPUT_SPREAD),
                OUTPUTS..OUTPUT_BIAS => (0.0, output_spread),
                _ => continue,
            };
            row.0.fill_with(|| center + spread * random.random_range(-1.0..1.0));
        }
        rows
    }

    /// Gives inputs by chance to neurons that have none, as those have that a network was widened by. They have no say
    /// until they have learned.
    pub fn wake_idle_neurons(&mut self, random: &mut impl Rng) {
        let fresh = Rows::random(random);
        for neuron in 0..HIDDEN {
            if (0..OUTPUT_BIAS).all(|row| self.number(row, neuron) == 0.0) {
                (0..=BIAS).for_each(|row| *self.number_mut(row, neuron) = fresh.number(row, neuron));
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

    /// The same, to change.
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

    /// The sum of the losses of all positions on a desk, which is cleared; their slopes are added to `slopes`.
    pub fn learn(&self, desk: &mut Desk, slopes: &mut Rows) -> f64 {
        for band in 0..BANDS {
            let rows = self.band(band);
            for lesson in &mut desk.lessons {
                for (side, inputs) in lesson.inputs.iter().enumerate() {
                    let neurons = neurons(rows, inputs);
                    lesson.value += weigh(&neurons, &rows[lesson.outputs + side]);
                    desk.neurons.push(neurons);
                }
            }
        }
        let mut loss = 0.0;
        for lesson in &mut desk.lessons {
            let bucket = (lesson.outputs - OUTPUTS) / 2;
            let expected = expectation(lesson.value + self.number(OUTPUT_BIAS, bucket));
            let error = expected - lesson.target;
            lesson.slope = 2.0 * error * expected * (1.0 - expected);
            *slopes.number_mut(OUTPUT_BIAS, bucket) += lesson.slope;
            loss += f64::from(error * error);
        }
        let mut neurons = desk.neurons.iter();
        for band in 0..BANDS {
            let (rows, slopes) = (self.band(band), slopes.band_mut(band));
            for lesson in &desk.lessons {
                for ((side, inputs), neurons) in lesson.inputs.iter().enumerate().zip(&mut neurons) {
                    let output = lesson.outputs + side;
                    let at_neurons = backward(neurons, &rows[output], lesson.slope, &mut slopes[output]);
                    add(&mut slopes[BIAS], &at_neurons);
                    for &input in inputs {
                        add(&mut slopes[usize::from(input)], &at_neurons);
                    }
                }
            }
        }
        desk.lessons.clear();
        desk.neurons.clear();
        loss
    }
}

/// A position that is being learned from.
struct Lesson {
    inputs: [Inputs; 2],
    /// The first row of the output that judges it.
    outputs: usize,
    target: f32,
    /// What the network says about it, as far as that is added up.
    value: f32,
    /// The slope of its loss in the value.
    slope: f32,
}

/// Where positions lie that are learned from together, and their neurons.
#[derive(Default)]
pub struct Desk {
    lessons: Vec<Lesson>,
    /// By band, position and side.
    neurons: Vec<Row>,
}

impl Desk {
    /// Positions worth learning from together: enough that most rows of a band are used several times.
    pub const POSITIONS: usize = 128;

    /// Lays a position on the desk, and the result to expect of it.
    pub fn lay(&mut self, sample: &Sample, target: f32) {
        let outputs = OUTPUTS + 2 * sample.bucket();
        self.lessons.push(Lesson { inputs: sample.inputs(), outputs, target, value: 0.0, slope: 0.0 });
    }
}

/// The neurons of one side in a band, before they are clipped.
#[inline(always)]
fn neurons(rows: &[Row], inputs: &Inputs) -> Row {
    let mut sums = rows[BIAS];
    for &input in inputs {
        add(&mut sums, &rows[usize::from(input)]);
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

/// Adds the slopes of the output weights to `weight_slopes`; returns those of the neurons.
#[inline(always)]
fn backward(neurons: &Row, weights: &Row, slope: f32, weight_slopes: &mut Row) -> Row {
    let mut at_neurons = Row::ZERO;
    for neuron in 0..BAND {
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

    #[test]
    fn idle_neurons_wake_and_change_nothing_yet() {
        let mut rows = Rows::random(&mut StdRng::seed_from_u64(5));
        let idle = [3, HIDDEN - 1];
        for neuron in idle {
            (0..OUTPUT_BIAS).for_each(|row| *rows.number_mut(row, neuron) = 0.0);
        }
        let before = rows.clone();
        rows.wake_idle_neurons(&mut StdRng::seed_from_u64(6));
        for neuron in 0..HIDDEN {
            let inputs =
                (0..=BIAS).filter(|&row| rows.number(row, neuron) != before.number(row, neuron)).count();
            assert_eq!(inputs > INPUTS / 2, idle.contains(&neuron), "{neuron}");
            assert!((OUTPUTS..OUTPUT_BIAS).all(|row| rows.number(row, neuron) == before.number(row, neuron)));
        }
        let sample = Sample::new(Position::start().board(), 0, 1).unwrap();
        assert_eq!(rows.value(&sample), before.value(&sample));
    }

    /// Every kind of slope against the change of the loss when that number moves a little.
    #[test]
    fn slopes_are_what_small_steps_change() {
        let fens = [
            ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1", 0.9),
            ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 0.2),
        ];
        let lessons = fens.map(|(fen, target)| {
            (Sample::new(Position::from_fen(fen).unwrap().board(), 0, 1).unwrap(), target)
        });
        let mut rows = Rows::random(&mut StdRng::seed_from_u64(4));
        let (mut slopes, mut desk) = (Rows::zero(), Desk::default());
        lessons.iter().for_each(|(sample, target)| desk.lay(sample, *target));
        let loss = rows.learn(&mut desk, &mut slopes);
        let sum =
            |rows: &Rows| lessons.iter().map(|(sample, target)| rows.loss(sample, *target)).sum::<f32>();
        assert!((loss - f64::from(sum(&rows))).abs() < 1e-6);
        assert_eq!(desk.lessons.len() + desk.neurons.len(), 0);
        let all: Vec<u16> = lessons.iter().flat_map(|(sample, _)| sample.inputs()).flatten().collect();
        let outputs = lessons.each_ref().map(|(sample, _)| OUTPUTS + 2 * sample.bucket());
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
                let slope = (at(number + step) - at(number - step)) / (2.0 * step);
                at(number);
                let found = slopes.number(row, neuron);
                assert!((slope - found).abs() < 2e-3 + 0.1 * found.abs(), "{row} {neuron}: {slope} {found}");
                checked += usize::from(found != 0.0);
            }
        }
        assert!(checked > 30, "only {checked} slopes were not zero");
        let silent = (0..INPUTS).find(|input| !all.contains(&(*input as u16))).unwrap();
        assert!((0..HIDDEN).all(|neuron| slopes.number(silent, neuron) == 0.0));
    }
}
