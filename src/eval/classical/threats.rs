//! What is under attack, and how much room there is: threats, contested squares, space.
//!
//! `mod.rs` calls both functions after all pieces have entered their attacks.

use super::context::CENTER_FILES;
use super::trace::{Term, Trace};
use super::weights::W;
use super::{Context, Pair};
use crate::base::Color;
use crate::chess::{Bitboard, PieceKind, attacks};

/// The five kinds that can be won.
const TARGETS: [PieceKind; 5] =
    [PieceKind::Pawn, PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen];

/// What one side threatens.
#[inline(always)]
pub fn threats<T: Trace, const WHITE: bool>(context: &Context, trace: &mut T) -> Pair {
    let us = Color::from_bool(WHITE);
    let board = context.board;
    let (own, enemy) = (context.own::<WHITE>(), context.enemy::<WHITE>());
    let targets = board.color(!us);
    let pieces = targets - board.kind(PieceKind::Pawn);
    // Protected by a pawn, or more often than we attack.
    let firm = enemy.by_kind[PieceKind::Pawn.index()] | (enemy.twice - own.twice);
    let weak = (targets & own.attacked) - firm;
    let worthwhile = weak | (pieces & firm);

    let by = |kind: PieceKind| own.by_kind[kind.index()];
    let minor_hits = worthwhile & (by(PieceKind::Knight) | by(PieceKind::Bishop));
    let rook_hits = weak & by(PieceKind::Rook);
    let mut score = Pair::ZERO;
    let mut add = |weight, times: u32| score += trace.tally(Term::Threats, us, weight, times as i32);
    for kind in TARGETS {
        add(&W.threat_by_minor[kind.index()], (minor_hits & board.kind(kind)).count());
        add(&W.threat_by_rook[kind.index()], (rook_hits & board.kind(kind)).count());
    }
    add(&W.threat_by_king, (weak & by(PieceKind::King)).exists() as u32);
    let loose = weak & (!enemy.attacked | (pieces & own.twice));
    add(&W.hanging, loose.count());
    add(&W.queen_protects_weak, (weak & enemy.by_kind[PieceKind::Queen.index()]).count());
    // Every square we contest is one the enemy cannot use freely.
    add(&W.restricted, ((enemy.attacked & own.attacked) - firm).count());
    score + pawn_threats::<T, WHITE>(context, trace) + queen_threats::<T, WHITE>(context, trace, firm)
}

/// Pieces that safe pawns attack, now or after one step.
#[inline(always)]
fn pawn_threats<T: Trace, const WHITE: bool>(context: &Context, trace: &mut T) -> Pair {
    let us = Color::from_bool(WHITE);
    let board = context.board;
    let (own, enemy) = (context.own::<WHITE>(), context.enemy::<WHITE>());
    let pieces = board.color(!us) - board.kind(PieceKind::Pawn);
    let pawns = board.pieces(us, PieceKind::Pawn);
    let safe = own.attacked | !enemy.attacked;
    let hits = (pawns & safe).pawn_attacks(us) & pieces;
    let mut score = trace.tally(Term::Threats, us, &W.threat_by_pawn, hits.count() as i32);

    let single = pawns.forward(us) - context.occupied;
    let double = (single & Bitboard::rank_for(2, us)).forward(us) - context.occupied;
    let steps = ((single | double) & safe) - enemy.by_kind[PieceKind::Pawn.index()];
    let push_hits = steps.pawn_attacks(us) & pieces;
    score += trace.tally(Term::Threats, us, &W.threat_by_push, push_hits.count() as i32);
    score
}

/// Safe squares from which our minor pieces and rooks would attack the enemy queen next.
#[inline(always)]
fn queen_threats<T: Trace, const WHITE: bool>(context: &Context, trace: &mut T, firm: Bitboard) -> Pair {
    let us = Color::from_bool(WHITE);
    let board = context.board;
    let queens = board.pieces(!us, PieceKind::Queen);
    if queens.is_empty() || queens.several() {
        return Pair::ZERO;
    }
    let own = context.own::<WHITE>();
    let queen = queens.first();
    let by = |kind: PieceKind| own.by_kind[kind.index()];
    let safe = own.mobility_area - board.pieces(us, PieceKind::Pawn) - firm;
    let jumps = attacks::knight(queen) & by(PieceKind::Knight) & safe;
    let mut score = trace.tally(Term::Threats, us, &W.knight_hits_queen, jumps.count() as i32);
    let slides = attacks::bishop(queen, context.occupied) & by(PieceKind::Bishop)
        | attacks::rook(queen, context.occupied) & by(PieceKind::Rook);
    let supported = (slides & safe & own.twice).count() as i32;
    score += trace.tally(Term::Threats, us, &W.slider_hits_queen, supported);
    score
}

/// Room behind the center pawns, which many pieces need and few do not.
#[inline(always)]
pub fn space<T: Trace, const WHITE: bool>(context: &Context, trace: &mut T) -> Pair {
    let us = Color::from_bool(WHITE);
    let pawns = context.board.pieces(us, PieceKind::Pawn);
    let enemy = context.enemy::<WHITE>();
    let ranks = Bitboard::rank_for(1, us) | Bitboard::rank_for(2, us) | Bitboard::rank_for(3, us);
    let safe = (CENTER_FILES & ranks) - pawns - enemy.by_kind[PieceKind::Pawn.index()];
    // Up to three squares behind a pawn count twice, unless the enemy reaches them.
    let behind = pawns | pawns.forward(!us);
    let behind = behind | behind.forward(!us).forward(!us);
    let room = (safe.count() + ((behind & safe) - enemy.attacked).count()) as i32;
    let crew = context.board.color(us).count() as i32 - 3;
    trace.tally_64ths(Term::Space, us, &W.space_64ths, room * crew * crew / 32)
}
