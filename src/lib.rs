//! Rosada: a UCI chess engine.
//!
//! The rooms, from the ground up: [`base`] (shared words), [`game`] (the door between rules and search), [`chess`]
//! (the rules), [`fairy`] (those of the variants), [`pgn`] (games as text), [`book`] (openings), [`endgame`] (tables of endings), [`eval`] (what
//! positions are worth), [`tt`] and [`time`] (memory and clock of a search), [`search`], [`engine`] (all of it behind one
//! facade), [`uci`] (the front end), [`console`] (play at the terminal) and [`lab`] (the workshop).
#![deny(unsafe_op_in_unsafe_fn)]
#![deny(clippy::undocumented_unsafe_blocks)]
#![warn(missing_docs)]

pub mod base;
pub mod book;
pub mod chess;
pub mod console;
pub mod endgame;
pub mod engine;
pub mod eval;
pub mod fairy;
pub mod game;
pub mod lab;
pub mod pgn;
pub mod search;
pub mod time;
pub mod tt;
pub mod uci;
