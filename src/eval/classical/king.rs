//! The safety of the kings: the pawns in front of them and the pieces that come for them.
//!
//! [`shelter`] depends on pawns and king alone and is remembered in the pawn table; [`king`] is called by `mod.rs`
//! after all pieces have entered their attacks.

use super::material::square_index;
use super::trace::{NoTrace, Term, Trace};
use super::weights::{DANGER, W, danger};
use super::{Context, Pair};
use crate::base::Color;
use crate::chess::castling::right;
use crate::chess::{Bitboard, Board, CastlingSide, PieceKind, Square, attacks};

/// The castling rights of one side, as they stand in the board's four bits.
#[inline(always)]
pub fn rights<const WHITE: bool>(board: &Board) -> u8 {
    let us = Color::from_bool(WHITE);
    board.castling_rights() & (right(us, CastlingSide::King) | right(us, CastlingSide::Queen))
}

/// Shelter where the king stands or, if that is better, where it may castle to; and how far its pawns are.
pub fn shelter<T: Trace, const WHITE: bool>(board: &Board, rights: u8, trace: &mut T) -> Pair {
    let us = Color::from_bool(WHITE);
    let king = board.king(us);
    let mut best = king;
    let mut best_value = cover::<NoTrace, WHITE>(board, king, &mut NoTrace).middlegame();
    for side in CastlingSide::ALL {
        if rights & right(us, side) != 0 {
            let target = side.king_target(us);
            let value = cover::<NoTrace, WHITE>(board, target, &mut NoTrace).middlegame();
            if value > best_value {
                (best, best_value) = (target, value);
            }
        }
    }
    let mut score = cover::<T, WHITE>(board, best, trace);
    // In the endgame the king belongs to its pawns.
    let nearest = board.pieces(us, PieceKind::Pawn).map(|pawn| pawn.distance(king)).min();
    if let Some(distance) = nearest {
        score += trace.tally(Term::Shelter, us, &W.king_pawn_distance, distance as i32);
    }
    score
}

/// The cover and the storm on the three files around a king on `king`.
fn cover<T: Trace, const WHITE: bool>(board: &Board, king: Square, trace: &mut T) -> Pair {
    let us = Color::from_bool(WHITE);
    // Pawns behind the king do not cover it.
    let area = Bitboard::rank(king.rank()).fill_forward(us);
    let own = board.pieces(us, PieceKind::Pawn) & area;
    let enemy = board.pieces(!us, PieceKind::Pawn) & area;
    let center = king.file().clamp(1, 6);
    let mut score = Pair::ZERO;
    for file in center - 1..=center + 1 {
        let edge = file.min(7 - file) as usize;
        let own_rank = rear_rank::<WHITE>(own & Bitboard::file(file));
        let enemy_rank = rear_rank::<WHITE>(enemy & Bitboard::file(file));
        score += trace.tally(Term::Shelter, us, &W.shelter[edge][own_rank], 1);
        let storm = if own_rank > 0 && own_rank + 1 == enemy_rank {
            &W.storm_blocked[enemy_rank]
        } else {
            &W.storm[edge][enemy_rank]
        };
        score += trace.tally(Term::Shelter, us, storm, 1);
    }
    score
}

/// The rank, as `WHITE`'s side counts it, of the pawn nearest to that side's back rank; 0 without pawns.
#[inline(always)]
fn rear_rank<const WHITE: bool>(pawns: Bitboard) -> usize {
    if pawns.is_empty() {
        return 0;
    }
    let rear = if WHITE { pawns.first() } else { pawns.last() };
    rear.rank_for(Color::from_bool(WHITE)) as usize
}

/// The four files of the flank on which a king on `file` lives; three at the edges, the middle for d and e.
const fn flank(file: u8) -> Bitboard {
    Bitboard(match file {
        0 => 0x0707_0707_0707_0707,
        1 | 2 => 0x0F0F_0F0F_0F0F_0F0F,
        3 | 4 => 0x3C3C_3C3C_3C3C_3C3C,
        5 | 6 => 0xF0F0_F0F0_F0F0_F0F0,
        _ => 0xE0E0_E0E0_E0E0_E0E0,
    })
}

/// The king of one side: where it stands and what threatens it.
#[inline(always)]
pub fn king<T: Trace, const WHITE: bool>(context: &Context, trace: &mut T) -> Pair {
    let us = Color::from_bool(WHITE);
    let (own, enemy) = (context.own::<WHITE>(), context.enemy::<WHITE>());
    let mut score = trace.tally(Term::Squares, us, &W.king_squares[square_index(own.king, us)], 1);

    let flank = flank(own.king.file());
    if (context.board.kind(PieceKind::Pawn) & flank).is_empty() {
        score += trace.tally(Term::Shelter, us, &W.king_bare_flank, 1);
    }
    // Our half of the board and one rank more, on the king's flank.
    let camp = flank - Bitboard::rank_for(5, us).fill_forward(us);
    let attacked = camp & enemy.attacked;
    let attacks = (attacked.count() + (attacked & enemy.twice).count()) as i32;
    let defended = (camp & own.attacked).count() as i32;
    score += trace.tally(Term::KingAttack, us, &W.king_flank_attack, attacks);

    let danger = danger_sum::<T, WHITE>(context, attacks, defended, trace);
    if danger > danger::THRESHOLD {
        let danger = danger.min(danger::CEILING);
        let penalty =
            -Pair::new(danger * danger / danger::MIDDLEGAME_DIVISOR, danger / danger::ENDGAME_DIVISOR);
        trace.value(Term::KingAttack, us, penalty);
        score += penalty;
    }
    score
}

/// How much the enemy pieces threaten the king of `WHITE`'s side, in danger units. Several attackers are far worse
/// than one: their number multiplies their weight, and the sum is squared later.
#[inline(always)]
fn danger_sum<T: Trace, const WHITE: bool>(
    context: &Context,
    flank_attacks: i32,
    flank_defense: i32,
    trace: &mut T,
) -> i32 {
    let us = Color::from_bool(WHITE);
    let (own, enemy) = (context.own::<WHITE>(), context.enemy::<WHITE>());
    let loosely_defended = own.by_kind[PieceKind::King.index()] | own.by_kind[PieceKind::Queen.index()];
    let weak = (enemy.attacked - own.twice) & (!own.attacked | loosely_defended);
    // The attackers have been counted one by one while the pieces entered their attacks.
    trace.repeat_danger(us, enemy.ring_attackers);
    let mut sum = enemy.ring_attackers * enemy.ring_weight;
    sum += checks::<T, WHITE>(context, weak, trace);
    let mut tally = |number, times| trace.tally_danger(us, number, times);
    sum += tally(&DANGER.base, 1);
    sum += tally(&DANGER.adjacent_attack, enemy.adjacent_attacks);
    sum += tally(&DANGER.weak_ring, (own.ring & weak).count() as i32);
    sum += tally(&DANGER.pinned, own.blockers.count() as i32);
    sum += tally(&DANGER.flank_attack_64ths, flank_attacks * flank_attacks) / 64;
    sum += tally(&DANGER.flank_defense, flank_defense);
    if context.board.pieces(!us, PieceKind::Queen).is_empty() {
        sum += tally(&DANGER.no_queen, 1);
    }
    if (own.by_kind[PieceKind::Knight.index()] & own.by_kind[PieceKind::King.index()]).exists() {
        sum += tally(&DANGER.knight_guard, 1);
    }
    sum += tally(&DANGER.shelter_64ths, context.pawns.shelter[us.index()].middlegame()) / 64;
    let more_mobile = enemy.mobility.middlegame() - own.mobility.middlegame();
    sum + tally(&DANGER.mobility_64ths, more_mobile) / 64
}

/// The checks the enemy can give: safe ones by the checking piece, the others by their number.
#[inline(always)]
fn checks<T: Trace, const WHITE: bool>(context: &Context, weak: Bitboard, trace: &mut T) -> i32 {
    let us = Color::from_bool(WHITE);
    let (own, enemy) = (context.own::<WHITE>(), context.enemy::<WHITE>());
    let board = context.board;
    let safe = (!own.attacked | (weak & enemy.twice)) - board.color(!us);
    // Our own queen does not help by standing in between: it would be taken or driven away.
    let occupied = context.occupied - board.pieces(us, PieceKind::Queen);
    let straight = attacks::rook(own.king, occupied);
    let diagonal = attacks::bishop(own.king, occupied);
    let reach = |kind: PieceKind| enemy.by_kind[kind.index()];
    let mut weigh = |kind: PieceKind, checks: Bitboard| {
        trace.tally_danger(us, &DANGER.safe_check[kind.index()][checks.several() as usize], 1)
    };
    let (mut sum, mut unsafe_checks) = (0, Bitboard::EMPTY);

    let rook_checks = straight & reach(PieceKind::Rook);
    if (rook_checks & safe).exists() {
        sum += weigh(PieceKind::Rook, rook_checks & safe);
    } else {
        unsafe_checks |= rook_checks;
    }
    // A rook check is worth more than a queen check from the same square.
    let queen_checks = (straight | diagonal)
        & reach(PieceKind::Queen)
        & safe
        & !(own.by_kind[PieceKind::Queen.index()] | rook_checks);
    if queen_checks.exists() {
        sum += weigh(PieceKind::Queen, queen_checks);
    }
    let bishop_checks = diagonal & reach(PieceKind::Bishop);
    let safe_bishop_checks = (bishop_checks & safe) - queen_checks;
    if safe_bishop_checks.exists() {
        sum += weigh(PieceKind::Bishop, safe_bishop_checks);
    } else {
        unsafe_checks |= bishop_checks;
    }
    let knight_checks = attacks::knight(own.king) & reach(PieceKind::Knight);
    if (knight_checks & safe).exists() {
        sum += weigh(PieceKind::Knight, knight_checks & safe);
    } else {
        unsafe_checks |= knight_checks;
    }
    sum + trace.tally_danger(us, &DANGER.unsafe_check, unsafe_checks.count() as i32)
}
