//! Perft against other libraries: how fast the rules are, side by side in one process.
//!
//! `cargo bench --bench perft [-- rounds]`. All count the last ply in bulk instead of playing it. The libraries
//! take turns within each round, so that a change in the machine's speed hits all alike; the best round counts.

use std::time::Instant;

/// The positions of the Chess Programming Wiki's perft page, with depths of some ten million nodes.
const POSITIONS: [(&str, &str, u32); 6] = [
    ("start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 5),
    ("kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4),
    ("endgame", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 6),
    ("promotions", "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 5),
    ("check", "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 4),
    ("middlegame", "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 4),
];

/// A library: its name and a function that counts a position given as FEN.
type Library = (&'static str, fn(&str, u32) -> (u64, f64));

const LIBRARIES: [Library; 4] = [
    ("rosada", rosada_perft),
    ("cozy-chess", cozy_perft),
    ("chess", chess_perft),
    ("shakmaty", shakmaty_perft),
];

fn rosada_perft(fen: &str, depth: u32) -> (u64, f64) {
    let position = rosada::chess::Position::from_fen(fen).expect("a valid FEN");
    timed(|| position.perft(depth))
}

fn cozy_perft(fen: &str, depth: u32) -> (u64, f64) {
    fn count(board: &cozy_chess::Board, depth: u32) -> u64 {
        let mut nodes = 0;
        board.generate_moves(|moves| {
            if depth == 1 {
                nodes += moves.len() as u64;
            } else {
                for mv in moves {
                    let mut after = board.clone();
                    after.play_unchecked(mv);
                    nodes += count(&after, depth - 1);
                }
            }
            false
        });
        nodes
    }
    let board: cozy_chess::Board = fen.parse().expect("a valid FEN");
    timed(|| count(&board, depth))
}

fn chess_perft(fen: &str, depth: u32) -> (u64, f64) {
    fn count(board: &chess::Board, depth: u32) -> u64 {
        let moves = chess::MoveGen::new_legal(board);
        if depth == 1 {
            return moves.len() as u64;
        }
        moves.map(|mv| count(&board.make_move_new(mv), depth - 1)).sum()
    }
    let board: chess::Board = fen.parse().expect("a valid FEN");
    timed(|| count(&board, depth))
}

fn shakmaty_perft(fen: &str, depth: u32) -> (u64, f64) {
    use shakmaty::{CastlingMode, Chess, Position, fen::Fen};
    fn count(position: &Chess, depth: u32) -> u64 {
        let moves = position.legal_moves();
        if depth == 1 {
            return moves.len() as u64;
        }
        let after = |mv| {
            let mut after = position.clone();
            after.play_unchecked(mv);
            after
        };
        moves.into_iter().map(|mv| count(&after(mv), depth - 1)).sum()
    }
    let fen: Fen = fen.parse().expect("a FEN");
    let position: Chess = fen.into_position(CastlingMode::Standard).expect("a valid FEN");
    timed(|| count(&position, depth))
}

/// A count and the seconds it took.
fn timed(count: impl FnOnce() -> u64) -> (u64, f64) {
    let start = Instant::now();
    let nodes = count();
    (nodes, start.elapsed().as_secs_f64())
}

fn main() {
    // Cargo passes `--bench`; the one number that may follow is ours.
    let rounds = std::env::args().filter_map(|text| text.parse().ok()).next().unwrap_or(7);
    print!("{:12}", "Mnps");
    LIBRARIES.iter().for_each(|(name, _)| print!("{name:>12}"));
    println!("{:>12}", "ratio");
    let mut logarithms = 0.0;
    for (name, fen, depth) in POSITIONS {
        let mut best = [f64::INFINITY; LIBRARIES.len()];
        let mut nodes = 0;
        for _ in 0..rounds {
            for ((library, perft), best) in LIBRARIES.iter().zip(&mut best) {
                let (count, seconds) = perft(fen, depth);
                assert!(nodes == 0 || count == nodes, "{library} counts {count} in {name}, others {nodes}");
                nodes = count;
                *best = best.min(seconds);
            }
        }
        print!("{name:12}");
        best.iter().for_each(|seconds| print!("{:12.1}", nodes as f64 / seconds / 1e6));
        let rival = best[1..].iter().copied().fold(f64::INFINITY, f64::min);
        println!("{:12.2}", rival / best[0]);
        logarithms += (rival / best[0]).ln();
    }
    let mean = (logarithms / POSITIONS.len() as f64).exp();
    println!("geometric mean of Rosada to the fastest other: {mean:.2}");
}
