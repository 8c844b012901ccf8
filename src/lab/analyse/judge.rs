//! What moves cost: chances, accuracy and symbols. The formulas are those that lichess publishes, so that the figures
//! mean what players are used to.

use crate::base::{Color, Score};
use crate::pgn::Glyph;

/// The slope of the chance to win over the score, for each centipawn.
const SLOPE: f64 = 0.003_682_08;
/// Larger scores say no more about the chance.
const LARGEST_CP: f64 = 1_000.0;

/// Losing so many points of the chance to win is a mistake of this kind, the worst first.
const THRESHOLDS: [(f64, Glyph, &str); 3] = [
    (15.0, Glyph::BLUNDER, "Blunder"),
    (10.0, Glyph::MISTAKE, "Mistake"),
    (5.0, Glyph::DUBIOUS, "Inaccuracy"),
];

/// The value of a score in centipawns, cut to what still matters.
pub fn centipawns(score: Score) -> f64 {
    f64::from(score.value()).clamp(-LARGEST_CP, LARGEST_CP)
}

/// The chance to win in percent behind a score, of the side it is told for.
pub fn chance(score: Score) -> f64 {
    100.0 / (1.0 + (-SLOPE * centipawns(score)).exp())
}

/// How accurate a move was, in percent, that changed the mover's chance so.
fn accuracy(before: f64, after: f64) -> f64 {
    if after >= before {
        return 100.0;
    }
    (103.1668 * (-0.04354 * (before - after)).exp() - 3.1669).clamp(0.0, 100.0)
}

/// What a move cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judgment {
    /// Points of the chance to win that were given away.
    pub drop: f64,
    /// Centipawns that were given away.
    pub loss_cp: f64,
    /// In percent.
    pub accuracy: f64,
}

impl Judgment {
    /// Of a move between two scores, both of them for the mover; nothing is lost by the best move.
    pub fn new(before: Score, after: Score, is_best: bool) -> Judgment {
        if is_best {
            return Judgment { drop: 0.0, loss_cp: 0.0, accuracy: 100.0 };
        }
        let (had, has) = (chance(before), chance(after));
        Judgment {
            drop: (had - has).max(0.0),
            loss_cp: (centipawns(before) - centipawns(after)).max(0.0),
            accuracy: accuracy(had, has),
        }
    }

    /// The symbol for a mistake and its name.
    pub fn mistake(&self) -> Option<(Glyph, &'static str)> {
        THRESHOLDS.iter().find(|(least, _, _)| self.drop >= *least).map(|&(_, glyph, name)| (glyph, name))
    }
}

/// One side's play.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Summary {
    /// Its moves.
    pub moves: usize,
    /// In percent; none without moves.
    pub accuracy: Option<f64>,
    /// Centipawns given away by each move.
    pub mean_loss_cp: f64,
    /// Inaccuracies, mistakes, blunders.
    pub mistakes: [usize; 3],
}

/// Sums up the moves of a side. `chances` are White's after each ply, the start position first; moves in restless parts
/// of the game weigh more.
pub fn summarize(judgments: &[Judgment], chances: &[f64], first: Color, side: Color) -> Summary {
    let window = (judgments.len() / 10).clamp(2, 8);
    let mut summary = Summary::default();
    let (mut weights, mut weighted, mut inverse) = (0.0, 0.0, 0.0);
    let own = usize::from(first != side);
    for (ply, judgment) in judgments.iter().enumerate().skip(own).step_by(2) {
        let begin = (ply + 2).saturating_sub(window);
        let weight = deviation(&chances[begin..(ply + 2).min(chances.len())]).clamp(0.5, 12.0);
        weights += weight;
        weighted += weight * judgment.accuracy;
        inverse += 1.0 / judgment.accuracy.max(1.0);
        summary.moves += 1;
        summary.mean_loss_cp += judgment.loss_cp;
        if let Some((glyph, _)) = judgment.mistake() {
            let kind = THRESHOLDS.iter().rev().position(|(_, known, _)| *known == glyph);
            kind.into_iter().for_each(|kind| summary.mistakes[kind] += 1);
        }
    }
    if summary.moves > 0 {
        let count = summary.moves as f64;
        summary.mean_loss_cp /= count;
        summary.accuracy = Some((weighted / weights + count / inverse) / 2.0);
    }
    summary
}

/// The standard deviation.
fn deviation(values: &[f64]) -> f64 {
    let count = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / count;
    (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_and_symbols() {
        assert!((chance(Score::DRAW) - 50.0).abs() < 1e-9);
        assert!((chance(Score::new(100)) - 59.1).abs() < 0.1);
        assert_eq!(chance(Score::mate_in(3)), chance(Score::new(5_000)));
        let judge = |before, after| Judgment::new(Score::new(before), Score::new(after), false);
        assert_eq!(judge(30, 20).mistake(), None);
        assert_eq!(judge(30, -40).mistake().map(|(glyph, _)| glyph), Some(Glyph::DUBIOUS));
        assert_eq!(judge(30, -100).mistake().map(|(glyph, _)| glyph), Some(Glyph::MISTAKE));
        assert_eq!(judge(30, -300).mistake().map(|(glyph, _)| glyph), Some(Glyph::BLUNDER));
        // Far ahead a pawn more or less does not matter.
        assert_eq!(judge(2_000, 1_500).mistake(), None);
        assert_eq!(Judgment::new(Score::new(500), Score::new(-500), true).accuracy, 100.0);
        assert_eq!(judge(0, 50).drop, 0.0);
    }

    #[test]
    fn sides_are_summed_up_apart() {
        let good = Judgment::new(Score::DRAW, Score::DRAW, true);
        let bad = Judgment::new(Score::DRAW, Score::new(-400), false);
        let chances = [50.0, 50.0, 81.0, 81.0, 81.0];
        let white = summarize(&[good, bad, good, good], &chances, Color::White, Color::White);
        let black = summarize(&[good, bad, good, good], &chances, Color::White, Color::Black);
        assert_eq!((white.moves, white.accuracy, white.mistakes), (2, Some(100.0), [0; 3]));
        assert_eq!((black.moves, black.mistakes), (2, [0, 0, 1]));
        assert!(black.accuracy.is_some_and(|accuracy| accuracy < 60.0) && black.mean_loss_cp == 200.0);
        assert_eq!(summarize(&[], &[50.0], Color::White, Color::White).accuracy, None);
    }
}
