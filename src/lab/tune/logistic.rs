//! From centipawns to the expected result of a game, and how wrong an expectation is.
//!
//! A value of `v` centipawns means an expected score of `1 / (1 + exp(-v / scale))`. `objective` measures with
//! [`loss`]; `run` fits the scale once, before anything else, with [`fit_scale`].

/// The expected score at `x` scales of advantage.
#[inline(always)]
pub fn expectation(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// The logistic loss (cross entropy) of expecting [`expectation`]`(x)` where `target` is right; its slope in `x` is the
/// expectation minus the target.
#[inline(always)]
pub fn loss(x: f64, target: f64) -> f64 {
    x.max(0.0) + (-x.abs()).exp().ln_1p() - target * x
}

/// The scale at which values foretell results best.
pub fn fit_scale(values: &[f64], results: &[f64]) -> f64 {
    let total = |logarithm: f64| -> f64 {
        let scale = logarithm.exp();
        values.iter().zip(results).map(|(value, &result)| loss(value / scale, result)).sum()
    };
    let (smallest, largest): (f64, f64) = (20.0, 2000.0);
    lowest(total, smallest.ln(), largest.ln()).exp()
}

/// Where a function with one valley is lowest between `low` and `high`, by golden section.
fn lowest(function: impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    const PART: f64 = 0.618_033_988_749_894_9;
    let (mut left, mut right) = (high - PART * (high - low), low + PART * (high - low));
    let (mut at_left, mut at_right) = (function(left), function(right));
    while high - low > 1e-4 {
        if at_left < at_right {
            (high, right, at_right) = (right, left, at_left);
            left = high - PART * (high - low);
            at_left = function(left);
        } else {
            (low, left, at_left) = (left, right, at_right);
            right = low + PART * (high - low);
            at_right = function(right);
        }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slope_of_the_loss_is_the_error() {
        for x in [-40.0, -3.0, -0.1, 0.0, 0.7, 40.0] {
            for target in [0.0, 0.3, 1.0] {
                let step = 1e-6;
                let slope = (loss(x + step, target) - loss(x - step, target)) / (2.0 * step);
                assert!((slope - (expectation(x) - target)).abs() < 1e-6, "{x} {target}");
            }
        }
    }

    #[test]
    fn the_scale_comes_back() {
        let values: Vec<f64> = (-60..=60).map(|i| i as f64 * 10.0).collect();
        for scale in [80.0, 173.0, 400.0] {
            let results: Vec<f64> = values.iter().map(|value| expectation(value / scale)).collect();
            let found = fit_scale(&values, &results);
            assert!((found / scale - 1.0).abs() < 1e-3, "{found} instead of {scale}");
        }
    }
}
