//! `rosada selfplay`: the engine against itself in a variant, to see how games end. In Behemoth chess this is also the
//! referee: it draws the raids. What the games teach about the evaluation is the business of `datagen` and `tune`.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;

use crate::base::{Color, Error, Move};
use crate::engine::openings::VariantOpenings;
use crate::eval::Fairy;
use crate::fairy::Position;
use crate::game::SelfPlay;
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
}

const HASH_MB: usize = 16;
/// Longer games are drawn.
const MOST_PLIES: usize = 400;

/// Plays the games; `say` hears how it goes and what came out.
pub fn run(arguments: &Arguments, say: impl Fn(&str)) -> Result<(), Error> {
    let rules = super::variant(&arguments.variant)?;
    let mut player = Player {
        worker: Worker::new(0, Position::start(rules), Fairy::new()),
        table: Arc::new(Table::with_megabytes(HASH_MB)?),
        openings: VariantOpenings::of_variant(rules, arguments.seed, None)?,
        limits: Limits {
            nodes: arguments.movetime.is_none().then_some(arguments.nodes),
            move_time: arguments.movetime.map(Duration::from_millis),
            ..Limits::default()
        },
    };
    let mut tally = Tally::default();
    for number in 0..arguments.games {
        player.openings.restart(arguments.seed, number);
        let position = player.openings.random_position(arguments.random_plies)?;
        tally.enter(&player.play(position));
        if (number + 1) % 10 == 0 || number + 1 == arguments.games {
            say(&tally.summary());
        }
    }
    tally.endings.iter().for_each(|(name, count)| say(&format!("{count:6}  {name}")));
    Ok(())
}

/// How a game went.
struct Ending {
    winner: Option<Color>,
    how: String,
    plies: usize,
}

/// Plays both sides.
struct Player {
    worker: Worker<Position, Fairy>,
    table: Arc<Table>,
    openings: VariantOpenings,
    limits: Limits,
}

impl Player {
    fn play(&mut self, mut position: Position) -> Ending {
        self.table.clear(1);
        self.worker.clear();
        let mut plies = 0;
        loop {
            if let Some(ending) = position.ending() {
                let how = match ending.winner {
                    Some(winner) => format!("{winner} wins: {}", ending.rule),
                    None => ending.rule,
                };
                return Ending { winner: ending.winner, how, plies };
            }
            let Some(mv) = (plies < MOST_PLIES).then(|| self.think(&position)).flatten() else {
                return Ending { winner: None, how: "long game".to_string(), plies };
            };
            self.openings.play(&mut position, mv);
            plies += 1;
        }
    }

    fn think(&mut self, position: &Position) -> Option<Move> {
        self.table.new_search();
        let (outcome, _) = self.worker.think(position, self.limits.clone(), &self.table);
        outcome.root_moves.first().map(|root| root.mv)
    }
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
        match ending.winner {
            Some(Color::White) => self.wins += 1,
            Some(Color::Black) => self.losses += 1,
            None => self.draws += 1,
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
