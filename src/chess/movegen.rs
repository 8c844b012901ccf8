//! Strictly legal move generation, in stages, and counting without a list.
//!
//! The check mask (capture the checker or step between) and the pin masks kept by the board make every
//! generated move legal without trying it. Only king steps, castling and en passant look again.

use super::{Bitboard, Board, Castling, CastlingSide, ChessMove, MoveKind, PieceKind, Square, attacks};
use crate::base::{Color, Move, MoveList};
use crate::game::Stage;

/// Everything the generator derives from the board once.
struct Masks {
    us: Bitboard,
    enemy: Bitboard,
    occupied: Bitboard,
    king: Square,
    /// Where a piece other than the king may land as far as checks go.
    evasion: Bitboard,
    diagonal_pins: Bitboard,
    straight_pins: Bitboard,
}

impl Masks {
    #[inline(always)]
    fn new<const WHITE: bool>(board: &Board) -> Masks {
        let us = Color::from_bool(WHITE);
        let king = board.king(us);
        let evasion = if board.checkers.is_empty() {
            Bitboard::ALL
        } else if board.checkers.several() {
            Bitboard::EMPTY
        } else {
            board.checkers | attacks::between(king, board.checkers.first())
        };
        Masks {
            us: board.color(us),
            enemy: board.color(!us),
            occupied: board.occupied(),
            king,
            evasion,
            diagonal_pins: board.diagonal_pins,
            straight_pins: board.straight_pins,
        }
    }
}

/// All squares that pawn captures towards the a-file reach, by color.
#[inline(always)]
fn capture_west<const WHITE: bool>(pawns: Bitboard) -> Bitboard {
    pawns.forward(Color::from_bool(WHITE)).west()
}

/// All squares that pawn captures towards the h-file reach, by color.
#[inline(always)]
fn capture_east<const WHITE: bool>(pawns: Bitboard) -> Bitboard {
    pawns.forward(Color::from_bool(WHITE)).east()
}

/// The sets of squares that pawns may legally reach, en passant aside.
struct PawnTargets {
    single: Bitboard,
    double: Bitboard,
    west: Bitboard,
    east: Bitboard,
}

impl PawnTargets {
    #[inline(always)]
    fn new<const WHITE: bool>(board: &Board, masks: &Masks) -> PawnTargets {
        let us = Color::from_bool(WHITE);
        let pawns = masks.us & board.kind(PieceKind::Pawn);
        let empty = !masks.occupied;
        // A pawn pinned on a diagonal may only capture along it, one pinned on a file only push.
        let pushers = pawns - masks.diagonal_pins;
        let free = (pushers - masks.straight_pins).forward(us);
        let on_file = (pushers & masks.straight_pins).forward(us) & masks.straight_pins;
        let steps = (free | on_file) & empty;
        let takers = pawns - masks.straight_pins;
        let (loose, bound) = (takers - masks.diagonal_pins, takers & masks.diagonal_pins);
        let victims = masks.enemy & masks.evasion;
        PawnTargets {
            single: steps & masks.evasion,
            double: (steps & Bitboard::rank_for(2, us)).forward(us) & empty & masks.evasion,
            west: (capture_west::<WHITE>(loose) | capture_west::<WHITE>(bound) & masks.diagonal_pins)
                & victims,
            east: (capture_east::<WHITE>(loose) | capture_east::<WHITE>(bound) & masks.diagonal_pins)
                & victims,
        }
    }
}

/// King steps to `targets` that do not walk into an attack.
#[inline(always)]
fn king_targets<const WHITE: bool>(board: &Board, masks: &Masks, targets: Bitboard) -> Bitboard {
    let them = Color::from_bool(!WHITE);
    let covered =
        (masks.enemy & board.kind(PieceKind::Pawn)).pawn_attacks(them) | attacks::king(board.king(them));
    let candidates = attacks::king(masks.king) & targets & !covered;
    // Sliders see through the square the king leaves.
    let occupied = masks.occupied ^ Bitboard::of(masks.king);
    let hunters = masks.enemy - board.kind(PieceKind::Pawn) - board.kind(PieceKind::King);
    // Few enemies, many steps: asking each enemy once is cheaper than asking around each step.
    if hunters.count() < candidates.count() {
        return candidates - piece_attacks(board, hunters, occupied);
    }
    let mut safe = candidates;
    for square in candidates {
        let knights = attacks::knight(square) & board.kind(PieceKind::Knight) & masks.enemy;
        if knights.exists() || board.is_attacked_by_slider(square, masks.enemy, occupied) {
            safe ^= Bitboard::of(square);
        }
    }
    safe
}

/// All squares that a side attacks.
pub fn attacked_by(board: &Board, color: Color) -> Bitboard {
    let pawns = board.pieces(color, PieceKind::Pawn).pawn_attacks(color);
    pawns | attacks::king(board.king(color)) | piece_attacks(board, board.color(color), board.occupied())
}

/// All squares that the knights, bishops, rooks and queens among `pieces` attack through `occupied`.
#[inline(never)]
fn piece_attacks(board: &Board, pieces: Bitboard, occupied: Bitboard) -> Bitboard {
    let mut attacked = Bitboard::EMPTY;
    for square in pieces & board.kind(PieceKind::Knight) {
        attacked |= attacks::knight(square);
    }
    for square in pieces & board.diagonal_sliders() {
        attacked |= attacks::bishop(square, occupied);
    }
    for square in pieces & board.straight_sliders() {
        attacked |= attacks::rook(square, occupied);
    }
    attacked
}

/// Calls `sink` with the source and the legal targets of every knight, bishop, rook and queen.
#[inline(always)]
fn each_piece(board: &Board, masks: &Masks, targets: Bitboard, mut sink: impl FnMut(Square, Bitboard)) {
    let pinned = masks.diagonal_pins | masks.straight_pins;
    let targets = targets & masks.evasion;
    for from in (masks.us & board.kind(PieceKind::Knight)) - pinned {
        sink(from, attacks::knight(from) & targets);
    }
    let diagonal = (masks.us & board.diagonal_sliders()) - masks.straight_pins;
    for from in diagonal - masks.diagonal_pins {
        sink(from, attacks::bishop(from, masks.occupied) & targets);
    }
    for from in diagonal & masks.diagonal_pins {
        sink(from, attacks::bishop(from, masks.occupied) & targets & masks.diagonal_pins);
    }
    let straight = (masks.us & board.straight_sliders()) - masks.diagonal_pins;
    for from in straight - masks.straight_pins {
        sink(from, attacks::rook(from, masks.occupied) & targets);
    }
    for from in straight & masks.straight_pins {
        sink(from, attacks::rook(from, masks.occupied) & targets & masks.straight_pins);
    }
}

/// Appends the legal moves of `stage` to `list`.
pub fn generate(board: &Board, castling: &Castling, stage: Stage, list: &mut MoveList) {
    match board.side {
        Color::White => generate_for::<true>(board, castling, stage, list),
        Color::Black => generate_for::<false>(board, castling, stage, list),
    }
}

#[inline(always)]
fn generate_for<const WHITE: bool>(board: &Board, castling: &Castling, stage: Stage, list: &mut MoveList) {
    each_move::<WHITE>(board, castling, stage, |mv| list.push(mv));
}

/// Calls `sink` with every legal move of `stage`; perft plays the moves as they come, without a list.
#[inline(always)]
pub(super) fn each_move<const WHITE: bool>(
    board: &Board,
    castling: &Castling,
    stage: Stage,
    mut sink: impl FnMut(Move),
) {
    let us = Color::from_bool(WHITE);
    let masks = Masks::new::<WHITE>(board);
    let targets = match stage {
        Stage::All => !masks.us,
        Stage::Tactical => masks.enemy,
        Stage::Quiet => !masks.occupied,
    };
    if !board.checkers.several() {
        each_pawn_move::<WHITE>(board, &masks, stage, &mut sink);
        each_piece(board, &masks, targets, |from, to| each_target(from, to, masks.enemy, &mut sink));
        if stage != Stage::Tactical && board.rights != 0 {
            for (side, kind) in
                CastlingSide::ALL.into_iter().zip([MoveKind::CastleKing, MoveKind::CastleQueen])
            {
                if board.can_castle(castling, side)
                    && let Some(rook) = castling.rook(us, side)
                {
                    sink(Move::pack(masks.king, rook, kind));
                }
            }
        }
    }
    let steps = king_targets::<WHITE>(board, &masks, targets);
    each_target(masks.king, steps, masks.enemy, &mut sink);
}

/// A move for every target, captures marked as such.
#[inline(always)]
fn each_target(from: Square, targets: Bitboard, enemy: Bitboard, sink: &mut impl FnMut(Move)) {
    for to in targets & enemy {
        sink(Move::pack(from, to, MoveKind::Capture));
    }
    for to in targets - enemy {
        sink(Move::pack(from, to, MoveKind::Quiet));
    }
}

#[inline(always)]
fn each_pawn_move<const WHITE: bool>(
    board: &Board,
    masks: &Masks,
    stage: Stage,
    sink: &mut impl FnMut(Move),
) {
    let us = Color::from_bool(WHITE);
    let last_rank = Bitboard::rank_for(7, us);
    let targets = PawnTargets::new::<WHITE>(board, masks);
    let back =
        |to: Square, steps: i8| Square::new(to.raw().wrapping_add_signed(if WHITE { -steps } else { steps }));
    // Towards the a-file is one less for either color.
    let from_west = |to: Square| Square::new(back(to, 8).raw() + 1);
    let from_east = |to: Square| Square::new(back(to, 8).raw().wrapping_sub(1));
    if stage != Stage::Quiet {
        for to in targets.west - last_rank {
            sink(Move::pack(from_west(to), to, MoveKind::Capture));
        }
        for to in targets.east - last_rank {
            sink(Move::pack(from_east(to), to, MoveKind::Capture));
        }
        if let Some(to) = board.en_passant {
            for from in attacks::pawn(!us, to) & masks.us & board.kind(PieceKind::Pawn) {
                if board.en_passant_is_safe(us, from, to) {
                    sink(Move::pack(from, to, MoveKind::EnPassant));
                }
            }
        }
        if ((targets.single | targets.west | targets.east) & last_rank).exists() {
            for to in targets.west & last_rank {
                each_promotion(from_west(to), to, true, sink);
            }
            for to in targets.east & last_rank {
                each_promotion(from_east(to), to, true, sink);
            }
            for to in targets.single & last_rank {
                each_promotion(back(to, 8), to, false, sink);
            }
        }
    }
    if stage != Stage::Tactical {
        for to in targets.single - last_rank {
            sink(Move::pack(back(to, 8), to, MoveKind::Quiet));
        }
        for to in targets.double {
            sink(Move::pack(back(to, 16), to, MoveKind::DoublePush));
        }
    }
}

#[inline(always)]
fn each_promotion(from: Square, to: Square, capture: bool, sink: &mut impl FnMut(Move)) {
    for kind in [PieceKind::Queen, PieceKind::Rook, PieceKind::Bishop, PieceKind::Knight] {
        sink(Move::pack(from, to, MoveKind::promotion(kind, capture)));
    }
}

/// How many legal moves there are; the last ply of perft.
pub fn count(board: &Board, castling: &Castling) -> u64 {
    match board.side {
        Color::White => count_for::<true>(board, castling),
        Color::Black => count_for::<false>(board, castling),
    }
}

#[inline(always)]
pub(super) fn count_for<const WHITE: bool>(board: &Board, castling: &Castling) -> u64 {
    let us = Color::from_bool(WHITE);
    let masks = Masks::new::<WHITE>(board);
    let mut total = king_targets::<WHITE>(board, &masks, !masks.us).count();
    if board.checkers.several() {
        return total as u64;
    }
    let targets = PawnTargets::new::<WHITE>(board, &masks);
    let last_rank = Bitboard::rank_for(7, us);
    total += targets.single.count() + targets.double.count() + targets.west.count() + targets.east.count();
    // A promotion has been counted once and is four moves.
    if ((targets.single | targets.west | targets.east) & last_rank).exists() {
        total += 3
            * ((targets.single & last_rank).count()
                + (targets.west & last_rank).count()
                + (targets.east & last_rank).count());
    }
    each_piece(board, &masks, !masks.us, |_, to| total += to.count());
    if let Some(to) = board.en_passant {
        let takers = attacks::pawn(!us, to) & masks.us & board.kind(PieceKind::Pawn);
        total += takers.filter(|&from| board.en_passant_is_safe(us, from, to)).count() as u32;
    }
    if board.rights != 0 {
        total +=
            CastlingSide::ALL.into_iter().filter(|&side| board.can_castle(castling, side)).count() as u32;
    }
    total as u64
}
