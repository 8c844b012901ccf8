//! The neural evaluation in use: in searches, behind its options, in self-play.

mod common;

use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use common::gui::{Gui, field, move_of};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use rosada::base::{Color, Score};
use rosada::chess::{PieceKind, Position};
use rosada::engine::evaluation::Evaluation;
use rosada::eval::Nnue;
use rosada::eval::nnue::architecture::{INPUTS, OUTPUT_BUCKETS};
use rosada::eval::nnue::network::{Origin, Row};
use rosada::eval::nnue::simd::Path;
use rosada::eval::nnue::{Network, file};
use rosada::fairy::variants;
use rosada::game::{Changes, Evaluator};
use rosada::lab::datagen::{Settings, Target, generate};
use rosada::lab::games::{GameReader, GameRecord};
use rosada::search::Worker;
use rosada::time::Limits;
use rosada::tt::Table;

const POSITIONS: [&str; 4] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
];

/// A network by chance: any will do to compare ways of computing it.
fn network(seed: u64) -> Arc<Network> {
    let mut random = StdRng::seed_from_u64(seed);
    let mut row = |limit: i16| Row(std::array::from_fn(|_| random.random_range(-limit..=limit)));
    let inputs = (0..INPUTS).map(|_| row(40)).collect();
    let bias = row(200);
    let outputs = std::array::from_fn(|_| [row(8), row(8)]);
    let origin = Origin { positions: 0, epochs: 0, validation_loss: 0.0 };
    Arc::new(Network::new(inputs, bias, outputs, [0; OUTPUT_BUCKETS], 150, origin))
}

/// Asks a network step by step and compares every answer with the one from scratch.
struct Checked {
    nnue: Nnue,
    network: Arc<Network>,
    compared: Arc<AtomicU64>,
}

impl Evaluator<Position> for Checked {
    const NEEDS_CHANGES: bool = true;

    fn reset(&mut self, game: &Position) {
        self.nnue.reset(game);
    }

    fn make(&mut self, changes: &Changes) {
        self.nnue.make(changes);
    }

    fn unmake(&mut self) {
        self.nnue.unmake();
    }

    fn evaluate(&mut self, game: &Position) -> Score {
        let score = self.nnue.evaluate(game);
        // Against a king alone the network is not asked.
        let board = game.board();
        let is_bare = |side| board.color(side) == board.pieces(side, PieceKind::King);
        if !Color::ALL.into_iter().any(is_bare) {
            assert_eq!(score, self.network.evaluate(board), "{game}");
            self.compared.fetch_add(1, Relaxed);
        }
        score
    }
}

fn to_depth(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

#[test]
fn every_node_of_a_search_is_valued_as_from_scratch() {
    let network = network(1);
    let compared = Arc::new(AtomicU64::new(0));
    let table = Arc::new(Table::with_megabytes(4).expect("memory"));
    for path in Path::all() {
        let nnue = Nnue::with_path(Arc::clone(&network), path);
        let checked = Checked { nnue, network: Arc::clone(&network), compared: Arc::clone(&compared) };
        // One worker for all positions: what it remembers of one must not spoil the next.
        let mut worker = Worker::new(0, Position::start(), checked);
        for fen in POSITIONS {
            table.clear(1);
            worker.think(&Position::from_fen(fen).expect(fen), to_depth(6), &table);
        }
    }
    assert!(compared.load(Relaxed) > 5_000, "only {} nodes", compared.load(Relaxed));
}

#[test]
fn every_path_searches_the_same_tree() {
    let network = network(2);
    let table = Arc::new(Table::with_megabytes(4).expect("memory"));
    let nodes = |path: Path| {
        let mut worker = Worker::new(0, Position::start(), Nnue::with_path(Arc::clone(&network), path));
        let search = |fen: &&str| {
            table.clear(1);
            worker.clear();
            worker.think(&Position::from_fen(fen).expect(fen), to_depth(7), &table).1
        };
        POSITIONS.iter().map(search).collect::<Vec<u64>>()
    };
    let plain = nodes(Path::plain());
    for path in Path::all() {
        assert_eq!(nodes(path), plain, "{path}");
    }
}

#[test]
fn a_network_is_chosen_and_shown_and_variants_keep_their_own() {
    let mut gui = Gui::start();
    gui.send("uci");
    let lines = gui.read_until(|line| line == "uciok");
    assert!(lines.iter().any(|line| line.starts_with("option name Evaluation type combo")), "{lines:?}");
    assert!(lines.iter().any(|line| line.starts_with("option name EvalFile type string")), "{lines:?}");
    let mut counts = Vec::new();
    for evaluation in ["NNUE", "Classical", "nnue"] {
        gui.send(&format!("setoption name Evaluation value {evaluation}"));
        gui.send("position startpos moves e2e4 e7e5 g1f3");
        gui.send("eval");
        let shown = gui.sync().join("\n");
        assert_eq!(shown.contains("by NNUE"), evaluation != "Classical", "{shown}");
        assert_eq!(shown.contains("counts here"), evaluation != "Classical");
        gui.send("ucinewgame");
        gui.send("go depth 6");
        let lines = gui.best_move();
        let nodes = lines.iter().filter_map(|line| field(line, "nodes")).next_back();
        counts.push(nodes.map(str::to_string));
    }
    assert_eq!(counts[0], counts[2]);
    assert_ne!(counts[0], counts[1]);
    gui.send("setoption name UCI_Variant value grand");
    gui.send("eval");
    assert!(!gui.sync().join("\n").contains("NNUE"));
    gui.send("go depth 3");
    assert!(!move_of(&gui.best_move()).is_empty());
    gui.send("setoption name UCI_Variant value chess");
    gui.send("eval");
    assert!(gui.sync().join("\n").contains("by NNUE"));
    gui.quit();
}

#[test]
fn a_mangled_network_is_refused_and_play_goes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let sound = file::encode(&network(3));
    let mut flipped = sound.clone();
    flipped[70_000] ^= 4;
    let mut foreign = sound.clone();
    foreign[14] ^= 1;
    let cases: [(&str, &[u8], &str); 5] = [
        ("cut", &sound[..sound.len() / 2], "cut off"),
        ("flipped", &flipped, "checksum"),
        ("foreign", &foreign, "another architecture"),
        ("text", b"no network at all", "not a network"),
        ("empty", b"", "not a network"),
    ];
    let mut gui = Gui::start();
    gui.send("setoption name Evaluation value NNUE");
    let path = folder.path().join("sound");
    std::fs::write(&path, &sound).expect("a file");
    gui.send(&format!("setoption name EvalFile value {}", path.display()));
    let told = gui.sync().join("\n");
    assert!(told.contains(&format!("network {}", file::name(&network(3)))), "{told}");
    let value = |gui: &mut Gui| {
        gui.send("position startpos moves d2d4");
        gui.send("eval");
        gui.sync().into_iter().find(|line| line.contains("by NNUE")).expect("a value")
    };
    let before = value(&mut gui);
    for (name, bytes, reason) in cases {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).expect("a file");
        gui.send(&format!("setoption name EvalFile value {}", path.display()));
        let told = gui.sync();
        assert_eq!(told.len(), 1, "{told:?}");
        assert!(told[0].starts_with("info string error: ") && told[0].contains(reason), "{told:?}");
        assert!(told[0].contains(name), "the file is named: {told:?}");
        assert_eq!(value(&mut gui), before, "the old network stays");
        gui.send("go depth 4");
        assert_eq!(move_of(&gui.best_move()).len(), 4);
    }
    for missing in ["/no/such/file.nnue", "/tmp"] {
        gui.send(&format!("setoption name EvalFile value {missing}"));
        let told = gui.sync();
        assert!(told.len() == 1 && told[0].contains(missing), "{told:?}");
    }
    gui.send("setoption name EvalFile value");
    assert!(gui.sync().is_empty());
    assert_ne!(value(&mut gui), before, "the embedded network is back");
    gui.quit();
}

fn games(path: &std::path::Path) -> Vec<GameRecord> {
    GameReader::open(path).expect("a file of games").collect()
}

fn datagen_settings(output: PathBuf, evaluation: Evaluation, threads: usize) -> Settings {
    let target = Target::Games(2);
    Settings {
        output,
        rules: variants::chess(),
        target,
        nodes: 100,
        threads,
        seed: 5,
        book: None,
        chess960: 0.0,
        hash_mb: 1,
        evaluation,
        quiet: true,
    }
}

#[test]
fn games_are_played_by_the_network_and_scored_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let [network_games, again, classical, rescored, rescored_again] =
        ["network", "again", "classical", "rescored", "rescored2"].map(|name| folder.path().join(name));
    let play = |path: &PathBuf, evaluation: Evaluation, threads| {
        generate(&datagen_settings(path.clone(), evaluation, threads), &AtomicBool::new(false))
            .expect("games");
    };
    play(&network_games, Evaluation::Network(network(4)), 1);
    play(&again, Evaluation::Network(network(4)), 2);
    play(&classical, Evaluation::Classical, 1);
    let bytes = |path: &PathBuf| std::fs::read(path).expect("a file");
    assert_eq!(bytes(&network_games), bytes(&again));
    assert_ne!(bytes(&network_games), bytes(&classical));

    let net = folder.path().join("net.nnue");
    std::fs::write(&net, file::encode(&network(4))).expect("a file");
    let rescore = |output: &PathBuf, threads: &str| {
        Command::new(env!("CARGO_BIN_EXE_rosada"))
            .arg("rescore")
            .args([&classical, output])
            .args(["--nodes", "100", "--hash", "1", "--quiet", "--threads", threads, "--eval-file"])
            .arg(&net)
            .output()
            .expect("the program runs")
    };
    let done = rescore(&rescored, "1");
    assert!(done.status.success(), "{done:?}");
    assert!(String::from_utf8_lossy(&done.stdout).contains("scored by network"), "{done:?}");
    rescore(&rescored_again, "2");
    assert_eq!(bytes(&rescored), bytes(&rescored_again));
    for (old, new) in games(&classical).iter().zip(games(&rescored)) {
        assert_eq!((old.start.fen(), old.result), (new.start.fen(), new.result));
        assert!(old.plies.iter().zip(&new.plies).all(|(old, new)| old.mv == new.mv));
        assert!(old.plies.iter().zip(&new.plies).any(|(old, new)| old.score != new.score));
    }
    assert!(!rescore(&rescored, "1").status.success(), "a file that is there is not overwritten");
}
