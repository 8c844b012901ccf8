//! How wrong the numbers are about a set of positions, and in which direction they should move.
//!
//! Work is cut into shards of fixed size whose sums are added in order: the result does not depend on the number of
//! threads. `fit` calls it for every step, `run` for the values from which the scale is fitted.

use super::logistic::{expectation, loss};

/// Positions in one piece of work.
const SHARD: usize = 4096;

/// An evaluation of stored positions as a function of its numbers.
pub trait Model: Sync {
    /// How many positions are stored.
    fn len(&self) -> usize;
    /// The value of a position for White in centipawns.
    fn value(&self, index: usize, parameters: &[f64]) -> f64;
    /// Adds the slope of the value of a position to `gradient`, as many times as `error` says about that value.
    fn add_slope(
        &self,
        index: usize,
        parameters: &[f64],
        error: impl FnOnce(f64) -> f64,
        gradient: &mut [f64],
    );
}

/// A set of positions with what should be expected of them.
pub struct Objective<'a, M: Model> {
    /// The positions.
    pub model: &'a M,
    /// The expected score of White in each.
    pub targets: Vec<f32>,
    /// Centipawns per unit of the logistic function.
    pub scale: f64,
    /// How many threads work on it.
    pub threads: usize,
}

impl<M: Model> Objective<'_, M> {
    /// The mean loss over all positions.
    pub fn loss(&self, parameters: &[f64]) -> f64 {
        let all: Vec<u32> = (0..self.model.len() as u32).collect();
        let losses = in_shards(&all, self.threads, |shard| {
            let losses = shard.iter().map(|&index| {
                let value = self.model.value(index as usize, parameters);
                loss(value / self.scale, self.target(index))
            });
            losses.sum::<f64>()
        });
        losses.iter().sum::<f64>() / all.len().max(1) as f64
    }

    /// The mean slope of the loss over the positions of a batch.
    pub fn gradient(&self, batch: &[u32], parameters: &[f64]) -> Vec<f64> {
        let shards = in_shards(batch, self.threads, |shard| {
            let mut gradient = vec![0.0; parameters.len()];
            for &index in shard {
                let error = |value: f64| (expectation(value / self.scale) - self.target(index)) / self.scale;
                self.model.add_slope(index as usize, parameters, error, &mut gradient);
            }
            gradient
        });
        let mut mean = vec![0.0; parameters.len()];
        for shard in shards {
            mean.iter_mut().zip(shard).for_each(|(sum, part)| *sum += part / batch.len() as f64);
        }
        mean
    }

    #[inline(always)]
    fn target(&self, index: u32) -> f64 {
        self.targets[index as usize] as f64
    }
}

/// The value of every position for White.
pub fn values(model: &impl Model, parameters: &[f64], threads: usize) -> Vec<f64> {
    let all: Vec<usize> = (0..model.len()).collect();
    let value = |&index: &usize| model.value(index, parameters);
    in_shards(&all, threads, |shard| shard.iter().map(value).collect::<Vec<f64>>()).concat()
}

/// Cuts `items` into shards, lets `work` loose on them and returns what it made of each, in order.
pub fn in_shards<T: Sync, R: Send>(items: &[T], threads: usize, work: impl Fn(&[T]) -> R + Sync) -> Vec<R> {
    let shards: Vec<&[T]> = items.chunks(SHARD).collect();
    let mut results: Vec<Option<R>> = shards.iter().map(|_| None).collect();
    let each = shards.len().div_ceil(threads.max(1)).max(1);
    std::thread::scope(|scope| {
        for (shards, results) in shards.chunks(each).zip(results.chunks_mut(each)) {
            let work = &work;
            scope.spawn(move || {
                for (shard, result) in shards.iter().zip(results) {
                    *result = Some(work(shard));
                }
            });
        }
    });
    results.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::super::parameters;
    use super::super::tests::{random_positions, store};
    use super::*;

    #[test]
    fn threads_change_nothing() {
        let features = store(&random_positions(0..600));
        let parameters = parameters::built_in();
        let targets = (0..features.len()).map(|i| (i % 7) as f32 / 6.0).collect();
        let mut objective = Objective { model: &features, targets, scale: 150.0, threads: 1 };
        let batch: Vec<u32> = (0..features.len() as u32).rev().collect();
        assert!(batch.len() > 2 * SHARD);
        let alone = (objective.loss(&parameters), objective.gradient(&batch, &parameters));
        objective.threads = 3;
        assert_eq!((objective.loss(&parameters), objective.gradient(&batch, &parameters)), alone);
        assert_eq!(values(&features, &parameters, 1), values(&features, &parameters, 5));
    }
}
