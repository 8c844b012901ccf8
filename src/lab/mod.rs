//! The workshop around the engine: measuring, finding numbers, self-play, tuning, later training.

pub mod datagen;
pub mod endgame;
pub mod games;
pub mod magics;
pub mod perft;
pub mod tune;
