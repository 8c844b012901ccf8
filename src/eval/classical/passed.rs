//! Passed pawns: how near promotion they are and who can still do something about it.
//!
//! Which pawns are passed comes from the pawn table; what kings and pieces make of it changes with every move and
//! is valued here. `mod.rs` calls [`passed`] after all pieces have entered their attacks.

use super::trace::{Term, Trace};
use super::weights::W;
use super::{Context, Pair};
use crate::base::Color;
use crate::chess::{Bitboard, PieceKind, Square};

/// Kings further away than this are far.
const FAR: u8 = 5;

/// The passed pawns of one side.
#[inline(always)]
pub fn passed<T: Trace, const WHITE: bool>(context: &Context, trace: &mut T) -> Pair {
    let us = Color::from_bool(WHITE);
    let mut score = Pair::ZERO;
    for square in context.pawns.passed[us.index()] {
        let rank = square.rank_for(us) as usize;
        let edge = square.file().min(7 - square.file()) as usize;
        score += trace.tally(Term::Passed, us, &W.passed[rank], 1);
        score += trace.tally(Term::Passed, us, &W.passed_file[edge], 1);
        if rank >= 3 {
            score += advanced::<T, WHITE>(context, square, rank, trace);
        }
        if is_unstoppable::<WHITE>(context, square) {
            score += trace.tally(Term::Passed, us, &W.passed_unstoppable, 1);
        }
    }
    score
}

/// A passed pawn on the fourth rank or beyond: kings, blockers and the path ahead.
fn advanced<T: Trace, const WHITE: bool>(
    context: &Context,
    square: Square,
    rank: usize,
    trace: &mut T,
) -> Pair {
    let us = Color::from_bool(WHITE);
    let board = context.board;
    let (own, enemy) = (context.own::<WHITE>(), context.enemy::<WHITE>());
    let mut score = Pair::ZERO;
    let mut add = |weight, times| score += trace.tally(Term::Passed, us, weight, times);
    let stop = square.forward(us);
    add(&W.passed_own_king[rank], own.king.distance(stop).min(FAR) as i32);
    add(&W.passed_enemy_king[rank], enemy.king.distance(stop).min(FAR) as i32);

    let behind = Bitboard::of(square).forward(!us).fill_forward(!us);
    let rooks = behind & board.straight_sliders();
    // Only a rook that sees the pawn counts; any piece between them hides it.
    let nearest = behind & context.occupied;
    let guard = if nearest.is_empty() {
        Bitboard::EMPTY
    } else {
        Bitboard::of(if WHITE { nearest.last() } else { nearest.first() }) & rooks
    };
    let enemy_guard = guard & board.color(!us);
    add(&W.passed_rook_behind, (guard & board.color(us)).exists() as i32);
    add(&W.passed_enemy_rook_behind, enemy_guard.exists() as i32);

    if context.occupied.has(stop) {
        add(&W.passed_blocked[rank], 1);
        return score;
    }
    let path = Bitboard::of(stop).fill_forward(us);
    let unsafe_squares = if enemy_guard.exists() { path } else { path & (enemy.attacked | board.color(!us)) };
    if unsafe_squares.is_empty() {
        add(&W.passed_safe_path[rank], 1);
    } else if !unsafe_squares.has(stop) {
        add(&W.passed_safe_stop[rank], 1);
    }
    if guard.exists() && enemy_guard.is_empty() || own.attacked.has(stop) {
        add(&W.passed_defended_stop[rank], 1);
    }
    score
}

/// The rule of the square: without pieces, only the enemy king can catch the pawn, and it is too late.
#[inline(always)]
fn is_unstoppable<const WHITE: bool>(context: &Context, square: Square) -> bool {
    let us = Color::from_bool(WHITE);
    let board = context.board;
    let men = board.kind(PieceKind::Pawn) | board.kind(PieceKind::King);
    if (board.color(!us) - men).exists() {
        return false;
    }
    let path = Bitboard::of(square).forward(us).fill_forward(us);
    if (path & context.occupied).exists() {
        return false;
    }
    let target = Square::at(square.file(), 7).for_color(us);
    // From its first rank a pawn may step twice.
    let steps = (7 - square.rank_for(us).max(2)) as i32;
    let enemy_steps = context.enemy::<WHITE>().king.distance(target) as i32;
    let enemy_moves_first = (board.side_to_move() != us) as i32;
    enemy_steps - enemy_moves_first > steps
}
