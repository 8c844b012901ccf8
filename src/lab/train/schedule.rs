//! How long the steps are: from nothing to the full rate in a few steps, then down to a small rest at the end. Asked by
//! `trainer` before each step.

use std::f64::consts::PI;

/// How the rate falls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Fall {
    /// Along half a cosine.
    Cosine,
    /// In three steps of equal length.
    Step,
}

/// The whole way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Schedule {
    /// The highest rate.
    pub rate: f64,
    /// The part of it that is left in the end.
    pub rest: f64,
    /// Steps to the highest rate.
    pub warmup_steps: u64,
    /// All steps.
    pub steps: u64,
    /// How it falls.
    pub fall: Fall,
}

impl Schedule {
    /// The rate of a step, the first being 0.
    pub fn rate(&self, step: u64) -> f32 {
        if step < self.warmup_steps {
            return (self.rate * (step + 1) as f64 / self.warmup_steps as f64) as f32;
        }
        let length = self.steps.saturating_sub(self.warmup_steps).max(1);
        let way = ((step - self.warmup_steps) as f64 / length as f64).min(1.0);
        let part = match self.fall {
            Fall::Cosine => self.rest + (1.0 - self.rest) * (1.0 + (PI * way).cos()) / 2.0,
            Fall::Step => self.rest.powf((way * 3.0).floor().min(2.0) / 2.0),
        };
        (self.rate * part) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_rises_and_falls() {
        for fall in [Fall::Cosine, Fall::Step] {
            let schedule = Schedule { rate: 0.001, rest: 0.01, warmup_steps: 10, steps: 100, fall };
            let rates: Vec<f32> = (0..100).map(|step| schedule.rate(step)).collect();
            assert!(rates[..10].is_sorted() && rates[10..].iter().rev().is_sorted(), "{rates:?}");
            assert!((rates[10] - 0.001).abs() < 1e-7 && rates[99] < 0.000_02, "{rates:?}");
            assert!(rates.iter().all(|&rate| rate > 0.0));
        }
    }
}
