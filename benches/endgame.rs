//! Asking endgame tables: a position whose block is unpacked already, and one whose block is not; Syzygy's too, with
//! `ROSADA_SYZYGY_DIR`.

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use rosada::base::Error;
use rosada::chess::Position;
use rosada::endgame::build::{Observer, build, plan};
use rosada::endgame::ending::Ending;
use rosada::endgame::parallel::Crew;
use rosada::endgame::syzygy::Syzygy;
use rosada::endgame::tables::Tables;

struct Silent;

impl Observer for Silent {
    fn begin(&self, _: Ending, _: usize) {}
    fn done(&self, _: Ending, _: Option<usize>) {}
    fn refused(&self, _: &Path, _: &Error) {}
}

fn tables(folder: &Path) -> Tables {
    Tables::in_folders(&[folder.to_path_buf()]).expect("tables").tables
}

/// Random positions of queen against rook.
fn positions(count: usize) -> Vec<Position> {
    let mut random = StdRng::seed_from_u64(1);
    let mut positions = Vec::new();
    while positions.len() < count {
        let mut board = [['1'; 8]; 8];
        for letter in "KQkr".chars() {
            board[random.random_range(0..8)][random.random_range(0..8)] = letter;
        }
        let ranks: Vec<String> = board.iter().map(|rank| rank.iter().collect()).collect();
        let side = if random.random() { 'w' } else { 'b' };
        let position = Position::from_fen(&format!("{} {side} - - 0 1", ranks.join("/")));
        positions.extend(position.ok().filter(|position| position.board().occupied().count() == 4));
    }
    positions
}

fn probe(c: &mut Criterion) {
    let folder: PathBuf = tempfile::tempdir().expect("a folder").keep();
    let stop = AtomicBool::new(false);
    let crew = Crew { threads: 2, stop: &stop, progress: &|_, _, _| {} };
    let ending = Ending::parse("KQvKR").expect("an ending");
    build(&folder, &plan(&[ending]), &crew, &Silent).expect("a table");
    let mut group = c.benchmark_group("probe KQvKR");
    let ask = |tables: &Tables, positions: &[Position]| {
        positions.iter().for_each(|position| {
            black_box(tables.probe(position));
        });
    };
    let many = positions(1000);
    group.throughput(Throughput::Elements(many.len() as u64));
    let warm = tables(&folder);
    group.bench_function("warm", |b| b.iter(|| ask(&warm, &many)));
    // So few that hardly two share a block.
    let few = positions(40);
    group.throughput(Throughput::Elements(few.len() as u64));
    group.bench_function("cold", |b| {
        b.iter_batched_ref(|| tables(&folder), |tables| ask(tables, &few), BatchSize::PerIteration);
    });
    group.finish();
    let _ = std::fs::remove_dir_all(folder);
}

/// Syzygy tables, if the folder `ROSADA_SYZYGY_DIR` has that of queen against rook.
fn probe_syzygy(c: &mut Criterion) {
    let Some(folder) = std::env::var_os("ROSADA_SYZYGY_DIR") else { return };
    let found = Syzygy::in_folders(&[PathBuf::from(folder)], Box::new(|_| {})).expect("a folder");
    let tables = found.tables.expect("tables");
    let many = positions(1000);
    let mut group = c.benchmark_group("probe KQvKR by Syzygy");
    group.throughput(Throughput::Elements(many.len() as u64));
    group.bench_function("result", |b| {
        b.iter(|| many.iter().filter(|position| black_box(tables.probe(position.board())).is_some()).count());
    });
    group.throughput(Throughput::Elements(40));
    group.bench_function("moves with distances", |b| {
        b.iter(|| {
            many[..40].iter().filter(|position| black_box(tables.root_moves(position)).is_some()).count()
        });
    });
    group.finish();
}

criterion_group!(benches, probe, probe_syzygy);
criterion_main!(benches);
