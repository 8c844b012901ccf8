//! What every number of the variants' evaluation means, in centipawns unless its name says otherwise.
//!
//! The numbers themselves stand in `values.rs`, a row for each group of variants, which `rosada tune` writes. What is not
//! fitted but set by hand stands below as constants.

use super::super::classical::Pair;
use super::super::classical::numbers::{Field, Group, Numbers, group};
pub use super::values::ROWS;
use crate::fairy::{Kind, Rules};

/// A pair for each kind by its number: pawn, bishop, rook, queen, knight, archbishop, chancellor, amazon, king.
pub type ByKind = [Pair; Kind::COUNT];

group! {
    /// The numbers with a middlegame and an endgame half.
    #[derive(Clone)]
    Weights of Pair {
        /// What a piece is worth by itself; royal pieces count nothing.
        material: ByKind,
        /// Mobility: what the square root of one more reachable square is worth.
        mobility: ByKind,
        /// What the middle of the board is worth; a corner costs as much. Rooks do not mind corners.
        center: ByKind,
        /// A piece that has not left the first rank.
        back_rank: ByKind,
        /// A rook on the last rank but one.
        rook_seventh: Pair,

        /// A pawn on a middle file, for each of its first three steps and each file from the edge, in 16ths.
        pawn_center_16ths: Pair,
        /// A pawn, for each of its first three steps, in 16ths.
        pawn_first_steps_16ths: Pair,
        /// A pawn, for each step, in 16ths.
        pawn_step_16ths: Pair,
        /// A pawn, for the square of its steps, in 16ths.
        pawn_steps_squared_16ths: Pair,

        /// A king on its first and on its second rank.
        king_home: [Pair; 2],
        /// The same for each half step from the middle file.
        king_wing: [Pair; 2],
        /// A king that has gone further, for each rank.
        king_forward: Pair,

        /// Bishops on both colors.
        bishop_pair: Pair,
        /// A rook or chancellor on a file without own pawns before it.
        semi_open_file: Pair,
        /// The same without any pawns before it.
        open_file: Pair,

        /// Pawns without neighbors.
        isolated: Pair,
        /// Pawns behind another of their own.
        doubled: Pair,
        /// Pawns that no neighbor can support and that cannot advance safely.
        backward: Pair,
        /// Pawns side by side or supported, for each rank they have advanced.
        connected: Pair,
        /// A passed pawn, by the steps it has left to promote: one, two, ...
        passed: [Pair; 7],

        /// A pawn attacks a piece.
        pawn_threat: Pair,
        /// A minor piece attacks a rook or more.
        minor_threat: Pair,
        /// A rook attacks more than a rook.
        rook_threat: Pair,
        /// An enemy piece is attacked and not defended.
        hanging: Pair,
        /// A piece of those who hunt a lone royal piece that nobody defends.
        loose_hunter: Pair,
    }
}

group! {
    /// The other numbers.
    #[derive(Clone)]
    Singles of i32 {
        /// The side to move.
        tempo: i32,
        /// For each step the enemy king is further from a passed pawn than the own one, in the endgame; grows as the
        /// pawn comes nearer.
        passed_kings: i32,

        /// How much a kind adds to the danger of a king near which it attacks squares.
        attacker: [i32; Kind::COUNT],
        /// Danger of each attacked square around the king.
        ring_attack: i32,
        /// Danger of each such square that only the king defends.
        ring_weak: i32,
        /// Danger of safe checks: by leap, along diagonals, along files and ranks.
        safe_checks: [i32; 3],
        /// Danger that is taken off when the enemy has no piece of two movements.
        without_heavy: i32,

        /// What the nearest own pawn before the king is worth, by its distance; the last stands for none.
        shelter: [i32; 6],
        /// An enemy pawn that comes near the king's file, by its distance.
        storm: [i32; 6],
        /// Safe squares of a lone royal piece: what it is worth to have so many.
        hunted: [i32; 16],
    }
}

/// All numbers that are fitted.
#[derive(Clone)]
pub struct Values {
    /// With two halves.
    pub weights: Weights,
    /// The rest.
    pub singles: Singles,
}

/// The numbers of some variants.
pub struct Row {
    /// The variants; the last row serves all that no row names.
    pub variants: &'static [&'static str],
    /// Where the numbers come from.
    pub origin: &'static str,
    /// The numbers.
    pub numbers: Values,
}

/// The place of the row that a variant goes by.
pub fn row_of(rules: &Rules) -> usize {
    let named = ROWS.iter().position(|row| row.variants.contains(&rules.variant.name));
    named.unwrap_or(ROWS.len() - 1)
}

/// How much of the middlegame a piece stands for.
pub const PHASE: [i32; Kind::COUNT] = [0, 1, 2, 4, 1, 3, 4, 5, 0];
/// The squares a kind usually reaches.
pub const USUAL_MOBILITY: [i32; Kind::COUNT] = [0, 6, 7, 13, 4, 11, 12, 18, 0];
/// Danger below this is none.
pub const DANGER_FLOOR: i32 = 80;
/// Where chance strikes, no material is worth more than this; a won game counts some more.
pub const MOST_BY_MATERIAL: i32 = 2_500;
