//! Limits of a search, and how much of the clock a move may use.
#![forbid(unsafe_code)]

use std::time::Duration;

/// What a `go` command allows. Several limits may be given: the first one reached ends the search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Time left on each clock, White first.
    pub remaining: [Option<Duration>; 2],
    /// Time added after each move, White first.
    pub increment: [Duration; 2],
    /// Moves until the next time control.
    pub moves_to_go: Option<u32>,
    /// Exactly this much time.
    pub move_time: Option<Duration>,
    /// No deeper than this.
    pub depth: Option<u32>,
    /// No more nodes than this.
    pub nodes: Option<u64>,
    /// Find a mate in this many moves.
    pub mate: Option<u32>,
    /// Search until told to stop.
    pub infinite: bool,
    /// Search on the opponent's time until `ponderhit` or `stop`.
    pub ponder: bool,
}
