//! `rosada selfplay`: the engine against itself in a variant, to see how games end and what pieces are worth.
//!
//! Games begin with a few random moves. In Behemoth chess this is also the referee: it draws the raids. With `--fit`
//! the results tell what each kind is worth: the values for which the balance of material foretells the results best.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

use crate::base::error::quote;
use crate::base::{Color, Error, Move};
use crate::eval::Fairy;
use crate::fairy::{Kind, Outcome, Position, Rules, behemoth, shuffle, variants};
use crate::game::Game;
use crate::search::Worker;
use crate::time::Limits;
use crate::tt::Table;

/// What to play.
#[derive(Args)]
pub struct Arguments {
    /// One of the variants that `uci` lists
    #[arg(long)]
    variant: String,
    /// How many games
    #[arg(long, default_value_t = 100)]
    games: u64,
    /// Nodes of each search
    #[arg(long, default_value_t = 5_000)]
    nodes: u64,
    /// Milliseconds of each search, instead of nodes
    #[arg(long)]
    movetime: Option<u64>,
    /// Random moves at the start of each game
    #[arg(long, default_value_t = 6)]
    random_plies: usize,
    /// Seed of the random numbers
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Fit material values to the results
    #[arg(long)]
    fit: bool,
}

const HASH_MB: usize = 16;
/// Longer games are drawn.
const MOST_PLIES: usize = 400;

/// Plays the games; `say` hears how it goes and what came out.
pub fn run(arguments: &Arguments, say: impl Fn(&str)) -> Result<(), Error> {
    let unknown = || Error::new(format!("unknown variant {}", quote(&arguments.variant)));
    let rules = variants::find(&arguments.variant).ok_or_else(unknown)?;
    let mut player = Player {
        worker: Worker::new(0, Position::start(rules), Fairy::new()),
        table: Arc::new(Table::with_megabytes(HASH_MB)?),
        limits: Limits {
            nodes: arguments.movetime.is_none().then_some(arguments.nodes),
            move_time: arguments.movetime.map(Duration::from_millis),
            ..Limits::default()
        },
        samples: Vec::new(),
    };
    let mut tally = Tally::default();
    for number in 0..arguments.games {
        let mut random = StdRng::seed_from_u64(arguments.seed.wrapping_mul(1_000_003).wrapping_add(number));
        let position = start(rules, arguments.random_plies, &mut random);
        let ending = player.play(position, &mut random);
        tally.enter(&ending);
        if (number + 1) % 10 == 0 || number + 1 == arguments.games {
            say(&tally.summary());
        }
    }
    tally.endings.iter().for_each(|(name, count)| say(&format!("{count:6}  {name}")));
    if arguments.fit {
        fit(rules, &player.samples).iter().for_each(|line| say(line));
    }
    Ok(())
}

/// A start position after some random moves that have not ended the game.
fn start(rules: &'static Rules, plies: usize, random: &mut StdRng) -> Position {
    let arrays =
        if rules.variant.name == "caparandom" { shuffle::arrays(shuffle::Arrays::All) } else { Vec::new() };
    loop {
        let mut position = Position::start(rules);
        if !arrays.is_empty() {
            let fen = shuffle::start_fen(&arrays[random.random_range(0..arrays.len())]);
            position = Position::from_fen(rules, &fen).unwrap_or(position);
        }
        for _ in 0..plies {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.make(moves[random.random_range(0..moves.len())]);
            position.forget_undo();
        }
        if position.outcome().is_none() {
            return position;
        }
    }
}

/// How a game went.
struct Ending {
    /// For White: 1, 0.5 or 0.
    result: f64,
    how: String,
    plies: usize,
}

/// Pieces of each kind, White's minus Black's, and the result for White.
struct Sample {
    balance: [f64; Kind::COUNT],
    result: f64,
}

/// Plays both sides.
struct Player {
    worker: Worker<Position, Fairy>,
    table: Arc<Table>,
    limits: Limits,
    samples: Vec<Sample>,
}

impl Player {
    fn play(&mut self, mut position: Position, random: &mut StdRng) -> Ending {
        self.table.clear(1);
        self.worker.clear();
        let first_sample = self.samples.len();
        let mut plies = 0;
        let ending = loop {
            if let Some(outcome) = position.outcome() {
                let (result, how) = result(&position, outcome);
                break Ending { result, how, plies };
            }
            let Some(mv) = (plies < MOST_PLIES).then(|| self.think(&position)).flatten() else {
                break Ending { result: 0.5, how: "long game".to_string(), plies };
            };
            let quiet = !position.in_check() && !position.is_tactical(mv);
            if quiet && random.random_range(0..4) == 0 {
                self.samples.push(Sample { balance: balance(&position), result: 0.5 });
            }
            position.make(mv);
            position.forget_undo();
            if position.rules().variant.behemoth && position.outcome().is_none() {
                position.raid(random.random_range(0..behemoth::OUTCOMES));
            }
            plies += 1;
        };
        self.samples[first_sample..].iter_mut().for_each(|sample| sample.result = ending.result);
        ending
    }

    fn think(&mut self, position: &Position) -> Option<Move> {
        self.table.new_search();
        let (outcome, _) = self.worker.think(position, self.limits.clone(), &self.table);
        outcome.root_moves.first().map(|root| root.mv)
    }
}

/// The result for White, and how it came about.
fn result(position: &Position, outcome: Outcome) -> (f64, String) {
    let loser = match outcome {
        Outcome::Checkmate => position.side_to_move(),
        Outcome::KingLost(color) => color,
        _ => return (0.5, outcome.to_string()),
    };
    let winner = !loser;
    let how = if outcome == Outcome::Checkmate { "mates" } else { "wins the king" };
    (if winner.is_white() { 1.0 } else { 0.0 }, format!("{winner} {how}"))
}

fn balance(position: &Position) -> [f64; Kind::COUNT] {
    let board = position.board();
    Kind::ALL.map(|kind| {
        let count = |color| f64::from(board.pieces(color, kind).count());
        count(Color::White) - count(Color::Black)
    })
}

/// All results.
#[derive(Default)]
struct Tally {
    wins: u64,
    draws: u64,
    losses: u64,
    plies: usize,
    endings: BTreeMap<String, u64>,
}

impl Tally {
    fn enter(&mut self, ending: &Ending) {
        match ending.result {
            result if result > 0.75 => self.wins += 1,
            result if result < 0.25 => self.losses += 1,
            _ => self.draws += 1,
        }
        self.plies += ending.plies;
        *self.endings.entry(ending.how.clone()).or_default() += 1;
    }

    fn summary(&self) -> String {
        let games = self.wins + self.draws + self.losses;
        let percent = |count: u64| 100.0 * count as f64 / games.max(1) as f64;
        format!(
            "{games} games: White wins {:.1} %, draws {:.1} %, Black wins {:.1} %, {:.0} plies a game",
            percent(self.wins),
            percent(self.draws),
            percent(self.losses),
            self.plies as f64 / games.max(1) as f64
        )
    }
}

/// The values, a pawn being 100, for which a logistic curve over the balance of material fits the results best, found
/// by gradient descent.
fn fit(rules: &Rules, samples: &[Sample]) -> Vec<String> {
    const STEPS: usize = 4_000;
    let mut weights = [0.0; Kind::COUNT];
    let mut bias = 0.0;
    for step in 0..STEPS {
        let mut slope = [0.0; Kind::COUNT];
        let mut bias_slope = 0.0;
        for sample in samples {
            let lead: f64 = weights.iter().zip(&sample.balance).map(|(weight, count)| weight * count).sum();
            let error = sample.result - 1.0 / (1.0 + (-(lead + bias)).exp());
            slope.iter_mut().zip(&sample.balance).for_each(|(slope, count)| *slope += error * count);
            bias_slope += error;
        }
        let rate = 2.0 / (samples.len().max(1) as f64) * if step < STEPS / 2 { 1.0 } else { 0.3 };
        weights.iter_mut().zip(&slope).for_each(|(weight, slope)| *weight += rate * slope);
        bias += rate * bias_slope;
    }
    let pawn = weights[Kind::Pawn.index()].max(1e-6);
    let mut lines =
        vec![format!("{} positions; moving first is worth {:.0}", samples.len(), 100.0 * bias / pawn)];
    for &(letter, kind) in rules.variant.letters {
        if weights[kind.index()] != 0.0 {
            lines.push(format!("{letter} {:5.0}", 100.0 * weights[kind.index()] / pawn));
        }
    }
    lines
}
