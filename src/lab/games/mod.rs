//! Game records: what self-play leaves behind and tuning and training read.
//!
//! [`GameRecord`] is one game, [`GameWriter`] puts games into a file, [`GameReader`] brings them back. `datagen` writes
//! them, `tune` and `train` read them; none of them sees the bytes, which are laid out in `format.rs`. A file holds
//! games of chess or of one variant, which [`rules_of`] tells; what a game must be able to do is [`Recorded`].
//!
//! A damaged file gives back every sound game, those behind the damage too: whatever the fault is (a file cut off in a
//! game, a flipped bit, an illegal move), [`GameReader::damage`] says where it is, why, and how many bytes are lost.
#![forbid(unsafe_code)]

mod format;
mod reader;
mod recorded;
#[cfg(test)]
mod tests;
mod writer;

pub use format::MAX_PLIES;
pub use reader::{Damage, GameReader, rules_of};
pub use recorded::Recorded;
pub use writer::{Found, GameWriter, Output};

use crate::base::{Color, Move, Score};
use crate::chess::Position;

/// Who won.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GameResult {
    /// Black won.
    BlackWins,
    /// Nobody won.
    Draw,
    /// White won.
    WhiteWins,
}

impl GameResult {
    /// The result of a game that `winner` won.
    pub fn win_for(winner: Color) -> GameResult {
        if winner.is_white() { GameResult::WhiteWins } else { GameResult::BlackWins }
    }
}

impl From<Option<Color>> for GameResult {
    /// The result of a game that this side won; a draw if nobody did.
    fn from(winner: Option<Color>) -> GameResult {
        winner.map_or(GameResult::Draw, GameResult::win_for)
    }
}

/// A move of a game and what the search thought of the position before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ply {
    /// The move.
    pub mv: Move,
    /// Centipawns from the side to move's view, as searched before the move was played, without the fade that the
    /// fifty-move rule brings. Mates and wins by a table keep the bands of [`Score`]: a mate in `n` plies is 32,000 - n,
    /// nothing is beyond 32,000.
    pub score: i16,
    /// What chance did after the move, in games in which it has a hand; nothing if the move ended the game.
    pub chance: Option<u8>,
}

impl Ply {
    /// A move with the value that a search gave to the position.
    pub fn new(mv: Move, score: Score) -> Ply {
        let max = Score::MATE.value();
        Ply { mv, score: score.value().clamp(-max, max) as i16, chance: None }
    }
}

/// One game.
#[derive(Clone, Debug)]
pub struct GameRecord<G = Position> {
    /// Where it began. What had happened before is not part of the record.
    pub start: G,
    /// How it ended.
    pub result: GameResult,
    /// Its moves, all legal.
    pub plies: Vec<Ply>,
}
