//! Making a move on a [`Board`].

use super::board::NO_ROYAL;
use super::square::FRAME;
use super::{Board, Castling, FairyMove, Kind, Piece, Set, Square, zobrist};
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
        let (from, to) = (mv.from(), mv.to(us));
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        self.reversible_plies = self.reversible_plies.saturating_add(1);
        if let Some(square) = self.en_passant.take() {
            self.keys.full ^= zobrist::en_passant(square.file());
        }
        self.keys.full ^= zobrist::black_to_move();

        let mut double_step = false;
        if mv.is_castling() {
            self.castle::<WHITE>(to, castling);
        } else {
            let victim_square = if mv.is_en_passant() { to.forward(!WHITE) } else { to };
            if let Some(victim) = self.piece_on(victim_square) {
                self.remove(victim, victim_square);
                self.forget_history();
            }
            double_step = self.step::<WHITE>(mv, from, to);
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
        if double_step {
            self.offer_en_passant(from.forward(WHITE));
        }
    }

    /// Moves a piece to an empty square; a pawn may turn into another piece there. Whether it was a pawn's double step.
    #[inline(always)]
    fn step<const WHITE: bool>(&mut self, mv: Move, from: Square, to: Square) -> bool {
        let us = Color::from_bool(WHITE);
        let piece = self.squares[from.index()];
        self.squares[from.index()] = Piece::NONE;
        self.squares[to.index()] = piece;
        let bits = Set::of(from) | Set::of(to);
        self.toggle(piece, bits, zobrist::piece(piece, from) ^ zobrist::piece(piece, to));
        if piece.kind() != Kind::Pawn {
            if self.royals[us.index()] == from {
                self.royals[us.index()] = to;
            }
            return false;
        }
        self.forget_history();
        if let Some(promoted) = mv.promotion() {
            self.remove(piece, to);
            self.put(Piece::new(us, promoted), to);
        }
        to.raw().abs_diff(from.raw()) == 2 * FRAME
    }

    /// Keeps only the castling rights in `kept`. A lost right cannot come back, nor can the positions before.
    #[inline(always)]
    pub(super) fn lose_rights(&mut self, kept: u8) {
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
    pub(super) fn forget_history(&mut self) {
        self.halfmove_clock = 0;
        self.reversible_plies = 0;
    }

    fn castle<const WHITE: bool>(&mut self, rook_square: Square, castling: &Castling) {
        let us = Color::from_bool(WHITE);
        let Some(route) = castling.route_of(us, rook_square) else {
            debug_assert!(false, "castling without a rook");
            return;
        };
        let (king, rook) = (Piece::new(us, Kind::King), Piece::new(us, Kind::Rook));
        self.remove(king, route.king);
        self.remove(rook, route.rook);
        self.put(king, route.king_target);
        self.put(rook, route.rook_target);
        if self.royals[us.index()] != NO_ROYAL {
            self.royals[us.index()] = route.king_target;
        }
    }

    /// After a double step over `square`: the right to capture there exists only if some capture is legal, so
    /// that two positions with the same legal moves have the same key.
    pub(super) fn offer_en_passant(&mut self, square: Square) {
        let us = self.side;
        let mut capturers = Set::of(square).pawn_attacks(!us.is_white()) & self.pawns & self.color(us);
        if !self.wall.has(square) && capturers.any(|from| self.en_passant_is_safe(us, from, square)) {
            self.en_passant = Some(square);
            self.keys.full ^= zobrist::en_passant(square.file());
        }
    }

    /// The occupancy after a move, without making it.
    pub(super) fn occupied_after(&self, mv: Move, castling: &Castling) -> Set {
        let us = self.side;
        let (from, to) = (mv.from(), mv.to(us));
        let left = self.occupied() ^ Set::of(from);
        if mv.is_castling()
            && let Some(route) = castling.route_of(us, to)
        {
            return (left ^ Set::of(to)) | Set::of(route.king_target) | Set::of(route.rook_target);
        }
        let left = if mv.is_en_passant() { left ^ Set::of(to.forward(!us.is_white())) } else { left };
        left | Set::of(to)
    }
}
