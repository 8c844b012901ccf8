//! The shape of the network: how many numbers it has and what each input means. Inference, loader and trainer all go by
//! this file; changing a constant here changes all of them, and files of another shape are refused.
//!
//! Each side sees the board its own way: ranks counted from its own back rank, its own men first, and files mirrored so
//! that its king stands on files a to d. An input is one man on one square, seen that way.

use crate::base::Color;
use crate::chess::{Board, Piece, Square};

/// Neurons that each side's view feeds; a multiple of 128.
pub const HIDDEN: usize = 512;

/// Outputs, one for each stage of the game as the number of men tells it.
pub const OUTPUT_BUCKETS: usize = 8;

/// Sets of input weights, chosen by where the own king stands.
pub const KING_BUCKETS: usize = 1;

/// The set for each square of a king on files a to d, its own back rank first.
pub const KING_BUCKET_OF: [u8; 32] = [0; 32];

/// Inputs of one set: twelve men on sixty-four squares.
pub const MEN_INPUTS: usize = Piece::COUNT * 64;

/// All inputs.
pub const INPUTS: usize = KING_BUCKETS * MEN_INPUTS;

/// Ways to see the board: mirrored or not, with each set of weights.
pub const VIEWS: usize = 2 * KING_BUCKETS;

/// A neuron's activation of 1 in whole numbers; input weights and biases are counted in these.
pub const UNIT: i16 = 255;

/// An output weight of 1 in whole numbers.
pub const OUTPUT_UNIT: i16 = 64;

/// The largest input weight or bias: with every square occupied the sum still fits sixteen bits.
pub const INPUT_LIMIT: i16 = i16::MAX / 65;

/// The largest output weight: multiplied by a full activation it still fits sixteen bits.
pub const OUTPUT_LIMIT: i16 = i16::MAX / UNIT - 1;

/// The largest output bias, in products of both units: what the trainer allows, far from any overflow.
pub const OUTPUT_BIAS_LIMIT: i32 = 16 * UNIT as i32 * OUTPUT_UNIT as i32;

// The sums of the output layer: the narrowest vector has eight sums of thirty-two bits.
const _: () = {
    let product = UNIT as i64 * UNIT as i64 * OUTPUT_LIMIT as i64;
    assert!(product * (2 * HIDDEN as i64 / 8) <= i32::MAX as i64);
    // What the widest vectors take at a time.
    assert!(HIDDEN.is_multiple_of(128) && HIDDEN > 0 && INPUTS <= u16::MAX as usize);
    let mut square = 0;
    while square < KING_BUCKET_OF.len() {
        assert!((KING_BUCKET_OF[square] as usize) < KING_BUCKETS);
        square += 1;
    }
};

/// How a side sees the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// Turns a square into the square as it is seen.
    flip: u8,
    side: Color,
    bucket: u8,
}

impl View {
    /// The view of `side` with its king on `king`.
    #[inline(always)]
    pub fn new(side: Color, king: Square) -> View {
        let seen = king.for_color(side);
        let mirror = if seen.file() >= 4 { 7 } else { 0 };
        let square = seen.raw() ^ mirror;
        let bucket = KING_BUCKET_OF[usize::from(square / 8 * 4 + square % 8) & 31];
        View { flip: mirror ^ (56 * side as u8), side, bucket }
    }

    /// The view that `side` has of a board.
    #[inline(always)]
    pub fn of(board: &Board, side: Color) -> View {
        View::new(side, board.king(side))
    }

    /// The number of this view among all of a side, below [`VIEWS`].
    #[inline(always)]
    pub fn index(self) -> usize {
        usize::from(self.flip & 1) * KING_BUCKETS + usize::from(self.bucket)
    }

    /// The input that a man on a square is, below [`INPUTS`].
    #[inline(always)]
    pub fn input(self, piece: Piece, square: Square) -> u16 {
        let owner = if piece.color() == self.side { 0 } else { 6 };
        let men = (owner + piece.kind().index()) * 64 + usize::from(square.raw() ^ self.flip);
        (usize::from(self.bucket) * MEN_INPUTS + men) as u16
    }
}

/// The output that judges a board with so many men.
#[inline(always)]
pub fn output_bucket(men: u32) -> usize {
    const MEN_OF_A_BUCKET: usize = 32_usize.div_ceil(OUTPUT_BUCKETS);
    ((men as usize).saturating_sub(2) / MEN_OF_A_BUCKET).min(OUTPUT_BUCKETS - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{PieceKind, Position};

    #[test]
    fn kings_are_seen_on_the_queen_side() {
        for king in Square::all() {
            for side in Color::ALL {
                let view = View::new(side, king);
                let input = usize::from(view.input(Piece::new(side, PieceKind::King), king)) % MEN_INPUTS;
                assert_eq!(input / 64, PieceKind::King.index());
                assert!(input % 8 < 4, "{king}");
                assert_eq!(input % 64 / 8, usize::from(king.rank_for(side)));
                assert!(view.index() < VIEWS);
            }
        }
    }

    #[test]
    fn every_man_has_an_input_of_its_own() {
        for king in [Square::at(2, 0), Square::at(6, 5)] {
            for side in Color::ALL {
                let view = View::new(side, king);
                let mut seen = vec![false; INPUTS];
                for piece in Piece::ALL {
                    for square in Square::all() {
                        assert!(!std::mem::replace(&mut seen[usize::from(view.input(piece, square))], true));
                    }
                }
            }
        }
    }

    #[test]
    fn stages_follow_the_number_of_men() {
        assert_eq!(output_bucket(Position::start().board().occupied().count()), OUTPUT_BUCKETS - 1);
        assert_eq!((output_bucket(2), output_bucket(64)), (0, OUTPUT_BUCKETS - 1));
        assert!((2..32).all(|men| output_bucket(men) <= output_bucket(men + 1)));
    }
}
