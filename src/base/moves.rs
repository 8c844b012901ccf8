//! A move in sixteen bits, and the list that generators fill.
//!
//! Both board cores pack their moves into the same sixteen bits, each in its own way, so that the
//! transposition table, the principal variation and the history tables need not know which game is played.

use arrayvec::ArrayVec;

/// An opaque move. What the bits mean is the business of the board core that made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Move(u16);

impl Move {
    /// No move: from a1 to a1, which no generator ever produces.
    pub const NONE: Move = Move(0);

    /// The move with these bits.
    #[inline(always)]
    pub const fn from_bits(bits: u16) -> Move {
        Move(bits)
    }

    /// The bits, as tables store them.
    #[inline(always)]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// Whether this is [`Move::NONE`].
    #[inline(always)]
    pub const fn is_none(self) -> bool {
        self.0 == 0
    }

    /// Whether this is a move at all.
    #[inline(always)]
    pub const fn is_some(self) -> bool {
        self.0 != 0
    }
}

/// More moves than any legal input can have: fifteen queens with 27 moves each and a king make 413.
pub const MAX_MOVES: usize = 512;

/// A list of moves on the stack; filling it allocates nothing.
pub type MoveList = ArrayVec<Move, MAX_MOVES>;
