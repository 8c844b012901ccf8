//! The fit of the variants on made-up games.
#![allow(clippy::unwrap_used)]

use std::cell::RefCell;
use std::path::Path;

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

use super::super::objective::Model;
use super::super::samples::Store;
use super::super::{Arguments, run};
use super::duel;
use super::rows;
use super::slopes::{Boards, Slopes};
use crate::base::Error;
use crate::eval::Fairy;
use crate::eval::fairy::numbers::{ROWS, row_of};
use crate::fairy::{Position, Rules, variants};
use crate::game::{Evaluator, SelfPlay};
use crate::lab::games::{GameRecord, GameResult, GameWriter, Ply};

fn rules(name: &str) -> &'static Rules {
    variants::find(name).unwrap()
}

/// A random game whose searches found the evaluation right, give or take a little, but for the tempo: they value the
/// move `tempo` higher. Who is ahead in the end has won.
fn made_up_game(rules: &'static Rules, seed: u64, tempo: i32) -> GameRecord<Position> {
    let mut random = StdRng::seed_from_u64(seed);
    let start = Position::start(rules);
    let mut position = start.clone();
    let mut evaluator = Fairy::new();
    evaluator.reset(&position);
    let mut plies = Vec::new();
    for _ in 0..80 {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        let mv = moves[random.random_range(0..moves.len())];
        let score = evaluator.evaluate(&position) + random.random_range(-30..=30) + tempo;
        position.play(mv);
        let chance = (position.strikes() > 0).then(|| random.random_range(0..position.strikes()));
        chance.into_iter().for_each(|outcome| position.strike(outcome));
        plies.push(Ply { chance, ..Ply::new(mv, score) });
    }
    let result = match evaluator.evaluate(&position).value() {
        -100..=100 => GameResult::Draw,
        value => {
            GameResult::win_for(if value > 0 { position.side_to_move() } else { !position.side_to_move() })
        }
    };
    GameRecord { start, result, plies }
}

fn write_games(path: &Path, rules: &'static Rules, games: u64) {
    let mut writer = GameWriter::create(path, rules, "").unwrap();
    (0..games).for_each(|seed| writer.write(&made_up_game(rules, seed, 40)).unwrap());
}

fn arguments(folder: &Path, files: &[&str]) -> Arguments {
    Arguments {
        files: files.iter().map(|name| folder.join(name)).collect(),
        lambda: 0.0,
        per_game: 30,
        gap: 150,
        epochs: 40,
        patience: 40,
        batch: 1024,
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

/// Boards of random games.
fn boards(rules: &'static Rules, games: u64) -> Boards {
    let mut boards = Boards::default();
    for seed in 0..games {
        let game = made_up_game(rules, seed, 0);
        let mut position = game.start.clone();
        for ply in &game.plies {
            boards.push(&Boards::item(&position));
            position.play(ply.mv);
            ply.chance.into_iter().for_each(|outcome| position.strike(outcome));
        }
    }
    boards
}

#[test]
fn the_trial_is_the_evaluation() {
    for rules in variants::all() {
        let game = made_up_game(rules, 3, 0);
        let numbers = rows::flat(&ROWS[row_of(rules)].numbers);
        let mut position = game.start.clone();
        let mut evaluator = Fairy::new();
        evaluator.reset(&position);
        for ply in &game.plies {
            let mut one = Boards::default();
            one.push(&Boards::item(&position));
            let sign = if position.side_to_move().is_white() { 1.0 } else { -1.0 };
            let engine = f64::from(evaluator.evaluate(&position).value()) * sign;
            let trial = one.values(&numbers, 1)[0];
            assert!((engine - trial).abs() < 3.0, "{engine} and {trial} in {position}");
            position.play(ply.mv);
            ply.chance.into_iter().for_each(|outcome| position.strike(outcome));
        }
    }
}

/// Near the numbers they were taken at, slopes say what the evaluation says; what is linear they say everywhere.
#[test]
fn slopes_foretell_the_evaluation() {
    let names = rows::names();
    for name in ["janus", "grand", "amazon"] {
        let boards = boards(rules(name), 12);
        let numbers = rows::flat(&ROWS[row_of(rules(name))].numbers);
        let slopes = Slopes::new(&boards, &numbers, 2);
        assert!(slopes.len() > 500);
        for (number, by, most) in [
            ("material[4] middlegame", 60.0, 0.1),
            ("mobility[1] endgame", 16.0, 2.0),
            ("hanging middlegame", 20.0, 0.1),
            ("tempo", 20.0, 0.1),
            ("ring_weak", 4.0, 6.0),
        ] {
            let mut moved = numbers.clone();
            moved[names.iter().position(|other| other == number).unwrap()] += by;
            let engine = boards.values(&moved, 2);
            let before = boards.values(&numbers, 2);
            let mut differs = false;
            for (index, engine) in engine.iter().enumerate() {
                let model = slopes.value(index, &moved);
                // A piece that is worth more may change how much of an endgame counts.
                let jump = number.starts_with("material") && (engine - model).abs() > 50.0;
                assert!((engine - model).abs() < most || jump, "{name} {number}: {engine} and {model}");
                differs |= (engine - before[index]).abs() > 0.5;
            }
            assert!(differs, "{number} has no effect in {name}");
        }
    }
}

#[test]
fn a_run_writes_better_values_of_one_row() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["embassy", "capablanca"] {
        write_games(&folder.path().join(name), rules(name), 230);
    }
    let mut arguments = arguments(folder.path(), &["embassy", "capablanca"]);
    arguments.games = 2;
    let (result, text) = run_and_listen(&arguments);
    result.unwrap();
    assert!(text.contains("written to") && text.contains("new against old values in capablanca: "), "{text}");
    let source = std::fs::read_to_string(folder.path().join("values.rs")).unwrap();
    let tempos: Vec<i32> = source
        .lines()
        .filter_map(|line| line.trim().strip_prefix("tempo: "))
        .map(|number| number.trim_end_matches(',').parse().unwrap())
        .collect();
    let row = row_of(rules("embassy"));
    for (index, tempo) in tempos.into_iter().enumerate() {
        let gained = tempo - ROWS[index].numbers.singles.tempo;
        assert!(if index == row { (25..=55).contains(&gained) } else { gained == 0 }, "{gained}: {text}");
    }
    assert!(source.contains("origin: \"fitted to"), "{source}");
}

#[test]
fn what_cannot_work_is_said() {
    let folder = tempfile::tempdir().unwrap();
    for (file, name) in [("j", "janus"), ("g", "grand"), ("c", "chess960")] {
        write_games(&folder.path().join(file), rules(name), 5);
    }
    let complaint =
        |files: &[&str]| run_and_listen(&arguments(folder.path(), files)).0.unwrap_err().to_string();
    assert!(complaint(&["j"]).contains("too few quiet positions"));
    assert!(complaint(&["j", "g"]).contains("games of janus and of grand in one fit"));
    assert!(complaint(&["missing"]).contains("missing"));
    assert!(!folder.path().join("values.rs").exists());
}

/// A duel depends on its seed alone, and a player without sense of material loses it.
#[test]
fn duels_are_fair() {
    let folder = Path::new("");
    let mut arguments = Arguments { games: 6, nodes: 400, ..arguments(folder, &[]) };
    let good = &ROWS[row_of(rules("janus"))].numbers;
    let mut poor = good.clone();
    poor.weights.material = [poor.weights.material[0]; 9];
    let tally = duel::play(rules("janus"), good, &poor, &arguments).unwrap();
    assert_eq!(tally.wins + tally.draws + tally.losses, 6);
    assert!(tally.wins > tally.losses, "{tally}");
    arguments.threads = 1;
    assert_eq!(duel::play(rules("janus"), good, &poor, &arguments).unwrap(), tally);
    let mirror = duel::play(rules("janus"), good, good, &arguments).unwrap();
    assert_eq!(mirror.wins, mirror.losses, "the same player against itself");
}
