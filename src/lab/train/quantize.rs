//! From the floating-point model to the whole numbers of a network file, and back. Used when a network is written, and
//! to begin from one.

use super::model::{BIAS, OUTPUT_BIAS, OUTPUTS, Row, Rows};
use crate::eval::nnue::architecture::{
    INPUT_LIMIT, INPUTS, OUTPUT_BIAS_LIMIT, OUTPUT_BUCKETS, OUTPUT_LIMIT, OUTPUT_UNIT, UNIT,
};
use crate::eval::nnue::network::{self, Network, Origin};

const BIAS_UNIT: f32 = UNIT as f32 * OUTPUT_UNIT as f32;

/// The network of a model.
pub fn network(rows: &Rows, scale_cp: f32, origin: Origin) -> Network {
    let whole = |row: &Row, unit: i16, limit: i16| {
        let number = |weight: f32| (weight * f32::from(unit)).round() as i16;
        network::Row(row.0.map(|weight| number(weight).clamp(-limit, limit)))
    };
    let output =
        |bucket: usize, side: usize| whole(&rows.0[OUTPUTS + 2 * bucket + side], OUTPUT_UNIT, OUTPUT_LIMIT);
    let bias = |bucket: usize| (rows.0[OUTPUT_BIAS].0[bucket] * BIAS_UNIT).round() as i32;
    Network::new(
        rows.0[..INPUTS].iter().map(|row| whole(row, UNIT, INPUT_LIMIT)).collect(),
        whole(&rows.0[BIAS], UNIT, INPUT_LIMIT),
        std::array::from_fn(|bucket| [output(bucket, 0), output(bucket, 1)]),
        std::array::from_fn(|bucket| bias(bucket).clamp(-OUTPUT_BIAS_LIMIT, OUTPUT_BIAS_LIMIT)),
        (scale_cp.round() as u16).max(1),
        origin,
    )
}

/// The model of a network.
pub fn model(network: &Network) -> Rows {
    let real = |row: &network::Row, unit: i16| Row(row.0.map(|weight| f32::from(weight) / f32::from(unit)));
    let mut rows = Rows::zero();
    for (row, weights) in rows.0.iter_mut().zip(network.inputs()) {
        *row = real(weights, UNIT);
    }
    rows.0[BIAS] = real(network.bias(), UNIT);
    for bucket in 0..OUTPUT_BUCKETS {
        let (weights, bias) = network.output_weights(bucket);
        for (side, weights) in weights.iter().enumerate() {
            rows.0[OUTPUTS + 2 * bucket + side] = real(weights, OUTPUT_UNIT);
        }
        rows.0[OUTPUT_BIAS].0[bucket] = bias as f32 / BIAS_UNIT;
    }
    rows
}
