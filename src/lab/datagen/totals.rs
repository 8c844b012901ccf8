//! Counts of games, positions and results, as generation and `info` tell them.

use std::fmt;

use indicatif::HumanCount;

use crate::lab::games::{GameRecord, GameResult};

/// What some games add up to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Games.
    pub games: u64,
    /// Positions in which a move was made.
    pub positions: u64,
    /// Games that White won.
    pub white_wins: u64,
    /// Games that nobody won.
    pub draws: u64,
    /// Games that Black won.
    pub black_wins: u64,
}

impl Totals {
    /// Counts a game.
    pub fn add<G>(&mut self, game: &GameRecord<G>) {
        self.games += 1;
        self.positions += game.plies.len() as u64;
        match game.result {
            GameResult::WhiteWins => self.white_wins += 1,
            GameResult::Draw => self.draws += 1,
            GameResult::BlackWins => self.black_wins += 1,
        }
    }
}

/// The results in one line.
impl fmt::Display for Totals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = |count: u64| format!("{} ({:.1} %)", HumanCount(count), percent(count, self.games));
        let (white, draws, black) = (share(self.white_wins), share(self.draws), share(self.black_wins));
        write!(f, "White won {white}, drawn {draws}, Black won {black}")
    }
}

/// A part of a whole in percent; nothing of nothing is 0.
pub(super) fn percent(part: u64, whole: u64) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}
