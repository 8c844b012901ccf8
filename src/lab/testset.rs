//! `rosada testset`: quiet positions of games that no network learns from, searched deeper than any game, to measure
//! networks by. `train --test` reads the file.
//!
//! It is text, a position a line: `FEN | centipawns | points`, both for White. `main` calls [`run`].
#![forbid(unsafe_code)]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

use clap::value_parser;
use crossbeam_channel::unbounded;
use indicatif::HumanCount;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

use super::display::Display;
use super::evaluation::EvaluationArguments;
use super::games::{GameReader, GameResult};
use super::interrupt::stop_flag;
use super::processors;
use crate::base::Error;
use crate::base::error::quote;
use crate::base::files;
use crate::chess::{ChessMove, Position};
use crate::engine::STACK_BYTES;
use crate::engine::evaluation::{Evaluation, Mind};
use crate::game::Game;
use crate::search::value_before_fade;
use crate::time::Limits;
use crate::tt::Table;

/// The arguments of `rosada testset`.
#[derive(clap::Args, Clone, Debug)]
pub struct Arguments {
    /// Game files as `rosada datagen` writes them; no network shall learn from them
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// File for the positions; it must not exist
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Positions to choose; those in which the search finds a capture or a mate best are left out again
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = value_parser!(u32).range(1..))]
    positions: u32,
    /// Nodes of each search
    #[arg(long, value_name = "N", default_value_t = 30_000, value_parser = value_parser!(u64).range(1..))]
    nodes: u64,
    /// Leave out positions with more plies than this since the last capture or pawn move
    #[arg(long, value_name = "PLIES", default_value_t = 30)]
    max_clock: u32,
    /// Seed of the choice
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Positions searched at the same time
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

/// A position of a test set, its value and what became of it, both for the side to move.
#[derive(Clone, Debug)]
pub struct TestPosition {
    /// The position.
    pub position: Position,
    /// Centipawns.
    pub score_cp: i16,
    /// Half points.
    pub half_points: u8,
}

/// Half points of the side to move.
fn half_points(result: GameResult, position: &Position) -> u8 {
    match result {
        GameResult::Draw => 1,
        won => 2 * u8::from(won == GameResult::win_for(position.side_to_move())),
    }
}

/// Carries out the command and returns what to print at the end.
pub fn run(arguments: &Arguments) -> Result<String, Error> {
    let stop = stop_flag()?;
    let name = quote(&arguments.out.to_string_lossy());
    if arguments.out.exists() {
        return Err(Error::new(format!("{name} is there already")));
    }
    let evaluation = arguments.evaluation.choose()?;
    let chosen = choose(arguments)?;
    let searched = search(arguments, &evaluation, &chosen, &stop)?;
    if stop.load(Relaxed) {
        return Err(Error::new("interrupted, nothing was written"));
    }
    let text: String = searched.values().map(|position| format!("{}\n", line(position))).collect();
    files::replace(&arguments.out, text.as_bytes())?;
    Ok(format!(
        "{} of {} positions, scored by {evaluation} with {} nodes each, in {name}\n",
        HumanCount(searched.len() as u64),
        HumanCount(chosen.len() as u64),
        HumanCount(arguments.nodes)
    ))
}

/// Chooses among all quiet positions of the games, each with the same chance.
fn choose(arguments: &Arguments) -> Result<Vec<TestPosition>, Error> {
    let wanted = arguments.positions as usize;
    let mut random = StdRng::seed_from_u64(arguments.seed);
    let (mut chosen, mut seen) = (Vec::new(), 0);
    for path in &arguments.files {
        let mut reader = GameReader::<Position>::open(path)?;
        for game in reader.by_ref() {
            let mut position = game.start.clone();
            for ply in &game.plies {
                let quiet = !position.in_check() && !ply.mv.is_tactical();
                if quiet && position.halfmove_clock() <= arguments.max_clock {
                    seen += 1;
                    let half_points = half_points(game.result, &position);
                    let test =
                        || TestPosition { position: position.clone(), score_cp: ply.score, half_points };
                    if chosen.len() < wanted {
                        chosen.push(test());
                    } else if let Some(other) = chosen.get_mut(random.random_range(0..seen)) {
                        *other = test();
                    }
                }
                position.make(ply.mv);
                position.forget_undo();
            }
        }
        if let Some(damage) = reader.damage() {
            return Err(Error::new(format!("{} is damaged: {damage}", path.display())));
        }
    }
    if chosen.is_empty() {
        return Err(Error::new("there is no quiet position in these games"));
    }
    Ok(chosen)
}

/// Searches all positions, each with empty memories; those that stay quiet come back with their numbers.
fn search(
    arguments: &Arguments,
    evaluation: &Evaluation,
    chosen: &[TestPosition],
    stop: &AtomicBool,
) -> Result<BTreeMap<usize, TestPosition>, Error> {
    let mut display = Display::new(arguments.quiet, chosen.len() as u64, 0);
    let next = AtomicUsize::new(0);
    let limits = Limits { nodes: Some(arguments.nodes), ..Limits::default() };
    std::thread::scope(|scope| {
        let (sender, results) = unbounded();
        for number in 0..arguments.threads {
            let table = Arc::new(Table::with_megabytes(arguments.hash as usize)?);
            let (mut mind, sender, next, limits) =
                (Mind::new(evaluation), sender.clone(), &next, limits.clone());
            let work = move || {
                while !stop.load(Relaxed) {
                    let number = next.fetch_add(1, Relaxed);
                    let Some(test) = chosen.get(number) else { return };
                    table.clear(1);
                    mind.clear();
                    let (outcome, _) = mind.think(&test.position, limits.clone(), &table);
                    let best = outcome.root_moves.first().filter(|best| !best.mv.is_tactical());
                    let value = best.map(|best| value_before_fade(&test.position, best));
                    let value = value.filter(|value| !value.is_proven());
                    let scored =
                        value.map(|value| TestPosition { score_cp: value.value() as i16, ..test.clone() });
                    if sender.send((number, scored)).is_err() {
                        return;
                    }
                }
            };
            let builder = std::thread::Builder::new().name(format!("searcher-{number}"));
            builder.stack_size(STACK_BYTES).spawn_scoped(scope, work).map_err(Error::from)?;
        }
        drop(sender);
        let mut searched = BTreeMap::new();
        for (done, (number, scored)) in (1..).zip(results) {
            searched.extend(scored.map(|scored| (number, scored)));
            display.show(done, |_| format!("{} of {} positions", HumanCount(done), chosen.len()));
        }
        Ok(searched)
    })
}

/// A position as its file has it.
fn line(test: &TestPosition) -> String {
    let white = test.position.side_to_move().is_white();
    let score_cp = if white { test.score_cp } else { -test.score_cp };
    let half_points = if white { test.half_points } else { 2 - test.half_points };
    format!("{} | {score_cp} | {:.1}", test.position.fen(), f64::from(half_points) / 2.0)
}

/// Reads a test set.
pub fn read(path: &Path) -> Result<Vec<TestPosition>, Error> {
    let named = |error: Error| error.within(&quote(&path.to_string_lossy()));
    let file = files::open(path).map_err(named)?;
    let mut positions = Vec::new();
    for (number, line) in (1..).zip(BufReader::new(file).lines()) {
        let line = line.map_err(|error| named(error.into()))?;
        let position = parse(&line).map_err(|error| named(error.within(&format!("line {number}"))))?;
        positions.push(position);
    }
    if positions.is_empty() {
        return Err(named(Error::new("it holds no position")));
    }
    Ok(positions)
}

/// The position in a line.
fn parse(line: &str) -> Result<TestPosition, Error> {
    let fields: Vec<&str> = line.split('|').map(str::trim).collect();
    let [fen, score, points] = fields[..] else {
        return Err(Error::new(format!("not FEN | centipawns | points: {}", quote(line))));
    };
    let position = Position::from_fen(fen)?;
    let score = score.parse().ok().filter(|score: &i16| score.unsigned_abs() < 30_000);
    let for_white = score.ok_or_else(|| Error::new("the second field is no score in centipawns"))?;
    let half_points_of_white = match points {
        "0.0" => 0,
        "0.5" => 1,
        "1.0" => 2,
        _ => return Err(Error::new("the third field is none of 0.0, 0.5 and 1.0")),
    };
    let white = position.side_to_move().is_white();
    let score_cp = if white { for_white } else { -for_white };
    let half_points = if white { half_points_of_white } else { 2 - half_points_of_white };
    Ok(TestPosition { position, score_cp, half_points })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_back() {
        for text in [
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1 | -31 | 1.0",
            "8/8/8/3k4/3r4/8/1Q6/4K3 w - - 12 80 | 512 | 0.5",
        ] {
            assert_eq!(line(&parse(text).unwrap()), text);
        }
        let black = parse("8/8/8/3k4/3r4/8/1Q6/4K3 b - - 12 80 | 512 | 1.0").unwrap();
        assert_eq!((black.score_cp, black.half_points), (-512, 0));
    }

    #[test]
    fn other_lines_are_refused_in_words() {
        for (text, word) in [
            ("", "not FEN"),
            ("8/8/8/3k4/3r4/8/1Q6/4K3 w - - 12 80 | 512", "not FEN"),
            ("8/8/8/8/3r4/8/1Q6/4K3 w - - 12 80 | 512 | 0.5", "king"),
            ("8/8/8/3k4/3r4/8/1Q6/4K3 w - - 12 80 | 51200 | 0.5", "second field"),
            ("8/8/8/3k4/3r4/8/1Q6/4K3 w - - 12 80 | 512 | 2.0", "third field"),
        ] {
            let error = parse(text).unwrap_err().to_string();
            assert!(error.contains(word), "{error}");
        }
    }
}
