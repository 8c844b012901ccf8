//! Is this sixteen-bit code a legal move here? And does it give check?
//!
//! A move from the transposition table may belong to another position with the same key, or be torn
//! together from two: it is vetted here before it is played.

use super::{Bitboard, Board, Castling, CastlingSide, ChessMove, MoveKind, PieceKind, Square, attacks};
use crate::base::{Color, Move};

impl Board {
    /// Whether any code at all is a legal move; true exactly for the moves that generation lists.
    pub fn is_legal(&self, mv: Move, castling: &Castling) -> bool {
        let us = self.side;
        let (from, to) = (mv.from(), mv.to());
        let Some(kind) = MoveKind::from_code(mv.code()) else { return false };
        let Some(piece) = self.piece_on(from) else { return false };
        if piece.color() != us {
            return false;
        }
        match kind {
            MoveKind::CastleKing => return self.is_legal_castling(mv, castling, CastlingSide::King),
            MoveKind::CastleQueen => return self.is_legal_castling(mv, castling, CastlingSide::Queen),
            MoveKind::EnPassant => {
                return piece.kind() == PieceKind::Pawn
                    && self.en_passant == Some(to)
                    && attacks::pawn(us, from).has(to)
                    && self.en_passant_is_safe(us, from, to);
            }
            _ => {}
        }
        let takes = self.color(!us).has(to);
        if self.color(us).has(to) || takes != mv.is_capture() {
            return false;
        }
        match piece.kind() {
            PieceKind::Pawn => self.pawn_can_reach(mv, kind) && self.is_safe_step(from, to),
            _ if !matches!(kind, MoveKind::Quiet | MoveKind::Capture) => false,
            PieceKind::King => {
                attacks::king(from).has(to)
                    && !self.is_attacked(to, !us, self.occupied() ^ Bitboard::of(from))
            }
            piece => attacks::piece(piece, from, self.occupied()).has(to) && self.is_safe_step(from, to),
        }
    }

    fn is_legal_castling(&self, mv: Move, castling: &Castling, side: CastlingSide) -> bool {
        mv.from() == self.king(self.side)
            && castling.rook(self.side, side) == Some(mv.to())
            && self.can_castle(castling, side)
    }

    /// Whether the geometry of a pawn move is right; captures are known to hit an enemy, others an empty square.
    fn pawn_can_reach(&self, mv: Move, kind: MoveKind) -> bool {
        let us = self.side;
        let (from, to) = (mv.from(), mv.to());
        if mv.promotion().is_some() != (to.rank_for(us) == 7) {
            return false;
        }
        if mv.is_capture() {
            return attacks::pawn(us, from).has(to);
        }
        let ahead = from.forward(us);
        if kind == MoveKind::DoublePush {
            return from.rank_for(us) == 1 && to == ahead.forward(us) && !self.occupied().has(ahead);
        }
        to == ahead
    }

    /// Whether a step of a piece other than the king respects checks and pins.
    fn is_safe_step(&self, from: Square, to: Square) -> bool {
        let king = self.king(self.side);
        if self.pinned().has(from) && !attacks::line(king, from).has(to) {
            return false;
        }
        if self.checkers.is_empty() {
            return true;
        }
        !self.checkers.several() && (self.checkers | attacks::between(king, self.checkers.first())).has(to)
    }

    /// Whether a legal move gives check.
    pub fn gives_check(&self, mv: Move) -> bool {
        let us = self.side;
        let king = self.king(!us);
        let (from, to) = (mv.from(), mv.to());
        let Some(piece) = self.piece_on(from) else { return false };
        let occupied = self.occupied_after(mv);
        let (mut diagonal, mut straight) =
            (self.diagonal_sliders() & self.color(us), self.straight_sliders() & self.color(us));
        if mv.is_castling() {
            let rook_target = mv.castling_side();
            straight = (straight ^ Bitboard::of(to)) | Bitboard::of(rook_target.rook_target(us));
        } else {
            let arrived = mv.promotion().unwrap_or(piece.kind());
            match arrived {
                PieceKind::Pawn if attacks::pawn(us, to).has(king) => return true,
                PieceKind::Knight if attacks::knight(to).has(king) => return true,
                _ => {}
            }
            let (leave, arrive) = (Bitboard::of(from), Bitboard::of(to));
            diagonal = diagonal - leave;
            straight = straight - leave;
            if matches!(arrived, PieceKind::Bishop | PieceKind::Queen) {
                diagonal |= arrive;
            }
            if matches!(arrived, PieceKind::Rook | PieceKind::Queen) {
                straight |= arrive;
            }
        }
        (attacks::bishop_lines(king) & diagonal).exists()
            && (attacks::bishop(king, occupied) & diagonal).exists()
            || (attacks::rook_lines(king) & straight).exists()
                && (attacks::rook(king, occupied) & straight).exists()
    }

    /// Whether a side has a piece other than king and pawns.
    #[inline(always)]
    pub fn has_pieces(&self, color: Color) -> bool {
        (self.color(color) - self.kind(PieceKind::Pawn) - self.kind(PieceKind::King)).exists()
    }
}
