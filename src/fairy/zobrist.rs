//! Zobrist keys of the variants; see [`crate::chess::zobrist`] for the idea.

use super::{Piece, Square};
use crate::base::Color;
use crate::base::bits::split_mix;

/// Drawn once with `rand`; any other number would do as well.
const SEED: u64 = 0x1F83_D9AB_FB41_BD6B;

struct Keys {
    pieces: [[u64; Square::COUNT]; Piece::COUNT],
    walls: [u64; Square::COUNT],
    castling: [u64; 16],
    en_passant: [u64; 16],
    black_to_move: u64,
    restless: u64,
}

const fn keys() -> Keys {
    let mut keys = Keys {
        pieces: [[0; Square::COUNT]; Piece::COUNT],
        walls: [0; Square::COUNT],
        castling: [0; 16],
        en_passant: [0; 16],
        black_to_move: 0,
        restless: 0,
    };
    let mut state = SEED;
    let mut square = 0;
    while square < Square::COUNT {
        let mut piece = 0;
        while piece < Piece::COUNT {
            (state, keys.pieces[piece][square]) = split_mix(state);
            piece += 1;
        }
        (state, keys.walls[square]) = split_mix(state);
        square += 1;
    }
    let mut index = 1;
    while index < 16 {
        (state, keys.castling[index]) = split_mix(state);
        (state, keys.en_passant[index]) = split_mix(state);
        index += 1;
    }
    (state, keys.en_passant[0]) = split_mix(state);
    (state, keys.black_to_move) = split_mix(state);
    (_, keys.restless) = split_mix(state);
    keys
}

static KEYS: Keys = keys();

/// The key of a piece on a square.
#[inline(always)]
pub fn piece(piece: Piece, square: Square) -> u64 {
    KEYS.pieces[piece.index()][square.index()]
}

/// The key of an obstacle on a square.
#[inline(always)]
pub fn wall(square: Square) -> u64 {
    KEYS.walls[square.index()]
}

/// The key of a set of castling rights.
#[inline(always)]
pub fn castling(rights: u8) -> u64 {
    KEYS.castling[(rights & 15) as usize]
}

/// The key of a possible en-passant capture on this file.
#[inline(always)]
pub fn en_passant(file: u8) -> u64 {
    KEYS.en_passant[(file & 15) as usize]
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

/// The key of a Behemoth that is about to move.
#[inline(always)]
pub fn restless() -> u64 {
    KEYS.restless
}
