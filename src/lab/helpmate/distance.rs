//! How many moves a man needs at least to get somewhere, on an empty board: what stands in the way only makes it longer.
//!
//! Every number here is a lower bound, castling and promotion included; `pictures` and `paths` rely on that.

use once_cell::sync::Lazy;

use crate::base::Color;
use crate::chess::{Bitboard, Castling, CastlingSide, PieceKind, Square, attacks};

/// More moves than anyone has: it cannot get there.
pub const FAR: u8 = 100;

/// A man on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Man {
    /// Whose.
    pub color: Color,
    /// What it is now.
    pub kind: PieceKind,
    /// Where it is now.
    pub square: Square,
}

/// Where a man shall end, and as what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Goal {
    /// The kind; a pawn may have become another one.
    pub kind: PieceKind,
    /// The square, as a number.
    pub square: u8,
}

/// What pawns can become.
pub const PROMOTIONS: [PieceKind; 4] =
    [PieceKind::Queen, PieceKind::Rook, PieceKind::Bishop, PieceKind::Knight];

/// Moves a man needs to reach a goal.
pub fn moves_to(man: &Man, goal: Goal) -> u8 {
    let to = Square::new(goal.square);
    match (man.kind, goal.kind) {
        (PieceKind::Pawn, PieceKind::Pawn) => pawn(man.color, man.square, to),
        (PieceKind::Pawn, PieceKind::King) => FAR,
        (PieceKind::Pawn, kind) => {
            let last_rank = (0..8).map(|file| Square::at(file, 7).for_color(man.color));
            last_rank.map(|at| pawn(man.color, man.square, at) + piece(kind, at, to)).min().unwrap_or(FAR)
        }
        (kind, wanted) if kind == wanted => piece(kind, man.square, to),
        _ => FAR,
    }
}

/// The same for a king or rook that may still castle: the king jumps, the rook comes along for nothing.
pub fn moves_to_castling(man: &Man, goal: Goal, castling: &Castling, side: CastlingSide) -> u8 {
    let to = Square::new(goal.square);
    match man.kind {
        PieceKind::King if goal.kind == PieceKind::King => {
            1 + piece(PieceKind::King, side.king_target(man.color), to)
        }
        PieceKind::Rook
            if goal.kind == PieceKind::Rook && castling.rook(man.color, side) == Some(man.square) =>
        {
            piece(PieceKind::Rook, side.rook_target(man.color), to)
        }
        _ => FAR,
    }
}

/// A pawn steps forward, twice at first, and changes its file only by capturing.
fn pawn(color: Color, from: Square, to: Square) -> u8 {
    let (rank, target) = (from.rank_for(color), to.rank_for(color));
    let files = from.file().abs_diff(to.file());
    if target < rank || target - rank < files {
        return FAR;
    }
    let steps = target - rank;
    steps - u8::from(rank == 1 && steps - files >= 2)
}

fn piece(kind: PieceKind, from: Square, to: Square) -> u8 {
    if from == to {
        return 0;
    }
    let at_once = attacks::piece(kind, from, Bitboard::EMPTY).has(to);
    match kind {
        PieceKind::King => from.distance(to),
        PieceKind::Knight => KNIGHT_MOVES[from.index()][to.index()],
        PieceKind::Rook | PieceKind::Queen => 2 - u8::from(at_once),
        PieceKind::Bishop if Bitboard::DARK.has(from) != Bitboard::DARK.has(to) => FAR,
        PieceKind::Bishop => 2 - u8::from(at_once),
        PieceKind::Pawn => FAR,
    }
}

static KNIGHT_MOVES: Lazy<[[u8; 64]; 64]> = Lazy::new(|| {
    let mut table = [[FAR; 64]; 64];
    for from in Square::all() {
        let (mut reached, mut newest) = (Bitboard::EMPTY, Bitboard::of(from));
        for moves in 0.. {
            if newest.is_empty() {
                break;
            }
            reached |= newest;
            newest.for_each(|square| table[from.index()][square.index()] = moves);
            newest = newest.fold(Bitboard::EMPTY, |next, square| next | attacks::knight(square)) - reached;
        }
    }
    table
});

#[cfg(test)]
mod tests {
    #![allow(clippy::panic)]

    use super::*;

    fn square(name: &str) -> Square {
        Square::parse(name).unwrap_or_else(|| panic!("{name}"))
    }

    fn between(color: Color, kind: PieceKind, from: &str, wanted: PieceKind, to: &str) -> u8 {
        moves_to(&Man { color, kind, square: square(from) }, Goal { kind: wanted, square: square(to).raw() })
    }

    #[test]
    fn pieces_take_the_shortest_way() {
        use PieceKind::*;
        let white = |kind, from, to| between(Color::White, kind, from, kind, to);
        assert_eq!(white(Knight, "a1", "b2"), 4);
        assert_eq!(white(Knight, "a1", "h8"), 6);
        assert_eq!(white(Bishop, "a1", "h8"), 1);
        assert_eq!(white(Bishop, "a1", "c1"), 2);
        assert_eq!(white(Bishop, "a1", "b1"), FAR);
        assert_eq!(white(Rook, "a1", "h8"), 2);
        assert_eq!(white(Queen, "a1", "h8"), 1);
        assert_eq!(white(King, "a1", "c8"), 7);
        assert_eq!(between(Color::White, Rook, "a1", Queen, "a2"), FAR);
    }

    #[test]
    fn pawns_step_capture_and_promote() {
        use PieceKind::*;
        let white = |from, to| between(Color::White, Pawn, from, Pawn, to);
        assert_eq!(white("e2", "e4"), 1);
        assert_eq!(white("e2", "e5"), 2);
        assert_eq!(white("e2", "d4"), 2);
        assert_eq!(white("e2", "c3"), FAR);
        assert_eq!(white("e4", "e3"), FAR);
        assert_eq!(between(Color::Black, Pawn, "b7", Pawn, "b5"), 1);
        assert_eq!(between(Color::Black, Pawn, "b2", Queen, "b1"), 1);
        assert_eq!(between(Color::Black, Pawn, "b2", Queen, "h8"), 2);
        assert_eq!(between(Color::White, Pawn, "e6", Knight, "f6"), 3);
    }
}
