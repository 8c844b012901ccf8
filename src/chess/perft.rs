//! Counting the leaves of the legal move tree: the measure of exact and fast rules.

use super::movegen::{count_for, generate_for};
use super::{Board, Castling, Position};
use crate::base::{Color, Move, MoveList};
use crate::game::Stage;

impl Position {
    /// How many move sequences of `depth` plies there are. The last ply is counted, not played.
    pub fn perft(&self, depth: u32) -> u64 {
        match self.board.side {
            Color::White => perft_for::<true>(&self.board, &self.castling, depth),
            Color::Black => perft_for::<false>(&self.board, &self.castling, depth),
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

fn perft_for<const WHITE: bool>(board: &Board, castling: &Castling, depth: u32) -> u64 {
    match depth {
        0 => return 1,
        1 => return count_for::<WHITE>(board, castling),
        _ => {}
    }
    let mut list = MoveList::new();
    generate_for::<WHITE>(board, castling, Stage::All, &mut list);
    let mut nodes = 0;
    for mv in list {
        let mut after = *board;
        after.play_for::<WHITE>(mv, castling);
        nodes += if WHITE {
            perft_for::<false>(&after, castling, depth - 1)
        } else {
            perft_for::<true>(&after, castling, depth - 1)
        };
    }
    nodes
}
