//! A position in 32 bytes, for files with millions of them. The game records of the workshop start with one.
//!
//! ```text
//! bytes  0..8    the occupied squares, a1 in the lowest bit
//!        8..24   what stands there, a1 first, four bits each, the lower half of a byte first: the index of the piece,
//!                or 12 and 13 for a white and a black rook with which castling is still allowed
//!       24       the square of a possible en-passant capture, or 64
//!       25       bit 0: Black is to move; bit 1: castling is written the Chess960 way
//!       26..28   plies since the last capture or pawn move
//!       28..32   the move number as FEN counts it
//! ```
//! Numbers are little endian. How the position came about is not kept.

use super::{Bitboard, Board, CastlingSide, Piece, PieceKind, Position, Square, castling};
use crate::base::{Color, Error};

/// The size of a packed position.
pub const PACKED_BYTES: usize = 32;

/// As many men as there is room for; a game starts with as many.
const MOST_MEN: u32 = 32;
/// The code of a white rook with which castling is allowed; the black one follows.
const CASTLING_ROOK: u8 = Piece::COUNT as u8;
const NO_SQUARE: u8 = 64;
const BLACK_TO_MOVE: u8 = 1;
const CHESS960: u8 = 2;

impl Position {
    /// The position in 32 bytes; fails only for composed positions with more than 32 men.
    pub fn pack(&self) -> Result<[u8; PACKED_BYTES], Error> {
        let men = self.board.occupied();
        if men.count() > MOST_MEN {
            return Err(Error::new(format!("{} men, there is room for {MOST_MEN}", men.count())));
        }
        let mut bytes = [0; PACKED_BYTES];
        bytes[..8].copy_from_slice(&men.0.to_le_bytes());
        for (number, square) in men.enumerate() {
            bytes[8 + number / 2] |= self.code_on(square) << (4 * (number % 2));
        }
        bytes[24] = self.board.en_passant.map_or(NO_SQUARE, Square::raw);
        let black = if self.board.side.is_white() { 0 } else { BLACK_TO_MOVE };
        bytes[25] = black | if self.chess960 { CHESS960 } else { 0 };
        bytes[26..28].copy_from_slice(&self.board.halfmove_clock.to_le_bytes());
        bytes[28..].copy_from_slice(&self.fullmove.to_le_bytes());
        Ok(bytes)
    }

    /// The position that 32 bytes describe; whatever FEN would refuse is refused here too.
    pub fn unpack(bytes: &[u8; PACKED_BYTES]) -> Result<Position, Error> {
        let [m0, m1, m2, m3, m4, m5, m6, m7, codes @ .., passed, flags, c0, c1, n0, n1, n2, n3] = *bytes;
        let men = Bitboard(u64::from_le_bytes([m0, m1, m2, m3, m4, m5, m6, m7]));
        let (board, castling_rooks) = place(men, &codes)?;
        let mut position = Position::from_board(board);
        if flags > BLACK_TO_MOVE | CHESS960 {
            return Err(Error::new(format!("unknown flags {flags}")));
        }
        position.board.side = Color::from_bool(flags & BLACK_TO_MOVE == 0);
        position.chess960 = flags & CHESS960 != 0;
        position.check_placement()?;
        for rook in castling_rooks {
            position.grant_castling_with(rook).map_err(|error| error.within("castling"))?;
        }
        position.board.refresh_checks();
        position.check_checks()?;
        position.board.halfmove_clock = u16::from_le_bytes([c0, c1]);
        position.board.reversible_plies = position.board.halfmove_clock;
        position.fullmove = u32::from_le_bytes([n0, n1, n2, n3]).max(1);
        if passed < NO_SQUARE {
            let square = Square::new(passed);
            position.check_passed_square(square).map_err(|error| error.within("en-passant square"))?;
            position.board.offer_en_passant(square);
            position.check_double_step(square)?;
        } else if passed > NO_SQUARE {
            return Err(Error::new(format!("en-passant square {passed}")));
        }
        position.board.keys = position.board.fresh_keys();
        Ok(position)
    }

    /// The code of what stands on an occupied square.
    fn code_on(&self, square: Square) -> u8 {
        let Some(piece) = self.board.piece_on(square) else { return 0 };
        let color = piece.color();
        let castles = CastlingSide::ALL.into_iter().any(|side| {
            self.board.rights & castling::right(color, side) != 0
                && self.castling.rook(color, side) == Some(square)
        });
        if castles { CASTLING_ROOK + color as u8 } else { piece as u8 }
    }

    /// Gives the castling right that the rook on `rook` stands for.
    fn grant_castling_with(&mut self, rook: Square) -> Result<(), Error> {
        let color = Color::from_bool(self.board.color(Color::White).has(rook));
        let king = self.board.king(color);
        let side = if rook > king { CastlingSide::King } else { CastlingSide::Queen };
        self.grant_castling(color, side, Some(rook).filter(|rook| rook.rank() == king.rank()))
    }
}

/// Puts the men on a board; beside it, the rooks with which castling is allowed.
fn place(men: Bitboard, codes: &[u8; 16]) -> Result<(Board, Bitboard), Error> {
    if men.count() > MOST_MEN {
        return Err(Error::new(format!("{} men, more than {MOST_MEN}", men.count())));
    }
    let mut board = Board::EMPTY;
    let mut castling_rooks = Bitboard::EMPTY;
    for (number, square) in men.enumerate() {
        let code = codes[number / 2] >> (4 * (number % 2)) & 15;
        let piece = match Piece::ALL.get(usize::from(code)) {
            Some(&piece) => piece,
            None if code - CASTLING_ROOK < 2 => {
                castling_rooks |= Bitboard::of(square);
                Piece::new(Color::from_bool(code == CASTLING_ROOK), PieceKind::Rook)
            }
            None => return Err(Error::new(format!("no piece has the code {code}"))),
        };
        board.put(piece, square);
    }
    Ok((board, castling_rooks))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn positions_survive_the_round_trip() {
        for fen in [
            super::super::START_FEN,
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b Kq - 17 4000000000",
            "4k3/8/8/2Pp4/8/8/8/4K3 w - d6 0 2",
            "8/8/8/8/k1Pp4/8/8/3K4 b - c3 0 1",
            "4k3/8/8/8/8/8/8/4K1RR w G - 65535 1",
            "1rkr4/8/8/8/8/8/8/1R1K1R1R w FBdb - 3 40",
        ] {
            for chess960 in [false, true] {
                let mut position = Position::from_fen(fen).unwrap();
                position.set_chess960(chess960);
                let again = Position::unpack(&position.pack().unwrap()).unwrap();
                assert_eq!((again.fen(), again.board()), (position.fen(), position.board()));
                assert_eq!(again.castling(), position.castling());
            }
        }
    }

    #[test]
    fn each_fault_has_its_own_words() {
        let start = Position::start().pack().unwrap();
        for (byte, value, word) in [
            (0, 0xFE, "first or last rank"),
            (8, 0x0E, "the code 14"),
            (8, 0x1C, ""),
            (9, 0xC2, "twice"),
            (15, 0xCC, "no such rook"),
            (23, 0xDD, "twice"),
            (4, 1, "33 men"),
            (24, 65, "en-passant square 65"),
            (24, 20, "wrong rank"),
            (24, 44, "no pawn has passed"),
            (25, 4, "flags"),
        ] {
            let mut bytes = start;
            bytes[byte] = value;
            match Position::unpack(&bytes) {
                Err(error) => {
                    assert!(error.to_string().contains(word) && !word.is_empty(), "{byte}: {error}")
                }
                Ok(_) => assert!(word.is_empty(), "{byte}: {value} was accepted"),
            }
        }
    }

    #[test]
    fn a_crowded_board_does_not_fit() {
        let fen = "4k3/pppppppp/pppppppp/pppppppp/8/PPPPPPPP/PPPPPPPP/4K3 w - - 0 1";
        assert!(Position::from_setup(fen).unwrap().pack().is_err());
    }
}
