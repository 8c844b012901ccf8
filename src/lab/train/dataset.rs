//! Which positions of the games are learned from, and how they come into memory.
//!
//! Games, not positions, are put aside for validation, so that no game is on both sides. If all positions fit into the
//! memory they may take, they are read once. If not, every epoch deals the games anew into parts that do fit, and reads
//! the files once for each: reading is many times as fast as learning. Neighbors are made anew for every epoch, so that
//! none is learned by heart. `run` makes the survey, `trainer` asks for parts.

use std::borrow::Cow;
use std::path::PathBuf;

use indicatif::HumanCount;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};

use super::sample::{NO_RESULT, Sample};
use super::target::Tally;
use super::trainer::joined;
use crate::base::{Error, MoveList};
use crate::chess::movegen::generate;
use crate::chess::{Board, ChessMove, Position};
use crate::eval::Classical;
use crate::eval::classical::judge_afresh;
use crate::eval::classical::trace::NoTrace;
use crate::game::{Evaluator, Stage};
use crate::lab::games::{GameReader, GameRecord, GameResult, Ply};

/// Positions whose value is beyond this are mates or known from tables: no value to learn.
const PROVEN_CP: i32 = 29_000;

/// What is read and what is left out.
#[derive(Clone, Debug)]
pub struct Source {
    /// Game files as `rosada datagen` writes them.
    pub files: Vec<PathBuf>,
    /// Plies at the start of each game that are left out.
    pub skip_plies: usize,
    /// Positions that the search values beyond this are left out.
    pub most_cp: i32,
    /// One game in so many is for validation.
    pub validation_share: u64,
    /// Seed of every choice by chance.
    pub seed: u64,
    /// Positions beside each of these that are learned from as well; see [`Source::each_neighbor`].
    pub neighbors: usize,
    /// Positions that may be in memory at a time.
    pub most_samples: usize,
    /// Threads that make neighbors.
    pub threads: usize,
    /// How much of what a position counts as is taken from the plies after it; see [`foreseen`].
    pub foresight: f64,
}

/// What is there.
pub struct Survey {
    /// Games of each file; what is added to a file later is not looked at.
    games_of_files: Vec<u64>,
    /// Positions of an epoch; neighbors are counted as if none was in check.
    pub positions: u64,
    /// Those of other games.
    pub validation: Vec<Sample>,
    /// What the classical evaluation says about them, in centipawns.
    pub classical_cp: Vec<i16>,
    /// How scores and results go together.
    pub tally: Tally,
    /// The positions to learn from, if all of them fit into memory and are the same in every epoch.
    samples: Option<Vec<Sample>>,
    /// Into how many parts they are dealt.
    pub parts: u64,
}

impl Survey {
    /// Games read.
    pub fn games(&self) -> u64 {
        self.games_of_files.iter().sum()
    }
}

impl Source {
    /// Reads everything once. `say` hears about each file.
    pub fn survey(&self, say: impl Fn(&str)) -> Result<Survey, Error> {
        let mut survey = Survey {
            games_of_files: Vec::new(),
            positions: 0,
            validation: Vec::new(),
            classical_cp: Vec::new(),
            tally: Tally::new(),
            samples: (self.neighbors == 0).then(Vec::new),
            parts: 1,
        };
        let mut classical = Classical::new();
        let everything = vec![u64::MAX; self.files.len()];
        let games_of_files = self.each_game(&everything, &say, |_, game| {
            if self.validates(&game) {
                self.each_sample(&game, |position, sample| {
                    survey.validation.push(sample);
                    survey.classical_cp.push(classical.evaluate(position).value() as i16);
                });
                return;
            }
            self.each_sample(&game, |_, sample| {
                survey.positions += 1;
                survey.tally.add(&sample);
                match &mut survey.samples {
                    Some(samples) if samples.len() < self.most_samples => samples.push(sample),
                    samples => *samples = None,
                }
            });
        })?;
        survey.games_of_files = games_of_files;
        survey.positions *= self.neighbors as u64 + 1;
        if survey.samples.is_none() {
            // Parts are dealt by chance and not quite of one size.
            let part = (self.most_samples as f64 * 0.9).max(1.0);
            survey.parts = (survey.positions as f64 / part).ceil().max(1.0) as u64;
        }
        Ok(survey)
    }

    /// The positions of one part of an epoch.
    pub fn part<'a>(&self, survey: &'a Survey, epoch: u32, part: u64) -> Result<Cow<'a, [Sample]>, Error> {
        if let Some(samples) = &survey.samples {
            return Ok(samples.into());
        }
        const GAMES_AT_A_TIME: usize = 4096;
        let (mut samples, mut games) = (Vec::new(), Vec::new());
        self.each_game(&survey.games_of_files, &|_| {}, |number, game| {
            let dealt = mix(self.seed ^ mix(u64::from(epoch)) ^ number) % survey.parts;
            if dealt == part && !self.validates(&game) {
                games.push((number, game));
            }
            if games.len() == GAMES_AT_A_TIME {
                self.take_samples(epoch, &games, &mut samples);
                games.clear();
            }
        })?;
        self.take_samples(epoch, &games, &mut samples);
        Ok(samples.into())
    }

    /// Appends everything to learn from in these games, in their order, on all threads.
    fn take_samples(&self, epoch: u32, games: &[(u64, GameRecord)], samples: &mut Vec<Sample>) {
        let share = games.len().div_ceil(self.threads.max(1)).max(1);
        let of_games = |games: &[(u64, GameRecord)]| {
            let mut samples = Vec::new();
            for (number, game) in games {
                let mut random =
                    StdRng::seed_from_u64(mix(self.seed ^ mix(*number ^ u64::from(epoch) << 40)));
                self.each_sample(game, |position, sample| {
                    samples.push(sample);
                    self.each_neighbor(position, &mut random, |neighbor| samples.push(neighbor));
                });
            }
            samples
        };
        std::thread::scope(|scope| {
            let tasks: Vec<_> =
                games.chunks(share).map(|games| scope.spawn(move || of_games(games))).collect();
            tasks.into_iter().for_each(|task| samples.extend(joined(task)));
        });
    }

    /// Whether a game is for validation. Its moves decide, so that a network that goes on from another one
    /// ([`super::Arguments::start`]) is never validated with games that one has learned from.
    fn validates(&self, game: &GameRecord) -> bool {
        let key = game.start.board().keys().full;
        let moves = game.plies.iter().fold(key, |key, ply| mix(key ^ u64::from(ply.mv.bits())));
        moves.is_multiple_of(self.validation_share)
    }

    /// The games of all files, numbered, not more than so many of each. Returns how many each file has.
    fn each_game(
        &self,
        most: &[u64],
        say: &impl Fn(&str),
        mut hear: impl FnMut(u64, GameRecord),
    ) -> Result<Vec<u64>, Error> {
        let mut number = 0;
        let mut counts = Vec::new();
        for (path, &most) in self.files.iter().zip(most) {
            let mut reader = GameReader::open(path)?;
            while reader.games() < most
                && let Some(game) = reader.next()
            {
                hear(number, game);
                number += 1;
            }
            let name = path.display();
            counts.push(reader.games());
            say(&format!("{name}: {} games", HumanCount(reader.games())));
            if let Some(damage) = reader.damage() {
                say(&format!("{name} is damaged: {damage}"));
            }
        }
        Ok(counts)
    }

    /// Positions a few random moves away, valued by the classical evaluation. Games show what good play leads to; these
    /// show what it avoids, and a network that is to take the place of the classical evaluation must know that too.
    fn each_neighbor(&self, position: &Position, random: &mut StdRng, mut hear: impl FnMut(Sample)) {
        const MOST_MOVES: usize = 4;
        for _ in 0..self.neighbors {
            let mut board = *position.board();
            for _ in 0..random.random_range(1..=MOST_MOVES) {
                let mut moves = MoveList::new();
                generate(&board, position.castling(), Stage::All, &mut moves);
                let Some(&mv) = moves.choose(random) else { break };
                board.play(mv, position.castling());
            }
            if board.checkers().is_empty() {
                let value = judge_afresh(&board, &mut NoTrace).for_side(board.side_to_move());
                Sample::new(&board, value.value() as i16, NO_RESULT).into_iter().for_each(&mut hear);
            }
        }
    }

    /// The positions of a game to learn from: those in which the search saw nothing to take.
    fn each_sample(&self, game: &GameRecord, mut hear: impl FnMut(&Position, Sample)) {
        let mut position = game.start.clone();
        let slipped = has_slipped(game);
        let scores = foreseen(game, self.foresight, slipped);
        for (number, (ply, &score_cp)) in game.plies.iter().zip(&scores).enumerate() {
            let score = i32::from(ply.score);
            let quiet = !position.in_check() && !ply.mv.is_tactical();
            if number >= self.skip_plies
                && quiet
                && score.abs() <= self.most_cp.min(PROVEN_CP)
                && let Some(sample) = Sample::new(
                    position.board(),
                    score_cp,
                    if slipped { NO_RESULT } else { half_points(game.result, position.board()) },
                )
            {
                hear(&position, sample);
            }
            position.make(ply.mv);
            position.forget_undo();
        }
    }
}

/// The scores of a game, each blended with those after it: a short search knows less than the same search a few plies
/// later. Of each score `1 - share` counts, the rest is what is foreseen at the next ply, in the end the result. What is
/// blended are expected results, so that a mate does not outweigh everything else. Nothing changes with a share of 0.
fn foreseen(game: &GameRecord, share: f64, slipped: bool) -> Vec<i16> {
    /// Centipawns in a logistic unit, near enough for a mean.
    const UNIT_CP: f64 = 250.0;
    const MOST_CP: f64 = 2500.0;
    let mut scores: Vec<i16> = game.plies.iter().map(|ply| ply.score).collect();
    if share <= 0.0 {
        return scores;
    }
    let expectation = |score: i16| 1.0 / (1.0 + (-f64::from(score) / UNIT_CP).exp());
    // From the view of the side to move after the last ply.
    let mut next = match (scores.last(), game.result) {
        (Some(&last), _) if slipped => 1.0 - expectation(last),
        (_, GameResult::Draw) => 0.5,
        (_, won) => {
            let mover = game.start.side_to_move();
            let next_mover = if scores.len().is_multiple_of(2) { mover } else { !mover };
            f64::from(u8::from(won == GameResult::win_for(next_mover)))
        }
    };
    for score in scores.iter_mut().rev() {
        next = (1.0 - share) * expectation(*score) + share * (1.0 - next);
        if i32::from(*score).abs() <= PROVEN_CP {
            let logit = (next / (1.0 - next)).ln() * UNIT_CP;
            *score = logit.clamp(-MOST_CP, MOST_CP) as i16;
        }
    }
    scores
}

/// Whether a game was drawn although one side had it won for long: a few nodes a move do not find the way through every
/// ending, and such a result says nothing about the positions before it.
fn has_slipped(game: &GameRecord) -> bool {
    const WON_CP: i16 = 600;
    const LONG_PLIES: usize = 20;
    let won = |plies: &[Ply]| plies.iter().all(|ply| ply.score.unsigned_abs() >= WON_CP.unsigned_abs());
    game.result == GameResult::Draw && game.plies.windows(LONG_PLIES).any(won)
}

/// Half points of the side to move of a board.
fn half_points(result: GameResult, board: &Board) -> u8 {
    match result {
        GameResult::Draw => 1,
        won => 2 * u8::from(won == GameResult::win_for(board.side_to_move())),
    }
}

/// A number in which every bit depends on every bit.
pub fn mix(number: u64) -> u64 {
    let number =
        (number ^ number >> 30).wrapping_add(0x9E37_79B9_7F4A_7C15).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let number = (number ^ number >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    number ^ number >> 31
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Move;

    #[test]
    fn draws_of_games_that_were_won_for_long_say_nothing() {
        let ply = |score| Ply { mv: Move::NONE, score, chance: None };
        let game = |result, scores: &[(i16, usize)]| {
            let plies = scores.iter().flat_map(|&(score, count)| vec![ply(score); count]).collect();
            GameRecord { start: Position::start(), result, plies }
        };
        assert!(has_slipped(&game(GameResult::Draw, &[(0, 9), (-600, 10), (700, 10), (0, 4)])));
        assert!(!has_slipped(&game(GameResult::Draw, &[(600, 19), (599, 1), (600, 19)])));
        assert!(!has_slipped(&game(GameResult::WhiteWins, &[(900, 60)])));
        assert!(!has_slipped(&game(GameResult::Draw, &[])));
    }

    #[test]
    fn later_scores_and_the_result_are_foreseen() {
        let game = |result, scores: &[i16]| GameRecord {
            start: Position::start(),
            result,
            plies: scores.iter().map(|&score| Ply { mv: Move::NONE, score, chance: None }).collect(),
        };
        let quiet_win = game(GameResult::WhiteWins, &[0, 0, 0, 0]);
        assert_eq!(foreseen(&quiet_win, 0.0, false), [0; 4]);
        let seen = foreseen(&quiet_win, 0.5, false);
        // Who is going to win stands better, the more so the nearer the end is.
        assert!(seen[0] > 0 && seen[1] < -seen[0] && seen[2] > -seen[1] && seen[3] < -seen[2], "{seen:?}");
        assert_eq!(foreseen(&game(GameResult::Draw, &[0, 0, 0]), 0.9, false), [0; 3]);
        // The same for Black, and a result that says nothing is not used.
        let lost = foreseen(&game(GameResult::BlackWins, &[0, 0, 0, 0]), 0.5, false);
        assert!(lost.iter().zip(&seen).all(|(lost, won)| *lost == -won), "{lost:?} {seen:?}");
        let slipped = foreseen(&game(GameResult::Draw, &[700, -700, 700]), 0.5, true);
        assert!(slipped.iter().all(|score| (699..=700).contains(&score.abs())), "{slipped:?}");
        // Half of each: 300 now and 0 after the next move.
        let seen = foreseen(&game(GameResult::Draw, &[300, 0]), 0.5, false);
        assert!((130..150).contains(&seen[0]) && seen[1] == 0, "{seen:?}");
        // A mate stays one: such positions are left out by their score.
        let mate = foreseen(&game(GameResult::WhiteWins, &[100, -31_990, 31_990]), 0.5, false);
        assert_eq!(mate[1..], [-31_990, 31_990]);
        assert!(mate[0] > 200, "{mate:?}");
    }
}
