//! The workshop around the engine: measuring, finding numbers, self-play, later tuning and training.

pub mod datagen;
pub mod games;
pub mod magics;
pub mod perft;
