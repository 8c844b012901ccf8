//! Words that every game shares: colors, squares in text, moves and their notation, scores, errors and the CPU check.
//!
//! Nothing here knows a board. Both board cores, the search and the front end build on these types.

pub mod bits;
pub mod cell;
pub mod color;
pub mod content;
pub mod cpu;
pub mod error;
pub mod files;
pub mod memory;
pub mod moves;
pub mod paged;
pub mod san;
pub mod score;

pub use cell::Cell;
pub use color::Color;
pub use error::Error;
pub use moves::{Move, MoveList};
pub use score::Score;
