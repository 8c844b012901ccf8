//! The workshop around the engine: measuring, finding numbers, self-play, tuning, later training.

pub mod compare;
pub mod datagen;
pub mod endgame;
pub mod games;
pub mod helpmate;
pub mod magics;
pub mod mate;
pub mod perft;
pub mod selfplay;
pub mod starts;
pub mod tune;
