//! Chance nodes: after a move something befalls the board, and the value of the move is the average over all that may.
//!
//! `node.rs` comes here when chance is to strike. The outcomes are searched one after the other; as B. Ballard's Star
//! algorithms do it, each is given the window in which it can still matter for the average, and the rest is spared
//! once the average is known to lie outside the window of the node, whatever they bring. What the table knows about
//! an outcome narrows the bounds before anything is searched.

use super::{Shared, Worker};
use crate::base::Score;
use crate::game::{Evaluator, Game};

/// What a won game counts in an average. Were a mate counted in full, a chance in a hundred to lose would outweigh a
/// queen.
pub const CERTAIN: i32 = 3_000;

/// What an outcome is worth at least and at most.
#[derive(Clone, Copy)]
struct Range {
    low: i32,
    high: i32,
}

impl<G: Game, E: Evaluator<G>> Worker<G, E> {
    /// The average value of what chance may do, for the side that moves next, `depth` plies deep within a window.
    pub(super) fn weigh_chances(
        &mut self,
        shared: &Shared,
        alpha: Score,
        beta: Score,
        depth: i32,
        ply: usize,
    ) -> Score {
        self.pv.clear(ply);
        if depth <= 0 || Self::is_too_deep(ply) {
            // The board as it is, and what chance takes from it on average.
            let gain = self.game.expected_gain();
            return limited(self.quiesce::<false>(shared, alpha - gain, beta - gain, ply)) + gain;
        }
        let count = self.game.chances();
        let ranges = self.known_ranges(shared, count, depth, ply);
        let (mut low, mut high) = ranges.iter().fold((0, 0), |sum, r| (sum.0 + r.low, sum.1 + r.high));
        let parts = count as i32;
        let (alpha_sum, beta_sum) = (alpha.value() * parts, beta.value() * parts);
        for (outcome, range) in ranges.into_iter().enumerate() {
            if high <= alpha_sum {
                return Score::new(high.div_euclid(parts));
            }
            if low >= beta_sum {
                return Score::new(-(-low).div_euclid(parts));
            }
            if range.low == range.high {
                continue;
            }
            // Below `from` the average is at most alpha, above `to` at least beta, even if the others are at their best
            // or worst.
            let from = (alpha_sum - (high - range.high)).clamp(range.low - 1, range.high);
            let to = (beta_sum - (low - range.low)).clamp(range.low, range.high + 1).max(from + 1);
            self.game.make_chance(outcome);
            let score =
                limited(self.search::<true>(shared, Score::new(from), Score::new(to), depth, ply, false));
            self.game.unmake_chance();
            if self.stopped {
                return Score::DRAW;
            }
            let value = score.value();
            // A value at an end of the window is only a bound.
            let found = Range {
                low: if value > from { value.min(range.high) } else { range.low },
                high: if value < to { value.max(range.low) } else { range.high },
            };
            let found = if found.low > found.high { Range { low: value, high: value } } else { found };
            low += found.low - range.low;
            high += found.high - range.high;
        }
        self.pv.clear(ply);
        // Where bounds are left, the one that a caller can use.
        let sum = if high <= alpha_sum { high } else { low };
        Score::new((f64::from(sum) / f64::from(parts)).round() as i32)
    }

    /// What is known about each outcome before it is searched.
    fn known_ranges(&mut self, shared: &Shared, count: usize, depth: i32, ply: usize) -> Vec<Range> {
        let unknown = Range { low: -CERTAIN, high: CERTAIN };
        let mut ranges = Vec::with_capacity(count);
        for outcome in 0..count {
            self.game.make_chance(outcome);
            let mut range = unknown;
            if let Some(score) = self.game.decided(ply) {
                range = Range { low: limited(score).value(), high: limited(score).value() };
            } else {
                let probe = self.probe(shared, ply);
                if probe.entry.depth >= depth {
                    let value = limited(probe.entry.score).value();
                    if probe.entry.bound.is_lower() {
                        range.low = value;
                    }
                    if probe.entry.bound.is_upper() {
                        range.high = value;
                    }
                }
            }
            self.game.unmake_chance();
            ranges.push(range);
        }
        ranges
    }
}

/// A value as it counts in an average.
fn limited(score: Score) -> Score {
    Score::new(score.value().clamp(-CERTAIN, CERTAIN))
}
