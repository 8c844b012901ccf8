//! Polyglot's name of a position: a 64-bit key from published numbers, the same in every program that reads books.
//!
//! Our own Zobrist keys are others: they serve the search, these serve the books.

use super::numbers::NUMBERS;
use crate::base::Color;
use crate::chess::{Board, CastlingSide, PieceKind, Position, Square, attacks, castling};

/// Where the numbers of castling rights, en-passant files and the turn begin.
const CASTLING: usize = 768;
const EN_PASSANT: usize = 772;
const WHITE_TO_MOVE: usize = 780;

/// The key of a board on which a pawn may just have stepped over `passed`.
///
/// That square counts if a pawn stands ready to capture there, whether or not the capture is legal: this is Polyglot's
/// rule, and looser than the one our boards go by.
pub fn key(board: &Board, passed: Option<Square>) -> u64 {
    let mut key = 0;
    for square in board.occupied() {
        if let Some(piece) = board.piece_on(square) {
            let kind = 2 * piece.kind().index() + usize::from(piece.color().is_white());
            key ^= NUMBERS[64 * kind + square.index()];
        }
    }
    for color in Color::ALL {
        for side in CastlingSide::ALL {
            if board.castling_rights() & castling::right(color, side) != 0 {
                key ^= NUMBERS[CASTLING + 2 * color.index() + side as usize];
            }
        }
    }
    if let Some(passed) = passed.filter(|&passed| is_capture_threatened(board, passed)) {
        key ^= NUMBERS[EN_PASSANT + usize::from(passed.file())];
    }
    if board.side_to_move().is_white() {
        key ^= NUMBERS[WHITE_TO_MOVE];
    }
    key
}

/// The key of a position as the board knows it.
pub fn key_of(position: &Position) -> u64 {
    key(position.board(), position.board().en_passant())
}

/// All keys under which a book may keep a position. Beside its own one there is another for each pawn that could just
/// have made a double step past a pawn that cannot legally capture it: for the players that is the same position.
pub fn keys(position: &Position) -> impl Iterator<Item = u64> {
    let board = position.board();
    let own = key_of(position);
    let passed = (0..8).map(|file| Square::at(file, 5).for_color(board.side_to_move()));
    let others = passed.filter(|&passed| {
        board.en_passant().is_none() && may_have_passed(board, passed) && is_only_threatened(board, passed)
    });
    std::iter::once(own)
        .chain(others.map(move |passed| own ^ NUMBERS[EN_PASSANT + usize::from(passed.file())]))
}

/// Whether a pawn of the side to move attacks the square.
fn is_capture_threatened(board: &Board, passed: Square) -> bool {
    let us = board.side_to_move();
    (attacks::pawn(!us, passed) & board.pieces(us, PieceKind::Pawn)).exists()
}

/// Whether a pawn of the side to move attacks the square, but none could legally capture there.
fn is_only_threatened(board: &Board, passed: Square) -> bool {
    let us = board.side_to_move();
    let mut capturers = attacks::pawn(!us, passed) & board.pieces(us, PieceKind::Pawn);
    capturers.exists() && !capturers.any(|from| board.en_passant_is_safe(us, from, passed))
}

/// Whether an enemy pawn stands where a double step over the square ends, and its way was free.
fn may_have_passed(board: &Board, passed: Square) -> bool {
    let them = !board.side_to_move();
    let (start, end) = (passed.forward(!them), passed.forward(them));
    board.pieces(them, PieceKind::Pawn).has(end)
        && !board.occupied().has(passed)
        && !board.occupied().has(start)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// The examples of the format's description.
    #[test]
    fn published_positions_have_their_published_keys() {
        for (moves, expected) in [
            ("", 0x463B_9618_1691_FC9C),
            ("e2e4", 0x823C_9B50_FD11_4196),
            ("e2e4 d7d5", 0x0756_B944_61C5_0FB0),
            ("e2e4 d7d5 e4e5", 0x662F_AFB9_65DB_29D4),
            ("e2e4 d7d5 e4e5 f7f5", 0x22A4_8B5A_8E47_FF78),
            ("e2e4 d7d5 e4e5 f7f5 e1e2", 0x652A_607C_A3F2_42C1),
            ("e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", 0x00FD_D303_C946_BDD9),
            ("a2a4 b7b5 h2h4 b5b4 c2c4", 0x3C81_23EA_7B06_7637),
            ("a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", 0x5C3F_9B82_9B27_9560),
        ] {
            let mut position = Position::start();
            for text in moves.split_whitespace() {
                position.make(position.parse_uci(text).unwrap());
            }
            assert_eq!(key_of(&position), expected, "{moves}");
        }
    }

    #[test]
    fn a_capture_that_a_pin_forbids_gives_a_second_key() {
        // The pawn on d4 could capture on c3 but for the rook: Polyglot hashes it all the same.
        let position = Position::from_fen("8/8/8/8/k1Pp3R/8/8/3K4 b - c3 0 1").unwrap();
        let polyglot = key(position.board(), Square::parse("c3"));
        let found: Vec<u64> = keys(&position).collect();
        assert_eq!(found, [key_of(&position), polyglot]);
        assert_ne!(found[0], found[1]);
        // Where the capture is legal there is one key, and where no pawn stands ready too.
        // It does not matter whether the right to capture is there or gone.
        let free = "8/8/8/8/k1Pp4/8/8/3K4 b - c3 0 1";
        for fen in [free, &free.replace("c3", "-"), crate::chess::START_FEN] {
            assert_eq!(keys(&Position::from_fen(fen).unwrap()).count(), 1, "{fen}");
        }
    }
}
