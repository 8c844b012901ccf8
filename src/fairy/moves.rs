//! What the sixteen bits of a [`Move`] mean in the variants.
//!
//! ```text
//! 15 14 13     7 6      0
//! [kind][payload][ from  ]
//! ```
//! The payload of a plain move or an en-passant capture is its target, that of castling the square of the rook. A
//! promotion keeps what the pawn becomes (upper five bits) and which way it goes (lower two bits): there is no room
//! for a target, and none is needed.

use super::square::FRAME;
use super::{Kind, Square};
use crate::base::{Color, Move};

const PLAIN: u16 = 0;
const PROMOTION: u16 = 1;
const CASTLING: u16 = 2;
const EN_PASSANT: u16 = 3;

/// Straight ahead, towards the a-file, away from it.
pub const PAWN_WAYS: [i8; 3] = [0, -1, 1];

/// Reads and builds the meaning of a move. What only the board can tell (is it a capture?) is not here.
pub trait FairyMove: Copy {
    /// A move or capture of any piece from square to square.
    fn plain(from: Square, to: Square) -> Self;
    /// An en-passant capture.
    fn en_passant(from: Square, to: Square) -> Self;
    /// Castling with the rook on `rook`.
    fn castling(king: Square, rook: Square) -> Self;
    /// A pawn that goes one of [`PAWN_WAYS`] and becomes another piece.
    fn promoting(from: Square, way: usize, kind: Kind) -> Self;
    /// Where the piece stands.
    fn from(self) -> Square;
    /// Where it goes; for castling, where the rook stands. The color is the mover's.
    fn to(self, color: Color) -> Square;
    /// Castling to either side.
    fn is_castling(self) -> bool;
    /// En passant.
    fn is_en_passant(self) -> bool;
    /// The piece a pawn turns into.
    fn promotion(self) -> Option<Kind>;
    /// A promotion whose bits say what no generator would.
    fn is_garbled(self) -> bool;
}

fn pack(from: Square, payload: u16, kind: u16) -> Move {
    Move::from_bits(u16::from(from.raw()) | payload << 7 | kind << 14)
}

impl FairyMove for Move {
    #[inline(always)]
    fn plain(from: Square, to: Square) -> Move {
        pack(from, u16::from(to.raw()), PLAIN)
    }

    #[inline(always)]
    fn en_passant(from: Square, to: Square) -> Move {
        pack(from, u16::from(to.raw()), EN_PASSANT)
    }

    #[inline(always)]
    fn castling(king: Square, rook: Square) -> Move {
        pack(king, u16::from(rook.raw()), CASTLING)
    }

    #[inline(always)]
    fn promoting(from: Square, way: usize, kind: Kind) -> Move {
        pack(from, way as u16 | (kind as u16) << 2, PROMOTION)
    }

    #[inline(always)]
    fn from(self) -> Square {
        Square::new(self.bits() as u8)
    }

    #[inline(always)]
    fn to(self, color: Color) -> Square {
        let payload = (self.bits() >> 7) as u8 & 127;
        if self.bits() >> 14 != PROMOTION {
            return Square::new(payload);
        }
        let ahead = if color.is_white() { FRAME as i8 } else { -(FRAME as i8) };
        FairyMove::from(self).offset(ahead + PAWN_WAYS[usize::from(payload & 3) % 3])
    }

    #[inline(always)]
    fn is_castling(self) -> bool {
        self.bits() >> 14 == CASTLING
    }

    #[inline(always)]
    fn is_en_passant(self) -> bool {
        self.bits() >> 14 == EN_PASSANT
    }

    #[inline(always)]
    fn promotion(self) -> Option<Kind> {
        (self.bits() >> 14 == PROMOTION).then(|| Kind::from_number((self.bits() >> 9) as u8 & 31))
    }

    fn is_garbled(self) -> bool {
        let payload = self.bits() >> 7 & 127;
        self.bits() >> 14 == PROMOTION && (payload & 3 == 3 || payload >> 2 >= Kind::COUNT as u16)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packing_keeps_every_part() {
        let (from, to) = (Square::at(3, 8), Square::at(9, 9));
        for mv in [Move::plain(from, to), Move::en_passant(from, to), Move::castling(from, to)] {
            assert_eq!((FairyMove::from(mv), mv.to(Color::White), mv.promotion()), (from, to, None));
        }
        let mv = Move::promoting(from, 2, Kind::Chancellor);
        assert_eq!(mv.to(Color::White), Square::at(4, 9));
        assert_eq!(mv.to(Color::Black), Square::at(4, 7));
        assert_eq!(mv.promotion(), Some(Kind::Chancellor));
        assert!(!mv.is_garbled() && !mv.is_castling());
    }
}
