//! Principal variations, collected on the way back up the tree.

use crate::base::Move;
use crate::base::score::MAX_PLY;

/// The best line found below each ply. The line of a ply is its best move and the line of the next ply.
pub struct PvTable {
    lines: Vec<Line>,
}

#[derive(Clone)]
struct Line {
    moves: [Move; MAX_PLY],
    length: usize,
}

impl PvTable {
    /// Empty lines for every ply.
    pub fn new() -> PvTable {
        PvTable { lines: vec![Line { moves: [Move::NONE; MAX_PLY], length: 0 }; MAX_PLY + 2] }
    }

    /// Nothing is known below `ply` yet.
    #[inline(always)]
    pub fn clear(&mut self, ply: usize) {
        self.lines[ply].length = 0;
    }

    /// `mv` is best at `ply`, followed by the line of the next ply.
    pub fn update(&mut self, ply: usize, mv: Move) {
        let (upper, lower) = self.lines.split_at_mut(ply + 1);
        let (line, next) = (&mut upper[ply], &lower[0]);
        let length = next.length.min(MAX_PLY - 1);
        line.moves[0] = mv;
        line.moves[1..=length].copy_from_slice(&next.moves[..length]);
        line.length = length + 1;
    }

    /// The line from `ply` on.
    pub fn line(&self, ply: usize) -> &[Move] {
        &self.lines[ply].moves[..self.lines[ply].length]
    }
}
