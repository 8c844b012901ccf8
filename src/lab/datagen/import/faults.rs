//! Why games are left out, and how that is told.

use std::collections::BTreeMap;
use std::fmt;

use indicatif::HumanCount;

use crate::base::Error;

/// What is wrong with a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Reason {
    /// It is no PGN.
    Unreadable,
    /// Its text ends without a result.
    CutOff,
    /// It was not played to its end.
    Unfinished,
    /// It was lost on time, by a crash or by an illegal move.
    Forfeited,
    /// It is not chess.
    OtherGame,
    /// It has no start position that is possible.
    BadStart,
    /// A move is illegal or no move at all.
    BadMove,
    /// No move has a score.
    WithoutScores,
    /// A move behind the opening has no score.
    ScoreMissing,
    /// The result is not what the board or the tags say.
    WrongResult,
    /// There is no room for so many moves.
    TooLong,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::Unreadable => "unreadable",
            Reason::CutOff => "cut off",
            Reason::Unfinished => "without a result",
            Reason::Forfeited => "forfeited or broken off",
            Reason::OtherGame => "of another game than chess",
            Reason::BadStart => "with an impossible start position",
            Reason::BadMove => "with an illegal or unreadable move",
            Reason::WithoutScores => "without scores",
            Reason::ScoreMissing => "with a score missing",
            Reason::WrongResult => "with contradictory results",
            Reason::TooLong => "too long",
        })
    }
}

/// What is wrong with a game, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) reason: Reason,
    /// With the line in front.
    pub(super) error: Error,
}

impl Fault {
    pub(super) fn new(reason: Reason, line: u64, error: Error) -> Fault {
        Fault { reason, error: error.within(&format!("line {line}")) }
    }
}

/// The games that were left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LeftOut(BTreeMap<Reason, u64>);

impl LeftOut {
    pub(super) fn add(&mut self, reason: Reason) {
        *self.0.entry(reason).or_default() += 1;
    }

    /// How many there are.
    pub fn games(&self) -> u64 {
        self.0.values().sum()
    }
}

/// All reasons with their counts, in one line.
impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reasons: Vec<String> =
            self.0.iter().map(|(reason, count)| format!("{} {reason}", HumanCount(*count))).collect();
        write!(f, "left out: {} games ({})", HumanCount(self.games()), reasons.join(", "))
    }
}
