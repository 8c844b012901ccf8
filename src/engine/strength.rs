//! Playing weaker on purpose, the way weaker players do: looking less far and not always choosing the best of the
//! moves that look good.
//!
//! A limited engine searches a small number of nodes, so that it overlooks what a weaker player overlooks, and
//! picks among its candidate moves with a probability that falls with what they cost. It never plays a move
//! that its own search sees to be much worse.

use rand::Rng;

use super::options::{ELO_RANGE, MAX_SKILL_LEVEL};
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

/// What a strength takes.
struct Anchor {
    elo: u32,
    nodes: f64,
    candidates: f64,
    temperature_cp: f64,
}

/// Found in games against Stockfish 15.1 limited to the same strength (README, "Options"): 1500, 2000 and 2500 are
/// measured, the ends continue them.
const ANCHORS: [Anchor; 5] = [
    Anchor { elo: ELO_RANGE.0, nodes: 1_200.0, candidates: 6.0, temperature_cp: 70.0 },
    Anchor { elo: 1500, nodes: 3_000.0, candidates: 6.0, temperature_cp: 40.0 },
    Anchor { elo: 2000, nodes: 15_000.0, candidates: 4.0, temperature_cp: 9.0 },
    Anchor { elo: 2500, nodes: 60_000.0, candidates: 2.0, temperature_cp: 4.0 },
    Anchor { elo: ELO_RANGE.1, nodes: 600_000.0, candidates: 1.0, temperature_cp: 1.0 },
];

impl Handicap {
    /// The handicap that makes the engine about this strong: between two anchors, nodes and temperature grow by a factor
    /// for each point.
    pub fn for_elo(elo: u32) -> Handicap {
        let (weakest, strongest) = ELO_RANGE;
        let elo = elo.clamp(weakest, strongest);
        let above = ANCHORS.iter().position(|anchor| elo <= anchor.elo).unwrap_or(ANCHORS.len() - 1).max(1);
        let (low, high) = (&ANCHORS[above - 1], &ANCHORS[above]);
        let part = f64::from(elo - low.elo) / f64::from(high.elo - low.elo);
        let between = |low: f64, high: f64| low * (high / low).powf(part);
        Handicap {
            nodes: between(low.nodes, high.nodes) as u64,
            candidates: between(low.candidates, high.candidates).round() as usize,
            temperature_cp: between(low.temperature_cp, high.temperature_cp),
        }
    }

    /// The handicap of a skill level; the highest has none.
    pub fn for_skill(level: u32) -> Option<Handicap> {
        let (weakest, strongest) = ELO_RANGE;
        (level < MAX_SKILL_LEVEL)
            .then(|| Handicap::for_elo(weakest + level * (strongest - weakest) / MAX_SKILL_LEVEL))
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
            (-cost.max(0.0) / self.temperature_cp).exp()
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
