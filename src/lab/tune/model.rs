//! The evaluation as a function of its numbers, and the slope of that function.
//!
//! The same arithmetic as in `eval/classical`, on reals and without rounding: linear terms, king danger with its
//! threshold and its square, initiative with its sign and its limits, the blend by phase and scale, the tempo. What
//! the numbers themselves decide elsewhere (which castling shelters best) stays as it was when the position was
//! stored. `objective` calls it for every position of every step.

use super::features::{Entry, FeatureStore, Features, List};
use super::objective::Model;
use super::parameters::{DANGER, DANGER_MOBILITY, DANGER_SHELTER, INITIATIVE, PAIRS, RELIEF, TEMPO};
use crate::eval::classical::FULL_PHASE;
use crate::eval::classical::weights::danger::{CEILING, ENDGAME_DIVISOR, MIDDLEGAME_DIVISOR, THRESHOLD};
use crate::eval::classical::weights::endgame::NORMAL;

/// A middlegame and an endgame value.
type Halves = [f64; 2];

/// For each king, how its danger counts for White.
const DANGER_SIGNS: [f64; 2] = [-1.0, 1.0];

/// One evaluated position with what its slope needs.
pub struct Evaluation<'a> {
    features: Features<'a>,
    parameters: &'a [f64],
    /// The middlegame half of the mobility, White minus Black.
    mobility: f64,
    /// The middlegame half of the shelter of each king.
    shelter: [f64; 2],
    /// The danger of each king before it is limited.
    danger: [f64; 2],
    /// Both halves before the initiative.
    halves: Halves,
    complexity: f64,
    /// How much each half counts in the value.
    shares: Halves,
    value: f64,
}

impl<'a> Evaluation<'a> {
    /// Evaluates a position with the given numbers.
    pub fn new(features: Features<'a>, parameters: &'a [f64]) -> Evaluation<'a> {
        let plain = sum(features.list(List::Plain), parameters);
        let mobility = sum(features.list(List::Mobility), parameters);
        let shelters =
            [List::WhiteShelter, List::BlackShelter].map(|list| sum(features.list(list), parameters));
        let shelter = shelters.map(|halves| halves[0]);
        let danger = danger(&features, parameters, shelter, mobility[0]);

        let mut halves = [0, 1].map(|i| plain[i] + mobility[i] + shelters[0][i] - shelters[1][i]);
        for (sign, danger) in DANGER_SIGNS.into_iter().zip(danger) {
            let cost = danger_cost(danger);
            halves[0] += sign * cost[0];
            halves[1] += sign * cost[1];
        }
        let complexity = complexity(&features, parameters);
        let mating = features.frame.mating as f64;
        let middlegame = reduce(halves[0], (complexity + parameters[INITIATIVE + RELIEF]).min(0.0)) + mating;
        let endgame = reduce(halves[1], complexity) + mating;

        let scale = features.frame.scales[(endgame <= 0.0) as usize] as f64 / NORMAL as f64;
        let phase = features.frame.phase as f64 / FULL_PHASE as f64;
        let shares = [phase, (1.0 - phase) * scale];
        let tempo = tempo_sign(&features) * parameters[TEMPO];
        let value = middlegame * shares[0] + endgame * shares[1] + tempo;
        Evaluation {
            features,
            parameters,
            mobility: mobility[0],
            shelter,
            danger,
            halves,
            complexity,
            shares,
            value,
        }
    }

    /// The value for White in centipawns.
    pub fn value(&self) -> f64 {
        self.value
    }

    /// Adds `slope` times the slope of the value to `gradient`.
    pub fn add_slope(&self, slope: f64, gradient: &mut [f64]) {
        let (features, parameters) = (&self.features, self.parameters);
        gradient[TEMPO] += tempo_sign(features) * slope;
        let halves = self.through_initiative(slope, gradient);

        // Shelter and mobility count once for themselves and once through the danger.
        let shelter_share = parameters[DANGER + DANGER_SHELTER];
        let mobility_share = parameters[DANGER + DANGER_MOBILITY];
        let mut mobility = halves;
        let lists = [(List::WhiteShelter, List::WhiteDanger), (List::BlackShelter, List::BlackDanger)];
        for (king, (shelter_list, danger_list)) in lists.into_iter().enumerate() {
            let cost = danger_cost_slope(self.danger[king]);
            let danger = DANGER_SIGNS[king] * (halves[0] * cost[0] + halves[1] * cost[1]);
            for entry in features.list(danger_list) {
                gradient[DANGER + entry.index as usize] += danger * entry.times as f64;
            }
            gradient[DANGER + DANGER_SHELTER] += danger * self.shelter[king];
            gradient[DANGER + DANGER_MOBILITY] += danger * DANGER_SIGNS[king] * self.mobility;
            mobility[0] += danger * mobility_share * DANGER_SIGNS[king];
            // White's shelter counts for White: the sign is opposite to that of the danger.
            let own = [0, 1].map(|i| -DANGER_SIGNS[king] * halves[i]);
            let shelter = [own[0] + danger * shelter_share, own[1]];
            scatter(features.list(shelter_list), shelter, gradient);
        }
        scatter(features.list(List::Mobility), mobility, gradient);
        scatter(features.list(List::Plain), halves, gradient);
    }

    /// The slopes of both halves before the initiative; adds those of the initiative's own numbers.
    fn through_initiative(&self, slope: f64, gradient: &mut [f64]) -> Halves {
        let [middlegame, endgame] = self.shares.map(|share| share * slope);
        let relieved = self.complexity + self.parameters[INITIATIVE + RELIEF];
        let in_middlegame = if relieved < 0.0 { reduce_slopes(self.halves[0], relieved) } else { [1.0, 0.0] };
        let in_endgame = reduce_slopes(self.halves[1], self.complexity);

        let relief = middlegame * in_middlegame[1];
        let complexity = relief + endgame * in_endgame[1];
        gradient[INITIATIVE + RELIEF] += relief;
        for (index, &times) in self.features.frame.initiative.iter().enumerate() {
            if index != RELIEF {
                gradient[INITIATIVE + index] += complexity * times as f64;
            }
        }
        [middlegame * in_middlegame[0], endgame * in_endgame[0]]
    }
}

impl Model for FeatureStore {
    fn len(&self) -> usize {
        FeatureStore::len(self)
    }

    #[inline(always)]
    fn value(&self, index: usize, parameters: &[f64]) -> f64 {
        Evaluation::new(self.get(index), parameters).value()
    }

    #[inline(always)]
    fn add_slope(
        &self,
        index: usize,
        parameters: &[f64],
        error: impl FnOnce(f64) -> f64,
        gradient: &mut [f64],
    ) {
        let evaluation = Evaluation::new(self.get(index), parameters);
        evaluation.add_slope(error(evaluation.value()), gradient);
    }
}

/// The linear weights of a list, each as often as it counts.
#[inline(always)]
fn sum(list: &[Entry], parameters: &[f64]) -> Halves {
    let pairs = &parameters[..2 * PAIRS].as_chunks::<2>().0;
    let mut halves = [0.0; 2];
    for entry in list {
        let pair = pairs[entry.index as usize];
        halves[0] += pair[0] * entry.times as f64;
        halves[1] += pair[1] * entry.times as f64;
    }
    halves
}

/// Adds the slopes of both halves to every weight of a list, as often as it counts.
#[inline(always)]
fn scatter(list: &[Entry], slopes: Halves, gradient: &mut [f64]) {
    let pairs = gradient[..2 * PAIRS].as_chunks_mut::<2>().0;
    for entry in list {
        let pair = &mut pairs[entry.index as usize];
        pair[0] += slopes[0] * entry.times as f64;
        pair[1] += slopes[1] * entry.times as f64;
    }
}

/// The danger of each king: `shelter` protects it, `mobility` is White's minus Black's.
#[inline(always)]
fn danger(features: &Features, parameters: &[f64], shelter: [f64; 2], mobility: f64) -> [f64; 2] {
    let weights = &parameters[DANGER..];
    let mut danger = [0.0; 2];
    for (king, list) in [List::WhiteDanger, List::BlackDanger].into_iter().enumerate() {
        for entry in features.list(list) {
            danger[king] += weights[entry.index as usize] * entry.times as f64;
        }
        danger[king] += weights[DANGER_SHELTER] * shelter[king];
        danger[king] += weights[DANGER_MOBILITY] * DANGER_SIGNS[king] * mobility;
    }
    danger
}

/// What a danger costs the side of its king.
#[inline(always)]
fn danger_cost(danger: f64) -> Halves {
    if danger <= THRESHOLD as f64 {
        return [0.0; 2];
    }
    let danger = danger.min(CEILING as f64);
    [danger * danger / MIDDLEGAME_DIVISOR as f64, danger / ENDGAME_DIVISOR as f64]
}

/// The slope of [`danger_cost`].
#[inline(always)]
fn danger_cost_slope(danger: f64) -> Halves {
    if danger <= THRESHOLD as f64 || danger >= CEILING as f64 {
        return [0.0; 2];
    }
    [2.0 * danger / MIDDLEGAME_DIVISOR as f64, 1.0 / ENDGAME_DIVISOR as f64]
}

/// How much there is to play for; see `initiative` in the evaluation.
#[inline(always)]
fn complexity(features: &Features, parameters: &[f64]) -> f64 {
    let numbers = parameters[INITIATIVE..].iter().zip(features.frame.initiative).enumerate();
    numbers.filter(|&(index, _)| index != RELIEF).map(|(_, (&number, times))| number * times as f64).sum()
}

/// Moves a half by `change`, away from zero or towards it but not beyond.
#[inline(always)]
fn reduce(half: f64, change: f64) -> f64 {
    half + sign(half) * change.max(-half.abs())
}

/// The slopes of [`reduce`], by the half and by the change.
#[inline(always)]
fn reduce_slopes(half: f64, change: f64) -> [f64; 2] {
    if change <= -half.abs() { [0.0; 2] } else { [1.0, sign(half)] }
}

/// Unlike `signum`, nothing at zero.
#[inline(always)]
fn sign(value: f64) -> f64 {
    if value == 0.0 { 0.0 } else { value.signum() }
}

#[inline(always)]
fn tempo_sign(features: &Features) -> f64 {
    if features.frame.side.is_white() { 1.0 } else { -1.0 }
}

#[cfg(test)]
mod tests {
    use rand::rngs::StdRng;
    use rand::{Rng, SeedableRng};

    use super::super::parameters::{self, COUNT};
    use super::super::tests::{bench_positions, random_positions, store};
    use super::*;
    use crate::eval::Classical;
    use crate::game::Evaluator;

    /// Numbers off their whole values, so that nothing stands exactly on a threshold.
    fn shaken(seed: u64, by: f64) -> Vec<f64> {
        let mut random = StdRng::seed_from_u64(seed);
        parameters::built_in().iter().map(|value| value + random.random_range(-by..by)).collect()
    }

    /// The engine rounds king danger, scale and blend; nothing else may differ.
    #[test]
    fn the_model_is_the_evaluation() {
        let positions = [bench_positions(), random_positions(0..300)].concat();
        let features = store(&positions);
        let parameters = parameters::built_in();
        let mut evaluator = Classical::new();
        let mut compared = 0;
        for (index, position) in positions.iter().enumerate() {
            let evaluation = Evaluation::new(features.get(index), &parameters);
            // Where rounding decides who is better in the endgame, the initiative may go to the other side.
            let endgame = evaluation.halves[1];
            if endgame != 0.0 && endgame.abs() < 2.0 {
                continue;
            }
            let sign = if position.side_to_move().is_white() { 1.0 } else { -1.0 };
            let engine = evaluator.evaluate(position).value() as f64 * sign;
            let model = evaluation.value();
            assert!((engine - model).abs() < 4.0, "engine {engine}, model {model}: {position}");
            compared += 1;
        }
        assert!(compared > 4000, "{compared}");
    }

    #[test]
    fn slopes_are_those_of_the_value() {
        let positions = random_positions(0..60);
        let features = store(&positions);
        let parameters = shaken(3, 0.4);
        let names = parameters::names();
        let mut steep = vec![false; COUNT];
        for (index, position) in positions.iter().enumerate() {
            let mut slope = vec![0.0; COUNT];
            Evaluation::new(features.get(index), &parameters).add_slope(1.0, &mut slope);
            for place in 0..COUNT {
                let value_at = |change: f64| {
                    let mut moved = parameters.clone();
                    moved[place] += change;
                    Evaluation::new(features.get(index), &moved).value()
                };
                let numeric = (value_at(1e-4) - value_at(-1e-4)) / 2e-4;
                let close = (numeric - slope[place]).abs() < 1e-4 * (1.0 + numeric.abs());
                assert!(close, "{}: {} instead of {numeric}: {position}", names[place], slope[place]);
                steep[place] |= numeric != 0.0;
            }
        }
        // Of the danger and the initiative only what kings and pawns cannot do never counts.
        let flat: Vec<&str> = (DANGER..COUNT).filter(|&i| !steep[i]).map(|i| names[i].as_str()).collect();
        let never =
            ["attacker[0]", "attacker[5]", "safe_check[0][0]", "safe_check[0][1]", "safe_check[5][0]"];
        assert!(flat.len() <= never.len() + 1, "{flat:?}");
        assert!(never.iter().all(|name| flat.contains(&format!("danger {name}").as_str())), "{flat:?}");
    }
}
