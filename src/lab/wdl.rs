//! `rosada wdl`: fits what scores mean ([`Model`]) to self-play games and prints it as source.
//!
//! Positions are counted by score and move number; the model is the one under which their results are most likely. `main`
//! calls [`run`].
#![forbid(unsafe_code)]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;

use indicatif::HumanCount;

use super::games::{GameReader, GameRecord, GameResult};
use crate::base::{Error, Score};
use crate::engine::wdl::{Model, NORMAL_MOVE};
use crate::game::Game;
use crate::search;

/// The arguments of `rosada wdl`.
#[derive(clap::Args, Clone, Debug)]
pub struct Arguments {
    /// Game files as `rosada datagen` writes them
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

/// Scores beyond this are left out: games are ended there, whatever would have come.
const MOST_VALUE: i32 = 1_200;
/// Scores are counted in bins of so many units.
const BIN: i32 = 10;
/// Games before this move are played by chance.
const FIRST_MOVE: u32 = 8;
/// With fewer positions a model means nothing.
const FEWEST_POSITIONS: u64 = 10_000;

/// Wins, draws and losses of the positions with one move number and score.
type Counts = [f64; 3];

/// Positions by move number and bin of scores.
#[derive(Default)]
struct Tally(BTreeMap<(u32, i32), Counts>);

impl Tally {
    /// Counts the positions of a game by what the engine would have said in play: `faded` as the fifty-move rule comes
    /// nearer, if the scores in the record are so already.
    fn add(&mut self, game: &GameRecord, faded: bool) {
        let mut position = game.start.clone();
        let mut side = position.side_to_move();
        let mut fullmove = position.fullmove();
        for ply in &game.plies {
            let clock = if faded { 0 } else { position.halfmove_clock() };
            let value = search::faded(Score::new(i32::from(ply.score)), clock).value();
            if value.abs() <= MOST_VALUE && fullmove >= FIRST_MOVE {
                let outcome = match game.result {
                    GameResult::Draw => 1,
                    won if won == GameResult::win_for(side) => 0,
                    _ => 2,
                };
                let bin = (f64::from(value) / f64::from(BIN)).round() as i32;
                self.0.entry((fullmove, bin)).or_default()[outcome] += 1.0;
            }
            fullmove += u32::from(!side.is_white());
            side = !side;
            position.make(ply.mv);
            position.forget_undo();
        }
    }

    fn positions(&self) -> f64 {
        self.0.values().flatten().sum()
    }

    /// Bins as numbers: place on the curves, value, counts. Neighboring moves share a place.
    fn bins(&self) -> Vec<(f64, f64, Counts)> {
        let bin = |(&(fullmove, bin), &counts): (&(u32, i32), &Counts)| {
            (Model::place(fullmove), f64::from(bin * BIN), counts)
        };
        self.0.iter().map(bin).collect()
    }
}

/// Reads the games and fits the model; returns what to say.
pub fn run(arguments: &Arguments) -> Result<String, Error> {
    let mut tally = Tally::default();
    let mut text = String::new();
    for path in &arguments.files {
        let mut reader = GameReader::open(path)?;
        let faded = reader.faded();
        reader.by_ref().for_each(|game| tally.add(&game, faded));
        let damage = reader.damage().map(|damage| format!("; damaged: {damage}")).unwrap_or_default();
        let _ = writeln!(text, "{}: {} games{damage}", path.display(), HumanCount(reader.games()));
    }
    let positions = tally.positions() as u64;
    if positions < FEWEST_POSITIONS {
        return Err(Error::new(format!("{positions} positions are too few for a model")));
    }
    let (model, loss) = fit(&tally.bins());
    let _ = writeln!(text, "{} positions, {loss:.5} nats each\n", HumanCount(positions));
    let row = |curve: [f64; 4]| curve.map(|part| format!("{part:.2}")).join(", ");
    let _ = writeln!(
        text,
        "pub const MODEL: Model =\n    Model {{ even: [{}], spread: [{}] }};\n",
        row(model.even),
        row(model.spread)
    );
    for fullmove in [8, 16, NORMAL_MOVE, 48, 64, 96] {
        let [even, spread] = model.at(Model::place(fullmove));
        let _ = writeln!(text, "move {fullmove:3}: even chance at {even:5.0}, spread {spread:4.0}");
    }
    Ok(text)
}

/// How many numbers a model has.
const NUMBERS: usize = 8;
type Numbers = [f64; NUMBERS];

/// A model's loss in nats for each position, its slopes, and what each pair of numbers tells about the results (the
/// Fisher information).
struct Measure {
    loss: f64,
    slopes: Numbers,
    information: [Numbers; NUMBERS],
}

/// The model under which the counts are most likely, and its loss.
///
/// Each step goes where the slopes and the information say the bottom is, half as far while that is not better.
fn fit(bins: &[(f64, f64, Counts)]) -> (Model, f64) {
    const MOST_STEPS: usize = 100;
    const SMALLEST_PART: f64 = 1e-4;
    let mut model = Model { even: [200.0, 0.0, 0.0, 0.0], spread: [80.0, 0.0, 0.0, 0.0] };
    let mut measure = Measure::new(&model, bins);
    for _ in 0..MOST_STEPS {
        let Some(step) = solve(measure.information, measure.slopes) else { break };
        let mut part = 1.0;
        let better = loop {
            let next = moved(&model, &step, -part);
            let found = Measure::new(&next, bins);
            if found.loss < measure.loss {
                break Some((next, found));
            }
            part /= 2.0;
            if part < SMALLEST_PART {
                break None;
            }
        };
        let Some(better) = better else { break };
        (model, measure) = better;
    }
    (model, measure.loss)
}

/// The model whose numbers are `part` steps away.
fn moved(model: &Model, step: &Numbers, part: f64) -> Model {
    let mut model = *model;
    let numbers = model.even.iter_mut().chain(&mut model.spread);
    numbers.zip(step).for_each(|(number, step)| *number += part * step);
    model
}

impl Measure {
    fn new(model: &Model, bins: &[(f64, f64, Counts)]) -> Measure {
        const RAREST: f64 = 1e-9;
        let mut measure =
            Measure { loss: 0.0, slopes: [0.0; NUMBERS], information: [[0.0; NUMBERS]; NUMBERS] };
        let positions: f64 = bins.iter().flat_map(|(_, _, counts)| counts).sum();
        for &(place, value, counts) in bins {
            let [even, spread] = model.at(place);
            let spread = spread.max(1.0);
            let chance = |value: f64| 1.0 / (1.0 + ((even - value) / spread).exp());
            let (win, lose) = (chance(value), chance(-value));
            let draw = (1.0 - win - lose).max(RAREST);
            // How the logarithm of each chance changes with both curves; a draw is what the others leave.
            let of_win = [-1.0, (even - value) / spread].map(|change| change * (1.0 - win) / spread);
            let of_loss = [-1.0, (even + value) / spread].map(|change| change * (1.0 - lose) / spread);
            let of_draw = [0, 1].map(|curve| -(win * of_win[curve] + lose * of_loss[curve]) / draw);
            let all = counts.iter().sum::<f64>() / positions;
            for ((chance, count), change) in
                [win, draw, lose].into_iter().zip(counts).zip([of_win, of_draw, of_loss])
            {
                let share = count / positions;
                measure.loss -= share * chance.max(RAREST).ln();
                let change: Numbers = std::array::from_fn(|i| change[i / 4] * place.powi(i as i32 % 4));
                for (row, (slope, information)) in
                    measure.slopes.iter_mut().zip(&mut measure.information).enumerate()
                {
                    *slope -= share * change[row];
                    let weight = all * chance * change[row];
                    information.iter_mut().zip(&change).for_each(|(sum, change)| *sum += weight * change);
                }
            }
        }
        measure
    }
}

/// The solution of linear equations, by elimination; none if they have no single one.
fn solve(mut rows: [Numbers; NUMBERS], mut right: Numbers) -> Option<Numbers> {
    for pivot in 0..NUMBERS {
        let largest =
            (pivot..NUMBERS).max_by(|&a, &b| rows[a][pivot].abs().total_cmp(&rows[b][pivot].abs()))?;
        rows.swap(pivot, largest);
        right.swap(pivot, largest);
        if rows[pivot][pivot].abs() < 1e-300 {
            return None;
        }
        for row in pivot + 1..NUMBERS {
            let times = rows[row][pivot] / rows[pivot][pivot];
            let above = rows[pivot];
            rows[row].iter_mut().zip(above).for_each(|(number, above)| *number -= times * above);
            right[row] -= times * right[pivot];
        }
    }
    for row in (0..NUMBERS).rev() {
        let known: f64 = (row + 1..NUMBERS).map(|column| rows[row][column] * right[column]).sum();
        right[row] = (right[row] - known) / rows[row][row];
    }
    Some(right)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts as they would be if a model were right.
    fn counts_of(model: &Model) -> Vec<(f64, f64, Counts)> {
        let mut bins = Vec::new();
        for fullmove in (FIRST_MOVE..120).step_by(4) {
            for value in (-MOST_VALUE..=MOST_VALUE).step_by(40) {
                let place = Model::place(fullmove);
                let [even, spread] = model.at(place);
                let value = f64::from(value);
                let chance = |value: f64| 1.0 / (1.0 + ((even - value) / spread).exp());
                let (win, loss) = (chance(value), chance(-value));
                bins.push((place, value, [100.0 * win, 100.0 * (1.0 - win - loss), 100.0 * loss]));
            }
        }
        bins
    }

    #[test]
    fn slopes_are_what_small_steps_change() {
        let truth = Model { even: [150.0, 30.0, -4.0, 1.0], spread: [60.0, 5.0, 1.0, 0.0] };
        let bins = counts_of(&truth);
        let model = Model { even: [180.0, 10.0, 2.0, 0.5], spread: [70.0, -3.0, 2.0, 0.1] };
        let measure = Measure::new(&model, &bins);
        for (part, slope) in measure.slopes.into_iter().enumerate() {
            let step: Numbers = std::array::from_fn(|number| f64::from(u8::from(number == part)));
            let at = |length: f64| Measure::new(&moved(&model, &step, length), &bins).loss;
            let found = (at(1e-3) - at(-1e-3)) / 2e-3;
            assert!((found - slope).abs() < 1e-7 + 1e-4 * slope.abs(), "{part}: {found} {slope}");
        }
    }

    #[test]
    fn a_model_comes_back_from_its_counts() {
        let truth = Model { even: [150.0, 40.0, -8.0, 1.0], spread: [60.0, 8.0, -1.0, 0.0] };
        let (found, _) = fit(&counts_of(&truth));
        for fullmove in [8, 20, 32, 60, 100] {
            let (right, found) = (truth.at(Model::place(fullmove)), found.at(Model::place(fullmove)));
            for (right, found) in right.iter().zip(found) {
                assert!((right - found).abs() < 0.02 * right, "{fullmove}: {right} {found}");
            }
        }
    }
}
