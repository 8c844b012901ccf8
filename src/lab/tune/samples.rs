//! Which positions of the games are learned from.
//!
//! Only quiet ones: the evaluation is asked where nothing hangs, and what hangs would teach it the wrong lesson. A few
//! of each game, drawn by chance, because neighbors say the same; none twice. Games, not positions, are split into
//! training and validation, so that no game is on both sides. `run` feeds it every game of every file.

use std::collections::HashSet;

use rand::rngs::StdRng;
use rand::seq::index::sample;
use rand::{Rng, SeedableRng};

use super::features::FeatureStore;
use super::logistic::expectation;
use crate::base::Color;
use crate::chess::{Board, ChessMove};
use crate::eval::Classical;
use crate::game::Evaluator;
use crate::lab::games::{GameRecord, GameResult};

/// One game in this many is for validation.
const VALIDATION_SHARE: u32 = 10;
/// Plies after the start of a game that are left out: a random opening has to settle.
const SETTLING_PLIES: usize = 6;
/// Positions that a search values beyond this are decided, and say little about single terms.
const DECIDED_CP: i32 = 1500;

/// What became of a position.
#[derive(Clone, Copy, Debug)]
pub struct Label {
    /// The score of White in the game: 0, 0.5 or 1.
    pub result: f32,
    /// What the search said, for White.
    pub score_cp: i16,
}

/// Positions and what became of them.
#[derive(Default)]
pub struct Samples {
    /// The positions.
    pub features: FeatureStore,
    /// In the same order.
    pub labels: Vec<Label>,
}

impl Samples {
    /// What should be expected of each position: `lambda` parts the result of its game, the rest what the search said.
    pub fn targets(&self, lambda: f64, scale: f64) -> Vec<f32> {
        let target = |label: &Label| {
            let searched = expectation(label.score_cp as f64 / scale);
            (lambda * label.result as f64 + (1.0 - lambda) * searched) as f32
        };
        self.labels.iter().map(target).collect()
    }
}

/// Gathers positions from games.
pub struct Collector {
    /// For fitting.
    pub training: Samples,
    /// For knowing when to stop.
    pub validation: Samples,
    /// How many games were seen.
    pub games: u64,
    per_game: usize,
    gap_cp: i32,
    seed: u64,
    seen: HashSet<u64>,
    evaluator: Classical,
}

impl Collector {
    /// Takes up to `per_game` positions of a game, whose evaluation is within `gap_cp` of what the search said.
    pub fn new(per_game: usize, gap_cp: i32, seed: u64) -> Collector {
        Collector {
            training: Samples::default(),
            validation: Samples::default(),
            games: 0,
            per_game,
            gap_cp,
            seed,
            seen: HashSet::new(),
            evaluator: Classical::new(),
        }
    }

    /// Takes the positions of one game.
    pub fn add(&mut self, game: &GameRecord) {
        let mut random = StdRng::seed_from_u64(self.seed ^ self.games.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        self.games += 1;
        let validates = random.random_ratio(1, VALIDATION_SHARE);
        let quiet = self.quiet_positions(game);
        let result = match game.result {
            GameResult::BlackWins => 0.0,
            GameResult::Draw => 0.5,
            GameResult::WhiteWins => 1.0,
        };
        let samples = if validates { &mut self.validation } else { &mut self.training };
        for index in sample(&mut random, quiet.len(), self.per_game.min(quiet.len())) {
            let (board, score_cp) = &quiet[index];
            if self.seen.insert(board.keys().full) && samples.features.push(board) {
                samples.labels.push(Label { result, score_cp: *score_cp });
            }
        }
    }

    /// The positions of a game in which nothing is about to happen, with what the search said for White.
    fn quiet_positions(&mut self, game: &GameRecord) -> Vec<(Board, i16)> {
        let mut position = game.start.clone();
        let mut quiet = Vec::new();
        for (number, ply) in game.plies.iter().enumerate() {
            let calm = number >= SETTLING_PLIES && !position.in_check() && !ply.mv.is_tactical();
            let score = ply.score as i32;
            if calm && score.abs() <= DECIDED_CP {
                let gap = self.evaluator.evaluate(&position).value() - score;
                if gap.abs() <= self.gap_cp {
                    let for_white =
                        if position.side_to_move() == Color::White { ply.score } else { -ply.score };
                    quiet.push((*position.board(), for_white));
                }
            }
            position.make(ply.mv);
        }
        quiet
    }
}
