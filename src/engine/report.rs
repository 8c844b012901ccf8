//! What the engine has to say. The front end turns reports into text; the engine itself never prints.

use std::time::Duration;

use crate::base::Score;

/// How exact a reported score is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The true value.
    Exact,
    /// At least this.
    Lower,
    /// At most this.
    Upper,
}

/// One finished (or failing) line of search.
#[derive(Clone, Debug, PartialEq)]
pub struct Info {
    /// Depth of the iteration.
    pub depth: u32,
    /// The deepest ply reached.
    pub selective_depth: u32,
    /// Rank of the line, from 1.
    pub multipv: usize,
    /// Value for the side to move, in centipawns as `wdl` normalizes them.
    pub score: Score,
    /// How exact that value is.
    pub bound: Bound,
    /// Chances of win, draw and loss in permille, if asked for.
    pub wdl: Option<[u32; 3]>,
    /// Nodes searched so far.
    pub nodes: u64,
    /// Time since `go`.
    pub time: Duration,
    /// How full the transposition table is, in permille.
    pub hash_full: u32,
    /// Endgame-table hits.
    pub table_hits: u64,
    /// The line, in the notation of the game.
    pub pv: Vec<String>,
}

impl Info {
    /// Nodes per second.
    pub fn nodes_per_second(&self) -> u64 {
        let micros = self.time.as_micros().max(1);
        (u128::from(self.nodes) * 1_000_000 / micros).min(u128::from(u64::MAX)) as u64
    }
}

/// Anything the engine reports.
#[derive(Clone, Debug, PartialEq)]
pub enum Report {
    /// A line of search.
    Info(Info),
    /// Which root move is being looked at.
    CurrentMove {
        /// Depth of the iteration.
        depth: u32,
        /// The move.
        mv: String,
        /// Its number, from 1.
        number: usize,
    },
    /// Words for the user.
    Text(String),
    /// The end of a search.
    BestMove {
        /// The move, or none when there is no legal one.
        best: Option<String>,
        /// The expected answer.
        ponder: Option<String>,
    },
}
