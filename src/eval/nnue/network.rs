//! The numbers of a network and what they say about a position when everything is added up from nothing. `file` reads
//! and writes them, `Nnue` computes the same value step by step, the trainer fills them.

use super::architecture::{HIDDEN, INPUTS, OUTPUT_BUCKETS, OUTPUT_UNIT, UNIT, View, output_bucket};
use super::simd::Path;
use crate::base::Score;
use crate::chess::{Board, Piece, Square};

/// A number for each neuron, placed so that the widest vectors can be read at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Row(pub [i16; HIDDEN]);

impl Row {
    /// Nothing.
    pub const ZERO: Row = Row([0; HIDDEN]);
}

/// What is known about how a network was made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Origin {
    /// Positions it learned from.
    pub positions: u64,
    /// How often it went through them.
    pub epochs: u32,
    /// How wrong it was, in the end, about positions of other games: the mean square.
    pub validation_loss: f32,
}

impl Origin {
    /// Of a network that nobody keeps.
    pub const UNKNOWN: Origin = Origin { positions: 0, epochs: 0, validation_loss: 0.0 };
}

/// A network.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    /// What each input adds to the neurons.
    pub(super) inputs: Vec<Row>,
    /// What the neurons start from.
    pub(super) bias: Row,
    /// For each output: the weights of the neurons of the side to move, then of the other side.
    pub(super) outputs: [[Row; 2]; OUTPUT_BUCKETS],
    /// What the outputs start from, in products of both units.
    pub(super) output_bias: [i32; OUTPUT_BUCKETS],
    /// Centipawns in an output of 1.
    pub(super) scale_cp: u16,
    /// Where it comes from.
    pub(super) origin: Origin,
}

impl Network {
    /// A network of these numbers, which must be within their limits: `file::check` says whether they are.
    pub fn new(
        inputs: Vec<Row>,
        bias: Row,
        outputs: [[Row; 2]; OUTPUT_BUCKETS],
        output_bias: [i32; OUTPUT_BUCKETS],
        scale_cp: u16,
        origin: Origin,
    ) -> Network {
        debug_assert_eq!(inputs.len(), INPUTS);
        Network { inputs, bias, outputs, output_bias, scale_cp, origin }
    }

    /// Centipawns in an output of 1.
    pub fn scale_cp(&self) -> u16 {
        self.scale_cp
    }

    /// Where it comes from.
    pub fn origin(&self) -> Origin {
        self.origin
    }

    /// What each input adds to the neurons.
    pub fn inputs(&self) -> &[Row] {
        &self.inputs
    }

    /// What the neurons start from.
    pub fn bias(&self) -> &Row {
        &self.bias
    }

    /// The weights of an output, the side to move first, and what it starts from.
    pub fn output_weights(&self, bucket: usize) -> (&[Row; 2], i32) {
        (&self.outputs[bucket], self.output_bias[bucket])
    }

    /// The value in centipawns that an output gives to the neurons of both sides, the side to move first.
    #[inline(always)]
    pub(super) fn output(&self, path: Path, ours: &Row, theirs: &Row, bucket: usize) -> i32 {
        let sum = path.weigh(ours, theirs, &self.outputs[bucket]);
        let units = sum / i64::from(UNIT) + i64::from(self.output_bias[bucket]);
        (units * i64::from(self.scale_cp) / (i64::from(UNIT) * i64::from(OUTPUT_UNIT))) as i32
    }

    /// The value of a board for the side to move, computed from nothing.
    pub fn evaluate(&self, board: &Board) -> Score {
        let men = men_of(board);
        let bucket = output_bucket(men.len() as u32);
        Score::new(self.value(board, &men, bucket)).clamp_eval()
    }

    /// What one output says about some of the men of a board, for its side to move, in centipawns.
    pub(super) fn value(&self, board: &Board, men: &[(Piece, Square)], bucket: usize) -> i32 {
        let side = board.side_to_move();
        let inputs = [side, !side].map(|side| -> Vec<u16> {
            let view = View::of(board, side);
            men.iter().map(|&(piece, square)| view.input(piece, square)).collect()
        });
        self.value_of_inputs([&inputs[0], &inputs[1]], bucket)
    }

    /// What one output says when these inputs are active, those of the side to move first, in centipawns.
    pub fn value_of_inputs(&self, inputs: [&[u16]; 2], bucket: usize) -> i32 {
        let [ours, theirs] = inputs.map(|inputs| self.neurons(inputs));
        self.output(Path::plain(), &ours, &theirs, bucket)
    }

    /// The neurons of a side whose inputs these are, before they are clipped.
    pub fn neurons(&self, inputs: &[u16]) -> Row {
        let mut row = self.bias;
        for &input in inputs {
            let weights = &self.inputs[usize::from(input)];
            row.0.iter_mut().zip(&weights.0).for_each(|(sum, &weight)| *sum = sum.wrapping_add(weight));
        }
        row
    }
}

/// All men of a board.
pub(super) fn men_of(board: &Board) -> Vec<(Piece, Square)> {
    board.occupied().filter_map(|square| Some((board.piece_on(square)?, square))).collect()
}
