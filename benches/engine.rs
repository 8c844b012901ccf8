//! The parts of the search, one by one: generation, making moves, exchanges, the table, a whole search.

use std::hint::black_box;
use std::sync::Arc;

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use rosada::base::{Move, MoveList, Score};
use rosada::chess::Position;
use rosada::engine::bench::POSITIONS;
use rosada::eval::Classical;
use rosada::game::{Game, Stage};
use rosada::search::control::Control;
use rosada::search::{Job, Shared, Silent, Worker};
use rosada::time::{Deadline, Limits};
use rosada::tt::{Bound, Entry, Table};

fn positions() -> Vec<Position> {
    POSITIONS.iter().map(|fen| Position::from_fen(fen).expect("a bench position")).collect()
}

fn movegen(c: &mut Criterion) {
    let positions = positions();
    for (name, stage) in [("all", Stage::All), ("tactical", Stage::Tactical), ("quiet", Stage::Quiet)] {
        c.bench_function(&format!("generate {name} moves of {} positions", positions.len()), |b| {
            b.iter(|| {
                for position in &positions {
                    let mut list = MoveList::new();
                    position.generate(stage, &mut list);
                    black_box(&list);
                }
            });
        });
    }
}

fn make(c: &mut Criterion) {
    let mut positions = positions();
    c.bench_function("make and unmake every legal move", |b| {
        b.iter(|| {
            for position in &mut positions {
                for mv in position.legal_moves() {
                    position.make(mv);
                    black_box(position.key());
                    position.unmake();
                }
            }
        });
    });
}

fn see(c: &mut Criterion) {
    let positions = positions();
    c.bench_function("exchange value of every capture", |b| {
        b.iter(|| {
            for position in &positions {
                let mut list = MoveList::new();
                position.generate(Stage::Tactical, &mut list);
                for mv in list {
                    black_box(position.see_at_least(mv, 0));
                }
            }
        });
    });
}

fn table(c: &mut Criterion) {
    let table = Table::with_megabytes(64).expect("memory");
    let entry = Entry {
        mv: Move::from_bits(1234),
        score: Score::new(33),
        eval: Score::new(21),
        depth: 7,
        bound: Bound::Lower,
        pv: false,
    };
    let mut key = 1u64;
    c.bench_function("store and probe 1000 random keys", |b| {
        b.iter(|| {
            for _ in 0..1000 {
                key = key.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                table.store(key, entry);
                black_box(table.probe(key ^ 0xFFFF_0000));
            }
        });
    });
}

fn search(c: &mut Criterion) {
    let mut group = c.benchmark_group("search");
    group.sample_size(10);
    group.bench_function("start position to depth 10", |b| {
        b.iter_batched(
            || Worker::new(0, Position::start(), Classical::new()),
            |mut worker| {
                let table = Arc::new(Table::with_megabytes(16).expect("memory"));
                let shared = Shared::new(table, Arc::new(Control::new()), 1, None);
                let limits = Limits { depth: Some(10), ..Limits::default() };
                let game = Position::start();
                let job = Job {
                    game,
                    limits,
                    deadline: Deadline::none(),
                    search_moves: Vec::new(),
                    multipv: 1,
                    tables: None,
                    ranked: Vec::new(),
                };
                black_box(worker.run(&job, &shared, Box::new(Silent)).0.depth)
            },
            BatchSize::LargeInput,
        );
    });
    group.finish();
}

criterion_group!(benches, movegen, make, see, table, search);
criterion_main!(benches);
