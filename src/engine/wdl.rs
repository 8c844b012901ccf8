//! What a score means: chances of win, draw and loss, and centipawns that mean the same in every engine.
//!
//! The search counts in units of its own. How such a value `v` goes with results was fitted to the engine's own games
//! (`rosada wdl`): at move `m` the side to move wins with the chance `1 / (1 + exp((even - v) / spread))`, where `even`
//! and `spread` depend on `m`. The same advantage
//! wins more often early than late, when less is left to win with.
//!
//! Reported centipawns are scaled so that 100 of them mean an even chance to win at move [`NORMAL_MOVE`].

use crate::base::Score;

/// At this move 100 centipawns are an even chance to win.
pub const NORMAL_MOVE: u32 = 32;

/// Moves before and after these are taken for these: there are too few games to tell them apart.
const MOVES: [u32; 2] = [8, 120];

/// The curves of a model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Model {
    /// The value at which winning is as likely as not: coefficients of a polynomial in moves by [`NORMAL_MOVE`], the
    /// constant first.
    pub even: [f64; 4],
    /// How far from there the chance takes to change, in the same form.
    pub spread: [f64; 4],
}

/// As `rosada wdl` prints it; README.md says from which games.
pub const MODEL: Model =
    Model { even: [85.10, 18.01, 49.26, -10.44], spread: [188.88, -81.02, 18.71, -1.36] };

impl Model {
    /// Where the polynomials are asked for a move.
    pub fn place(fullmove: u32) -> f64 {
        f64::from(fullmove.clamp(MOVES[0], MOVES[1])) / f64::from(NORMAL_MOVE)
    }

    /// Both curves at a place.
    pub fn at(&self, place: f64) -> [f64; 2] {
        [self.even, self.spread].map(|curve| curve.iter().rev().fold(0.0, |sum, part| sum * place + part))
    }

    /// The value that is reported as 100 centipawns.
    pub fn pawn(&self) -> f64 {
        self.at(1.0)[0]
    }

    /// Win, draw and loss in permille for the side to move.
    fn chances(&self, score: Score, fullmove: u32) -> [u32; 3] {
        if score.is_proven_win() {
            return [1000, 0, 0];
        }
        if score.is_proven_loss() {
            return [0, 0, 1000];
        }
        let [even, spread] = self.at(Model::place(fullmove));
        let chance = |value: f64| (1000.0 / (1.0 + ((even - value) / spread).exp())).round() as u32;
        let value = f64::from(score.value());
        let (win, loss) = (chance(value), chance(-value));
        // Rounding may give one too many where there are no draws.
        [win, 1000_u32.saturating_sub(win + loss), loss.min(1000 - win)]
    }

    /// A score in centipawns as they are reported; mates and wins by a table stay what they are.
    fn normalized(&self, score: Score) -> Score {
        if score.is_proven() {
            return score;
        }
        Score::new((f64::from(score.value()) * 100.0 / self.pawn()).round() as i32).clamp_eval()
    }
}

/// Win, draw and loss in permille behind a score of the search, for the side to move.
pub fn chances(score: Score, fullmove: u32) -> [u32; 3] {
    MODEL.chances(score, fullmove)
}

/// A score of the search in centipawns as they are reported.
pub fn normalized(score: Score) -> Score {
    MODEL.normalized(score)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_add_up_and_are_symmetric() {
        for fullmove in [1, 20, 60, 300, u32::MAX] {
            for value in (-3000..3000).step_by(7) {
                let [win, draw, loss] = chances(Score::new(value), fullmove);
                assert_eq!(win + draw + loss, 1000);
                assert_eq!(chances(Score::new(-value), fullmove), [loss, draw, win]);
            }
            assert_eq!(chances(Score::mate_in(3), fullmove), [1000, 0, 0]);
            assert_eq!(chances(-Score::TABLE_WIN, fullmove), [0, 0, 1000]);
        }
    }

    #[test]
    fn the_curves_hold_for_every_move() {
        for fullmove in MOVES[0]..=MOVES[1] {
            let [even, spread] = MODEL.at(Model::place(fullmove));
            assert!(even > 10.0 && spread > 10.0, "{fullmove}: {even} {spread}");
        }
    }

    #[test]
    fn a_hundred_centipawns_are_an_even_chance() {
        let pawn = Score::new(MODEL.pawn().round() as i32);
        assert_eq!(normalized(pawn).value(), 100);
        let [win, _, loss] = chances(pawn, NORMAL_MOVE);
        assert!((495..=505).contains(&win) && loss < 100, "{win} {loss}");
    }

    #[test]
    fn what_is_proven_keeps_its_score() {
        for score in [Score::mate_in(9), Score::mated_in(4), Score::TABLE_WIN, -Score::TABLE_WIN] {
            assert_eq!(normalized(score), score);
        }
        assert!(!normalized(Score::EVAL_LIMIT).is_proven());
    }
}
