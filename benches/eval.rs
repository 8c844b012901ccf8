//! How long one classical evaluation takes: warm pawn table, as inside a search, and with fresh pawns each time.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use rosada::chess::Position;
use rosada::eval::Classical;
use rosada::eval::classical::judge_afresh;
use rosada::eval::classical::trace::NoTrace;
use rosada::game::Evaluator;

const POSITIONS: [(&str, &str); 4] = [
    ("start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
    ("middlegame", "r1b2rk1/2q1bppp/p1nppn2/1p6/3NPP2/1BN1B3/PPP1Q1PP/2KR3R w - - 0 12"),
    ("open", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"),
    ("endgame", "3r2k1/p4ppp/1p6/2pR4/8/1P4P1/P4P1P/6K1 b - - 0 25"),
];

fn evaluation(criterion: &mut Criterion) {
    let mut evaluator = Classical::new();
    for (name, fen) in POSITIONS {
        let position = Position::from_fen(fen).expect("a FEN of this file");
        criterion.bench_function(&format!("eval/{name}"), |bencher| {
            bencher.iter(|| evaluator.evaluate(black_box(&position)));
        });
        criterion.bench_function(&format!("eval/{name}/fresh pawns"), |bencher| {
            bencher.iter(|| judge_afresh(black_box(&position).board(), &mut NoTrace));
        });
    }
    // Changing positions keep the branch predictor honest.
    let mixed: Vec<Position> = (0..512).flat_map(|game| walk(game as u64)).collect();
    criterion.bench_function("eval/mixed", |bencher| {
        let mut next = 0;
        bencher.iter(|| {
            next = (next + 1) % mixed.len();
            evaluator.evaluate(black_box(&mixed[next]))
        });
    });
}

/// A few positions out of a random game.
fn walk(seed: u64) -> Vec<Position> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut position = Position::from_fen(POSITIONS[1 + seed as usize % 2].1).expect("a FEN of this file");
    let mut seen = Vec::new();
    for _ in 0..4 {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        position.make(moves[(state >> 33) as usize % moves.len()]);
        seen.push(position.clone());
    }
    seen
}

criterion_group!(benches, evaluation);
criterion_main!(benches);
