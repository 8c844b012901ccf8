//! What the sixteen bits of a [`Move`] mean in chess.
//!
//! ```text
//! 15  12 11     6 5      0
//! [kind ][  to   ][ from  ]
//! ```
//! Castling is written as "king takes own rook", which names the rook in Chess960 too.

use super::{CastlingSide, PieceKind, Square};
use crate::base::Move;

/// The four-bit kind of a move. Bit 2 marks captures, bit 3 promotions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum MoveKind {
    Quiet = 0,
    DoublePush = 1,
    CastleKing = 2,
    CastleQueen = 3,
    Capture = 4,
    EnPassant = 5,
    PromoteKnight = 8,
    PromoteBishop = 9,
    PromoteRook = 10,
    PromoteQueen = 11,
    CapturePromoteKnight = 12,
    CapturePromoteBishop = 13,
    CapturePromoteRook = 14,
    CapturePromoteQueen = 15,
}

impl MoveKind {
    /// The kind with this code; 6 and 7 are no kind.
    #[inline(always)]
    pub const fn from_code(code: u16) -> Option<MoveKind> {
        use MoveKind::*;
        Some(match code {
            0 => Quiet,
            1 => DoublePush,
            2 => CastleKing,
            3 => CastleQueen,
            4 => Capture,
            5 => EnPassant,
            8 => PromoteKnight,
            9 => PromoteBishop,
            10 => PromoteRook,
            11 => PromoteQueen,
            12 => CapturePromoteKnight,
            13 => CapturePromoteBishop,
            14 => CapturePromoteRook,
            15 => CapturePromoteQueen,
            _ => return None,
        })
    }

    /// The promotion to `kind`, with or without a capture.
    #[inline(always)]
    pub const fn promotion(kind: PieceKind, capture: bool) -> MoveKind {
        use MoveKind::*;
        match (kind, capture) {
            (PieceKind::Knight, false) => PromoteKnight,
            (PieceKind::Bishop, false) => PromoteBishop,
            (PieceKind::Rook, false) => PromoteRook,
            (_, false) => PromoteQueen,
            (PieceKind::Knight, true) => CapturePromoteKnight,
            (PieceKind::Bishop, true) => CapturePromoteBishop,
            (PieceKind::Rook, true) => CapturePromoteRook,
            (_, true) => CapturePromoteQueen,
        }
    }
}

/// Reads and builds the chess meaning of a move.
pub trait ChessMove: Copy {
    /// Packs a move.
    fn pack(from: Square, to: Square, kind: MoveKind) -> Self;
    /// Where the piece stands.
    fn from(self) -> Square;
    /// Where it goes; for castling, where the rook stands.
    fn to(self) -> Square;
    /// The four-bit code of the kind.
    fn code(self) -> u16;
    /// Captures, en passant included.
    fn is_capture(self) -> bool;
    /// En passant.
    fn is_en_passant(self) -> bool;
    /// Castling to either side.
    fn is_castling(self) -> bool;
    /// Which way a castling move goes.
    fn castling_side(self) -> CastlingSide;
    /// The piece a pawn turns into.
    fn promotion(self) -> Option<PieceKind>;
    /// Captures and promotions: the moves that change the material.
    fn is_tactical(self) -> bool;
}

impl ChessMove for Move {
    #[inline(always)]
    fn pack(from: Square, to: Square, kind: MoveKind) -> Move {
        Move::from_bits(from.raw() as u16 | (to.raw() as u16) << 6 | (kind as u16) << 12)
    }

    #[inline(always)]
    fn from(self) -> Square {
        Square::new(self.bits() as u8)
    }

    #[inline(always)]
    fn to(self) -> Square {
        Square::new((self.bits() >> 6) as u8)
    }

    #[inline(always)]
    fn code(self) -> u16 {
        self.bits() >> 12
    }

    #[inline(always)]
    fn is_capture(self) -> bool {
        self.bits() & 0x4000 != 0
    }

    #[inline(always)]
    fn is_en_passant(self) -> bool {
        self.code() == MoveKind::EnPassant as u16
    }

    #[inline(always)]
    fn is_castling(self) -> bool {
        matches!(self.code(), 2 | 3)
    }

    #[inline(always)]
    fn castling_side(self) -> CastlingSide {
        if self.code() == MoveKind::CastleKing as u16 { CastlingSide::King } else { CastlingSide::Queen }
    }

    #[inline(always)]
    fn promotion(self) -> Option<PieceKind> {
        const KINDS: [PieceKind; 4] =
            [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen];
        if self.bits() & 0x8000 != 0 { Some(KINDS[(self.code() & 3) as usize]) } else { None }
    }

    #[inline(always)]
    fn is_tactical(self) -> bool {
        self.bits() & 0xC000 != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packing_keeps_every_part() {
        let mv = Move::pack(Square::new(51), Square::new(60), MoveKind::CapturePromoteRook);
        assert_eq!((mv.from().raw(), mv.to().raw()), (51, 60));
        assert!(mv.is_capture() && mv.is_tactical() && !mv.is_castling());
        assert_eq!(mv.promotion(), Some(PieceKind::Rook));
        for code in 0..16 {
            if let Some(kind) = MoveKind::from_code(code) {
                assert_eq!(kind as u16, code);
            }
        }
    }
}
