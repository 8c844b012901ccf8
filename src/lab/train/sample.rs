//! A position to learn from, in 32 bytes: the men as the side to move sees them, what the search said, how the game
//! ended. `dataset` makes them, `model` reads their inputs.

use crate::base::Color;
use crate::chess::{Board, Piece, Square};
use crate::eval::nnue::Network;
use crate::eval::nnue::architecture::{View, output_bucket};

/// As many men as there is room for; a game has no more.
pub const MOST_MEN: usize = 32;

/// Half points of a position that nobody played on from.
pub const NO_RESULT: u8 = u8::MAX;

/// A position and what became of it, all from the point of view of the side to move, which is always White: ranks and
/// colors are exchanged where Black is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    occupied: u64,
    /// The pieces on the occupied squares, the lowest square first, four bits each.
    pieces: [u8; MOST_MEN / 2],
    /// What the search said, in centipawns.
    pub score_cp: i16,
    /// Half points that the side to move got in the end, or [`NO_RESULT`].
    pub half_points: u8,
    kings: [u8; 2],
}

/// The active inputs of a position, for one side.
pub type Inputs = arrayvec::ArrayVec<u16, MOST_MEN>;

impl Sample {
    /// The sample of a board with at most [`MOST_MEN`] men, or nothing.
    pub fn new(board: &Board, score_cp: i16, half_points: u8) -> Option<Sample> {
        let side = board.side_to_move();
        let mut men: arrayvec::ArrayVec<(u8, u8), MOST_MEN> = arrayvec::ArrayVec::new();
        for square in board.occupied() {
            let piece = board.piece_on(square)?;
            let color = if piece.color() == side { Color::White } else { Color::Black };
            men.try_push((square.for_color(side).raw(), Piece::new(color, piece.kind()) as u8)).ok()?;
        }
        men.sort_unstable();
        let mut sample = Sample {
            occupied: 0,
            pieces: [0; MOST_MEN / 2],
            score_cp,
            half_points,
            kings: [side, !side].map(|color| board.king(color).for_color(side).raw()),
        };
        for (number, (square, piece)) in men.into_iter().enumerate() {
            sample.occupied |= 1 << square;
            sample.pieces[number / 2] |= piece << (4 * (number % 2));
        }
        Some(sample)
    }

    /// This position with another score.
    pub fn with_score(self, score_cp: i16) -> Sample {
        Sample { score_cp, ..self }
    }

    /// The active inputs of the side to move and of the other side.
    #[inline]
    pub fn inputs(&self) -> [Inputs; 2] {
        let [ours, theirs] = self.kings.map(Square::new);
        let views = [View::new(Color::White, ours), View::new(Color::Black, theirs)];
        let mut inputs = [Inputs::new(), Inputs::new()];
        for (piece, square) in self.men() {
            for (inputs, view) in inputs.iter_mut().zip(views) {
                inputs.push(view.input(piece, square));
            }
        }
        inputs
    }

    /// What a network says about it, in centipawns.
    pub fn value_by(&self, network: &Network) -> i32 {
        let [ours, theirs] = self.inputs();
        network.value_of_inputs([&ours, &theirs], self.bucket())
    }

    /// The output that judges it.
    #[inline]
    pub fn bucket(&self) -> usize {
        output_bucket(self.occupied.count_ones())
    }

    /// The men.
    #[inline]
    fn men(&self) -> impl Iterator<Item = (Piece, Square)> {
        crate::chess::Bitboard(self.occupied).enumerate().map(|(number, square)| {
            let code = self.pieces[number / 2 % self.pieces.len()] >> (4 * (number % 2)) & 15;
            (Piece::ALL[usize::from(code) % Piece::COUNT], square)
        })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::chess::Position;

    const FEN: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1";

    #[test]
    fn a_sample_takes_no_more_than_its_share() {
        assert_eq!(size_of::<Sample>(), 32);
    }

    #[test]
    fn the_inputs_are_those_of_the_board() {
        let position = Position::from_fen(FEN).unwrap();
        for position in [position.mirrored(), position] {
            let board = position.board();
            let sample = Sample::new(board, 5, 2).unwrap();
            let side = board.side_to_move();
            for (found, color) in sample.inputs().into_iter().zip([side, !side]) {
                let view = View::of(board, color);
                let input = |square: Square| view.input(board.piece_on(square).unwrap(), square);
                let mut right: Vec<u16> = board.occupied().map(input).collect();
                let mut found = found.to_vec();
                right.sort_unstable();
                found.sort_unstable();
                assert_eq!(found, right);
            }
        }
    }

    #[test]
    fn both_colors_give_the_same_sample() {
        let position = Position::from_fen(FEN).unwrap();
        let sample = |position: &Position| Sample::new(position.board(), 7, 1).unwrap();
        assert_eq!(sample(&position), sample(&position.mirrored()));
    }
}
