//! The players at work, and the one who writes down their games in order. Called by `rosada datagen` and by tests.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, unbounded};
use indicatif::{FormattedDuration, HumanCount};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

use super::play::Player;
use super::progress::Progress;
use super::{Settings, Target, Totals};
use crate::base::Error;
use crate::base::error::quote;
use crate::engine::STACK_BYTES;
use crate::engine::evaluation::Mind;
use crate::engine::openings::{ChessOpenings, Openings, VariantOpenings};
use crate::engine::searcher::Searcher;
use crate::eval::Fairy;
use crate::fairy::{Position, Rules};
use crate::lab::games::{Found, GameReader, GameRecord, GameWriter, Recorded, rules_of};
use crate::search::Worker;

/// How often progress is shown and the wish to stop is looked at while no game comes in.
const TICK: Duration = Duration::from_millis(200);

/// A game with its number.
type Numbered<G> = (u64, Result<GameRecord<G>, Error>);

/// What the players share.
struct Crew<'a> {
    /// The number of the next game to be played.
    next: AtomicU64,
    /// No game has this number or a higher one.
    end: u64,
    /// Begin no new game.
    stop: &'a AtomicBool,
    /// Finish no game either.
    abandon: AtomicBool,
}

/// Plays games into a file until it holds enough, or until `stop` is set and the games in progress are finished.
pub fn generate(settings: &Settings, stop: &AtomicBool) -> Result<Summary, Error> {
    let (rules, seed, book) = (settings.rules, settings.seed, settings.book.as_deref());
    let games = book.map(Path::new).filter(|path| rules_of(path).is_ok());
    let book = book.filter(|_| games.is_none());
    if rules.is_chess() {
        let searcher = || -> Box<dyn Searcher<_>> { Box::new(Mind::new(&settings.evaluation)) };
        let openings = ChessOpenings::of_chess(seed, book)?.with_chess960(settings.chess960);
        return generate_with(settings, stop, branching_off(openings, games, rules)?, searcher);
    }
    let searcher =
        || -> Box<dyn Searcher<_>> { Box::new(Worker::new(0, Position::start(rules), Fairy::new())) };
    let openings = VariantOpenings::of_variant(rules, seed, book)?;
    generate_with(settings, stop, branching_off(openings, games, rules)?, searcher)
}

/// Openings that begin with positions of the games in a file, if there is one.
fn branching_off<G: Recorded>(
    openings: Openings<G>,
    games: Option<&Path>,
    rules: &'static Rules,
) -> Result<Openings<G>, Error> {
    match games {
        Some(path) => openings.from_positions(positions_of_games(path, rules)?),
        None => Ok(openings),
    }
}

/// A position of each game of a file, out of any part of the game: where new games may branch off.
fn positions_of_games<G: Recorded>(path: &Path, rules: &'static Rules) -> Result<Vec<G>, Error> {
    let mut reader = GameReader::<G>::open(path)?;
    if !std::ptr::eq(reader.rules(), rules) {
        let (theirs, ours) = (reader.rules().variant.name, rules.variant.name);
        return Err(Error::new(format!(
            "{} holds games of {theirs}, not of {ours}",
            quote(&path.to_string_lossy())
        )));
    }
    // The file alone decides, so that another seed begins with the same positions.
    let mut random = StdRng::seed_from_u64(0);
    let mut positions = Vec::new();
    for game in &mut reader {
        let plies = random.random_range(0..=game.plies.len());
        let mut position = game.start;
        game.plies[..plies].iter().for_each(|ply| position.replay(ply));
        // Without its history, which would take more room than the position.
        positions.push(G::unpack_start(rules, &position.pack_start()?)?);
    }
    match reader.damage() {
        Some(damage) => Err(Error::new(format!("{}: {damage}", quote(&path.to_string_lossy())))),
        None => Ok(positions),
    }
}

/// Generates games of chess or of a variant, from these openings and with searchers of their own.
fn generate_with<G: Recorded>(
    settings: &Settings,
    stop: &AtomicBool,
    openings: Openings<G>,
    searcher: impl Fn() -> Box<dyn Searcher<G>>,
) -> Result<Summary, Error> {
    let start = Instant::now();
    let players = (0..settings.threads).map(|_| Player::new(settings, openings.clone(), searcher()));
    let players = players.collect::<Result<Vec<Player<G>>, Error>>()?;
    let (writer, found) = GameWriter::append::<G>(&settings.output, settings.rules, &settings.description())?;
    let progress = Progress::begin(settings, &found);
    let end = if let Target::Games(games) = settings.target { games } else { u64::MAX };
    let crew = Crew { next: AtomicU64::new(found.games), end, stop, abandon: AtomicBool::new(false) };
    let mut ledger = Ledger {
        writer,
        next: found.games,
        found,
        target: settings.target,
        waiting: BTreeMap::new(),
        made: Totals::default(),
    };
    if !ledger.is_full() {
        crew.play(players, |games| ledger.collect(games, stop, progress))?;
    }
    Ok(Summary {
        output: settings.output.clone(),
        seed: settings.seed,
        complete: ledger.is_full(),
        found: ledger.found,
        made: ledger.made,
        time: start.elapsed(),
    })
}

impl Crew<'_> {
    /// Lets all players play while `collect` takes their games; when it has enough, the rest is abandoned.
    fn play<G: Recorded>(
        &self,
        players: Vec<Player<G>>,
        collect: impl FnOnce(&Receiver<Numbered<G>>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        std::thread::scope(|scope| {
            let (sender, games) = unbounded();
            let mut started = Ok(());
            for (number, player) in players.into_iter().enumerate() {
                let sender = sender.clone();
                let builder =
                    std::thread::Builder::new().name(format!("player-{number}")).stack_size(STACK_BYTES);
                if let Err(error) = builder.spawn_scoped(scope, move || self.work(player, &sender)) {
                    started = Err(Error::from(error).within("cannot start a thread"));
                }
            }
            drop(sender);
            let result = started.and_then(|()| collect(&games));
            self.abandon.store(true, Relaxed);
            result
        })
    }

    /// Plays game after game.
    fn work<G: Recorded>(&self, mut player: Player<G>, games: &Sender<Numbered<G>>) {
        while !self.stop.load(Relaxed) {
            let number = self.next.fetch_add(1, Relaxed);
            if number >= self.end {
                return;
            }
            let Some(game) = player.play(number, &self.abandon).transpose() else { return };
            let failed = game.is_err();
            if games.send((number, game)).is_err() || failed {
                return;
            }
        }
    }
}

/// Writes games in the order of their numbers: those that are finished early wait for the ones before them.
struct Ledger<G: Recorded> {
    writer: GameWriter,
    found: Found,
    target: Target,
    /// The number of the next game to be written.
    next: u64,
    waiting: BTreeMap<u64, GameRecord<G>>,
    made: Totals,
}

impl<G: Recorded> Ledger<G> {
    /// Takes games until there are enough or no more come. Each one is safe in the file as soon as it is written.
    fn collect(
        &mut self,
        games: &Receiver<Numbered<G>>,
        stop: &AtomicBool,
        mut progress: Progress,
    ) -> Result<(), Error> {
        while !self.is_full() {
            match games.recv_timeout(TICK) {
                Ok((number, game)) => {
                    self.waiting.insert(number, game?);
                    self.write_waiting()?;
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if stop.load(Relaxed) {
                progress.stopping();
            }
            progress.show(&self.made);
        }
        Ok(())
    }

    /// Writes the games whose turn it is.
    fn write_waiting(&mut self) -> Result<(), Error> {
        while !self.is_full()
            && let Some(game) = self.waiting.remove(&self.next)
        {
            self.writer.write(&game).map_err(|error| error.within("cannot write the games"))?;
            self.made.add(&game);
            self.next += 1;
        }
        Ok(())
    }

    fn is_full(&self) -> bool {
        match self.target {
            Target::Games(games) => self.found.games + self.made.games >= games,
            Target::Positions(positions) => self.found.plies + self.made.positions >= positions,
        }
    }
}

/// What a run has done.
#[derive(Clone, Debug)]
pub struct Summary {
    /// The file.
    pub output: PathBuf,
    /// The seed of its openings.
    pub seed: u64,
    /// What it held before.
    pub found: Found,
    /// What was added.
    pub made: Totals,
    /// Whether it holds now what was asked for.
    pub complete: bool,
    /// How long that took.
    pub time: Duration,
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Summary { found, made, time, .. } = self;
        let speed = made.positions as f64 / time.as_secs_f64().max(1e-9);
        writeln!(
            f,
            "{} games, {} positions in {}, {} positions a second",
            HumanCount(made.games),
            HumanCount(made.positions),
            FormattedDuration(*time),
            HumanCount(speed as u64)
        )?;
        if made.games > 0 {
            writeln!(f, "{made}")?;
        }
        write!(
            f,
            "{} holds {} games with {} positions",
            quote(&self.output.to_string_lossy()),
            HumanCount(found.games + made.games),
            HumanCount(found.plies + made.positions)
        )?;
        if !self.complete {
            write!(f, "; the same command with --seed {} goes on from here", self.seed)?;
        }
        Ok(())
    }
}
