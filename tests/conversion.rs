//! Wins that must not slip: the engine against itself, what it has found kept from move to move as in a game, mates a
//! bare king within the fifty moves although it looks at only a few thousand positions.

mod common;

use common::gui::{Gui, field, move_of};

const NODES: u32 = 4000;
const LIMITED: [&str; 2] = ["UCI_LimitStrength value true", "UCI_Elo value 1500"];

/// Plays an ending out; the number of plies to the mate.
fn plies_to_mate(gui: &mut Gui, variant: &str, fen: &str) -> usize {
    gui.send(&format!("setoption name UCI_Variant value {variant}"));
    gui.send("ucinewgame");
    let mut moves = String::new();
    for plies in 0..=100 {
        gui.send(&format!("position fen {fen} moves{moves}"));
        gui.send(&format!("go nodes {NODES}"));
        let lines = gui.best_move();
        let best = move_of(&lines);
        if best == "0000" {
            let last = lines.iter().rev().find(|line| line.contains(" score ")).expect("a score");
            assert_eq!(field(last, "mate"), Some("0"), "{variant} {fen}: {moves}");
            return plies;
        }
        moves.push_str(&format!(" {best}"));
    }
    panic!("{variant} {fen}: no mate within fifty moves: {moves}");
}

#[test]
fn bare_kings_are_mated() {
    let endings = [
        ("chess", "8/8/8/3k4/8/8/8/2BBK3 w - - 0 1"),
        ("chess", "8/8/8/3k4/8/8/8/1NB1K3 w - - 0 1"),
        ("janus", "10/10/4k5/10/10/10/10/4KQ4 w - - 0 1"),
        ("janus", "10/10/4k5/10/10/10/10/4KR4 w - - 0 1"),
        ("capablanca", "10/10/4k5/10/10/10/10/4KA4 w - - 0 1"),
    ];
    let mut gui = Gui::start();
    for evaluation in ["NNUE", "Classical"] {
        gui.send(&format!("setoption name Evaluation value {evaluation}"));
        for (variant, fen) in endings {
            plies_to_mate(&mut gui, variant, fen);
        }
    }
    gui.quit();
}

#[test]
fn a_weakened_engine_mates_with_queen_and_rook() {
    let mut gui = Gui::start();
    LIMITED.iter().for_each(|option| gui.send(&format!("setoption name {option}")));
    for piece in ["Q", "R"] {
        plies_to_mate(&mut gui, "chess", &format!("8/8/8/3k4/8/8/8/{piece}3K3 w - - 0 1"));
    }
    gui.quit();
}
