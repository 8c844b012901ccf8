//! `rosada rescore`: the games of a file with what the engine of today says about their positions, so that a new network
//! can learn from old games what the last network knows. Moves and results stay as they are.
//!
//! Every game is searched with empty memories, so the file does not depend on the number of threads. `main` calls
//! [`run`].
#![forbid(unsafe_code)]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use clap::value_parser;
use crossbeam_channel::{Receiver, Sender, bounded};
use indicatif::HumanCount;

use super::display::Display;
use super::evaluation::EvaluationArguments;
use super::games::{GameReader, GameRecord, GameWriter, Ply};
use super::interrupt::stop_flag;
use super::processors;
use crate::base::Error;
use crate::base::error::quote;
use crate::chess::Position;
use crate::engine::STACK_BYTES;
use crate::engine::evaluation::{Evaluation, Mind};
use crate::fairy::variants;
use crate::search::value_before_fade;
use crate::time::Limits;
use crate::tt::Table;

/// An iteration may run on to so many times the soft node limit, as in `rosada datagen`.
const HARD_NODES_FACTOR: u64 = 8;
/// Games that may wait for a thread, or for the one before them to be written.
const WAITING_GAMES: usize = 64;

/// The arguments of `rosada rescore`.
#[derive(clap::Args, Clone, Debug)]
pub struct Arguments {
    /// Game file as `rosada datagen` writes it
    input: PathBuf,
    /// File for the same games with new scores; it must not exist
    output: PathBuf,
    /// Nodes after which a search begins no new iteration
    #[arg(long, value_name = "N", default_value_t = 5_000, value_parser = value_parser!(u64).range(1..))]
    nodes: u64,
    /// Games searched at the same time
    #[arg(long, value_name = "N", default_value_t = processors(), value_parser = value_parser!(u32).range(1..=512))]
    threads: u32,
    /// Megabytes of hash table for each thread
    #[arg(long, value_name = "MB", default_value_t = 8, value_parser = value_parser!(u32).range(1..=65_536))]
    hash: u32,
    #[command(flatten)]
    evaluation: EvaluationArguments,
    /// Show no progress
    #[arg(long)]
    quiet: bool,
}

/// A game with its number.
type Numbered = (u64, GameRecord);

/// Carries out the command and returns what to print at the end. The first Ctrl-C ends it with the games done so far.
pub fn run(arguments: &Arguments) -> Result<String, Error> {
    let stop = stop_flag()?;
    rescore(arguments, &stop)
}

/// Rescores until the end of the input, or until `stop` is set.
pub fn rescore(arguments: &Arguments, stop: &AtomicBool) -> Result<String, Error> {
    let name = |path: &PathBuf| quote(&path.to_string_lossy());
    if arguments.output.exists() {
        return Err(Error::new(format!("{} is there already", name(&arguments.output))));
    }
    let evaluation = arguments.evaluation.choose()?;
    let games = GameReader::<Position>::open(&arguments.input)?.count() as u64;
    let mut reader = GameReader::<Position>::open(&arguments.input)?;
    let scorers = (0..arguments.threads).map(|_| Scorer::new(arguments, &evaluation));
    let scorers = scorers.collect::<Result<Vec<Scorer>, Error>>()?;
    let note = format!("{}; scored again by {evaluation}, {} nodes a move", reader.note(), arguments.nodes);
    let writer = GameWriter::create(&arguments.output, variants::chess(), &note)?;
    let mut ledger = Ledger { writer, next: 0, positions: 0, waiting: BTreeMap::new() };
    let mut display = Display::new(arguments.quiet, games, 0);
    display.say(&format!("{} games by {evaluation}, {} nodes a move", HumanCount(games), arguments.nodes));
    std::thread::scope(|scope| -> Result<(), Error> {
        let (orders, inbox) = bounded::<Numbered>(WAITING_GAMES);
        let (outbox, done) = bounded::<Numbered>(WAITING_GAMES);
        for (number, scorer) in scorers.into_iter().enumerate() {
            let (inbox, outbox) = (inbox.clone(), outbox.clone());
            let builder =
                std::thread::Builder::new().name(format!("scorer-{number}")).stack_size(STACK_BYTES);
            builder
                .spawn_scoped(scope, move || scorer.work(&inbox, &outbox))
                .map_err(|error| Error::from(error).within("cannot start a thread"))?;
        }
        drop((inbox, outbox));
        let reader = &mut reader;
        let feed = move || {
            for (number, game) in (0..).zip(reader.by_ref()) {
                if stop.load(Relaxed) || orders.send((number, game)).is_err() {
                    break;
                }
            }
        };
        scope.spawn(feed);
        for (number, game) in done {
            ledger.take(number, game)?;
            display.show(ledger.next, |time| {
                let speed = ledger.positions as f64 / time.as_secs_f64().max(1e-9);
                format!("{} of {games} games, {} positions a second", ledger.next, HumanCount(speed as u64))
            });
        }
        Ok(())
    })?;
    let mut text = format!(
        "{} games with {} positions, scored by {evaluation}, in {}\n",
        HumanCount(ledger.next),
        HumanCount(ledger.positions),
        name(&arguments.output)
    );
    if let Some(damage) = reader.damage() {
        text.push_str(&format!("{} is damaged: {damage}\n", name(&arguments.input)));
    }
    if ledger.next < games {
        text.push_str(&format!("ended before the last {} games\n", HumanCount(games - ledger.next)));
    }
    Ok(text)
}

/// One thread's mind.
struct Scorer {
    mind: Mind,
    table: Arc<Table>,
    limits: Limits,
}

impl Scorer {
    fn new(arguments: &Arguments, evaluation: &Evaluation) -> Result<Scorer, Error> {
        let nodes = Some(arguments.nodes.saturating_mul(HARD_NODES_FACTOR));
        Ok(Scorer {
            mind: Mind::new(evaluation),
            table: Arc::new(Table::with_megabytes(arguments.hash as usize)?),
            limits: Limits { soft_nodes: Some(arguments.nodes), nodes, ..Limits::default() },
        })
    }

    /// Scores games until no more come, or nobody wants them.
    fn work(mut self, inbox: &Receiver<Numbered>, outbox: &Sender<Numbered>) {
        for (number, game) in inbox {
            if outbox.send((number, self.score(game))).is_err() {
                return;
            }
        }
    }

    /// The game with new scores.
    fn score(&mut self, mut game: GameRecord) -> GameRecord {
        self.table.clear(1);
        self.mind.clear();
        let mut position = game.start.clone();
        for ply in &mut game.plies {
            self.table.new_search();
            let (outcome, _) = self.mind.think(&position, self.limits.clone(), &self.table);
            if let Some(best) = outcome.root_moves.first() {
                *ply = Ply::new(ply.mv, value_before_fade(&position, best));
            }
            position.make(ply.mv);
            position.forget_undo();
        }
        game
    }
}

/// Writes games in the order they came in.
struct Ledger {
    writer: GameWriter,
    next: u64,
    positions: u64,
    waiting: BTreeMap<u64, GameRecord>,
}

impl Ledger {
    fn take(&mut self, number: u64, game: GameRecord) -> Result<(), Error> {
        self.waiting.insert(number, game);
        while let Some(game) = self.waiting.remove(&self.next) {
            self.writer.write(&game).map_err(|error| error.within("cannot write the games"))?;
            self.next += 1;
            self.positions += game.plies.len() as u64;
        }
        Ok(())
    }
}
