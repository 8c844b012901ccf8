//! The workshop around the engine: measuring, finding numbers, books, analysis of games, self-play, tuning, training.

pub mod analyse;
pub mod book;
pub mod compare;
pub mod datagen;
mod display;
pub mod endgame;
pub mod evaluation;
pub mod games;
pub mod helpmate;
mod interrupt;
pub mod magics;
pub mod mate;
pub mod perft;
mod plot;
pub mod rescore;
pub mod selfplay;
pub mod starts;
pub mod testset;
pub mod train;
pub mod tune;
pub mod wdl;

use crate::base::Error;
use crate::base::cpu::processors;
use crate::base::error::quote;
use crate::fairy::{Rules, variants};

/// The rules of a game by its name: chess, which is also called standard, or a variant.
fn variant(name: &str) -> Result<&'static Rules, Error> {
    let name = if name.eq_ignore_ascii_case("standard") { "chess" } else { name };
    variants::find(name).ok_or_else(|| Error::new(format!("unknown variant {}", quote(name))))
}

/// A number of the command line, if it fits; `what` says which do.
fn number(text: &str, fits: impl Fn(f64) -> bool, what: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() && fits(number) => Ok(number),
        _ => Err(format!("not a number {what}")),
    }
}

/// A share of the command line.
fn share(text: &str) -> Result<f64, String> {
    number(text, |number| (0.0..=1.0).contains(&number), "from 0 to 1")
}
