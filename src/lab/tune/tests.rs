//! The whole tuner on made-up games; tests of a single part sit in its own file.
#![allow(clippy::unwrap_used)]

use std::cell::RefCell;
use std::ops::Range;
use std::path::Path;

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

use super::features::FeatureStore;
use super::fit::{Plan, Sets, fit};
use super::logistic::expectation;
use super::objective::{Objective, values};
use super::parameters;
use super::samples::Collector;
use super::{Arguments, run};
use crate::base::{Error, Score};
use crate::chess::{ChessMove, Position};
use crate::engine::bench;
use crate::eval::Classical;
use crate::eval::classical::weights::TEMPO;
use crate::fairy::variants;
use crate::game::Evaluator;
use crate::lab::games::{GameRecord, GameResult, GameWriter, Ply};

/// The positions of the bench.
pub fn bench_positions() -> Vec<Position> {
    bench::POSITIONS.iter().map(|fen| Position::from_fen(fen).unwrap()).collect()
}

/// Some positions of random games that start from those of the bench.
pub fn random_positions(games: Range<u64>) -> Vec<Position> {
    let starts = bench_positions();
    let mut positions = Vec::new();
    for game in games {
        let mut random = StdRng::seed_from_u64(game);
        let mut position = starts[game as usize % starts.len()].clone();
        for _ in 0..60 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.make(moves[random.random_range(0..moves.len())]);
            if random.random_ratio(1, 3) {
                positions.push(position.clone());
            }
        }
    }
    positions
}

/// The features of positions.
pub fn store(positions: &[Position]) -> FeatureStore {
    let mut features = FeatureStore::default();
    positions.iter().for_each(|position| assert!(features.push(position.board()), "{position}"));
    features
}

/// Positions that some other numbers judge: the fit must find the way to those numbers.
#[test]
fn known_numbers_are_found_again() {
    let scale = 200.0;
    let (training, validation) = (store(&random_positions(0..600)), store(&random_positions(600..660)));
    let start = parameters::built_in();
    let mut goal = start.clone();
    let names = parameters::names();
    let changes = [
        ("material[1] middlegame", 40.0),
        ("rook_open_file middlegame", 20.0),
        ("doubled endgame", -20.0),
        ("king_flank_attack middlegame", 4.0),
        ("tempo", 20.0),
        ("danger unsafe_check", 100.0),
        ("danger safe_check[4][0]", -250.0),
        ("initiative base", 20.0),
    ];
    let place = |name: &str| names.iter().position(|other| other == name).unwrap();
    changes.iter().for_each(|&(name, change)| goal[place(name)] += change);

    let judged = |features: &FeatureStore| -> Vec<f32> {
        let values = values(features, &goal, 2);
        values.iter().map(|value| expectation(value / scale) as f32).collect()
    };
    let objective = |model| Objective { targets: judged(model), model, scale, threads: 2 };
    let (training, validation) = (objective(&training), objective(&validation));
    let sets = Sets { training, validation, grains: &parameters::GRAINS };
    let plan = Plan { epochs: 60, patience: 60, rate: 0.02, batch: 2048, spread: 60.0, seed: 5 };
    let before = sets.measure(&start, 0);
    let floor = sets.measure(&goal, 0).losses.validation;
    let best = fit(&sets, before.clone(), &start, &plan, |_, _| Ok(())).unwrap();

    let (gap, rest) = (before.losses.validation - floor, best.losses.validation - floor);
    assert!(rest < gap / 5.0, "{gap} before, {rest} after");
    for (name, change) in changes {
        let moved = best.values[place(name)] - start[place(name)];
        assert!(moved / change > 0.4, "{name}: {moved} instead of {change}");
    }
}

/// A random game whose searches found the evaluation right, give or take `noise`, but for the tempo: they value the
/// move `tempo` higher. Who is ahead in the end has won.
fn made_up_game(seed: u64, noise: i32, tempo: i32) -> GameRecord {
    let mut random = StdRng::seed_from_u64(seed);
    let start = Position::start();
    let mut position = start.clone();
    let mut evaluator = Classical::new();
    let mut plies = Vec::new();
    for _ in 0..80 {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        let mv = moves[random.random_range(0..moves.len())];
        let score = evaluator.evaluate(&position) + random.random_range(-noise..=noise) + tempo;
        plies.push(Ply::new(mv, score));
        position.make(mv);
    }
    let result = match evaluator.evaluate(&position).value() {
        -100..=100 => GameResult::Draw,
        value => {
            GameResult::win_for(if value > 0 { position.side_to_move() } else { !position.side_to_move() })
        }
    };
    GameRecord { start, result, plies }
}

fn collect(per_game: usize, gap_cp: i32, seed: u64, games: &[GameRecord]) -> Collector {
    let mut collector = Collector::new(per_game, gap_cp, seed);
    games.iter().for_each(|game| collector.add(game));
    collector
}

#[test]
fn few_positions_of_a_game_are_taken_and_none_twice() {
    let games: Vec<GameRecord> = (0..200).map(|seed| made_up_game(seed, 300, 0)).collect();
    let sizes = |collector: &Collector| [collector.training.labels.len(), collector.validation.labels.len()];
    let once = collect(5, 150, 1, &games);
    let [training, validation] = sizes(&once);
    assert!(training + validation <= 5 * 200 && training > 500 && validation > 20, "{training} {validation}");
    assert_eq!(once.training.features.len(), training);
    assert_eq!(sizes(&collect(5, 150, 1, &games)), [training, validation], "the same again");
    assert!(sizes(&collect(5, 20, 1, &games))[0] < training, "a smaller gap leaves fewer");

    // All positions of a game are on one side, and a game that comes again brings nothing new.
    let all = sizes(&collect(1000, 10_000, 1, &games));
    let doubled: Vec<GameRecord> = games.iter().chain(&games).cloned().collect();
    let again = sizes(&collect(1000, 10_000, 1, &doubled));
    assert_eq!(all[0] + all[1], again[0] + again[1]);
    let alone = sizes(&collect(1000, 10_000, 1, &games[..1]));
    assert!(alone.contains(&0) && alone != [0, 0], "{alone:?}");
}

#[test]
fn only_quiet_positions_are_taken() {
    let moves = ["e2e4", "d7d5", "e4d5", "d8d5", "b1c3", "d5e5", "f1e2", "a7a6", "g1f3", "h7h6"];
    let mut position = Position::start();
    let mut plies = Vec::new();
    for (number, text) in moves.iter().enumerate() {
        let mv = position.parse_uci(text).unwrap();
        let score = Classical::new().evaluate(&position);
        let score = if number == 8 { Score::mate_in(5) } else { score };
        plies.push(Ply::new(mv, score));
        assert_eq!(mv.is_tactical(), number == 2 || number == 3);
        position.make(mv);
    }
    let game = GameRecord { start: Position::start(), result: GameResult::WhiteWins, plies };
    let collected = collect(100, 150, 1, &[game]);
    let labels: Vec<_> = collected.training.labels.iter().chain(&collected.validation.labels).collect();
    // Number 6 is in check, number 8 is a mate; 7 and 9 are Black's.
    assert_eq!(labels.len(), 2);
    assert!(labels.iter().all(|label| label.result == 1.0));
}

#[test]
fn targets_blend_result_and_search() {
    let games: Vec<GameRecord> = (0..20).map(|seed| made_up_game(seed, 100, 0)).collect();
    let samples = collect(5, 150, 1, &games).training;
    let close = |a: f32, b: f64| (a as f64 - b).abs() < 1e-6;
    for (index, label) in samples.labels.iter().enumerate() {
        let searched = expectation(label.score_cp as f64 / 150.0);
        assert!(close(samples.targets(1.0, 150.0)[index], label.result as f64));
        assert!(close(samples.targets(0.0, 150.0)[index], searched));
        assert!(close(samples.targets(0.5, 150.0)[index], (label.result as f64 + searched) / 2.0));
    }
}

fn write_games(path: &Path, games: u64) {
    let mut writer = GameWriter::create(path, variants::chess(), "").unwrap();
    (0..games).for_each(|seed| writer.write(&made_up_game(seed, 30, 40)).unwrap());
}

/// Fits to the file `games.bin` of a folder and writes to its `values.rs`.
fn arguments(folder: &Path) -> Arguments {
    Arguments {
        files: vec![folder.join("games.bin")],
        lambda: 0.0,
        per_game: 30,
        gap: 150,
        epochs: 40,
        patience: 40,
        batch: 4096,
        rate: 0.05,
        spread: 20.0,
        threads: 2,
        seed: 1,
        out: Some(folder.join("values.rs")),
        dry_run: false,
        games: 0,
        nodes: 100,
    }
}

fn run_and_listen(arguments: &Arguments) -> (Result<(), Error>, String) {
    let lines = RefCell::new(String::new());
    let result = run(arguments, |line| *lines.borrow_mut() += &format!("{line}\n"));
    (result, lines.into_inner())
}

#[test]
fn a_run_writes_better_values() {
    let folder = tempfile::tempdir().unwrap();
    write_games(&folder.path().join("games.bin"), 700);
    let mut arguments = arguments(folder.path());
    let out = folder.path().join("values.rs");
    arguments.dry_run = true;
    let (result, dry) = run_and_listen(&arguments);
    result.unwrap();
    assert!(dry.contains("nothing was written") && !out.exists(), "{dry}");

    arguments.dry_run = false;
    let (result, text) = run_and_listen(&arguments);
    result.unwrap();
    assert!(text.contains("written to"), "{text}");
    let source = std::fs::read_to_string(&out).unwrap();
    let tempo = source.lines().find_map(|line| line.strip_prefix("pub const TEMPO: i32 = ")).unwrap();
    let gained = tempo.trim_end_matches(';').parse::<i32>().unwrap() - TEMPO;
    assert!((30..=50).contains(&gained), "{gained}: {text}");
    assert!(source.contains("//! Fitted to") && source.ends_with("};\n"), "{source}");
}

#[test]
fn what_cannot_work_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let complaint = |arguments: &Arguments| run_and_listen(arguments).0.unwrap_err().to_string();
    let mut arguments = arguments(folder.path());
    assert!(complaint(&arguments).contains("games.bin"));
    write_games(&arguments.files[0], 20);
    assert!(complaint(&arguments).contains("too few quiet positions"));
    assert!(!folder.path().join("values.rs").exists());
    arguments.out = Some(folder.path().join("missing/values.rs"));
    assert!(complaint(&arguments).contains("no folder"));
}
