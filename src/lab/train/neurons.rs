//! How the neurons of a network work: how often they are active, how large their output weights are, and how much they
//! say in the end. A neuron that says next to nothing is asleep: it costs time and knows nothing.

use std::fmt;

use super::sample::Sample;
use crate::eval::nnue::Network;
use crate::eval::nnue::architecture::{HIDDEN, OUTPUT_BUCKETS, OUTPUT_UNIT, UNIT};

/// A neuron whose effect is below this part of the mean is asleep.
const ASLEEP: f64 = 0.1;
/// So many neighboring neurons make a line of the table.
const GROUP: usize = HIDDEN / 8;

/// What one neuron does.
#[derive(Clone, Copy, Default)]
struct Neuron {
    /// Share of positions in which it is active, for both sides.
    active: f64,
    /// Sum of the sizes of its output weights.
    weights: f64,
    /// Centipawns that it moves the value by, in the mean of their sizes.
    effect_cp: f64,
}

/// What all neurons of a network do.
pub struct Neurons(Vec<Neuron>);

impl Neurons {
    /// Watches a network judge positions.
    pub fn watch(network: &Network, samples: &[Sample]) -> Neurons {
        let mut neurons = vec![Neuron::default(); HIDDEN];
        for bucket in 0..OUTPUT_BUCKETS {
            for side in network.output_weights(bucket).0 {
                for (neuron, weight) in neurons.iter_mut().zip(side.0) {
                    neuron.weights += f64::from(weight.unsigned_abs());
                }
            }
        }
        let share = 1.0 / (2 * samples.len().max(1)) as f64;
        let unit = f64::from(UNIT);
        let cp = f64::from(network.scale_cp()) / f64::from(OUTPUT_UNIT);
        for sample in samples {
            let weights = network.output_weights(sample.bucket()).0;
            for (inputs, weights) in sample.inputs().iter().zip(weights) {
                let row = network.neurons(inputs);
                for ((neuron, sum), weight) in neurons.iter_mut().zip(row.0).zip(weights.0) {
                    let activation = f64::from(sum.clamp(0, UNIT)) / unit;
                    neuron.active += share * f64::from(u8::from(sum > 0));
                    neuron.effect_cp += share * (activation * activation * f64::from(weight)).abs() * cp;
                }
            }
        }
        Neurons(neurons)
    }

    /// How many say next to nothing.
    pub fn asleep(&self) -> usize {
        let mean = mean(&self.0, |neuron| neuron.effect_cp);
        self.0.iter().filter(|neuron| neuron.effect_cp < ASLEEP * mean).count()
    }
}

fn mean(neurons: &[Neuron], number: impl Fn(&Neuron) -> f64) -> f64 {
    neurons.iter().map(number).sum::<f64>() / neurons.len().max(1) as f64
}

impl fmt::Display for Neurons {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let never = self.0.iter().filter(|neuron| neuron.active == 0.0).count();
        writeln!(
            f,
            "{HIDDEN} neurons, {} asleep (less than {ASLEEP} of the mean effect), {never} never active",
            self.asleep()
        )?;
        writeln!(f, "  neurons      active   output weights   effect on the value")?;
        for (number, group) in self.0.chunks(GROUP).enumerate() {
            let first = number * GROUP;
            writeln!(
                f,
                "  {first:>3} to {:>3} {:>7.1} %  {:>15.0}  {:>17.2} cp",
                first + group.len() - 1,
                100.0 * mean(group, |neuron| neuron.active),
                mean(group, |neuron| neuron.weights),
                mean(group, |neuron| neuron.effect_cp)
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use rand::SeedableRng;
    use rand::rngs::StdRng;

    use super::super::model::{OUTPUT_BIAS, OUTPUTS, Rows};
    use super::super::quantize;
    use super::*;
    use crate::chess::Position;
    use crate::eval::nnue::network::Origin;

    #[test]
    fn neurons_without_a_say_are_asleep() {
        let mut rows = Rows::random(&mut StdRng::seed_from_u64(5));
        for neuron in [3, 70, HIDDEN - 1] {
            (OUTPUTS..OUTPUT_BIAS).for_each(|row| *rows.number_mut(row, neuron) = 0.0);
        }
        let samples = [Sample::new(Position::start().board(), 0, 1).unwrap()];
        let asleep =
            |rows: &Rows| Neurons::watch(&quantize::network(rows, 250.0, Origin::UNKNOWN), &samples).asleep();
        let untouched = asleep(&Rows::random(&mut StdRng::seed_from_u64(5)));
        let now = asleep(&rows);
        assert!(now > untouched && now <= untouched + 3, "{untouched} became {now}");
    }
}
