//! Our endgame tables: the counts of a published study, the tables in the binary, damaged files, perfect play.
//!
//! What takes minutes is in `endgame_long.rs`.

mod common;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use common::gui::{Gui, field, move_of};
use proptest::prelude::*;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use rosada::base::Color;
use rosada::chess::{Position, Square};
use rosada::endgame::build::plan;
use rosada::endgame::ending::Ending;
use rosada::endgame::format::{self, BLOCK, Table};
use rosada::endgame::index::{Layout, Squares};
use rosada::endgame::parallel::Crew;
use rosada::endgame::placement::Placement;
use rosada::endgame::solve::solve;
use rosada::endgame::solved::{Library, Solved};
use rosada::endgame::tables::Tables;
use rosada::endgame::{Value, stats};

fn with_crew<T>(work: impl FnOnce(&Crew<'_>) -> T) -> T {
    let stop = AtomicBool::new(false);
    work(&Crew { threads: 2, stop: &stop, progress: &|_, _, _| {} })
}

/// The endings of a plan, solved in memory.
fn solved(names: &[&str]) -> Library {
    let wanted: Vec<Ending> = names.iter().map(|name| Ending::parse(name).expect(name)).collect();
    let mut library = Library::new();
    for ending in plan(&wanted) {
        let solved = with_crew(|crew| solve(ending, &library, crew)).expect("a solved ending");
        library.insert(ending, Arc::new(solved));
    }
    library
}

fn get<'a>(library: &'a Library, name: &str) -> &'a Solved {
    &library[&Ending::parse(name).expect(name)]
}

/// Whether a placement of white king, black king and others is the one that a study of KQvKR counts: white king in the
/// triangle a1-d1-d4; while all so far stand on the diagonal a1-h8 the next one below it, the last below or on it.
fn is_counted(squares: &[Square]) -> bool {
    let (file, rank) = (squares[0].file(), squares[0].rank());
    if file > 3 || rank > file {
        return false;
    }
    let off_diagonal = squares.iter().find(|square| square.file() != square.rank());
    off_diagonal.is_none_or(|square| square.rank() < square.file())
}

#[test]
fn queen_against_rook_counts_as_a_published_study_says() {
    let library = solved(&["KQvKR"]);
    let all: Vec<Square> = Square::all().collect();
    let (mut entries, mut apart) = (0u64, 0u64);
    let mut legal = [0u64; 2];
    let mut without_move = [[0u64; 2]; 2];
    let mut wins = [vec![0u64; 100], vec![0u64; 100]];
    let mut look_at = |squares: &[Square], solved: &Solved| {
        if !is_counted(squares) {
            return;
        }
        entries += 1;
        let mut seen = 0u64;
        squares.iter().for_each(|square| seen |= 1 << square.raw());
        if seen.count_ones() as usize != squares.len() {
            return;
        }
        apart += 1;
        let mut places: Squares = [all[0]; 5];
        places[..squares.len()].copy_from_slice(squares);
        if !Layout::kings_apart(&places) {
            return;
        }
        let placement = Placement::new(solved.layout(), places);
        for side in Color::ALL.into_iter().filter(|&side| placement.is_legal(side)) {
            legal[side.index()] += 1;
            if !placement.has_move(side) {
                without_move[side.index()][usize::from(!placement.in_check(side))] += 1;
            }
            let value = solved.code(side, solved.layout().number(&places)).value();
            match (side, value) {
                (Color::White, Value::Win(plies)) => wins[0][plies as usize] += 1,
                (Color::Black, Value::Loss(plies)) => wins[1][plies as usize] += 1,
                _ => {}
            }
        }
    };
    for &white in &all {
        for &black in &all {
            for &queen in &all {
                look_at(&[white, black, queen], get(&library, "KQvK"));
                for &rook in &all {
                    look_at(&[white, black, queen, rook], get(&library, "KQvKR"));
                }
            }
        }
    }
    assert_eq!((entries, apart), (2_131_072, 1_937_880));
    assert_eq!(legal, [1_137_297, 1_375_962]);
    // Mated and stalemated, White and Black.
    assert_eq!(without_move, [[306, 0], [1_420, 109]]);
    assert_eq!((wins[0][1], wins[0][69], wins[1][70]), (11_591, 10, 59));
    assert!(wins[0][70..].iter().all(|&count| count == 0) && wins[1][71..].iter().all(|&count| count == 0));

    // The command's own counts are the same.
    let both =
        ["KQvK", "KQvKR"].map(|name| with_crew(|crew| stats::count(get(&library, name), crew)).expect(name));
    for side in Color::ALL {
        let sum = |number: fn(&stats::Side) -> u64| {
            both.iter().map(|stats| number(&stats.sides[side.index()])).sum::<u64>()
        };
        assert_eq!(sum(|side| side.legal), legal[side.index()]);
        assert_eq!([sum(|side| side.mated), sum(|side| side.stalemated)], without_move[side.index()]);
    }
}

#[test]
fn the_tables_in_the_binary_are_what_the_generator_makes() {
    let library = solved(&["KQvK", "KRvK", "KBvK", "KNvK", "KPvK"]);
    for ending in Ending::with_men(3) {
        let path = format!("{}/src/endgame/embedded/{ending}.dtm", env!("CARGO_MANIFEST_DIR"));
        let made = with_crew(|crew| format::pack(&library[&ending], crew)).expect("a packed table");
        assert!(
            std::fs::read(&path).expect("an embedded table") == made,
            "{path}: see README.md, Endgame tables"
        );
    }
}

/// A random legal position of some men, White to move or Black.
fn random_position(men: &str, random: &mut impl Rng) -> Position {
    loop {
        let mut board = [['1'; 8]; 8];
        for letter in men.chars() {
            let ranks = if letter.eq_ignore_ascii_case(&'p') { 1..7 } else { 0..8 };
            board[random.random_range(ranks)][random.random_range(0..8)] = letter;
        }
        let ranks: Vec<String> = board.iter().map(|rank| rank.iter().collect()).collect();
        let side = if random.random() { 'w' } else { 'b' };
        match Position::from_fen(&format!("{} {side} - - 0 1", ranks.join("/"))) {
            Ok(position) if position.board().occupied().count() as usize == men.len() => return position,
            _ => {}
        }
    }
}

#[test]
fn a_value_is_one_ply_more_than_that_of_the_best_move() {
    let tables = Tables::embedded();
    let mut random = StdRng::seed_from_u64(5);
    for men in ["KQk", "KRk", "KPk", "kqK", "kpK", "KBk", "Kkn"] {
        for _ in 0..2_000 {
            let position = random_position(men, &mut random);
            let value = tables.probe(&position).expect("three men");
            let moves = tables.moves(&position).expect("three men");
            let expected = match moves.first() {
                Some((_, best)) => *best,
                None if position.in_check() => Value::Loss(0),
                None => Value::Draw,
            };
            assert_eq!(value, expected, "{position}");
            assert!(moves.windows(2).all(|pair| pair[0].1.rank() >= pair[1].1.rank()));
        }
    }
}

#[test]
fn what_no_table_can_know_is_not_known() {
    let tables = Tables::embedded();
    for fen in ["4k3/8/8/8/8/8/8/4K2R w K - 0 1", "4k3/8/8/8/8/8/8/3QKR2 w - - 0 1", rosada::chess::START_FEN]
    {
        assert_eq!(tables.probe(&Position::from_fen(fen).expect(fen)), None, "{fen}");
    }
    let bare = Position::from_fen("4k3/8/8/8/8/8/8/4K3 w - - 0 1").expect("bare kings");
    assert_eq!(tables.probe(&bare), Some(Value::Draw));
}

fn good_file() -> Vec<u8> {
    std::fs::read(format!("{}/src/endgame/embedded/KQvK.dtm", env!("CARGO_MANIFEST_DIR"))).expect("a table")
}

fn refusal(bytes: &[u8], name: &str) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).expect("a file");
    Table::open(&path).err().map_or("accepted".to_string(), |error| error.to_string())
}

#[test]
fn bad_files_are_refused_with_the_reason() {
    let good = good_file();
    assert_eq!(refusal(&good, "KQvK.dtm"), "accepted");
    let changed = |place: usize| {
        let mut bytes = good.clone();
        bytes[place] ^= 0x10;
        bytes
    };
    for (bytes, name, reason) in [
        (changed(5000), "KQvK.dtm", "the content is damaged: its checksum is wrong"),
        (changed(60), "KQvK.dtm", "the content is damaged: its checksum is wrong"),
        (changed(20), "KQvK.dtm", "the header is damaged"),
        (changed(8), "KQvK.dtm", "the format has version 17, this program reads 1"),
        (good[..good.len() / 2].to_vec(), "KQvK.dtm", "the file is cut off"),
        (good[..30].to_vec(), "KQvK.dtm", "the file is cut off"),
        ([good.clone(), vec![0]].concat(), "KQvK.dtm", "there is something behind the end"),
        (b"a text about queens".to_vec(), "KQvK.dtm", "this is no endgame table of Rosada"),
        (Vec::new(), "KQvK.dtm", "the file is empty"),
        (good.clone(), "KRvK.dtm", "the file holds KQvK"),
        (good.clone(), "notes.dtm", "the file holds KQvK"),
    ] {
        assert_eq!(refusal(&bytes, name), reason);
    }
}

#[test]
fn a_file_that_is_cut_while_in_use_says_nothing_more() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("KQvK.dtm");
    std::fs::write(&path, good_file()).expect("a file");
    let table = Table::open(&path).expect("a table");
    let unpacked = || table.unpack(Color::White, 0, &mut [0; BLOCK]);
    assert!(unpacked().is_some());
    std::fs::File::options()
        .write(true)
        .open(&path)
        .and_then(|file| file.set_len(40))
        .expect("a file to cut");
    assert!(unpacked().is_none());
    std::fs::write(&path, good_file()).expect("a file");
    assert!(unpacked().is_some(), "the same file again");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn no_bytes_do_harm(flips in prop::collection::vec((any::<prop::sample::Index>(), 1u8..), 1..4), cut in 0usize..100) {
        let mut bytes = good_file();
        for (place, change) in flips {
            let place = place.index(bytes.len());
            bytes[place] = bytes[place].wrapping_add(change);
        }
        bytes.truncate(bytes.len() - cut);
        let leaked: &'static [u8] = bytes.clone().leak();
        prop_assert!(bytes == good_file() || Table::embedded(leaked).is_err());
    }
}

#[test]
fn one_bad_file_does_not_spoil_the_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("KQvK.dtm"), good_file()).expect("a file");
    std::fs::write(folder.path().join("KRvK.dtm"), b"no table").expect("a file");
    std::fs::write(folder.path().join("readme.txt"), b"not looked at").expect("a file");
    let found = Tables::in_folders(&[folder.path().to_path_buf()]).expect("a folder");
    assert_eq!((found.added, found.faults.len()), (1, 1));
    assert!(found.faults[0].ends_with("KRvK.dtm: this is no endgame table of Rosada"), "{:?}", found.faults);
    assert!(Tables::in_folders(&[PathBuf::from("/no/such/folder")]).is_err());
}

/// Plays a won or lost position out: the engine against a defender that asks the tables. Returns the plies it took.
fn play_out(gui: &mut Gui, mut position: Position, tables: &Tables, go: &str) -> u32 {
    let engine = position.side_to_move();
    let mut plies = 0;
    while position.has_legal_move() {
        assert!(plies < 300, "no end in sight: {position}");
        let mv = if position.side_to_move() == engine {
            gui.send(&format!("position fen {position}"));
            gui.send(go);
            let lines = gui.best_move();
            position.parse_uci(&move_of(&lines)).expect("a legal move")
        } else {
            tables.moves(&position).expect("a known position")[0].0
        };
        position.make(mv);
        plies += 1;
    }
    assert!(position.in_check(), "not mate: {position}");
    plies
}

#[test]
fn three_men_are_played_perfectly_without_any_file() {
    let tables = Tables::embedded();
    let mut random = StdRng::seed_from_u64(7);
    let mut gui = Gui::start();
    for men in ["KQk", "Krk", "KPk", "Kpk"] {
        let mut games = 0;
        while games < 8 {
            let position = random_position(men, &mut random);
            let Some(Value::Win(plies)) = tables.probe(&position) else { continue };
            assert_eq!(play_out(&mut gui, position, &tables, "go movetime 10"), plies, "{men}");
            games += 1;
        }
    }
    gui.quit();
}

#[test]
fn a_table_mate_is_told_with_its_whole_line() {
    let mut gui = Gui::start();
    gui.send("position fen 8/8/8/8/3k4/8/8/KQ6 w - - 0 1");
    gui.send("go depth 3");
    let lines = gui.best_move();
    let info = &lines[lines.len() - 2];
    let moves: usize = field(info, "mate").and_then(|mate| mate.parse().ok()).expect(info);
    let line = info.split(" pv ").nth(1).expect(info).split_whitespace().count();
    assert_eq!(line, 2 * moves - 1, "{info}");
    assert!(
        field(info, "tbhits").and_then(|hits| hits.parse().ok()).is_some_and(|hits: u64| hits > 0),
        "{info}"
    );
    // The fifty-move rule ends the game before this mate.
    gui.send("position fen 8/8/8/8/3k4/8/8/KQ6 w - - 95 120");
    gui.send("go depth 6");
    assert!(gui.best_move().iter().all(|line| !line.contains("score mate")));
    gui.quit();
}

#[test]
fn folders_are_told_of() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().display().to_string();
    let mut gui = Gui::start();
    let mut told = |option: &str, value: &str| {
        gui.send(&format!("setoption name {option} value {value}"));
        gui.sync().join("\n")
    };
    assert_eq!(told("EndgamePath", &path), format!("info string no endgame tables in {path}"));
    assert_eq!(told("SyzygyPath", &path), format!("info string no Syzygy tables in {path}"));
    for option in ["EndgamePath", "SyzygyPath"] {
        let answer = told(option, "/no/such/folder");
        assert!(answer.starts_with(&format!("info string error: {option}: /no/such/folder: ")), "{answer}");
    }
    std::fs::write(folder.path().join("KQvK.dtm"), &good_file()[..100]).expect("a file");
    std::fs::write(folder.path().join("KRvK.rtbw"), b"no table").expect("a file");
    let answer = told("EndgamePath", &path);
    assert!(
        answer.contains("endgame table refused: ") && answer.contains("KQvK.dtm: the file is cut off"),
        "{answer}"
    );
    let answer = told("SyzygyPath", &path);
    assert!(answer.contains("KRvK.rtbw: this is no Syzygy table"), "{answer}");
    assert_eq!(told("EndgamePath", "<empty>"), "");
    gui.quit();
}

/// A Syzygy table by its first bytes and its size, and nonsense in between.
fn nonsense_table() -> Vec<u8> {
    let mut bytes: Vec<u8> = (0..64 * 40 + 16).map(|number| (number * 37 % 251) as u8).collect();
    bytes[..4].copy_from_slice(&[0x71, 0xE8, 0x23, 0x5D]);
    bytes
}

#[test]
fn a_damaged_syzygy_table_is_told_once_and_play_goes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["KQvK", "KRvK", "KBvK", "KNvK", "KPvK", "KQvKR"] {
        std::fs::write(folder.path().join(format!("{name}.rtbw")), nonsense_table()).expect("a file");
    }
    let set = format!("setoption name SyzygyPath value {}", folder.path().display());
    let mut gui = Gui::start();
    gui.send(&set);
    assert!(gui.sync().concat().contains("6 WDL and 0 DTZ tables"));
    let complaints = |gui: &mut Gui| {
        gui.send("position fen 8/8/3k4/p7/8/3K4/6r1/Q7 w - - 0 1");
        gui.send("go depth 9");
        let lines = gui.best_move();
        assert!(!lines.last().expect("a line").contains("(none)"));
        lines.iter().filter(|line| line.contains("cannot be read")).count()
    };
    let first = complaints(&mut gui);
    assert!((1..=6).contains(&first), "{first} complaints");
    // In use, shortened, set again and taken away: at once, and nothing is lost but the tables.
    std::fs::write(folder.path().join("KQvK.rtbw"), b"").expect("a file");
    gui.send(&set);
    assert_eq!(gui.sync(), Vec::<String>::new(), "what is so already is no news");
    let again = complaints(&mut gui);
    assert!(first + again <= 6, "{first} and {again} complaints");
    for _ in 0..3 {
        gui.send("setoption name SyzygyPath value");
        assert_eq!(gui.sync(), Vec::<String>::new());
        gui.send(&set);
        let told = gui.sync().join("\n");
        assert!(told.contains("KQvK.rtbw: ") && told.contains("5 WDL and 0 DTZ tables"), "{told}");
    }
    gui.quit();
}

#[test]
#[cfg(unix)]
fn an_interrupted_build_leaves_no_half_file_and_goes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let build = || {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_rosada"));
        command.args(["endgame", "build", "KBNvK", "--dir"]).arg(folder.path());
        command.stderr(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
        command.spawn().expect("the binary")
    };
    let files = || -> Vec<PathBuf> {
        let entries = std::fs::read_dir(folder.path()).expect("a folder");
        entries.map(|entry| entry.expect("an entry").path()).collect()
    };
    let first = build();
    // The three-man tables come first; with the second of them there, larger ones are in work.
    while files().len() < 2 {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let id = first.id().to_string();
    assert!(std::process::Command::new("kill").args(["-INT", &id]).status().expect("kill").success());
    let output = first.wait_with_output().expect("an end");
    assert!(!output.status.success() && String::from_utf8_lossy(&output.stderr).contains("interrupted"));
    assert!(files().iter().all(|path| Table::open(path).is_ok()), "{:?}", files());
    assert!(files().len() < 3);
    let output = build().wait_with_output().expect("an end");
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success() && told.contains("KBvK: there already"), "{told}");
    assert_eq!(files().len(), 3);
}

#[test]
fn a_drawn_position_is_held_and_told_as_drawn() {
    let mut gui = Gui::start();
    // One move holds; the search would have to look far to see it.
    gui.send("position fen 8/8/8/8/4k3/4p3/8/4K3 w - - 0 1");
    gui.send("go nodes 20000");
    let lines = gui.best_move();
    let position = Position::from_fen("8/8/8/8/4k3/4p3/8/4K3 w - - 0 1").expect("a position");
    let moves = Tables::embedded().moves(&position).expect("three men");
    let best = position.parse_uci(&move_of(&lines)).expect("a legal move");
    assert!(moves.contains(&(best, Value::Draw)), "{lines:#?}");
    assert!(lines[lines.len() - 2].contains("score cp 0 "), "{lines:#?}");
    // Several lines: the drawing moves come before the losing ones.
    gui.send("setoption name MultiPV value 5");
    gui.send("go depth 8");
    let lines = gui.best_move();
    let last: Vec<&String> = lines.iter().rev().skip(1).take(moves.len()).collect();
    let losing = last.iter().filter(|line| line.contains("score mate -")).count();
    assert_eq!(losing, moves.iter().filter(|(_, value)| *value != Value::Draw).count(), "{lines:#?}");
    gui.quit();
}

#[test]
fn syzygy_tables_are_used_at_the_root_and_in_the_tree() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/data/tb/syzygy");
    if !folder.exists() {
        eprintln!("SKIPPED: {}", folder.display());
        return;
    }
    let mut gui = Gui::start();
    gui.send(&format!("setoption name SyzygyPath value /tmp;{}", folder.display()));
    assert!(gui.sync().iter().any(|line| line.contains("35 WDL and 35 DTZ tables with up to 4 men")));
    let mut last_info = |position: &str, go: &str| {
        gui.send(&format!("position fen {position}"));
        gui.send(go);
        let lines = gui.best_move();
        lines[lines.len() - 2].clone()
    };
    // Won, far beyond the search; and only drawn.
    let info = last_info("8/8/8/1r6/8/4k3/8/K5Q1 b - - 0 1", "go nodes 2000");
    assert!(info.contains("score cp -309") || info.contains("score mate -"), "{info}");
    let info = last_info("8/8/4k3/8/8/1r2K3/8/6R1 w - - 0 1", "go nodes 2000");
    assert!(info.contains("score cp 0 "), "{info}");
    // Five men: one capture leads into the tables.
    let info = last_info("8/8/8/8/2k5/1p6/1r3Q2/K7 w - - 0 1", "go depth 8");
    assert!(
        field(&info, "tbhits").and_then(|hits| hits.parse().ok()).is_some_and(|hits: u64| hits > 0),
        "{info}"
    );
    // All lines of a drawn position are shown.
    gui.send("setoption name MultiPV value 3");
    gui.send("position fen 8/8/4k3/8/8/1r2K3/8/6R1 w - - 0 1");
    gui.send("go depth 5");
    let lines = gui.best_move();
    for rank in 1..=3 {
        assert!(lines.iter().any(|line| line.contains(&format!("multipv {rank} "))), "{lines:#?}");
    }
    gui.quit();
}
