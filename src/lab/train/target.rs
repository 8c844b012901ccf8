//! What should be expected of a position: a blend of how its game ended and of what the search said.
//!
//! A score counts as the result that positions with that score had: `1 / (1 + exp(-score / scale))`, with the scale
//! that fits the games best. The same scale later turns the network's outputs into centipawns, so that they mean what
//! the scores meant that it learned from.

use super::model::expectation;
use super::sample::{NO_RESULT, Sample};

/// Scores beyond this are counted as this when the scale is fitted.
const MOST_CP: i32 = 2000;

/// How positions with each score ended.
pub struct Tally {
    /// Positions and half points, the lowest score first.
    bins: Vec<(u64, u64)>,
}

impl Tally {
    /// No positions.
    pub fn new() -> Tally {
        Tally { bins: vec![(0, 0); 2 * MOST_CP as usize + 1] }
    }

    /// Counts a position, if it has a result.
    pub fn add(&mut self, sample: &Sample) {
        if sample.half_points == NO_RESULT {
            return;
        }
        let score = i32::from(sample.score_cp).clamp(-MOST_CP, MOST_CP);
        let bin = &mut self.bins[(score + MOST_CP) as usize];
        bin.0 += 1;
        bin.1 += u64::from(sample.half_points);
    }

    /// The scale, in centipawns, at which scores foretell results best.
    pub fn scale_cp(&self) -> f64 {
        let loss = |scale: f64| -> f64 {
            let bins = self.bins.iter().enumerate().filter(|(_, bin)| bin.0 > 0);
            bins.map(|(index, &(count, half_points))| {
                let x = (index as f64 - f64::from(MOST_CP)) / scale;
                count as f64 * (x.max(0.0) + (-x.abs()).exp().ln_1p()) - half_points as f64 / 2.0 * x
            })
            .sum()
        };
        // The loss has one valley: thirds that do not hold it are cut away, on a logarithmic scale.
        let (mut low, mut high): (f64, f64) = (20.0, 2000.0);
        while high / low > 1.0005 {
            let third = (high / low).powf(1.0 / 3.0);
            if loss(low * third) < loss(high / third) {
                high /= third;
            } else {
                low *= third;
            }
        }
        (low * high).sqrt()
    }
}

/// How targets are made in the course of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BlendSchedule {
    /// The part of the result at the beginning and at the end.
    pub lambda: [f64; 2],
    /// Centipawns in a logistic unit.
    pub scale_cp: f32,
}

impl BlendSchedule {
    /// The blend when this part of the run is done, from 0 to 1.
    pub fn at(self, done: f64) -> Blend {
        let [first, last] = self.lambda;
        Blend { lambda: (first + (last - first) * done.clamp(0.0, 1.0)) as f32, scale_cp: self.scale_cp }
    }
}

/// How targets are made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Blend {
    /// The part of the result; the rest is what the search said.
    pub lambda: f32,
    /// Centipawns in a logistic unit.
    pub scale_cp: f32,
}

impl Blend {
    /// The result to expect, from 0 to 1.
    #[inline(always)]
    pub fn target(self, sample: &Sample) -> f32 {
        let searched = expectation(f32::from(sample.score_cp) / self.scale_cp);
        if sample.half_points == NO_RESULT {
            return searched;
        }
        let result = f32::from(sample.half_points) / 2.0;
        self.lambda * result + (1.0 - self.lambda) * searched
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::chess::Position;

    fn sample(score_cp: i16, half_points: u8) -> Sample {
        Sample::new(Position::start().board(), score_cp, half_points).unwrap()
    }

    #[test]
    fn the_scale_comes_back() {
        for scale in [90.0f32, 210.0, 400.0] {
            let mut tally = Tally::new();
            for score in (-900i16..=900).step_by(10) {
                let wins = (1000.0 * expectation(f32::from(score) / scale)).round() as usize;
                (0..1000).for_each(|game| tally.add(&sample(score, if game < wins { 2 } else { 0 })));
            }
            let found = tally.scale_cp();
            assert!((found / f64::from(scale) - 1.0).abs() < 0.005, "{found} instead of {scale}");
        }
    }

    #[test]
    fn the_part_of_the_result_may_change() {
        let schedule = BlendSchedule { lambda: [0.2, 0.4], scale_cp: 200.0 };
        let lambda = |done| (schedule.at(done).lambda * 100.0).round();
        assert_eq!([lambda(0.0), lambda(0.5), lambda(1.0), lambda(7.0)], [20.0, 30.0, 40.0, 40.0]);
    }

    #[test]
    fn targets_blend() {
        let blend = |lambda| Blend { lambda, scale_cp: 200.0 };
        assert_eq!(blend(1.0).target(&sample(300, 1)), 0.5);
        assert_eq!(blend(0.0).target(&sample(0, 2)), 0.5);
        assert_eq!(blend(0.9).target(&sample(0, NO_RESULT)), 0.5);
        assert!((blend(0.25).target(&sample(0, 2)) - 0.625).abs() < 1e-6);
    }
}
