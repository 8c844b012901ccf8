//! Knights, bishops, rooks and queens: their squares, their mobility and what makes one good or bad.
//!
//! `mod.rs` calls [`pieces`] for both sides before anything that asks who attacks what: the attack sets of the
//! context are filled here.

use super::context::CENTER_FILES;
use super::material::square_index;
use super::trace::{Term, Trace};
use super::weights::W;
use super::{Context, Pair};
use crate::base::Color;
use crate::chess::castling::right;
use crate::chess::{Bitboard, CastlingSide, PieceKind, Square, attacks};

/// d4, e4, d5, e5.
const CENTER: Bitboard = Bitboard(0x0000_0018_1800_0000);

/// Values the pieces of one side and enters their attacks.
#[inline(always)]
pub fn pieces<T: Trace, const WHITE: bool>(context: &mut Context, trace: &mut T) -> Pair {
    let mut score = knights::<T, WHITE>(context, trace);
    score += bishops::<T, WHITE>(context, trace);
    score += rooks::<T, WHITE>(context, trace);
    score += queens::<T, WHITE>(context, trace);
    score + context.own::<WHITE>().mobility
}

/// The squares on which a minor piece is protected by a pawn and safe from enemy pawns for good.
#[inline(always)]
fn outposts<const WHITE: bool>(context: &Context) -> Bitboard {
    let us = Color::from_bool(WHITE);
    let ranks = Bitboard::rank_for(3, us) | Bitboard::rank_for(4, us) | Bitboard::rank_for(5, us);
    (ranks & context.own::<WHITE>().by_kind[PieceKind::Pawn.index()]) - context.pawns.spans[(!us).index()]
}

/// Whether a pawn of either side stands right ahead.
#[inline(always)]
fn behind_pawn<const WHITE: bool>(context: &Context, square: Square) -> bool {
    let ahead = Bitboard::of(square).forward(Color::from_bool(WHITE));
    (ahead & context.board.kind(PieceKind::Pawn)).exists()
}

#[inline(always)]
fn knights<T: Trace, const WHITE: bool>(context: &mut Context, trace: &mut T) -> Pair {
    let us = Color::from_bool(WHITE);
    let board = context.board;
    let own = board.color(us);
    let outposts = outposts::<WHITE>(context);
    let (mut score, mut mobility) = (Pair::ZERO, Pair::ZERO);
    for square in board.pieces(us, PieceKind::Knight) {
        let seen = attacks::knight(square);
        let (attacks, reach) = context.enter::<T, WHITE>(PieceKind::Knight, square, seen, trace);
        mobility += trace.tally(Term::Mobility, us, &W.knight_mobility[reach], 1);
        score += trace.tally(Term::Squares, us, &W.knight_squares[square_index(square, us)], 1);
        if outposts.has(square) {
            score += trace.tally(Term::Knights, us, &W.knight_outpost, 1);
        } else if ((attacks & outposts) - own).exists() {
            score += trace.tally(Term::Knights, us, &W.knight_reaches_outpost, 1);
        }
        if behind_pawn::<WHITE>(context, square) {
            score += trace.tally(Term::Knights, us, &W.knight_behind_pawn, 1);
        }
        // Far from its king a knight cannot come to its help.
        let distance = square.distance(context.own::<WHITE>().king) as i32;
        score += trace.tally(Term::Knights, us, &W.knight_king_distance, distance);
    }
    context.own_mut::<WHITE>().mobility += mobility;
    score
}

#[inline(always)]
fn bishops<T: Trace, const WHITE: bool>(context: &mut Context, trace: &mut T) -> Pair {
    let us = Color::from_bool(WHITE);
    let board = context.board;
    let own_pawns = board.pieces(us, PieceKind::Pawn);
    let enemy_pawns = board.pieces(!us, PieceKind::Pawn);
    let outposts = outposts::<WHITE>(context);
    // A queen on the diagonal does not block it: both press along it.
    let occupied = context.occupied - board.kind(PieceKind::Queen);
    let (mut score, mut mobility) = (Pair::ZERO, Pair::ZERO);
    for square in board.pieces(us, PieceKind::Bishop) {
        let seen = attacks::bishop(square, occupied);
        let (_, reach) = context.enter::<T, WHITE>(PieceKind::Bishop, square, seen, trace);
        mobility += trace.tally(Term::Mobility, us, &W.bishop_mobility[reach], 1);
        score += trace.tally(Term::Squares, us, &W.bishop_squares[square_index(square, us)], 1);
        let mut add = |weight, times| score += trace.tally(Term::Bishops, us, weight, times);
        if outposts.has(square) {
            add(&W.bishop_outpost, 1);
        }
        if behind_pawn::<WHITE>(context, square) {
            add(&W.bishop_behind_pawn, 1);
        }
        add(&W.bishop_king_distance, square.distance(context.own::<WHITE>().king) as i32);
        // Own pawns on its color are walls for a bishop, most of all when the center cannot move.
        let color = if Bitboard::DARK.has(square) { Bitboard::DARK } else { !Bitboard::DARK };
        let blocked = own_pawns & context.occupied.forward(!us) & CENTER_FILES;
        add(&W.bishop_pawns, ((own_pawns & color).count() * (1 + blocked.count())) as i32);
        add(&W.bishop_bites_pawns, (attacks::bishop_lines(square) & enemy_pawns).count() as i32);
        // Two center squares seen past nothing but pawns: the bishop rules a long diagonal.
        if (attacks::bishop(square, board.kind(PieceKind::Pawn)) & CENTER).several() {
            add(&W.bishop_long_diagonal, 1);
        }
    }
    context.own_mut::<WHITE>().mobility += mobility;
    score
}

#[inline(always)]
fn rooks<T: Trace, const WHITE: bool>(context: &mut Context, trace: &mut T) -> Pair {
    let us = Color::from_bool(WHITE);
    let board = context.board;
    let own_pawns = board.pieces(us, PieceKind::Pawn);
    let enemy_pawns = board.pieces(!us, PieceKind::Pawn);
    // Rooks support each other and the queen through each other.
    let occupied = context.occupied - board.kind(PieceKind::Queen) - board.pieces(us, PieceKind::Rook);
    let (mut score, mut mobility) = (Pair::ZERO, Pair::ZERO);
    for square in board.pieces(us, PieceKind::Rook) {
        let seen = attacks::rook(square, occupied);
        let (_, reach) = context.enter::<T, WHITE>(PieceKind::Rook, square, seen, trace);
        mobility += trace.tally(Term::Mobility, us, &W.rook_mobility[reach], 1);
        score += trace.tally(Term::Squares, us, &W.rook_squares[square_index(square, us)], 1);
        let mut add = |weight, times| score += trace.tally(Term::Rooks, us, weight, times);
        let file = Bitboard::file(square.file());
        if (file & own_pawns).is_empty() {
            let open = (file & enemy_pawns).is_empty();
            add(if open { &W.rook_open_file } else { &W.rook_half_open_file }, 1);
        } else {
            if (file & own_pawns & context.occupied.forward(!us)).exists() {
                add(&W.rook_closed_file, 1);
            }
            if reach <= 3 && is_shut_in::<WHITE>(context, square) {
                add(&W.rook_trapped, 1);
                let any_side = right(us, CastlingSide::King) | right(us, CastlingSide::Queen);
                add(&W.rook_trapped_for_good, (board.castling_rights() & any_side == 0) as i32);
            }
        }
        let targets = (enemy_pawns & Bitboard::rank_for(6, us)).exists()
            || context.enemy::<WHITE>().king.rank_for(us) == 7;
        if square.rank_for(us) == 6 && targets {
            add(&W.rook_seventh, 1);
        }
    }
    context.own_mut::<WHITE>().mobility += mobility;
    score
}

/// Whether the king stands between this rook and the middle, on the back ranks.
#[inline(always)]
fn is_shut_in<const WHITE: bool>(context: &Context, rook: Square) -> bool {
    let us = Color::from_bool(WHITE);
    let king = context.own::<WHITE>().king;
    let same_flank = (king.file() < 4) == (rook.file() < king.file());
    same_flank && king.rank_for(us) <= 1 && rook.rank_for(us) <= 1
}

#[inline(always)]
fn queens<T: Trace, const WHITE: bool>(context: &mut Context, trace: &mut T) -> Pair {
    let us = Color::from_bool(WHITE);
    let board = context.board;
    let (mut score, mut mobility) = (Pair::ZERO, Pair::ZERO);
    for square in board.pieces(us, PieceKind::Queen) {
        let seen = attacks::queen(square, context.occupied);
        let (_, reach) = context.enter::<T, WHITE>(PieceKind::Queen, square, seen, trace);
        mobility += trace.tally(Term::Mobility, us, &W.queen_mobility[reach], 1);
        score += trace.tally(Term::Squares, us, &W.queen_squares[square_index(square, us)], 1);
        if is_exposed::<WHITE>(context, square) {
            score += trace.tally(Term::Queens, us, &W.queen_exposed, 1);
        }
        if square.rank_for(us) >= 4 && !context.pawns.spans[(!us).index()].has(square) {
            score += trace.tally(Term::Queens, us, &W.queen_infiltration, 1);
        }
    }
    context.own_mut::<WHITE>().mobility += mobility;
    score
}

/// Whether a single piece stands between the queen and an enemy rook or bishop: it is pinned, or will step aside.
#[inline(always)]
fn is_exposed<const WHITE: bool>(context: &Context, queen: Square) -> bool {
    let board = context.board;
    let snipers = (attacks::rook_lines(queen) & board.kind(PieceKind::Rook)
        | attacks::bishop_lines(queen) & board.kind(PieceKind::Bishop))
        & board.color(Color::from_bool(!WHITE));
    let mut exposed = false;
    for sniper in snipers {
        let between = attacks::between(queen, sniper) & context.occupied;
        exposed |= between.exists() && !between.several();
    }
    exposed
}
