//! Is this sixteen-bit code a legal move here? And does it give check?
//!
//! A move from the transposition table may belong to another position with the same key, or be torn together from two:
//! it is vetted here before it is played.

use super::movegen::Law;
use super::spec::bit;
use super::square::FRAME;
use super::{Board, CastlingSide, FairyMove, Kind, Piece, Rules, Set, Square, castling, pieces, rays};
use crate::base::{Color, Move};

impl Board {
    /// Whether any code at all is a legal move; true exactly for the moves that generation lists.
    pub fn is_legal(&self, mv: Move, law: Law) -> bool {
        let us = self.side;
        let (from, to) = (mv.from(), mv.to(us));
        if from.index() >= Square::COUNT || mv.is_garbled() || self.is_decided(law.rules) {
            return false;
        }
        let Some(piece) = self.piece_on(from).filter(|piece| piece.color() == us) else { return false };
        if mv.is_castling() {
            return self.is_legal_castling(from, to, law);
        }
        if !law.rules.board.has(to) || (self.color(us) | self.wall).has(to) {
            return false;
        }
        if mv.is_en_passant() {
            return piece.kind() == Kind::Pawn
                && self.en_passant == Some(to)
                && Set::of(from).pawn_attacks(us.is_white()).has(to)
                && self.en_passant_is_safe(us, from, to);
        }
        if piece.kind() == Kind::Pawn {
            return self.pawn_can_reach(mv, law.rules) && self.is_safe_step(from, to);
        }
        if mv.promotion().is_some() || !rays::piece(piece.kind(), from, self.occupied()).has(to) {
            return false;
        }
        if self.royals[us.index()] == from {
            return !self.is_attacked(to, !us, self.occupied() ^ Set::of(from));
        }
        self.is_safe_step(from, to)
    }

    fn is_legal_castling(&self, king: Square, rook: Square, law: Law) -> bool {
        CastlingSide::ALL.into_iter().any(|side| {
            self.rights & castling::right(self.side, side) != 0
                && law
                    .castling
                    .route(self.side, side)
                    .is_some_and(|route| (route.king, route.rook) == (king, rook) && self.can_castle(route))
        })
    }

    /// Whether the geometry of a pawn move is right and the promotion, or its absence, in order.
    fn pawn_can_reach(&self, mv: Move, rules: &Rules) -> bool {
        let us = self.side;
        let (from, to) = (mv.from(), mv.to(us));
        let promotes = match mv.promotion() {
            Some(kind) => {
                rules.zone[us.index()].has(to) && self.allowed_promotions(rules, us) & bit(kind) != 0
            }
            None => !rules.last_rank[us.index()].has(to),
        };
        if !promotes {
            return false;
        }
        if self.color(!us).has(to) {
            return Set::of(from).pawn_attacks(us.is_white()).has(to);
        }
        let ahead = from.forward(us.is_white());
        if to.raw().abs_diff(from.raw()) == 2 * FRAME {
            let free = Set::of(ahead) & (rules.second_step[us.index()] - self.occupied());
            return free.exists() && to == ahead.forward(us.is_white());
        }
        to == ahead
    }

    /// Whether a step of a piece other than the royal one respects checks and pins.
    fn is_safe_step(&self, from: Square, to: Square) -> bool {
        let Some(royal) = self.royal(self.side) else { return true };
        if self.pinned().has(from) && !rays::aligned(royal, from, to) {
            return false;
        }
        if self.checkers.is_empty() {
            return true;
        }
        !self.checkers.several() && (self.checkers | rays::between(royal, self.checkers.first())).has(to)
    }

    /// Whether a legal move gives check.
    pub fn gives_check(&self, mv: Move, law: Law) -> bool {
        let us = self.side;
        let Some(royal) = self.royal(!us) else { return false };
        let (from, to) = (mv.from(), mv.to(us));
        let Some(piece) = self.piece_on(from) else { return false };
        let occupied = self.occupied_after(mv, law.castling);
        let (mut diagonal, mut straight) = (self.diagonal & self.color(us), self.straight & self.color(us));
        if mv.is_castling() {
            let Some(route) = law.castling.route_of(us, to) else { return false };
            straight = (straight ^ Set::of(to)) | Set::of(route.rook_target);
        } else {
            let arrived = mv.promotion().unwrap_or(piece.kind());
            let pawn = arrived == Kind::Pawn && Set::of(to).pawn_attacks(us.is_white()).has(royal);
            if pawn || arrived.has(pieces::KNIGHT) && rays::knight(to).has(royal) {
                return true;
            }
            (diagonal, straight) = (diagonal - Set::of(from), straight - Set::of(from));
            if arrived.has(pieces::DIAGONAL) {
                diagonal |= Set::of(to);
            }
            if arrived.has(pieces::STRAIGHT) {
                straight |= Set::of(to);
            }
        }
        (rays::diagonal_lines(royal) & diagonal).exists()
            && (rays::diagonal(royal, occupied) & diagonal).exists()
            || (rays::straight_lines(royal) & straight).exists()
                && (rays::straight(royal, occupied) & straight).exists()
    }

    /// The piece that a legal move captures, and where it stands.
    #[inline]
    pub(super) fn victim(&self, mv: Move) -> Option<(Piece, Square)> {
        if mv.is_castling() {
            return None;
        }
        let to = mv.to(self.side);
        let square = if mv.is_en_passant() { to.forward(!self.side.is_white()) } else { to };
        self.piece_on(square).map(|piece| (piece, square))
    }

    /// Whether a legal move changes the material.
    #[inline]
    pub(super) fn is_tactical(&self, mv: Move) -> bool {
        mv.is_some()
            && !mv.is_castling()
            && (mv.promotion().is_some() || mv.is_en_passant() || self.men().has(mv.to(self.side)))
    }

    /// Whether a side has a piece other than pawns and the one it must not lose.
    #[inline(always)]
    pub fn has_pieces(&self, color: Color) -> bool {
        (self.color(color) - self.pawns - self.kings - self.royal_set(color)).exists()
    }

    /// Whether a king has been captured, where that ends the game.
    #[inline(always)]
    pub fn is_decided(&self, rules: &Rules) -> bool {
        rules.variant.behemoth && self.colors.iter().any(|&color| (self.kings & color).is_empty())
    }
}
