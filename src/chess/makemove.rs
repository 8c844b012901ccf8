//! Making a move on a [`Board`].

use super::{Bitboard, Board, Castling, ChessMove, Piece, PieceKind, Square, attacks, zobrist};
use crate::base::{Color, Move};

impl Board {
    /// Plays a legal move.
    #[inline]
    pub fn play(&mut self, mv: Move, castling: &Castling) {
        match self.side {
            Color::White => self.play_for::<true>(mv, castling),
            Color::Black => self.play_for::<false>(mv, castling),
        }
    }

    /// Plays a legal move of the side that `WHITE` names.
    #[inline]
    pub(super) fn play_for<const WHITE: bool>(&mut self, mv: Move, castling: &Castling) {
        let us = Color::from_bool(WHITE);
        let (from, to) = (mv.from(), mv.to());
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        self.reversible_plies = self.reversible_plies.saturating_add(1);
        if let Some(square) = self.en_passant.take() {
            self.keys.full ^= zobrist::en_passant(square.file());
        }
        self.keys.full ^= zobrist::black_to_move();

        if mv.is_castling() {
            self.castle::<WHITE>(mv);
        } else {
            if mv.is_capture() {
                let victim_square = if mv.is_en_passant() { to.forward(!us) } else { to };
                if let Some(victim) = self.piece_on(victim_square) {
                    self.remove(victim, victim_square);
                }
                self.forget_history();
            }
            self.step::<WHITE>(mv);
        }

        if self.rights != 0 {
            self.lose_rights(castling.kept(from) & castling.kept(to));
        }
        self.side = !us;
        if WHITE {
            self.update_checks::<false>();
        } else {
            self.update_checks::<true>();
        }
        if mv.code() == super::MoveKind::DoublePush as u16 {
            self.offer_en_passant(from.forward(us));
        }
    }

    /// Moves a piece to an empty square; a pawn may turn into another piece there.
    #[inline(always)]
    fn step<const WHITE: bool>(&mut self, mv: Move) {
        let us = Color::from_bool(WHITE);
        let (from, to) = (mv.from(), mv.to());
        let Some(piece) = self.piece_on(from) else {
            debug_assert!(false, "a move from an empty square");
            return;
        };
        let kind = piece.kind();
        self.squares[from.index()] = None;
        self.squares[to.index()] = Some(piece);
        let bits = Bitboard::of(from) | Bitboard::of(to);
        let key = zobrist::piece(piece, from) ^ zobrist::piece(piece, to);
        self.kinds[kind.index()] ^= bits;
        self.colors[us.index()] ^= bits;
        self.keys.full ^= key;
        if kind != PieceKind::Pawn {
            self.keys.non_pawn[us.index()] ^= key;
            return;
        }
        self.keys.pawn ^= key;
        self.forget_history();
        if let Some(promoted) = mv.promotion() {
            self.remove(piece, to);
            self.put(Piece::new(us, promoted), to);
        }
    }

    /// Keeps only the castling rights in `kept`. A lost right cannot come back, nor can the positions before.
    #[inline(always)]
    fn lose_rights(&mut self, kept: u8) {
        let rights = self.rights & kept;
        if rights != self.rights {
            self.keys.full ^= zobrist::castling(self.rights) ^ zobrist::castling(rights);
            self.rights = rights;
            self.reversible_plies = 0;
        }
    }

    /// Passes the turn. Repetitions are not counted across it.
    pub(super) fn play_null(&mut self) {
        if let Some(square) = self.en_passant.take() {
            self.keys.full ^= zobrist::en_passant(square.file());
        }
        self.keys.full ^= zobrist::black_to_move();
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        self.reversible_plies = 0;
        self.side = !self.side;
        self.refresh_checks();
    }

    /// A capture or pawn move: no earlier position can come again.
    #[inline(always)]
    fn forget_history(&mut self) {
        self.halfmove_clock = 0;
        self.reversible_plies = 0;
    }

    fn castle<const WHITE: bool>(&mut self, mv: Move) {
        let us = Color::from_bool(WHITE);
        let side = mv.castling_side();
        let (king, rook) = (Piece::new(us, PieceKind::King), Piece::new(us, PieceKind::Rook));
        self.remove(king, mv.from());
        self.remove(rook, mv.to());
        self.put(king, side.king_target(us));
        self.put(rook, side.rook_target(us));
    }

    /// After a double step over `square`: the right to capture there exists only if some capture is legal, so
    /// that two positions with the same legal moves have the same key.
    pub(super) fn offer_en_passant(&mut self, square: Square) {
        let us = self.side;
        let mut capturers = attacks::pawn(!us, square) & self.pieces(us, PieceKind::Pawn);
        if capturers.any(|from| self.en_passant_is_safe(us, from, square)) {
            self.en_passant = Some(square);
            self.keys.full ^= zobrist::en_passant(square.file());
        }
    }

    /// The occupancy after a move, without making it.
    pub(super) fn occupied_after(&self, mv: Move) -> Bitboard {
        let (from, to, us) = (mv.from(), mv.to(), self.side);
        let left = self.occupied() ^ Bitboard::of(from);
        if mv.is_castling() {
            let side = mv.castling_side();
            return (left ^ Bitboard::of(to))
                | Bitboard::of(side.king_target(us))
                | Bitboard::of(side.rook_target(us));
        }
        let left = if mv.is_en_passant() { left ^ Bitboard::of(to.forward(!us)) } else { left };
        left | Bitboard::of(to)
    }
}
