//! Games from PGN as records: nothing gets lost on the way, and what is not sound is left out and named.
//!
//! `data/fastchess.pgn` holds games of the engine at 400 nodes a move as fastchess 1.8.2 writes them: two from a book, two
//! that were adjudicated or drawn, two of Chess960. `data/openbench-*.pgn` are the same games as OpenBench's client (version
//! 49) uploads them.

use std::io::{BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::AtomicBool;

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use rosada::base::Score;
use rosada::chess::{ChessMove, Position};
use rosada::lab::datagen::import::{ImportSettings, Imported, import};
use rosada::lab::games::{GameReader, GameRecord, GameResult};
use rosada::pgn::split::Splitter;
use rosada::pgn::{Game, read};
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use tempfile::TempDir;

const FASTCHESS: &str = include_str!("data/fastchess.pgn");
const COMPACT: &str = include_str!("data/openbench-compact.pgn");
const VERBOSE: &str = include_str!("data/openbench-verbose.pgn");
/// Moves from the book in each of the games.
const BOOK_MOVES: [usize; 6] = [6, 6, 0, 0, 0, 0];

/// A folder with a file in it.
fn folder_with(name: &str, bytes: &[u8]) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).expect("a file");
    (folder, path)
}

fn settings(folder: &TempDir, files: &[&Path]) -> ImportSettings {
    ImportSettings {
        output: folder.path().join("games.rsg"),
        files: files.iter().map(|path| path.to_path_buf()).collect(),
        scale: 1.0,
        quiet: true,
    }
}

fn run(settings: &ImportSettings) -> Imported {
    import(settings, &AtomicBool::new(false)).expect("games")
}

fn records(path: &Path) -> Vec<GameRecord> {
    let mut reader = GameReader::open(path).expect("a file of games");
    let games = reader.by_ref().collect();
    assert_eq!(reader.damage(), None);
    games
}

/// What a file with these bytes gives.
fn import_bytes(name: &str, bytes: &[u8]) -> (Imported, Vec<GameRecord>) {
    let (folder, path) = folder_with(name, bytes);
    let settings = settings(&folder, &[&path]);
    let imported = run(&settings);
    let records = records(&settings.output);
    assert_eq!(imported.totals.games, records.len() as u64);
    (imported, records)
}

fn games(text: &str) -> Vec<Game> {
    let mut splitter = Splitter::new(BufReader::new(text.as_bytes()));
    let mut games = Vec::new();
    while let Some(text) = splitter.next_game().expect("a text") {
        games.push(read::read(text).expect("a game"));
    }
    games
}

/// A score as fastchess writes it.
fn score_text(score: i16) -> String {
    let sign = if score < 0 { "-" } else { "+" };
    match Score::new(i32::from(score)).plies_to_mate() {
        Some(plies) => format!("{sign}M{plies}"),
        None if score == 0 => "0.00".to_string(),
        None => format!("{sign}{:.2}", f64::from(score.unsigned_abs()) / 100.0),
    }
}

/// The record tells the same as the game behind so many moves of its opening.
fn assert_same(record: &GameRecord, game: &Game, opening: usize) {
    let mut position = match game.tag("FEN") {
        Some(fen) => Position::from_fen(fen).expect("a position"),
        None => Position::start(),
    };
    position.set_chess960(game.tag("Variant").is_some());
    assert_eq!(record.plies.len(), game.plies.len() - opening);
    for (index, ply) in game.plies.iter().enumerate() {
        if index == opening {
            assert_eq!(record.start.fen(), position.fen());
            assert!(record.start.past_keys().is_empty());
        }
        let mv = match index.checked_sub(opening) {
            Some(place) => {
                let recorded = &record.plies[place];
                let score = score_text(recorded.score);
                assert!(ply.comment.starts_with(&format!("{score}/")), "{score}, not {}", ply.comment);
                recorded.mv
            }
            None => position.parse_san(&ply.text).expect("a move"),
        };
        assert_eq!(position.san(mv), ply.text);
        position.make(mv);
    }
    let result = match record.result {
        GameResult::WhiteWins => "1-0",
        GameResult::BlackWins => "0-1",
        GameResult::Draw => "1/2-1/2",
    };
    assert_eq!(result, game.ending());
}

fn assert_all_same(records: &[GameRecord], games: &[Game]) {
    assert_eq!((records.len(), games.len()), (6, 6));
    for ((record, game), opening) in records.iter().zip(games).zip(BOOK_MOVES) {
        assert_same(record, game, opening);
    }
}

fn bzip2(text: &str) -> Vec<u8> {
    let mut packer = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::default());
    packer.write_all(text.as_bytes()).expect("memory");
    packer.finish().expect("memory")
}

/// An archive as the server of OpenBench hands it out.
fn tar(files: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (name, bytes) in files {
        let mut header = tar::Header::new_ustar();
        header.set_size(bytes.len() as u64);
        builder.append_pax_extensions([("mtime", &b"1795129765.1947224"[..])]).expect("memory");
        builder.append_data(&mut header, name, &bytes[..]).expect("memory");
    }
    builder.into_inner().expect("memory")
}

/// The command, with what it says.
fn rosada(arguments: &[&str], folder: &TempDir) -> (Output, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rosada"));
    let output = command.arg("datagen").args(arguments).current_dir(folder.path()).output().expect("a run");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    (output, said)
}

#[test]
fn games_are_recorded_as_fastchess_wrote_them() {
    let (imported, records) = import_bytes("a.pgn", FASTCHESS.as_bytes());
    assert_eq!((imported.left_out.games(), imported.damaged), (0, 0));
    assert_all_same(&records, &games(FASTCHESS));
    assert!(records[4].start.is_chess960() && !records[0].start.is_chess960());
    let castles = |record: &GameRecord| record.plies.iter().filter(|ply| ply.mv.is_castling()).count();
    assert_eq!(castles(&records[5]), 2);
}

#[test]
fn openbench_gives_the_same_games() {
    let archive = tar(&[("7.1.0.pgn.bz2", bzip2(COMPACT)), ("7.2.64.pgn.bz2", bzip2(VERBOSE))]);
    let (imported, records) = import_bytes("7.pgn.tar", &archive);
    assert_eq!((imported.totals.games, imported.left_out.games(), imported.damaged), (12, 0, 0));
    assert_all_same(&records[..6], &games(FASTCHESS));
    assert_all_same(&records[6..], &games(FASTCHESS));
}

#[test]
fn packed_files_are_read_and_noted_by_name() {
    let (folder, one) = folder_with("one.pgn.bz2", &bzip2(COMPACT));
    let two = folder.path().join("two.pgn.zst");
    std::fs::write(&two, compress_to_vec(FASTCHESS.as_bytes(), CompressionLevel::Fastest)).expect("a file");
    let mut settings = settings(&folder, &[&one, &two]);
    settings.scale = 1.42;
    assert_eq!(run(&settings).totals.games, 12);
    let reader: GameReader = GameReader::open(&settings.output).expect("a file of games");
    assert_eq!(reader.note(), "scores times 1.42, imported from one.pgn.bz2, two.pgn.zst");
    let (_, plain) = import_bytes("a.pgn", FASTCHESS.as_bytes());
    for (scaled, plain) in records(&settings.output)
        .iter()
        .flat_map(|game| &game.plies)
        .zip(plain.iter().chain(&plain).flat_map(|game| &game.plies))
    {
        let is_mate = Score::new(i32::from(plain.score)).is_mate();
        let factor = if is_mate { 1.0 } else { 1.42 };
        assert_eq!(i32::from(scaled.score), (f64::from(plain.score) * factor).round() as i32);
    }
}

/// The first game of the file, with a change.
fn changed(from: &str, to: &str) -> String {
    let first = FASTCHESS.split_inclusive("\n\n").take(2).collect::<String>();
    assert!(first.contains(from), "{from}");
    first.replace(from, to)
}

/// Games that are not sound, the reason as it is counted, and what is said about it.
fn broken_games() -> Vec<(String, &'static str, &'static str)> {
    let bare = |text: &str| text.split('{').map(|part| part.rsplit('}').next().unwrap_or("")).collect();
    let termination = |words: &str| changed("\"normal\"", &format!("\"{words}\""));
    let with_tag = |tag: &str| changed("[ECO", &format!("{tag}\n[ECO"));
    let (illegal, missing) = ("with an illegal or unreadable move", "with a score missing");
    let (forfeit, contradiction) = ("forfeited or broken off", "with contradictory results");
    let start = "with an impossible start position";
    vec![
        (changed("10. e5 {", "10. e6 {"), illegal, ": 10. e6: \"e6\" is not legal in "),
        (changed("10. e5 {", "10. xyz {"), illegal, ": 10. xyz: \"xyz\" is not a move"),
        (changed("Ba7 {-0.64/0 0.000s, ", "Ba7 {/0 0.000s, "), missing, "9... Ba7: there is no score"),
        (changed("Ba7 {-0.64/0 0.000s, ", "Ba7 {unknown, "), missing, "9... Ba7: there is no score"),
        (bare(&changed("1-0", "1-0")), "without scores", "no move has a score"),
        (changed("1-0", "*"), "without a result", "the game has no result"),
        (changed(", White mates} 1-0", "}"), "cut off", "there is no result behind the last move"),
        (changed(", White mates} 1-0", ""), "unreadable", "the comment that begins here has no end"),
        (changed("} 1-0", "} 1/2-1/2"), contradiction, "the result is 1/2-1/2, but \"1-0\" in the tag"),
        (changed("1-0", "0-1"), contradiction, "the result after checkmate is 0-1"),
        (termination("time forfeit"), forfeit, "ended by \"time forfeit\""),
        (termination("abandoned"), forfeit, "ended by \"abandoned\""),
        (termination("stalled connection"), forfeit, "ended by \"stalled connection\""),
        (termination("illegal move"), forfeit, "ended by \"illegal move\""),
        (termination("unterminated"), "without a result", "was not played to its end"),
        (changed("White mates", "Black loses on time"), forfeit, "loses on time"),
        (with_tag("[Variant \"crazyhouse\"]"), "of another game than chess", "the game is \"crazyhouse\""),
        (with_tag("[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]"), start, "FEN: "),
        (with_tag("[SetUp \"1\"]"), start, "there is no FEN"),
    ]
}

#[test]
fn games_that_are_not_sound_are_left_out_and_named() {
    let broken = broken_games();
    for (text, reason, words) in &broken {
        // Sound games before and behind it lose nothing.
        let (folder, _) = folder_with("a.pgn", [FASTCHESS, text, FASTCHESS].concat().as_bytes());
        let (output, said) = rosada(&["games.rsg", "--import", "a.pgn"], &folder);
        assert!(output.status.success() && said.contains(words), "{words}: {said}");
        let summary = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(summary.contains(&format!("left out: 1 games (1 {reason})")), "{words}: {summary}");
        let records = records(&folder.path().join("games.rsg"));
        assert_eq!(records.len(), 12);
        assert_all_same(&records[6..], &games(FASTCHESS));
    }
    let text: String = broken.iter().map(|(text, _, _)| text.as_str()).chain([FASTCHESS]).collect();
    let (folder, _) = folder_with("a.pgn", text.as_bytes());
    let (output, said) = rosada(&["games.rsg", "--import", "a.pgn"], &folder);
    assert!(output.status.success(), "{said}");
    for (index, (_, _, words)) in broken.iter().enumerate() {
        let line = said.lines().nth(index).expect("a line");
        let begin = format!("left out: a.pgn, game {}, line ", index + 1);
        assert!(line.starts_with(&begin) && line.contains(words), "{words}: {line}");
    }
    let summary = String::from_utf8_lossy(&output.stdout).into_owned();
    let counts = "\nleft out: 19 games (1 unreadable, 1 cut off, 2 without a result, ";
    assert!(summary.contains(counts), "{summary}");
}

#[test]
fn the_line_of_a_fault_is_told() {
    let text = changed("10. e5 {", "10. e6 {");
    let line = 1 + text.lines().position(|line| line.starts_with("10. e6")).expect("the line");
    let (folder, _) = folder_with("a.pgn", [FASTCHESS, &text].concat().as_bytes());
    let (_, said) = rosada(&["games.rsg", "--import", "a.pgn"], &folder);
    let line = FASTCHESS.lines().count() + line;
    assert!(said.starts_with(&format!("left out: a.pgn, game 7, line {line}: 10. e6: ")), "{said}");
}

#[test]
fn many_faults_do_not_flood() {
    let text = changed("1-0", "*").repeat(50) + FASTCHESS;
    let (folder, _) = folder_with("a.pgn", text.as_bytes());
    for (quiet, lines) in [(&["--quiet"][..], 0), (&[], 21)] {
        let arguments = [&["games.rsg", "--import", "a.pgn"], quiet].concat();
        let (output, said) = rosada(&arguments, &folder);
        assert!(output.status.success());
        assert_eq!(said.lines().count(), lines, "{said}");
        let summary = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(summary.contains("left out: 50 games (50 without a result)"), "{summary}");
        std::fs::remove_file(folder.path().join("games.rsg")).expect("a file");
    }
}

#[test]
fn the_opening_has_no_scores() {
    // Both sides have left the book, one of them comes back to it: the record begins when that is over.
    let text = changed("5. d4 {+0.58/4 0.003s, n=400, sd=4}", "5. d4 {book}");
    let (imported, records) = import_bytes("a.pgn", text.as_bytes());
    assert_eq!(imported.totals.games, 1);
    assert_eq!(records[0].plies.len(), 55 - 9);
    assert_eq!(records[0].start.fullmove(), 5);
    // Moves without any comment are an opening, too.
    let text = changed(" {book}", "");
    let (_, records) = import_bytes("a.pgn", text.as_bytes());
    assert_same(&records[0], &games(FASTCHESS)[0], 6);
}

#[test]
fn damaged_files_give_what_came_before_and_fail() {
    let many = FASTCHESS.repeat(40);
    let packed = compress_to_vec(many.as_bytes(), CompressionLevel::Fastest);
    let (folder, _) = folder_with("a.pgn.zst", &packed[..packed.len() / 2]);
    std::fs::write(folder.path().join("b.pgn"), FASTCHESS).expect("a file");
    let (output, said) = rosada(&["games.rsg", "--import", "a.pgn.zst", "b.pgn"], &folder);
    assert_eq!(output.status.code(), Some(1));
    assert!(said.contains("cannot be read to its end: a.pgn.zst, behind game "), "{said}");
    let records = records(&folder.path().join("games.rsg"));
    assert!(records.len() > 60, "{} games", records.len());
    // Those of the file behind it are there, too.
    assert_all_same(&records[records.len() - 6..], &games(FASTCHESS));

    let archive = tar(&[
        ("1.pgn.bz2", bzip2(COMPACT)[..2_000].to_vec()),
        ("2.pgn.bz2", bzip2(COMPACT)),
        ("notes.zip", b"PK\x03\x04".to_vec()),
    ]);
    let (folder, path) = folder_with("7.pgn.tar", &archive);
    let imported = run(&settings(&folder, &[&path]));
    assert_eq!((imported.totals.games, imported.damaged), (6, 2));
    assert!(imported.damage[0].contains("\"1.pgn.bz2\"") && imported.damage[1].contains("zip"), "{imported}");
}

#[test]
fn whatever_the_bytes_are_only_sound_games_are_recorded() {
    let mut random = StdRng::seed_from_u64(3);
    let mut kept = 0;
    for _ in 0..300 {
        let mut bytes = [FASTCHESS, COMPACT, VERBOSE][random.random_range(0..3)].as_bytes().to_vec();
        for _ in 0..random.random_range(1..60) {
            let place = random.random_range(0..bytes.len());
            let other = random.random_range(0..bytes.len());
            match random.random_range(0..3) {
                0 => bytes[place] = random.random(),
                1 => bytes[place] = bytes[other],
                _ => drop(bytes.drain(place.min(other)..place.min(other) + (place.abs_diff(other) % 50))),
            }
        }
        let (folder, path) = folder_with("a.pgn", &bytes);
        let settings = settings(&folder, &[&path]);
        match import(&settings, &AtomicBool::new(false)) {
            Ok(imported) => {
                assert_eq!(imported.totals.games, records(&settings.output).len() as u64);
                kept += imported.totals.games;
            }
            Err(_) => assert!(!settings.output.exists()),
        }
    }
    assert!(kept > 100, "{kept} games");
}

#[test]
fn without_games_there_is_no_file() {
    let (folder, _) = folder_with("a.pgn", changed("1-0", "*").as_bytes());
    std::fs::write(folder.path().join("empty.pgn"), "").expect("a file");
    for (files, words) in [
        (&["a.pgn"][..], "left out: 1 games (1 without a result)"),
        (&["empty.pgn"], "there was no game to be imported"),
        (&["."], "is a folder"),
        (&["a.pgn", "missing.pgn"], "missing.pgn: "),
    ] {
        let (output, said) = rosada(&[&["games.rsg", "--import"], files].concat(), &folder);
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains(words), "{said}");
        assert!(!folder.path().join("games.rsg").exists());
    }
}

#[test]
fn a_file_that_is_there_stays() {
    let (folder, _) = folder_with("a.pgn", FASTCHESS.as_bytes());
    std::fs::write(folder.path().join("games.rsg"), "precious").expect("a file");
    let (output, said) = rosada(&["games.rsg", "--import", "a.pgn"], &folder);
    assert_eq!(output.status.code(), Some(1));
    assert!(said.contains("games.rsg: exists already"), "{said}");
    assert_eq!(std::fs::read(folder.path().join("games.rsg")).expect("a file"), b"precious");
}

#[test]
fn an_interruption_leaves_nothing() {
    let (folder, path) = folder_with("a.pgn", FASTCHESS.as_bytes());
    let settings = settings(&folder, &[&path]);
    let error = import(&settings, &AtomicBool::new(true)).expect_err("an interruption").to_string();
    assert!(error.contains("interrupted") && !settings.output.exists(), "{error}");
}

#[test]
#[cfg(unix)]
fn a_full_disk_leaves_nothing() {
    let (folder, _) = folder_with("a.pgn", FASTCHESS.repeat(20).as_bytes());
    let script = format!(
        "ulimit -f 8; trap '' XFSZ; exec '{}' datagen games.rsg --import a.pgn",
        env!("CARGO_BIN_EXE_rosada")
    );
    let mut command = Command::new("sh");
    let output = command.args(["-c", &script]).current_dir(folder.path()).output().expect("a run");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("games.rsg: ") && !folder.path().join("games.rsg").exists(), "{said}");
}

#[test]
fn arguments_of_play_do_not_go_with_an_import() {
    let (folder, _) = folder_with("a.pgn", FASTCHESS.as_bytes());
    let import = ["games.rsg", "--import", "a.pgn"];
    for more in ["--games", "--positions", "--nodes", "--threads", "--seed", "--hash"] {
        let (output, said) = rosada(&[&import[..], &[more, "5"]].concat(), &folder);
        assert!(output.status.code() == Some(2) && said.contains(more), "{said}");
    }
    let (output, said) = rosada(&import[1..], &folder);
    assert!(output.status.code() == Some(2) && said.contains("<OUTPUT>"), "{said}");
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 1);
}
