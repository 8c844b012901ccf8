//! The neural evaluation: a small network, trained on the engine's own games, whose first layer is kept up to date move
//! by move.
//!
//! `architecture` says what the network looks like, `network` holds its numbers, `file` reads and writes them, `simd`
//! computes, `accumulator` spares most of the computing, `view` shows what the network sees. [`Nnue`] is the evaluator
//! of a searching thread; `lab/train` makes networks.

mod accumulator;
pub mod architecture;
mod embedded;
pub mod file;
pub mod network;
pub mod simd;
#[cfg(test)]
mod tests;
mod view;

use std::sync::Arc;

use accumulator::Line;
use architecture::output_bucket;
pub use embedded::embedded;
pub use network::Network;
use simd::Path;
pub use view::table;

use super::classical::judge_afresh;
use super::classical::trace::NoTrace;
use crate::base::{Color, Score};
use crate::chess::{Board, PieceKind, Position};
use crate::game::{Changes, Evaluator, Game};

/// The evaluator of one searching thread.
pub struct Nnue {
    network: Arc<Network>,
    path: Path,
    line: Line,
}

impl Nnue {
    /// An evaluator by this network, with the fastest instructions there are.
    pub fn new(network: Arc<Network>) -> Nnue {
        Nnue::with_path(network, Path::best())
    }

    /// The same with given instructions, for comparing them.
    pub fn with_path(network: Arc<Network>, path: Path) -> Nnue {
        let line = Line::new(&network);
        Nnue { network, path, line }
    }
}

/// Against a king alone there is nothing to weigh, but a way to go: the classical evaluation knows which corner a king is
/// driven to, and what cannot be won. Games are decided long before, so networks learn little about it.
#[inline]
fn with_bare_king(board: &Board) -> Option<Score> {
    let bare = |side| board.color(side) == board.pieces(side, PieceKind::King);
    if !Color::ALL.into_iter().any(bare) {
        return None;
    }
    Some(judge_afresh(board, &mut NoTrace).for_side(board.side_to_move()))
}

impl Evaluator<Position> for Nnue {
    const NEEDS_CHANGES: bool = true;

    fn reset(&mut self, _: &Position) {
        self.line.restart();
    }

    #[inline]
    fn make(&mut self, changes: &Changes) {
        self.line.push(changes);
    }

    #[inline]
    fn unmake(&mut self) {
        self.line.pop();
    }

    #[inline]
    fn evaluate(&mut self, position: &Position) -> Score {
        let board = position.board();
        if let Some(score) = with_bare_king(board) {
            return score;
        }
        let [white, black] = self.line.rows(board, &self.network, self.path);
        let (ours, theirs) = if board.side_to_move().is_white() { (white, black) } else { (black, white) };
        let value = self.network.output(self.path, ours, theirs, output_bucket(position.men()));
        let score = Score::new(value).clamp_eval();
        debug_assert_eq!(score, self.network.evaluate(board), "not what it is from scratch: {position}");
        score
    }
}
