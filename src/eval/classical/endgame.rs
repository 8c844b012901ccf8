//! Endgames that material alone misjudges: wins that need guidance and advantages that cannot be won.
//!
//! `mod.rs` adds [`mating_drive`] to the score and multiplies the endgame half by [`scale`].

use super::context::QUEEN_WING;
use super::material::units;
use super::weights::endgame::{CORNER_STEP, DRAWISH, EDGE_STEP, KINGS_STEP, KNOWN_WIN, NO_PAWNS, NORMAL};
use crate::base::Color;
use crate::chess::{Bitboard, Board, PieceKind, Square};

/// When `strong` can mate a bare king: a bonus that grows as the king is driven to the edge, for bishop and knight to
/// a corner of the bishop's color, and as the kings come together. Otherwise nothing.
#[inline(always)]
pub fn mating_drive(board: &Board, strong: Color) -> Option<i32> {
    let bare = board.color(!strong) == board.pieces(!strong, PieceKind::King);
    if bare && can_mate(board, strong) { Some(drive_value(board, strong)) } else { None }
}

/// Whether the pieces of a side can force mate against a bare king.
fn can_mate(board: &Board, strong: Color) -> bool {
    let count = |kind| board.pieces(strong, kind).count();
    let bishops = board.pieces(strong, PieceKind::Bishop);
    let both_colors = (bishops & Bitboard::DARK).exists() && (bishops - Bitboard::DARK).exists();
    count(PieceKind::Queen) + count(PieceKind::Rook) > 0
        || both_colors
        || (bishops.exists() && count(PieceKind::Knight) > 0)
        || count(PieceKind::Knight) > 2
}

fn drive_value(board: &Board, strong: Color) -> i32 {
    let (king, prey) = (board.king(strong), board.king(!strong));
    let closeness = 7 - king.distance(prey) as i32;
    let pieces = board.color(strong) - board.kind(PieceKind::King);
    let bishops = pieces & board.kind(PieceKind::Bishop);
    let only_bishop_and_knight =
        pieces.count() == 2 && bishops.exists() && (pieces & board.kind(PieceKind::Knight)).exists();
    let place = if only_bishop_and_knight {
        CORNER_STEP * (7 - corner_distance(prey, (bishops & Bitboard::DARK).exists()))
    } else {
        EDGE_STEP * center_distance(prey)
    };
    KNOWN_WIN + place + KINGS_STEP * closeness
}

/// Steps from the middle of the board, files and ranks added: 0 to 6.
fn center_distance(square: Square) -> i32 {
    let from_middle = |x: u8| if x < 4 { 3 - x as i32 } else { x as i32 - 4 };
    from_middle(square.file()) + from_middle(square.rank())
}

/// Steps to the nearer of the two corners of a color, edges preferred: 0 to 7.
fn corner_distance(square: Square, dark: bool) -> i32 {
    let (file, rank) = (square.file() as i32, square.rank() as i32);
    // Along the diagonal between the two wrong corners this is 7, in the right corners 0.
    let along = if dark { file + rank } else { 7 - file + rank };
    if along < 7 { along } else { 14 - along }
}

/// How much of an endgame advantage of `strong` can be turned into a win: 0 to [`NORMAL`].
#[inline(always)]
pub fn scale(board: &Board, strong: Color, passed: Bitboard) -> i32 {
    let weak = !strong;
    let pawns = board.pieces(strong, PieceKind::Pawn);
    let (strong_units, weak_units) = (units(board, strong), units(board, weak));
    if pawns.is_empty() {
        return without_pawns(board, strong, strong_units, weak_units);
    }
    if strong_units <= 3 && is_wrong_corner(board, strong, pawns) {
        return 0;
    }
    if strong_units == 0 && weak_units == 0 {
        return pawn_endgame(board, strong, pawns);
    }
    let bishops = |color| board.pieces(color, PieceKind::Bishop);
    let both = bishops(strong) | bishops(weak);
    let opposite = bishops(strong).count() == 1
        && bishops(weak).count() == 1
        && (both & Bitboard::DARK).exists()
        && (both - Bitboard::DARK).exists();
    if opposite {
        // Blockaders that cannot be driven away; with more pieces the attacker has play of his own.
        return if strong_units == 3 && weak_units == 3 {
            16 + 4 * passed.count() as i32
        } else {
            22 + 3 * board.color(strong).count() as i32
        }
        .min(NORMAL);
    }
    let weak_pawns = board.pieces(weak, PieceKind::Pawn);
    if strong_units == 5 && weak_units == 5 && pawns.count() <= weak_pawns.count() + 1 {
        // Rook endings with all pawns on one wing are drawn when the king is in time.
        let one_wing = (pawns & QUEEN_WING).is_empty() != (pawns - QUEEN_WING).is_empty();
        let king_near = { pawns }.all(|pawn| pawn.distance(board.king(weak)) <= 3);
        if one_wing && king_near {
            return 36;
        }
    }
    let queens = board.kind(PieceKind::Queen);
    if queens.exists() && !queens.several() {
        let queenless = !Color::from_bool((queens & board.color(Color::White)).exists());
        let minors = (board.kind(PieceKind::Knight) | board.kind(PieceKind::Bishop)) & board.color(queenless);
        return (37 + 3 * minors.count() as i32 + 3 * pawns.count() as i32).min(NORMAL);
    }
    // The fewer pawns, the easier the defender gives a piece for the last of them.
    (36 + 7 * pawns.count() as i32).min(NORMAL)
}

/// No pawns: less than a rook more does not win, but for a few endings.
fn without_pawns(board: &Board, strong: Color, strong_units: i32, weak_units: i32) -> i32 {
    let weak = !strong;
    let knights_only =
        board.color(strong).count() == 3 && board.pieces(strong, PieceKind::Knight).count() == 2;
    if strong_units <= 3
        || (knights_only && weak_units == 0 && board.pieces(weak, PieceKind::Pawn).is_empty())
    {
        return 0;
    }
    let lead = strong_units - weak_units;
    if knights_only || (lead <= 3 && weak_units <= 3 && strong_units < 6) {
        return DRAWISH;
    }
    if lead <= 3 {
        return NO_PAWNS;
    }
    if weak_units == 0 && board.color(strong).count() == 2 && board.color(weak).count() == 2 {
        return heavy_piece_against_pawn(board, strong);
    }
    NORMAL
}

/// Rook or queen against a lone pawn: drawn when the pawn is far advanced, its king beside it and ours far away.
fn heavy_piece_against_pawn(board: &Board, strong: Color) -> i32 {
    let weak = !strong;
    let pawn = board.pieces(weak, PieceKind::Pawn).first();
    let (king, defender) = (board.king(strong), board.king(weak));
    let to_go = 7 - pawn.rank_for(weak) as i32;
    let target = Square::at(pawn.file(), 7).for_color(weak);
    let tempo = (board.side_to_move() == strong) as i32;
    if board.pieces(strong, PieceKind::Queen).exists() {
        // Only rook and bishop pawns on the seventh hold: stalemate saves them.
        let holds = matches!(pawn.file(), 0 | 2 | 5 | 7) && to_go == 1 && defender.distance(target) <= 1;
        return if holds && king.distance(target) as i32 - tempo > 3 { DRAWISH } else { NORMAL };
    }
    let escorted = defender.distance(pawn) <= 1 && to_go <= 3;
    let late = king.distance(target) as i32 - tempo > to_go + 1;
    if escorted && late { DRAWISH * 2 } else { NORMAL }
}

/// Only rook pawns, no bishop that covers the promotion corner, and the enemy king is there first.
fn is_wrong_corner(board: &Board, strong: Color, pawns: Bitboard) -> bool {
    let file = pawns.first().file();
    if !matches!(file, 0 | 7) || (pawns - Bitboard::file(file)).exists() {
        return false;
    }
    let pieces = board.color(strong) - board.kind(PieceKind::Pawn) - board.kind(PieceKind::King);
    let corner = Square::at(file, 7).for_color(strong);
    let dark = Bitboard::DARK.has(corner);
    let wrong_bishop = (pieces & board.kind(PieceKind::Bishop)) == pieces && { pieces }
        .all(|bishop| Bitboard::DARK.has(bishop) != dark);
    wrong_bishop && board.king(!strong).distance(corner) <= 1
}

/// King and one pawn against a king: won when the king holds a key square of the pawn or the pawn runs through.
fn pawn_endgame(board: &Board, strong: Color, pawns: Bitboard) -> i32 {
    if pawns.several() || board.pieces(!strong, PieceKind::Pawn).exists() {
        return NORMAL;
    }
    let pawn = pawns.first();
    let (king, defender) = (board.king(strong), board.king(!strong));
    let target = Square::at(pawn.file(), 7).for_color(strong);
    let to_go = 7 - pawn.rank_for(strong).max(2) as i32;
    let tempo = (board.side_to_move() != strong) as i32;
    let runs = defender.distance(target) as i32 - tempo > to_go;
    if runs || holds_key_square(king, pawn, strong) { NORMAL } else { DRAWISH * 2 }
}

/// Whether the king stands where its pawn is won whoever is to move.
fn holds_key_square(king: Square, pawn: Square, strong: Color) -> bool {
    let (king_rank, pawn_rank) = (king.rank_for(strong), pawn.rank_for(strong));
    let files = king.file().abs_diff(pawn.file());
    if matches!(pawn.file(), 0 | 7) {
        return files == 1 && king_rank >= 6;
    }
    let ahead = king_rank as i32 - pawn_rank as i32;
    files <= 1 && (ahead == 2 || (ahead == 1 && pawn_rank >= 4))
}
