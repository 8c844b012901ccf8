//! Scores: centipawn-like values with bands for mates and for table results.
//!
//! A mate found `n` plies from the root is `MATE - n`. Inside the transposition table distances count from
//! the stored node instead, because the same node is reached at different plies; `to_table` and
//! `from_table` shift between the two.

use std::fmt;
use std::ops::{Add, AddAssign, Neg, Sub, SubAssign};

/// The deepest ply a search may reach; stacks have this size.
pub const MAX_PLY: usize = 246;

/// A value from the point of view of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Score(i32);

impl Score {
    /// An even game.
    pub const DRAW: Score = Score(0);
    /// Mate on the board: the largest real value.
    pub const MATE: Score = Score(32_000);
    /// Above every real value.
    pub const INFINITE: Score = Score(32_001);
    /// "There is no value here"; never compared with real ones.
    pub const NONE: Score = Score(32_002);
    /// Any score at or above this is a forced mate (distances of up to 1,000 plies: endgame tables are deep).
    pub const MATE_BOUND: Score = Score(31_000);
    /// A win that an endgame table promises without a distance.
    pub const TABLE_WIN: Score = Score(30_900);
    /// Any score at or above this, and below `MATE_BOUND`, is a table win.
    pub const TABLE_BOUND: Score = Score(30_000);
    /// Evaluations stay below this.
    pub const EVAL_LIMIT: Score = Score(29_000);

    /// A plain value.
    #[inline(always)]
    pub const fn new(value: i32) -> Score {
        Score(value)
    }

    /// The plain value.
    #[inline(always)]
    pub const fn value(self) -> i32 {
        self.0
    }

    /// The side to move mates `ply` plies from the root.
    #[inline(always)]
    pub const fn mate_in(ply: usize) -> Score {
        Score(Score::MATE.0 - ply as i32)
    }

    /// The side to move is mated `ply` plies from the root.
    #[inline(always)]
    pub const fn mated_in(ply: usize) -> Score {
        Score(-Score::MATE.0 + ply as i32)
    }

    /// A forced mate for the side to move.
    #[inline(always)]
    pub const fn is_win_by_mate(self) -> bool {
        self.0 >= Score::MATE_BOUND.0 && self.0 <= Score::MATE.0
    }

    /// A forced mate against the side to move.
    #[inline(always)]
    pub const fn is_loss_by_mate(self) -> bool {
        self.0 <= -Score::MATE_BOUND.0 && self.0 >= -Score::MATE.0
    }

    /// A forced mate for either side.
    #[inline(always)]
    pub const fn is_mate(self) -> bool {
        self.is_win_by_mate() || self.is_loss_by_mate()
    }

    /// A win that is certain, by mate or by a table.
    #[inline(always)]
    pub const fn is_proven_win(self) -> bool {
        self.0 >= Score::TABLE_BOUND.0 && self.0 <= Score::MATE.0
    }

    /// A loss that is certain, by mate or by a table.
    #[inline(always)]
    pub const fn is_proven_loss(self) -> bool {
        self.0 <= -Score::TABLE_BOUND.0 && self.0 >= -Score::MATE.0
    }

    /// Certain either way; heuristics keep away from such scores.
    #[inline(always)]
    pub const fn is_proven(self) -> bool {
        self.is_proven_win() || self.is_proven_loss()
    }

    /// Plies from the root to the mate, when this is a mate score.
    #[inline]
    pub const fn plies_to_mate(self) -> Option<i32> {
        if self.is_mate() { Some(Score::MATE.0 - self.0.abs()) } else { None }
    }

    /// Mate distance in moves as UCI counts it: positive when the side to move mates, zero when it is mated. None when it
    /// has won already: there is no move left to promise.
    #[inline]
    pub const fn moves_to_mate(self) -> Option<i32> {
        match self.plies_to_mate() {
            Some(0) if self.0 > 0 => None,
            Some(plies) if self.0 > 0 => Some((plies + 1) / 2),
            Some(plies) => Some(-(plies / 2)),
            None => None,
        }
    }

    /// From "counted from the root" to "counted from this node", for storing.
    #[inline(always)]
    pub const fn to_table(self, ply: usize) -> Score {
        if self.is_proven_win() {
            Score(self.0 + ply as i32)
        } else if self.is_proven_loss() {
            Score(self.0 - ply as i32)
        } else {
            self
        }
    }

    /// The inverse of [`Score::to_table`].
    #[inline(always)]
    pub const fn from_table(self, ply: usize) -> Score {
        if self.is_proven_win() {
            Score(self.0 - ply as i32)
        } else if self.is_proven_loss() {
            Score(self.0 + ply as i32)
        } else {
            self
        }
    }

    /// The value cut to what an evaluation may return.
    #[inline(always)]
    pub fn clamp_eval(self) -> Score {
        Score(self.0.clamp(-Score::EVAL_LIMIT.0, Score::EVAL_LIMIT.0))
    }
}

impl Neg for Score {
    type Output = Score;

    #[inline(always)]
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl Add<i32> for Score {
    type Output = Score;

    #[inline(always)]
    fn add(self, other: i32) -> Score {
        Score(self.0 + other)
    }
}

impl Sub<i32> for Score {
    type Output = Score;

    #[inline(always)]
    fn sub(self, other: i32) -> Score {
        Score(self.0 - other)
    }
}

impl Sub for Score {
    type Output = i32;

    #[inline(always)]
    fn sub(self, other: Score) -> i32 {
        self.0 - other.0
    }
}

impl AddAssign<i32> for Score {
    #[inline(always)]
    fn add_assign(&mut self, other: i32) {
        self.0 += other;
    }
}

impl SubAssign<i32> for Score {
    #[inline(always)]
    fn sub_assign(&mut self, other: i32) {
        self.0 -= other;
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.moves_to_mate() {
            Some(moves) => write!(f, "mate {moves}"),
            None => write!(f, "cp {}", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mate_distances_in_moves() {
        assert_eq!(Score::mate_in(0).moves_to_mate(), None);
        assert_eq!(Score::mate_in(1).moves_to_mate(), Some(1));
        assert_eq!(Score::mate_in(3).moves_to_mate(), Some(2));
        assert_eq!(Score::mated_in(2).moves_to_mate(), Some(-1));
        assert_eq!(Score::mated_in(0).moves_to_mate(), Some(0));
        assert_eq!(Score::new(250).moves_to_mate(), None);
    }

    #[test]
    fn table_shift_is_its_own_inverse() {
        for score in
            [Score::mate_in(7), Score::mated_in(12), Score::new(-33), Score::TABLE_WIN, -Score::TABLE_WIN]
        {
            assert_eq!(score.to_table(5).from_table(5), score);
        }
        assert_eq!(Score::mate_in(7).to_table(5), Score::mate_in(2));
    }

    #[test]
    fn markers_are_not_mates() {
        assert!(!Score::NONE.is_mate());
        assert!(!Score::INFINITE.is_mate() && !(-Score::INFINITE).is_proven());
    }
}
