//! Which positions of the games are learned from, and how they come into memory.
//!
//! Games, not positions, are put aside for validation, so that no game is on both sides. If all positions fit into the
//! memory they may take, they are read once. If not, every epoch deals the games anew into parts that do fit, and reads
//! the files once for each. `run` makes the survey, `feed` asks for parts.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use indicatif::HumanCount;

use super::blocks::Blocks;
use super::sample::{NO_RESULT, Sample};
use super::target::Tally;
use crate::base::Error;
use crate::base::error::quote;
use crate::chess::{Board, ChessMove, Position};
use crate::eval::Classical;
use crate::game::{Evaluator, Game};
use crate::lab::games::{GameReader, GameRecord, GameResult, Ply};

/// Positions whose value is beyond this are mates or known from tables: no value to learn.
const PROVEN_CP: i32 = 29_000;

/// More positions than this tell no more about the loss on other games.
const MAX_VALIDATION_SAMPLES: usize = 200_000;

/// What is read and what is left out.
#[derive(Clone, Debug)]
pub struct Source {
    /// Game files as `rosada datagen` writes them.
    pub files: Vec<PathBuf>,
    /// Plies at the start of each game that are left out.
    pub skip_plies: usize,
    /// Positions that the search values beyond this are left out.
    pub max_cp: i32,
    /// Positions with a higher fifty-move clock are left out.
    pub max_clock: u32,
    /// One game in so many is for validation.
    pub validation_share: u64,
    /// Seed of every random choice.
    pub seed: u64,
    /// Positions that may be in memory at a time.
    pub max_samples: usize,
    /// How much of what a position counts as is taken from the plies after it; see [`foreseen`].
    pub foresight: f64,
}

/// What is there.
pub struct Survey {
    /// Games of each file; what is added to a file later is not looked at.
    games_of_files: Vec<u64>,
    /// What is damaged, a line for each file.
    pub damages: Vec<String>,
    /// Positions of an epoch.
    pub positions: u64,
    /// Those of other games.
    pub validation: Vec<Sample>,
    /// What the classical evaluation says about them, in centipawns.
    pub classical_cp: Vec<i16>,
    /// How scores, as they were searched, and results go together.
    pub tally: Tally,
    /// The positions to learn from, if all of them fit into memory.
    pub blocks: Option<Blocks>,
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
            damages: Vec::new(),
            positions: 0,
            validation: Vec::new(),
            classical_cp: Vec::new(),
            tally: Tally::new(),
            blocks: Some(Blocks::new(self.plies_at_most(), self.seed)),
            parts: 1,
        };
        let mut classical = Classical::new();
        for path in &self.files {
            let mut reader = GameReader::<Position>::open(path)?;
            for game in reader.by_ref() {
                let validates = self.validates(&game);
                self.each_sample(&game, |position, score_cp, sample| {
                    if !validates {
                        survey.take(sample, score_cp, self.max_samples);
                    } else if survey.validation.len() < MAX_VALIDATION_SAMPLES {
                        survey.validation.push(sample);
                        survey.classical_cp.push(classical.evaluate(position).value() as i16);
                    }
                });
            }
            survey.games_of_files.push(reader.games());
            say(&format!("{}: {} games", path.display(), HumanCount(reader.games())));
            let damage = reader.damage();
            survey.damages.extend(damage.map(|damage| format!("{} is damaged: {damage}", path.display())));
        }
        survey.blocks = survey.blocks.map(Blocks::shuffled);
        if survey.blocks.is_none() {
            // One part is learned from while the next one is read; parts are dealt by chance and not quite of one size.
            let part = (self.max_samples as f64 * 0.45).max(1.0);
            survey.parts = (survey.positions as f64 / part).ceil().max(1.0) as u64;
        }
        Ok(survey)
    }

    /// The positions of one part of an epoch.
    pub fn part(&self, survey: &Survey, epoch: u32, part: u64, stop: &AtomicBool) -> Result<Blocks, Error> {
        let seed = mix(self.seed ^ mix(u64::from(epoch)));
        let mut blocks = Blocks::new(survey.positions / survey.parts, seed ^ part);
        let mut files_before = 0;
        for (path, &games) in self.files.iter().zip(&survey.games_of_files) {
            let mut reader = GameReader::<Position>::open(path)?;
            let dealt = |number: u64| mix(seed ^ (files_before + number)) % survey.parts == part;
            while let Some(game) = reader.next_where(|number| number >= games || dealt(number)) {
                if stop.load(Relaxed) {
                    return Ok(blocks);
                }
                if reader.games() > games {
                    break;
                }
                if !self.validates(&game) {
                    self.each_sample(&game, |_, _, sample| blocks.push(sample));
                }
            }
            if reader.games() < games {
                let name = quote(&path.to_string_lossy());
                return Err(Error::new(format!("{name} has become shorter while it was learned from")));
            }
            files_before += games;
        }
        Ok(blocks.shuffled())
    }

    /// An upper bound on the plies in the files, by their sizes.
    fn plies_at_most(&self) -> u64 {
        const BYTES_OF_A_PLY: u64 = 4;
        let size = |path: &PathBuf| std::fs::metadata(path).map_or(0, |data| data.len());
        self.files.iter().map(size).sum::<u64>() / BYTES_OF_A_PLY
    }

    /// Whether a game is for validation. Its moves decide, so that a network that goes on from another one
    /// ([`super::Arguments::start`]) is never validated with games that one has learned from.
    fn validates(&self, game: &GameRecord) -> bool {
        let key = game.start.board().keys().full;
        let moves = game.plies.iter().fold(key, |key, ply| mix(key ^ u64::from(ply.mv.bits())));
        moves.is_multiple_of(self.validation_share)
    }

    /// The positions of a game to learn from, those in which the search saw nothing to take, each with its score as it
    /// was searched.
    fn each_sample(&self, game: &GameRecord, mut hear: impl FnMut(&Position, i16, Sample)) {
        let mut position = game.start.clone();
        let slipped = has_slipped(game);
        let scores = foreseen(game, self.foresight, slipped);
        for (number, (ply, &score_cp)) in game.plies.iter().zip(&scores).enumerate() {
            let score = i32::from(ply.score);
            let quiet = !position.in_check() && !ply.mv.is_tactical();
            if number >= self.skip_plies
                && quiet
                && position.halfmove_clock() <= self.max_clock
                && score.abs() <= self.max_cp.min(PROVEN_CP)
                && let Some(sample) = Sample::new(
                    position.board(),
                    score_cp,
                    if slipped { NO_RESULT } else { half_points(game.result, position.board()) },
                )
            {
                hear(&position, ply.score, sample);
            }
            position.make(ply.mv);
            position.forget_undo();
        }
    }
}

impl Survey {
    /// Counts a position to learn from and keeps it, as long as all fit.
    fn take(&mut self, sample: Sample, score_cp: i16, max_samples: usize) {
        self.positions += 1;
        self.tally.add(&sample.with_score(score_cp));
        match &mut self.blocks {
            Some(blocks) if blocks.samples() < max_samples => blocks.push(sample),
            blocks => *blocks = None,
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
