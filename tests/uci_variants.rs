//! The variants as GUIs meet them: the real binary over pipes.

mod common;

use common::gui::{Gui, field, move_of};
use rosada::fairy::{Position, variants};

const NAMES: [&str; 9] =
    ["maharajah", "janus", "embassy", "amazon", "grand", "caparandom", "behemoth", "capablanca", "gothic"];

fn start(name: &str) -> Position {
    Position::start(variants::find(name).unwrap_or_else(|| panic!("{name}")))
}

/// What Cute Chess sends before a game.
fn begin(gui: &mut Gui, variant: &str) -> Vec<String> {
    gui.send(&format!("setoption name UCI_Variant value {variant}"));
    let lines = gui.sync();
    gui.send("ucinewgame");
    gui.send("position startpos");
    assert!(gui.sync().is_empty(), "{variant}");
    lines
}

#[test]
fn every_variant_plays_in_one_process() {
    let mut gui = Gui::start();
    gui.send("uci");
    let options = gui.read_until(|line| line == "uciok");
    let combo = options.iter().find(|line| line.contains("UCI_Variant")).expect("the option");
    assert!(combo.contains("type combo default chess var chess var standard "), "{combo}");
    assert!(!combo.contains("fischerandom"), "{combo}");
    for name in NAMES {
        assert!(combo.contains(&format!(" var {name}")), "{combo}");
        let lines = begin(&mut gui, name);
        assert!(lines[0].starts_with(&format!("info string variant {name} files ")), "{lines:?}");
        assert!(lines[0].ends_with(start(name).rules().variant.start), "{lines:?}");
        // A few moves against itself, the list growing as a GUI sends it.
        let mut position = start(name);
        let mut moves = String::new();
        for _ in 0..6 {
            gui.send("go depth 2");
            let best = move_of(&gui.best_move());
            let mv = position.parse_uci(&best).unwrap_or_else(|error| panic!("{name}: {error}"));
            position.make(mv);
            moves.push_str(&format!(" {best}"));
            gui.send(&format!("position startpos moves{moves}"));
            assert!(gui.sync().is_empty(), "{name}: {moves}");
        }
    }
    gui.quit();
}

#[test]
fn chess_is_the_same_after_a_variant() {
    let search = |gui: &mut Gui| {
        gui.send("ucinewgame");
        gui.send("position startpos moves e2e4");
        gui.send("go depth 8");
        let lines = gui.best_move();
        let nodes = lines.iter().filter_map(|line| field(line, "nodes")).next_back().map(str::to_string);
        (move_of(&lines), nodes)
    };
    let mut gui = Gui::start();
    let fresh = search(&mut gui);
    for name in ["grand", "standard", "behemoth", "janus", "chess"] {
        gui.send(&format!("setoption name UCI_Variant value {name}"));
        gui.send("go depth 2");
        gui.best_move();
    }
    assert_eq!(search(&mut gui), fresh);
    // Both names are chess: nothing is rebuilt, the position stays.
    gui.send("position startpos moves d2d4");
    gui.send("setoption name UCI_Variant value standard");
    gui.send("d");
    assert!(gui.sync().iter().any(|line| line.contains("3P4")));
    gui.quit();
}

#[test]
fn options_come_in_any_order() {
    let mut gui = Gui::start();
    for line in [
        "setoption name UCI_Variant value Grand",
        "setoption name Threads value 2",
        "setoption name Hash value 3",
        "setoption name UCI_Chess960 value true",
        "setoption name MultiPV value 2",
        "setoption name UCI_Variant value janus",
        "setoption name UCI_Chess960 value false",
        "setoption name Threads value 1",
        "setoption name Clear Hash",
    ] {
        gui.send(line);
        let said = gui.sync();
        assert!(said.iter().all(|line| line.starts_with("info string variant ")), "{line}: {said:?}");
    }
    gui.send("go nodes 3000");
    let lines = gui.best_move();
    assert!(lines.iter().any(|line| line.contains(" multipv 2 ")), "{lines:?}");
    assert!(start("janus").parse_uci(&move_of(&lines)).is_ok());
    gui.quit();
}

#[test]
fn faults_are_named_and_lose_nothing() {
    let mut gui = Gui::start();
    begin(&mut gui, "janus");
    for (line, words) in [
        ("setoption name UCI_Variant value xiangqi", "UCI_Variant must be one of chess, standard"),
        ("position startpos moves e2e4 e7e9", "move 2: e7e9 is not legal"),
        ("position startpos moves e2e4,se4", "move 1: \"e2e4,se4\" is not a move"),
        ("position startpos moves a7a8a", "move 1: a7a8a: no piece is called a in janus"),
        ("position startpos moves a7a8+", "move 1: \"a7a8+\" is not a move"),
        ("position startpos moves e02e04", "move 1: \"e02e04\" is not a move: no rank begins with 0"),
        ("position fen 4k5/010/10/10/10/10/10/4K5 w - - 0 1", "rank 7: \"010\" is no number of squares"),
        ("position fen 4k5/0/10/10/10/10/10/4K5 w - - 0 1", "rank 7: \"0\" is no number of squares"),
        (
            "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "FEN: rank 8: only 8 squares",
        ),
        ("position fen 10/10/10/10/10/10/10/10 w - - 0 1", "FEN: White has no K"),
        ("position fen 4k5/10/10/10/10/10/10/4K5 w K - 0 1", "no such rook"),
    ] {
        gui.send("position startpos");
        gui.send(line);
        let said = gui.sync();
        assert_eq!(said.len(), 1, "{line}: {said:?}");
        assert!(said[0].starts_with("info string error: ") && said[0].contains(words), "{line}: {said:?}");
    }
    begin(&mut gui, "behemoth");
    for (line, words) in [
        ("position startpos moves e2e4,se5", "is no move of the Behemoth"),
        ("position startpos moves e2e4,", "is no move of the Behemoth"),
        ("position fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1", "one Behemoth"),
        ("position fen 4k3/8/8/8/8/8/3*4/4RK2 w - - 0 1 moves e1e8,n1", "does not move"),
    ] {
        gui.send(line);
        let said = gui.sync();
        assert!(said.len() == 1 && said[0].contains(words), "{line}: {said:?}");
    }
    gui.send("position startpos moves e2e4,n1 e7e5,se2");
    gui.send("go depth 2");
    assert!(!move_of(&gui.best_move()).contains(','));
    // The knight that takes on d6 will be taken back, unless the Behemoth takes one of them first.
    gui.send("position fen r1b1k3/p1pp1p1p/3bp1q1/8/4N3/4PN2/P1PPK1PP/1*3B1R w q - 0 7");
    gui.send("go depth 2");
    let best = gui.best_move();
    assert_eq!(move_of(&best), "e4d6");
    assert!(!best.iter().any(|line| line.contains("ponder")), "{best:?}");
    gui.quit();
}

#[test]
fn finished_games_and_forced_wins() {
    let mut gui = Gui::start();
    for (variant, fen, best, score) in [
        ("maharajah", "7k/5M2/8/8/8/8/8/8 b - - 0 1", "0000", "mate 0"),
        ("maharajah", "7k/8/8/8/8/1M6/8/8 w - - 0 1", "b3f7", "mate 1"),
        ("janus", "k9/4J5/1K8/10/10/10/10/10 w - - 0 1", "e7c6", "mate 1"),
        ("grand", "k9/10/1K8/10/10/10/10/10/10/9C w - - 0 1", "j1j10", "mate 1"),
        ("behemoth", "4k3/8/8/8/8/8/3*4/4RK2 w - - 0 1", "e1e8", "mate 1"),
        ("caparandom", "4k5/10/10/10/10/10/10/RK7R w JA - 0 1", "", "mate 2"),
    ] {
        gui.send(&format!("setoption name UCI_Variant value {variant}"));
        gui.send(&format!("position fen {fen}"));
        gui.send("go depth 5");
        let lines = gui.best_move();
        let last = lines.iter().rfind(|line| line.contains(" score ")).expect("a score");
        assert!(last.contains(&format!("score {score}")), "{variant} {fen}: {last}");
        let found = move_of(&lines);
        if best.is_empty() {
            let position = Position::from_fen(variants::find(variant).unwrap(), fen).unwrap();
            assert!(position.parse_uci(&found).is_ok(), "{variant} {fen}: {found}");
        } else {
            assert_eq!(found, best, "{variant} {fen}");
        }
    }
    gui.quit();
}

#[test]
fn games_that_are_over_are_told_and_promise_no_move() {
    let mut gui = Gui::start();
    for (variant, position, words, score) in [
        (
            "behemoth",
            "8/8/8/8/8/5*2/4K3/R2k4 w - - 0 1 moves a1a2,sw1",
            "White has lost its king",
            "cp 32000",
        ),
        (
            "behemoth",
            "8/8/8/8/8/5*2/4K3/R2k4 w - - 0 1 moves a1a2,sw2",
            "both kings are lost, a draw",
            "cp 0",
        ),
        ("behemoth", "4k3/8/8/8/8/8/3*4/4RK2 w - - 0 1 moves e1e8", "Black has lost its king", "mate 0"),
        ("maharajah", "7k/5M2/8/8/8/8/8/8 b - - 0 1", "checkmate", "mate 0"),
        ("chess", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "stalemate", "cp 0"),
    ] {
        gui.send(&format!("setoption name UCI_Variant value {variant}"));
        gui.sync();
        gui.send(&format!("position fen {position}"));
        gui.send("go depth 3");
        let lines = gui.best_move();
        assert_eq!(lines[0], format!("info string the game is over: {words}"), "{position}");
        assert!(lines[1].contains(&format!(" score {score} ")), "{position}: {lines:?}");
        assert_eq!(lines[2..], ["bestmove 0000"], "{position}");
    }
    gui.quit();
}

#[test]
fn the_extras_know_variants() {
    let mut gui = Gui::start();
    begin(&mut gui, "grand");
    gui.send("go perft 2");
    let lines = gui.read_until(|line| line.starts_with("Nodes searched"));
    assert_eq!(lines.last().map(String::as_str), Some("Nodes searched: 4225"));
    gui.send("d");
    assert!(gui.sync().iter().any(|line| line == "Variant: grand"));
    gui.send("eval");
    assert!(gui.sync().iter().any(|line| line.starts_with("Evaluation:")));
    gui.send("flip");
    assert!(gui.sync().is_empty());
    begin(&mut gui, "maharajah");
    gui.send("flip");
    let said = gui.sync();
    assert!(said.len() == 1 && said[0].contains("maharajah cannot be flipped"), "{said:?}");
    gui.quit();
}

#[test]
fn openings_are_those_of_the_variant() {
    for name in ["grand", "janus", "behemoth"] {
        let mut gui = Gui::start();
        begin(&mut gui, name);
        gui.send("genfens 2 seed 7 book None");
        for _ in 0..2 {
            let lines = gui.read_until(|line| line.starts_with("info string genfens "));
            let fen = &lines[0]["info string genfens ".len()..];
            let opening = Position::from_fen(variants::find(name).unwrap(), fen);
            assert!(opening.is_ok(), "{name}: {lines:?} {opening:?}");
        }
        gui.quit();
    }
}

#[test]
fn open_searches_stop_and_ponder() {
    let mut gui = Gui::start();
    for name in ["embassy", "behemoth"] {
        begin(&mut gui, name);
        gui.send("go infinite");
        std::thread::sleep(std::time::Duration::from_millis(100));
        // The switch ends the search, as any command that needs the searchers does.
        gui.send("setoption name UCI_Variant value amazon");
        assert!(start(name).parse_uci(&move_of(&gui.best_move())).is_ok());
        gui.send("position startpos");
        gui.send("go ponder wtime 1000 btime 1000");
        gui.send("ponderhit");
        assert!(start("amazon").parse_uci(&move_of(&gui.best_move())).is_ok());
    }
    gui.quit();
}
