//! The workshop around the engine: measuring, finding numbers, self-play, tuning, later training.

pub mod compare;
pub mod datagen;
pub mod endgame;
pub mod games;
pub mod magics;
pub mod mate;
pub mod perft;
pub mod tune;
