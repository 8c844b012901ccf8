//! Counting the leaves of the legal move tree: the measure of exact and fast rules.

use super::movegen::{Law, count_for, each_move};
use super::{Board, Position};
use crate::base::{Color, Move};
use crate::game::Stage;

impl Position {
    /// How many move sequences of `depth` plies there are. The last ply is counted, not played.
    pub fn perft(&self, depth: u32) -> u64 {
        match self.board.side {
            Color::White => perft_for::<true>(&self.board, self.law(), depth),
            Color::Black => perft_for::<false>(&self.board, self.law(), depth),
        }
    }

    /// The same, apart for each first move.
    pub fn divide(&self, depth: u32) -> Vec<(Move, u64)> {
        let count = |mv: Move| {
            let mut after = self.clone();
            after.make(mv);
            after.perft(depth.saturating_sub(1))
        };
        self.legal_moves().into_iter().map(|mv| (mv, count(mv))).collect()
    }
}

fn perft_for<const WHITE: bool>(board: &Board, law: Law, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => count_for::<WHITE>(board, law),
        _ => {
            let mut nodes = 0;
            each_move::<WHITE>(board, law, Stage::All, |mv| {
                nodes += after_move::<WHITE>(board, law, mv, depth - 1);
            });
            nodes
        }
    }
}

/// The count after a move. Kept out of line: the generator calls it from a dozen places.
#[inline(never)]
fn after_move<const WHITE: bool>(board: &Board, law: Law, mv: Move, depth: u32) -> u64 {
    let mut after = *board;
    after.play_for::<WHITE>(mv, law.castling);
    match (WHITE, depth) {
        (true, 1) => count_for::<false>(&after, law),
        (false, 1) => count_for::<true>(&after, law),
        (true, _) => perft_for::<false>(&after, law, depth),
        (false, _) => perft_for::<true>(&after, law, depth),
    }
}
