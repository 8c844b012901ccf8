//! Boards of variants, and how much each number of the evaluation moves their values.

use super::super::objective::{Model, in_shards};
use super::super::samples::Store;
use super::rows;
use crate::eval::fairy::Trial;
use crate::fairy::{Board, Position, Rules};

/// How far a number is moved to see what it does: far enough that rounding does not matter, and whole where a formula
/// counts in 16ths.
const STEP: f64 = 16.0;

/// Boards of one variant or several.
#[derive(Default)]
pub struct Boards(Vec<(&'static Rules, Board)>);

impl Store<Position> for Boards {
    type Item = (&'static Rules, Board);

    fn item(position: &Position) -> Self::Item {
        (position.rules(), *position.board())
    }

    fn push(&mut self, item: &Self::Item) -> bool {
        self.0.push(*item);
        true
    }
}

/// The evaluation of each variant that some boards are of.
struct Judge(Vec<(&'static Rules, Trial)>);

impl Judge {
    fn new(boards: &[(&'static Rules, Board)], numbers: &[f64]) -> Judge {
        let values = rows::values(numbers);
        let mut trials: Vec<(&'static Rules, Trial)> = Vec::new();
        for &(rules, _) in boards {
            if !trials.iter().any(|(known, _)| std::ptr::eq(*known, rules)) {
                trials.push((rules, Trial::new(rules, &values)));
            }
        }
        Judge(trials)
    }

    /// The value of a board and the share of its endgame half, which is taken as `scale` if that is given.
    fn judge(&self, &(rules, ref board): &(&'static Rules, Board), scale: Option<i32>) -> (f64, i32) {
        let trial = self.0.iter().find(|(known, _)| std::ptr::eq(*known, rules));
        trial.map_or((0.0, 0), |(_, trial)| {
            let judgment = trial.judge(board, scale);
            (judgment.value, judgment.scale)
        })
    }
}

impl Boards {
    /// What the evaluation says about every board with these numbers, for White.
    pub fn values(&self, numbers: &[f64], threads: usize) -> Vec<f64> {
        let shards = in_shards(&self.0, threads, |shard| {
            let judge = Judge::new(shard, numbers);
            shard.iter().map(|item| judge.judge(item, None).0).collect::<Vec<f64>>()
        });
        shards.concat()
    }
}

/// The values of boards near the numbers they were judged with.
pub struct Slopes {
    /// The numbers.
    numbers: Vec<f64>,
    /// The values with these.
    values: Vec<f64>,
    /// For each board, the slope of its value by each number.
    slopes: Vec<f32>,
}

impl Slopes {
    /// Judges every board with the numbers as they are and with each of them moved.
    pub fn new(boards: &Boards, numbers: &[f64], threads: usize) -> Slopes {
        let shards = in_shards(&boards.0, threads, |shard| {
            let judge = Judge::new(shard, numbers);
            let judged: Vec<(f64, i32)> = shard.iter().map(|item| judge.judge(item, None)).collect();
            let mut slopes = vec![0.0; shard.len() * numbers.len()];
            for number in 0..numbers.len() {
                let mut moved = numbers.to_vec();
                moved[number] += STEP;
                let moved = Judge::new(shard, &moved);
                for (index, (item, &(value, scale))) in shard.iter().zip(&judged).enumerate() {
                    let change = moved.judge(item, Some(scale)).0 - value;
                    slopes[index * numbers.len() + number] = (change / STEP) as f32;
                }
            }
            (judged.into_iter().map(|(value, _)| value).collect::<Vec<f64>>(), slopes)
        });
        let (values, slopes): (Vec<_>, Vec<_>) = shards.into_iter().unzip();
        Slopes { numbers: numbers.to_vec(), values: values.concat(), slopes: slopes.concat() }
    }

    fn of(&self, index: usize) -> &[f32] {
        &self.slopes[index * self.numbers.len()..][..self.numbers.len()]
    }
}

impl Model for Slopes {
    fn len(&self) -> usize {
        self.values.len()
    }

    fn value(&self, index: usize, parameters: &[f64]) -> f64 {
        let moved = parameters.iter().zip(&self.numbers).zip(self.of(index));
        let change: f64 = moved.map(|((now, before), &slope)| (now - before) * f64::from(slope)).sum();
        self.values[index] + change
    }

    fn add_slope(
        &self,
        index: usize,
        parameters: &[f64],
        error: impl FnOnce(f64) -> f64,
        gradient: &mut [f64],
    ) {
        let error = error(self.value(index, parameters));
        gradient.iter_mut().zip(self.of(index)).for_each(|(sum, &slope)| *sum += error * f64::from(slope));
    }
}
