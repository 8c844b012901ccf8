//! Zobrist keys: every feature of a position has a random number, a position is the XOR of its features.
//!
//! The numbers are fixed at compile time, so keys are the same in every run and on every machine.

use super::{Piece, Square};
use crate::base::Color;
use crate::base::bits::split_mix;

/// Drawn once with `rand`; any other number would do as well.
const SEED: u64 = 0x5D1C_9A3B_77E0_42F6;

struct Keys {
    pieces: [[u64; 64]; Piece::COUNT],
    castling: [u64; 16],
    en_passant: [u64; 8],
    black_to_move: u64,
}

const fn keys() -> Keys {
    let mut keys =
        Keys { pieces: [[0; 64]; Piece::COUNT], castling: [0; 16], en_passant: [0; 8], black_to_move: 0 };
    let mut state = SEED;
    let mut piece = 0;
    while piece < Piece::COUNT {
        let mut square = 0;
        while square < 64 {
            (state, keys.pieces[piece][square]) = split_mix(state);
            square += 1;
        }
        piece += 1;
    }
    // No rights at all hash to zero, so that positions without castling keep plain keys.
    let mut rights = 1;
    while rights < 16 {
        (state, keys.castling[rights]) = split_mix(state);
        rights += 1;
    }
    let mut file = 0;
    while file < 8 {
        (state, keys.en_passant[file]) = split_mix(state);
        file += 1;
    }
    (_, keys.black_to_move) = split_mix(state);
    keys
}

static KEYS: Keys = keys();

/// The key of a piece on a square.
#[inline(always)]
pub fn piece(piece: Piece, square: Square) -> u64 {
    KEYS.pieces[piece.index()][square.index()]
}

/// The key of a set of castling rights.
#[inline(always)]
pub fn castling(rights: u8) -> u64 {
    KEYS.castling[(rights & 15) as usize]
}

/// The key of a possible en-passant capture on this file.
#[inline(always)]
pub fn en_passant(file: u8) -> u64 {
    KEYS.en_passant[(file & 7) as usize]
}

/// The key of Black to move.
#[inline(always)]
pub fn black_to_move() -> u64 {
    KEYS.black_to_move
}

/// The key of the side to move.
#[inline(always)]
pub fn side(color: Color) -> u64 {
    if color.is_white() { 0 } else { KEYS.black_to_move }
}
