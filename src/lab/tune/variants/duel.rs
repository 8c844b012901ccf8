//! A match of two sets of numbers in a variant, at a fixed number of nodes a move: do the new ones win?
//!
//! Every opening is played twice with colors exchanged. What comes out follows from the seed and the options alone.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use super::super::Arguments;
use crate::base::{Color, Error};
use crate::engine::STACK_BYTES;
use crate::engine::openings::VariantOpenings;
use crate::eval::Fairy;
use crate::eval::fairy::Trial;
use crate::eval::fairy::numbers::Values;
use crate::fairy::{Position, Rules};
use crate::game::SelfPlay;
use crate::lab::datagen::adjudicate::Adjudicator;
use crate::lab::games::GameResult;
use crate::search::Worker;
use crate::time::Limits;
use crate::tt::Table;

const HASH_MB: usize = 8;

/// Games by their results for the new numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Won.
    pub wins: u32,
    /// Drawn.
    pub draws: u32,
    /// Lost.
    pub losses: u32,
}

impl Tally {
    fn add(&mut self, other: Tally) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally { wins, draws, losses } = self;
        let games = f64::from(wins + draws + losses).max(1.0);
        let (wins, draws) = (f64::from(*wins), f64::from(*draws));
        let share = (wins + draws / 2.0) / games;
        let variance = (wins + draws / 4.0) / games - share * share;
        let error = 2.0 * (variance / games).max(0.0).sqrt();
        write!(
            f,
            "{} won, {} drawn, {} lost: {:.1} % (+- {:.1}, two standard errors)",
            self.wins,
            self.draws,
            self.losses,
            100.0 * share,
            100.0 * error
        )
    }
}

/// Plays `--games` games, rounded up to pairs.
pub fn play(
    rules: &'static Rules,
    new: &Values,
    old: &Values,
    arguments: &Arguments,
) -> Result<Tally, Error> {
    let pairs = arguments.games.div_ceil(2);
    let openings = VariantOpenings::of_variant(rules, arguments.seed, None)?;
    let trials = [Trial::new(rules, new), Trial::new(rules, old)];
    let next = AtomicU32::new(0);
    let work = |mut match_of_two: Duel| -> Result<Tally, Error> {
        let mut tally = Tally::default();
        loop {
            let pair = next.fetch_add(1, Relaxed);
            if pair >= pairs {
                return Ok(tally);
            }
            tally.add(match_of_two.play_pair(u64::from(pair))?);
        }
    };
    std::thread::scope(|scope| {
        let mut running = Vec::new();
        for number in 0..arguments.threads {
            let duel = Duel::new(rules, &trials, openings.clone(), arguments)?;
            let (builder, work) = (std::thread::Builder::new().stack_size(STACK_BYTES), &work);
            let builder = builder.name(format!("duel-{number}"));
            running.push(builder.spawn_scoped(scope, move || work(duel))?);
        }
        let mut tally = Tally::default();
        for thread in running {
            tally.add(thread.join().map_err(|_| Error::new("a game was broken off"))??);
        }
        Ok(tally)
    })
}

/// Both players of one thread.
struct Duel {
    /// The one with the new numbers first, each with its own memory.
    players: [(Worker<Position, Fairy>, Arc<Table>); 2],
    openings: VariantOpenings,
    seed: u64,
    limits: Limits,
}

impl Duel {
    fn new(
        rules: &'static Rules,
        trials: &[Trial; 2],
        openings: VariantOpenings,
        arguments: &Arguments,
    ) -> Result<Duel, Error> {
        let player = |trial: &Trial| -> Result<_, Error> {
            let worker = Worker::new(0, Position::start(rules), trial.evaluator());
            Ok((worker, Arc::new(Table::with_megabytes(HASH_MB)?)))
        };
        Ok(Duel {
            players: [player(&trials[0])?, player(&trials[1])?],
            openings,
            seed: arguments.seed,
            limits: Limits { nodes: Some(arguments.nodes), ..Limits::default() },
        })
    }

    /// One opening, with the new numbers as White and as Black.
    fn play_pair(&mut self, number: u64) -> Result<Tally, Error> {
        let mut tally = Tally::default();
        for new_side in Color::ALL {
            self.openings.restart(self.seed, number);
            let start = self.next_opening()?;
            match self.play(start, new_side)? {
                GameResult::Draw => tally.draws += 1,
                result if result == GameResult::win_for(new_side) => tally.wins += 1,
                _ => tally.losses += 1,
            }
        }
        Ok(tally)
    }

    /// The next opening, which the player with the old numbers finds undecided.
    fn next_opening(&mut self) -> Result<Position, Error> {
        let (worker, table) = &mut self.players[1];
        worker.clear();
        table.clear(1);
        self.openings.next_opening(worker, table)
    }

    fn play(&mut self, mut position: Position, new_side: Color) -> Result<GameResult, Error> {
        for (worker, table) in &mut self.players {
            worker.clear();
            table.clear(1);
        }
        let mut adjudicator = Adjudicator::new(&position);
        loop {
            let mover = position.side_to_move();
            let (worker, table) = &mut self.players[usize::from(mover != new_side)];
            table.new_search();
            let (outcome, _) = worker.think(&position, self.limits.clone(), table);
            let Some(best) = outcome.root_moves.first() else {
                return Err(Error::new(format!("the search has found no move in {position}")));
            };
            adjudicator.hear(mover, best.known_score().value());
            self.openings.play(&mut position, best.mv);
            let by_rule = position.ending().map(|ending| ending.winner.into());
            if let Some(result) = by_rule.or_else(|| adjudicator.verdict()) {
                return Ok(result);
            }
        }
    }
}
