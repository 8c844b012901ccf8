//! What is on the board, and where it stands: material, piece squares, the phase of the game.
//!
//! `mod.rs` calls this first; pawns and pieces use [`square_index`] for their tables.

use super::trace::{Term, Trace};
use super::weights::W;
use super::{Context, Pair};
use crate::base::Color;
use crate::chess::{Bitboard, Board, PieceKind, Square};

/// All pieces on the board: pure middlegame.
pub const FULL_PHASE: i32 = 24;

/// What each kind adds to the phase, pawn to king.
const PHASE: [i32; 6] = [0, 1, 1, 2, 4, 0];

/// The place of a square in the half-board tables, as `color` sees it.
#[inline(always)]
pub fn square_index(square: Square, color: Color) -> usize {
    let square = square.for_color(color);
    // Files e to h count as d to a.
    let file = square.file() ^ ((square.file() >> 2) * 7);
    (square.rank() * 4 + file) as usize & 31
}

/// From 0, bare kings and pawns, to [`FULL_PHASE`].
#[inline(always)]
pub fn phase(board: &Board) -> i32 {
    let mut phase = 0;
    for kind in [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen] {
        phase += PHASE[kind.index()] * board.kind(kind).count() as i32;
    }
    phase.min(FULL_PHASE)
}

/// The pieces of a side in whole pawns, pawns themselves left out: minor 3, rook 5, queen 9. For rules of thumb.
#[inline(always)]
pub fn units(board: &Board, color: Color) -> i32 {
    let count = |kind| board.pieces(color, kind).count() as i32;
    3 * (count(PieceKind::Knight) + count(PieceKind::Bishop))
        + 5 * count(PieceKind::Rook)
        + 9 * count(PieceKind::Queen)
}

/// The pieces of one side by number and kind.
#[inline(always)]
pub fn material<T: Trace, const WHITE: bool>(context: &Context, trace: &mut T) -> Pair {
    let us = Color::from_bool(WHITE);
    let board = context.board;
    let mut score = Pair::ZERO;
    for kind in [PieceKind::Pawn, PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen] {
        let count = board.pieces(us, kind).count() as i32;
        score += trace.tally(Term::Material, us, &W.material[kind.index()], count);
    }
    let bishops = board.pieces(us, PieceKind::Bishop);
    if (bishops & Bitboard::DARK).exists() && (bishops - Bitboard::DARK).exists() {
        score += trace.tally(Term::Material, us, &W.bishop_pair, 1);
    }
    score
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_boards_mirror_files_and_colors() {
        let at = |text| Square::parse(text).unwrap();
        assert_eq!(square_index(at("a1"), Color::White), 0);
        assert_eq!(square_index(at("h1"), Color::White), 0);
        assert_eq!(square_index(at("e4"), Color::White), square_index(at("d5"), Color::Black));
        assert_eq!(square_index(at("d8"), Color::White), 31);
    }
}
