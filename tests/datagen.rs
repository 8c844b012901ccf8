//! Self-play through the library: the same seed gives the same bytes, whatever happens on the way.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::time::Duration;

use rosada::chess::Position;
use rosada::engine::evaluation::Evaluation;
use rosada::fairy::variants;
use rosada::game::Game;
use rosada::lab::datagen::{Settings, Summary, Target, generate, info};
use rosada::lab::games::{GameReader, GameRecord, GameResult};
use tempfile::TempDir;

/// Few nodes: weak games, but quick ones.
const NODES: u64 = 150;
const GAMES: u64 = 6;

fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

fn settings(output: PathBuf) -> Settings {
    Settings {
        output,
        rules: variants::chess(),
        target: Target::Games(GAMES),
        nodes: NODES,
        threads: 1,
        seed: 20,
        book: None,
        chess960: 0.0,
        hash_mb: 1,
        evaluation: Evaluation::Classical,
        quiet: true,
    }
}

fn run(settings: &Settings) -> Summary {
    generate(settings, &AtomicBool::new(false)).expect("games")
}

fn bytes(path: &Path) -> Vec<u8> {
    std::fs::read(path).expect("a file")
}

fn games(path: &Path) -> Vec<GameRecord> {
    let mut reader = GameReader::open(path).expect("a file of games");
    let games = reader.by_ref().collect();
    assert_eq!(reader.damage(), None);
    games
}

#[test]
fn the_same_seed_gives_the_same_file_with_any_number_of_threads() {
    let folder = folder();
    let [one, again, three, other] = ["one", "again", "three", "other"].map(|name| folder.path().join(name));
    let summary = run(&settings(one.clone()));
    assert!(summary.complete && summary.made.games == GAMES, "{summary}");
    run(&settings(again.clone()));
    run(&Settings { threads: 3, ..settings(three.clone()) });
    run(&Settings { seed: 21, ..settings(other.clone()) });
    assert_eq!(bytes(&one), bytes(&again));
    assert_eq!(bytes(&one), bytes(&three));
    assert_ne!(bytes(&one), bytes(&other));
}

#[test]
fn a_run_in_parts_equals_a_run_in_one_go() {
    let folder = folder();
    let (whole, parts) = (folder.path().join("whole"), folder.path().join("parts"));
    run(&settings(whole.clone()));
    for target in [1, 2, 4, GAMES] {
        run(&Settings { target: Target::Games(target), threads: 2, ..settings(parts.clone()) });
    }
    assert_eq!(bytes(&parts), bytes(&whole));
    let summary = run(&settings(parts.clone()));
    assert!(summary.complete && summary.made.games == 0);
    assert_eq!(bytes(&parts), bytes(&whole));
}

#[test]
fn a_stopped_run_finishes_its_games_and_can_go_on() {
    let folder = folder();
    let (whole, parts) = (folder.path().join("whole"), folder.path().join("parts"));
    let many = |output: &Path| Settings { threads: 2, ..settings(output.to_path_buf()) };
    let stop = AtomicBool::new(false);
    let endless = Settings { target: Target::Games(u64::MAX), ..many(&parts) };
    let summary = std::thread::scope(|scope| {
        let running = scope.spawn(|| generate(&endless, &stop).expect("games"));
        std::thread::sleep(Duration::from_millis(200));
        stop.store(true, SeqCst);
        running.join().expect("no panic")
    });
    assert!(!summary.complete);
    let found = games(&parts).len() as u64;
    assert_eq!(found, summary.made.games);
    let target = Target::Games(found + 2);
    run(&Settings { target, ..many(&parts) });
    run(&Settings { target, ..many(&whole) });
    assert_eq!(bytes(&parts), bytes(&whole));
}

#[test]
fn a_cut_off_file_loses_only_its_last_game_and_gets_it_back() {
    let folder = folder();
    let path = folder.path().join("games");
    run(&settings(path.clone()));
    let whole = bytes(&path);
    std::fs::write(&path, &whole[..whole.len() - 3]).expect("a file");
    let info = info::read(&path).expect("a file of games");
    assert_eq!(info.totals.games, GAMES - 1);
    assert!(info.damage.is_some_and(|damage| damage.first.contains(&format!("game {GAMES}"))));
    let summary = run(&settings(path.clone()));
    assert_eq!(summary.made.games, 1);
    assert!(summary.found.repair.is_some_and(|repair| repair.contains(&format!("game {GAMES}"))));
    assert_eq!(bytes(&path), whole);
}

#[test]
fn a_target_of_positions_ends_with_the_game_that_reaches_it() {
    let folder = folder();
    let (by_games, by_positions) = (folder.path().join("games"), folder.path().join("positions"));
    run(&settings(by_games.clone()));
    let plies: Vec<u64> = games(&by_games).iter().map(|game| game.plies.len() as u64).collect();
    let target = Target::Positions(plies[..3].iter().sum::<u64>() + 1);
    run(&Settings { target, threads: 2, ..settings(by_positions.clone()) });
    assert_eq!(games(&by_positions).len(), 4);
    assert!(bytes(&by_games).starts_with(&bytes(&by_positions)));
}

#[test]
fn games_are_whole_and_their_results_are_right() {
    let folder = folder();
    let path = folder.path().join("games");
    run(&settings(path.clone()));
    for game in games(&path) {
        let mut position = game.start.clone();
        assert!(position.outcome().is_none());
        for ply in &game.plies {
            assert!(position.outcome().is_none(), "a game went on after its end");
            position.make(ply.mv);
        }
        match position.outcome() {
            Some(rosada::chess::Outcome::Checkmate) => {
                assert_eq!(game.result, GameResult::win_for(!position.side_to_move()));
            }
            Some(_) => assert_eq!(game.result, GameResult::Draw),
            None => assert!(game.plies.len() >= 4),
        }
    }
}

#[test]
fn info_tells_what_is_there() {
    let folder = folder();
    let path = folder.path().join("games");
    let summary = run(&settings(path.clone()));
    let info = info::read(&path).expect("a file of games");
    assert_eq!(info.totals, summary.made);
    assert_eq!(info.bytes, bytes(&path).len() as u64);
    assert!(
        info.note.starts_with("seed 20, 150 nodes a move, by the classical evaluation, 1 MB"),
        "{}",
        info.note
    );
    let header = 32 + info.note.len();
    assert_eq!(info.bytes, header as u64 + 40 * GAMES + 4 * info.totals.positions);
    assert_eq!(info.endings.values().sum::<u64>(), GAMES);
    assert_eq!(info.scores.iter().sum::<u64>(), info.totals.positions);
    assert_eq!((info.repeated_games, &info.damage), (0.0, &None));
    let lengths: Vec<usize> = games(&path).iter().map(|game| game.plies.len()).collect();
    assert_eq!(
        info.lengths,
        (lengths.iter().copied().min().unwrap_or(0), lengths.into_iter().max().unwrap_or(0))
    );

    // The same games once more: half of everything is repeated.
    let mut twice = bytes(&path);
    twice.extend_from_within(header..);
    std::fs::write(&path, twice).expect("a file");
    let info = info::read(&path).expect("a file of games");
    assert_eq!(info.repeated_games, 0.5);
    assert!(info.repeated_positions >= 0.5);
    let text = info.to_string();
    for word in ["repeated games                 50.00 %", "White won", "adjudication", "level", "sound"] {
        assert!(text.contains(word), "{word} is missing in\n{text}");
    }
}

#[test]
fn games_start_from_the_positions_of_a_book() {
    let folder = folder();
    let (path, book) = (folder.path().join("games"), folder.path().join("book.epd"));
    // Kings and pawns only: no other start leads here.
    std::fs::write(&book, "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - bm e4;\n").expect("a file");
    let book = Some(book.to_string_lossy().into_owned());
    run(&Settings { book, target: Target::Games(2), ..settings(path.clone()) });
    let men = |position: &Position| position.board().occupied().count();
    assert!(games(&path).iter().all(|game| men(&game.start) <= 18));
}

#[test]
fn a_share_of_the_games_is_chess960() {
    let folder = folder();
    let path = folder.path().join("games");
    run(&Settings { chess960: 0.5, nodes: 10, target: Target::Games(30), ..settings(path.clone()) });
    let shuffled = games(&path).iter().filter(|game| game.start.is_chess960()).count();
    assert!((5..26).contains(&shuffled), "{shuffled} of 30");
}

#[test]
fn recorded_scores_have_not_faded() {
    let folder = folder();
    let (path, book) = (folder.path().join("games"), folder.path().join("book.epd"));
    // A queen against a rook: no capture and no pawn move for long. With 99 half moves on the clock less than 60 % of a
    // value is left, and the game goes on until it is mate or drawn.
    std::fs::write(&book, "8/8/8/3k4/3r4/8/1Q6/3K4 w - - 0 1\n").expect("a file");
    let book = Some(book.to_string_lossy().into_owned());
    run(&Settings { book, nodes: 30, target: Target::Games(12), ..settings(path.clone()) });
    let mut late = Vec::new();
    for game in games(&path) {
        let mut position = game.start.clone();
        for ply in &game.plies {
            if position.halfmove_clock() >= 80 && ply.score.abs() < 20_000 {
                late.push(i32::from(ply.score.abs()));
            }
            position.make(ply.mv);
        }
    }
    late.sort_unstable();
    assert!(late.len() > 20, "{} positions late in the fifty moves", late.len());
    assert!(late[late.len() / 2] > 500, "{late:?}");
}

#[test]
fn games_branch_off_from_other_games() {
    let folder = folder();
    let [first, book, second, same, other] =
        ["first", "book.epd", "second", "same", "other"].map(|name| folder.path().join(name));
    std::fs::write(&book, "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - bm e4;\n").expect("a file");
    let starting_from = |book: &Path, output: &Path| Settings {
        book: Some(book.to_string_lossy().into_owned()),
        target: Target::Games(4),
        ..settings(output.to_path_buf())
    };
    run(&starting_from(&book, &first));
    run(&starting_from(&first, &second));
    let men = |position: &Position| position.board().occupied().count();
    assert!(games(&second).iter().all(|game| men(&game.start) <= 18));
    run(&starting_from(&first, &same));
    assert_eq!(bytes(&second), bytes(&same));
    // A file that is cut off is no book, and neither is one of another game.
    let never = AtomicBool::new(false);
    std::fs::write(&book, &bytes(&first)[..bytes(&first).len() - 3]).expect("a file");
    let error = generate(&starting_from(&book, &other), &never).expect_err("a damaged file");
    assert!(error.to_string().contains("book.epd"), "{error}");
    let rules = variants::find("janus").expect("janus");
    let error = generate(&Settings { rules, ..starting_from(&first, &other) }, &never).expect_err("chess");
    assert!(error.to_string().contains("a file of chess games"), "{error}");
    assert!(!other.exists());
}

#[test]
fn what_cannot_be_done_is_said_and_leaves_no_file() {
    let folder = folder();
    let path = folder.path().join("games");
    let no_book = Settings { book: Some("/no/such/book.epd".to_string()), ..settings(path.clone()) };
    let error = generate(&no_book, &AtomicBool::new(false)).expect_err("there is no book");
    assert!(error.to_string().contains("/no/such/book.epd"), "{error}");
    assert!(!path.exists());
    std::fs::write(&path, "something else, long enough to have a header").expect("a file");
    let error = generate(&settings(path.clone()), &AtomicBool::new(false)).expect_err("no game file");
    assert!(error.to_string().contains("not a file of game records"), "{error}");
    assert!(bytes(&path).starts_with(b"something else"));
}
