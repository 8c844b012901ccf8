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
use crate::base::{Color, Score};
use crate::chess;
use crate::eval::Classical;
use crate::game::{Evaluator, SelfPlay};
use crate::lab::games::{GameRecord, GameResult, Recorded};

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

/// Where positions of a game are kept.
pub trait Store<G>: Default {
    /// What is kept of a position before it is known whether it is wanted.
    type Item;

    /// What is to be kept of a position.
    fn item(position: &G) -> Self::Item;
    /// Keeps it; false if it does not fit.
    fn push(&mut self, item: &Self::Item) -> bool;
}

impl Store<chess::Position> for FeatureStore {
    type Item = chess::Board;

    fn item(position: &chess::Position) -> chess::Board {
        *position.board()
    }

    fn push(&mut self, board: &chess::Board) -> bool {
        FeatureStore::push(self, board)
    }
}

/// Positions and what became of them.
#[derive(Default)]
pub struct Samples<S = FeatureStore> {
    /// The positions.
    pub features: S,
    /// In the same order.
    pub labels: Vec<Label>,
}

impl<S> Samples<S> {
    /// What should be expected of each position: `lambda` parts the result of its game, the rest what the search said.
    pub fn targets(&self, lambda: f64, scale: f64) -> Vec<f32> {
        let target = |label: &Label| {
            let searched = expectation(label.score_cp as f64 / scale);
            (lambda * label.result as f64 + (1.0 - lambda) * searched) as f32
        };
        self.labels.iter().map(target).collect()
    }

    /// The scores of White in the games.
    pub fn results(&self) -> Vec<f64> {
        self.labels.iter().map(|label| label.result as f64).collect()
    }
}

/// Gathers positions from games.
pub struct Collector<S = FeatureStore, E = Classical> {
    /// For fitting.
    pub training: Samples<S>,
    /// For knowing when to stop.
    pub validation: Samples<S>,
    /// How many games were seen.
    pub games: u64,
    per_game: usize,
    gap_cp: i32,
    seed: u64,
    seen: HashSet<u64>,
    evaluator: E,
}

/// A position in which nothing is about to happen.
struct Quiet<I> {
    item: I,
    key: u64,
    /// What the search said, for White.
    score_cp: i16,
}

impl<S: Default, E: Default> Collector<S, E> {
    /// Takes up to `per_game` positions of a game, whose evaluation is within `gap_cp` of what the search said.
    pub fn new(per_game: usize, gap_cp: i32, seed: u64) -> Collector<S, E> {
        Collector {
            training: Samples { features: S::default(), labels: Vec::new() },
            validation: Samples { features: S::default(), labels: Vec::new() },
            games: 0,
            per_game,
            gap_cp,
            seed,
            seen: HashSet::new(),
            evaluator: E::default(),
        }
    }
}

impl<S, E> Collector<S, E> {
    /// Takes the positions of one game.
    pub fn add<G: Recorded>(&mut self, game: &GameRecord<G>)
    where
        S: Store<G>,
        E: Evaluator<G>,
    {
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
            let Quiet { item, key, score_cp } = &quiet[index];
            if self.seen.insert(*key) && samples.features.push(item) {
                samples.labels.push(Label { result, score_cp: *score_cp });
            }
        }
    }

    fn quiet_positions<G: Recorded>(&mut self, game: &GameRecord<G>) -> Vec<Quiet<S::Item>>
    where
        S: Store<G>,
        E: Evaluator<G>,
    {
        let mut position = game.start.clone();
        let mut quiet = Vec::new();
        let most = most_cp(&position);
        self.evaluator.reset(&position);
        for (number, ply) in game.plies.iter().enumerate() {
            let calm = number >= SETTLING_PLIES && !position.in_check() && !position.is_tactical(ply.mv);
            let score = ply.score as i32;
            if calm && score.abs() <= most {
                let gap = self.evaluator.evaluate(&position).value() - score;
                if gap.abs() <= self.gap_cp {
                    let white = position.side_to_move() == Color::White;
                    let score_cp = if white { ply.score } else { -ply.score };
                    quiet.push(Quiet { item: S::item(&position), key: position.key(), score_cp });
                }
            }
            position.replay(ply);
        }
        quiet
    }
}

/// Positions that a search values beyond this are decided. Where one side is stronger from the start, only what is proven
/// is.
fn most_cp(start: &impl SelfPlay) -> i32 {
    if start.is_even() { DECIDED_CP } else { Score::TABLE_BOUND.value() - 1 }
}
