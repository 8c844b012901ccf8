//! How long one evaluation takes. Classical: warm pawn table, as inside a search, and with fresh pawns each time. Neural:
//! the position after a move, with every instruction set this CPU has, and from scratch.

use std::hint::black_box;
use std::sync::Arc;

use criterion::{Criterion, criterion_group, criterion_main};
use rosada::chess::Position;
use rosada::eval::classical::judge_afresh;
use rosada::eval::classical::trace::NoTrace;
use rosada::eval::nnue::embedded;
use rosada::eval::nnue::simd::Path;
use rosada::eval::{Classical, Nnue};
use rosada::game::{Changes, Evaluator, Game};

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

/// Plays out of a position: each move's changes and the position after it.
fn line(fen: &str) -> Vec<(Changes, Position)> {
    let mut position = Position::from_fen(fen).expect("a FEN of this file");
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut line = Vec::new();
    for _ in 0..40 {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mv = moves[(state >> 33) as usize % moves.len()];
        let changes = position.changes(mv);
        position.make(mv);
        line.push((changes, position.clone()));
    }
    line
}

fn neural(criterion: &mut Criterion) {
    let network = embedded().expect("the embedded network");
    let start = Position::from_fen(POSITIONS[1].1).expect("a FEN of this file");
    let line = line(POSITIONS[1].1);
    for path in Path::all() {
        let mut evaluator = Nnue::with_path(Arc::clone(&network), path);
        evaluator.reset(&start);
        evaluator.evaluate(&start);
        let (changes, after) = &line[0];
        criterion.bench_function(&format!("nnue/{path}/one move"), |bencher| {
            bencher.iter(|| {
                evaluator.make(black_box(changes));
                let score = evaluator.evaluate(black_box(after));
                evaluator.unmake();
                score
            });
        });
        // Kings move as well, and turn the view; the time is that of forty evaluations.
        criterion.bench_function(&format!("nnue/{path}/a line of {}", line.len()), |bencher| {
            bencher.iter(|| {
                for (changes, after) in &line {
                    evaluator.make(black_box(changes));
                    black_box(evaluator.evaluate(black_box(after)));
                }
                line.iter().for_each(|_| evaluator.unmake());
            });
        });
    }
    criterion.bench_function("nnue/from scratch", |bencher| {
        bencher.iter(|| network.evaluate(black_box(&start).board()));
    });
}

criterion_group!(benches, evaluation, neural);
criterion_main!(benches);
