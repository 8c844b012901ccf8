//! Endings played perfectly: tables of our own, and Syzygy's.
//!
//! [`ending`] says which men are on the board, [`index`] numbers their placements, [`placement`] moves them, [`solve`]
//! finds the value of every placement by retrograde analysis, [`build`] does so for all endings that are asked for and
//! [`mod@format`] writes them down. [`tables`] opens them again, with [`cache`] for what was unpacked, and answers for a
//! board; [`stats`] counts through them. [`syzygy`] is the adapter to the other kind. [`probe`] puts both before the search.
#![forbid(unsafe_code)]

pub mod build;
pub mod cache;
pub mod ending;
pub mod format;
pub mod index;
pub mod parallel;
pub mod placement;
pub mod probe;
pub mod solve;
pub mod solved;
pub mod stats;
pub mod syzygy;
pub mod tables;
pub mod value;

pub use ending::Ending;
pub use probe::Endgames;
pub use value::Value;
