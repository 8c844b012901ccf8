//! From the floating-point model to the whole numbers of a network file, and back. Used when a network is written, and
//! to begin from one.

use super::model::{BIAS, OUTPUT_BIAS, OUTPUTS, Rows};
use crate::eval::nnue::architecture::{
    HIDDEN, INPUT_LIMIT, INPUTS, OUTPUT_BIAS_LIMIT, OUTPUT_BUCKETS, OUTPUT_LIMIT, OUTPUT_UNIT, UNIT,
};
use crate::eval::nnue::network::{self, Network, Origin};

const BIAS_UNIT: f32 = UNIT as f32 * OUTPUT_UNIT as f32;

/// The network of a model.
pub fn network(rows: &Rows, scale_cp: f32, origin: Origin) -> Network {
    let whole = |row: usize, unit: i16, limit: i16| {
        let number = |neuron| (rows.number(row, neuron) * f32::from(unit)).round() as i16;
        network::Row(std::array::from_fn(|neuron| number(neuron).clamp(-limit, limit)))
    };
    let output = |bucket: usize, side: usize| whole(OUTPUTS + 2 * bucket + side, OUTPUT_UNIT, OUTPUT_LIMIT);
    let bias = |bucket: usize| (rows.number(OUTPUT_BIAS, bucket) * BIAS_UNIT).round() as i32;
    Network::new(
        (0..INPUTS).map(|input| whole(input, UNIT, INPUT_LIMIT)).collect(),
        whole(BIAS, UNIT, INPUT_LIMIT),
        std::array::from_fn(|bucket| [output(bucket, 0), output(bucket, 1)]),
        std::array::from_fn(|bucket| bias(bucket).clamp(-OUTPUT_BIAS_LIMIT, OUTPUT_BIAS_LIMIT)),
        (scale_cp.round() as u16).max(1),
        origin,
    )
}

/// The model of a network.
pub fn model(network: &Network) -> Rows {
    let mut rows = Rows::zero();
    let mut enter = |row: usize, weights: &network::Row, unit: i16| {
        for neuron in 0..HIDDEN {
            *rows.number_mut(row, neuron) = f32::from(weights.0[neuron]) / f32::from(unit);
        }
    };
    network.inputs().iter().enumerate().for_each(|(input, weights)| enter(input, weights, UNIT));
    enter(BIAS, network.bias(), UNIT);
    for bucket in 0..OUTPUT_BUCKETS {
        let (weights, _) = network.output_weights(bucket);
        for (side, weights) in weights.iter().enumerate() {
            enter(OUTPUTS + 2 * bucket + side, weights, OUTPUT_UNIT);
        }
    }
    rows.share_sets();
    for bucket in 0..OUTPUT_BUCKETS {
        *rows.number_mut(OUTPUT_BIAS, bucket) = network.output_weights(bucket).1 as f32 / BIAS_UNIT;
    }
    rows
}
