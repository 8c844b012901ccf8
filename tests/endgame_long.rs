//! Every three- and four-man position against Syzygy, distances against published ones, whole games against a perfect
//! defender. Minutes, so all of it is ignored unless asked for:
//!
//! ```text
//! cargo test --release --test endgame_long -- --ignored
//! ```
//! `ROSADA_ENDGAME_DIR` names a folder with tables; what is missing there of three and four men is built first. Without it
//! a temporary folder is used. Tables of five men take part where they are there.

mod common;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use common::gui::{Gui, move_of};
use common::{for_each_in_parallel, shared_lines};
use once_cell::sync::Lazy;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use rosada::base::{Color, Error};
use rosada::chess::{Piece, Position, Square};
use rosada::endgame::Value;
use rosada::endgame::build::{Observer, build, plan};
use rosada::endgame::ending::Ending;
use rosada::endgame::index::{Layout, Squares};
use rosada::endgame::parallel::Crew;
use rosada::endgame::placement::Placement;
use rosada::endgame::syzygy::{Syzygy, Wdl};
use rosada::endgame::tables::Tables;

struct Silent;

impl Observer for Silent {
    fn begin(&self, _: Ending, _: usize) {}
    fn done(&self, _: Ending, _: Option<usize>) {}
    fn refused(&self, path: &Path, reason: &Error) {
        eprintln!("{}: {reason}", path.display());
    }
}

/// The folder with the tables of up to four men.
static FOLDER: Lazy<PathBuf> = Lazy::new(|| {
    let folder = match std::env::var_os("ROSADA_ENDGAME_DIR") {
        Some(folder) => PathBuf::from(folder),
        None => tempfile::tempdir().expect("a folder").keep(),
    };
    let wanted: Vec<Ending> = [3, 4].into_iter().flat_map(Ending::with_men).collect();
    let stop = AtomicBool::new(false);
    let crew = Crew { threads: 2, stop: &stop, progress: &|_, _, _| {} };
    build(&folder, &plan(&wanted), &crew, &Silent).expect("tables");
    folder
});

static TABLES: Lazy<Tables> = Lazy::new(|| {
    let found = Tables::in_folders(std::slice::from_ref(&*FOLDER)).expect("a folder");
    assert_eq!(found.faults, Vec::<String>::new());
    found.tables
});

static SYZYGY: Lazy<Option<Syzygy>> = Lazy::new(|| {
    let folder = syzygy_folder();
    if !folder.exists() {
        eprintln!("SKIPPED: {}", folder.display());
        return None;
    }
    Syzygy::in_folders(&[folder], Box::new(|_| {})).expect("Syzygy tables").tables
});

fn syzygy_folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/data/tb/syzygy")
}

/// The position of a placement, if a FEN of it is accepted: three checkers at once are not.
fn position(layout: &Layout, squares: &Squares, side: Color) -> Option<Position> {
    let mut board = [['1'; 8]; 8];
    for (man, square) in layout.men().iter().zip(squares) {
        board[7 - usize::from(square.rank())][usize::from(square.file())] =
            Piece::new(man.color, man.kind).letter();
    }
    let ranks: Vec<String> = board.iter().map(|rank| rank.iter().collect()).collect();
    let side = if side.is_white() { 'w' } else { 'b' };
    Position::from_fen(&format!("{} {side} - - 0 1", ranks.join("/"))).ok()
}

fn assert_agrees(position: &Position, syzygy: &Syzygy) {
    let own = TABLES.probe(position).expect("a table of ours");
    let expected = match own {
        Value::Win(_) => Wdl::Win,
        Value::Draw => Wdl::Draw,
        Value::Loss(_) => Wdl::Loss,
    };
    assert_eq!(syzygy.probe(position.board()), Some(expected), "{position}: ours is {own}");
}

#[test]
#[ignore = "minutes"]
fn every_position_of_up_to_four_men_agrees_with_syzygy() {
    let Some(syzygy) = &*SYZYGY else { return };
    let endings: Vec<Ending> = [4, 3].into_iter().flat_map(Ending::with_men).collect();
    let compared = AtomicU64::new(0);
    for_each_in_parallel(&endings, |&ending| {
        let layout = Layout::new(ending);
        let mut count = 0u64;
        for number in 0..layout.size() {
            let squares = layout.placement(number);
            if !layout.is_used(number, &squares) {
                continue;
            }
            let placement = Placement::new(&layout, squares);
            for side in Color::ALL.into_iter().filter(|&side| placement.is_legal(side)) {
                if let Some(position) = position(&layout, &squares, side) {
                    assert_agrees(&position, syzygy);
                    count += 1;
                }
            }
        }
        eprintln!("{ending}: {count} positions agree");
        compared.fetch_add(count, Relaxed);
    });
    eprintln!("{} positions agree in all", compared.load(Relaxed));
    assert!(compared.load(Relaxed) > 90_000_000);
}

#[test]
#[ignore = "minutes"]
fn captures_en_passant_agree_with_syzygy() {
    let Some(syzygy) = &*SYZYGY else { return };
    let layout = Layout::new(Ending::parse("KPvKP").expect("an ending"));
    let mut count = 0;
    for number in 0..layout.size() {
        let squares = layout.placement(number);
        if !layout.is_used(number, &squares) {
            continue;
        }
        let Some(before) = position(&layout, &squares, Color::White) else { continue };
        for mv in before.legal_moves() {
            let mut after = before.clone();
            after.make(mv);
            if after.board().en_passant().is_some() {
                assert_agrees(&after, syzygy);
                count += 1;
            }
        }
    }
    eprintln!("{count} positions with en passant agree");
    assert!(count > 10_000);
}

/// Random positions of endings with Syzygy tables, three or four men each.
fn random_positions(random: &mut StdRng, count: usize) -> Vec<Position> {
    let endings: Vec<Ending> = [3, 4].into_iter().flat_map(Ending::with_men).collect();
    let mut positions = Vec::new();
    while positions.len() < count {
        let layout = Layout::new(endings[random.random_range(0..endings.len())]);
        let squares = layout.placement(random.random_range(0..layout.size()));
        let side = Color::from_bool(random.random());
        let found = position(&layout, &squares, side);
        let men = layout.men().len();
        positions.extend(found.filter(|position| position.board().occupied().count() as usize == men));
    }
    positions
}

/// One to three flipped bits, a cut at whole lines (others are refused at once), or two tables exchanged.
fn do_damage(random: &mut StdRng, files: &mut [(String, Vec<u8>)]) {
    let count = files.len();
    match random.random_range(0..4) {
        0 => {
            let (one, other) = (random.random_range(0..count), random.random_range(0..count));
            let bytes = std::mem::take(&mut files[one].1);
            files[one].1 = std::mem::replace(&mut files[other].1, bytes);
        }
        1 => {
            let bytes = &mut files[random.random_range(0..count)].1;
            let lines = random.random_range(0..bytes.len() / 64);
            bytes.truncate(64 * lines + 16);
        }
        _ => {
            for _ in 0..random.random_range(1..=3) {
                let bytes = &mut files[random.random_range(0..count)].1;
                // Half of the damage hits the beginning, which tells how the rest is to be read.
                let end = if random.random() { bytes.len().min(200) } else { bytes.len() };
                bytes[random.random_range(4..end)] ^= 1 << random.random_range(0..8);
            }
        }
    }
}

#[test]
#[ignore = "minutes"]
fn damaged_syzygy_tables_do_no_harm() {
    let Some(sound) = &*SYZYGY else { return };
    let read = |entry: std::io::Result<std::fs::DirEntry>| {
        let path = entry.expect("a file").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        (name, std::fs::read(path).expect("a table"))
    };
    let files: Vec<(String, Vec<u8>)> =
        std::fs::read_dir(syzygy_folder()).expect("a folder").map(read).collect();
    let sets: Vec<u64> = (0..1000).collect();
    let [told, missed, wrong, asked] = [0; 4].map(AtomicU64::new);
    for_each_in_parallel(&sets, |&seed| {
        let mut random = StdRng::seed_from_u64(seed);
        let mut files = files.clone();
        do_damage(&mut random, &mut files);
        let folder = tempfile::tempdir().expect("a folder");
        for (name, bytes) in &files {
            std::fs::write(folder.path().join(name), bytes).expect("a file");
        }
        let complaints = std::sync::Arc::new(AtomicU64::new(0));
        let heard = std::sync::Arc::clone(&complaints);
        let listener = Box::new(move |_: String| {
            heard.fetch_add(1, Relaxed);
        });
        let found = Syzygy::in_folders(&[folder.path().to_path_buf()], listener).expect("a folder");
        let tables = found.tables.expect("most tables are sound");
        for position in random_positions(&mut random, 200) {
            asked.fetch_add(1, Relaxed);
            let right = sound.probe(position.board());
            match tables.probe(position.board()) {
                None => missed.fetch_add(1, Relaxed),
                found => wrong.fetch_add(u64::from(found != right), Relaxed),
            };
            tables.root_moves(&position);
        }
        told.fetch_add(u64::from(complaints.load(Relaxed) > 0 || !found.faults.is_empty()), Relaxed);
    });
    let [told, missed, wrong, asked] = [told, missed, wrong, asked].map(AtomicU64::into_inner);
    eprintln!(
        "1,000 damaged sets, {told} of them noticed; of {asked} positions {missed} were missed and {wrong} wrong \
         (bits flipped in packed values, which no reader can notice)"
    );
    assert!(told > 300, "only {told} of 1,000 damaged sets were noticed");
    assert!(wrong * 1000 < asked, "{wrong} of {asked} results were wrong");
}

#[test]
#[ignore = "asks for the Syzygy tables that the other tests hold"]
fn syzygy_distances_agree_with_other_readers() {
    let Some(syzygy) = &*SYZYGY else { return };
    let (mut compared, mut exact) = (0, 0);
    for line in shared_lines("endgame/shakmaty_syzygy.csv").iter().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let position = Position::from_fen(fields[0]).unwrap_or_else(|error| panic!("{line}: {error}"));
        let (wdl, dtz): (i32, i32) = (fields[1].parse().expect(line), fields[2].parse().expect(line));
        let (Some(found), Some(moves)) = (syzygy.probe(position.board()), syzygy.root_moves(&position))
        else {
            continue;
        };
        assert_eq!(found as i32, wdl, "{line}");
        let distances = moves.iter().map(|&(_, distance)| distance);
        let best = match wdl {
            1.. => distances.filter(|&distance| distance > 0).min(),
            0 => distances.max(),
            _ => distances.min(),
        };
        let best = best.unwrap_or_else(|| panic!("no move: {line}"));
        // Some tables count whole moves, so the distance of a position may be a ply off; that of its best move is not.
        assert!(best.signum() == dtz.signum() && best.abs_diff(dtz) <= 1, "{best}: {line}");
        exact += u32::from(best == dtz);
        compared += 1;
    }
    eprintln!(
        "{compared} Syzygy results agree, {exact} distances exactly, the others but for a ply of rounding"
    );
    assert!(compared > 20);
}

/// Compares a distance in plies, if there is a table.
fn check_distance(fen: &str, expected: Value) -> bool {
    let position = Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
    let Some(value) = TABLES.probe(&position) else { return false };
    assert_eq!(value, expected, "{fen}");
    true
}

#[test]
#[ignore = "builds tables"]
fn distances_agree_with_gaviota() {
    let mut compared = 0;
    for line in shared_lines("endgame/tb34_dtm.epd") {
        let fields: Vec<&str> = line.split(';').map(str::trim).collect();
        let (wdl, dtm): (i32, i32) = (fields[1].parse().expect(&line), fields[3].parse().expect(&line));
        let expected = match wdl {
            0 => Value::Draw,
            1.. => Value::Win(dtm as u32),
            _ => Value::Loss(dtm.unsigned_abs()),
        };
        compared += usize::from(check_distance(fields[0], expected));
    }
    eprintln!("tb34_dtm.epd: {compared} distances agree");
    for name in [
        "endgame/dm4",
        "endgame/dm5",
        "mate/kbbvk_dtm",
        "mate/kbnvk_dtm",
        "mate/kbpvkb_dtm",
        "mate/kqvkp_dtm",
    ]
    .into_iter()
    .chain(["mate/kqvkr_dtm", "mate/krbvkr_dtm", "mate/krpvkr_dtm", "mate/krvk_dtm"])
    {
        let (mut known, mut all) = (0, 0);
        for line in shared_lines(&format!("{name}.epd")) {
            let (fen, rest) = line.split_once(" dm ").expect(&line);
            let moves: i32 = rest.split(';').next().and_then(|moves| moves.parse().ok()).expect(&line);
            let expected = match moves {
                0 => Value::Draw,
                1.. => Value::Win(2 * moves as u32 - 1),
                _ => Value::Loss(2 * moves.unsigned_abs()),
            };
            known += usize::from(check_distance(fen, expected));
            all += 1;
        }
        eprintln!("{name}.epd: {known} of {all} distances known, all agree");
    }
}

/// Random won positions of an ending are won in exactly the table's distance, at 10 ms a move.
fn play_perfectly(name: &str, games: usize) {
    let layout = Layout::new(Ending::parse(name).expect(name));
    if !TABLES.has(layout.ending()) {
        eprintln!("SKIPPED: there is no table of {name}");
        return;
    }
    let mut random = StdRng::seed_from_u64(50);
    let mut gui = Gui::start();
    gui.send(&format!("setoption name EndgamePath value {}", FOLDER.display()));
    gui.sync();
    let mut longest = 0;
    let mut won = 0;
    while won < games {
        let mut squares: Squares = [Square::new(0); 5];
        squares.iter_mut().for_each(|square| *square = Square::new(random.random_range(0..64)));
        let Some(mut game) = position(&layout, &squares, Color::White) else { continue };
        if game.board().occupied().count() as usize != layout.men().len() {
            continue;
        }
        let Some(Value::Win(plies)) = TABLES.probe(&game) else { continue };
        let start = game.fen();
        let mut played = 0;
        let mut moves = String::new();
        while game.has_legal_move() {
            let mv = if game.side_to_move() == Color::White {
                gui.send(&format!("position fen {start} moves{moves}"));
                gui.send("go movetime 10");
                game.parse_uci(&move_of(&gui.best_move())).expect("a legal move")
            } else {
                TABLES.moves(&game).expect("a known position")[0].0
            };
            moves.push_str(&format!(" {}", game.uci(mv)));
            game.make(mv);
            played += 1;
            assert!(played <= plies, "{start}: win in {plies}, but {moves}");
        }
        assert!(game.in_check() && played == plies, "{start}: win in {plies}, but {moves}");
        longest = longest.max(plies);
        won += 1;
    }
    gui.quit();
    eprintln!("{name}: {won} of {games} won in the table's distance, the longest in {longest} plies");
}

#[test]
#[ignore = "builds tables"]
fn won_positions_are_won_in_the_distance_of_the_table() {
    for name in ["KBNvK", "KQvKR", "KRPvKR"] {
        play_perfectly(name, 50);
    }
}
