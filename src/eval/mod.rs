//! What positions are worth.
//!
//! Each evaluator implements [`crate::game::Evaluator`] for one game; the engine chooses one per session and gives
//! every searching thread its own copy.

pub mod classical;
pub mod fairy;
pub mod nnue;

pub use classical::Classical;
pub use fairy::Fairy;
pub use nnue::Nnue;
