//! Playing weaker on purpose, the way weaker players do: looking less far and not always choosing the best of the
//! moves that look good.
//!
//! A limited engine searches a small number of nodes, so that it overlooks what a weaker player overlooks, and
//! picks among its candidate moves with a probability that falls with what they cost. It never plays a move
//! that its own search sees to be much worse.

use rand::Rng;

use crate::search::{Outcome, RootMove};

/// How a weaker engine searches and chooses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Handicap {
    /// Nodes a move may cost.
    pub nodes: u64,
    /// Candidate moves to compare.
    pub candidates: usize,
    /// A move that costs this many centipawns is e times less likely than the best.
    pub temperature_cp: f64,
}

/// The weakest and strongest playing strength that can be asked for.
pub const ELO_RANGE: std::ops::RangeInclusive<i32> = 1320..=3000;

impl Handicap {
    /// The handicap that makes the engine about this strong.
    pub fn for_elo(elo: i32) -> Handicap {
        let elo = f64::from(elo.clamp(*ELO_RANGE.start(), *ELO_RANGE.end()));
        let above = (elo - f64::from(*ELO_RANGE.start())) / 100.0;
        Handicap {
            nodes: (60.0 * 1.62f64.powf(above)) as u64,
            candidates: 6,
            temperature_cp: 90.0 * 0.80f64.powf(above),
        }
    }

    /// The handicap of a skill level from 0 to 19; 20 has none.
    pub fn for_skill(level: i32) -> Option<Handicap> {
        (level < 20).then(|| Handicap::for_elo(1320 + level.max(0) * 85))
    }

    /// Chooses the move to play.
    pub fn choose<'a>(&self, outcome: &'a Outcome, rng: &mut impl Rng) -> Option<&'a RootMove> {
        let candidates = &outcome.root_moves[..outcome.root_moves.len().min(self.candidates)];
        let best = candidates.first()?;
        if best.known_score().is_proven() {
            return Some(best);
        }
        let weight = |root: &RootMove| {
            let cost = f64::from(best.known_score() - root.known_score());
            (-cost / self.temperature_cp).exp()
        };
        let total: f64 = candidates.iter().map(weight).sum();
        let mut ticket = rng.random_range(0.0..total.max(f64::MIN_POSITIVE));
        for root in candidates {
            ticket -= weight(root);
            if ticket < 0.0 {
                return Some(root);
            }
        }
        Some(best)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_strength_is_more_nodes_and_less_chance() {
        let mut last = Handicap::for_elo(1320);
        for elo in (1400..=3000).step_by(100) {
            let next = Handicap::for_elo(elo);
            assert!(next.nodes > last.nodes && next.temperature_cp < last.temperature_cp);
            last = next;
        }
        assert_eq!(Handicap::for_skill(20), None);
        assert!(Handicap::for_skill(0).is_some());
    }
}
