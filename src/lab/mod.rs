//! The workshop around the engine: measuring, finding numbers, later tuning and training.

pub mod games;
pub mod magics;
pub mod perft;
