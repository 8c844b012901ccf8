//! Static exchange evaluation: what a capture wins once all recaptures on its square are played out.

use super::{Bitboard, Board, ChessMove, PieceKind, attacks};
use crate::base::{Color, Move};

/// Exchange values, pawn to king. The king is worth more than anything it could win.
pub const EXCHANGE_VALUES: [i32; 6] = [100, 320, 330, 500, 950, 10_000];

/// The exchange value of a kind.
#[inline(always)]
pub fn exchange_value(kind: PieceKind) -> i32 {
    EXCHANGE_VALUES[kind.index()]
}

impl Board {
    /// What a move wins before any answer: the victim and what a promotion adds.
    #[inline]
    pub fn immediate_gain(&self, mv: Move) -> i32 {
        let victim = if mv.is_en_passant() {
            exchange_value(PieceKind::Pawn)
        } else if mv.is_capture() {
            self.piece_on(mv.to()).map_or(0, |piece| exchange_value(piece.kind()))
        } else {
            0
        };
        victim + mv.promotion().map_or(0, |kind| exchange_value(kind) - exchange_value(PieceKind::Pawn))
    }

    /// Whether the exchange started by `mv` wins at least `threshold`. Each side takes with its cheapest piece
    /// and stops when going on would cost it; pins are not looked at.
    pub fn see_at_least(&self, mv: Move, threshold: i32) -> bool {
        if mv.is_castling() {
            return threshold <= 0;
        }
        let (from, to) = (mv.from(), mv.to());
        let Some(mover) = self.piece_on(from) else { return false };
        // What is won so far, if nothing is taken back.
        let mut balance = self.immediate_gain(mv) - threshold;
        if balance < 0 {
            return false;
        }
        // The piece on the square may be lost; if the gain covers even that, the answer is known.
        balance -= exchange_value(mv.promotion().unwrap_or(mover.kind()));
        if balance >= 0 {
            return true;
        }
        let mut occupied = self.occupied_after(mv) - Bitboard::of(to);
        let (diagonal, straight) = (self.diagonal_sliders(), self.straight_sliders());
        let mut attackers = self.attackers_to(to, occupied);
        let mut side = !self.side;
        loop {
            attackers &= occupied;
            let own = attackers & self.color(side);
            if own.is_empty() {
                break;
            }
            let Some(kind) = self.cheapest(own) else { break };
            // A king cannot capture into a defended square.
            if kind == PieceKind::King && (attackers & self.color(!side)).exists() {
                break;
            }
            let attacker = (own & self.kind(kind)).first();
            occupied ^= Bitboard::of(attacker);
            side = !side;
            balance = -balance - 1 - exchange_value(kind);
            if balance >= 0 {
                break;
            }
            if matches!(kind, PieceKind::Pawn | PieceKind::Bishop | PieceKind::Queen) {
                attackers |= attacks::bishop(to, occupied) & diagonal;
            }
            if matches!(kind, PieceKind::Rook | PieceKind::Queen) {
                attackers |= attacks::rook(to, occupied) & straight;
            }
        }
        // Whoever is to move now had no profitable capture: the other side keeps the balance.
        side != self.side
    }

    fn cheapest(&self, own: Bitboard) -> Option<PieceKind> {
        PieceKind::ALL.into_iter().find(|&kind| (own & self.kind(kind)).exists())
    }

    /// The exact exchange value by playing it out; slow, the measure for [`Board::see_at_least`].
    pub fn see_by_swapping(&self, mv: Move) -> i32 {
        if mv.is_castling() {
            return 0;
        }
        let Some(mover) = self.piece_on(mv.from()) else { return 0 };
        let on_square = mv.promotion().unwrap_or(mover.kind());
        let occupied = self.occupied_after(mv) - Bitboard::of(mv.to());
        self.immediate_gain(mv) - self.best_recapture(mv.to(), occupied, !self.side, on_square).max(0)
    }

    fn best_recapture(&self, to: super::Square, occupied: Bitboard, side: Color, victim: PieceKind) -> i32 {
        let attackers = self.attackers_to(to, occupied) & occupied;
        let own = attackers & self.color(side);
        let Some(kind) = self.cheapest(own) else { return 0 };
        if kind == PieceKind::King && (attackers & self.color(!side)).exists() {
            return 0;
        }
        let left = occupied ^ Bitboard::of((own & self.kind(kind)).first());
        exchange_value(victim) - self.best_recapture(to, left, !side, kind).max(0)
    }
}
