//! Self-play in the variants: what holds for chess holds for them, and what chance did can be replayed.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use rosada::engine::evaluation::Evaluation;
use rosada::fairy::{Position, Rules, variants};
use rosada::game::SelfPlay;
use rosada::lab::datagen::{Settings, Target, generate, info};
use rosada::lab::games::{GameReader, GameRecord, GameResult, Recorded};

/// The seven that are played with new pieces.
const NAMES: [&str; 7] = ["maharajah", "janus", "embassy", "amazon", "grand", "caparandom", "behemoth"];

fn rules(name: &str) -> &'static Rules {
    variants::find(name).expect(name)
}

/// Few nodes: weak games, but quick ones.
fn settings(output: PathBuf, name: &str) -> Settings {
    Settings {
        output,
        rules: rules(name),
        target: Target::Games(3),
        nodes: 40,
        threads: 1,
        seed: 20,
        book: None,
        chess960: 0.0,
        hash_mb: 1,
        evaluation: Evaluation::Classical,
        quiet: true,
    }
}

fn run(settings: &Settings) {
    let summary = generate(settings, &AtomicBool::new(false)).expect("games");
    assert!(summary.complete, "{summary}");
}

fn games(path: &Path) -> Vec<GameRecord<Position>> {
    let mut reader = GameReader::open(path).expect("a file of games");
    let games = reader.by_ref().collect();
    assert_eq!(reader.damage(), None);
    games
}

#[test]
fn any_number_of_threads_and_parts_gives_the_same_file() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in NAMES {
        let path = |kind: &str| folder.path().join(format!("{name}-{kind}"));
        let bytes = |kind: &str| std::fs::read(path(kind)).expect("a file");
        run(&settings(path("one"), name));
        run(&Settings { threads: 3, ..settings(path("three"), name) });
        run(&Settings { target: Target::Games(1), ..settings(path("parts"), name) });
        run(&Settings { threads: 2, ..settings(path("parts"), name) });
        run(&Settings { seed: 21, ..settings(path("other"), name) });
        assert_eq!(bytes("one"), bytes("three"), "{name}");
        assert_eq!(bytes("one"), bytes("parts"), "{name}");
        assert_ne!(bytes("one"), bytes("other"), "{name}");
    }
}

#[test]
fn games_are_whole_and_their_results_are_right() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in NAMES {
        let path = folder.path().join(name);
        run(&Settings { threads: 2, ..settings(path.clone(), name) });
        for game in games(&path) {
            let mut position = game.start.clone();
            for ply in &game.plies {
                assert_eq!(position.ending(), None, "a game of {name} went on after its end");
                position.play(ply.mv);
                assert_eq!(position.strikes() > 0, ply.chance.is_some());
                ply.chance.into_iter().for_each(|outcome| position.strike(outcome));
            }
            if let Some(ending) = position.ending() {
                assert_eq!(game.result, GameResult::from(ending.winner), "{name}: {}", ending.rule);
            }
        }
        let info = info::read(&path).expect("a file of games");
        assert_eq!((info.variant, info.totals.games, &info.damage), (name, 3, &None));
        assert!(info.to_string().contains(name), "{info}");
    }
}

#[test]
fn a_raid_of_the_behemoth_may_end_a_game() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games");
    run(&Settings { target: Target::Games(20), ..settings(path.clone(), "behemoth") });
    let games = games(&path);
    let ends_by_raid =
        |game: &GameRecord<Position>| game.plies.last().is_some_and(|ply| ply.chance.is_some());
    assert!(games.iter().any(ends_by_raid) && !games.iter().all(ends_by_raid));
    let mut last = games[0].start.clone();
    games[0].plies.iter().for_each(|ply| last.replay(ply));
    assert!(last.ending().is_some());
}

#[test]
fn capablanca_random_starts_from_many_arrays() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games");
    run(&Settings { target: Target::Games(6), ..settings(path.clone(), "caparandom") });
    // No random move of a pawn or piece makes up for another array, so the rooks' rights tell.
    let mut rights: Vec<String> = games(&path)
        .iter()
        .filter_map(|game| game.start.fen().split(' ').nth(2).map(str::to_string))
        .collect();
    rights.sort();
    rights.dedup();
    assert!(rights.len() > 3, "{rights:?}");
}

#[test]
fn files_of_other_games_are_refused_and_left_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games");
    run(&settings(path.clone(), "janus"));
    let before = std::fs::read(&path).expect("a file");
    for other in ["grand", "chess"] {
        let error =
            generate(&settings(path.clone(), other), &AtomicBool::new(false)).expect_err("another game");
        assert!(error.to_string().contains("janus") && error.to_string().contains(other), "{error}");
    }
    assert_eq!(std::fs::read(&path).expect("a file"), before);
    for tool in [&["wdl"][..], &["train", "--out", "x.nnue"], &["rescore", "x.bin"]] {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_rosada"))
            .arg(tool[0])
            .arg(&path)
            .args(&tool[1..])
            .current_dir(folder.path())
            .output()
            .expect("the program");
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(complaint.contains("a file of janus games, where games of chess are needed"), "{complaint}");
        assert!(!output.status.success());
    }
}
