//! Games as text: PGN read and written, whatever game is played.
//!
//! Moves are words here; what they mean is the business of whoever knows the board. [`input`] opens files, packed or
//! not, [`archive`] takes the files out of an archive, [`split`] cuts them into games, [`read`] turns one into tags,
//! moves and comments with the lines they stand on, [`write`] does the reverse. Called by the book builder, the console,
//! `rosada analyse` and `rosada datagen --import`.
#![forbid(unsafe_code)]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod archive;
mod fold;
mod game;
pub mod input;
pub mod read;
pub mod split;
pub mod write;

pub use game::{Game, Glyph, Ply, ROSTER};
