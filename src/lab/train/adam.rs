//! AdamW: each number moves by its own mean slope, measured in the slope's own spread, and shrinks a little. Used by
//! `trainer`, once a batch.

use super::model::{BAND, BIAS, INPUT_RANGE, OUTPUT_BIAS, OUTPUT_RANGE, OUTPUTS, ROWS, Row, Rows};
use crate::eval::nnue::architecture::{OUTPUT_BIAS_LIMIT, OUTPUT_UNIT, UNIT};

const MEAN_MEMORY: f32 = 0.9;
const SQUARE_MEMORY: f32 = 0.999;
const SMALL: f32 = 1e-8;
/// How far the biases of the outputs may go.
const OUTPUT_BIAS_RANGE: f32 = OUTPUT_BIAS_LIMIT as f32 / (UNIT as f32 * OUTPUT_UNIT as f32);

/// What is remembered of earlier slopes.
#[derive(Clone, Debug, PartialEq)]
pub struct Adam {
    /// Mean slopes.
    pub means: Rows,
    /// Mean squares of slopes.
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
    /// What the added-up slopes are multiplied by: one by the number of positions.
    pub share: f32,
}

impl Adam {
    /// Nothing remembered.
    pub fn new() -> Adam {
        Adam { means: Rows::zero(), squares: Rows::zero(), steps: 0 }
    }

    /// Takes a step against the slopes that the threads have added up, which become zero. Each thread does its part of
    /// the rows.
    pub fn step(&mut self, weights: &mut Rows, slopes: &mut [Rows], step: Step) {
        self.steps += 1;
        let corrections = [MEAN_MEMORY, SQUARE_MEMORY].map(|memory| {
            let forgotten = 1.0 - f64::from(memory).powi(self.steps.min(i32::MAX as u64) as i32);
            (1.0 / forgotten) as f32
        });
        let part = weights.0.len().div_ceil(slopes.len().max(1));
        let mut slope_parts: Vec<_> = slopes.iter_mut().map(|rows| rows.0.chunks_mut(part)).collect();
        let parts = weights
            .0
            .chunks_mut(part)
            .zip(self.means.0.chunks_mut(part))
            .zip(self.squares.0.chunks_mut(part));
        std::thread::scope(|scope| {
            for (number, ((weights, means), squares)) in parts.enumerate() {
                let mut slopes: Vec<&mut [Row]> = slope_parts.iter_mut().filter_map(Iterator::next).collect();
                scope.spawn(move || {
                    for row in 0..weights.len() {
                        let total = take_slopes(&mut slopes, row, step.share);
                        let place = number * part + row;
                        let memory = (&mut means[row], &mut squares[row]);
                        move_row(&mut weights[row], memory, &total, range(place % ROWS), corrections, step);
                    }
                });
            }
        });
    }
}

/// How far from zero the numbers of a row may go.
fn range(row: usize) -> f32 {
    match row {
        0..=BIAS => INPUT_RANGE,
        OUTPUTS..OUTPUT_BIAS => OUTPUT_RANGE,
        _ => OUTPUT_BIAS_RANGE,
    }
}

/// The slopes of all threads for a row together, which become zero.
fn take_slopes(slopes: &mut [&mut [Row]], row: usize, share: f32) -> Row {
    let mut total = Row::ZERO;
    for rows in slopes {
        for (sum, slope) in total.0.iter_mut().zip(&rows[row].0) {
            *sum += slope;
        }
        rows[row] = Row::ZERO;
    }
    total.0.iter_mut().for_each(|slope| *slope *= share);
    total
}

fn move_row(
    weights: &mut Row,
    (means, squares): (&mut Row, &mut Row),
    slopes: &Row,
    range: f32,
    [mean_correction, square_correction]: [f32; 2],
    step: Step,
) {
    let kept = 1.0 - step.rate * step.decay;
    for i in 0..BAND {
        let slope = slopes.0[i];
        let mean = MEAN_MEMORY * means.0[i] + (1.0 - MEAN_MEMORY) * slope;
        let square = SQUARE_MEMORY * squares.0[i] + (1.0 - SQUARE_MEMORY) * slope * slope;
        (means.0[i], squares.0[i]) = (mean, square);
        let direction = mean * mean_correction / ((square * square_correction).sqrt() + SMALL);
        weights.0[i] = (kept * weights.0[i] - step.rate * direction).clamp(-range, range);
    }
}
