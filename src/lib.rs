//! Rosada: a UCI chess engine.
//!
//! The rooms, from the ground up: [`base`] (shared words), [`game`] (the door between rules and search), [`chess`]
//! (the rules).
#![deny(unsafe_op_in_unsafe_fn)]
#![deny(clippy::undocumented_unsafe_blocks)]
#![warn(missing_docs)]

pub mod base;
pub mod chess;
pub mod engine;
pub mod game;
pub mod time;
pub mod uci;
