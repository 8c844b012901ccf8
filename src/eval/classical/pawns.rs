//! Pawn structure, remembered between evaluations.
//!
//! Pawns move seldom, so what they alone decide is kept in a small table keyed by the pawn hash: the score of the
//! structure, the passed pawns, what pawns might ever attack, and the shelter of the kings, which is
//! recomputed when a king has moved. The [`super::Classical`] evaluator owns the table.

use super::king;
use super::material::square_index;
use super::pair::Pair;
use super::trace::{NoTrace, Term, Trace};
use super::weights::W;
use crate::base::Color;
use crate::chess::{Bitboard, Board, PieceKind, Square};

/// What the pawns decide and would take long to compute anew; arrays are indexed by color. One cache line.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub struct PawnEntry {
    key: u64,
    /// Squares and structure, White minus Black.
    pub score: Pair,
    /// Pawns that no enemy pawn can stop.
    pub passed: [Bitboard; 2],
    /// What pawns attack now or after advancing.
    pub spans: [Bitboard; 2],
    /// The shelter of each king.
    pub shelter: [Pair; 2],
    /// Where the king stood, and with which rights, when its shelter was valued.
    sheltered: [Option<(Square, u8)>; 2],
}

impl PawnEntry {
    /// The right entry for a board without pawns, too: its key is zero.
    const EMPTY: PawnEntry = PawnEntry {
        key: 0,
        score: Pair::ZERO,
        passed: [Bitboard::EMPTY; 2],
        spans: [Bitboard::EMPTY; 2],
        shelter: [Pair::ZERO; 2],
        sheltered: [None; 2],
    };

    /// Values the pawns of a board.
    pub fn new<T: Trace>(board: &Board, trace: &mut T) -> PawnEntry {
        let mut entry = PawnEntry { key: board.keys().pawn, ..PawnEntry::EMPTY };
        let (white, black) = (structure::<T, true>(board, trace), structure::<T, false>(board, trace));
        entry.score = white.score - black.score;
        for (index, side) in [white, black].into_iter().enumerate() {
            entry.passed[index] = side.passed;
            entry.spans[index] = side.span;
        }
        entry.update_shelter::<T, true>(board, trace);
        entry.update_shelter::<T, false>(board, trace);
        entry
    }

    /// Values the shelter of a king unless it stands where it stood before.
    #[inline(always)]
    fn update_shelter<T: Trace, const WHITE: bool>(&mut self, board: &Board, trace: &mut T) {
        let us = Color::from_bool(WHITE);
        let rights = king::rights::<WHITE>(board);
        let place = Some((board.king(us), rights));
        if self.sheltered[us.index()] != place {
            self.sheltered[us.index()] = place;
            self.shelter[us.index()] = king::shelter::<T, WHITE>(board, rights, trace);
        }
    }
}

/// Remembers pawn structures by their key.
pub struct PawnTable {
    entries: Box<[PawnEntry]>,
}

impl PawnTable {
    const SIZE: usize = 1 << 14;

    /// An empty table.
    pub fn new() -> PawnTable {
        PawnTable { entries: vec![PawnEntry::EMPTY; PawnTable::SIZE].into_boxed_slice() }
    }

    /// The entry for a board, computed if it is not there.
    #[inline(always)]
    pub fn probe(&mut self, board: &Board) -> &PawnEntry {
        let key = board.keys().pawn;
        let entry = &mut self.entries[key as usize % PawnTable::SIZE];
        if entry.key == key {
            entry.update_shelter::<NoTrace, true>(board, &mut NoTrace);
            entry.update_shelter::<NoTrace, false>(board, &mut NoTrace);
        } else {
            *entry = PawnEntry::new(board, &mut NoTrace);
        }
        entry
    }
}

/// One side's part of an entry.
struct Structure {
    score: Pair,
    passed: Bitboard,
    span: Bitboard,
}

/// A set with its neighbors left and right added.
#[inline(always)]
fn widen(set: Bitboard) -> Bitboard {
    set | set.east() | set.west()
}

/// Values the pawns of one side.
fn structure<T: Trace, const WHITE: bool>(board: &Board, trace: &mut T) -> Structure {
    let us = Color::from_bool(WHITE);
    let own = board.pieces(us, PieceKind::Pawn);
    let enemy = board.pieces(!us, PieceKind::Pawn);
    let mut result =
        Structure { score: Pair::ZERO, passed: Bitboard::EMPTY, span: own.pawn_attacks(us).fill_forward(us) };
    for square in own {
        result.score += trace.tally(Term::Squares, us, &W.pawn_squares[square_index(square, us)], 1);
        result.score += pawn::<T, WHITE>(square, own, enemy, trace);
        if is_passed::<WHITE>(square, own, enemy) {
            result.passed |= Bitboard::of(square);
        }
    }
    result
}

/// What the structure around one pawn is worth.
fn pawn<T: Trace, const WHITE: bool>(square: Square, own: Bitboard, enemy: Bitboard, trace: &mut T) -> Pair {
    let us = Color::from_bool(WHITE);
    let rank = square.rank_for(us) as usize;
    let pawn = Bitboard::of(square);
    let stop = pawn.forward(us);
    let unopposed = (stop.fill_forward(us) & enemy).is_empty();
    let neighbors = own & (pawn.east() | pawn.west()).fill_forward(us).fill_forward(!us);
    let phalanx = neighbors & (pawn.east() | pawn.west());
    let support = pawn.pawn_attacks(!us) & own;
    let mut score = Pair::ZERO;
    let mut add = |weight, times| score += trace.tally(Term::Pawns, us, weight, times);

    // Pawns side by side or in a chain cover each other's advance, the more so the further they are.
    if phalanx.exists() {
        add(&W.phalanx[rank], 1);
    }
    if support.exists() {
        add(&W.supported[rank], 1);
    }
    // Of two pawns on a file the rear one neither advances nor protects.
    if (stop.fill_forward(us) & own).exists() {
        add(&W.doubled, 1);
    }
    if neighbors.is_empty() {
        // No pawn will ever protect it.
        add(&W.isolated, 1);
        add(&W.isolated_unopposed, unopposed as i32);
    } else if is_backward::<WHITE>(square, neighbors, enemy) {
        add(&W.backward, 1);
        add(&W.backward_unopposed, unopposed as i32);
    }
    let levers = pawn.pawn_attacks(us) & enemy;
    if support.is_empty() && levers.several() {
        add(&W.weak_lever, 1);
    }
    // At least as many helpers as sentries: after exchanges a passed pawn remains.
    if unopposed && !is_passed::<WHITE>(square, own, enemy) {
        let sentries = widen(stop).fill_forward(us) & enemy;
        let helpers = neighbors & widen(pawn).fill_forward(!us);
        if helpers.count() >= sentries.count() && levers.count() <= support.count() {
            add(&W.candidate[rank], 1);
        }
    }
    score
}

/// No neighbor is level or behind, and the step forward is blocked or covered by an enemy pawn.
#[inline(always)]
fn is_backward<const WHITE: bool>(square: Square, neighbors: Bitboard, enemy: Bitboard) -> bool {
    let us = Color::from_bool(WHITE);
    let pawn = Bitboard::of(square);
    let stop = pawn.forward(us);
    let level_or_behind = (pawn.east() | pawn.west()).fill_forward(!us);
    (neighbors & level_or_behind).is_empty() && ((stop | stop.pawn_attacks(us)) & enemy).exists()
}

/// No enemy pawn ahead on this file or beside it but such as the pawn could take at once, and no own pawn ahead.
#[inline(always)]
fn is_passed<const WHITE: bool>(square: Square, own: Bitboard, enemy: Bitboard) -> bool {
    let us = Color::from_bool(WHITE);
    let pawn = Bitboard::of(square);
    let path = pawn.forward(us).fill_forward(us);
    let sentries = widen(pawn.forward(us)).fill_forward(us) & enemy;
    let levers = pawn.pawn_attacks(us) & enemy;
    let support = pawn.pawn_attacks(!us) & own;
    (path & own).is_empty() && sentries == levers && levers.count() <= support.count()
}
