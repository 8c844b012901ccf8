//! The workshop around the engine: measuring, finding numbers, later tuning and training.

pub mod bench;
pub mod magics;
pub mod perft;
