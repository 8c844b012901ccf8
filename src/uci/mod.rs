//! The UCI front end: text in, text out.
//!
//! [`command`] turns a line into a typed command and [`print`] turns what the engine reports into lines; both are
//! pure. The types of the `vampirc-uci` crate stay inside this room.
#![forbid(unsafe_code)]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod command;
mod go;
mod help;
pub mod output;
pub mod print;
pub mod run;
