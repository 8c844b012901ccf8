//! What the terms of one evaluation share: who attacks what.
//!
//! Attack sets are computed once, while the pieces are valued, and then serve mobility, king danger, threats and
//! passed pawns. `mod.rs` builds the context; every other file reads it.

use super::pair::Pair;
use super::pawns::PawnEntry;
use super::trace::Trace;
use super::weights::DANGER;
use crate::base::Color;
use crate::chess::{Bitboard, Board, PieceKind, Square, attacks};

/// The files a to d; the rest is the king's wing.
pub const QUEEN_WING: Bitboard = Bitboard(0x0F0F_0F0F_0F0F_0F0F);
/// The files c to f.
pub const CENTER_FILES: Bitboard = Bitboard(0x3C3C_3C3C_3C3C_3C3C);

/// What is known about one side.
pub struct Side {
    /// Where its king stands.
    pub king: Square,
    /// The squares around its king that attackers aim at.
    pub ring: Bitboard,
    /// The only pieces between its king and an enemy slider, of either color.
    pub blockers: Bitboard,
    /// The squares that count for its mobility.
    pub mobility_area: Bitboard,
    /// What each kind of its pieces attacks.
    pub by_kind: [Bitboard; 6],
    /// What it attacks at all.
    pub attacked: Bitboard,
    /// What it attacks at least twice.
    pub twice: Bitboard,
    /// How many of its pieces aim at the enemy king's ring.
    pub ring_attackers: i32,
    /// The sum of their weights.
    pub ring_weight: i32,
    /// How often they attack squares next to the enemy king.
    pub adjacent_attacks: i32,
    /// The value of its mobility.
    pub mobility: Pair,
}

/// The shared knowledge about a position.
pub struct Context<'a> {
    /// The position.
    pub board: &'a Board,
    /// What the pawns alone tell.
    pub pawns: &'a PawnEntry,
    /// All pieces.
    pub occupied: Bitboard,
    sides: [Side; 2],
}

impl<'a> Context<'a> {
    /// Kings and pawns are entered at once; the pieces follow through [`Context::enter`].
    #[inline(always)]
    pub fn new(board: &'a Board, pawns: &'a PawnEntry) -> Context<'a> {
        Context {
            board,
            pawns,
            occupied: board.occupied(),
            sides: [side::<true>(board), side::<false>(board)],
        }
    }

    /// The side that `WHITE` names.
    #[inline(always)]
    pub fn own<const WHITE: bool>(&self) -> &Side {
        &self.sides[!WHITE as usize]
    }

    /// The side that `WHITE` does not name.
    #[inline(always)]
    pub fn enemy<const WHITE: bool>(&self) -> &Side {
        &self.sides[WHITE as usize]
    }

    /// The side that `WHITE` names, to be changed.
    #[inline(always)]
    pub fn own_mut<const WHITE: bool>(&mut self) -> &mut Side {
        &mut self.sides[!WHITE as usize]
    }

    /// Enters what a piece on `square` attacks and returns how many of these squares count for its mobility. A
    /// pinned piece attacks only along the pin.
    #[inline(always)]
    pub fn enter<T: Trace, const WHITE: bool>(
        &mut self,
        kind: PieceKind,
        square: Square,
        attacks: Bitboard,
        trace: &mut T,
    ) -> (Bitboard, usize) {
        let enemy = self.enemy::<WHITE>();
        let (ring, enemy_adjacent) = (enemy.ring, attacks::king(enemy.king));
        let own = self.own_mut::<WHITE>();
        let attacks =
            if own.blockers.has(square) { attacks & attacks::line(own.king, square) } else { attacks };
        own.twice |= own.attacked & attacks;
        own.attacked |= attacks;
        own.by_kind[kind.index()] |= attacks;
        if (attacks & ring).exists() {
            own.ring_attackers += 1;
            let threatened = Color::from_bool(!WHITE);
            own.ring_weight += trace.tally_danger(threatened, &DANGER.attacker[kind.index()], 1);
            own.adjacent_attacks += (attacks & enemy_adjacent).count() as i32;
        }
        (attacks, (attacks & own.mobility_area).count() as usize)
    }
}

/// A side with its king and pawns.
#[inline(always)]
fn side<const WHITE: bool>(board: &Board) -> Side {
    let us = Color::from_bool(WHITE);
    let king = board.king(us);
    let king_attacks = attacks::king(king);
    let own_pawns = board.pieces(us, PieceKind::Pawn);
    let pawn_attacks = own_pawns.pawn_attacks(us);
    // Pawns that cannot move or have hardly moved are in the way of their own pieces.
    let low = Bitboard::rank_for(1, us) | Bitboard::rank_for(2, us);
    let stuck = own_pawns & (low | board.occupied().forward(!us));
    let own_royals = board.pieces(us, PieceKind::King) | board.pieces(us, PieceKind::Queen);
    let ahead = own_pawns.forward(us);
    let twice = ahead.east() & ahead.west();
    let enemy_pawns = board.pieces(!us, PieceKind::Pawn);
    let mut by_kind = [Bitboard::EMPTY; 6];
    by_kind[PieceKind::Pawn.index()] = pawn_attacks;
    by_kind[PieceKind::King.index()] = king_attacks;
    Side {
        king,
        ring: RINGS[king.index()] - twice,
        blockers: blockers::<WHITE>(board, king),
        mobility_area: !(stuck | own_royals | enemy_pawns.pawn_attacks(!us)),
        by_kind,
        attacked: pawn_attacks | king_attacks,
        twice: twice | (pawn_attacks & king_attacks),
        ring_attackers: 0,
        ring_weight: 0,
        adjacent_attacks: 0,
        mobility: Pair::ZERO,
    }
}

/// The pieces that stand alone between the king and an enemy slider.
#[inline(always)]
fn blockers<const WHITE: bool>(board: &Board, king: Square) -> Bitboard {
    let snipers = (attacks::rook_lines(king) & board.straight_sliders()
        | attacks::bishop_lines(king) & board.diagonal_sliders())
        & board.color(Color::from_bool(!WHITE));
    let mut blockers = Bitboard::EMPTY;
    for sniper in snipers {
        let between = attacks::between(king, sniper) & board.occupied();
        if !between.several() {
            blockers |= between;
        }
    }
    blockers
}

/// The nine squares around a king; a king on the edge counts as one step further in, so that every ring is whole.
static RINGS: [Bitboard; 64] = {
    let mut table = [Bitboard::EMPTY; 64];
    let mut square = 0u8;
    while square < 64 {
        let (file, rank) = (square & 7, square >> 3);
        let file = if file < 1 {
            1
        } else if file > 6 {
            6
        } else {
            file
        };
        let rank = if rank < 1 {
            1
        } else if rank > 6 {
            6
        } else {
            rank
        };
        let row = 7u64 << (file - 1);
        table[square as usize] =
            Bitboard(row << ((rank - 1) * 8) | row << (rank * 8) | row << ((rank + 1) * 8));
        square += 1;
    }
    table
};
