//! Chance nodes: after a move something befalls the board, and the value of the move is the average over all that may.
//!
//! `node.rs` comes here when chance is to strike. The outcomes are searched one after the other, as B. Ballard's Star
//! algorithms do it. Where the question is only whether the average reaches beta, each outcome is first asked for its
//! share: as much more or less than its guess as all need together. What is left open after that gets the window in
//! which it can still matter, whatever the others bring. What the table knows narrows the bounds before anything is
//! searched, and where chance is predictable, guesses with a margin stand in for outcomes not looked at.

use std::cmp::Reverse;

use arrayvec::ArrayVec;

use super::{Shared, Worker, clock_key, params, table_key};
use crate::base::{Move, Score};
use crate::game::{Chance, Evaluator, Game, MOST_CHANCES, Odds};
use crate::tt::{Bound, Entry};

/// What is known about a position before chance has struck is kept apart from what is known about it as it is: that
/// is what quiescence stores. Any other number would do as well.
const CHANCE_KEY: u64 = 0xD1B5_4A32_D192_ED03;

/// How often the outcomes are asked for their share before they get a window each.
const ROUNDS: usize = 2;

/// The key under which the table knows the average over what chance may do.
pub fn chance_key<G: Game>(game: &G) -> u64 {
    table_key(game) ^ CHANCE_KEY
}

/// What is being asked about a chance node.
#[derive(Clone, Copy)]
struct Question {
    alpha: Score,
    beta: Score,
    depth: i32,
    ply: usize,
    /// How far an outcome may be from its guess on average, if guesses count.
    margin: Option<i32>,
}

/// An outcome, what it is worth at least and at most, and what it probably is.
#[derive(Clone, Copy)]
struct Weighed {
    outcome: usize,
    weight: i32,
    low: i32,
    high: i32,
    guess: i32,
}

/// All outcomes and what they are worth together, each as often as its weight says.
struct Scales {
    outcomes: ArrayVec<Weighed, MOST_CHANCES>,
    low: i32,
    high: i32,
    guess: i32,
    weight: i32,
    /// Below this sum the average is at most alpha.
    alpha_bar: i32,
    /// From this sum on it is at least beta.
    beta_bar: i32,
    margin: Option<i32>,
}

impl Scales {
    fn new(outcomes: ArrayVec<Weighed, MOST_CHANCES>, question: &Question) -> Scales {
        let sum = |part: fn(&Weighed) -> i32| outcomes.iter().map(|o| o.weight * part(o)).sum::<i32>();
        let weight = sum(|_| 1);
        Scales {
            low: sum(|outcome| outcome.low),
            high: sum(|outcome| outcome.high),
            guess: sum(|outcome| outcome.guess),
            weight,
            alpha_bar: sum_for(question.alpha + 1, weight),
            beta_bar: sum_for(question.beta, weight),
            margin: question.margin,
            outcomes,
        }
    }

    /// The average, as far as it answers the question.
    fn verdict(&self) -> Option<Score> {
        let (mut low, mut high) = (self.low, self.high);
        if let Some(margin) = self.margin
            && high >= self.alpha_bar
            && low < self.beta_bar
        {
            // An outcome is neither much better nor much worse than its guess; those already searched are at least or
            // at most what they were found to be.
            low = self.outcomes.iter().map(|o| o.weight * o.low.max(o.guess - margin)).sum();
            high = self.outcomes.iter().map(|o| o.weight * o.high.min(o.guess + margin)).sum();
        }
        let sum = if high < self.alpha_bar { Some(high) } else { (low >= self.beta_bar).then_some(low) };
        sum.map(|sum| average(sum, self.weight))
    }

    /// Takes in what the search of an outcome within a window has brought.
    fn take_in(&mut self, index: usize, from: i32, to: i32, value: i32) {
        let before = self.outcomes[index];
        let value = value.clamp(before.low, before.high);
        // A value at an end of the window is only a bound.
        let after = Weighed {
            low: if value > from { value } else { before.low },
            high: if value < to { value } else { before.high },
            guess: value,
            ..before
        };
        self.low += before.weight * (after.low - before.low);
        self.high += before.weight * (after.high - before.high);
        self.guess += before.weight * (after.guess - before.guess);
        self.outcomes[index] = after;
    }

    /// The window of an outcome outside which it answers the question, even if the others are at their best or worst.
    fn window_of(&self, index: usize) -> (i32, i32) {
        let Weighed { weight, low, high, .. } = self.outcomes[index];
        let from = ceil_div(self.alpha_bar - (self.high - weight * high), weight) - 1;
        let to = ceil_div(self.beta_bar - (self.low - weight * low), weight);
        (from.max(low - 1), to.min(high + 1))
    }
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
        let score = if depth <= 0 || Self::is_too_deep(ply) {
            let odds = self.game.odds();
            let value = self.value_before_chance(shared, &odds, alpha, beta, ply);
            average(value * odds.goes_on + settled(&odds), odds.all)
        } else {
            let is_null = beta - alpha == 1;
            let margin = (is_null && self.game.chance_is_predictable())
                .then(|| params::chance_margin() + params::chance_margin_factor() * depth);
            self.weigh_outcomes(shared, &Question { alpha, beta, depth, ply, margin })
        };
        // No line goes on after chance has struck.
        self.pv.clear(ply);
        score
    }

    /// The value of the board as it is, searched in the window in which it matters for an average: what raids take
    /// from it, those that end the game apart, is known without looking.
    fn value_before_chance(
        &mut self,
        shared: &Shared,
        odds: &Odds,
        alpha: Score,
        beta: Score,
        ply: usize,
    ) -> i32 {
        if odds.goes_on == 0 {
            return 0;
        }
        let win = params::chance_win();
        let needed = |score| ceil_div(sum_for(score, odds.all) - settled(odds), odds.goes_on);
        let from = (needed(alpha + 1) - 1).clamp(-win - 1, win);
        let to = needed(beta).clamp(-win, win + 1);
        limited(self.quiesce::<false>(shared, Score::new(from), Score::new(to), ply))
    }

    /// The average over all outcomes, from the table or by searching them.
    fn weigh_outcomes(&mut self, shared: &Shared, question: &Question) -> Score {
        let Question { alpha, beta, depth, ply, .. } = *question;
        let key = chance_key(&self.game);
        let is_trusted = self.game.halfmove_clock() < params::table_trust_clock() as u32;
        if is_trusted
            && let Some(Entry { score, bound, depth: known, .. }) = shared.table.probe(key)
            && known >= depth
            && (bound == Bound::Exact
                || bound == Bound::Lower && score >= beta
                || bound == Bound::Upper && score <= alpha)
        {
            return score;
        }
        let mut scales = self.set_up_scales(shared, question);
        let mut verdict = if self.stopped { None } else { scales.verdict() };
        if verdict.is_none() && beta - alpha == 1 {
            verdict = self.ask_for_shares(shared, question, &mut scales);
        }
        let score = verdict.unwrap_or_else(|| self.settle_outcomes(shared, question, &mut scales));
        if self.stopped {
            return Score::DRAW;
        }
        let bound = if score >= beta {
            Bound::Lower
        } else if score <= alpha {
            Bound::Upper
        } else {
            Bound::Exact
        };
        let pv = self.stack.at(ply).was_pv;
        shared.table.store(key, Entry { mv: Move::NONE, score, eval: Score::NONE, depth, bound, pv });
        score
    }

    /// All outcomes with what is known about them before they are searched.
    fn set_up_scales(&mut self, shared: &Shared, question: &Question) -> Scales {
        let chances = self.game.chances();
        chances.iter().for_each(|chance| shared.table.prefetch(after_chance(chance)));
        let spread = 2 * question.margin.unwrap_or(params::chance_margin());
        let (alpha, beta) = (question.alpha - spread, question.beta + spread);
        let value = self.value_before_chance(shared, &self.game.odds(), alpha, beta, question.ply);
        let outcomes = chances.iter().map(|chance| known_about(shared, chance, value, question.depth));
        Scales::new(outcomes.collect(), question)
    }

    /// Asks each outcome in turn whether it reaches its share of what beta needs: its guess, and an equal part of what
    /// all guesses together are short of, or too much by. Only if some reach it and some do not is anything left open.
    fn ask_for_shares(&mut self, shared: &Shared, question: &Question, scales: &mut Scales) -> Option<Score> {
        for _ in 0..ROUNDS {
            let mut open: i32 = scales.outcomes.iter().filter(|o| o.low < o.high).map(|o| o.weight).sum();
            for index in 0..scales.outcomes.len() {
                let Weighed { weight, low, high, guess, .. } = scales.outcomes[index];
                if low == high {
                    continue;
                }
                let share = guess + ceil_div(scales.beta_bar - scales.guess, open);
                open -= weight;
                if share <= low || share > high {
                    continue;
                }
                self.search_outcome(shared, question, scales, index, (share - 1, share));
                if self.stopped {
                    return None;
                }
                if let Some(score) = scales.verdict() {
                    return Some(score);
                }
            }
        }
        None
    }

    /// Searches the outcomes about which most is unknown first, until the question is answered.
    fn settle_outcomes(&mut self, shared: &Shared, question: &Question, scales: &mut Scales) -> Score {
        scales.outcomes.sort_by_key(|outcome| Reverse(outcome.weight * (outcome.high - outcome.low)));
        for index in 0..scales.outcomes.len() {
            if self.stopped {
                return Score::DRAW;
            }
            if let Some(score) = scales.verdict() {
                return score;
            }
            if scales.outcomes[index].low < scales.outcomes[index].high {
                let window = scales.window_of(index);
                self.search_outcome(shared, question, scales, index, window);
            }
        }
        scales.verdict().unwrap_or_else(|| average(scales.low, scales.weight))
    }

    /// Lets an outcome happen, searches it within a window and puts what was found on the scales.
    fn search_outcome(
        &mut self,
        shared: &Shared,
        question: &Question,
        scales: &mut Scales,
        index: usize,
        window: (i32, i32),
    ) {
        let Question { depth, ply, .. } = *question;
        let (from, to) = (Score::new(window.0), Score::new(window.1));
        let Weighed { outcome, guess, .. } = scales.outcomes[index];
        self.game.make_chance(outcome);
        let score = if to - from > 1 {
            self.search::<true>(shared, from, to, depth, ply, false)
        } else {
            self.search::<false>(shared, from, to, depth, ply, guess >= window.1)
        };
        self.game.unmake_chance();
        if !self.stopped {
            scales.take_in(index, window.0, window.1, limited(score));
        }
    }
}

/// What the table knows about an outcome, and a guess: the value without it and what it takes, or better what a search,
/// however shallow, has found.
fn known_about(shared: &Shared, chance: &Chance, value: i32, depth: i32) -> Weighed {
    let Chance { outcome, weight, halfmove_clock, .. } = *chance;
    if let Some(score) = chance.decided {
        let value = limited(score);
        return Weighed { outcome, weight, low: value, high: value, guess: value };
    }
    let win = params::chance_win();
    let (mut low, mut high, mut guess) = (-win, win, (value + chance.gain).clamp(-win, win));
    let entry = shared.table.probe(after_chance(chance));
    if let Some(Entry { score, bound, depth: known, .. }) = entry
        && halfmove_clock < params::table_trust_clock() as u32
    {
        let value = limited(score);
        if bound.is_lower() {
            guess = guess.max(value);
            low = if known >= depth { value } else { low };
        }
        if bound.is_upper() {
            guess = guess.min(value);
            high = if known >= depth { value } else { high };
        }
    }
    Weighed { outcome, weight, low, high, guess }
}

/// The key under which the table knows the position after an outcome.
fn after_chance(chance: &Chance) -> u64 {
    chance.key ^ clock_key(chance.halfmove_clock)
}

/// What those outcomes that need no look bring together: games won and lost, and material.
fn settled(odds: &Odds) -> i32 {
    odds.wins * params::chance_win() + odds.gain
}

/// A value as it counts in an average.
fn limited(score: Score) -> i32 {
    score.value().clamp(-params::chance_win(), params::chance_win())
}

/// The average of `weight` values with this sum, rounded.
fn average(sum: i32, weight: i32) -> Score {
    Score::new((sum + weight / 2).div_euclid(weight))
}

/// The smallest sum with an average of at least `score`.
fn sum_for(score: Score, weight: i32) -> i32 {
    weight * score.value() - weight / 2
}

fn ceil_div(value: i32, divisor: i32) -> i32 {
    -(-value).div_euclid(divisor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_and_averages_agree() {
        for weight in [1, 2, 5, 8, 32] {
            for score in -7..=7 {
                let least = sum_for(Score::new(score), weight);
                assert_eq!(average(least, weight).value(), score, "{least} of {weight}");
                assert_eq!(average(least - 1, weight).value(), score - 1, "{least} of {weight}");
            }
        }
        assert_eq!([-7, -6, -1, 0, 1, 6, 7].map(|value| ceil_div(value, 3)), [-2, -2, 0, 0, 1, 2, 3]);
    }

    fn scales(alpha: i32, beta: i32, margin: Option<i32>) -> Scales {
        let outcome = |(outcome, weight, guess)| Weighed { outcome, weight, low: -1000, high: 1000, guess };
        let outcomes = [(0, 1, 100), (1, 3, 20), (2, 4, -10)].into_iter().map(outcome).collect();
        let (alpha, beta) = (Score::new(alpha), Score::new(beta));
        Scales::new(outcomes, &Question { alpha, beta, depth: 1, ply: 0, margin })
    }

    /// The window of the last outcome decides which side of the window of the node the average is on.
    #[test]
    fn windows_are_as_wide_as_the_question() {
        let mut scales = scales(10, 30, None);
        for (index, value) in [(0, 90), (1, 30)] {
            assert_eq!(scales.verdict(), None);
            scales.take_in(index, -2000, 2000, value);
        }
        let (from, to) = scales.window_of(2);
        for (value, answer) in [(from, 10), (from + 1, 11), (to - 1, 29), (to, 30)] {
            assert_eq!(average(90 + 3 * 30 + 4 * value, 8).value(), answer, "{value}");
        }
        scales.take_in(2, from, to, from);
        assert_eq!(scales.verdict(), Some(Score::new(10)));
    }

    /// A guess counts only where it may, and only beyond its margin.
    #[test]
    fn guesses_have_margins() {
        // The guesses together are 120, an average of 15.
        assert_eq!(scales(5, 6, None).verdict(), None);
        assert_eq!(scales(5, 6, Some(10)).verdict(), None);
        assert_eq!(scales(4, 5, Some(10)).verdict(), Some(Score::new(5)));
        assert_eq!(scales(24, 25, Some(10)).verdict(), None);
        assert_eq!(scales(25, 26, Some(10)).verdict(), Some(Score::new(25)));
    }
}
