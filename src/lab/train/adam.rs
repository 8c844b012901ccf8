//! AdamW: each number moves by its own mean gradient, measured in the gradient's own spread, and shrinks a little. Used by
//! `trainer`, once a batch.

use super::model::{
    BAND, BANDS, FACTORIZER, INPUT_RANGE, OUTPUT_BIAS, OUTPUT_RANGE, OUTPUTS, ROWS, Row, Rows,
};
use crate::eval::nnue::architecture::{
    INPUTS, KING_BUCKETS, MEN_INPUTS, OUTPUT_BIAS_LIMIT, OUTPUT_UNIT, UNIT,
};

const MEAN_MEMORY: f32 = 0.9;
const SQUARE_MEMORY: f32 = 0.999;
const SMALL: f32 = 1e-8;
/// How far the biases of the outputs may go.
const OUTPUT_BIAS_RANGE: f32 = OUTPUT_BIAS_LIMIT as f32 / (UNIT as f32 * OUTPUT_UNIT as f32);

/// What is remembered of earlier gradients.
#[derive(Clone, Debug, PartialEq)]
pub struct Adam {
    /// Mean gradients.
    pub means: Rows,
    /// Mean squares of gradients.
    pub squares: Rows,
    /// Steps taken.
    pub steps: u64,
}

/// The length of a step and what else it is made of.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// The learning rate.
    pub rate: f32,
    /// By which part of itself a weight shrinks, times the rate.
    pub decay: f32,
    /// What the added-up gradients are multiplied by: one by the number of positions.
    pub share: f32,
}

impl Adam {
    /// Nothing remembered.
    pub fn new() -> Adam {
        Adam { means: Rows::zero(), squares: Rows::zero(), steps: 0 }
    }

    /// Takes a step against the gradients that the threads have added up, which become zero. Each thread does its share
    /// of the bands.
    pub fn step(&mut self, weights: &mut Rows, gradients: &mut [Rows], step: Step) {
        self.steps += 1;
        let corrections = [MEAN_MEMORY, SQUARE_MEMORY].map(|memory| {
            let forgotten = 1.0 - f64::from(memory).powi(self.steps.min(i32::MAX as u64) as i32);
            (1.0 / forgotten) as f32
        });
        let share = BANDS.div_ceil(gradients.len().max(1)) * ROWS;
        let mut shares: Vec<_> = gradients.iter_mut().map(|rows| rows.0.chunks_mut(share)).collect();
        let parts = weights
            .0
            .chunks_mut(share)
            .zip(self.means.0.chunks_mut(share))
            .zip(self.squares.0.chunks_mut(share));
        std::thread::scope(|scope| {
            for ((weights, means), squares) in parts {
                let mut gradients: Vec<&mut [Row]> = shares.iter_mut().filter_map(Iterator::next).collect();
                scope.spawn(move || {
                    for band in 0..weights.len() / ROWS {
                        let rows = band * ROWS..(band + 1) * ROWS;
                        let memory = (&mut means[rows.clone()], &mut squares[rows.clone()]);
                        let mut gradients: Vec<&mut [Row]> =
                            gradients.iter_mut().map(|all| &mut all[rows.clone()]).collect();
                        move_band(&mut weights[rows], memory, &mut gradients, corrections, step);
                    }
                });
            }
        });
    }
}

/// Moves all numbers of a band.
fn move_band(
    weights: &mut [Row],
    (means, squares): (&mut [Row], &mut [Row]),
    gradients: &mut [&mut [Row]],
    corrections: [f32; 2],
    step: Step,
) {
    let mut move_one = |place: usize, weights: &mut Row, gradients: &Row| {
        let memory = (&mut means[place], &mut squares[place]);
        move_row(weights, memory, gradients, range(place), corrections, step);
    };
    let (inputs, others) = weights.split_at_mut(INPUTS);
    for (row, place) in others[..FACTORIZER - INPUTS].iter_mut().zip(INPUTS..) {
        move_one(place, row, &take_gradients(gradients, place, step.share));
    }
    let factorizer = &mut others[FACTORIZER - INPUTS..];
    if factorizer.is_empty() {
        for (place, row) in inputs.iter_mut().enumerate() {
            move_one(place, row, &take_gradients(gradients, place, step.share));
        }
    }
    // A set's weights are what all sets share and what is its own: both parts learn.
    for (input, shared) in factorizer.iter_mut().enumerate() {
        let mut total = Row::ZERO;
        let before = *shared;
        let mut own = [Row::ZERO; KING_BUCKETS];
        for (set, own) in own.iter_mut().enumerate() {
            let place = set * MEN_INPUTS + input;
            let gradients = take_gradients(gradients, place, step.share);
            total.add(&gradients);
            *own = inputs[place];
            own.subtract(&before);
            move_one(place, own, &gradients);
        }
        move_one(FACTORIZER + input, shared, &total);
        for (set, own) in own.iter().enumerate() {
            let row = &mut inputs[set * MEN_INPUTS + input];
            *row = *shared;
            row.add(own);
            row.0.iter_mut().for_each(|number| *number = number.clamp(-INPUT_RANGE, INPUT_RANGE));
        }
    }
}

/// How far from zero the numbers of a row may go.
fn range(row: usize) -> f32 {
    match row {
        OUTPUTS..OUTPUT_BIAS => OUTPUT_RANGE,
        OUTPUT_BIAS => OUTPUT_BIAS_RANGE,
        // Inputs, their biases and the factorizer.
        _ => INPUT_RANGE,
    }
}

/// The gradients of all threads for a row together, which become zero.
fn take_gradients(gradients: &mut [&mut [Row]], row: usize, share: f32) -> Row {
    let mut total = Row::ZERO;
    for rows in gradients {
        total.add(&rows[row]);
        rows[row] = Row::ZERO;
    }
    total.0.iter_mut().for_each(|gradient| *gradient *= share);
    total
}

fn move_row(
    weights: &mut Row,
    (means, squares): (&mut Row, &mut Row),
    gradients: &Row,
    range: f32,
    [mean_correction, square_correction]: [f32; 2],
    step: Step,
) {
    let kept = 1.0 - step.rate * step.decay;
    for i in 0..BAND {
        let gradient = gradients.0[i];
        let mean = MEAN_MEMORY * means.0[i] + (1.0 - MEAN_MEMORY) * gradient;
        let square = SQUARE_MEMORY * squares.0[i] + (1.0 - SQUARE_MEMORY) * gradient * gradient;
        (means.0[i], squares.0[i]) = (mean, square);
        let direction = mean * mean_correction / ((square * square_correction).sqrt() + SMALL);
        weights.0[i] = (kept * weights.0[i] - step.rate * direction).clamp(-range, range);
    }
}
