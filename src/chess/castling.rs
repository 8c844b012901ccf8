//! Castling rights and, for Chess960, where king and rooks started.

use super::{Bitboard, Square};
use crate::base::Color;

/// Towards the h-file or towards the a-file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum CastlingSide {
    /// The king ends on the g-file.
    King = 0,
    /// The king ends on the c-file.
    Queen = 1,
}

impl CastlingSide {
    /// Both sides, king side first.
    pub const ALL: [CastlingSide; 2] = [CastlingSide::King, CastlingSide::Queen];

    /// Where the king lands.
    #[inline(always)]
    pub const fn king_target(self, color: Color) -> Square {
        Square::at(if matches!(self, CastlingSide::King) { 6 } else { 2 }, 0).for_color(color)
    }

    /// Where the rook lands.
    #[inline(always)]
    pub const fn rook_target(self, color: Color) -> Square {
        Square::at(if matches!(self, CastlingSide::King) { 5 } else { 3 }, 0).for_color(color)
    }
}

/// The bit of one right in a set of four.
#[inline(always)]
pub const fn right(color: Color, side: CastlingSide) -> u8 {
    1 << (color.index() * 2 + side as usize)
}

/// Where castling starts: fixed for a game, so it is kept apart from the board that changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Castling {
    rooks: [[Option<Square>; 2]; 2],
    /// For each square, the rights that survive a move from or to it.
    kept: [u8; 64],
    /// For each right, the squares that must be empty.
    empty: [[Bitboard; 2]; 2],
    /// For each right, the squares the king crosses, target included.
    path: [[Bitboard; 2]; 2],
}

impl Castling {
    /// No castling.
    pub const NONE: Castling = Castling {
        rooks: [[None; 2]; 2],
        kept: [15; 64],
        empty: [[Bitboard::EMPTY; 2]; 2],
        path: [[Bitboard::EMPTY; 2]; 2],
    };

    /// Adds the right of the king on `king` with the rook on `rook`.
    pub fn allow(&mut self, color: Color, side: CastlingSide, king: Square, rook: Square) {
        let (king_target, rook_target) = (side.king_target(color), side.rook_target(color));
        let path = inclusive(king, king_target);
        let movers = Bitboard::of(king) | Bitboard::of(rook);
        self.rooks[color.index()][side as usize] = Some(rook);
        self.kept[king.index()] &= !right(color, side);
        self.kept[rook.index()] &= !right(color, side);
        self.path[color.index()][side as usize] = path;
        self.empty[color.index()][side as usize] = (path | inclusive(rook, rook_target)) - movers;
    }

    /// The rook of a right, if that right ever existed.
    #[inline(always)]
    pub fn rook(&self, color: Color, side: CastlingSide) -> Option<Square> {
        self.rooks[color.index()][side as usize]
    }

    /// The rights that survive a move from or to `square`.
    #[inline(always)]
    pub fn kept(&self, square: Square) -> u8 {
        self.kept[square.index()]
    }

    /// The squares that must be empty apart from king and rook.
    #[inline(always)]
    pub fn must_be_empty(&self, color: Color, side: CastlingSide) -> Bitboard {
        self.empty[color.index()][side as usize]
    }

    /// The squares of the king's way, both ends included.
    #[inline(always)]
    pub fn king_path(&self, color: Color, side: CastlingSide) -> Bitboard {
        self.path[color.index()][side as usize]
    }
}

/// Both squares and everything between them on one rank.
fn inclusive(a: Square, b: Square) -> Bitboard {
    super::attacks::between(a, b) | Bitboard::of(a) | Bitboard::of(b)
}
