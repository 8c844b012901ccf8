//! Static exchange evaluation: what a capture wins once all recaptures on its square are played out.

use super::movegen::Law;
use super::{Board, FairyMove, Kind, Piece, Set, rays};
use crate::base::{Color, Move};

/// Exchange values by number of the kind. A royal piece is worth more than anything it could win.
pub const EXCHANGE_VALUES: [i32; Kind::COUNT] = [100, 330, 500, 950, 300, 800, 850, 1250, ROYAL];
const ROYAL: i32 = 10_000;

/// The exchange value of a kind that is not royal.
#[inline(always)]
pub fn exchange_value(kind: Kind) -> i32 {
    EXCHANGE_VALUES[kind.index()]
}

/// What a move that takes `victim` wins before any answer.
#[inline(always)]
pub(super) fn gain(victim: Option<Piece>, mv: Move) -> i32 {
    victim.map_or(0, |piece| exchange_value(piece.kind()))
        + mv.promotion().map_or(0, |kind| exchange_value(kind) - exchange_value(Kind::Pawn))
}

impl Board {
    /// The exchange value of a kind in the hands of a side.
    #[inline(always)]
    fn value_for(&self, law: Law, color: Color, kind: Kind) -> i32 {
        if law.rules.is_royal(color, kind) { ROYAL } else { exchange_value(kind) }
    }

    /// What a move wins before any answer: the victim and what a promotion adds.
    #[inline]
    pub fn immediate_gain(&self, mv: Move) -> i32 {
        gain(self.victim(mv).map(|(piece, _)| piece), mv)
    }

    /// Whether the exchange started by `mv` wins at least `threshold`. Each side takes with its cheapest piece
    /// and stops when going on would cost it; pins are not looked at.
    pub fn see_at_least(&self, mv: Move, law: Law, threshold: i32) -> bool {
        if mv.is_castling() {
            return threshold <= 0;
        }
        let (from, to) = (mv.from(), mv.to(self.side));
        let Some(mover) = self.piece_on(from) else { return false };
        // What is won so far, if nothing is taken back.
        let mut balance = self.immediate_gain(mv) - threshold;
        if balance < 0 {
            return false;
        }
        // The piece on the square may be lost; if the gain covers even that, the answer is known.
        balance -= self.value_for(law, self.side, mv.promotion().unwrap_or(mover.kind()));
        if balance >= 0 {
            return true;
        }
        let mut occupied = self.occupied_after(mv, law.castling) - Set::of(to);
        let mut attackers = self.attackers_to(to, occupied);
        let mut side = !self.side;
        loop {
            attackers &= occupied;
            let own = attackers & self.color(side);
            let Some((kind, set)) = self.cheapest(law, own, side) else { break };
            // A royal piece cannot capture into a defended square.
            let value = self.value_for(law, side, kind);
            if value == ROYAL && law.rules.is_royal(side, kind) && (attackers & self.color(!side)).exists() {
                break;
            }
            let from = set.first();
            occupied ^= Set::of(from);
            side = !side;
            balance = -balance - 1 - value;
            if balance >= 0 {
                break;
            }
            // Whoever stood behind sees the square now; a leaper stood in nobody's way.
            if rays::diagonal_lines(to).has(from) {
                attackers |= rays::diagonal(to, occupied) & self.diagonal;
            } else if rays::straight_lines(to).has(from) {
                attackers |= rays::straight(to, occupied) & self.straight;
            }
        }
        // Whoever is to move now had no profitable capture: the other side keeps the balance.
        side != self.side
    }

    /// The cheapest kind among pieces of one side, and all of that kind. The royal piece comes last.
    fn cheapest(&self, law: Law, own: Set, side: Color) -> Option<(Kind, Set)> {
        if own.is_empty() {
            return None;
        }
        let royal = own & self.royal_set(side);
        let common = own - royal;
        let set_of = |set: Set| Kind::BY_VALUE.into_iter().map(move |kind| (kind, set & self.kind(kind)));
        let found = set_of(common).find(|(_, set)| set.exists());
        found
            .or_else(|| royal.exists().then(|| law.rules.variant.royals[side.index()].map(|k| (k, royal)))?)
    }

    /// The exact exchange value by playing it out; slow, the measure for [`Board::see_at_least`].
    pub fn see_by_swapping(&self, mv: Move, law: Law) -> i32 {
        if mv.is_castling() {
            return 0;
        }
        let Some(mover) = self.piece_on(mv.from()) else { return 0 };
        let on_square = mv.promotion().unwrap_or(mover.kind());
        let to = mv.to(self.side);
        let occupied = self.occupied_after(mv, law.castling) - Set::of(to);
        let victim = self.value_for(law, self.side, on_square);
        self.immediate_gain(mv) - self.best_recapture(law, to, occupied, !self.side, victim).max(0)
    }

    fn best_recapture(
        &self,
        law: Law,
        to: super::Square,
        occupied: Set,
        side: Color,
        victim_value: i32,
    ) -> i32 {
        let attackers = self.attackers_to(to, occupied) & occupied;
        let own = attackers & self.color(side);
        let Some((kind, set)) = self.cheapest(law, own, side) else { return 0 };
        if law.rules.is_royal(side, kind) && (attackers & self.color(!side)).exists() {
            return 0;
        }
        let left = occupied ^ Set::of(set.first());
        victim_value - self.best_recapture(law, to, left, !side, self.value_for(law, side, kind)).max(0)
    }
}
