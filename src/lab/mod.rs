//! The workshop around the engine: measuring, finding numbers, tuning, later training.

pub mod games;
pub mod magics;
pub mod perft;
pub mod tune;
